/* ranks_options.c - the command line of clsort-mpi */
#include "ranks_options.h"

#include "options_check.h"
#include "options_program.h"

#include <string.h>

static const struct command_line_option table[] = {
    {NULL, 0, NULL, "Order:", NULL},
    OPTION_ARGSORT,
    {"axis", KEY_AXIS, "none",
     "Sort all elements of a .npy array, and write an array of one dimension", NULL},
    {"bottom", KEY_BOTTOM, "K", "Write only the K smallest keys, the smallest first", NULL},
    OPTION_KEY,
    OPTION_KEY_SIZE,
    OPTION_LESS,
    {"nth", KEY_NTH, "N", "Write only the key that is at position N in the sorted order, from 0",
     NULL},
    OPTION_NUMERIC,
    OPTION_RECORD,
    OPTION_REVERSE,
    {"top", KEY_TOP, "K", "Write only the K largest keys, the largest first", NULL},
    OPTION_TYPE,
    {"unique", 'u', NULL,
     "Write each key once, the first of those that are equal in the sorted order. All keys are "
     "kept "
     "in memory",
     NULL},
    {NULL, 0, NULL, "Input and output:", NULL},
    {"buffer-size", 'S', "SIZE",
     "Take at most this much memory on each rank: bytes, or with K, M, G or T multiples of 2^10, "
     "2^20, 2^30 or 2^40 (default: its share of the available memory of the node). If the part of "
     "a rank needs more, each rank sorts its part in runs, and the ranks exchange what is in "
     "temporary files",
     NULL},
    OPTION_CHECK,
    {"files0-from", KEY_FILES0_FROM, "FILE",
     "Read the names of the inputs from FILE, in which each ends with a NUL byte", NULL},
    {"force", KEY_FORCE, NULL, "Sort also text, archives and other files that are no raw numbers",
     NULL},
    {"output", 'o', "FILE", "Write to FILE, which may be INPUT; required, unless --check is given",
     NULL},
    OPTION_PROGRESS,
    OPTION_QUIET,
    {"sum", KEY_SUM, NULL,
     "Also print the number of keys and a checksum that does not depend on their order: of the "
     "input",
     NULL},
    {"temporary-directory", 'T', "FOLDER",
     "Folder of the temporary files of sorts in runs, on each node; its ranks take several ones in "
     "turn (default: $TMPDIR, else /var/tmp). Can be given up to 16 times",
     NULL},
    {NULL, 0, NULL, "Device and algorithm:", NULL},
    OPTION_ALGORITHM,
    {"device", KEY_DEVICE, "DEVICE[,DEVICE...]",
     "Sort on this device: its index in clsort --list-devices, cpu, gpu, or a part of its name; "
     "host: sort without OpenCL. The ranks of a node take several devices in turn (default: all "
     "that "
     "have the type of the best)",
     NULL},
    {"explain", KEY_EXPLAIN, NULL, "Do not sort; print how the ranks would, and what they need",
     NULL},
    {"stats", KEY_STATS, "FORM",
     "Report times, rate, memory, and the input and output of each phase on standard error, as "
     "text (the default) or json; each is the maximum of the ranks",
     "text"},
    {NULL, 0, NULL, "Help:", NULL},
    {NULL, 0, NULL, NULL, NULL},
};

/* Options that clsort has. */
static const struct command_line_option missing[] = {
    {"batch-size", 0, NULL,
     "each rank merges as many runs as the memory allows; --buffer-size limits that", NULL},
    {"compress", 0, NULL, "temporary files are exchanged between ranks as they are", NULL},
    {"devices", 0, NULL,
     "a rank has one device, and those of a node take those of --device in turn", NULL},
    {"list-devices", 0, NULL, "run clsort --list-devices on the node", NULL},
    {"merge", 'm', NULL,
     "files in order are merged by clsort; without it, clsort-mpi sorts them as one file", NULL},
    {"no-verify", 0, NULL, "the output of a sort in runs is always checked", NULL},
    {"resume", 0, NULL, "a sort over ranks cannot be continued", NULL},
    {"rows", 0, NULL, "rows are sorted one by one; use clsort", NULL},
    {"segments", 0, NULL, "segments are sorted one by one; use clsort", NULL},
    {"warm", 0, NULL, "run clsort --warm on the node", NULL},
    {NULL, 0, NULL, NULL, NULL},
};

static const char introduction[] =
    "Sort a binary file of numbers over the ranks of MPI, as mpirun starts them:\n"
    "mpirun -n 8 clsort-mpi -t u64 -o sorted.u64 numbers.u64\n\n"
    "INPUT is an array of numbers in the byte order of the machine, or a .npy file of one "
    "dimension; the output then is a .npy file too, and the same file that clsort writes. Several "
    "inputs are sorted as if they were one file. All nodes must see the same files. The file of "
    "--output is replaced in one step when the whole result is on the disk; after an error it is "
    "unchanged.";

/* Checks what only clsort-mpi refuses. */
static bool check(const struct command_line *line)
{
    const struct options *options = line->target;

    if (options->input_count == 0 && options->files0_from == NULL)
        return command_line_error(
            line, "no INPUT is given, and standard input is that of one rank; name a file");
    if (options->reads_standard_input ||
        (options->files0_from != NULL && strcmp(options->files0_from, "-") == 0))
        return command_line_error(line, "standard input is that of one rank; name a file");
    if (options->mode == MODE_SORT &&
        (options->output == NULL || strcmp(options->output, "-") == 0))
        return command_line_error(
            line, "--output is required, since each rank writes its part of a file");
    if (options->has_axis)
        return command_line_error(line,
                                  "--axis=%d is not supported: the rows of an array are sorted one "
                                  "by one; use clsort, or --axis=none",
                                  options->axis);
    if (options->argsort && options->algorithm != NULL && options->custom.less == NULL)
        return command_line_error(line,
                                  "--algorithm cannot be combined with --argsort, for which the "
                                  "ranks sort keys together with their indexes");
    return options_check(line);
}

bool ranks_options_parse(struct options *options, int argc, char **argv, FILE *output,
                         FILE *messages, int *status)
{
    static const struct options_program program = {
        .name = "clsort-mpi",
        .operands = "INPUT...",
        .introduction = introduction,
        .table = table,
        .missing = missing,
        .check = check,
    };

    return options_parse_program(options, &program, argc, argv, output, messages, status);
}
