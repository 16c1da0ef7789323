/* options.c - fuzz target: the command line of clsort; each line of the input is an argument
 *
 * Accepted arguments must fulfil the contract of options.h. Parsing them again in the order to which argp permutes them
 * must give the same options. */
#include "options.h"

#include "fuzz.h"

#include <argp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

enum { MAX_ARGUMENTS = 32, MAX_BYTES = 4096 };

static bool refused;

error_t __real_argp_parse(const struct argp *argp, int argc, char **argv, unsigned flags,
                          int *index, void *input);
error_t __wrap_argp_parse(const struct argp *argp, int argc, char **argv, unsigned flags,
                          int *index, void *input);
void __wrap_argp_error(const struct argp_state *state, const char *format, ...);

/* Keeps argp from exiting after errors and --help. */
error_t __wrap_argp_parse(const struct argp *argp, int argc, char **argv, unsigned flags,
                          int *index, void *input)
{
    if (__real_argp_parse(argp, argc, argv, flags | ARGP_NO_EXIT, index, input) != 0)
        refused = true;
    return 0;
}

void __wrap_argp_error(const struct argp_state *state, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(state->err_stream, format, arguments); /* its arguments are printable */
    va_end(arguments);
    refused = true;
}

static bool names_argument(const char *text, char *const *argv)
{
    for (; *argv; argv++)
        if (text >= *argv && text <= *argv + strlen(*argv))
            return true;
    return false;
}

static void check(const struct options *options, char *const *argv)
{
    require(options->mode <= MODE_LIST_DEVICES && options->stats <= STATS_JSON);
    require(!(options->flags & ~(CLSORT_DESCENDING | CLSORT_FLOAT_NUMERIC)));
    require(!options->type || data_type_find(options->type->name) == options->type);
    require(names_argument(options->input, argv) || strcmp(options->input, "-") == 0);
    require(!options->output || names_argument(options->output, argv));
    require(!options->device || names_argument(options->device, argv));
    require(!options->algorithm || names_argument(options->algorithm, argv));
    require(!options->flatten || options->axis == -1);
    require(!options->sum || options->mode == MODE_CHECK);
    require(options->mode == MODE_SORT || (!options->output && options->stats == STATS_NONE));
}

static bool same(const struct options *a, const struct options *b)
{
    return a->mode == b->mode && a->input == b->input && a->output == b->output &&
           a->type == b->type && a->flags == b->flags && a->axis == b->axis &&
           a->flatten == b->flatten && a->device == b->device && a->algorithm == b->algorithm &&
           a->stats == b->stats && a->sum == b->sum;
}

static bool parse(struct options *options, int argc, char **argv)
{
    refused = false;
    options_parse(options, argc, argv);
    return !refused;
}

/* The option --HANG of argp sleeps for an hour. */
static bool may_hang(const char *argument)
{
    return strncmp(argument, "--H", 3) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *null_file;
    if (!null_file) {
        null_file = fopen("/dev/null", "w");
        require(null_file);
    }
    char text[MAX_BYTES], program[] = "clsort", *argv[MAX_ARGUMENTS + 1] = {program};
    int argc = 1;
    if (size >= sizeof text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    for (char *rest = text, *argument; (argument = strsep(&rest, "\n")) != NULL; argc++) {
        if (argc == MAX_ARGUMENTS || may_hang(argument))
            return 0;
        argv[argc] = argument;
    }
    argv[argc] = NULL;

    FILE *const out = stdout, *const err = stderr; /* both argp and libFuzzer write to these */
    stdout = stderr = null_file;
    struct options first = {0}, second = {0};
    const bool accepted = parse(&first, argc, argv);
    const bool accepted_again = accepted && parse(&second, argc, argv);
    stdout = out;
    stderr = err;
    if (accepted) {
        check(&first, argv);
        require(accepted_again && same(&first, &second));
    }
    return 0;
}
