/* command_line.c - what the command lines of all programs have in common, for argp */
#include "command_line.h"

#include <string.h>

static const struct argp_option help_table[] = {
    {0, 'h', 0, 0, "Give this help list, as --help", -1},
    {0},
};

static error_t parse_help(int key, char *argument, struct argp_state *state)
{
    (void)argument;
    if (key != 'h')
        return ARGP_ERR_UNKNOWN;
    argp_state_help(state, state->out_stream, ARGP_HELP_STD_HELP);
    return 0;
}

static const struct argp help_parser = {.options = help_table, .parser = parse_help};

const struct argp_child command_line_children[] = {{&help_parser, 0, 0, 0}, {0}};

enum { MAX_OPTIONS = 32 }; /* in the table of a program */

void command_line_check_repeated(const struct argp_option *table, int key, const char *argument,
                                 const struct argp_state *state)
{
    static const char *values[MAX_OPTIONS]; /* by index in the table */

    if (key == ARGP_KEY_INIT) /* the arguments of an earlier command line may be gone */
        memset(values, 0, sizeof values);
    if (argument == NULL)
        return;
    for (size_t i = 0; i < MAX_OPTIONS && (table[i].key != 0 || table[i].doc != NULL); i++) {
        if (table[i].key != key || table[i].name == NULL)
            continue;
        if (values[i] != NULL && strcmp(values[i], argument) != 0)
            argp_error(state, "--%s is given twice, with different values: '%s' and '%s'",
                       table[i].name, values[i], argument);
        values[i] = argument;
    }
}
