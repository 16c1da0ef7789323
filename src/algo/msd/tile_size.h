/* tile_size.h - how large hybrid's groups and tiles are, for its rounds and for its jobs, and its tables */
#ifndef CLSORT_ALGO_HYBRID_TILE_H
#define CLSORT_ALGO_HYBRID_TILE_H

#include "algo/algo.h"

enum { CLS_MSD_BITS = 8 }; /* of a digit, at most */

/* Work-items of a group, and elements of each in its tile. */
struct cls_msd_size {
    unsigned group_size, items;
};

static inline unsigned cls_msd_tile(struct cls_msd_size size)
{
    return size.group_size * size.items;
}

static inline unsigned cls_msd_round_tile(const struct cls_tuning *tuning)
{
    return tuning->group_size * tuning->msd.items;
}

static inline unsigned cls_msd_job_tile(const struct cls_tuning *tuning)
{
    return tuning->msd.job_size * tuning->msd.job_items;
}

/* Groups that go through the jobs. */
enum { CLS_MSD_JOBS_PER_UNIT = 64 };

/* The structs of segment.cl, and of a tile's counts. */
enum {
    CLS_MSD_SEGMENT_BYTES = 24,
    CLS_MSD_PART_BYTES = 8,
    CLS_MSD_JOB_BYTES = 16,
    CLS_MSD_SETTLE_BYTES = 4,
    CLS_MSD_ROW_BYTES = 4 << CLS_MSD_BITS
};

/* Between large children, and at a segment's ends, small ones with g keys in all make fewer than 4 g / (tile - 1) + 2
 * jobs; of all rounds there are no more segments than so many a digit; and what is equal is cut into tiles. */
enum { CLS_MSD_TILE_JOBS = 4, CLS_MSD_DIGIT_JOBS = 3 };

/* Segments that a round of so many keys has room for. */
uint64_t cls_msd_most_segments(const struct cls_tuning *tuning, const struct cls_spec *spec,
                               uint64_t count);

/* ROOM of job.cl. */
unsigned cls_msd_sort_room(struct cls_msd_size size);

/* VALUES_EXCHANGED of such groups, of a round and of hybrid_rest. */
bool cls_msd_round_exchanges(const struct cls_caps *caps, const struct cls_spec *spec,
                             struct cls_msd_size size);
bool cls_msd_rest_exchanges(const struct cls_caps *caps, const struct cls_spec *spec,
                            struct cls_msd_size size);

/* cls_algo.supports */
bool cls_msd_supports(const struct cls_caps *caps, const struct cls_spec *spec,
                      const struct cls_parameters *parameters, struct cls_tuning *tuning,
                      const char **why);

#endif
