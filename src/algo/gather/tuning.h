/* tuning.h - how values are moved by a permutation or by other indexes */
#ifndef CLSORT_ALGO_GATHER_TUNING_H
#define CLSORT_ALGO_GATHER_TUNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cls_gather {
    size_t value_bytes;
    size_t max_slice;     /* in place: bytes of each value that move at a time, at most */
    bool merges_regions;  /* the slice takes the regions of keys and of values (gather.h) */
    unsigned index_bits;  /* of the sort that the gather follows */
    unsigned count_bytes; /* of the clamped count in device memory that the kernels read; or 0 */
    unsigned group_size, units;
    uint64_t max_iterations; /* as in caps.h */
};

#endif
