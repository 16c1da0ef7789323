// append.cl - appends the selected ones of 16 keys, and their indexes, to the outputs, with AVX-512
#ifndef CLSORT_SELECT_APPEND_CL
#define CLSORT_SELECT_APPEND_CL

#include "common/append.cl"
#include "select/output.cl"

#if defined(APPENDS_VECTORS)

// Writes the keys of the mask and their indexes, which count from `index`, to elements from `to` on.
static inline void append_vector(const selected_t out, const uint outputs, const index_t to,
                                 const key_vector_t keys, const index_t index, const ushort mask)
{
    if (outputs & SELECT_KEYS) {
        APPEND_KEYS(out.keys + to, keys, mask);
    }
    if (outputs & SELECT_INDEXES) {
        APPEND_VALUE_INDEXES(out.indexes + to, index, mask);
    }
}

#endif

#endif
