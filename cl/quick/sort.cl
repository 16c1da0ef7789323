// sort.cl - introsort of a range by one work-item
#ifndef CLSORT_QUICK_SORT_CL
#define CLSORT_QUICK_SORT_CL

#include "quick/heap_sort.cl"
#include "quick/select.cl"

#define SMALL 24u
#define MAX_RANGES 64 // log2 of the largest index, since the larger part of a range waits

static inline bool is_sorted(const elements_t elements, const index_t begin, const index_t end,
                             const order_t order)
{
    for (index_t i = begin + 1; i < end; i++) {
        if (precedes(elements.keys[i], elements.keys[i - 1], order)) {
            return false;
        }
    }
    return true;
}

static inline void insertion_sort(const elements_t elements, const index_t begin, const index_t end,
                                  const order_t order)
{
    for (index_t i = begin + 1; i < end; i++) {
        const element_t x = load_element(elements, i);
        index_t at = i;
        while (at > begin && precedes(x.key, elements.keys[at - 1], order)) {
            move_element(elements, at - 1, at);
            at--;
        }
        store_element(x, elements, at);
    }
}

// A range that is not sorted yet. `depth` is the number of partitions after which it is sorted as
// a heap.
typedef struct {
    index_t begin, end;
    uint depth;
} range_t;

static inline range_t range_of(const index_t begin, const index_t end, const uint depth)
{
    range_t range;
    range.begin = begin;
    range.end = end;
    range.depth = depth;
    return range;
}

static inline uint max_depth(const index_t count)
{
    uint depth = 2;
    for (index_t left = count; left > 1; left /= 2) {
        depth += 2;
    }
    return depth;
}

static inline index_t pivot_of(const elements_t elements, const index_t begin, const index_t end,
                               const order_t order)
{
    const uint side = end - begin < 128 ? 1 : end - begin < 1024 ? 4 : 10;
    return sample_rank(elements, begin, begin + (end - begin) / 2, end, side, side, side, order);
}

static inline void sort_range(const elements_t elements, const index_t first, const index_t last,
                              const order_t order)
{
    range_t waiting[MAX_RANGES];
    uint height = 0;
    range_t range = range_of(first, last, max_depth(last - first));
    bool may_be_sorted = true;
    for (;;) {
        const index_t begin = range.begin, end = range.end;
        if (end - begin <= SMALL) {
            insertion_sort(elements, begin, end, order);
        } else if (range.depth == 0) {
            heap_sort(elements_at(elements, begin), end - begin, order);
        } else if (!may_be_sorted || !is_sorted(elements, begin, end, order)) {
            const index_t at = pivot_of(elements, begin, end, order);
            const bool equals_previous =
                begin > first && !precedes(elements.keys[begin - 1], elements.keys[at], order);
            bool moved;
            const index_t middle =
                partition_at(elements, begin, end, at, equals_previous, order, &moved);
            const range_t right = range_of(middle + 1, end, range.depth - 1);
            may_be_sorted = !moved;
            if (equals_previous) {
                range = right;
                continue;
            }
            const range_t left = range_of(begin, middle, range.depth - 1);
            const bool is_left_larger = left.end - left.begin > right.end - right.begin;
            waiting[height++] = is_left_larger ? left : right;
            range = is_left_larger ? right : left;
            continue;
        }
        if (height == 0) {
            break;
        }
        range = waiting[--height];
    }
}

#endif
