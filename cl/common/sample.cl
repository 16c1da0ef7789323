// sample.cl - a sample of the input, from which sorts choose bins of about equal size
#ifndef CLSORT_COMMON_SAMPLE_CL
#define CLSORT_COMMON_SAMPLE_CL

#include "common/types.cl"

// A multiplicative hash alone spreads the indexes of a sample so evenly that in sorted input the low bits of the
// sample have few values for some counts.
static inline uint sample_hash(const uint i)
{
    uint hash = i * 2654435769u;
    hash = (hash ^ hash >> 15) * 2246822519u;
    return hash ^ hash >> 13;
}

// Divides the input into `samples` parts of equal size, and returns the index of a key of part i. The last keys, fewer
// than there are parts, are in none. The key's index in the part is a hash of the part's number, since equidistant keys
// would misrepresent periodic input.
static inline index_t sampled_index(const index_t n, const uint samples, const uint i)
{
    const ulong part = n / samples;
    return (index_t)(i * part + (sample_hash(i) * part >> 32));
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
