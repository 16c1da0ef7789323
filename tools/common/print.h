/* print.h - clsort-tool-common: error messages, and lines of output that several tools print */
#ifndef CLSORT_TOOLS_PRINT_H
#define CLSORT_TOOLS_PRINT_H

#include <stdint.h>
#include <stdio.h>

enum { EXIT_ERROR = 2 }; /* exit status of a tool after an error */

/* Prints "program: subject: reason" to standard error. The reason is formatted as by printf. */
void print_error(const char *subject, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Does the same, with the text of errno as the reason. */
void print_errno(const char *subject);

/* Makes both print to a stream. NULL: standard error again. */
void print_to(FILE *stream);

/* Registers a function that print_error calls before each message, and which must not print one. */
void print_before_error(void (*function)(void));

/* Prints the number of keys and their checksum (data_checksum) on one line. */
void print_checksum(FILE *stream, uint64_t count, uint64_t checksum);

/* Prints "TYPE is one of" and the names of all key types, for --help. */
void print_types(FILE *stream);

/* Every tool calls this first, with its name for error messages. Opens closed standard streams on
 * /dev/null, so that no other file gets their descriptors. Also registers an exit handler: if
 * standard output cannot be written completely, the program prints an error and exits with
 * EXIT_ERROR. */
void print_start(const char *program);

#endif
