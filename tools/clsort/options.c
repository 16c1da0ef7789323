/* options.c - the command line of clsort */
#include "options.h"

#include "command_line.h"
#include "number.h"
#include "print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_NUMERIC = 256, /* options without a letter */
    KEY_AXIS,
    KEY_SUM,
    KEY_DEVICE,
    KEY_LIST_DEVICES,
    KEY_ALGORITHM,
    KEY_EXPLAIN,
    KEY_STATS,
    KEY_WARM,
    KEY_FORCE,
};

static const uint64_t MAX_VALUE_SIZE = 1 << 30; /* as in clsort.h */

static const struct argp_option table[] = {
    {0, 0, 0, 0, "Order:", 1},
    {"type", 't', "TYPE", 0, "Type of the keys; required, unless INPUT is a .npy file", 0},
    {"reverse", 'r', 0, 0, "Sort in descending order", 0},
    {"numeric", KEY_NUMERIC, 0, 0, "Floats: -0 equals +0, and every NaN comes last, as in NumPy",
     0},
    {"axis", KEY_AXIS, "AXIS", 0,
     "Axis of a .npy array along which it is sorted, as in NumPy: 0 is the first, -1 the last (the "
     "default); none flattens the array",
     0},
    {0, 0, 0, 0, "Input and output:", 2},
    {"output", 'o', "FILE", 0, "Write to FILE, which may be INPUT, instead of standard output", 0},
    {"force", KEY_FORCE, 0, 0,
     "Sort also text, archives and other files that are no raw numbers, and write also to a "
     "terminal",
     0},
    {"quiet", 'q', 0, 0, "Do not show progress, which only a terminal gets", 0},
    {"check", 'c', 0, 0, "Do not sort; report the first two keys that are out of order", 0},
    {"sum", KEY_SUM, 0, 0,
     "With --check, also print the number of keys and a checksum that does not depend on "
     "their order",
     0},
    {0, 0, 0, 0, "Device and algorithm:", 3},
    {"device", KEY_DEVICE, "DEVICE", 0,
     "Sort on this device: its index in --list-devices, cpu, gpu, or a part of its name; host: "
     "sort without OpenCL (default: the best)",
     0},
    {"list-devices", KEY_LIST_DEVICES, 0, 0,
     "List all OpenCL devices with the results of the self-test, and exit", 0},
    {"algorithm", KEY_ALGORITHM, "SPEC", 0,
     "Use this algorithm, with parameters if needed: radix, radix:bits=4,items=8 "
     "(default: auto)",
     0},
    {"explain", KEY_EXPLAIN, 0, 0, "Do not sort; print which algorithm would be used, and why", 0},
    {"stats", KEY_STATS, "FORM", OPTION_ARG_OPTIONAL,
     "Report times, rate and memory on standard error, as text (the default) or json", 0},
    {"warm", KEY_WARM, "TYPE[:VALUE_SIZE]", 0,
     "Do not sort; compile the programs for sorts of this type, with values of this size in bytes, "
     "for later runs. Can be given several times",
     0},
    {0, 0, 0, 0, "Help:", -1},
    {0},
};

static const char introduction[] =
    "Sort a binary file of numbers on an OpenCL device.\n\n"
    "INPUT is an array of numbers in the byte order of the machine, or a .npy file; the output "
    "then is a .npy file of the same type too. Without INPUT, or if INPUT is -, standard "
    "input is read. The file of --output is replaced in one step when the whole result is on the "
    "disk; after an error it is unchanged.\v";

/* Makes the end of --help at run time, from the lists of types and algorithms. */
static char *epilogue(void)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    const char *name;

    if (stream == NULL)
        return NULL;
    print_types(stream);
    fputs(
        ": unsigned integers, signed integers and floats, with their number of bits. Floats are "
        "sorted in the total order of IEEE 754, -NaN < -inf < ... < -0 < +0 < ... < +inf < +NaN, "
        "unless --numeric is "
        "given.\n\nThe algorithms are auto",
        stream);
    for (size_t i = 0; (name = clsort_algorithm_name(i)) != NULL; i++)
        if (strcmp(name, "auto") != 0)
            fprintf(stream, " %s", name);
    fputs(
        ".\n\nEnvironment:\n"
        "  CLSORT_DEVICE      the device if --device is not given\n"
        "  CLSORT_CACHE_DIR   the folder of compiled programs; if empty, none are kept\n"
        "  CLSORT_CONFIG_DIR  the folder of the tune files; if empty, none is read\n\n"
        "Exit status: 0 on success, 1 if --check finds keys that are out of order, 2 after an "
        "error.",
        stream);
    return fclose(stream) == 0 ? text : NULL;
}

static char *help_filter(int key, const char *text, void *input)
{
    (void)input;
    return key == ARGP_KEY_HELP_POST_DOC ? epilogue() : (char *)text;
}

#define OTHER_MODES "--check, --explain, --warm or --list-devices"

static void set_mode(struct options *options, enum mode mode, struct argp_state *state)
{
    if (options->mode != MODE_SORT && options->mode != mode)
        argp_error(state, "only one of --check, --explain, --warm and --list-devices can be given");
    options->mode = mode;
}

static enum stats_form stats_form(const char *name, struct argp_state *state)
{
    if (strcmp(name, "json") == 0)
        return STATS_JSON;
    if (strcmp(name, "text") != 0)
        argp_error(state, "--stats=%s: unknown form; use text or json", name);
    return STATS_TEXT;
}

static void parse_axis(struct options *options, const char *text, struct argp_state *state)
{
    char *end;
    long axis = strtol(text, &end, 10);

    options->flatten = strcmp(text, "none") == 0;
    options->axis = options->flatten ? -1 : (int)axis;
    if (!options->flatten && (end == text || *end != '\0' || axis != (int)axis))
        argp_error(state, "--axis=%s: not an axis; use an integer, such as 0 or -1, or none", text);
}

static const struct data_type *find_type(const char *option, const char *name,
                                         struct argp_state *state)
{
    const struct data_type *type = data_type_find(name);

    if (type == NULL)
        argp_error(state, "--%s=%s: unknown type; --help lists all types", option, name);
    return type;
}

/* Parses the argument of --warm, which it cuts at the colon. */
static void add_warm_sort(struct options *options, char *argument, struct argp_state *state)
{
    char *colon = strchr(argument, ':');
    uint64_t value_size = 0;

    set_mode(options, MODE_WARM, state);
    if (options->warm_count == MAX_WARM_SORTS)
        argp_error(state, "--warm can be given at most %d times", MAX_WARM_SORTS);
    if (colon != NULL) {
        if (!number_parse(colon + 1, &value_size) || value_size == 0 || value_size > MAX_VALUE_SIZE)
            argp_error(state, "--warm=%s: the size of values must be a number from 1 to 2^30",
                       argument);
        *colon = '\0';
    }
    options->warm_sorts[options->warm_count++] =
        (struct warm_sort){find_type("warm", argument, state), (size_t)value_size};
}

/* Checks combinations of options. */
static void check_combinations(const struct options *options, struct argp_state *state)
{
    if (options->sum && options->mode != MODE_CHECK)
        argp_error(state, "--sum requires --check");
    if (options->mode == MODE_WARM && (options->input != NULL || options->type != NULL))
        argp_error(state, "--warm cannot be combined with INPUT or --type: it names the types");
    if (options->mode == MODE_SORT)
        return;
    if (options->output != NULL)
        argp_error(state, "--output cannot be combined with " OTHER_MODES);
    if (options->stats != STATS_NONE)
        argp_error(state, "--stats cannot be combined with " OTHER_MODES);
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;

    if (key == KEY_STATS && argument == NULL)
        argument = "text";
    if (key != KEY_WARM)
        command_line_check_repeated(table, key, argument, state);
    switch (key) {
    case 't':
        options->type = find_type("type", argument, state);
        break;
    case 'q':
        options->quiet = true;
        break;
    case KEY_FORCE:
        options->force = true;
        break;
    case KEY_WARM:
        add_warm_sort(options, argument, state);
        break;
    case 'r':
        options->flags |= CLSORT_DESCENDING;
        break;
    case KEY_NUMERIC:
        options->flags |= CLSORT_FLOAT_NUMERIC;
        break;
    case KEY_AXIS:
        parse_axis(options, argument, state);
        break;
    case 'o':
        options->output = argument;
        break;
    case 'c':
        set_mode(options, MODE_CHECK, state);
        break;
    case KEY_SUM:
        options->sum = true;
        break;
    case KEY_DEVICE:
        options->device = argument;
        break;
    case KEY_LIST_DEVICES:
        set_mode(options, MODE_LIST_DEVICES, state);
        break;
    case KEY_ALGORITHM:
        options->algorithm = argument;
        break;
    case KEY_EXPLAIN:
        set_mode(options, MODE_EXPLAIN, state);
        break;
    case KEY_STATS:
        options->stats = stats_form(argument, state);
        break;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            argp_error(state, "unexpected argument '%s': only one INPUT can be given", argument);
        options->input = argument;
        break;
    case ARGP_KEY_END:
        check_combinations(options, state);
        if (options->input == NULL)
            options->input = "-";
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static void print_version(FILE *stream, struct argp_state *state)
{
    (void)state;
    fprintf(stream, "clsort %s\n", clsort_version());
}

void options_parse(struct options *options, int argc, char **argv)
{
    static const struct argp parser = {
        .options = table,
        .parser = parse_option,
        .args_doc = "[INPUT]",
        .doc = introduction,
        .children = command_line_children,
        .help_filter = help_filter,
    };

    *options = (struct options){.mode = MODE_SORT, .axis = -1};
    argp_err_exit_status = EXIT_ERROR;
    argp_program_version_hook = print_version;
    argp_parse(&parser, argc, argv, 0, NULL, options);
}
