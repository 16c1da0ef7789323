// fallback.cl - sorts the buckets that msd_sort_buckets deferred
//
// These are the oversized ones, and if local memory holds no tile of SMALL_TILE elements with the counters of
// lsd_in_tile.cl (SORTS_SKEWED 0), also small ones whose bins are too uneven. The only kernel, msd_sort_oversized,
// sorts them by LSD in global memory, one work-group per bucket, by the digits that vary.
//
// Cost: a read of the keys; per digit that varies, two reads of the keys and one write, and a read and a
// write of the values; and a copy if the last digit leaves the elements in scratch. A single work-group
// cannot saturate the memory bandwidth. The kernel exists so that the table of large buckets can have a
// bounded size.
//
// The head of round.cl explains the algorithm, layout.h the options.
#ifndef CLSORT_MSD_FALLBACK_CL
#define CLSORT_MSD_FALLBACK_CL

#define RANK_STABLE 1

#include "msd/buckets.cl"

#include "common/group_sum.cl"
#include "common/load_tile.cl"
#include "msd/exchange_keys.cl"
#include "msd/group_or.cl"
#include "msd/varying_digits.cl"

// Counts the digits of `count` keys; offset[] becomes the offset of each digit in an array where
// the first key goes to `start`.
static inline void digit_offsets(__local uint *offset, __local uint *sums,
                                 __global const key_t *keys, const uint start, const uint count,
                                 const digit_t digit)
{
    const uint t = (uint)get_local_id(0);
    for (uint d = t; d < RADIX; d += GROUP_SIZE) {
        offset[d] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint j = t; j < count; j += GROUP_SIZE) {
        atomic_inc(&offset[digit_in(keys[start + j], digit)]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = start;
    for (uint first = 0; first < RADIX; first += GROUP_SIZE) {
        const uint d = first + t;
        uint total;
        const uint before = group_exclusive_sum(d < RADIX ? offset[d] : 0, sums, &total);
        if (d < RADIX) {
            offset[d] = sum + before;
        }
        sum += total;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// The bits in which the keys differ. `words` has 2 elements.
static inline ulong varying_bits(__global const key_t *keys, const uint count, const key_t flip,
                                 __local uint *words)
{
    const key_t some = ordered(keys[0], flip);
    key_t different = 0;
    for (uint j = (uint)get_local_id(0); j < count; j += GROUP_SIZE) {
        different |= ordered(keys[j], flip) ^ some;
    }
    return group_or(different, words);
}

__kernel SUB_GROUP_KERNEL void msd_sort_oversized(BUFFER(control), KEY_ARRAYS,
                                                  VALUE_ARRAYS BUFFER(buckets), BUFFER(deferred),
                                                  const key_t flip, const key_t pad)
{
    __local exchange_t exchange;
    __local ranks_t ranks;
    __local uint offsets[RADIX], to[RADIX];
    __local uint sums[GROUP_SIZE], words[2];
    const uint t = (uint)get_local_id(0);
    const uint deferred_count = AT(const cls_msd_control, control)->deferred;
    for (uint g = (uint)get_group_id(0); g < deferred_count; g += (uint)get_num_groups(0)) {
        const cls_msd_bucket bucket =
            AT(const cls_msd_bucket, buckets)[AT(const uint, deferred)[g]];
        uint array = bucket.array;
        const ulong varying =
            varying_bits(KEYS_OF(array) + bucket.start, bucket.count, flip, words);
        for (uint shift = next_varying_digit(varying, 0, bucket.top); shift < bucket.top;
             shift = next_varying_digit(varying, shift + BITS, bucket.top)) {
            const uint target = array_after(array);
            const digit_t digit = {flip, shift, digit_mask(shift, bucket.top)};
            uint offset[BINS_PER_ITEM];
            digit_offsets(offsets, sums, KEYS_OF(array), bucket.start, bucket.count, digit);
            for (uint i = 0; i < BINS_PER_ITEM; i++) {
                offset[i] = offsets[min(t * BINS_PER_ITEM + i, RADIX - 1)];
            }
            for (uint first = 0; first < bucket.count; first += TILE) {
                const uint count = min(bucket.count - first, (uint)TILE);
                key_t key[ITEMS];
                uint rank[ITEMS], total[BINS_PER_ITEM];
                VALUES(value_t value[ITEMS];)
                load_tile(key, KEYS_OF(array) + bucket.start + first, count, pad);
                find_digits(rank, key, digit);
                rank_tile(&ranks, count, digit.mask, rank, total);
                exchange_keys(&exchange, &ranks, to, key, rank, total, offset);
                barrier(CLK_LOCAL_MEM_FENCE);
                VALUES(load_values(value, count, VALUES_FROM(array), array, bucket.start + first);)
                write_keys(&exchange, rank, to, count, KEYS_OF(target), digit);
                VALUES(exchange_values(&exchange, rank, value);)
                VALUES(write_values(&exchange, rank, value, to, count, VALUES_TO(target), digit);)
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            array = target;
        }
        const uint left = array == OUTPUT_ARRAY ? 0 : bucket.count; // to copy to the output
        for (uint j = bucket.start + t; j < bucket.start + left; j += GROUP_SIZE) {
            AT(key_t, keys_to)[j] = KEYS_OF(array)[j];
            VALUES(AT(value_t, values_to)[j] = VALUE_FROM(VALUES_FROM(array), array, j);)
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}

#endif
