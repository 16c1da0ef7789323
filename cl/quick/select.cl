// select.cl - the choice of a pivot from a sample, and the division of a range at a given index
//
// Floyd and Rivest, "Algorithm 489: the algorithm SELECT", CACM 18(3), 1975: the rank of the pivot
// in the sample is a little off the expected rank, towards the middle of the range, so that the
// wanted index is most probably in the smaller part.
#ifndef CLSORT_QUICK_SELECT_CL
#define CLSORT_QUICK_SELECT_CL

#include "quick/heap_sort.cl"
#include "quick/partition.cl"

#define MAX_SAMPLE 63u

// Returns the index of a pattern-free choice in part `i` of a sample, which has `width` elements.
static inline index_t sample_in(const index_t begin, const index_t width, const uint i)
{
    const ulong part = width;
    return begin + (index_t)(i * part + ((i * 2654435769u & 0xffffu) * part >> 16));
}

// Returns the index of the element that has the given rank in a sample. The sample has `rank`
// elements before index `middle`, the element there, and `after` elements after it.
static inline index_t sample_rank(const elements_t elements, const index_t begin,
                                  const index_t middle, const index_t end, const uint before,
                                  const uint after, const uint rank, const order_t order)
{
    index_t sample[MAX_SAMPLE + 1];
    uint count = 0;
    for (uint i = 0; i <= before + after; i++) {
        const index_t index =
            i < before    ? sample_in(begin, (middle - begin) / before, i)
            : i == before ? middle
                          : sample_in(middle + 1, (end - middle - 1) / after, i - before - 1);
        uint at = i;
        while (at > 0 && precedes(elements.keys[index], elements.keys[sample[at - 1]], order)) {
            sample[at] = sample[at - 1];
            at--;
        }
        sample[at] = index;
    }
    return sample[rank];
}

// Partitions [begin, end) around the element at index `pivot`. Returns its new index: no element
// before it comes after it in the order, and no element after it precedes it.
static inline index_t partition_at(const elements_t elements, const index_t begin,
                                   const index_t end, const index_t at, const bool takes_equal,
                                   const order_t order, bool *moved)
{
    pivot_t pivot;
    swap_elements(elements, begin, at);
    pivot.key = elements.keys[begin];
    pivot.takes_equal = takes_equal;
    const index_t middle = partition(elements, begin + 1, end, &pivot, order, moved) - 1;
    swap_elements(elements, begin, middle);
    return middle;
}

#endif
