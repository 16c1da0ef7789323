// bounds.cl - makes the list of segments from offsets, or from begins and ends
//
// The offsets come from the caller, who may have computed them wrongly. The list has only segments
// that are within the array, are not empty, and do not overlap, so that the kernels that sort need no
// further checks. A segment begins at least where all preceding ones end: the largest end of the
// preceding chunks is known when a chunk is processed, and a scan yields that of the preceding
// segments in the chunk. Begins and ends are sorted by the begins before.
//
// Hillis and Steele, "Data parallel algorithms", CACM 29(12), 1986, p. 1170.
//
// Kernels, in launch order:
//   segments_ends     per chunk: the largest end
//   segments_count    per chunk: counts the segments of the list, and those that are clamped
//   segments_list     per chunk: writes its part of the list; the last chunk initializes the control
//                     block and writes the result
// or, for rows, which need no list, and for a whole array whose number of elements is in device memory:
//   segments_single   one work-item: initializes the control block and writes the result; of a whole array,
//                     makes a list of one segment
//
// Cost: three reads of the offsets, and a write of 8 or 16 bytes per segment.
//
// Options, besides GROUP_SIZE (common/work_group.cl): KEY_BYTES (common/types.cl) is the size of an
// offset. The count of common/device_count.cl is the number of segments, which is clamped to that of the
// arguments.
#ifndef CLSORT_SEGMENTS_BOUNDS_CL
#define CLSORT_SEGMENTS_BOUNDS_CL

#include "common/device_count.cl"
#include "common/scan.cl"
#include "common/work_group.cl"
#include "segments/begin.cl"
#include "segments/layout.h"
#include "segments/list.cl"

// -- the number of segments -----------------------------------------------------------------------

#if COUNT_BYTES > 0
#define SEGMENT_COUNT min(DEVICE_COUNT, (ulong)args.segments)
#define EXCEEDED_FLAG(bound) (DEVICE_COUNT > (bound) ? COUNT_EXCEEDED : 0)
#else
#define SEGMENT_COUNT ((ulong)args.segments)
#define EXCEEDED_FLAG(bound) 0
#endif

// -- segments of the caller -----------------------------------------------------------------------

// The offsets of a segment, not yet clamped.
typedef struct {
    ulong begin, end;
} offsets_t;

static inline offsets_t offsets_of(__global const key_t *begins, __global const key_t *ends,
                                   const ulong i, const cls_segments_bounds_args args)
{
    offsets_t offsets;
    offsets.begin = begins[i];
    offsets.end = args.form == SEGMENTS_OFFSETS ? begins[i + 1] : ends[i];
    return offsets;
}

// Returns the segment of the list for some offsets, if the preceding segments end at `max_end`. It
// may be empty.
static inline segment_t clamp_offsets(const offsets_t offsets, const ulong max_end,
                                      const ulong count)
{
    segment_t segment;
    segment.begin = (index_t)max(min(offsets.begin, count), max_end);
    segment.end = (index_t)max(min(offsets.end, count), (ulong)segment.begin);
    return segment;
}

// Returns whether the segment has other elements than its offsets say, or these are invalid.
static inline bool is_clamped(const offsets_t offsets, const segment_t segment, const ulong count)
{
    return offsets.begin > offsets.end || offsets.end > count ||
           (offsets.begin < offsets.end && offsets.begin != segment.begin);
}

// -- chunks ---------------------------------------------------------------------------------------

// Returns the maximum of `value` over all preceding work-items and `before`; sets *all to that over
// all work-items and `before`. `maxima` has 2 * GROUP_SIZE elements.
static inline ulong group_exclusive_max(const ulong value, const ulong before,
                                        __local ulong *maxima, ulong *all)
{
    const uint t = (uint)get_local_id(0);
    uint from = 0;
    barrier(CLK_LOCAL_MEM_FENCE); // all have read the results of a preceding scan
    maxima[t] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint distance = 1; distance < GROUP_SIZE; distance *= 2) {
        const ulong maximum =
            max(maxima[from + t], t >= distance ? maxima[from + t - distance] : (ulong)0);
        from = GROUP_SIZE - from;
        maxima[from + t] = maximum;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const ulong maximum = t > 0 ? max(maxima[from + t - 1], before) : before;
    *all = max(maxima[from + GROUP_SIZE - 1], before);
    barrier(CLK_LOCAL_MEM_FENCE);
    return maximum;
}

// What precedes a segment.
typedef struct {
    ulong max_end;   // the largest end of the preceding segments
    ulong non_empty; // the number of those that the list has
} preceding_t;

// The work-items share the chunks. (Functions that return structs would make Clang emit an intrinsic
// function that Oclgrind lacks.)
static inline void sum_preceding_chunks(preceding_t *before,
                                        __global const cls_segments_chunk *chunks, const uint chunk,
                                        __local ulong *words)
{
    ulong max_end = 0, non_empty = 0;
    for (uint c = (uint)get_local_id(0); c < chunk; c += GROUP_SIZE) {
        max_end = max(max_end, (ulong)chunks[c].max_end);
        non_empty += chunks[c].non_empty;
    }
    group_exclusive_max(max_end, 0, words, &before->max_end);
    group_exclusive_scan(non_empty, words, &before->non_empty);
}

#define BOUNDS_ARGUMENTS INPUT(begins), INPUT(ends), BUFFER(chunks)
#define CHUNKS AT(cls_segments_chunk, chunks)

__kernel WORK_GROUP_KERNEL void segments_ends(BOUNDS_ARGUMENTS,
                                              COUNT_ARGUMENT const cls_segments_bounds_args args)
{
    __local ulong maxima[2 * GROUP_SIZE];
    const ulong first = get_group_id(0) * args.chunk;
    const ulong last = min(first + args.chunk, SEGMENT_COUNT);
    ulong max_end = 0, all;
    for (ulong i = first + get_local_id(0); i < last; i += GROUP_SIZE) {
        const offsets_t offsets =
            offsets_of(AT(const key_t, begins), AT(const key_t, ends), i, args);
        max_end = max(max_end, min(offsets.end, (ulong)args.count));
    }
    group_exclusive_max(max_end, 0, maxima, &all);
    if (get_local_id(0) == 0) {
        CHUNKS[get_group_id(0)].max_end = all;
        CHUNKS[get_group_id(0)].non_empty = 0;
    }
}

__kernel WORK_GROUP_KERNEL void segments_count(BOUNDS_ARGUMENTS,
                                               COUNT_ARGUMENT const cls_segments_bounds_args args)
{
    __local ulong words[2 * GROUP_SIZE];
    const uint chunk = (uint)get_group_id(0);
    const ulong first = chunk * args.chunk, last = min(first + args.chunk, SEGMENT_COUNT);
    ulong non_empty = 0, clamped = 0, all;
    preceding_t preceding;
    sum_preceding_chunks(&preceding, CHUNKS, chunk, words);
    for (ulong step = first; step < last; step += GROUP_SIZE) {
        const ulong i = step + get_local_id(0);
        offsets_t offsets = {0, 0};
        if (i < last) {
            offsets = offsets_of(AT(const key_t, begins), AT(const key_t, ends), i, args);
        }
        const ulong before = group_exclusive_max(min(offsets.end, (ulong)args.count),
                                                 preceding.max_end, words, &preceding.max_end);
        const segment_t segment = clamp_offsets(offsets, before, args.count);
        non_empty += segment.begin < segment.end;
        clamped += is_clamped(offsets, segment, args.count);
    }
    group_exclusive_scan(non_empty, words, &all);
    if (get_local_id(0) == 0) {
        CHUNKS[chunk].non_empty = all;
    }
    group_exclusive_scan(clamped, words, &all);
    if (get_local_id(0) == 0) {
        CHUNKS[chunk].clamped = all;
    }
}

// Initializes the control block, and writes the result if it is wanted.
static inline void begin_sort(__global cls_segments_control *control, __global ulong *result,
                              const ulong segments, const ulong clamped,
                              const cls_segments_bounds_args args)
{
    begin_segments(control, segments);
    if (args.has_result) {
        *result = clamped;
    }
}

__kernel WORK_GROUP_KERNEL void segments_list(BOUNDS_ARGUMENTS, BUFFER(list), BUFFER(control),
                                              BUFFER(result),
                                              COUNT_ARGUMENT const cls_segments_bounds_args args)
{
    __local ulong words[2 * GROUP_SIZE];
    const uint chunk = (uint)get_group_id(0);
    const ulong first = chunk * args.chunk, last = min(first + args.chunk, SEGMENT_COUNT);
    preceding_t before;
    sum_preceding_chunks(&before, CHUNKS, chunk, words);
    for (ulong step = first; step < last; step += GROUP_SIZE) {
        const ulong i = step + get_local_id(0);
        offsets_t offsets = {0, 0};
        ulong listed;
        if (i < last) {
            offsets = offsets_of(AT(const key_t, begins), AT(const key_t, ends), i, args);
        }
        const ulong max_end = group_exclusive_max(min(offsets.end, (ulong)args.count),
                                                  before.max_end, words, &before.max_end);
        const segment_t segment = clamp_offsets(offsets, max_end, args.count);
        const bool is_listed = i < last && segment.begin < segment.end;
        const ulong at = before.non_empty + group_exclusive_scan(is_listed, words, &listed);
        if (is_listed) {
            AT(segment_t, list)[at] = segment;
        }
        before.non_empty += listed;
    }
    const bool is_last = chunk == args.chunks - 1;
    ulong clamped = 0, all_clamped;
    for (uint c = (uint)get_local_id(0); is_last && c < args.chunks; c += GROUP_SIZE) {
        clamped += CHUNKS[c].clamped;
    }
    group_exclusive_scan(clamped, words, &all_clamped);
    if (is_last && get_local_id(0) == 0) {
        begin_sort(AT(cls_segments_control, control), AT(ulong, result), before.non_empty,
                   all_clamped | EXCEEDED_FLAG(args.segments), args);
    }
}

__kernel WORK_ITEM_KERNEL void segments_single(BUFFER(list), BUFFER(control), BUFFER(result),
                                               COUNT_ARGUMENT const cls_segments_bounds_args args)
{
#if COUNT_BYTES > 0
    if (args.form == SEGMENTS_WHOLE) {
        const index_t end = (index_t)min(DEVICE_COUNT, (ulong)args.count);
        // The assignment of a whole struct would crash the compiler of rusticl in Mesa 22.3.
        __global segment_t *whole = AT(segment_t, list);
        whole->begin = 0;
        whole->end = end;
        begin_sort(AT(cls_segments_control, control), AT(ulong, result), end > 0,
                   EXCEEDED_FLAG(args.count), args);
        return;
    }
#endif
    begin_sort(AT(cls_segments_control, control), AT(ulong, result), SEGMENT_COUNT,
               EXCEEDED_FLAG(args.segments), args);
}

#endif
