// sample.cl - a sample of the input, from which sorts choose bins of about equal size
#ifndef CLSORT_COMMON_SAMPLE_CL
#define CLSORT_COMMON_SAMPLE_CL

#include "common/types.cl"

// Divides the input into `samples` parts of equal size, and returns the index of a key of part i.
// Its index in the part is a hash of the part's number, since equidistant keys would misrepresent
// periodic input. A multiplicative hash alone spreads the indexes so evenly that in sorted input the
// low bits of the sample have few values for some counts.
static inline index_t sampled_index(const index_t n, const uint samples, const uint i)
{
    const ulong part = n / samples;
    uint hash = i * 2654435769u;
    hash = (hash ^ hash >> 15) * 2246822519u;
    hash ^= hash >> 13;
    return (index_t)(i * part + (hash * part >> 32));
}

static inline key_t sampled_key(__global const key_t *restrict keys, const index_t n,
                                const uint samples, const uint i)
{
    return keys[sampled_index(n, samples, i)];
}

// Takes one key from each part.
static inline void take_sample(__global const key_t *restrict keys, const index_t n,
                               const uint samples, __global key_t *restrict to)
{
    for (uint i = 0; i < samples; i++) {
        to[i] = sampled_key(keys, n, samples, i);
    }
}

#endif
