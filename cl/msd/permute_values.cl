// permute_values.cl - permutes the values of a small bucket after its keys have been sorted in
// local memory
//
// Values do not move while the keys are sorted. Each key is accompanied by `from`, its original
// index in the bucket. At the end the values are permuted by these indexes: in local memory if they
// have at most 8 bytes, and otherwise by reads of global memory at random positions.
//
// Cost: one read and one write of the values. Values of more than 8 bytes that are already in the
// output are copied to scratch first, which costs another read and write.
#ifndef CLSORT_MSD_PERMUTE_VALUES_CL
#define CLSORT_MSD_PERMUTE_VALUES_CL

#include "common/arrays.cl"
#include "common/keys.cl"
#include "common/unroll.cl"
#include "common/work_group.cl"
#include "msd/layout.h"

// The last window of windows.cl may reach ITEMS elements beyond the tile.
#define LOCAL_CAPACITY (TILE + ITEMS)

// Wider values would need more local memory than their keys. local_bucket_bytes() of the host has
// the same limit.
#define PERMUTES_IN_LOCAL (VALUE_BYTES > 0 && VALUE_BYTES <= 8)

typedef union {
    struct {
        key_t key[LOCAL_CAPACITY];
        VALUES(ushort from[LOCAL_CAPACITY];) // original index of each key in the bucket
    } sorted;
#if PERMUTES_IN_LOCAL
    // The values, in their original order, after the keys have been written.
    value_unit_t unit[LOCAL_CAPACITY * (VALUE_BYTES / sizeof(value_unit_t))];
#endif
} local_bucket_t;

// The arrays from which a bucket is read and to which it is written. Its keys begin at keys[0], but
// its values at values[bucket.start], since values that are indexes are made from the index. Input
// and output may be the same.
typedef struct {
    __global const key_t *keys;
    __global key_t *keys_out;
    VALUES(__global const value_t *values;)
    VALUES(__global value_t *values_out;)
    VALUES(__global value_t *values_tmp;) // copies of wide values, if input and output are the same
} bucket_arrays_t;

// Initializes them from KEY_ARRAYS and VALUE_ARRAYS of the kernel.
#if VALUE_BYTES > 0
#define BUCKET_ARRAYS(bucket)                                                                      \
    {                                                                                              \
        KEYS_OF(bucket.array) + bucket.start, AT(key_t, keys_to) + bucket.start,                   \
            VALUES_FROM(bucket.array), AT(value_t, values_to), AT(value_t, values_tmp)             \
    }
#else
#define BUCKET_ARRAYS(bucket)                                                                      \
    {                                                                                              \
        KEYS_OF(bucket.array) + bucket.start, AT(key_t, keys_to) + bucket.start                    \
    }
#endif

#if VALUE_BYTES > 0
#define VALUE_BATCH (40 / VALUE_BYTES) // values that a work-item has in registers

// Permutes the values of the bucket's first `count` elements. Element first + i * stride, this
// work-item's item i, gets the value of element from[i]; beyond `count` from[i] may be any index
// below it. All values are read before one is written, since input and output may be the same; and
// without bounds checks, which would make compilers keep the batches in memory.
static inline void permute_values(__local local_bucket_t *local_bucket, const uint *from,
                                  const uint first, const uint stride, const uint count,
                                  const bucket_arrays_t arrays, const cls_msd_bucket bucket)
{
    const uint t = (uint)get_local_id(0), last = max(count, 1u) - 1;
#if PERMUTES_IN_LOCAL
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLL
    for (uint b = 0; b < ITEMS; b += VALUE_BATCH) {
        value_t value[VALUE_BATCH];
        UNROLL
        for (uint i = 0; i < VALUE_BATCH; i++) {
            value[i] = VALUE_FROM(arrays.values, bucket.array,
                                  bucket.start + min(t + (b + i) * GROUP_SIZE, last));
        }
        UNROLL
        for (uint i = 0; i < VALUE_BATCH; i++) {
            if (b + i < ITEMS) {
                *VALUE_IN(local_bucket->unit, t + (b + i) * GROUP_SIZE) = value[i];
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#define ORIGINAL_VALUE(from) *VALUE_IN(local_bucket->unit, from)
#else
    const bool is_in_place = arrays.values == arrays.values_out;
    for (uint j = bucket.start + t; j < bucket.start + count && is_in_place; j += GROUP_SIZE) {
        arrays.values_tmp[j] = arrays.values[j];
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    __global const value_t *source =
        (is_in_place ? arrays.values_tmp : arrays.values) + bucket.start;
#define ORIGINAL_VALUE(from) source[min(from, last)]
#endif
    UNROLL
    for (uint b = 0; b < ITEMS; b += VALUE_BATCH) {
        value_t value[VALUE_BATCH];
        UNROLL
        for (uint i = 0; i < VALUE_BATCH; i++) {
            value[i] = ORIGINAL_VALUE(from[min(b + i, ITEMS - 1u)]);
        }
        UNROLL
        for (uint i = 0; i < VALUE_BATCH; i++) {
            const uint j = first + (b + i) * stride;
            if (b + i < ITEMS && j < count) {
                arrays.values_out[bucket.start + j] = value[i];
            }
        }
    }
}
#endif

#endif
