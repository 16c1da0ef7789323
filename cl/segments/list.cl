// list.cl - the list of segments that are sorted, and the search for the segment of an element
#ifndef CLSORT_SEGMENTS_LIST_CL
#define CLSORT_SEGMENTS_LIST_CL

#include "common/types.cl"

// The elements [begin, end).
typedef struct {
    index_t begin, end;
} segment_t;

// Segments that are not empty and do not overlap, in the order of their elements: rows of equal
// length, or a list.
typedef struct {
    __global const segment_t *list;
    index_t count;
    index_t row; // the length of a row; 0: the segments are in the list
} segments_t;

// Sets *segment to segment i, or to an empty one at the index `none` if i is not less than `count`. (A
// function that returns a struct would make Clang emit an intrinsic function that Oclgrind lacks.)
static inline void load_segment(segment_t *segment, const segments_t segments, const index_t i,
                                const index_t count, const index_t none)
{
    segment->begin = segment->end = none;
    if (i < count && segments.row == 0) {
        segment->begin = segments.list[i].begin;
        segment->end = segments.list[i].end;
    } else if (i < count) {
        segment->begin = i * segments.row;
        segment->end = segment->begin + segments.row;
    }
}

// Returns the index of the first segment that ends after an element. The search covers the segments
// from `low` to `high` - 1; if they all end before, the result is `high`.
static inline index_t segment_behind(const segments_t segments, index_t low, index_t high,
                                     const index_t element)
{
    if (segments.row > 0) {
        return min(element / segments.row, high);
    }
    while (low < high) {
        const index_t middle = low + (high - low) / 2;
        if (segments.list[middle].end > element) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

#endif
