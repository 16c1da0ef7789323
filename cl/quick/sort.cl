// sort.cl - introsort of a range by one work-item
//
// Musser, "Introspective sorting and selection algorithms", Software: Practice and Experience
// 27(8), 1997.
#ifndef CLSORT_QUICK_SORT_CL
#define CLSORT_QUICK_SORT_CL

#include "quick/heap_sort.cl"
#include "quick/select.cl"

#define SMALL 24u
#define MAX_WAITING 64 // the larger part of a range waits, so that log2(count) ranges suffice

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

// Reverses the range if no element precedes the next one.
static inline void reverse_descending(const elements_t elements, const index_t begin,
                                      const index_t end, const order_t order)
{
    for (index_t i = begin + 1; i < end; i++) {
        if (precedes(elements.keys[i - 1], elements.keys[i], order)) {
            return;
        }
    }
    for (index_t i = 0; i < (end - begin) / 2; i++) {
        swap_elements(elements, begin + i, end - 1 - i);
    }
}

static inline void insertion_sort(const elements_t elements, const index_t begin, const index_t end,
                                  const order_t order)
{
    for (index_t i = begin + 1; i < end; i++) {
        element_t x;
        load_element(elements, i, &x);
        index_t to = i;
        while (to > begin && precedes(x.key, elements.keys[to - 1], order)) {
            move_element(elements, to - 1, to);
            to--;
        }
        store_element(x, elements, to);
    }
}

// A range to sort, and the number of partitions after which it is sorted as a heap.
typedef struct {
    index_t begin, end;
    uint partitions;
} range_t;

static inline range_t range_of(const index_t begin, const index_t end, const uint partitions)
{
    range_t range;
    range.begin = begin;
    range.end = end;
    range.partitions = partitions;
    return range;
}

static inline index_t pivot_of(const elements_t elements, const index_t begin, const index_t end,
                               const order_t order)
{
    const index_t count = end - begin;
    const uint side = count < 128 ? 1 : count < 1024 ? 4 : 10;
    return sampled_pivot(elements, begin, begin + count / 2, end, side, side, order);
}

// Sorts [first, last).
static inline void sort_range(const elements_t elements, const index_t first, const index_t last,
                              const order_t order)
{
    range_t waiting[MAX_WAITING];
    uint height = 0;
    range_t range = range_of(first, last, max_partitions(last - first));
    bool may_be_sorted = true;
    reverse_descending(elements, first, last, order);
    for (;;) {
        const index_t begin = range.begin, end = range.end;
        if (end - begin <= SMALL) {
            insertion_sort(elements, begin, end, order);
        } else if (range.partitions == 0) {
            heap_sort(elements_at(elements, begin), end - begin, order);
        } else if (!may_be_sorted || !is_sorted(elements, begin, end, order)) {
            const quick_partition_t p = partition_at(elements, first, begin, end,
                                                     pivot_of(elements, begin, end, order), order);
            const range_t left = range_of(begin, p.middle, range.partitions - 1),
                          right = range_of(p.middle + 1, end, range.partitions - 1);
            const bool is_left_larger = left.end - left.begin > right.end - right.begin;
            may_be_sorted = !p.moved;
            range = is_left_larger || p.takes_equal ? right : left;
            if (!p.takes_equal) {
                waiting[height++] = is_left_larger ? left : right;
            }
            continue;
        }
        if (height == 0) {
            break;
        }
        range = waiting[--height];
    }
}

#endif
