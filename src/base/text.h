/* text.h - building strings in fixed memory */
#ifndef CLSORT_BASE_TEXT_H
#define CLSORT_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct cls_text {
    char *at;
    size_t size, length; /* length is what all of it would take; text is cut at size - 1 */
};

#define CLS_TEXT(array)                                                                            \
    {                                                                                              \
        (array), sizeof(array), 0                                                                  \
    }

void cls_text_add(struct cls_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static inline bool cls_text_fits(const struct cls_text *text)
{
    return text->length < text->size;
}

/* OpenCL's way to return a string: as much as fits into `to`, and the whole size with terminator. */
void cls_text_return(const char *string, size_t size, char *to, size_t *size_ret);

#endif
