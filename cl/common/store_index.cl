// store_index.cl - outputs that are indexes of elements, of 4 or 8 bytes each
#ifndef CLSORT_COMMON_STORE_INDEX_CL
#define CLSORT_COMMON_STORE_INDEX_CL

#include "common/types.cl"

// Stores an index at place `to` of the indexes, which have `bytes` bytes each.
static inline void store_index(__global uchar *indexes, const uint bytes, const index_t to,
                               const index_t index)
{
    if (bytes == 4) {
        ((__global uint *)indexes)[to] = (uint)index;
    } else {
        ((__global ulong *)indexes)[to] = index;
    }
}

#endif
