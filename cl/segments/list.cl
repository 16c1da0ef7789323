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

static inline segment_t segment_at(const segments_t segments, const index_t i)
{
    if (segments.row == 0) {
        return segments.list[i];
    }
    segment_t row;
    row.begin = i * segments.row;
    row.end = row.begin + segments.row;
    return row;
}

// Returns the index of the first segment that ends behind an element, or `high` if there is none. Those
// before `low` do not.
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
