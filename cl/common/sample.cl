// sample.cl - a sample of the input, for bins that hold about as many keys each
#ifndef CLSORT_COMMON_SAMPLE_CL
#define CLSORT_COMMON_SAMPLE_CL

#include "common/types.cl"

// Takes one key of each of so many parts of the input: not of the same place in each.
static inline void take_sample(__global const key_t *restrict keys, const index_t n,
                               const uint samples, __global key_t *restrict to)
{
    const ulong part = n / samples;
    for (uint i = 0; i < samples; i++)
        to[i] = keys[i * part + ((i * 2654435769u) * part >> 32)];
}

#endif
