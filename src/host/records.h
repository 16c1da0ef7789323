/* records.h - sorts records in host memory by columns, and merges sorted pieces of them */
#ifndef CLSORT_HOST_RECORDS_H
#define CLSORT_HOST_RECORDS_H

#include "base/columns.h"
#include "base/spec.h"

/* A column of records in host memory. */
struct cls_host_column {
    struct cls_column column;
    struct cls_spec spec; /* of the numbers; not used for byte strings */
};

/* What records are ordered by. Their key is the ordered keys of all columns as big-endian numbers, one
 * after the other, in the order of memcmp. It is cut into words of 64 bits; the last one ends with
 * zeros. */
struct cls_host_records {
    size_t record_bytes;
    unsigned columns, words;
    struct cls_host_column column[CLSORT_MAX_COLUMNS];
};

/* Returns a word of the key of a record. */
uint64_t cls_host_record_word(const struct cls_host_records *records, unsigned word,
                              const char *record);

/* Returns a number below, equal to or above 0 if record a precedes b, is equal to it in all columns,
 * or follows it. */
int cls_host_compare_records(const struct cls_host_records *records, const char *a, const char *b);

/* Returns whether records are in order. */
bool cls_host_are_records_sorted(const struct cls_host_records *records, const char *at,
                                 size_t count);

/* Sorts records in the calling thread; stable. If index_bytes is 4 or 8, the records are only read, and
 * `indexes` becomes the permutation that sorts them; if it is 0, the records move. They are
 * unchanged if it returns CLSORT_E_MEMORY. */
clsort_status cls_host_sort_records(const struct cls_host_records *records, size_t count, char *at,
                                    char *indexes, size_t index_bytes);

/* Sorted pieces of records: each has `piece` of `count` records, and the last one has the rest. */
struct cls_host_merge {
    size_t count, piece;
    const char *from; /* the records */
    /* NULL, or the permutation that sorts each piece, whose indexes count from its begin. */
    const char *indexes;
    size_t index_bytes;
    char *
        to; /* becomes the sorted records or, with indexes, the permutation that sorts all of them */
};

/* Merges the pieces in the calling thread; stable. `to` does not overlap the inputs. Returns
 * CLSORT_E_MEMORY if memory for the heads of the pieces is short. */
clsort_status cls_host_merge_records(const struct cls_host_records *records,
                                     const struct cls_host_merge *merge);

#endif
