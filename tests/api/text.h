/* text.h - reads texts of the library, which all follow the rules of clsort_last_error */
#ifndef CLSORT_TESTS_TEXT_H
#define CLSORT_TESTS_TEXT_H

#include <clsort.h>

/* Calls a function of the library that returns a text. Its first arguments come from data. */
typedef clsort_status text_source(void *data, size_t size, char *text, size_t *size_ret);

/* Reads the size, the whole text, and the start of the text, checks that they agree, and returns the whole text, which
 * the caller frees. */
char *text_read(text_source *source, void *data);

/* Reads the last error of this thread; engine may be NULL. */
char *text_last_error(clsort_engine *engine);

#endif
