/* hybrid_tile.h - how large hybrid's groups and tiles are, for its rounds and for its jobs, and its tables */
#ifndef CLSORT_ALGO_HYBRID_TILE_H
#define CLSORT_ALGO_HYBRID_TILE_H

#include "algo/algo.h"

enum { CLS_HYBRID_BITS = 8 }; /* of a digit, at most */

/* Work-items of a group, and elements of each in its tile. */
struct cls_hybrid_size {
    unsigned group_size, items;
};

static inline unsigned cls_hybrid_tile(struct cls_hybrid_size size)
{
    return size.group_size * size.items;
}

static inline unsigned cls_hybrid_round_tile(const struct cls_tuning *tuning)
{
    return tuning->group_size * tuning->items;
}

static inline unsigned cls_hybrid_job_tile(const struct cls_tuning *tuning)
{
    return tuning->job_size * tuning->job_items;
}

/* Groups that go through the jobs. */
enum { CLS_HYBRID_JOBS_PER_UNIT = 64 };

/* The structs of segment.cl, and of a tile's counts. */
enum {
    CLS_HYBRID_SEGMENT_BYTES = 24,
    CLS_HYBRID_PART_BYTES = 8,
    CLS_HYBRID_JOB_BYTES = 16,
    CLS_HYBRID_SETTLE_BYTES = 4,
    CLS_HYBRID_ROW_BYTES = 4 << CLS_HYBRID_BITS
};

/* Between large children, and at a segment's ends, small ones with g keys in all make fewer than 4 g / (tile - 1) + 2
 * jobs; of all rounds there are no more segments than so many a digit; and what is equal is cut into tiles. */
enum { CLS_HYBRID_TILE_JOBS = 4, CLS_HYBRID_DIGIT_JOBS = 3 };

/* Segments that a round of so many keys has room for. */
uint64_t cls_hybrid_most_segments(const struct cls_tuning *tuning, const struct cls_shape *shape,
                                  uint64_t count);

/* The exponent of the greatest power of two that is not above n > 0, ... */
unsigned cls_floor_log2(uint64_t n);

/* ... and of the least that is not below n. */
unsigned cls_ceil_log2(uint64_t n);

/* ROOM of job.cl. */
unsigned cls_hybrid_sort_room(struct cls_hybrid_size size);

/* VALUES_EXCHANGED of such groups, of a round and of hybrid_rest. */
bool cls_hybrid_round_exchanges(const struct cls_caps *caps, const struct cls_shape *shape,
                                struct cls_hybrid_size size);
bool cls_hybrid_rest_exchanges(const struct cls_caps *caps, const struct cls_shape *shape,
                               struct cls_hybrid_size size);

/* cls_algo.supports */
bool cls_hybrid_supports(const struct cls_caps *caps, const struct cls_shape *shape,
                         const struct cls_parameters *parameters, struct cls_tuning *tuning,
                         const char **why);

#endif
