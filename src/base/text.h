/* text.h - formatted strings in buffers of fixed size */
#ifndef CLSORT_BASE_TEXT_H
#define CLSORT_BASE_TEXT_H

#include "base/format.h"

#include <stdbool.h>
#include <stddef.h>

/* A terminated string in a buffer. */
struct cls_text {
    char *at;      /* the buffer */
    size_t size;   /* of the buffer; the text is truncated to size - 1 characters */
    size_t length; /* of the text before truncation */
};

/* Initializes a cls_text that writes to the array. */
#define CLS_TEXT(array)                                                                            \
    {                                                                                              \
        (array), sizeof(array), 0                                                                  \
    }

/* Appends formatted text, as printf. */
void cls_text_add(struct cls_text *text, const char *format, ...) CLS_FORMAT(2, 3);

/* Returns whether no text was truncated. */
static inline bool cls_text_fits(const struct cls_text *text)
{
    return text->length < text->size;
}

/* Returns a string as the queries of OpenCL do: copies it to `to`, truncated to size bytes
 * with its terminator, and sets *size_ret to the size of the complete string. `to` and size_ret may
 * be NULL. */
void cls_text_return(const char *string, size_t size, char *to, size_t *size_ret);

#endif
