/* options.c - the command line of clsort-bench */
#include "options.h"

#include "command_line.h"
#include "contest.h"
#include "number.h"
#include "order.h"
#include "peers.h"
#include "table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_VALUE_SIZE 4

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
    KEY_DEVICE_TIME,
    KEY_UNSTABLE,
    KEY_HOST,
    KEY_TABLE,
    KEY_JSON
};

static const struct argp_option argp_options[] = {
    {"device", KEY_DEVICE, "DEVICE", 0,
     "OpenCL device: its index, cpu, gpu, or a part of its name (default: the best)", 0},
    {"op", KEY_OP, "OP", 0,
     "keys, pairs, or custom: keys in a custom order, which is OpenCL C code. Keys of type u64 are "
     "then structs of two u32, the second in ascending order, then the first in descending order "
     "(default: keys)",
     0},
    {"type", KEY_TYPE, "TYPE", 0, "Type of the keys (default: u32)", 0},
    {"value-size", KEY_VALUE_SIZE, "BYTES", 0, "Size of the values of pairs (default: 4)", 0},
    {"n", KEY_N, "N,N,...", 0,
     "Numbers of elements, such as 1000, 64K, 16M, 1G or 2^20 (default: 2^20,2^22,2^24)", 0},
    {"dist", KEY_DIST, "DIST", 0, "Distribution of the keys (default: uniform)", 0},
    {"algorithm", KEY_ALGORITHM, "NAME", 0, "clsort's algorithm (default: auto)", 0},
    {"peers", KEY_PEERS, "LIST", 0, "Names separated by commas, all or none (default: all)", 0},
    {"runs", KEY_RUNS, "RUNS", 0,
     "Timed runs of each contestant (default: 7), 8 times as many for up to 2^19 elements. A "
     "contestant that has taken more than 10 s in at least 3 runs makes no further runs",
     0},
    {"batch", KEY_BATCH, "SORTS", 0,
     "Number of consecutive sorts between device buffers that make one run, with one wait at the "
     "end; times are per sort. auto: as many as sort 2^26 elements in total, at most 100 "
     "(default: 1)",
     0},
    {"device-time", KEY_DEVICE_TIME, NULL, 0,
     "Also measure by the clock of the device, if there is one, in the same number of extra runs",
     0},
    {"unstable", KEY_UNSTABLE, NULL, 0,
     "Allow clsort to change the order of elements with equal keys", 0},
    {"host", KEY_HOST, NULL, 0, "Sort host arrays, transfers included, instead of device buffers",
     0},
    {"table", KEY_TABLE, "TABLE", 0,
     "Print a table of clsort's algorithms. bitonic: sets of kernels, with Bainville's published "
     "figures; selection: the choice of auto, and all other algorithms",
     0},
    {"json", KEY_JSON, "FILE", 0,
     "Also write the results to FILE, one JSON object per line, the first of which describes the "
     "machine. If FILE is -, they go to standard output, and the table goes to standard error",
     0},
    {0},
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

static bool parse_counts(const char *text, struct options *options)
{
    options->count_count = 0;
    for (;;) {
        size_t *count = &options->counts[options->count_count];
        if (options->count_count++ == OPTIONS_COUNTS_MAX || !parse_count(text, &text, count) ||
            *count == 0)
            return false;
        if (*text == '\0')
            return true;
        if (*text++ != ',')
            return false;
    }
}

/* --op and --value-size may come in any order, so that they are combined after the last option. */
struct parse {
    struct options *options;
    bool pairs;
    size_t value_size; /* 0: not given */
};

static void check(bool is_valid, const struct argp_state *state, const char *option,
                  const char *text)
{
    if (!is_valid)
        argp_error(state, "--%s: '%s' is unknown; see --help", option, text);
}

static void parse_op(struct parse *parse, const struct argp_state *state, const char *text)
{
    parse->pairs = strcmp(text, "pairs") == 0;
    parse->options->spec.custom = strcmp(text, "custom") == 0;
    check(parse->pairs || parse->options->spec.custom || strcmp(text, "keys") == 0, state, "op",
          text);
}

/* Combines the options after the last one. */
static void finish_options(const struct parse *parse, const struct argp_state *state)
{
    if (parse->value_size && !parse->pairs)
        argp_error(state, "--value-size requires --op pairs");
    const struct spec *spec = &parse->options->spec;
    const char *unsupported = spec->custom ? order_unsupported(spec->type) : NULL;
    if (unsupported)
        argp_error(state, "--op custom, --type %s: %s", spec->type->name, unsupported);
    if (parse->pairs)
        parse->options->spec.value_size =
            parse->value_size ? parse->value_size : DEFAULT_VALUE_SIZE;
}

static bool find_table(const char *name, size_t *table)
{
    for (*table = 0; table_name(*table); ++*table)
        if (strcmp(table_name(*table), name) == 0)
            return true;
    return false;
}

/* Parses the options that describe the sorts. */
static error_t parse_sort_option(int key, char *arg, struct argp_state *state)
{
    struct parse *parse = state->input;
    struct options *options = parse->options;
    switch (key) {
    case KEY_OP:
        parse_op(parse, state, arg);
        break;
    case KEY_TYPE:
        options->spec.type = data_type_find(arg);
        check(options->spec.type, state, "type", arg);
        break;
    case KEY_VALUE_SIZE:
        if (!parse_number(arg, SIZE_MAX, &parse->value_size))
            argp_error(state, "--value-size: '%s' is not a number of bytes, 1 or more", arg);
        break;
    case KEY_N:
        if (!parse_counts(arg, options))
            argp_error(state, "--n: '%s' is not a list of 1 to %d numbers of elements", arg,
                       OPTIONS_COUNTS_MAX);
        break;
    case KEY_DIST:
        check(data_dist_find(arg, &options->dist), state, "dist", arg);
        break;
    case KEY_UNSTABLE:
        options->spec.unstable = true;
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct parse *parse = state->input;
    struct options *options = parse->options;
    switch (key) {
    case KEY_DEVICE:
        options->device = arg;
        break;
    case KEY_ALGORITHM:
        options->algorithm = arg;
        break;
    case KEY_PEERS:
        check(peers_parse(arg, &options->peers), state, "peers", arg);
        break;
    case KEY_RUNS:
        if (!parse_number(arg, CONTEST_RUNS_MAX, &options->runs))
            argp_error(state, "--runs: '%s' is not a number from 1 to %d", arg, CONTEST_RUNS_MAX);
        break;
    case KEY_BATCH:
        options->batch = 0;
        if (strcmp(arg, "auto") != 0 && !parse_number(arg, CONTEST_BATCH_MAX, &options->batch))
            argp_error(state, "--batch: '%s' is neither auto nor a number from 1 to %d", arg,
                       CONTEST_BATCH_MAX);
        break;
    case KEY_DEVICE_TIME:
        options->device_time = true;
        break;
    case KEY_HOST:
        options->host = true;
        break;
    case KEY_TABLE:
        check(find_table(arg, &options->table), state, "table", arg);
        options->has_table = true;
        break;
    case KEY_JSON:
        options->json = arg;
        break;
    case ARGP_KEY_END:
        finish_options(parse, state);
        break;
    default:
        return parse_sort_option(key, arg, state);
    }
    return 0;
}

static void list_peer(FILE *stream, const struct peer *peer)
{
    if (peer->missing)
        fprintf(stream, "  %s (not built in: needs %s)\n", peer->name, peer->missing);
    else
        fprintf(stream, "  %s (%s)\n", peer->name, peer->runs_on ? peer->runs_on : "device");
}

/* Makes the end of --help: the names that options accept. argp frees the text. */
static char *list_names(int key, const char *text, void *input)
{
    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC)
        return (char *)text;
    char *names = NULL;
    size_t size;
    FILE *stream = open_memstream(&names, &size);
    if (!stream)
        return NULL;
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
        "an "
        "error.",
        stream);
    fclose(stream);
    return names;
}

static void print_version(FILE *stream, struct argp_state *state)
{
    (void)state;
    fprintf(stream, "clsort-bench %s\n", clsort_version());
}

void options_parse(int argc, char **argv, struct options *options)
{
    static const struct argp argp = {
        .options = argp_options,
        .parser = parse_option,
        .doc =
            "Compare clsort with other sorts in one process, alternately, on the same data, and "
            "verify every result. For sorts between device buffers, a line shows how fast clsort "
            "would be if it moved its bytes at the speed of copies (roofline).\v",
        .children = command_line_children,
        .help_filter = list_names,
    };
    *options = (struct options){
        .algorithm = "auto",
        .spec.type = data_type_find("u32"),
        .dist = DATA_UNIFORM,
        .counts = {1 << 20, 1 << 22, 1 << 24},
        .count_count = 3,
        .runs = 7,
        .batch = 1,
    };
    peers_parse("all", &options->peers);
    argp_err_exit_status = 2;
    argp_program_version_hook = print_version;
    struct parse parse = {.options = options};
    if (argp_parse(&argp, argc, argv, 0, NULL, &parse) != 0)
        exit(2);
}
