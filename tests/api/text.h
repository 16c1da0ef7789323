/* text.h - the texts that the library gives by the rules of clsort_engine_log */
#ifndef CLSORT_TESTS_TEXT_H
#define CLSORT_TESTS_TEXT_H

#include <clsort.h>

/* A function of the library that gives a text, with its first arguments taken from data. */
typedef clsort_status text_source(void *data, size_t size, char *text, size_t *size_ret);

/* Asks for the size alone, for the whole text, and for its start, and checks that they agree. The
 * caller frees the text. */
char *text_read(text_source *source, void *data);

#endif
