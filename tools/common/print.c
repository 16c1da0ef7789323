/* print.c - clsort-tool-common: error messages, and lines of output that several tools print */
#include "print.h"

#include "data.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *program = "clsort";
static void (*before_error)(void);
static FILE *errors; /* NULL: standard error */

void print_before_error(void (*function)(void))
{
    before_error = function;
}

void print_to(FILE *stream)
{
    errors = stream;
}

void print_error(const char *subject, const char *format, ...)
{
    FILE *stream = errors != NULL ? errors : stderr;
    va_list arguments;

    if (before_error != NULL)
        before_error();
    fprintf(stream, "%s: %s: ", program, subject);
    va_start(arguments, format);
    vfprintf(stream, format, arguments);
    va_end(arguments);
    fputc('\n', stream);
}

void print_errno(const char *subject)
{
    print_error(subject, "%s", strerror(errno));
}

void print_checksum(FILE *stream, uint64_t count, uint64_t checksum)
{
    fprintf(stream, "count %" PRIu64 " sum %016" PRIx64 "\n", count, checksum);
}

void print_types(FILE *stream)
{
    const struct data_type *type;

    fputs("TYPE is one of", stream);
    for (size_t i = 0; (type = data_type_at(i)) != NULL; i++)
        fprintf(stream, " %s", type->name);
}

static void close_stdout(void)
{
    bool lost = fflush(stdout) != 0 || ferror(stdout) != 0;

    /* EBADF: standard output was closed from the start, and nothing was written to it. */
    if (lost || (fclose(stdout) != 0 && errno != EBADF)) {
        print_errno("standard output");
        _exit(EXIT_ERROR);
    }
}

void print_start(const char *name)
{
    program = name;
    /* open() returns the lowest free descriptor, so that without this an output file could get the
     * descriptor of a closed standard stream, and messages would be written into it. The streams
     * are opened in the wrong direction, so that using one still fails. */
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 &&
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
            break;
    atexit(close_stdout);
}
