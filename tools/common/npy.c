/* npy.c - clsort-tool-common: headers of NumPy's .npy files, for arrays of one dimension */
#include "npy.h"

#include <stdio.h>
#include <string.h>

static const char magic[NPY_MAGIC_SIZE] = {'\x93', 'N', 'U', 'M', 'P', 'Y'};

bool npy_is_magic(const void *start, size_t size)
{
    return size >= NPY_MAGIC_SIZE && memcmp(start, magic, NPY_MAGIC_SIZE) == 0;
}

/* Returns the size of the bytes before the dictionary. They end with its length, which has 2 bytes
 * in version 1 and 4 bytes in later versions. */
static size_t prefix_size(const unsigned char *prefix)
{
    return prefix[NPY_MAGIC_SIZE] == 1 ? NPY_MAGIC_SIZE + 4 : NPY_MAGIC_SIZE + 6;
}

size_t npy_header_size(const void *prefix)
{
    const unsigned char *bytes = prefix;
    size_t dictionary = 0;

    if (bytes[NPY_MAGIC_SIZE] < 1 || bytes[NPY_MAGIC_SIZE] > 3)
        return 0;
    for (size_t i = prefix_size(bytes); i-- > NPY_MAGIC_SIZE + 2;)
        dictionary = dictionary << 8 | bytes[i];
    return prefix_size(bytes) + dictionary;
}

/* -- the dictionary ---------------------------------------------------------------------------- */

struct scanner {
    const char *p, *end;
};

static int peek(struct scanner *s)
{
    while (s->p < s->end && (*s->p == ' ' || *s->p == '\t' || *s->p == '\n'))
        s->p++;
    return s->p < s->end ? (unsigned char)*s->p : -1;
}

static bool accept(struct scanner *s, int c)
{
    if (peek(s) != c)
        return false;
    s->p++;
    return true;
}

struct word {
    const char *start;
    size_t length;
};

static bool word_is(struct word word, const char *text)
{
    return word.length == strlen(text) && memcmp(word.start, text, word.length) == 0;
}

/* Parses 'text' or "text". Escapes are not interpreted, since supported dictionaries contain
 * none. */
static bool quoted(struct scanner *s, struct word *word)
{
    int quote = peek(s);
    const char *close;

    if (quote != '\'' && quote != '"')
        return false;
    word->start = s->p + 1;
    close = memchr(word->start, quote, (size_t)(s->end - word->start));
    if (close == NULL)
        return false;
    word->length = (size_t)(close - word->start);
    s->p = close + 1;
    return true;
}

static bool boolean(struct scanner *s)
{
    static const char *const names[] = {"True", "False"};

    peek(s);
    for (size_t i = 0; i < 2; i++) {
        size_t length = strlen(names[i]);

        if ((size_t)(s->end - s->p) >= length && memcmp(s->p, names[i], length) == 0) {
            s->p += length;
            return true;
        }
    }
    return false;
}

static bool number(struct scanner *s, uint64_t *value)
{
    int digit = peek(s);

    if (digit < '0' || digit > '9')
        return false;
    for (*value = 0; digit >= '0' && digit <= '9'; digit = s->p < s->end ? *s->p : -1) {
        if (*value > (UINT64_MAX - 9) / 10)
            return false;
        *value = *value * 10 + (uint64_t)(digit - '0');
        s->p++;
    }
    accept(s, 'L'); /* suffix of long integers in Python 2 */
    return true;
}

/* Parses a tuple of dimensions, such as (5,). *count is the last dimension. */
static bool shape(struct scanner *s, unsigned *dimensions, uint64_t *count)
{
    *dimensions = 0;
    if (!accept(s, '('))
        return false;
    while (peek(s) != ')') {
        if (!number(s, count))
            return false;
        ++*dimensions;
        if (!accept(s, ',') && peek(s) != ')')
            return false;
    }
    return accept(s, ')');
}

/* Finds the type of a "descr" such as '<u4', which consists of byte order, kind and size. Returns
 * NULL, or why the type is not supported. */
static const char *element_type(struct word descr, const struct data_type **type)
{
    bool known = false;

    for (size_t i = 0; descr.length == 3 && !known && (*type = data_type_at(i)) != NULL; i++)
        known =
            (*type)->name[0] == descr.start[1] && (*type)->size == (size_t)(descr.start[2] - '0');
    if (!known)
        return ".npy element type is not one of u1 u2 u4 u8 i1 i2 i4 i8 f2 f4 f8";
    if (descr.start[0] != '<' && (*type)->size > 1)
        return ".npy elements are not little-endian";
    return NULL;
}

const char *npy_parse(const void *header, size_t size, const struct data_type **type,
                      uint64_t *count)
{
    static const char malformed[] = ".npy header is malformed";
    struct scanner s = {(const char *)header + prefix_size(header), (const char *)header + size};
    struct word key, descr = {NULL, 0};
    unsigned dimensions = UINT32_MAX;

    if (!accept(&s, '{'))
        return malformed;
    while (peek(&s) != '}') {
        bool valid;

        if (!quoted(&s, &key) || !accept(&s, ':'))
            return malformed;
        if (word_is(key, "descr")) {
            if (peek(&s) == '[')
                return ".npy elements are records, which are not supported";
            valid = quoted(&s, &descr);
        } else if (word_is(key, "shape")) {
            valid = shape(&s, &dimensions, count);
        } else { /* irrelevant for one dimension */
            valid = word_is(key, "fortran_order") && boolean(&s);
        }
        if (!valid || (!accept(&s, ',') && peek(&s) != '}'))
            return malformed;
    }
    if (descr.start == NULL || dimensions == UINT32_MAX)
        return malformed;
    if (dimensions != 1)
        return ".npy array must have exactly one dimension";
    return element_type(descr, type);
}

/* -- writing ----------------------------------------------------------------------------------- */

void npy_format(char header[NPY_HEADER_SIZE], const struct data_type *type, uint64_t count)
{
    enum { PREFIX = NPY_MAGIC_SIZE + 4 };
    int length;

    memset(header, ' ', NPY_HEADER_SIZE);
    memcpy(header, magic, NPY_MAGIC_SIZE);
    memcpy(header + NPY_MAGIC_SIZE, "\1\0", 2);
    header[NPY_MAGIC_SIZE + 2] = NPY_HEADER_SIZE - PREFIX;
    header[NPY_MAGIC_SIZE + 3] = 0;
    length =
        snprintf(header + PREFIX, NPY_HEADER_SIZE - PREFIX,
                 "{'descr': '%c%c%zu', 'fortran_order': False, 'shape': (%llu,), }",
                 type->size == 1 ? '|' : '<', type->name[0], type->size, (unsigned long long)count);
    header[PREFIX + length] = ' ';
    header[NPY_HEADER_SIZE - 1] = '\n';
}
