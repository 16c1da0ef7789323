/* offsets.h - the library clsort-keys: offsets of generated segments */
#ifndef CLSORT_TOOLS_OFFSETS_H
#define CLSORT_TOOLS_OFFSETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How the lengths of segments are distributed. */
enum segments_dist {
    SEGMENTS_EQUAL,   /* rows, the last of which may be shorter */
    SEGMENTS_UNIFORM, /* from 0 to twice the mean */
    SEGMENTS_ZIPF, /* the r-th longest segment has a length proportional to 1 / r; in random order */
    SEGMENTS_MIXED, /* in random order, 12 of 16 at most 8, 3 of 16 up to twice and the rest up to 26
                       times the mean */
    SEGMENTS_DIST_COUNT
};

/* Returns the name of a distribution, such as "zipf". */
const char *segments_dist_name(enum segments_dist dist);

/* Returns false if there is no distribution of this name. */
bool segments_dist_find(const char *name, enum segments_dist *dist);

/* Divides `count` elements into segments of about this mean length, from 1 on. Returns *number + 1 offsets,
 * the last of which is `count`; the caller frees them. NULL: out of memory. */
uint64_t *segments_make(enum segments_dist dist, size_t length, uint64_t seed, size_t count,
                        size_t *number);

#ifdef __cplusplus
}
#endif
#endif
