/* segments.h - the segments of --op segments */
#ifndef CLSORT_BENCH_SEGMENTS_H
#define CLSORT_BENCH_SEGMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How lengths are distributed. The mean is that of --segment-length. */
enum segments_dist {
    SEGMENTS_EQUAL,   /* rows, the last of which may be shorter */
    SEGMENTS_UNIFORM, /* from 0 to twice the mean */
    SEGMENTS_ZIPF, /* the r-th longest segment has a length proportional to 1 / r; in random order */
    SEGMENTS_DIST_COUNT
};

const char *segments_dist_name(enum segments_dist dist);

/* Returns false if there is no distribution of this name. */
bool segments_dist_find(const char *name, enum segments_dist *dist);

/* Divides `count` elements into segments of a mean length. Returns *number + 1 offsets, the last of
 * which is `count`; the caller frees them. NULL: out of memory. */
uint64_t *segments_make(enum segments_dist dist, size_t length, size_t count, size_t *number);

#ifdef __cplusplus
}
#endif
#endif
