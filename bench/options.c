/* options.c - the command line of clsort-bench */
#include "options.h"

#include "command_line.h"
#include "contest.h"
#include "number.h"
#include "peers.h"
#include "table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_DEVICE = 256, /* above all characters: options without a letter */
    KEY_OP,
    KEY_TYPE,
    KEY_VALUE_SIZE,
    KEY_N,
    KEY_DIST,
    KEY_ALGORITHM,
    KEY_PEERS,
    KEY_RUNS,
    KEY_BATCH,
    KEY_COUNT_SHARE,
    KEY_DEVICE_TIME,
    KEY_SECOND,
    KEY_K,
    KEY_KEY_SIZE,
    KEY_INPUT_ORDER,
    KEY_NO_INDEXES,
    KEY_SEGMENTS,
    KEY_SEGMENT_LENGTH,
    KEY_UNSTABLE,
    KEY_NO_SCRATCH,
    KEY_HOST,
    KEY_ENQUEUE,
    KEY_GROUP,
    KEY_SUB_DEVICES,
    KEY_TABLE,
    KEY_JSON
};

static const struct command_line_option table[] = {
    {"algorithm", KEY_ALGORITHM, "NAME", "clsort's algorithm (default: auto)", NULL},
    {"batch", KEY_BATCH, "SORTS",
     "Number of consecutive sorts between device buffers that make one run, with one wait at the "
     "end; times are per sort. auto: as many as sort 2^26 elements in total, at most 100 "
     "(default: 1)",
     NULL},
    {"count-share", KEY_COUNT_SHARE, "PERCENT",
     "Also sort with a count in device memory, which is PERCENT of the numbers of elements, the "
     "maxima of the "
     "count (clsort-counted)",
     NULL},
    {"device", KEY_DEVICE, "DEVICE",
     "OpenCL device: its index, cpu, gpu, or a part of its name (default: the best)", NULL},
    {"device-time", KEY_DEVICE_TIME, NULL,
     "Also measure by the clock of the device, if there is one, in the same number of extra runs",
     NULL},
    {"dist", KEY_DIST, "DIST", "Distribution of the keys (default: uniform)", NULL},
    {"enqueue", KEY_ENQUEUE, NULL,
     "With --host, also sort the arrays by clsort_enqueue, in buffers that use their memory, and "
     "by "
     "clsort_host without memory that the engine has kept (clsort_host-fresh)",
     NULL},
    {"group", KEY_GROUP, "INDEX,INDEX,...",
     "With --host, also sort on a group of the devices with these indexes in clsort --list-devices "
     "(clsort_group_host)",
     NULL},
    {"host", KEY_HOST, NULL, "Sort host arrays, transfers included, instead of device buffers",
     NULL},
    {"input-order", KEY_INPUT_ORDER, NULL,
     "With --op top, leave the selected keys in the order of the input (CLSORT_INPUT_ORDER)", NULL},
    {"json", KEY_JSON, "FILE",
     "Also write the results to FILE, one JSON object per line, the first of which describes the "
     "machine. If FILE is -, they go to standard output, and the table goes to standard error",
     NULL},
    {"k", KEY_K, "K",
     "With --op top, the number of keys to select (default: 100). With --op nth, the key to "
     "select, "
     "from 0 (default: half of the number of elements)",
     NULL},
    {"key-size", KEY_KEY_SIZE, "BYTES", "With --op strings, the size of the strings (default: 16)",
     NULL},
    {"n", KEY_N, "N,N,...",
     "Numbers of elements, such as 1000, 64K, 16M, 1G or 2^20 (default: 2^20,2^22,2^24)", NULL},
    {"no-indexes", KEY_NO_INDEXES, NULL,
     "With --op top or --op nth, select the keys without their indexes", NULL},
    {"no-scratch", KEY_NO_SCRATCH, NULL,
     "Forbid clsort to use memory besides its arrays (CLSORT_NO_SCRATCH), and sort device buffers "
     "in place. Most sorts also require --unstable",
     NULL},
    {"op", KEY_OP, "OP",
     "keys, pairs, custom, merge, argsort, gather, top, nth, segments, unique, check, columns, "
     "strings, records or particles (default: keys). custom: "
     "keys in a custom order, which is OpenCL C code; keys of type u64 are then structs of two "
     "u32, the second in ascending order, then the first in descending order. Between device "
     "buffers only: merge: merge two sorted inputs; argsort: find the permutation that sorts keys; "
     "gather: reorder values by a random permutation of indexes, which have the type u32 or u64; "
     "top, nth: select the first K keys, or the K-th, and their indexes; segments: sort each of "
     "many segments; unique: drop repeats from keys in order; check: check that keys are in order; "
     "columns: find the permutation that sorts by three columns (u32, f64 in descending order, "
     "u8); strings: sort byte strings; records: sort records of 100 bytes by 10 of them; "
     "particles: "
     "sort structs of 32 bytes by a float, in descending order. Of the last four, the first "
     "column, "
     "or the first 8 bytes, have the distribution of --dist; the others are uniform",
     NULL},
    {"peers", KEY_PEERS, "LIST", "Names separated by commas, all or none (default: all)", NULL},
    {"runs", KEY_RUNS, "RUNS",
     "Timed runs of each contestant (default: 7), 8 times as many for up to 2^19 elements. A "
     "contestant that has taken more than 10 s in at least 3 runs makes no further runs",
     NULL},
    {"second", KEY_SECOND, "N,N,...",
     "With --op merge, numbers of elements of the second input, each with each of --n (default: as "
     "many as in the first input)",
     NULL},
    {"segment-length", KEY_SEGMENT_LENGTH, "L",
     "With --op segments, the mean length of the segments (default: 256)", NULL},
    {"segments", KEY_SEGMENTS, "DIST",
     "With --op segments, the distribution of the lengths: equal, uniform, zipf or mixed (default: "
     "equal)",
     NULL},
    {"sub-devices", KEY_SUB_DEVICES, "COUNT",
     "With --host, also sort on a group of COUNT sub-devices of the device, among which its "
     "compute "
     "units are divided evenly (clsort_group_host)",
     NULL},
    {"table", KEY_TABLE, "TABLE",
     "Print a table of clsort's algorithms. bitonic: sets of kernels, with Bainville's published "
     "figures; selection: the choice of auto, and all other algorithms",
     NULL},
    {"type", KEY_TYPE, "TYPE", "Type of the keys (default: u32)", NULL},
    {"unstable", KEY_UNSTABLE, NULL, "Allow clsort to change the order of elements with equal keys",
     NULL},
    {"value-size", KEY_VALUE_SIZE, "BYTES",
     "Size of the values of pairs and gathers (default: 4), or of merges and segments (default: "
     "keys "
     "only)",
     NULL},
    {NULL, 0, NULL, NULL, NULL},
};

/* Parses a count at the start of the text. *end is the rest of the text. */
static bool parse_count(const char *text, const char **end, size_t *count)
{
    uint64_t number;
    if (!number_parse_count(text, end, &number) || number > SIZE_MAX)
        return false;
    *count = (size_t)number;
    return true;
}

/* Parses an argument that is a number from 1 to max. */
static bool parse_number(const char *text, size_t max, size_t *number)
{
    const char *end;
    return parse_count(text, &end, number) && *end == '\0' && *number >= 1 && *number <= max;
}

/* Parses numbers that are at least min. */
static bool parse_counts(const char *text, size_t min, struct count_list *list)
{
    list->length = 0;
    for (;;) {
        size_t *count = &list->counts[list->length];
        if (list->length++ == OPTIONS_COUNTS_MAX || !parse_count(text, &text, count) ||
            *count < min)
            return false;
        if (*text == '\0')
            return true;
        if (*text++ != ',')
            return false;
    }
}

/* Options whose meaning depends on --op may precede it, so that they are combined after the last
 * option. */
struct parse {
    struct options *options;
    size_t value_size, key_size; /* 0: not given */
    bool has_type;               /* --type is given */
    bool has_segments;           /* --segments or --segment-length is given */
    const char *peers;
};

static bool check(const struct command_line *line, bool is_valid, const char *option,
                  const char *text)
{
    return is_valid || command_line_error(line, "--%s: '%s' is unknown; see --help", option, text);
}

/* Checks the options of selections. */
static bool check_selection(const struct command_line *line, const struct operation_info *operation)
{
    const struct parse *parse = line->target;
    const struct options *options = parse->options;
    const struct spec *spec = &options->spec;
    if (spec->input_order && spec->op != OP_TOP)
        return command_line_error(line, "--input-order requires --op top");
    if (spec->no_indexes && !operation->selects)
        return command_line_error(line, "--no-indexes requires --op top or --op nth");
    if (!spec->has_k)
        return true;
    if (!operation->selects)
        return command_line_error(line, "--k requires --op top or --op nth");
    if (spec->op == OP_TOP && spec->k == 0)
        return command_line_error(line, "--k: 0: --op top selects at least one key");
    for (size_t i = 0; i < options->first.length; i++) {
        const size_t n = options->first.counts[i];
        if (spec->k > (spec->op == OP_NTH ? n - 1 : n))
            return command_line_error(line, "--k: %zu: at most %zu for %zu elements", spec->k,
                                      spec->op == OP_NTH ? n - 1 : n, n);
    }
    return true;
}

/* Checks the options that not all operations allow. */
static bool check_operation(const struct command_line *line, const struct operation_info *operation)
{
    const struct parse *parse = line->target;
    const struct options *options = parse->options;
    const struct data_type *type = options->spec.type;
    if (parse->key_size && options->spec.op != OP_STRINGS)
        return command_line_error(line, "--key-size requires --op strings");
    if (parse->has_type && operation->has_rows)
        return command_line_error(line, "--op %s excludes --type", operation->name);
    const char *unsupported = operation->unsupported ? operation->unsupported(type) : NULL;
    if (unsupported)
        return command_line_error(line, "--op %s, --type %s: %s", operation->name, type->name,
                                  unsupported);
    if (parse->value_size && !operation->has_values)
        return command_line_error(line,
                                  "--value-size requires --op pairs, merge, gather or "
                                  "segments");
    if (options->second.length && !operation->merges)
        return command_line_error(line, "--second requires --op merge");
    if (options->host && !operation->sorts)
        return command_line_error(line, "--op %s excludes --host: clsort_host does not support it",
                                  operation->name);
    if (options->spec.no_scratch && !operation->sorts)
        return command_line_error(line, "--no-scratch requires --op keys, pairs or custom");
    if (!operation->has_keys && (options->spec.unstable || options->dist != DATA_UNIFORM))
        return command_line_error(line, "--op %s excludes %s: it has no keys", operation->name,
                                  options->spec.unstable ? "--unstable" : "--dist");
    if (options->spec.count_share && !operation->has_counts)
        return command_line_error(line,
                                  "--count-share requires --op keys, pairs, custom, argsort or "
                                  "gather");
    if (options->spec.count_share && (options->host || options->spec.no_scratch))
        return command_line_error(line, "--count-share excludes --host and --no-scratch");
    if (!operation->has_segments && parse->has_segments)
        return command_line_error(line, "--segments and --segment-length require --op segments");
    return check_selection(line, operation);
}

/* Returns the size of the indexes that clsort makes. */
static size_t index_size(const struct options *options)
{
    const uint64_t max_narrow = UINT64_C(1) << 32;
    for (size_t i = 0; i < options->first.length; i++)
        if (options->first.counts[i] > max_narrow)
            return sizeof(uint64_t);
    return sizeof(uint32_t);
}

/* Checks the options of sorts of host arrays. */
static bool check_host(const struct command_line *line, const struct options *options)
{
    const char *needs_host = options->host              ? NULL
                             : options->enqueue         ? "enqueue"
                             : options->group.length    ? "group"
                             : options->sub_devices > 0 ? "sub-devices"
                                                        : NULL;
    if (needs_host)
        return command_line_error(line, "--%s requires --host", needs_host);
    if (options->group.length && options->sub_devices)
        return command_line_error(line, "--group excludes --sub-devices");
    return true;
}

/* Combines the options after the last one. */
static bool finish_options(const struct command_line *line)
{
    const struct parse *parse = line->target;
    struct options *options = parse->options;
    struct spec *spec = &options->spec;
    const struct operation_info *operation = operation_of(spec->op);
    if (!check_host(line, options))
        return false;
    spec->value_size = spec->no_indexes         ? 0
                       : parse->value_size      ? parse->value_size
                       : operation->has_indexes ? index_size(options)
                                                : operation->value_size;
    if (operation->has_rows) {
        rows_lay_out(spec->op, parse->key_size ? parse->key_size : ROWS_STRING_BYTES,
                     &options->rows);
        spec->rows = &options->rows;
        spec->type = &options->rows.type;
    }
    return check_operation(line, operation) &&
           check(line, peers_parse(parse->peers, spec->op, &options->peers), "peers", parse->peers);
}

static bool find_table(const char *name, size_t *index)
{
    for (*index = 0; table_name(*index); ++*index)
        if (strcmp(table_name(*index), name) == 0)
            return true;
    return false;
}

static bool parse_list(const struct command_line *line, const char *option, const char *argument,
                       struct count_list *list)
{
    return parse_counts(argument, 1, list) ||
           command_line_error(line,
                              "--%s: '%s' is not a list of 1 to %d numbers of elements; the "
                              "suffixes are K, M, G and T, in upper case",
                              option, argument, OPTIONS_COUNTS_MAX);
}

static bool parse_k(const struct command_line *line, const char *argument, struct spec *spec)
{
    const char *end;
    spec->has_k = parse_count(argument, &end, &spec->k) && *end == '\0';
    return spec->has_k || command_line_error(line, "--k: '%s' is not a number", argument);
}

/* Parses the options that describe the operation, and the end. */
static bool parse_sort_option(const struct command_line *line, int key, const char *argument)
{
    struct parse *parse = line->target;
    struct options *options = parse->options;
    switch (key) {
    case KEY_OP:
        return check(line, operation_find(argument, &options->spec.op), "op", argument);
    case KEY_TYPE:
        parse->has_type = true;
        options->spec.type = data_type_find(argument);
        return check(line, options->spec.type, "type", argument);
    case KEY_VALUE_SIZE:
        if (!parse_number(argument, SIZE_MAX, &parse->value_size))
            return command_line_error(
                line, "--value-size: '%s' is not a number of bytes, 1 or more", argument);
        return true;
    case KEY_KEY_SIZE:
        return parse_number(argument, CLSORT_MAX_BYTES, &parse->key_size) ||
               command_line_error(line, "--key-size: '%s' is not a number from 1 to %d", argument,
                                  CLSORT_MAX_BYTES);
    case KEY_N:
        return parse_list(line, "n", argument, &options->first);
    case KEY_SECOND:
        return parse_list(line, "second", argument, &options->second);
    case KEY_K:
        return parse_k(line, argument, &options->spec);
    case KEY_INPUT_ORDER:
        options->spec.input_order = true;
        return true;
    case KEY_NO_INDEXES:
        options->spec.no_indexes = true;
        return true;
    case KEY_SEGMENTS:
        parse->has_segments = true;
        return check(line, segments_dist_find(argument, &options->spec.segments), "segments",
                     argument);
    case KEY_SEGMENT_LENGTH:
        parse->has_segments = true;
        return parse_number(argument, SIZE_MAX / 2, &options->spec.segment_length) ||
               command_line_error(line, "--segment-length: '%s' is not a number, 1 or more",
                                  argument);
    case KEY_DIST:
        return check(line, data_dist_find(argument, &options->dist), "dist", argument);
    case KEY_COUNT_SHARE:
        return parse_number(argument, 100, &options->spec.count_share) ||
               command_line_error(line, "--count-share: '%s' is not a number from 1 to 100",
                                  argument);
    case KEY_UNSTABLE:
        options->spec.unstable = true;
        return true;
    case KEY_NO_SCRATCH:
        options->spec.no_scratch = true;
        return true;
    case COMMAND_LINE_END:
        return finish_options(line);
    }
    return true;
}

static bool parse_option(const struct command_line *line, int key, const char *argument)
{
    struct parse *parse = line->target;
    struct options *options = parse->options;
    switch (key) {
    case KEY_DEVICE:
        options->device = argument;
        return true;
    case KEY_ALGORITHM:
        options->algorithm = argument;
        return true;
    case KEY_PEERS:
        parse->peers = argument;
        return true;
    case KEY_RUNS:
        if (!parse_number(argument, CONTEST_RUNS_MAX, &options->runs))
            return command_line_error(line, "--runs: '%s' is not a number from 1 to %d", argument,
                                      CONTEST_RUNS_MAX);
        return true;
    case KEY_BATCH:
        options->batch = 0;
        if (strcmp(argument, "auto") != 0 &&
            !parse_number(argument, CONTEST_BATCH_MAX, &options->batch))
            return command_line_error(line,
                                      "--batch: '%s' is neither auto nor a number from 1 to %d",
                                      argument, CONTEST_BATCH_MAX);
        return true;
    case KEY_DEVICE_TIME:
        options->device_time = true;
        return true;
    case KEY_HOST:
        options->host = true;
        return true;
    case KEY_ENQUEUE:
        options->enqueue = true;
        return true;
    case KEY_GROUP:
        return parse_counts(argument, 0, &options->group) ||
               command_line_error(line,
                                  "--group: '%s' is not a list of 1 to %d indexes of devices, such "
                                  "as 0,1",
                                  argument, CLSORT_MAX_GROUP);
    case KEY_SUB_DEVICES:
        return parse_number(argument, CLSORT_MAX_GROUP, &options->sub_devices) ||
               command_line_error(line, "--sub-devices: '%s' is not a number from 1 to %d",
                                  argument, CLSORT_MAX_GROUP);
    case KEY_TABLE:
        options->has_table = true;
        return check(line, find_table(argument, &options->table), "table", argument);
    case KEY_JSON:
        options->json = argument;
        return true;
    default:
        return parse_sort_option(line, key, argument);
    }
}

static void list_peer(FILE *stream, const struct peer *peer)
{
    if (peer->missing)
        fprintf(stream, "  %s (not built in: needs %s)\n", peer->name, peer->missing);
    else
        fprintf(stream, "  %s (%s)\n", peer->name, peer->runs_on ? peer->runs_on : "device");
}

/* Prints the end of --help: the names that options accept. */
static void print_end(FILE *stream)
{
    fputs("Types:", stream);
    for (size_t i = 0; data_type_at(i); i++)
        fprintf(stream, " %s", data_type_at(i)->name);
    fputs("\nDistributions:", stream);
    for (int dist = 0; dist < DATA_DIST_COUNT; dist++)
        fprintf(stream, " %s", data_dist_name((enum data_dist)dist));
    fputs("\nAlgorithms: auto", stream);
    for (size_t i = 0; clsort_algorithm_name(i); i++)
        fprintf(stream, " %s", clsort_algorithm_name(i));
    fputs("\nPeers:\n", stream);
    for (size_t i = 0; peers_at(i); i++)
        list_peer(stream, peers_at(i));
    fputs(
        "\nExit status: 0 if all results are correct, 1 if one is wrong or a peer failed, 2 after "
        "an error.",
        stream);
}

bool options_parse(int argc, char **argv, struct options *options, int *status)
{
    struct parse parse = {.options = options, .peers = "all"};
    const struct command_line line = {
        .program = "clsort-bench",
        .version = clsort_version(),
        .introduction =
            "Compare clsort with other sorts in one process, alternately, on the same data, and "
            "verify every result. For sorts between device buffers, a line shows how fast clsort "
            "would be if it moved its bytes at the speed of copies (roofline).",
        .options = table,
        .repeatable = {COMMAND_LINE_ALL},
        .print_end = print_end,
        .parse = parse_option,
        .target = &parse,
        .output = stdout,
        .messages = stderr,
    };
    *options = (struct options){
        .algorithm = "auto",
        .spec = {.type = data_type_find("u32"), .segment_length = 256},
        .dist = DATA_UNIFORM,
        .first = {.counts = {1 << 20, 1 << 22, 1 << 24}, .length = 3},
        .runs = 7,
        .batch = 1,
    };
    return command_line_parse(&line, argc, argv, status);
}

bool options_size(const struct options *options, size_t index, struct job_size *size)
{
    const bool merges = operation_of(options->spec.op)->merges;
    const size_t seconds = options->second.length ? options->second.length : 1;
    if (index / seconds >= options->first.length)
        return false;
    size->first = options->first.counts[index / seconds];
    size->second = options->second.length ? options->second.counts[index % seconds]
                   : merges               ? size->first
                                          : 0;
    return true;
}
