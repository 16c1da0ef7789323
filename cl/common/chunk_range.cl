// chunk_range.cl - the chunk of the input that a work-group reads
//
// Kernels have COUNT_ARGUMENT among their parameters, and set their chunk by SET_CHUNK_RANGE from a struct of arguments
// with the members count, chunk and multiple.
//
// Option: COUNT_BYTES (common/device_count.cl).
#ifndef CLSORT_COMMON_CHUNK_RANGE_CL
#define CLSORT_COMMON_CHUNK_RANGE_CL

#include "common/device_count.cl"

typedef struct {
    index_t first, last; // elements; `last` is one past the end of the chunk
} chunk_range_t;

#if COUNT_BYTES > 0
#define SET_CHUNK_RANGE(range, args) divide_count(range, DEVICE_COUNT, (args).multiple)

// Sets *range to the chunk of this work-group, which may be empty. The launch is for the maximum of the count; fewer
// elements are also divided among all work-groups. Each chunk but the last that is not empty is a multiple of
// `multiple` elements.
static inline void divide_count(chunk_range_t *range, const ulong count, const ulong multiple)
{
    const ulong groups = get_num_groups(0), share = count / groups + (count % groups > 0);
    const ulong chunk = (share / multiple + (share % multiple > 0)) * multiple;
    range->first = (index_t)min(count, get_group_id(0) * chunk);
    range->last = range->first + (index_t)min(count - range->first, chunk);
}
#else
#define SET_CHUNK_RANGE(range, args) set_chunk_range(range, (args).count, (args).chunk)

// Sets *range to the chunk of this work-group. Each chunk but the last has `chunk` of `count` elements.
static inline void set_chunk_range(chunk_range_t *range, const ulong count, const ulong chunk)
{
    range->first = (index_t)get_group_id(0) * (index_t)chunk;
    range->last = range->first + min((index_t)count - range->first, (index_t)chunk);
}
#endif

#endif
