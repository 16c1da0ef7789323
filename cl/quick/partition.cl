// partition.cl - partition of a range around a pivot, in place and without branches on comparisons
//
// Edelkamp and Weiss, "BlockQuicksort: avoiding branch mispredictions in quicksort", ESA 2016: a
// block at each end of the range is compared with the pivot, and the offsets of the elements that
// belong to the other end are written to a small array, which needs no branch on a comparison. Then
// as many elements of both blocks as possible are exchanged.
#ifndef CLSORT_QUICK_PARTITION_CL
#define CLSORT_QUICK_PARTITION_CL

#include "quick/element.cl"

#define BLOCK 64u

// A pivot, and the keys that go to the left of it: those that precede it, or those that it does not
// precede.
typedef struct {
    key_t key;
    bool takes_equal;
} pivot_t;

static inline bool goes_left(const key_t key, const pivot_t *pivot, const order_t order)
{
    return pivot->takes_equal ? !precedes(pivot->key, key, order)
                              : precedes(key, pivot->key, order);
}

// The misplaced elements of a block: the offsets with indexes first .. first + count - 1.
typedef struct {
    uint first, count;
    uchar offset[BLOCK];
} misplaced_t;

// Finds the misplaced elements among `size` elements from index `begin` on.
static inline void find_in_left_block(__global const key_t *keys, const uint size,
                                      const pivot_t *pivot, const order_t order, misplaced_t *found)
{
    uint count = 0;
    if (pivot->takes_equal) {
        for (uint i = 0; i < size; i++) {
            found->offset[count] = (uchar)i;
            count += precedes(pivot->key, keys[i], order);
        }
    } else {
        for (uint i = 0; i < size; i++) {
            found->offset[count] = (uchar)i;
            count += !precedes(keys[i], pivot->key, order);
        }
    }
    found->first = 0;
    found->count = count;
}

// The same for the block that ends before `end`, from which offsets count backwards.
static inline void find_in_right_block(__global const key_t *end, const uint size,
                                       const pivot_t *pivot, const order_t order,
                                       misplaced_t *found)
{
    __global const key_t *last = end - 1;
    uint count = 0;
    if (pivot->takes_equal) {
        for (uint i = 0; i < size; i++) {
            found->offset[count] = (uchar)i;
            count += !precedes(pivot->key, *(last - i), order);
        }
    } else {
        for (uint i = 0; i < size; i++) {
            found->offset[count] = (uchar)i;
            count += precedes(*(last - i), pivot->key, order);
        }
    }
    found->first = 0;
    found->count = count;
}

// Exchanges as many misplaced elements of both blocks as possible, as one cycle, which moves each
// element once.
static inline void exchange_misplaced(const elements_t elements, const index_t begin,
                                      const index_t end, misplaced_t *left, misplaced_t *right)
{
    const uint count = min(left->count, right->count);
    const uchar *l = left->offset + left->first, *r = right->offset + right->first;
    if (count > 0) {
        element_t first;
        load_element(elements, begin + l[0], &first);
        for (uint i = 0; i + 1 < count; i++) {
            move_element(elements, end - 1 - r[i], begin + l[i]);
            move_element(elements, begin + l[i + 1], end - 1 - r[i]);
        }
        move_element(elements, end - 1 - r[count - 1], begin + l[count - 1]);
        store_element(first, elements, end - 1 - r[count - 1]);
    }
    left->first += count;
    left->count -= count;
    right->first += count;
    right->count -= count;
}

// Partitions the remaining range of at most two blocks, one of which may have been compared. Returns
// the end of the left part.
static inline index_t finish_partition(const elements_t elements, const index_t begin,
                                       const index_t end, const pivot_t *pivot, const order_t order,
                                       misplaced_t *left, misplaced_t *right)
{
    const uint size = (uint)(end - begin);
    const uint left_size = left->count > 0 ? BLOCK : right->count > 0 ? size - BLOCK : size / 2;
    const uint right_size = size - left_size;
    if (left->count == 0) {
        find_in_left_block(elements.keys + begin, left_size, pivot, order, left);
    }
    if (right->count == 0) {
        find_in_right_block(elements.keys + end, right_size, pivot, order, right);
    }
    exchange_misplaced(elements, begin, end, left, right);
    if (left->count > 0) {
        index_t to = end - right_size;
        for (uint i = left->first + left->count; i > left->first; i--) {
            swap_elements(elements, begin + left->offset[i - 1], --to);
        }
        return to;
    }
    index_t to = begin + left_size;
    for (uint i = right->first + right->count; i > right->first; i--) {
        swap_elements(elements, end - 1 - right->offset[i - 1], to++);
    }
    return to;
}

// Partitions the range [begin, end). Returns the end of its left part. Sets *moved to whether any
// element was moved. No comparison of an inconsistent order can make it access other elements.
static inline index_t partition(const elements_t elements, index_t begin, index_t end,
                                const pivot_t *pivot, const order_t order, bool *moved)
{
    misplaced_t left, right;
    left.count = right.count = 0;
    while (begin < end && goes_left(elements.keys[begin], pivot, order)) {
        begin++;
    }
    while (begin < end && !goes_left(elements.keys[end - 1], pivot, order)) {
        end--;
    }
    *moved = begin < end;
    while (end - begin > 2 * BLOCK) {
        if (left.count == 0) {
            find_in_left_block(elements.keys + begin, BLOCK, pivot, order, &left);
        }
        if (right.count == 0) {
            find_in_right_block(elements.keys + end, BLOCK, pivot, order, &right);
        }
        exchange_misplaced(elements, begin, end, &left, &right);
        if (left.count == 0) {
            begin += BLOCK;
        }
        if (right.count == 0) {
            end -= BLOCK;
        }
    }
    return finish_partition(elements, begin, end, pivot, order, &left, &right);
}

#endif
