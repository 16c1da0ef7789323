/* command_line.c - parses the command lines of all programs, from a table of options */
#include "command_line.h"

#include "print.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const struct command_line_option common_options[] = {
    {"help", 'h', NULL, "Give this help list", NULL},
    {"version", 'V', NULL, "Print program version", NULL},
};
enum { COMMON_COUNT = sizeof common_options / sizeof *common_options };

static size_t count_rows(const struct command_line *line)
{
    size_t count = 0;

    while (line->options[count].help != NULL)
        count++;
    return count;
}

/* Returns an option of the program, a heading, or a common option; NULL after the last one. */
static const struct command_line_option *option_at(const struct command_line *line, size_t i)
{
    const size_t count = count_rows(line);

    if (i < count)
        return &line->options[i];
    return i < count + COMMON_COUNT ? &common_options[i - count] : NULL;
}

static bool has_letter(const struct command_line_option *option)
{
    return option->name != NULL && option->key < 256;
}

/* -- help -------------------------------------------------------------------------------------- */

enum { HELP_WIDTH = 79, HELP_COLUMN = 29 };

/* Prints a text in lines of at most HELP_WIDTH characters. column: where it begins; indent: where
 * its other lines begin. */
static void print_wrapped(FILE *stream, const char *text, size_t column, size_t indent)
{
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");

        if (length > HELP_WIDTH - column) {
            length = HELP_WIDTH - column;
            while (length > 0 && text[length] != ' ')
                length--;
            if (length == 0) /* a word that is longer than a line */
                length = strcspn(text, " \n");
        }
        fprintf(stream, "%.*s\n", (int)length, text);
        text += length;
        text += *text != '\0'; /* the blank or the end of the line */
        column = indent;
        if (*text != '\0')
            fprintf(stream, "%*s", (int)indent, "");
    }
}

static void print_option(FILE *stream, const struct command_line_option *option)
{
    char letter[] = "  -x,", title[80];
    const bool is_optional = option->omitted != NULL;

    letter[3] = (char)option->key;
    snprintf(title, sizeof title, "%5s --%s%s%s%s%s", has_letter(option) ? letter : "",
             option->name, is_optional ? "[" : "", option->argument != NULL ? "=" : "",
             option->argument != NULL ? option->argument : "", is_optional ? "]" : "");
    if (strlen(title) < HELP_COLUMN)
        fprintf(stream, "%-*s", HELP_COLUMN, title);
    else
        fprintf(stream, "%s\n%*s", title, HELP_COLUMN, "");
    print_wrapped(stream, option->help, HELP_COLUMN, HELP_COLUMN);
}

/* The end is printed to memory first, because its lines are wrapped. */
static void print_end(const struct command_line *line)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);

    if (stream == NULL)
        return;
    line->print_end(stream);
    if (fclose(stream) == 0)
        print_wrapped(line->output, text, 0, 0);
    free(text);
}

static void print_help(const struct command_line *line)
{
    const struct command_line_option *option;

    fprintf(line->output, "Usage: %s [OPTION...]%s%s\n", line->program,
            line->operands != NULL ? " " : "", line->operands != NULL ? line->operands : "");
    print_wrapped(line->output, line->introduction, 0, 0);
    if (line->options[0].name != NULL) /* a heading begins with an empty line */
        fputc('\n', line->output);
    for (size_t i = 0; (option = option_at(line, i)) != NULL; i++) {
        if (option->name != NULL)
            print_option(line->output, option);
        else
            fprintf(line->output, "\n %s\n", option->help);
    }
    fputc('\n', line->output);
    print_end(line);
}

/* -- errors ------------------------------------------------------------------------------------ */

bool command_line_error(const struct command_line *line, const char *format, ...)
{
    va_list arguments;

    fprintf(line->messages, "%s: ", line->program);
    va_start(arguments, format);
    vfprintf(line->messages, format, arguments);
    va_end(arguments);
    fprintf(line->messages, "\nTry '%s --help' for more information.\n", line->program);
    return false;
}

/* Reports an option of clsort that this program does not have, and why. The option is given by the beginning of its
 * name or, if `name` is NULL, by its letter. Returns false if it is not in the list of such options. */
static bool refuse_missing(const struct command_line *line, const char *name, size_t length,
                           int letter)
{
    const struct command_line_option *option = line->missing;

    for (; option != NULL && option->name != NULL; option++) {
        if (name != NULL ? strncmp(option->name, name, length) != 0 : option->key != letter)
            continue;
        command_line_error(line, "--%s is not supported: %s", option->name, option->help);
        return true;
    }
    return false;
}

/* Reports a long option that is no option, or that is the abbreviation of several. */
static bool refuse_name(const struct command_line *line, const char *argument)
{
    const struct command_line_option *option, *first = NULL;
    const size_t length = strcspn(argument, "=") - 2; /* without -- */

    for (size_t i = 0; (option = option_at(line, i)) != NULL; i++) {
        if (option->name == NULL || strncmp(option->name, argument + 2, length) != 0)
            continue;
        if (first != NULL)
            return command_line_error(line, "option '%s' is ambiguous: --%s or --%s", argument,
                                      first->name, option->name);
        first = option;
    }
    return !refuse_missing(line, argument + 2, length, 0) &&
           command_line_error(line, "unrecognized option '%s'", argument);
}

static const struct command_line_option *find_option(const struct command_line *line, int key,
                                                     size_t *index)
{
    const struct command_line_option *option;

    for (*index = 0; (option = option_at(line, *index)) != NULL; ++*index)
        if (option->name != NULL && option->key == key)
            break;
    return option;
}

/* Reports an option that getopt_long refuses with this result; argument: the one it read last. */
static bool refuse_option(const struct command_line *line, int result, const char *argument)
{
    size_t index;
    const struct command_line_option *option = find_option(line, optopt, &index);

    if (result == ':')
        return command_line_error(line, "--%s requires an argument: %s", option->name,
                                  option->argument);
    if (option != NULL)
        return command_line_error(line, "--%s takes no argument: '%s'", option->name, argument);
    if (optopt == 0)
        return refuse_name(line, argument);
    return !refuse_missing(line, NULL, 0, optopt) &&
           command_line_error(line, "unrecognized option '-%c'", optopt);
}

/* -- parsing ----------------------------------------------------------------------------------- */

enum { MAX_ROWS = COMMAND_LINE_MAX + COMMON_COUNT };

/* The tables of getopt_long. */
struct tables {
    struct option names[MAX_ROWS + 1];
    char letters[1 + 2 * MAX_ROWS + 1]; /* a letter has at most one colon */
};

static void make_tables(const struct command_line *line, struct tables *tables)
{
    const struct command_line_option *option;
    struct option *name = tables->names;
    char *letter = tables->letters;

    memset(tables, 0, sizeof *tables);
    *letter++ = ':'; /* a missing argument is reported as such */
    for (size_t i = 0; i < MAX_ROWS && (option = option_at(line, i)) != NULL; i++) {
        if (option->name == NULL)
            continue;
        name->name = option->name;
        name->has_arg = option->argument == NULL  ? no_argument
                        : option->omitted == NULL ? required_argument
                                                  : optional_argument;
        name++->val = option->key;
        if (!has_letter(option))
            continue;
        *letter++ = (char)option->key;
        if (option->argument != NULL)
            *letter++ = ':';
    }
}

/* Handles an option that getopt_long accepts. arguments: those of earlier options, by index. */
static bool is_repeatable(const struct command_line *line, int key)
{
    for (size_t i = 0; i < COMMAND_LINE_MAX_REPEATABLE; i++)
        if (line->repeatable[i] == key)
            return true;
    return line->repeatable[0] == COMMAND_LINE_ALL;
}

static bool parse_option(const struct command_line *line, int key, const char *argument,
                         const char *arguments[MAX_ROWS])
{
    size_t index;
    const struct command_line_option *option = find_option(line, key, &index);
    const char *earlier = arguments[index];

    if (argument == NULL)
        argument = option->omitted;
    if (argument != NULL && *argument == '\0')
        return command_line_error(line, "--%s: its argument %s is empty", option->name,
                                  option->argument);
    if (earlier != NULL && strcmp(earlier, argument) != 0 && !is_repeatable(line, key))
        return command_line_error(line, "--%s is given twice, with different values: '%s' and '%s'",
                                  option->name, earlier, argument);
    arguments[index] = argument;
    return line->parse(line, key, argument);
}

bool command_line_parse(const struct command_line *line, int argc, char **argv, int *status)
{
    struct tables tables;
    const char *arguments[MAX_ROWS] = {NULL};
    int key;

    make_tables(line, &tables);
    *status = EXIT_ERROR;
    opterr = 0;
    optind = 0; /* begins a new command line */
    while ((key = getopt_long(argc, argv, tables.letters, tables.names, NULL)) != -1) {
        if (key == '?' || key == ':')
            return refuse_option(line, key, argv[optind - 1]);
        if (key == 'h' || key == 'V') {
            if (key == 'h')
                print_help(line);
            else
                fprintf(line->output, "%s %s\n", line->program, line->version);
            *status = EXIT_SUCCESS;
            return false;
        }
        if (!parse_option(line, key, optarg, arguments))
            return false;
    }
    for (; optind < argc; optind++) {
        if (line->operands == NULL)
            return command_line_error(line, "unexpected argument '%s'", argv[optind]);
        if (!line->parse(line, COMMAND_LINE_OPERAND, argv[optind]))
            return false;
    }
    return line->parse(line, COMMAND_LINE_END, NULL);
}
