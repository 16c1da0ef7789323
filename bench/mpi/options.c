/* options.c - the command line of clsort-bench-mpi */
#include "options.h"

#include "command_line.h"
#include "number.h"

#include <limits.h>
#include <string.h>

static const struct command_line_option table[] = {
    {"count", 'n', "N", "Keys of each rank, such as 1000, 64K, 16M or 2^20 (default: 2^20)", NULL},
    {"dist", 'd', "DIST,DIST,...",
     "Distributions over the keys of all ranks: " INPUTS_HOT_KEY
     ", in which 9 of 10 keys are equal, or those of clsort-gen (default: "
     "uniform,equal," INPUTS_HOT_KEY ",sorted,reversed)",
     NULL},
    {"json", 'j', "FILE",
     "Also write the results to FILE, one JSON object per line, the first of which describes the "
     "machine. If FILE is -, they go to standard output, and the table goes to standard error",
     NULL},
    {"peers", 'p', "LIST", "Names separated by commas, all or none (default: all)", NULL},
    {"runs", 'r', "RUNS",
     "Timed runs of each sort (default: 7). A sort that has taken more than 10 s in at least 3 "
     "runs "
     "makes no further runs",
     NULL},
    {"type", 't', "TYPE", "Type of the keys (default: u64)", NULL},
    {NULL, 0, NULL, NULL, NULL},
};

/* Returns the length of the first name of a list, and sets *rest to the names behind it, or NULL. */
static size_t first_name(const char *list, const char **rest)
{
    const size_t length = strcspn(list, ",");
    *rest = list[length] == ',' ? list + length + 1 : NULL;
    return length;
}

static bool parse_number(const char *text, size_t max, size_t *number)
{
    const char *end;
    uint64_t value;
    if (!number_parse_count(text, &end, &value) || *end || value < 1 || value > max)
        return false;
    *number = (size_t)value;
    return true;
}

static bool parse_dists(const struct command_line *line, const char *list)
{
    struct options *options = line->target;
    const char *rest = list;
    options->dist_count = 0;
    while (rest) {
        char name[32];
        const char *at = rest;
        const size_t length = first_name(at, &rest);
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        if (length >= sizeof name || !inputs_find(name, &options->dists[options->dist_count]))
            return command_line_error(line, "--dist: '%.*s' is unknown; see --help", (int)length,
                                      at);
        if (++options->dist_count == OPTIONS_MAX_DISTS && rest)
            return command_line_error(line, "--dist: more than %d distributions",
                                      OPTIONS_MAX_DISTS);
    }
    return true;
}

/* Finds a peer, which is any sort but the first. */
static size_t find_peer(const char *name, size_t length)
{
    for (size_t i = 1; sorts_at(i); i++)
        if (strncmp(sorts_at(i)->name, name, length) == 0 && !sorts_at(i)->name[length])
            return i;
    return 0;
}

static bool parse_peers(const struct command_line *line, const char *list)
{
    struct options *options = line->target;
    const char *rest = list;
    const bool is_all = strcmp(list, "all") == 0;
    for (size_t i = 1; sorts_at(i); i++)
        options->takes_part[i] = is_all && !sorts_at(i)->missing;
    if (is_all || strcmp(list, "none") == 0)
        return true;
    while (rest) {
        const char *at = rest;
        const size_t length = first_name(at, &rest), peer = find_peer(at, length);
        if (peer == 0)
            return command_line_error(line, "--peers: '%.*s' is unknown; see --help", (int)length,
                                      at);
        if (sorts_at(peer)->missing)
            return command_line_error(line, "--peers: %s is not built in; configure with %s",
                                      sorts_at(peer)->name, sorts_at(peer)->missing);
        options->takes_part[peer] = true;
    }
    return true;
}

/* Leaves out peers that do not support the type. */
static void check_peers(const struct command_line *line)
{
    struct options *options = line->target;
    for (size_t i = 1; sorts_at(i); i++) {
        const struct sort *sort = sorts_at(i);
        const char *why =
            options->takes_part[i] && sort->unsupported ? sort->unsupported(options->type) : NULL;
        if (why) {
            fprintf(line->messages, "%s: %s does not take part: %s\n", line->program, sort->name,
                    why);
            options->takes_part[i] = false;
        }
    }
}

static bool parse(const struct command_line *line, int key, const char *argument)
{
    struct options *options = line->target;
    switch (key) {
    case 'n': /* MPI counts in int */
        return parse_number(argument, INT_MAX, &options->count) ||
               command_line_error(line, "--count: '%s' is not a number from 1 to %d", argument,
                                  INT_MAX);
    case 'd':
        return parse_dists(line, argument);
    case 'j':
        options->json = argument;
        return true;
    case 'p':
        return parse_peers(line, argument);
    case 'r':
        return parse_number(argument, OPTIONS_MAX_RUNS, &options->runs) ||
               command_line_error(line, "--runs: '%s' is not a number from 1 to %d", argument,
                                  OPTIONS_MAX_RUNS);
    case 't':
        options->type = data_type_find(argument);
        return options->type ||
               command_line_error(line, "--type: '%s' is unknown; see --help", argument);
    case COMMAND_LINE_END:
        check_peers(line);
    }
    return true;
}

static void print_end(FILE *stream)
{
    fputs("Types:", stream);
    for (size_t i = 0; data_type_at(i); i++)
        fprintf(stream, " %s", data_type_at(i)->name);
    fputs("\nDistributions: " INPUTS_HOT_KEY, stream);
    for (int dist = 0; dist < DATA_DIST_COUNT; dist++)
        fprintf(stream, " %s", data_dist_name((enum data_dist)dist));
    fputs("\nPeers:\n", stream);
    for (size_t i = 1; sorts_at(i); i++)
        fprintf(stream, "  %s%s%s\n", sorts_at(i)->name,
                sorts_at(i)->missing ? ": not built in; configure with " : "",
                sorts_at(i)->missing ? sorts_at(i)->missing : "");
    fputs("\nExit status: 0 if all results are correct, 1 if one is wrong, 2 after an error.",
          stream);
}

bool options_parse(int argc, char **argv, FILE *output, FILE *messages, struct options *options,
                   int *status)
{
    const struct command_line line = {
        .program = "clsort-bench-mpi",
        .version = clsort_version(),
        .introduction =
            "Compare sorts over the ranks of MPI, as mpirun starts them, alternately and on the "
            "same keys, and verify every result. Each rank sorts in one thread:\n"
            "mpirun -n 2 --bind-to core clsort-bench-mpi -n 2^24",
        .options = table,
        .print_end = print_end,
        .parse = parse,
        .target = options,
        .output = output,
        .messages = messages,
    };
    *options = (struct options){
        .type = data_type_find("u64"), .count = 1 << 20, .takes_part = {true}, .runs = 7};
    parse_dists(&line, "uniform,equal," INPUTS_HOT_KEY ",sorted,reversed");
    parse_peers(&line, "all");
    return command_line_parse(&line, argc, argv, status);
}
