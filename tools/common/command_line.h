/* command_line.h - parses the command lines of all programs, from a table of options
 *
 * A layer over getopt_long: options may follow operands, long names may be abbreviated, and --
 * ends the options. Empty arguments of options are refused. It adds --help (-h) and --version (-V).
 * Except for --help and --version, all that is printed are error messages. */
#ifndef CLSORT_TOOLS_COMMAND_LINE_H
#define CLSORT_TOOLS_COMMAND_LINE_H

#include <stdbool.h>
#include <stdio.h>

/* An option, or a heading of --help: then only help is set. All is NULL after the last one. */
struct command_line_option {
    const char *name;     /* the long name */
    int key;              /* the letter, or a number above all characters */
    const char *argument; /* the name of the argument in --help; NULL: no argument */
    const char *help;
    const char *omitted; /* the argument if none is given; NULL: it is required */
};

/* Keys of command_line.parse that are not in the table. */
enum {
    COMMAND_LINE_OPERAND = -1, /* an argument that is no option */
    COMMAND_LINE_END = -2      /* after all others; its argument is NULL */
};

enum {
    COMMAND_LINE_MAX = 48, /* options and headings of a program */
    COMMAND_LINE_MAX_REPEATABLE = 3,
    COMMAND_LINE_ALL = -1 /* in command_line.repeatable[0] */
};

struct command_line {
    const char *program; /* the name in messages */
    const char *version;
    const char *operands; /* as --help shows them; NULL: operands are refused */
    const char *introduction;
    const struct command_line_option *options;
    /* Options that the program lacks although another one has them; their help is the reason, for an error message.
     * NULL: none. */
    const struct command_line_option *missing;
    /* Keys of options that may be given with several arguments; 0: none. */
    int repeatable[COMMAND_LINE_MAX_REPEATABLE];
    void (*print_end)(FILE *stream); /* prints the end of --help, which is wrapped later */

    /* Handles one option or operand. Returns false after it has called command_line_error. */
    bool (*parse)(const struct command_line *line, int key, const char *argument);
    void *target; /* for parse */
    FILE *output, *messages;
};

/* Parses a command line, and permutes argv so that operands come last. Returns true if the program
 * shall go on. Otherwise *status is its exit status: EXIT_SUCCESS after --help and --version,
 * EXIT_ERROR after an error, which has been printed. */
bool command_line_parse(const struct command_line *line, int argc, char **argv, int *status);

/* Prints an error message and returns false. */
bool command_line_error(const struct command_line *line, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
