/* say.h - what the tools say: messages on standard error, and results on standard output */
#ifndef CLSORT_TOOLS_SAY_H
#define CLSORT_TOOLS_SAY_H

#include <stdint.h>
#include <stdio.h>

enum { SAY_TROUBLE = 2 }; /* the exit status of a tool that could not do its work */

/* Prints "program: subject: reason" on standard error; the reason is made as by printf. */
void say_trouble(const char *subject, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same, with errno's text as the reason. */
void say_errno(const char *subject);

/* Prints a line with the count and checksum (see data.h) of keys, the same from every tool. */
void say_checksum(FILE *stream, uint64_t count, uint64_t checksum);

/* Prints "TYPE is one of" and the names of all key types, for --help. */
void say_types(FILE *stream);

/* Called first. Files opened later never take the place of a closed standard stream. At the end of the
 * program, however it ends, results that never reached standard output turn into
 * a message and SAY_TROUBLE. */
void say_guard_streams(void);

#endif
