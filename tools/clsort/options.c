/* options.c - the command line of clsort */
#include "options.h"

#include "command_line.h"
#include "number.h"
#include "print.h"
#include "type_option.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_ARGSORT = 256, /* options without a letter */
    KEY_BOTTOM,
    KEY_NTH,
    KEY_TOP,
    KEY_NUMERIC,
    KEY_AXIS,
    KEY_RECORD,
    KEY_ROWS,
    KEY_SEGMENTS,
    KEY_SUM,
    KEY_COMPRESS,
    KEY_NO_VERIFY,
    KEY_DEVICE,
    KEY_LIST_DEVICES,
    KEY_ALGORITHM,
    KEY_EXPLAIN,
    KEY_STATS,
    KEY_WARM,
    KEY_FORCE,
};

static const uint64_t MAX_VALUE_SIZE = 1 << 30; /* as in clsort.h */

static const struct command_line_option table[] = {
    {NULL, 0, NULL, "Order:", NULL},
    {"argsort", KEY_ARGSORT, NULL,
     "Write the permutation that sorts the keys instead of the keys: for each position in the "
     "sorted order, the index of the key in the input, from 0. Indexes have 64 bits",
     NULL},
    {"axis", KEY_AXIS, "AXIS",
     "Axis of a .npy array along which it is sorted, as in NumPy: 0 is the first, -1 the last (the "
     "default); none flattens the array",
     NULL},
    {"bottom", KEY_BOTTOM, "K",
     "Write only the K smallest keys, the smallest first; of an array, those of each row or "
     "segment",
     NULL},
    {"key", 'k', "OFFSET[:TYPE][:r][:be][:n]",
     "With --record, order the records by the field at this offset in bytes; TYPE is one of those "
     "below, bytes1 to bytes256, or that of --type. r: descending; be: big-endian; n: as "
     "--numeric. NAME[:r][:n] is a field of a .npy file of records. Can be given up to 16 times; "
     "later fields order records that are equal in the earlier ones",
     NULL},
    {"nth", KEY_NTH, "N",
     "Write only the key that is at position N in the sorted order, from 0; of an array, that of "
     "each row or segment",
     NULL},
    {"numeric", KEY_NUMERIC, NULL, "Floats: -0 equals +0, and every NaN comes last, as in NumPy",
     NULL},
    {"record", KEY_RECORD, "BYTES",
     "Sort records of this size, which move whole, by the fields of --key", NULL},
    {"reverse", 'r', NULL, "Sort in descending order", NULL},
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
    {"type", 't', "TYPE", "Type of the keys; required, unless INPUT is a .npy file", NULL},
    {"unique", 'u', NULL,
     "Write each key once, the first of those that are equal in the sorted order; a .npy array is "
     "flattened, as by numpy.unique",
     NULL},
    {NULL, 0, NULL, "Input and output:", NULL},
    {"buffer-size", 'S', "SIZE",
     "Take at most this much memory: bytes, or with K, M or G multiples of 2^10, 2^20 or 2^30. A "
     "file "
     "of more than a quarter is sorted in runs, which are merged. By default, a file is if it is "
     "larger "
     "than half of the available memory",
     NULL},
    {"check", 'c', NULL, "Do not sort; report the first two keys that are out of order", NULL},
    {"compress", KEY_COMPRESS, "METHOD",
     "Compress temporary files: lz4, zstd, none, or auto, which compresses the parts that get "
     "smaller by an eighth, by lz4 if it was there when clsort was built (default: none)",
     NULL},
    {"force", KEY_FORCE, NULL,
     "Sort also text, archives and other files that are no raw numbers, and write also to a "
     "terminal",
     NULL},
    {"no-verify", KEY_NO_VERIFY, NULL,
     "Do not compare checksums of input and output, and do not check the order of the output, when "
     "a "
     "file is sorted in runs",
     NULL},
    {"output", 'o', "FILE", "Write to FILE, which may be INPUT, instead of standard output", NULL},
    {"quiet", 'q', NULL, "Do not show progress, which only a terminal gets", NULL},
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
    {"algorithm", KEY_ALGORITHM, "SPEC",
     "Use this algorithm, with parameters if needed: radix, radix:bits=4,items=8 "
     "(default: auto)",
     NULL},
    {"device", KEY_DEVICE, "DEVICE",
     "Sort on this device: its index in --list-devices, cpu, gpu, or a part of its name; host: "
     "sort without OpenCL (default: the best)",
     NULL},
    {"explain", KEY_EXPLAIN, NULL, "Do not sort; print which algorithm would be used, and why",
     NULL},
    {"list-devices", KEY_LIST_DEVICES, NULL,
     "List all OpenCL devices with the results of the self-test, and exit", NULL},
    {"stats", KEY_STATS, "FORM",
     "Report times, rate and memory on standard error, as text (the default) or json", "text"},
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
    "then is a .npy file too. Without INPUT, or if INPUT is -, standard "
    "input is read. The file of --output is replaced in one step when the whole result is on the "
    "disk; after an error it is unchanged.";

/* Prints the end of --help, with the lists of types and algorithms. */
static void print_end(FILE *stream)
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

#define OTHER_MODES "--check, --explain, --warm or --list-devices"

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
    return command_line_error(
        line, "--buffer-size=%s: not a size in bytes, such as 512M or 4G (or too large)", text);
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

/* Checks combinations with --top, --bottom or --nth, one of which is given. */
static bool check_selection(const struct command_line *line)
{
    const struct options *options = line->target;
    const char *name = selection_name(options->selection);

    if (options->mode == MODE_CHECK)
        return command_line_error(
            line, "--%s cannot be combined with --check, which checks all keys", name);
    if (options->mode == MODE_LIST_DEVICES || options->mode == MODE_WARM)
        return command_line_error(line,
                                  "--%s cannot be combined with --list-devices or --warm, which "
                                  "are about sorts",
                                  name);
    if (options->selection == SELECTION_TOP && options->flags & CLSORT_DESCENDING)
        return command_line_error(line,
                                  "--top cannot be combined with --reverse: the largest keys "
                                  "are in descending order anyway; use --bottom for the "
                                  "smallest");
    if (options->selection == SELECTION_BOTTOM && options->flags & CLSORT_DESCENDING)
        return command_line_error(line,
                                  "--bottom cannot be combined with --reverse: use --top for "
                                  "the largest keys, in descending order");
    if (options->selection == SELECTION_NTH && options->algorithm != NULL)
        return command_line_error(line,
                                  "--algorithm cannot be combined with --nth, which finds a "
                                  "key without a sort");
    return true;
}

/* Checks combinations with --rows or --segments. */
static bool check_segments(const struct command_line *line)
{
    const struct options *options = line->target;
    const char *name = options->segments != NULL ? "segments" : "rows";

    if (options->segments == NULL && options->row_length == 0)
        return true;
    if (options->segments != NULL && options->row_length > 0)
        return command_line_error(line, "only one of --rows and --segments can be given");
    if (options->mode == MODE_LIST_DEVICES || options->mode == MODE_WARM)
        return command_line_error(line,
                                  "--%s cannot be combined with --list-devices or --warm, which "
                                  "read no keys",
                                  name);
    if (options->has_axis || options->flatten)
        return command_line_error(
            line, "--%s cannot be combined with --axis: both divide the array", name);
    if (options->segments == NULL)
        return true;
    if (options->algorithm != NULL)
        return command_line_error(line,
                                  "--segments cannot be combined with --algorithm, which names an "
                                  "algorithm for whole arrays and rows");
    if (strcmp(options->segments, "-") == 0 &&
        (options->input == NULL || strcmp(options->input, "-") == 0))
        return command_line_error(line, "--segments=-: standard input is that of the keys");
    return true;
}

/* Checks combinations with --unique, which flattens the array. */
static bool check_unique(const struct command_line *line)
{
    struct options *options = line->target;
    const char *other =
        options->mode == MODE_CHECK            ? "check, which reports keys out of order only"
        : options->mode == MODE_LIST_DEVICES   ? "list-devices, which reads no keys"
        : options->mode == MODE_WARM           ? "warm, which reads no keys"
        : options->argsort                     ? "argsort: indexes are never equal"
        : options->selection != SELECTION_NONE ? "top, --bottom and --nth, which count repeats"
        : options->segments != NULL            ? "segments, each of which would keep other keys"
        : options->row_length > 0              ? "rows, which would have different lengths"
        : options->has_axis                    ? "axis: the rows would have different lengths"
                                               : NULL;

    if (!options->unique)
        return true;
    if (other != NULL)
        return command_line_error(line, "--unique cannot be combined with --%s", other);
    options->flatten = true;
    return true;
}

/* Checks combinations with --record and --key. */
static bool check_records(const struct command_line *line)
{
    struct options *options = line->target;
    const char *other =
        options->mode == MODE_LIST_DEVICES     ? "list-devices, which reads no records"
        : options->mode == MODE_WARM           ? "warm, which compiles programs for keys"
        : options->selection != SELECTION_NONE ? "top, --bottom or --nth, which select keys"
        : options->segments != NULL            ? "segments, which have keys"
        : options->row_length > 0              ? "rows, which have keys"
        : options->has_axis                    ? "axis: a file of records has no axes"
        : options->flags & CLSORT_DESCENDING ? "reverse; --key gives each field a direction, as in "
                                               "0:u32:r"
        : options->flags & CLSORT_FLOAT_NUMERIC
            ? "numeric; --key gives each field an order, as in 0:f32:n"
        : options->algorithm != NULL ? "algorithm: sorts by fields have an algorithm of their own"
                                     : NULL;

    if (options->fields.record_size == 0 && options->fields.count == 0)
        return true;
    if (other != NULL)
        return command_line_error(line, "--record and --key cannot be combined with --%s", other);
    return fields_complete(line, options->type, &options->fields);
}

/* Checks combinations of options. */
static bool check_combinations(const struct command_line *line)
{
    const struct options *options = line->target;

    if (options->sum && options->mode != MODE_CHECK && options->mode != MODE_SORT)
        return command_line_error(line,
                                  "--sum cannot be combined with --explain, --warm or "
                                  "--list-devices, which read no keys");
    if (options->mode == MODE_WARM && (options->input != NULL || options->type != NULL))
        return command_line_error(
            line, "--warm cannot be combined with INPUT or --type: it names the types");
    if (options->mode == MODE_LIST_DEVICES && (options->input != NULL || options->device != NULL))
        return command_line_error(
            line, "--list-devices cannot be combined with INPUT or --device: it lists all devices");
    if (options->argsort && options->mode == MODE_CHECK)
        return command_line_error(
            line, "--argsort cannot be combined with --check, which checks keys, not indexes");
    if (options->argsort && options->mode == MODE_LIST_DEVICES)
        return command_line_error(
            line, "--argsort cannot be combined with --list-devices, which tests all sorts");
    if ((options->selection != SELECTION_NONE && !check_selection(line)) || !check_segments(line) ||
        !check_unique(line) || !check_records(line))
        return false;
    for (size_t i = 0; i < options->warm_count; i++)
        if (options->argsort && options->warm_sorts[i].value_size > 0)
            return command_line_error(
                line,
                "--argsort cannot be combined with --warm=%s:%zu, since its values are the indexes",
                options->warm_sorts[i].type->name, options->warm_sorts[i].value_size);
    if (options->mode == MODE_SORT)
        return true;
    if (options->output != NULL)
        return command_line_error(line, "--output cannot be combined with " OTHER_MODES);
    if (options->stats != STATS_NONE)
        return command_line_error(line, "--stats cannot be combined with " OTHER_MODES);
    return true;
}

static bool parse_input(const struct command_line *line, const char *name)
{
    struct options *options = line->target;

    if (*name == '\0')
        return command_line_error(line, "the name of the input file is empty");
    if (options->input != NULL)
        return command_line_error(line, "unexpected argument '%s': only one INPUT can be given",
                                  name);
    options->input = name;
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
    case 'S':
        return parse_buffer_size(line, argument);
    case KEY_COMPRESS:
        return parse_compression(line, argument);
    case 'T':
        return add_folder(line, argument);
    case 'o':
        options->output = argument;
        return true;
    case 'c':
        return set_mode(line, MODE_CHECK);
    case KEY_DEVICE:
        options->device = argument;
        return true;
    case KEY_LIST_DEVICES:
        return set_mode(line, MODE_LIST_DEVICES);
    case KEY_ALGORITHM:
        options->algorithm = argument;
        return true;
    case KEY_EXPLAIN:
        return set_mode(line, MODE_EXPLAIN);
    case KEY_STATS:
        return parse_stats(line, argument);
    case COMMAND_LINE_OPERAND:
        return parse_input(line, argument);
    case COMMAND_LINE_END:
        return check_combinations(line);
    default:
        parse_flag(options, key);
        return true;
    }
}

bool options_parse(struct options *options, int argc, char **argv, FILE *output, FILE *messages,
                   int *status)
{
    const struct command_line line = {
        .program = "clsort",
        .version = clsort_version(),
        .operands = "[INPUT]",
        .introduction = introduction,
        .options = table,
        .repeatable = {KEY_WARM, 'k', 'T'},
        .print_end = print_end,
        .parse = parse_option,
        .target = options,
        .output = output,
        .messages = messages,
    };

    *options = (struct options){.mode = MODE_SORT, .axis = -1};
    if (!command_line_parse(&line, argc, argv, status))
        return false;
    if (options->input == NULL)
        options->input = "-";
    return true;
}
