// reverse_keys.cl - reverses the order of keys, by vectors
#ifndef CLSORT_COMMON_REVERSE_KEYS_CL
#define CLSORT_COMMON_REVERSE_KEYS_CL

#include "common/keys.cl"

#define REVERSED(vector) ((vector).sfedcba9876543210)

// Reverses n keys. Each key of [first, last), a part of the lower half with the middle key, changes
// places with its mirror image, which is as far from the end of the array as the key is from the
// start. Both are loaded before either is stored, so that the output may be the input. In the middle
// the last vector may share one key with its mirror image.
static inline void reverse_keys(__global const key_t *from, __global key_t *to, const index_t first,
                                const index_t last, const index_t n)
{
    index_t i = first;
    for (; i + 16 <= last; i += 16) {
        const index_t mirror = n - i - 16;
        const key_vector_t low = vload16(0, from + i), high = vload16(0, from + mirror);
        vstore16(REVERSED(high), 0, to + i);
        vstore16(REVERSED(low), 0, to + mirror);
    }
    for (; i < last; i++) {
        const key_t low = from[i], high = from[n - 1 - i];
        to[i] = high;
        to[n - 1 - i] = low;
    }
}

#endif
