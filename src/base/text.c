/* text.c - formatted strings in buffers of fixed size */
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void cls_text_add(struct cls_text *text, const char *format, ...)
{
    const size_t used = text->length < text->size ? text->length : text->size;
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(text->at + used, text->size - used, format, arguments);
    va_end(arguments);
    if (n > 0)
        text->length += (size_t)n;
}

void cls_text_return(const char *string, size_t size, char *to, size_t *size_ret)
{
    const size_t whole = strlen(string) + 1;
    if (size_ret)
        *size_ret = whole;
    if (!to || size == 0)
        return;
    const size_t length = whole <= size ? whole - 1 : size - 1;
    memcpy(to, string, length);
    to[length] = '\0';
}
