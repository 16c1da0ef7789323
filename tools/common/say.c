/* say.c - what the tools say: messages on standard error, and results on standard output */
#include "say.h"

#include "data.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void say_trouble(const char *subject, const char *format, ...)
{
    va_list arguments;

    fprintf(stderr, "%s: %s: ", program_invocation_short_name, subject);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

void say_errno(const char *subject)
{
    say_trouble(subject, "%s", strerror(errno));
}

void say_checksum(FILE *stream, uint64_t count, uint64_t checksum)
{
    fprintf(stream, "count %" PRIu64 " sum %016" PRIx64 "\n", count, checksum);
}

void say_types(FILE *stream)
{
    const struct data_type *type;

    fputs("TYPE is one of", stream);
    for (size_t i = 0; (type = data_type_at(i)) != NULL; i++)
        fprintf(stream, " %s", type->name);
}

static void close_stdout(void)
{
    bool lost = fflush(stdout) != 0 || ferror(stdout) != 0;

    /* A program started without a standard output, that had nothing to say, is fine. */
    if (lost || (fclose(stdout) != 0 && errno != EBADF)) {
        say_errno("standard output");
        _exit(SAY_TROUBLE);
    }
}

void say_guard_streams(void)
{
    /* A closed stream's number must not go to a file that is opened later: what is said would go into it.
     * Opened the wrong way, the stream still fails when used. */
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 &&
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
            break;
    atexit(close_stdout);
}
