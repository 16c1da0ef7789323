// sample.cl - a sample of the input, for bins that hold about as many keys each

#if !defined(KEY_BYTES) || !defined(INDEX_BITS)
#error "sample.cl needs types.cl"
#endif

// Takes one key of each of so many parts of the input: not of the same place in each.
static inline void take_sample(__global const key_t *restrict keys, const index_t n,
                               const uint samples, __global key_t *restrict to)
{
    const ulong part = n / samples;
    for (uint i = 0; i < samples; i++)
        to[i] = keys[i * part + ((i * 2654435769u) * part >> 32)];
}
