// counters.cl - counters of digits in local memory
//
// A counter may have several copies, which neighbouring work-items use, so that fewer atomic
// operations of equal digits conflict. A work-group of one work-item needs no atomic operations.
#ifndef CLSORT_COMMON_COUNTERS_CL
#define CLSORT_COMMON_COUNTERS_CL

#include "common/work_group.cl"

static inline void add_to_count(__local uint *counts, const uint counter, const uint copies,
                                const uint number)
{
#if GROUP_SIZE > 1
    atomic_add(&counts[counter * copies + (uint)get_local_id(0) % copies], number);
#else
    counts[counter * copies] += number;
#endif
}

static inline void count_up(__local uint *counts, const uint counter, const uint copies)
{
    add_to_count(counts, counter, copies, 1);
}

static inline void clear_counts(__local uint *counts, const uint counters, const uint copies)
{
    for (uint i = (uint)get_local_id(0); i < counters * copies; i += GROUP_SIZE) {
        counts[i] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// Returns the sum of a counter's copies.
static inline uint count_of(__local const uint *counts, const uint counter, const uint copies)
{
    uint sum = 0;
    for (uint i = 0; i < copies; i++) {
        sum += counts[counter * copies + i];
    }
    return sum;
}

#endif
