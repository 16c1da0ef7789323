// select.cl - the choice of a pivot, and the division of a range at a given index
//
// Floyd and Rivest, "Algorithm 489: the algorithm SELECT", CACM 18(3), 1975: the rank of the pivot
// in a sample is a little off the expected rank, towards the middle of the range, so that the given
// index is most probably in the smaller part.
#ifndef CLSORT_QUICK_SELECT_CL
#define CLSORT_QUICK_SELECT_CL

#include "quick/heap_sort.cl"
#include "quick/partition.cl"

#define MAX_SIDE 31u              // maximum size of a half of a sample
#define SAMPLE (2 * MAX_SIDE + 1) // maximum size of a sample
#define RANK_MARGIN 4u            // more than the usual error of a rank in the largest sample
#define MIN_SAMPLED 64            // minimum number of elements from which a sample is taken

// Returns an index in part i of a range that is divided into parts of `width` elements. Equidistant
// indexes would misrepresent periodic input.
static inline index_t index_in_part(const index_t begin, const index_t width, const uint i)
{
    const ulong part = width;
    return begin + (index_t)(i * part + ((i * 2654435769u & 0xffffu) * part >> 16));
}

// Returns the index of the element with this rank in a sample: the element at index `middle`, and
// `side` elements on each side of it. If the range is sorted, the element with rank `side` is
// therefore that at `middle`, and a partition around it moves no other element.
static inline index_t sampled_pivot(const elements_t elements, const index_t begin,
                                    const index_t middle, const index_t end, const uint side,
                                    const uint rank, const order_t order)
{
    index_t sample[SAMPLE];
    for (uint i = 0; i <= 2 * side; i++) {
        const index_t index =
            i < side    ? index_in_part(begin, (middle - begin) / side, i)
            : i == side ? middle
                        : index_in_part(middle + 1, (end - middle - 1) / side, i - side - 1);
        uint to = i;
        while (to > 0 && precedes(elements.keys[index], elements.keys[sample[to - 1]], order)) {
            sample[to] = sample[to - 1];
            to--;
        }
        sample[to] = index;
    }
    return sample[rank];
}

// Returns the index of the median of the largest sample.
static inline index_t median_pivot(const elements_t elements, const index_t begin,
                                   const index_t middle, const index_t end, const order_t order)
{
    return sampled_pivot(elements, begin, middle, end, MAX_SIDE, MAX_SIDE, order);
}

// The result of partition_at: the new index of the pivot, whether the left part has the elements
// equal to it, and whether other elements were moved.
typedef struct {
    index_t middle;
    bool takes_equal, moved;
} quick_partition_t;

// Partitions [begin, end) around the element at index `pivot_at`. All elements before `begin`, from
// `first` on, must not come after the range in the order. If the pivot equals the last of them, it
// is one of the range's smallest elements; the left part then takes all elements equal to it, and
// is sorted.
static inline quick_partition_t partition_at(const elements_t elements, const index_t first,
                                             const index_t begin, const index_t end,
                                             const index_t pivot_at, const order_t order)
{
    quick_partition_t result;
    bool moved;
    swap_elements(elements, begin, pivot_at);
    const pivot_t pivot = {elements.keys[begin],
                           begin > first &&
                               !precedes(elements.keys[begin - 1], elements.keys[begin], order)};
    const index_t middle = partition(elements, begin + 1, end, &pivot, order, &moved) - 1;
    swap_elements(elements, begin, middle);
    result.middle = middle;
    result.takes_equal = pivot.takes_equal;
    result.moved = moved;
    return result;
}

// Returns the number of partitions after which heap sort takes over.
static inline uint max_partitions(const index_t count)
{
    uint partitions = 2;
    for (index_t left = count; left > 1; left /= 2) {
        partitions += 2;
    }
    return partitions;
}

// Moves the elements of [begin, end) until none before index `at` comes after one from there on.
// `first` as in partition_at.
static inline void divide_at(const elements_t elements, const index_t first, index_t begin,
                             index_t end, const index_t at, const order_t order)
{
    uint left = max_partitions(end - begin);
    while (begin < at && at < end) {
        if (left-- == 0 || end - begin < MIN_SAMPLED) {
            heap_sort(elements_at(elements, begin), end - begin, order);
            return;
        }
        const float share = (float)(at - begin) / (float)(end - begin);
        const uint expected = (uint)(share * SAMPLE);
        const uint rank = share < 0.5f ? expected + RANK_MARGIN : expected - RANK_MARGIN;
        const index_t pivot_at =
            sampled_pivot(elements, begin, begin + (end - begin) / 2, end, MAX_SIDE, rank, order);
        const quick_partition_t p = partition_at(elements, first, begin, end, pivot_at, order);
        if (at > p.middle) {
            begin = p.middle + 1;
        } else if (p.takes_equal) {
            return;
        } else {
            end = p.middle;
        }
    }
}

#endif
