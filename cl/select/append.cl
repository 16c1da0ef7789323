// append.cl - appends the selected ones of 16 keys, and their indexes, to the outputs, with AVX-512
#ifndef CLSORT_SELECT_APPEND_CL
#define CLSORT_SELECT_APPEND_CL

#include "common/append.cl"
#include "select/output.cl"

#if defined(APPENDS_VECTORS)

static inline ushort mask_less(const key_vector_t a, const key_t b)
{
    const key_vector_t all = b;
    return KEYS_COMPARE(a, all, AVX512_IS_LESS);
}

static inline ushort mask_equal(const key_vector_t a, const key_t b)
{
    const key_vector_t all = b;
    return KEYS_COMPARE(a, all, AVX512_IS_EQUAL);
}

// Writes the keys of the mask and their indexes, which count from `index`, to elements from `to` on.
static inline void append_vector(const selected_t out, const uint outputs, const index_t to,
                                 const key_vector_t keys, const index_t index, const ushort mask)
{
    if (outputs & SELECT_KEYS) {
        APPEND_KEYS(out.keys + to, keys, mask);
    }
    if (outputs & SELECT_INDEXES) {
#if VALUE_BYTES == 4
        append_indexes_32(out.indexes + to, (uint)index, mask);
#else
        append_indexes_64(out.indexes + to, (ulong)index, mask);
#endif
    }
}

#endif

#endif
