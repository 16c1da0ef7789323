/* main.c - clsort-gen: makes binary files of numbers to sort */
#include "data.h"
#include "npy.h"
#include "output.h"
#include "say.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 1 << 18 }; /* keys: made and written block by block, so memory is no limit */

struct options {
    const struct data_type *type;
    enum data_dist dist;
    uint64_t seed;
    uint64_t count;
    bool counted; /* --count was given */
    bool npy;
    const char *output; /* NULL: standard output */
};

/* -- command line ------------------------------------------------------------------------------ */

enum { KEY_NPY = 256 }; /* options without a letter */

static const struct argp_option table[] = {
    {"count", 'n', "COUNT", 0, "How many keys; a suffix K, M or G multiplies by 2^10, 2^20, 2^30",
     0},
    {"type", 't', "TYPE", 0, "Type of the keys (default: u32)", 0},
    {"dist", 'd', "DIST", 0, "Distribution of the keys (default: uniform)", 0},
    {"seed", 's', "SEED", 0, "Another number gives other keys (default: 0)", 0},
    {"output", 'o', "FILE", 0, "Write to FILE instead of standard output", 0},
    {"npy", KEY_NPY, 0, 0, "Write a .npy file", 0},
    {0},
};

static const char introduction[] =
    "Make a binary file of numbers for clsort to sort.\n\n"
    "The same options give the same file everywhere. A line with the count of the keys and a "
    "checksum that does not depend on their order is printed, on standard error if the keys go to "
    "standard output; clsort --check --sum prints the same line for the sorted file.\v";

/* The end of --help. Made at run time, because the types and distributions are listed elsewhere. */
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
    say_types(stream);
    fputs(".\n\nDIST is one of", stream);
    for (unsigned i = 0; (name = data_dist_name((enum data_dist)i)) != NULL; i++)
        fprintf(stream, " %s", name);
    fputs(".\n\nExit status: 0 when all went well, 2 in trouble.", stream);
    return fclose(stream) == 0 ? end : NULL;
}

/* A decimal number, with a suffix where allowed. */
static bool parse_number(const char *text, bool suffix, uint64_t *number)
{
    static const char suffixes[] = "KMG";
    const char *unit;
    char *end;
    unsigned shift = 0;

    errno = 0;
    *number = strtoull(text, &end, 10);
    if (end == text || errno != 0 || strchr(text, '-') != NULL)
        return false;
    if (suffix && *end != '\0' && (unit = strchr(suffixes, *end)) != NULL) {
        shift = 10 * (unsigned)(unit - suffixes + 1);
        end++;
    }
    if (*end != '\0' || *number > UINT64_MAX >> shift)
        return false;
    *number <<= shift;
    return true;
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;

    switch (key) {
    case 'n':
        if (!parse_number(argument, true, &options->count))
            argp_error(state, "--count=%s: not a count", argument);
        options->counted = true;
        break;
    case 't':
        options->type = data_type_find(argument);
        if (options->type == NULL)
            argp_error(state, "--type=%s: no such type", argument);
        break;
    case 'd':
        if (!data_dist_find(argument, &options->dist))
            argp_error(state, "--dist=%s: no such distribution", argument);
        break;
    case 's':
        if (!parse_number(argument, false, &options->seed))
            argp_error(state, "--seed=%s: not a number", argument);
        break;
    case 'o':
        options->output = argument;
        break;
    case KEY_NPY:
        options->npy = true;
        break;
    case ARGP_KEY_END:
        if (!options->counted)
            argp_error(state, "--count is missing");
        if (options->count > UINT64_MAX / options->type->size)
            argp_error(state, "--count is too large");
        break;
    default: /* operands too */
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

/* Writes all of the file and adds up its checksum. Reports its own trouble and returns false. */
static bool write_file(const struct options *options, struct output *output, uint64_t *checksum)
{
    static uint64_t block[BLOCK]; /* aligned for every type */
    const struct data_type *type = options->type;
    char header[NPY_HEADER_SIZE];

    *checksum = 0;
    npy_format(header, type, options->count);
    if (options->npy && !output_write(output, header, sizeof header))
        return false;
    for (uint64_t first = 0; first < options->count; first += BLOCK) {
        uint64_t left = options->count - first;
        size_t count = left < BLOCK ? (size_t)left : BLOCK;

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
        .help_filter = help_filter,
    };
    struct options options = {.type = data_type_of(CLSORT_U32), .dist = DATA_UNIFORM};
    struct output output;
    FILE *summary;
    uint64_t checksum;
    bool done;

    say_guard_streams();
    argp_err_exit_status = SAY_TROUBLE;
    argp_program_version_hook = print_version;
    argp_parse(&parser, argc, argv, 0, NULL, &options);

    if (!output_open(&output, options.output))
        return SAY_TROUBLE;
    summary = output.fd == STDOUT_FILENO ? stderr : stdout;
    done = write_file(&options, &output, &checksum);
    if (done)
        say_checksum(summary, options.count, checksum);
    output_discard(&output);
    return done ? EXIT_SUCCESS : SAY_TROUBLE;
}
