// output.cl - the steps of a selection from segments that do not depend on the keys
//
// Kernels, in launch order:
//   segments_begin   one work-item: initializes the control block and the result
//   segments_take    per place of the outputs: takes the index of its element from sorted segments,
//                    if the selection itself has not written the indexes
//   segments_copy    per unit of the output: copies the values, or the keys, of the selected elements
//
// Elements of the output after the last selected one of a segment are not written.
//
// Cost per selected element: an index, and twice the size of the element.
//
// Options: GROUP_SIZE (common/work_group.cl), and those of selection.cl.
#ifndef CLSORT_SEGMENTS_OUTPUT_CL
#define CLSORT_SEGMENTS_OUTPUT_CL

#include "common/work_group.cl"
#include "segments/selection.cl"

__kernel WORK_ITEM_KERNEL void segments_begin(BUFFER(control), BUFFER(result),
                                              COUNT_ARGUMENT const ulong bound,
                                              const uint has_result)
{
    AT(cls_segments_select_control, control)->next_chunk = 0;
    if (has_result) {
        AT(ulong, result)[0] = ELEMENT_COUNT(bound) > bound ? COUNT_EXCEEDED : 0;
    }
}

// A segment that overlaps another has been sorted in parts: `sorted` may have indexes of other segments
// there, or none. They are replaced, so that each index is one of the segment.
__kernel WORK_GROUP_KERNEL void segments_take(SEGMENT_ARGUMENTS, ROW_ARGUMENTS, INPUT(sorted),
                                              BUFFER(indexes),
                                              COUNT_ARGUMENT const cls_segments_select_args args)
{
    const ulong work_items = max((ulong)args.places, (ulong)1); // of a segment
    const ulong i = get_global_id(0) / work_items, place = get_global_id(0) % work_items;
    if (i >= args.segments) {
        return;
    }
    selection_t s;
    LOAD_SELECTION(&s, i);
    if (place == 0) {
        FINISH_SELECTION(&s, i);
    }
    if (place < s.selected) {
        const ulong from = s.begin + s.rank - s.selected + place;
        const ulong index = AT(const caller_index_t, sorted)[from];
        AT(caller_index_t, indexes)
        [i * args.places + place] =
            (caller_index_t)(index >= s.begin && index < s.end ? index : s.begin);
    }
}

__kernel WORK_GROUP_KERNEL void segments_copy(INPUT(rows), INPUT(indexes), INPUT(from), BUFFER(to),
                                              const cls_segments_copy_args args)
{
    const ulong place = get_global_id(0) / args.units, column = get_global_id(0) % args.units;
    const ulong segment = place / args.places;
    if (segment >= args.segments || place >= AT(const ulong, rows)[args.segments + segment]) {
        return;
    }
    // Kernels that a driver miscompiles may have written any indexes, before the self-test finds out.
    const ulong index = AT(const caller_index_t, indexes)[place];
    if (index >= args.count) {
        return;
    }
    const ulong source = index * args.units + column, target = get_global_id(0);
    if (args.unit == 1) {
        AT(uchar, to)[target] = AT(const uchar, from)[source];
    } else if (args.unit == 2) {
        AT(ushort, to)[target] = AT(const ushort, from)[source];
    } else if (args.unit == 4) {
        AT(uint, to)[target] = AT(const uint, from)[source];
    } else {
        AT(ulong, to)[target] = AT(const ulong, from)[source];
    }
}

#endif
