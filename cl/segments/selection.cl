// selection.cl - what is selected from a segment, and where it goes
//
// The offsets, and the k of each segment, come from the caller, who may have computed them wrongly.
// They are clamped where they are read. Segments are only read, so that they may overlap.
//
// Options:
//   VALUE_BYTES    4 or 8: the size of an index, of an offset and of a k
//   COUNT_BYTES    see common/device_count.cl: the count is that of segments, of which those behind it select
//                  nothing, or of the elements of a whole array, which is one segment
#ifndef CLSORT_SEGMENTS_SELECTION_CL
#define CLSORT_SEGMENTS_SELECTION_CL

#include "common/device_count.cl"
#include "common/types.cl"
#include "segments/select_layout.h"

#if VALUE_BYTES == 4
typedef uint caller_index_t;
#else
typedef ulong caller_index_t;
#endif

// The caller's description of the segments.
#define SEGMENT_ARGUMENTS INPUT(offsets), INPUT(ends), INPUT(ks)

// The selected elements of segment i are at the places from begins[i] to ends[i] - 1 of the outputs.
// Both arrays are in `rows`.
#define ROW_ARGUMENTS BUFFER(rows), BUFFER(result)

// A selection from one segment.
typedef struct {
    ulong begin, end; // the elements of the segment
    ulong rank;       // the last selected element is the one of this rank, counted from 1
    ulong selected;   // the number of selected elements
    bool is_counted;  // the result counts the segment
} selection_t;

static inline void load_selection(selection_t *s, __global const caller_index_t *offsets,
                                  __global const caller_index_t *ends,
                                  __global const caller_index_t *ks, const ulong i,
                                  const ulong number, const cls_segments_select_args args)
{
    const bool is_whole = args.form == SEGMENTS_WHOLE;
    s->begin = s->end = s->rank = s->selected = 0;
    s->is_counted = false;
    if (i >= number && !is_whole) {
        return;
    }
    ulong begin = i * args.row, end = begin + args.row, k = args.k;
    if (is_whole) {
        end = min(number, (ulong)args.count);
    } else if (args.form != SEGMENTS_ROWS) {
        begin = offsets[i];
        end = args.form == SEGMENTS_OFFSETS ? offsets[i + 1] : ends[i];
    }
    if (args.has_ks) {
        k = ks[i];
    }
    s->begin = min(begin, (ulong)args.count);
    s->end = max(min(end, (ulong)args.count), s->begin);
    s->is_counted = begin > end || end > args.count;
    const ulong length = s->end - s->begin;
    if (args.is_nth) {
        s->selected = k < length;
        s->rank = k + 1;
        s->is_counted |= k >= length;
    } else {
        s->selected = min(min(k, (ulong)args.k), length);
        s->rank = s->selected;
        s->is_counted |= k > args.k;
    }
}

#define LOAD_SELECTION(selection, i)                                                               \
    load_selection(selection, AT(const caller_index_t, offsets), AT(const caller_index_t, ends),   \
                   AT(const caller_index_t, ks), i, ELEMENT_COUNT((ulong)args.segments), args)

// Writes the row of segment i, and counts the segment if the result does. The host limits the number of
// segments to 32 bits, so that the high half of the result is 0.
static inline void finish_selection(__global ulong *rows, __global uint *result,
                                    const selection_t *selection, const ulong i,
                                    const cls_segments_select_args args)
{
    rows[i] = i * args.places;
    rows[args.segments + i] = i * args.places + selection->selected;
    if (args.has_result && selection->is_counted) {
#ifdef __ENDIAN_LITTLE__
        atomic_inc(result);
#else
        atomic_inc(result + 1);
#endif
    }
}

#define FINISH_SELECTION(selection, i)                                                             \
    finish_selection(AT(ulong, rows), AT(uint, result), selection, i, args)

#endif
