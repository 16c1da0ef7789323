/* main.c - clsort-gen: generates binary files of numbers */
#include "command_line.h"
#include "data.h"
#include "npy.h"
#include "number.h"
#include "output.h"
#include "print.h"
#include "terminal.h"

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

static const struct argp_option table[] = {
    {"count", 'n', "COUNT", 0,
     "Number of keys; the suffixes K, M and G multiply it by 2^10, 2^20 and 2^30. 2^20 is a "
     "number, "
     "too",
     0},
    {"type", 't', "TYPE", 0, "Type of the keys (default: u32)", 0},
    {"dist", 'd', "DIST", 0, "Distribution of the keys (default: uniform)", 0},
    {"seed", 's', "SEED", 0, "Unsigned integer; each seed gives other keys (default: 0)", 0},
    {"output", 'o', "FILE", 0, "Write to FILE instead of standard output", 0},
    {"npy", KEY_NPY, 0, 0, "Write a .npy file", 0},
    {"force", KEY_FORCE, 0, 0, "Write also to a terminal", 0},
    {0},
};

static const char introduction[] =
    "Generate a binary file of numbers.\n\n"
    "The same options generate the same file on every machine of the same byte order. At the end "
    "the program prints the number of keys and a checksum that does not depend on their order; "
    "clsort --check --sum prints the same line for the sorted file. The line goes to standard "
    "error if the keys go to standard output.\v";

/* Makes the end of --help at run time, from the lists of types and distributions. */
static char *help_filter(int key, const char *text, void *input)
{
    char *end = NULL;
    size_t size;
    FILE *stream;
    const char *name;

    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC)
        return (char *)text;
    stream = open_memstream(&end, &size);
    if (stream == NULL)
        return NULL;
    print_types(stream);
    fputs(".\n\nDIST is one of", stream);
    for (unsigned i = 0; (name = data_dist_name((enum data_dist)i)) != NULL; i++)
        fprintf(stream, " %s", name);
    fputs(".\n\nExit status: 0 on success, 2 after an error.", stream);
    return fclose(stream) == 0 ? end : NULL;
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    const char *end;

    command_line_check_repeated(table, key, argument, state);
    switch (key) {
    case 'n':
        if (!number_parse_count(argument, &end, &options->count) || *end != '\0')
            argp_error(state, "--count=%s: not a number of keys, such as 1000 or 16M", argument);
        options->has_count = true;
        break;
    case 't':
        options->type = data_type_find(argument);
        if (options->type == NULL)
            argp_error(state, "--type=%s: unknown type; --help lists all types", argument);
        break;
    case 'd':
        if (!data_dist_find(argument, &options->dist))
            argp_error(state, "--dist=%s: unknown distribution; --help lists all distributions",
                       argument);
        break;
    case 's':
        if (!number_parse(argument, &options->seed))
            argp_error(state, "--seed=%s: not an unsigned integer", argument);
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
    case ARGP_KEY_END:
        if (!options->has_count)
            argp_error(state, "--count is required: the number of keys, such as 1000 or 16M");
        if (options->count > UINT64_MAX / options->type->size)
            argp_error(state, "--count=%" PRIu64 ": too large for keys of type %s", options->count,
                       options->type->name);
        break;
    default: /* also operands, which are not supported */
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static void print_version(FILE *stream, struct argp_state *state)
{
    (void)state;
    fprintf(stream, "clsort-gen %s\n", CLSORT_VERSION_STRING);
}

/* -- the file ---------------------------------------------------------------------------------- */

/* Generates and writes the file, and computes the checksum of its keys. Prints an error and returns
 * false on failure. */
static bool write_file(const struct options *options, struct output *output, uint64_t *checksum)
{
    static uint64_t block[BLOCK]; /* uint64_t: aligned for every key type */
    const struct data_type *type = options->type;
    char header[NPY_HEADER_SIZE];

    const struct npy_array array = npy_array_of(type, options->count);

    *checksum = 0;
    npy_format(header, &array);
    if (options->npy && !output_write(output, header, sizeof header))
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
    static const struct argp parser = {
        .options = table,
        .parser = parse_option,
        .doc = introduction,
        .children = command_line_children,
        .help_filter = help_filter,
    };
    struct options options = {.type = data_type_of(CLSORT_U32), .dist = DATA_UNIFORM};
    struct output output;
    FILE *summary;
    uint64_t checksum;
    bool done;

    guard_standard_streams();
    argp_err_exit_status = EXIT_ERROR;
    argp_program_version_hook = print_version;
    argp_parse(&parser, argc, argv, 0, NULL, &options);

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
