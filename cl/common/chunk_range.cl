// chunk_range.cl - the chunk of the input that a work-group reads
#ifndef CLSORT_COMMON_CHUNK_RANGE_CL
#define CLSORT_COMMON_CHUNK_RANGE_CL

#include "common/types.cl"

typedef struct {
    index_t first, last; // elements; `last` is behind the chunk
} chunk_range_t;

// Sets *range to the chunk of this work-group. Each chunk but the last has `chunk` of `count` elements.
static inline void set_chunk_range(chunk_range_t *range, const ulong count, const ulong chunk)
{
    range->first = (index_t)get_group_id(0) * (index_t)chunk;
    range->last = range->first + min((index_t)count - range->first, (index_t)chunk);
}

#endif
