// small_bucket.cl - sorts a small bucket in local memory: by bins, or if they are too uneven, by LSD
#ifndef CLSORT_MSD_SMALL_BUCKET_CL
#define CLSORT_MSD_SMALL_BUCKET_CL

#define RANK_STABLE 1

#include "msd/bin_sort.cl"
#include "msd/group_or.cl"
#include "msd/lsd_in_tile.cl"

// Local memory of a work-group.
typedef union {
    bin_sort_t bins;
    lsd_sort_t lsd;
} small_bucket_t;

// Sorts a bucket of at most TILE elements by bins; is_sorted as in bin_sort_keys. is_whole: the bucket is a whole
// segment, and no kernel has computed yet in which bits its keys differ.
static inline __attribute__((always_inline)) void
bin_sort(__local bin_sort_t *local_sort, const cls_msd_bucket bucket, const bool is_whole,
         const bucket_arrays_t arrays, const key_t flip)
{
    const uint t = (uint)get_local_id(0), count = bucket.count;
    bins_t bins = bins_of_digits(bucket);
    key_t key[ITEMS];
    // NVIDIA's compiler would not unroll this loop with KEY_INDEX(i) in place of j.
    UNROLL
    for (uint i = 0; i < ITEMS; i++) {
        const uint j = t + i * GROUP_SIZE;
        key[i] = j < count ? ordered(arrays.keys[j], flip) : 0;
    }
    if (is_whole) {
        const key_t some = ordered(arrays.keys[0], flip);
        bins = bins_of_varying(group_or(differing_bits(key, count, some), local_sort->words));
    }
    bin_sort_keys(local_sort, bucket, key, bins, arrays, flip);
}

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
