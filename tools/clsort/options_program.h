/* options_program.h - the options of clsort that other programs have, too */
#ifndef CLSORT_TOOLS_OPTIONS_PROGRAM_H
#define CLSORT_TOOLS_OPTIONS_PROGRAM_H

#include "options.h"

/* Keys of the options without a letter. */
enum {
    KEY_ARGSORT = 256,
    KEY_BOTTOM,
    KEY_NTH,
    KEY_TOP,
    KEY_NUMERIC,
    KEY_AXIS,
    KEY_KEY_SIZE,
    KEY_LESS,
    KEY_RECORD,
    KEY_ROWS,
    KEY_SEGMENTS,
    KEY_SUM,
    KEY_COMPRESS,
    KEY_NO_VERIFY,
    KEY_BATCH_SIZE,
    KEY_FILES0_FROM,
    KEY_RESUME,
    KEY_DEVICE,
    KEY_DEVICES,
    KEY_LIST_DEVICES,
    KEY_ALGORITHM,
    KEY_EXPLAIN,
    KEY_STATS,
    KEY_PROGRESS,
    KEY_WARM,
    KEY_FORCE,
};

/* Options that several programs have, with the same help. */
#define OPTION_ARGSORT                                                                             \
    {                                                                                              \
        "argsort", KEY_ARGSORT, NULL,                                                              \
            "Write the permutation that sorts the keys instead of the keys: for "                  \
            "each position in the sorted order, the index of the key in the "                      \
            "input, from 0. Indexes have 64 bits",                                                 \
            NULL                                                                                   \
    }
#define OPTION_KEY                                                                                 \
    {                                                                                              \
        "key", 'k', "OFFSET[:TYPE][:r][:be][:n]",                                                  \
            "With --record, order the records by the field at this offset in "                     \
            "bytes; TYPE is one of those below, bytes1 to bytes256, or that of "                   \
            "--type. r: descending; be: big-endian; n: as --numeric. "                             \
            "NAME[:r][:n] is a field of a .npy file of records. Can be given up"                   \
            " to 16 times; later fields order records that are equal in the "                      \
            "earlier ones",                                                                        \
            NULL                                                                                   \
    }
#define OPTION_KEY_SIZE                                                                            \
    {                                                                                              \
        "key-size", KEY_KEY_SIZE, "BYTES", "With --less, the size of an element", NULL             \
    }
#define OPTION_LESS                                                                                \
    {                                                                                              \
        "less", KEY_LESS, "EXPR",                                                                  \
            "Sort elements of --key-size bytes by this expression in OpenCL C, "                   \
            "which is true if element a precedes element b: a.u32[0] < "                           \
            "b.u32[0]. Elements are unions of arrays with the names of the "                       \
            "types below",                                                                         \
            NULL                                                                                   \
    }
#define OPTION_NUMERIC                                                                             \
    {                                                                                              \
        "numeric", KEY_NUMERIC, NULL,                                                              \
            "Floats: -0 equals +0, and every NaN comes last, as in NumPy", NULL                    \
    }
#define OPTION_RECORD                                                                              \
    {                                                                                              \
        "record", KEY_RECORD, "BYTES",                                                             \
            "Sort records of this size, which move whole, by the fields of --key", NULL            \
    }
#define OPTION_REVERSE                                                                             \
    {                                                                                              \
        "reverse", 'r', NULL, "Sort in descending order", NULL                                     \
    }
#define OPTION_TYPE                                                                                \
    {                                                                                              \
        "type", 't', "TYPE", "Type of the keys; required, unless INPUT is a .npy file", NULL       \
    }
#define OPTION_CHECK                                                                               \
    {                                                                                              \
        "check", 'c', NULL, "Do not sort; report the first two keys that are out of order", NULL   \
    }
#define OPTION_PROGRESS                                                                            \
    {                                                                                              \
        "progress", KEY_PROGRESS, "WHEN",                                                          \
            "Show the phase, the bytes, their rate and the time left on standard "                 \
            "error: auto (the default: on a line of a terminal, after 2 s), "                      \
            "always (the default of WHEN: also in lines of text, one each second "                 \
            "and for each phase), json (in such lines as JSON objects), or never",                 \
            "always"                                                                               \
    }
#define OPTION_QUIET                                                                               \
    {                                                                                              \
        "quiet", 'q', NULL, "Do not show progress, as --progress=never", NULL                      \
    }
#define OPTION_ALGORITHM                                                                           \
    {                                                                                              \
        "algorithm", KEY_ALGORITHM, "SPEC",                                                        \
            "Use this algorithm, with parameters if needed: radix, "                               \
            "radix:bits=4,items=8 (default: auto)",                                                \
            NULL                                                                                   \
    }

/* A program, whose options are some of those of clsort, with the same arguments. */
struct options_program {
    const char *name;
    const char *operands;
    const char *introduction;
    const struct command_line_option *table;
    const struct command_line_option *missing; /* as in struct command_line */
    bool (*check)(
        const struct command_line *line); /* of the combinations of options, as options_check */
};

/* Parses the command line of a program, as options_parse does. Operands are optional. */
bool options_parse_program(struct options *options, const struct options_program *program, int argc,
                           char **argv, FILE *output, FILE *messages, int *status);

/* Prints the end of --help: the types, the algorithms, the environment and the exit status. */
void options_print_end(FILE *stream);

#endif
