// heap_sort.cl - heap sort, for ranges in which the pivots were bad too often
//
// Williams, "Algorithm 232: heapsort", CACM 7(6), 1964; Musser, "Introspective sorting and selection
// algorithms", Software: Practice and Experience 27(8), 1997.
#ifndef CLSORT_QUICK_HEAP_SORT_CL
#define CLSORT_QUICK_HEAP_SORT_CL

#include "quick/element.cl"

// Moves x down from index `at` of a heap of `count` elements.
static inline void sift_down(const elements_t heap, index_t at, const index_t count,
                             const element_t x, const order_t order)
{
    while (at < count / 2) { // it has a child; 2 * at + 1 does not overflow
        index_t child = 2 * at + 1;
        if (child + 1 < count && precedes(heap.keys[child], heap.keys[child + 1], order)) {
            child++;
        }
        if (!precedes(x.key, heap.keys[child], order)) {
            break;
        }
        move_element(heap, child, at);
        at = child;
    }
    store_element(x, heap, at);
}

static inline void heap_sort(const elements_t heap, const index_t count, const order_t order)
{
    // One loop for both phases, so that sift_down is compiled once.
    index_t root = count / 2, left = count;
    while (left > 1) {
        element_t x;
        if (root > 0) {
            root--;
            load_element(heap, root, &x);
        } else {
            left--;
            load_element(heap, left, &x);
            move_element(heap, 0, left);
        }
        sift_down(heap, root, left, x, order);
    }
}

#endif
