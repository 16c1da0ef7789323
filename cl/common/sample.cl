// sample.cl - a sample of the input, from which sorts choose bins of about equal size
#ifndef CLSORT_COMMON_SAMPLE_CL
#define CLSORT_COMMON_SAMPLE_CL

#include "common/types.cl"

// Divides the input into `samples` parts of equal size, and takes one key from each. Its index in
// the part is a multiplicative hash of the part's number, since equidistant keys would misrepresent
// periodic input.
static inline void take_sample(__global const key_t *restrict keys, const index_t n,
                               const uint samples, __global key_t *restrict to)
{
    const ulong part = n / samples;
    for (uint i = 0; i < samples; i++) {
        to[i] = keys[i * part + ((i * 2654435769u) * part >> 32)];
    }
}

#endif
