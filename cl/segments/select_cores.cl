// select_cores.cl - selects from segments for CPU cores: a core takes one segment at a time
//
// The method is that of select_group.cl. Cores take some segments at a time from a shared counter, so that one
// that is slower takes fewer of them. After the first round, few keys are left in the range, so that the keys
// are compared with it 16 at a time.
//
// Kernel:
//   segments_select   per core: takes segments, selects, and writes their rows
//
// Cost: as in select_group.cl; the first round is limited by instructions.
//
// Options: those of selection.cl.
//   BITS     of a digit
#ifndef CLSORT_SEGMENTS_SELECT_CORES_CL
#define CLSORT_SEGMENTS_SELECT_CORES_CL

#include "segments/key_range.cl"

#define LANES_OF_BLOCK 16

// The keys of a segment.
typedef struct {
    __global const key_t *keys; // of the whole array
    ulong begin, end;
    order_t order;
} segment_keys_t;

// Returns whether any of 16 keys is at most `last`, and at least `first`.
static inline bool any_in_range(__global const key_t *keys, const key_t first, const key_t last,
                                const order_t order)
{
    const key_vector_t numbers = ordered_vector(vload16(0, keys), order.flip) & order.window;
    return any(numbers - first <= (key_t)(last - first));
}

OUTLINED void count_digits(ulong *counts, const segment_keys_t *segment, const key_range_t *range,
                           const uint mask)
{
    const order_t order = segment->order;
    const bool is_all = range->first == 0 && range->last == order.window;
    for (uint b = 0; b < BINS; b++) {
        counts[b] = 0;
    }
    for (ulong i = segment->begin; i < segment->end;) {
        const ulong end = min(i + LANES_OF_BLOCK, segment->end);
        if (!is_all && end - i == LANES_OF_BLOCK &&
            !any_in_range(segment->keys + i, range->first, range->last, order)) {
            i = end;
            continue;
        }
        for (; i < end; i++) {
            const key_t key = compared_key(segment->keys[i], order);
            if (is_all || is_in_range(key, range)) {
                counts[(uint)(key >> range->shift) & mask]++;
            }
        }
    }
}

static inline void find_range(key_range_t *range, const segment_keys_t *segment,
                              const selection_t *s, const cls_segments_select_args args)
{
    ulong counts[BINS];
    begin_range(range, s, segment->order, args);
    while (!is_found(range, args)) {
        const uint mask = next_digit(range, args);
        count_digits(counts, segment, range, mask);
        ulong before = 0;
        uint digit = 0;
        while (before + counts[digit] < range->rank) {
            before += counts[digit];
            digit++;
        }
        narrow_range(range, digit, before, counts[digit], segment->order);
    }
}

// Writes the selected elements, or the n-th one, to the places from `keys` and `indexes` on.
OUTLINED void write_row(__global key_t *keys, __global caller_index_t *indexes,
                        const segment_keys_t *segment, const key_range_t *range,
                        const cls_segments_select_args args, const ulong selected)
{
    const order_t order = segment->order;
    const key_t lowest = args.is_nth ? range->first : 0;
    ulong ties = 0, place = 0;
    for (ulong i = segment->begin; place < selected;) {
        const ulong end = min(i + LANES_OF_BLOCK, segment->end);
        if (end - i == LANES_OF_BLOCK &&
            !any_in_range(segment->keys + i, lowest, range->last, order)) {
            i = end;
            continue;
        }
        for (; i < end && place < selected; i++) {
            const key_t key = segment->keys[i], number = compared_key(key, order);
            const bool is_tie = is_in_range(number, range);
            ties += is_tie;
            if (args.is_nth ? is_tie && ties == range->rank
                            : number < range->first || (is_tie && ties <= range->rank)) {
                indexes[place] = (caller_index_t)i;
                if (args.writes_keys) {
                    keys[place] = key;
                }
                place++;
            }
        }
    }
}

__kernel WORK_ITEM_KERNEL void segments_select(INPUT(keys), SEGMENT_ARGUMENTS, ROW_ARGUMENTS,
                                               BUFFER(control), BUFFER(keys_to), BUFFER(indexes),
                                               const cls_segments_select_args args, ORDER)
{
    const order_t order = ORDER_ARGUMENTS;
    for (;;) {
        const ulong first =
            atomic_inc(&AT(cls_segments_select_control, control)->next_chunk) * (ulong)args.chunk;
        if (first >= args.segments) {
            return;
        }
        for (ulong i = first; i < min(first + args.chunk, (ulong)args.segments); i++) {
            selection_t s;
            key_range_t range;
            LOAD_SELECTION(&s, i);
            FINISH_SELECTION(&s, i);
            if (s.selected == 0) {
                continue;
            }
            const segment_keys_t segment = {AT(const key_t, keys), s.begin, s.end, order};
            find_range(&range, &segment, &s, args);
            write_row(AT(key_t, keys_to) + i * args.places,
                      AT(caller_index_t, indexes) + i * args.places, &segment, &range, args,
                      s.selected);
        }
    }
}

#endif
