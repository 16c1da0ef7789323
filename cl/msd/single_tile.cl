// single_tile.cl - sorts an input that fits in one tile, in one launch of one work-group
//
// There is one kernel, msd_sort_single_tile. It sorts the input as a small bucket, by bins of the bits in which its
// keys differ, or by LSD if a sample shows that the bins are uneven or MAX_SWEEPS sweeps do not suffice. Keys of one or
// two bytes are always sorted by LSD.
//
// Cost: one read and one write per element, 8 bytes per u32 key. The time is that of a launch and of the latency of one
// tile, whose steps do not overlap with those of another one. Most steps run for all ITEMS elements of a work-item,
// even if the input has fewer. Measured (H200, u32 keys): by bins 5.9 us, or as long as the host takes for a launch, up
// to 8.3 us on another machine; if the bins are uneven (four passes of LSD), 9.3 us for 2000 keys, with 13 keys per
// work-item, and 11.9 us for 4864, with 19. A copy of these bytes at 4.18 TB/s would take 0.001 of that time.
//
// The head of round.cl explains the algorithm, layout.h the options.
#ifndef CLSORT_MSD_SINGLE_TILE_CL
#define CLSORT_MSD_SINGLE_TILE_CL

// With both networks, sorts of 2^4 to 2^12 u32 keys took 8.5 to 8.8 us, in place of 6.3 to 7.7 us with one, on an
// H200. The likely cause is that each launch fetches their instructions.
#define MERGES_HALVES 0

// The sample may miss a bin of many equal keys and a few others. With keys of 8 bytes, each sweep over it takes 0.9 us
// (9 per work-item) or 4 us (19) on an H200, so that LSD is soon faster; with shorter keys 0.3 us. A bin of equal keys
// takes four sweeps.
#define MAX_SWEEPS (KEY_BYTES == 8 ? 5 : CLS_MSD_MAX_SWEEPS)

// LSD takes less time for one or two digits.
#define SORTS_BY_BINS (KEY_BYTES > 2)

// LSD gets the keys from the registers to which they have been loaded for the bins.
#define KEY_INDEX(i) tile_index(i)

#define RANK_STABLE 1

#include "common/device_count.cl"
#include "msd/lsd_in_tile.cl"

#include "msd/bin_sort.cl"

#if SORTS_BY_BINS
// Of a sample of GROUP_SIZE keys, a bin mostly has fewer than two. If one has more than MAX_SAMPLED, the windows would
// take many sweeps, unless the bucket is so small that the bin has about MAX_LARGEST keys. Buckets of fewer than
// GROUP_SIZE keys may have larger bins, since a sweep over a few windows takes little time.
#define MAX_SAMPLED 5u
#define MAX_LARGEST (3 * HALF_WINDOW + 1)

// The first key of each bin is stored among the elements.
typedef char bins_fit_t[LOCAL_BINS <= LOCAL_CAPACITY ? 1 : -1];

// Returns whether the samples, one of each work-item, show that the bins are uneven. Without values, a key that is
// equal to the first one of its bin does not show this, since equal keys are in order.
static inline bool are_uneven(__local bin_sort_t *local_sort, const key_t sample, const uint count,
                              const bins_t bins)
{
    const uint t = (uint)get_local_id(0), bin = bin_of(bins, sample);
    __local uint *uneven = local_sort->words;
    if (t == 0) {
        *uneven = 0;
    }
    clear_bins(local_sort);
    const uint before = t < count ? atomic_inc(&local_sort->counts[bin]) : 0;
    if (t < count && before == 0) {
        local_sort->elements.sorted.key[bin] = sample;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const bool differs = VALUE_BYTES > 0 || local_sort->elements.sorted.key[bin] != sample;
    if (before >= max(MAX_SAMPLED, MAX_LARGEST * GROUP_SIZE / count) && differs) {
        atomic_max(uneven, 1u);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return *uneven > 0;
}

static inline void order_keys(key_t *number, const key_t *key, const key_t flip)
{
    UNROLL
    for (uint i = 0; i < ITEMS; i++) {
        number[i] = ordered(key[i], flip);
    }
}

// Sorts by bins if they are even. Returns whether the elements are sorted.
static inline __attribute__((always_inline)) bool
sort_by_bins(__local bin_sort_t *local_sort, const cls_msd_bucket input, const key_t *key,
             const ulong varying, const bucket_arrays_t arrays, const key_t flip)
{
    const uint t = (uint)get_local_id(0), count = input.count;
    const bins_t bins = bins_of_varying(varying);
    // The samples are spread over the input, since neighbouring keys may be alike.
    const uint sampled = count < GROUP_SIZE ? min(t, count - 1) : t * count / GROUP_SIZE;
    const bool is_uneven = are_uneven(local_sort, ordered(arrays.keys[sampled], flip), count, bins);
    if (t == 0) {
        local_sort->is_sorted = 0;
    }
    if (!is_uneven) {
        key_t number[ITEMS];
        order_keys(number, key, flip);
        bin_sort_keys(local_sort, input, number, bins, arrays, flip);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const bool is_sorted = local_sort->is_sorted;
    barrier(CLK_LOCAL_MEM_FENCE);
    return is_sorted;
}
#endif

// Local memory of the work-group.
typedef union {
#if SORTS_BY_BINS
    bin_sort_t bins;
#endif
    lsd_sort_t lsd;
} tile_memory_t;

__kernel SUB_GROUP_KERNEL void
msd_sort_single_tile(BUFFER(control), KEY_ARRAYS,
                     VALUE_ARRAYS COUNT_ARGUMENT const uint known_count, const key_t flip,
                     const key_t pad, const uint end_bit)
{
    __local tile_memory_t memory;
    const uint count = (uint)ELEMENT_COUNT(known_count);
    // The bins come from the keys, so that the digit is not read.
    const cls_msd_bucket input = {0, count, INPUT_ARRAY, (uchar)end_bit, (uchar)(end_bit - 1), 0,
                                  0, 2};
    const bucket_arrays_t arrays = BUCKET_ARRAYS(input);
    if (get_local_id(0) == 0) {
        // The gather reads this after a sort of indexes.
        AT(cls_msd_control, control)->head.is_sorted = 0;
    }
#if COUNT_BYTES > 0
    if (count == 0) {
        return;
    }
#endif
    key_t key[ITEMS];
    const ulong varying = lsd_load(key, arrays.keys, count, flip, pad, memory.lsd.words);
#if SORTS_BY_BINS
    if (sort_by_bins(&memory.bins, input, key, varying, arrays, flip)) {
        return;
    }
#endif
    lsd_sort_keys(&memory.lsd, input, key, varying, arrays, flip);
}

#endif
