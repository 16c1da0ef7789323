/* options.c - the command line of clsort */
#include "options.h"

#include "command_line.h"
#include "number.h"
#include "options_check.h"
#include "options_program.h"
#include "print.h"
#include "type_option.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t MAX_VALUE_SIZE = 1 << 30; /* as in clsort.h */

static const struct command_line_option table[] = {
    {NULL, 0, NULL, "Order:", NULL},
    OPTION_ARGSORT,
    {"axis", KEY_AXIS, "AXIS",
     "Axis of a .npy array along which it is sorted, as in NumPy: 0 is the first, -1 the last (the "
     "default); none flattens the array",
     NULL},
    {"bottom", KEY_BOTTOM, "K",
     "Write only the K smallest keys, the smallest first; of an array, those of each row or "
     "segment",
     NULL},
    OPTION_KEY,
    OPTION_KEY_SIZE,
    OPTION_LESS,
    {"nth", KEY_NTH, "N",
     "Write only the key that is at position N in the sorted order, from 0; of an array, that of "
     "each row or segment",
     NULL},
    OPTION_NUMERIC,
    OPTION_RECORD,
    OPTION_REVERSE,
    {"rows", KEY_ROWS, "N",
     "Divide the array into rows of N keys, each of which is sorted; a .npy output has this shape",
     NULL},
    {"segments", KEY_SEGMENTS, "FILE",
     "Sort each of the segments that FILE describes: offsets in ascending order, from which and to "
     "the next of which a segment extends; a .npy file, raw u64, or u32 if FILE is u32:NAME",
     NULL},
    {"top", KEY_TOP, "K",
     "Write only the K largest keys, the largest first; of an array, those of each row or segment",
     NULL},
    OPTION_TYPE,
    {"unique", 'u', NULL,
     "Write each key once, the first of those that are equal in the sorted order; a .npy array is "
     "flattened, as by numpy.unique",
     NULL},
    {NULL, 0, NULL, "Input and output:", NULL},
    {"batch-size", KEY_BATCH_SIZE, "N",
     "Merge at most N runs or files at a time, from 2 on (default: as many as the memory allows)",
     NULL},
    {"buffer-size", 'S', "SIZE",
     "Take at most this much memory: bytes, or with K, M, G or T multiples of 2^10, 2^20, 2^30 or "
     "2^40. A "
     "file "
     "of more than a quarter is sorted in runs, which are merged. By default, a file is if it is "
     "larger "
     "than half of the available memory",
     NULL},
    OPTION_CHECK,
    {"compress", KEY_COMPRESS, "METHOD",
     "Compress temporary files: lz4, zstd, none, or auto, which compresses the parts that get "
     "smaller by an eighth, by lz4 if it was there when clsort was built (default: none)",
     NULL},
    {"force", KEY_FORCE, NULL,
     "Sort also text, archives and other files that are no raw numbers, and write also to a "
     "terminal",
     NULL},
    {"files0-from", KEY_FILES0_FROM, "FILE",
     "Read the names of the inputs from FILE, in which each ends with a NUL byte; - is standard "
     "input",
     NULL},
    {"merge", 'm', NULL,
     "Merge inputs each of which is in order already; elements that are equal keep the order of "
     "the inputs",
     NULL},
    {"no-verify", KEY_NO_VERIFY, NULL,
     "Do not compare checksums of input and output, and do not check the order of the output, when "
     "a "
     "file is sorted in runs",
     NULL},
    {"output", 'o', "FILE", "Write to FILE, which may be INPUT, instead of standard output", NULL},
    OPTION_PROGRESS,
    OPTION_QUIET,
    {"resume", KEY_RESUME, "FOLDER",
     "Keep the temporary files in FOLDER, which is created if necessary, and continue from them a "
     "sort with the same inputs and options that has been interrupted. In the end they are "
     "removed, and FOLDER if the sort has created it",
     NULL},
    {"sum", KEY_SUM, NULL,
     "Also print the number of keys and a checksum that does not depend on their order: of the "
     "input, on standard error if the result is on standard output",
     NULL},
    {"temporary-directory", 'T', "FOLDER",
     "Folder of the temporary files of sorts in runs; several ones share them equally (default: "
     "that "
     "of the output, else $TMPDIR, else /var/tmp). Can be given up to 16 times",
     NULL},
    {NULL, 0, NULL, "Device and algorithm:", NULL},
    OPTION_ALGORITHM,
    {"device", KEY_DEVICE, "DEVICE",
     "Sort on this device: its index in --list-devices, cpu, gpu, or a part of its name; host: "
     "sort without OpenCL (default: the best)",
     NULL},
    {"devices", KEY_DEVICES, "LIST",
     "Sort a share of the input on each of these devices: all, or their indexes in --list-devices "
     "with commas between them",
     NULL},
    {"explain", KEY_EXPLAIN, NULL, "Do not sort; print which algorithm would be used, and why",
     NULL},
    {"list-devices", KEY_LIST_DEVICES, NULL,
     "List all OpenCL devices with the results of the self-test, and exit", NULL},
    {"stats", KEY_STATS, "FORM",
     "Report times, rate, memory, and the input and output of each phase on standard error, as "
     "text (the default) or json",
     "text"},
    {"warm", KEY_WARM, "TYPE[:VALUE_SIZE]",
     "Do not sort; compile the programs for sorts of this type, with values of this size in bytes, "
     "for later runs. Can be given several times",
     NULL},
    {NULL, 0, NULL, "Help:", NULL},
    {NULL, 0, NULL, NULL, NULL},
};

static const char introduction[] =
    "Sort a binary file of numbers on an OpenCL device.\n\n"
    "INPUT is an array of numbers in the byte order of the machine, or a .npy file; the output "
    "then is a .npy file too. Without INPUT, or if INPUT is -, standard input is read. Several "
    "inputs are sorted as if they were one file. The file of --output is replaced in one step when "
    "the whole result is on the "
    "disk; after an error it is unchanged.";

void options_print_end(FILE *stream)
{
    const char *name;

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
}

static bool set_mode(const struct command_line *line, enum mode mode)
{
    struct options *options = line->target;

    if (options->mode != MODE_SORT && options->mode != mode)
        return command_line_error(
            line, "only one of --check, --explain, --warm and --list-devices can be given");
    options->mode = mode;
    return true;
}

static bool parse_stats(const struct command_line *line, const char *name)
{
    struct options *options = line->target;

    options->stats = strcmp(name, "json") == 0 ? STATS_JSON : STATS_TEXT;
    if (options->stats == STATS_TEXT && strcmp(name, "text") != 0)
        return command_line_error(line, "--stats=%s: unknown form; use text or json", name);
    return true;
}

static bool parse_progress(const struct command_line *line, const char *name)
{
    static const char *const names[] = {[PROGRESS_AUTO] = "auto",
                                        [PROGRESS_ALWAYS] = "always",
                                        [PROGRESS_NEVER] = "never",
                                        [PROGRESS_JSON] = "json"};
    struct options *options = line->target;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(name, names[i]) == 0) {
            options->progress = (enum progress_when)i;
            options->has_progress = true;
            return true;
        }
    }
    return command_line_error(line, "--progress=%s: use auto, always, never or json", name);
}

static bool parse_axis(const struct command_line *line, const char *text)
{
    struct options *options = line->target;
    char *end;
    long axis = strtol(text, &end, 10);

    options->flatten = strcmp(text, "none") == 0;
    options->has_axis = !options->flatten;
    options->axis = options->flatten ? -1 : (int)axis;
    if (!options->flatten && (end == text || *end != '\0' || axis != (int)axis))
        return command_line_error(
            line, "--axis=%s: not an axis; use an integer, such as 0 or -1, or none", text);
    return true;
}

const char *selection_name(enum selection selection)
{
    static const char *const names[] = {
        [SELECTION_TOP] = "top", [SELECTION_BOTTOM] = "bottom", [SELECTION_NTH] = "nth"};

    return names[selection];
}

const char *options_device(const struct options *options)
{
    return options->devices.is_given ? options->devices.first : options->device;
}

static bool parse_selection(const struct command_line *line, enum selection selection,
                            const char *number)
{
    struct options *options = line->target;

    if (options->selection != SELECTION_NONE && options->selection != selection)
        return command_line_error(line, "only one of --top, --bottom and --nth can be given");
    options->selection = selection;
    if (number_parse(number, &options->k) && options->k <= SIZE_MAX)
        return true;
    return command_line_error(line, "--%s=%s: not a number, or too large",
                              selection_name(selection), number);
}

static bool parse_row_length(const struct command_line *line, const char *text)
{
    struct options *options = line->target;
    const char *end;

    if (number_parse_count(text, &end, &options->row_length) && *end == '\0' &&
        options->row_length > 0 && options->row_length <= SIZE_MAX)
        return true;
    return command_line_error(line, "--rows=%s: not a number of keys from 1 on, such as 256", text);
}

static bool parse_buffer_size(const struct command_line *line, const char *text)
{
    struct options *options = line->target;
    const char *end;

    if (number_parse_count(text, &end, &options->buffer_size) && *end == '\0' &&
        options->buffer_size > 0)
        return true;
    return command_line_error(line,
                              "--buffer-size=%s: not a size in bytes, such as 512M or 4G, with the "
                              "suffix K, M, G or T (or too large)",
                              text);
}

static bool parse_batch_size(const struct command_line *line, const char *text)
{
    struct options *options = line->target;

    if (number_parse(text, &options->batch_size) && options->batch_size >= 2 &&
        options->batch_size <= SIZE_MAX)
        return true;
    return command_line_error(line, "--batch-size=%s: not a number from 2 on", text);
}

static bool add_folder(const struct command_line *line, const char *name)
{
    struct options *options = line->target;

    if (options->folder_count == MAX_FOLDERS)
        return command_line_error(line, "--temporary-directory can be given at most %d times",
                                  MAX_FOLDERS);
    options->folders[options->folder_count++] = name;
    return true;
}

static bool parse_compression(const struct command_line *line, const char *name)
{
    struct options *options = line->target;

    options->compress_sampled = strcmp(name, "auto") == 0;
    options->compression = options->compress_sampled ? codec_best() : CODEC_NONE;
    while (!options->compress_sampled && options->compression < CODEC_COUNT &&
           strcmp(name, codec_name(options->compression)) != 0)
        options->compression++;
    if (options->compression == CODEC_COUNT)
        return command_line_error(
            line, "--compress=%s: unknown method; use auto, none, lz4 or zstd", name);
    if (codec_is_available(options->compression))
        return true;
    return command_line_error(
        line, "--compress=%s: clsort was built without lib%s; use auto for what it has", name,
        name);
}

static bool parse_type(const struct command_line *line, const char *name)
{
    struct options *options = line->target;

    options->type = type_option(line, "--type", name, name);
    return options->type != NULL;
}

/* Parses the argument of --warm: a type, or a type and a size. */
static bool add_warm_sort(const struct command_line *line, const char *argument)
{
    struct options *options = line->target;
    const char *colon = strchr(argument, ':');
    char name[8]; /* longer than the name of any type */
    uint64_t value_size = 0;

    if (!set_mode(line, MODE_WARM))
        return false;
    if (options->warm_count == MAX_WARM_SORTS)
        return command_line_error(line, "--warm can be given at most %d times", MAX_WARM_SORTS);
    if (colon != NULL &&
        (!number_parse(colon + 1, &value_size) || value_size == 0 || value_size > MAX_VALUE_SIZE))
        return command_line_error(
            line, "--warm=%s: the size of values must be a number from 1 to 2^30", argument);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(argument, ":"), argument);
    const struct data_type *type = type_option(line, "--warm", argument, name);
    if (type == NULL)
        return false;
    options->warm_sorts[options->warm_count++] = (struct warm_sort){type, (size_t)value_size};
    return true;
}

static bool count_input(const struct command_line *line, const char *name)
{
    struct options *options = line->target;

    if (*name == '\0')
        return command_line_error(line, "the name of the input file is empty");
    if (strcmp(name, "-") == 0 && options->reads_standard_input)
        return command_line_error(line, "standard input can be given only once");
    options->reads_standard_input = options->reads_standard_input || strcmp(name, "-") == 0;
    options->input_count++;
    return true;
}

/* Handles options without an argument. */
static void parse_flag(struct options *options, int key)
{
    switch (key) {
    case KEY_ARGSORT:
        options->argsort = true;
        break;
    case 'q':
        options->quiet = true;
        break;
    case KEY_FORCE:
        options->force = true;
        break;
    case 'r':
        options->flags |= CLSORT_DESCENDING;
        break;
    case KEY_NUMERIC:
        options->flags |= CLSORT_FLOAT_NUMERIC;
        break;
    case 'm':
        options->merge = true;
        break;
    case 'u':
        options->unique = true;
        break;
    case KEY_NO_VERIFY:
        options->no_verify = true;
        break;
    case KEY_SUM:
        options->sum = true;
        break;
    }
}

static bool parse_option(const struct command_line *line, int key, const char *argument)
{
    struct options *options = line->target;

    switch (key) {
    case 't':
        return parse_type(line, argument);
    case KEY_WARM:
        return add_warm_sort(line, argument);
    case KEY_TOP:
        return parse_selection(line, SELECTION_TOP, argument);
    case KEY_BOTTOM:
        return parse_selection(line, SELECTION_BOTTOM, argument);
    case KEY_NTH:
        return parse_selection(line, SELECTION_NTH, argument);
    case KEY_AXIS:
        return parse_axis(line, argument);
    case KEY_ROWS:
        return parse_row_length(line, argument);
    case KEY_SEGMENTS:
        options->segments = argument;
        return true;
    case 'k':
        return fields_parse(line, argument, &options->fields);
    case KEY_RECORD:
        return fields_parse_record(line, argument, &options->fields);
    case KEY_LESS:
        options->custom.less = argument;
        return true;
    case KEY_KEY_SIZE:
        return custom_parse_size(line, argument, &options->custom);
    case 'S':
        return parse_buffer_size(line, argument);
    case KEY_COMPRESS:
        return parse_compression(line, argument);
    case 'T':
        return add_folder(line, argument);
    case KEY_BATCH_SIZE:
        return parse_batch_size(line, argument);
    case KEY_FILES0_FROM:
        options->files0_from = argument;
        return true;
    case KEY_RESUME:
        options->resume = argument;
        return true;
    case 'o':
        options->output = argument;
        return true;
    case 'c':
        return set_mode(line, MODE_CHECK);
    case KEY_DEVICE:
        options->device = argument;
        return true;
    case KEY_DEVICES:
        return device_list_parse(line, argument, &options->devices);
    case KEY_LIST_DEVICES:
        return set_mode(line, MODE_LIST_DEVICES);
    case KEY_ALGORITHM:
        options->algorithm = argument;
        return true;
    case KEY_EXPLAIN:
        return set_mode(line, MODE_EXPLAIN);
    case KEY_STATS:
        return parse_stats(line, argument);
    case KEY_PROGRESS:
        return parse_progress(line, argument);
    case COMMAND_LINE_OPERAND:
        return count_input(line, argument);
    case COMMAND_LINE_END:
        return options->program->check(line);
    default:
        parse_flag(options, key);
        return true;
    }
}

bool options_parse_program(struct options *options, const struct options_program *program, int argc,
                           char **argv, FILE *output, FILE *messages, int *status)
{
    const struct command_line line = {
        .program = program->name,
        .version = clsort_version(),
        .operands = program->operands,
        .introduction = program->introduction,
        .options = program->table,
        .repeatable = {KEY_WARM, 'k', 'T'},
        .missing = program->missing,
        .print_end = options_print_end,
        .parse = parse_option,
        .target = options,
        .output = output,
        .messages = messages,
    };

    *options = (struct options){.program = program, .mode = MODE_SORT, .axis = -1};
    if (!command_line_parse(&line, argc, argv, status))
        return false;
    options->inputs = argv + argc - options->input_count; /* getopt moves them to the end */
    return true;
}

bool options_parse(struct options *options, int argc, char **argv, FILE *output, FILE *messages,
                   int *status)
{
    static char standard_input[] = "-";
    static char *const default_input[] = {standard_input};
    static const struct options_program program = {
        .name = "clsort",
        .operands = "[INPUT]...",
        .introduction = introduction,
        .table = table,
        .check = options_check,
    };

    if (!options_parse_program(options, &program, argc, argv, output, messages, status))
        return false;
    if (options->input_count == 0)
        options->inputs = default_input;
    if (options->input_count == 0 && options->files0_from == NULL)
        options->input_count = 1;
    return true;
}
