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

/* A program, whose options are some of those of clsort, with the same arguments. */
struct options_program {
    const char *name;
    const char *operands;
    const char *introduction;
    const struct command_line_option *table;
    bool (*check)(
        const struct command_line *line); /* of the combinations of options, as options_check */
};

/* Parses the command line of a program, as options_parse does. Operands are optional. */
bool options_parse_program(struct options *options, const struct options_program *program, int argc,
                           char **argv, FILE *output, FILE *messages, int *status);

/* Prints the end of --help: the types, the algorithms, the environment and the exit status. */
void options_print_end(FILE *stream);

#endif
