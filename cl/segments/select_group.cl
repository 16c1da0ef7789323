// select_group.cl - selects from segments: a work-group for each segment
//
// A radix select finds the last selected key, by a read of the segment for each digit (key_range.cl).
// Another read copies the keys before it, and as many of those equal to it as are needed: of equal keys,
// the first in the input. The output of a segment is in the order of the input.
//
// Alabi, Blanchard, Gordon and Steinbach, "Fast k-selection algorithms for graphics processing units",
// ACM JEA 17, 2012.
//
// Kernel:
//   segments_select   per segment: selects, and writes the row of the segment
//
// Cost: a read of the keys for each digit until the range has only selected keys, usually two or three, and
// one for the output. Segments that are in the caches are read from memory once.
//
// Options: GROUP_SIZE and ITEMS (common/work_group.cl), and those of selection.cl.
//   BITS     of a digit; 2^BITS is a multiple of GROUP_SIZE
#ifndef CLSORT_SEGMENTS_SELECT_GROUP_CL
#define CLSORT_SEGMENTS_SELECT_GROUP_CL

#include "common/scan.cl"
#include "segments/key_range.cl"

#define RANGE_BINS_PER_ITEM (RANGE_BINS / GROUP_SIZE)
#define MAX_PIECE (1ul << 31) // elements that counters of 32 bits can count

typedef struct {
    uint counts[RANGE_BINS];
    ulong totals[RANGE_BINS]; // the counts of all pieces
    ulong sums[2 * GROUP_SIZE];
    ulong before; // keys of the range with digits below the one that was found
    uint digit;   // the digit of the threshold
} select_memory_t;

// Sets the totals to the numbers of keys of the range that have each value of the digit.
static inline void count_digits(__local select_memory_t *memory, __global const key_t *keys,
                                const selection_t *s, const key_range_t *range, const uint mask,
                                const order_t order)
{
    const uint t = (uint)get_local_id(0);
    for (uint b = t; b < RANGE_BINS; b += GROUP_SIZE) {
        memory->totals[b] = 0;
        memory->counts[b] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (ulong piece = s->begin; piece < s->end; piece += MAX_PIECE) {
        const ulong piece_end = min(piece + MAX_PIECE, s->end);
        for (ulong i = piece + t; i < piece_end; i += GROUP_SIZE) {
            const key_t key = compared_key(keys[i], order);
            if (is_in_range(key, range)) {
                atomic_inc(&memory->counts[(uint)(key >> range->shift) & mask]);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint b = t; b < RANGE_BINS; b += GROUP_SIZE) {
            memory->totals[b] += memory->counts[b];
            memory->counts[b] = 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

// Finds the digit of the key with this rank.
static inline void find_digit(__local select_memory_t *memory, const ulong rank)
{
    const uint first = (uint)get_local_id(0) * RANGE_BINS_PER_ITEM;
    ulong own = 0, all;
    for (uint b = first; b < first + RANGE_BINS_PER_ITEM; b++) {
        own += memory->totals[b];
    }
    ulong before = group_exclusive_scan(own, memory->sums, &all);
    if (before < rank && rank <= before + own) {
        uint digit = first;
        while (before + memory->totals[digit] < rank) {
            before += memory->totals[digit];
            digit++;
        }
        memory->digit = digit;
        memory->before = before;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

static inline void find_range(key_range_t *range, __local select_memory_t *memory,
                              __global const key_t *keys, const selection_t *s, const order_t order,
                              const cls_segments_select_args args)
{
    begin_range(range, s, order, args);
    while (!is_found(range, args)) {
        const uint mask = next_digit(range, args);
        count_digits(memory, keys, s, range, mask, order);
        find_digit(memory, range->rank);
        const uint digit = memory->digit;
        narrow_range(range, digit, memory->before, memory->totals[digit], order);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

// The outputs, from the first place of the segment on.
typedef struct {
    __global key_t *keys;
    __global caller_index_t *indexes;
    bool writes_keys;
} output_row_t;

static inline void write_selected(const output_row_t row, const ulong place, const key_t key,
                                  const ulong index)
{
    row.indexes[place] = (caller_index_t)index;
    if (row.writes_keys) {
        row.keys[place] = key;
    }
}

// Writes the selected elements of a tile, of which each work-item has ITEMS in the order of the input. `less`
// and `ties` are the numbers of preceding elements before the range, and in it.
static inline void write_tile(const output_row_t row, __global const key_t *keys, const ulong first,
                              const ulong end, ulong less, ulong ties, const key_range_t *range,
                              const bool is_nth, const order_t order)
{
    for (uint item = 0; item < ITEMS && first + item < end; item++) {
        const key_t key = keys[first + item], number = compared_key(key, order);
        const bool is_less = number < range->first, is_tie = is_in_range(number, range);
        if (is_nth ? is_tie && ties + 1 == range->rank
                   : is_less || (is_tie && ties < range->rank)) {
            write_selected(row, is_nth ? 0 : less + min(ties, range->rank), key, first + item);
        }
        less += is_less;
        ties += is_tie;
    }
}

static inline void write_row(const output_row_t row, __local select_memory_t *memory,
                             __global const key_t *keys, const selection_t *s,
                             const key_range_t *range, const bool is_nth, const order_t order)
{
    ulong less = 0, ties = 0; // of the preceding tiles
    bool is_complete = false;
    for (ulong base = s->begin; base < s->end && !is_complete; base += TILE) {
        const ulong first = base + get_local_id(0) * ITEMS;
        ulong counts = 0, all; // in the halves: elements before the range, and in it
        for (uint item = 0; item < ITEMS && first + item < s->end; item++) {
            const key_t number = compared_key(keys[first + item], order);
            counts += ((ulong)(number < range->first) << 32) + is_in_range(number, range);
        }
        const ulong before = group_exclusive_scan(counts, memory->sums, &all);
        if (counts > 0) {
            write_tile(row, keys, first, s->end, less + (before >> 32), ties + (uint)before, range,
                       is_nth, order);
        }
        less += all >> 32;
        ties += (uint)all;
        is_complete = is_nth ? ties >= range->rank : less + min(ties, range->rank) == s->selected;
    }
}

__kernel WORK_GROUP_KERNEL void segments_select(INPUT(keys), SEGMENT_ARGUMENTS, ROW_ARGUMENTS,
                                                BUFFER(control), BUFFER(keys_to), BUFFER(indexes),
                                                COUNT_ARGUMENT const cls_segments_select_args args,
                                                ORDER)
{
    __local select_memory_t memory;
    const order_t order = ORDER_ARGUMENTS;
    const ulong i = get_group_id(0);
    selection_t s;
    key_range_t range;
    LOAD_SELECTION(&s, i);
    if (get_local_id(0) == 0) {
        FINISH_SELECTION(&s, i);
    }
    if (s.selected == 0) {
        return;
    }
    const output_row_t row = {AT(key_t, keys_to) + i * args.places,
                              AT(caller_index_t, indexes) + i * args.places, args.writes_keys != 0};
    find_range(&range, &memory, AT(const key_t, keys), &s, order, args);
    write_row(row, &memory, AT(const key_t, keys), &s, &range, args.is_nth, order);
}

#endif
