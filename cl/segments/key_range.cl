// key_range.cl - the range of keys that a radix select narrows
//
// Keys are ordered keys without the bits that are not compared. The threshold, which is the last selected
// key, is the key of a rank among the keys of the range. Each round counts the values of the next digit of
// these, and narrows the range to one value. It ends when all keys of the range are selected, or are equal.
#ifndef CLSORT_SEGMENTS_KEY_RANGE_CL
#define CLSORT_SEGMENTS_KEY_RANGE_CL

#include "common/order.cl"
#include "segments/selection.cl"

#define RANGE_BINS (1 << BITS)

typedef struct {
    key_t first, last; // the keys of the range
    ulong rank;        // of the threshold, from 1
    ulong count;       // the number of keys in the range
    uint shift;        // the digits above are the same for all keys of the range
} key_range_t;

static inline void begin_range(key_range_t *range, const selection_t *selection,
                               const order_t order, const cls_segments_select_args args)
{
    range->first = 0;
    range->last = order.window;
    range->rank = selection->rank;
    range->count = selection->end - selection->begin;
    range->shift = args.end_bit;
}

static inline bool is_found(const key_range_t *range, const cls_segments_select_args args)
{
    return range->shift == args.begin_bit || range->count == 1 ||
           (range->count == range->rank && !args.is_nth);
}

// Sets the shift to that of the next digit, and returns the number of its values minus 1.
static inline uint next_digit(key_range_t *range, const cls_segments_select_args args)
{
    const uint bits = min((uint)BITS, range->shift - args.begin_bit);
    range->shift -= bits;
    return (1u << bits) - 1;
}

// Narrows the range to one value of the digit, which `count` of its keys have. `before` keys of the range have
// smaller values.
static inline void narrow_range(key_range_t *range, const uint digit, const ulong before,
                                const ulong count, const order_t order)
{
    const key_t below = (key_t)(((key_t)1 << range->shift) - (key_t)1);
    range->first += (key_t)((key_t)digit << range->shift);
    range->last = range->first | (below & order.window);
    range->rank -= before;
    range->count = count;
}

static inline bool is_in_range(const key_t key, const key_range_t *range)
{
    return (key_t)(key - range->first) <= (key_t)(range->last - range->first);
}

static inline key_t compared_key(const key_t key, const order_t order)
{
    return ordered(key, order.flip) & order.window;
}

#endif
