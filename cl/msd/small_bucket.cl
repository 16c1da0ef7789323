// small_bucket.cl - sorts a small bucket in local memory: by bins, or if they are too uneven, by LSD
#ifndef CLSORT_MSD_SMALL_BUCKET_CL
#define CLSORT_MSD_SMALL_BUCKET_CL

#define RANK_STABLE 1

#include "msd/lsd_in_tile.cl"

#include "msd/bin_sort.cl"

// Local memory of a work-group.
typedef union {
    bin_sort_t bins;
    lsd_sort_t lsd;
} small_bucket_t;

// Sorts a bucket of at most TILE elements. is_whole: as in bin_sort.
static inline __attribute__((always_inline)) void
sort_small_bucket(__local small_bucket_t *memory, const cls_msd_bucket bucket, const bool is_whole,
                  const bucket_arrays_t arrays, const key_t flip, const key_t pad)
{
    bin_sort(&memory->bins, bucket, is_whole, arrays, flip);
    const uint is_sorted = memory->bins.is_sorted;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!is_sorted) {
        lsd_sort(&memory->lsd, bucket, arrays, flip, pad);
    }
}

#endif
