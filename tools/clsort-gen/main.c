/* main.c - clsort-gen: generates binary files of numbers */
#include "command_line.h"
#include "data.h"
#include "npy.h"
#include "number.h"
#include "output.h"
#include "print.h"
#include "terminal.h"
#include "type_option.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 1 << 18 }; /* keys that are generated and written at a time */

struct options {
    const struct data_type *type;
    enum data_dist dist;
    uint64_t seed;
    uint64_t count;
    bool has_count;
    bool npy;
    bool force;         /* write to terminals */
    const char *output; /* NULL: standard output */
};

/* -- command line ------------------------------------------------------------------------------ */

enum { KEY_NPY = 256, KEY_FORCE }; /* options without a letter */

static const struct command_line_option table[] = {
    {"count", 'n', "COUNT",
     "Number of keys; the suffixes K, M and G multiply it by 2^10, 2^20 and 2^30. 2^20 is a "
     "number, "
     "too",
     NULL},
    {"dist", 'd', "DIST", "Distribution of the keys (default: uniform)", NULL},
    {"force", KEY_FORCE, NULL, "Write also to a terminal", NULL},
    {"npy", KEY_NPY, NULL, "Write a .npy file", NULL},
    {"output", 'o', "FILE", "Write to FILE instead of standard output", NULL},
    {"seed", 's', "SEED", "Unsigned integer; each seed gives other keys (default: 0)", NULL},
    {"type", 't', "TYPE", "Type of the keys (default: u32)", NULL},
    {NULL, 0, NULL, NULL, NULL},
};

static const char introduction[] =
    "Generate a binary file of numbers.\n\n"
    "The same options generate the same file on every machine of the same byte order. At the end "
    "the program prints the number of keys and a checksum that does not depend on their order; "
    "clsort --check --sum prints the same line for the sorted file. The line goes to standard "
    "error if the keys go to standard output.";

/* Prints the end of --help, with the lists of types and distributions. */
static void print_end(FILE *stream)
{
    const char *name;

    print_types(stream);
    fputs(".\n\nDIST is one of", stream);
    for (unsigned i = 0; (name = data_dist_name((enum data_dist)i)) != NULL; i++)
        fprintf(stream, " %s", name);
    fputs(".\n\nExit status: 0 on success, 2 after an error.", stream);
}

static bool check_count(const struct command_line *line)
{
    const struct options *options = line->target;

    if (!options->has_count)
        return command_line_error(line,
                                  "--count is required: the number of keys, such as 1000 or 16M");
    if (options->count > UINT64_MAX / options->type->size)
        return command_line_error(line, "--count=%" PRIu64 ": too large for keys of type %s",
                                  options->count, options->type->name);
    return true;
}

static bool parse_count(const struct command_line *line, const char *text)
{
    struct options *options = line->target;
    const char *end;

    if (number_parse_count(text, &end, &options->count)) {
        if (*end == '\0')
            return true;
    } else if (errno == ERANGE) {
        return command_line_error(line, "--count=%s: too large: a count has at most 64 bits", text);
    }
    return command_line_error(line,
                              "--count=%s: not a number of keys, such as 1000, 16M or 2^20; the "
                              "suffixes are K, M and G, in upper case",
                              text);
}

static bool parse_option(const struct command_line *line, int key, const char *argument)
{
    struct options *options = line->target;

    switch (key) {
    case 'n':
        options->has_count = true;
        return parse_count(line, argument);
    case 't':
        options->type = type_option(line, "--type", argument, argument);
        return options->type != NULL;
    case 'd':
        if (!data_dist_find(argument, &options->dist))
            return command_line_error(
                line, "--dist=%s: unknown distribution; --help lists all distributions", argument);
        break;
    case 's':
        if (!number_parse(argument, &options->seed))
            return command_line_error(line, "--seed=%s: not an unsigned integer of 64 bits",
                                      argument);
        break;
    case 'o':
        options->output = argument;
        break;
    case KEY_NPY:
        options->npy = true;
        break;
    case KEY_FORCE:
        options->force = true;
        break;
    case COMMAND_LINE_END:
        return check_count(line);
    }
    return true;
}

/* -- the file ---------------------------------------------------------------------------------- */

/* Generates and writes the file, and computes the checksum of its keys. Prints an error and returns
 * false on failure. */
static bool write_file(const struct options *options, struct output *output, uint64_t *checksum)
{
    static uint64_t block[BLOCK]; /* uint64_t: aligned for every key type */
    const struct data_type *type = options->type;
    char header[NPY_MAX_HEADER_SIZE];

    const struct npy_array array = npy_array_of(type, options->count);

    *checksum = 0;
    const size_t header_size = npy_format(header, &array);
    if (options->npy && !output_write(output, header, header_size))
        return false;
    for (uint64_t first = 0; first < options->count; first += BLOCK) {
        uint64_t remaining = options->count - first;
        size_t count = remaining < BLOCK ? (size_t)remaining : BLOCK;

        data_fill_part(type, options->dist, options->seed, options->count, first, block, count);
        *checksum += data_checksum(block, type->size, count);
        if (!output_write(output, block, count * type->size))
            return false;
    }
    return output_commit(output);
}

int main(int argc, char **argv)
{
    struct options options = {.type = data_type_of(CLSORT_U32), .dist = DATA_UNIFORM};
    const struct command_line line = {
        .program = "clsort-gen",
        .version = CLSORT_VERSION_STRING,
        .introduction = introduction,
        .options = table,
        .print_end = print_end,
        .parse = parse_option,
        .target = &options,
        .output = stdout,
        .messages = stderr,
    };
    struct output output;
    FILE *summary;
    uint64_t checksum;
    bool done;
    int status;

    print_start("clsort-gen");
    if (!command_line_parse(&line, argc, argv, &status))
        return status;

    if ((!options.force && !terminal_check_output(options.output)) ||
        !output_open(&output, options.output))
        return EXIT_ERROR;
    summary = output.fd == STDOUT_FILENO ? stderr : stdout;
    done = write_file(&options, &output, &checksum);
    if (done)
        print_checksum(summary, options.count, checksum);
    output_discard(&output);
    return done ? EXIT_SUCCESS : EXIT_ERROR;
}
