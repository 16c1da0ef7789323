/* main.c - clsort-gen: generates binary files of numbers */
#include "bits.h"
#include "command_line.h"
#include "data.h"
#include "npy.h"
#include "number.h"
#include "offsets.h"
#include "output.h"
#include "print.h"
#include "records.h"
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
    bool has_dist;
    bool has_segments; /* offsets of segments are written instead of keys */
    enum segments_dist segments;
    uint64_t segment_length; /* the mean; 0: not given */
    uint64_t record_size;    /* 0: keys are written, no records */
    bool is_ascii;           /* of records */
    bool npy;
    bool force;         /* write to terminals */
    const char *output; /* NULL: standard output */
};

/* -- command line ------------------------------------------------------------------------------ */

enum {
    KEY_NPY = 256,
    KEY_FORCE,
    KEY_SEGMENTS,
    KEY_SEGMENT_LENGTH,
    KEY_RECORD,
    KEY_ASCII
}; /* options without a letter */

static const struct command_line_option table[] = {
    {"ascii", KEY_ASCII, NULL, "With --record, write lines of printable characters", NULL},
    {"count", 'n', "COUNT",
     "Number of keys; the suffixes K, M, G and T multiply it by 2^10, 2^20, 2^30 and 2^40. 2^20 is "
     "a "
     "number, "
     "too",
     NULL},
    {"dist", 'd', "DIST", "Distribution of the keys (default: uniform)", NULL},
    {"force", KEY_FORCE, NULL, "Write also to a terminal", NULL},
    {"npy", KEY_NPY, NULL, "Write a .npy file", NULL},
    {"output", 'o', "FILE", "Write to FILE instead of standard output", NULL},
    {"record", KEY_RECORD, "100",
     "Write records of 100 bytes with a key of 10 bytes, in the layout of the sort benchmark, for "
     "clsort --record; DIST is that of the keys",
     NULL},
    {"seed", 's', "SEED", "Unsigned integer; each seed gives other keys (default: 0)", NULL},
    {"segment-length", KEY_SEGMENT_LENGTH, "L",
     "With --segments, the mean length of the segments (default: 256)", NULL},
    {"segments", KEY_SEGMENTS, "DIST",
     "Write the offsets of segments that divide COUNT keys instead of keys, for clsort --segments; "
     "the lengths are equal, uniform, zipf or mixed",
     NULL},
    {"type", 't', "TYPE", "Type of the keys (default: u32) or of the offsets (default: u64)", NULL},
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

/* Checks combinations with --segments. */
static bool check_segments(const struct command_line *line)
{
    struct options *options = line->target;

    if (options->segment_length == 0)
        options->segment_length = 256;
    if (options->type == NULL)
        options->type = data_type_of(CLSORT_U64);
    if (options->has_dist)
        return command_line_error(line,
                                  "--segments cannot be combined with --dist: it writes "
                                  "offsets, not keys");
    if (options->type->size < sizeof(uint32_t) || data_type_is_float(options->type))
        return command_line_error(line, "--type=%s: offsets are integers of 32 or 64 bits",
                                  options->type->name);
    const uint64_t max =
        bits_signed_integer(options->type) ? bits_all(options->type) / 2 : bits_all(options->type);
    if (options->count > max || options->count > SIZE_MAX / sizeof(uint64_t) - 2)
        return command_line_error(line, "--count=%" PRIu64 ": too large for offsets of type %s",
                                  options->count, options->type->name);
    return true;
}

/* Checks combinations with --record. */
static bool check_records(const struct command_line *line)
{
    const struct options *options = line->target;
    const char *other = options->has_segments   ? "segments, which writes offsets"
                        : options->type != NULL ? "type: the keys of records are byte strings"
                        : options->npy          ? "npy, which has no records"
                                                : NULL;

    if (other != NULL)
        return command_line_error(line, "--record cannot be combined with --%s", other);
    return options->count <= UINT64_MAX / RECORDS_SIZE ||
           command_line_error(line, "--count=%" PRIu64 ": too large for records", options->count);
}

static bool check_count(const struct command_line *line)
{
    struct options *options = line->target;

    if (!options->has_count)
        return command_line_error(line,
                                  "--count is required: the number of keys, such as 1000 or 16M");
    if (options->is_ascii && options->record_size == 0)
        return command_line_error(line, "--ascii requires --record");
    if (options->record_size > 0)
        return check_records(line);
    if (!options->has_segments && options->segment_length > 0)
        return command_line_error(line, "--segment-length requires --segments");
    if (options->has_segments)
        return check_segments(line);
    if (options->type == NULL)
        options->type = data_type_of(CLSORT_U32);
    if (options->count > UINT64_MAX / options->type->size)
        return command_line_error(line, "--count=%" PRIu64 ": too large for keys of type %s",
                                  options->count, options->type->name);
    return true;
}

static bool parse_count(const struct command_line *line, const char *option, const char *text,
                        uint64_t *count)
{
    const char *end;

    if (number_parse_count(text, &end, count)) {
        if (*end == '\0')
            return true;
    } else if (errno == ERANGE) {
        return command_line_error(line, "--%s=%s: too large: a count has at most 64 bits", option,
                                  text);
    }
    return command_line_error(line,
                              "--%s=%s: not a number of keys, such as 1000, 16M or 2^20; the "
                              "suffixes are K, M, G and T, in upper case",
                              option, text);
}

static bool parse_segments(const struct command_line *line, const char *name)
{
    struct options *options = line->target;

    options->has_segments = true;
    return segments_dist_find(name, &options->segments) ||
           command_line_error(
               line, "--segments=%s: unknown distribution; use equal, uniform, zipf or mixed",
               name);
}

static bool parse_segment_length(const struct command_line *line, const char *text)
{
    struct options *options = line->target;

    return parse_count(line, "segment-length", text, &options->segment_length) &&
           (options->segment_length > 0 ||
            command_line_error(line, "--segment-length=0: segments have a mean length from 1 on"));
}

static bool parse_option(const struct command_line *line, int key, const char *argument)
{
    struct options *options = line->target;

    switch (key) {
    case 'n':
        options->has_count = true;
        return parse_count(line, "count", argument, &options->count);
    case KEY_SEGMENTS:
        return parse_segments(line, argument);
    case KEY_SEGMENT_LENGTH:
        return parse_segment_length(line, argument);
    case 't':
        options->type = type_option(line, "--type", argument, argument);
        return options->type != NULL;
    case 'd':
        options->has_dist = true;
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
    case KEY_RECORD:
        if (!number_parse(argument, &options->record_size) || options->record_size != RECORDS_SIZE)
            return command_line_error(line, "--record=%s: records of %d bytes only", argument,
                                      RECORDS_SIZE);
        break;
    case KEY_ASCII:
        options->is_ascii = true;
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

/* All functions that return bool print an error and return false on failure. */

/* Writes the header of a .npy file, if one is wanted. */
static bool write_header(const struct options *options, struct output *output, uint64_t count)
{
    const struct npy_array array = npy_array_of(options->type, count);
    char header[NPY_MAX_HEADER_SIZE];
    const size_t size = npy_format(header, &array);

    return !options->npy || output_write(output, header, size);
}

/* Writes the offsets. */
static bool write_offsets(const struct options *options, struct output *output, uint64_t *count,
                          uint64_t *checksum)
{
    const size_t size = options->type->size;
    size_t number;
    uint64_t *offsets = segments_make(options->segments, (size_t)options->segment_length,
                                      options->seed, (size_t)options->count, &number);

    if (offsets == NULL) {
        print_error("clsort-gen", "out of memory");
        return false;
    }
    *count = number + 1;
    for (size_t i = 0; i < *count; i++) {
        const uint32_t narrow = (uint32_t)offsets[i];

        if (size == sizeof narrow) /* in front of the offsets that are still needed */
            memcpy((char *)offsets + i * size, &narrow, size);
    }
    *checksum = data_checksum(offsets, size, *count);
    const bool done =
        write_header(options, output, *count) && output_write(output, offsets, *count * size);
    free(offsets);
    return done;
}

/* Generates and writes the keys. */
static bool write_keys(const struct options *options, struct output *output, uint64_t *checksum)
{
    static uint64_t block[BLOCK]; /* uint64_t: aligned for every key type */
    const struct data_type *type = options->type;

    *checksum = 0;
    if (!write_header(options, output, options->count))
        return false;
    for (uint64_t first = 0; first < options->count; first += BLOCK) {
        uint64_t remaining = options->count - first;
        size_t count = remaining < BLOCK ? (size_t)remaining : BLOCK;

        data_fill_part(type, options->dist, options->seed, options->count, first, block, count);
        *checksum += data_checksum(block, type->size, count);
        if (!output_write(output, block, count * type->size))
            return false;
    }
    return true;
}

/* Generates and writes the records. */
static bool write_records(const struct options *options, struct output *output, uint64_t *checksum)
{
    static unsigned char block[RECORDS_BLOCK * RECORDS_SIZE];

    *checksum = 0;
    for (uint64_t first = 0; first < options->count; first += RECORDS_BLOCK) {
        const uint64_t rest = options->count - first;
        const size_t count = rest < RECORDS_BLOCK ? (size_t)rest : RECORDS_BLOCK;

        records_fill_part(options->dist, options->is_ascii, options->seed, options->count, first,
                          block, count);
        *checksum += records_checksum(block, RECORDS_SIZE, count);
        if (!output_write(output, block, count * RECORDS_SIZE))
            return false;
    }
    return true;
}

/* Writes the file, and computes the number and the checksum of its numbers. */
static bool write_file(const struct options *options, struct output *output, uint64_t *count,
                       uint64_t *checksum)
{
    *count = options->count;
    return (options->record_size > 0 ? write_records(options, output, checksum)
            : options->has_segments  ? write_offsets(options, output, count, checksum)
                                     : write_keys(options, output, checksum)) &&
           output_commit(output);
}

int main(int argc, char **argv)
{
    struct options options = {.dist = DATA_UNIFORM};
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
    uint64_t count, checksum;
    bool done;
    int status;

    print_start("clsort-gen");
    if (!command_line_parse(&line, argc, argv, &status))
        return status;

    if ((!options.force && !terminal_check_output(options.output)) ||
        !output_open(&output, options.output))
        return EXIT_ERROR;
    summary = output.fd == STDOUT_FILENO ? stderr : stdout;
    done = write_file(&options, &output, &count, &checksum);
    if (done)
        print_checksum(summary, count, checksum);
    output_discard(&output);
    return done ? EXIT_SUCCESS : EXIT_ERROR;
}
