/* random_column_segments.h - random segments of records, of columns and of byte strings */
#ifndef CLSORT_TESTS_RANDOM_COLUMN_SEGMENTS_H
#define CLSORT_TESTS_RANDOM_COLUMN_SEGMENTS_H

#include "random_columns.h"
#include "random_segments.h"

struct column_plan {
    struct plan base; /* its index_size is also that of offsets */
    struct random_columns elements;
};

struct column_segments {
    struct segments all;    /* `number` are those that the device reads */
    size_t bound;           /* the number of segments that the host states; 0 without a form */
    uint64_t device_number; /* and the one in device memory; without a form, that of elements */
    bool exceeds;           /* the latter exceeds its bound */
};

bool column_segments_have_offsets(const struct column_plan *plan);

/* Draws a form of segments, or none, and the size of a count in device memory. */
void column_segments_draw_form(uint64_t *random, clsort_desc *desc);

/* Draws at most 2^max_power elements, and one for CLSORT_NTH, and their segments; without a form, the array up to the
 * count in device memory is one segment. The caller frees them. */
void column_segments_draw(uint64_t *random, const struct column_plan *plan, unsigned max_power,
                          struct column_segments *s);
void column_segments_free(struct column_segments *s);

/* Stores the begins, or the ends, of the segments; with CLSORT_OFFSETS bound + 1 offsets. Those behind the number that
 * the device reads are of any elements. */
void column_segments_store(const struct column_plan *plan, const struct column_segments *s,
                           bool ends, uint8_t *bytes);

/* Returns the maximum number of bytes that segments add to scratch memory, as clsort.h states it. */
size_t column_segments_scratch(const struct column_plan *plan, size_t count);

#endif
