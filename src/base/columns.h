/* columns.h - the columns of a sort: what elements are ordered by, most significant first */
#ifndef CLSORT_BASE_COLUMNS_H
#define CLSORT_BASE_COLUMNS_H

#include <clsort.h>

/* A checked clsort_column. Requests are copied often, so that it is small. */
struct cls_column {
    uint32_t offset; /* in a record, in bytes */
    uint16_t bytes;
    uint8_t key;   /* a clsort_key */
    uint8_t flags; /* CLSORT_DESCENDING, CLSORT_FLOAT_NUMERIC, CLSORT_BIG_ENDIAN */
};

struct cls_columns {
    unsigned count;        /* 0: the sort has a single key */
    uint32_t record_bytes; /* 0: a buffer for each column */
    struct cls_column column[CLSORT_MAX_COLUMNS];
};

/* Returns the number of words of 64 bits that the columns of an element have together. */
static inline unsigned cls_columns_words(const struct cls_columns *columns)
{
    unsigned bytes = 0;
    for (unsigned i = 0; i < columns->count; i++)
        bytes += columns->column[i].bytes;
    return (bytes + 7) / 8;
}

#endif
