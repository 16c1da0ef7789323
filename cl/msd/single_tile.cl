// single_tile.cl - sorts an input that fits in one tile, in one launch of one work-group
//
// There is one kernel, msd_sort_single_tile. It sorts the input as a small bucket, by bins of the bits in which its
// keys differ, or by LSD if a sample shows that the bins are uneven. Keys of one or two bytes are always sorted by LSD.
//
// Cost: one read and one write per element, 8 bytes per u32 key. The time is that of a launch and of the latency of one
// tile, whose steps do not overlap with those of another one. Measured (H200, 4864 u32 keys): 8.6 us by bins, 14.4 us
// if these are uneven (four passes of LSD), nearly all of it latency; a copy of these bytes at 4.18 TB/s would take
// 0.001 of that time. The launch alone takes the host 5 to 6 us.
//
// The head of round.cl explains the algorithm, layout.h the options.
#ifndef CLSORT_MSD_SINGLE_TILE_CL
#define CLSORT_MSD_SINGLE_TILE_CL

// With both networks, sorts of 2^4 to 2^12 u32 keys took 8.5 to 8.8 us, in place of 6.3 to 7.7 us with one, on an
// H200. The likely cause is that each launch fetches their instructions.
#define MERGES_HALVES 0

// Windows of uneven bins would take many sweeps.
#define CHECKS_BINS 1

// LSD takes less time for one or two digits.
#define SORTS_BY_BINS (KEY_BYTES > 2)

#include "common/device_count.cl"
#include "msd/small_bucket.cl"

__kernel SUB_GROUP_KERNEL void
msd_sort_single_tile(BUFFER(control), KEY_ARRAYS,
                     VALUE_ARRAYS COUNT_ARGUMENT const uint known_count, const key_t flip,
                     const key_t pad, const uint end_bit)
{
#if SORTS_BY_BINS
    __local small_bucket_t memory;
#else
    __local lsd_sort_t memory;
#endif
    const uint count = (uint)ELEMENT_COUNT(known_count);
    // A digit of one bit has two children, which together have all keys. Only bins_of_digits reads
    // this digit, and bin_sort replaces the result, since the bucket is the input.
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
#if SORTS_BY_BINS
    sort_small_bucket(&memory, input, true, arrays, flip, pad);
#else
    lsd_sort(&memory, input, arrays, flip, pad);
#endif
}

#endif
