// select_cores.cl - selects from segments for CPU cores: a core takes one segment at a time
//
// The last selected key is searched among few candidates in the cache, by bisection of the range of keys: each
// step counts the candidates in the lower half, 16 at a time. The candidates are the whole segment if it is
// short. If few elements are selected, they are the keys up to a bound that falls while the segment is read: when
// there are several times as many candidates as are selected, those that would be selected among them are kept,
// and the bound becomes the key of the last one. Of n keys in random order, O((k + 64) log(n / k)) become
// candidates. If many elements are selected from a long segment, a radix select reads it for each digit, as in
// select_group.cl.
//
// Cores take some segments at a time from a shared counter, so that one that is slower takes fewer of them.
//
// Kernel:
//   segments_select   per core: takes segments, selects, and writes their rows
//
// Cost: one read of the keys, and some comparisons of each candidate; otherwise as in select_group.cl. Measured
// (2 cores of an EPYC with AVX-512, 2^24 f32 keys, the first 8 of each row, with their sort): rows of 262144
// keys take 1.24 ms, 0.93 of the copy rate of 58 GB/s; rows of 16384 take 2.2 ms, 0.52; of 1024 keys 5.0 ms, 0.23,
// and of 64 keys 25 ms, 0.05, which the bisection, the writes and the sort of the rows take.
//
// Options: those of selection.cl.
//   BITS     of a digit
#ifndef CLSORT_SEGMENTS_SELECT_CORES_CL
#define CLSORT_SEGMENTS_SELECT_CORES_CL

#include "common/append.cl"
#include "common/vector_counts.cl"
#include "segments/key_range.cl"

#define MAX_CANDIDATES 1024
#define MAX_FEW (MAX_CANDIDATES / 4) // selected elements for which candidates are collected
#define LARGEST_NUMBER ((key_t) ~(key_t)0)

// The keys of a segment.
typedef struct {
    __global const key_t *keys; // of the whole array
    ulong begin, end;
    order_t order;
} segment_keys_t;

// Keys among which the threshold is searched, in the order of the input. Their number is rounded up to blocks
// by LARGEST_NUMBER.
typedef struct {
    key_t numbers[MAX_CANDIDATES] ALIGNED; // compared keys
    index_t indexes[MAX_CANDIDATES]; // of the elements, unless the candidates are a whole segment
    uint count;
    bool is_segment;
} segment_candidates_t;

// The first place of a segment in the outputs.
typedef struct {
    __global key_t *keys;
    __global caller_index_t *indexes;
    ulong selected; // the number of places that are written
    bool is_nth, writes_keys;
} output_row_t;

static inline key_vector_t compared_block(__global const key_t *keys, const order_t order)
{
    return ordered_vector(vload16(0, keys), order.flip) & order.window;
}

// Returns the lowest bit that is set in a mask.
static inline uint lowest_lane(const uint mask)
{
    return popcount((mask - 1) & ~mask);
}

// -- candidates -----------------------------------------------------------------------------------

static inline void fill_block(segment_candidates_t *candidates)
{
    for (uint i = candidates->count; i % LANES != 0; i++) {
        candidates->numbers[i] = LARGEST_NUMBER;
    }
}

static inline void load_segment_keys(segment_candidates_t *candidates,
                                     const segment_keys_t *segment)
{
    __global const key_t *keys = segment->keys + segment->begin;
    const uint count = (uint)(segment->end - segment->begin);
    uint i = 0;
    for (; i + LANES <= count; i += LANES) {
        vstore16(compared_block(keys + i, segment->order), 0, candidates->numbers + i);
    }
    for (; i < count; i++) {
        candidates->numbers[i] = compared_key(keys[i], segment->order);
    }
    candidates->count = count;
    candidates->is_segment = true;
    fill_block(candidates);
}

// Returns whether any of 64 keys is at most `bound`.
static inline bool any_up_to(__global const key_t *keys, const key_t bound, const order_t order)
{
    return any((compared_block(keys, order) <= bound) |
               (compared_block(keys + LANES, order) <= bound) |
               (compared_block(keys + 2 * LANES, order) <= bound) |
               (compared_block(keys + 3 * LANES, order) <= bound));
}

// Returns how many candidates are at most `number`, which is less than LARGEST_NUMBER.
static inline uint count_up_to(const segment_candidates_t *candidates, const key_t number)
{
#if APPENDS_VECTORS
    uint count = 0;
    for (uint i = 0; i < candidates->count; i += LANES) {
        count += popcount((uint)mask_up_to(vload16(0, candidates->numbers + i), number));
    }
    return count;
#else
    key_vector_t counts = 0;
    for (uint i = 0; i < candidates->count; i += LANES) {
        counts += AS_MASK(vload16(0, candidates->numbers + i) <= number);
    }
    const uint16 lanes = convert_uint16((key_vector_t)0 - counts);
    const uint8 eight = lanes.lo + lanes.hi;
    const uint4 four = eight.lo + eight.hi;
    const uint2 two = four.lo + four.hi;
    return two.x + two.y;
#endif
}

// Halves the range until all its keys are selected or equal.
OUTLINED void bisect_range(key_range_t *range, const segment_candidates_t *candidates,
                           const bool is_nth)
{
    uint below = 0; // candidates below the range
    while (range->first < range->last && range->count > 1 &&
           (is_nth || range->count != range->rank)) {
        const key_t middle = range->first + (key_t)(range->last - range->first) / 2;
        const uint lower = count_up_to(candidates, middle) - below;
        if (lower >= range->rank) {
            range->last = middle;
            range->count = lower;
        } else {
            range->first = (key_t)(middle + 1);
            range->rank -= lower;
            range->count -= lower;
            below += lower;
        }
    }
}

static inline key_t min_lane(key_vector_t x)
{
    x = min(x, x.s89abcdef89abcdef);
    x = min(x, x.s4567456745674567);
    x = min(x, x.s2323232323232323);
    return min(x.s0, x.s1);
}

static inline key_t max_lane(key_vector_t x)
{
    x = max(x, x.s89abcdef89abcdef);
    x = max(x, x.s4567456745674567);
    x = max(x, x.s2323232323232323);
    return max(x.s0, x.s1);
}

// Begins with the range from the smallest to the largest candidate.
static inline void begin_bisection(key_range_t *range, const segment_candidates_t *candidates,
                                   const ulong rank)
{
    const uint blocks = candidates->count / LANES;
    key_t first = candidates->numbers[0], last = first;
    key_vector_t smallest = first, largest = first;
    for (uint i = 0; i < blocks; i++) {
        const key_vector_t numbers = vload16(i, candidates->numbers);
        smallest = min(smallest, numbers);
        largest = max(largest, numbers);
    }
    for (uint i = blocks * LANES; i < candidates->count; i++) {
        first = min(first, candidates->numbers[i]);
        last = max(last, candidates->numbers[i]);
    }
    range->first = min(first, min_lane(smallest));
    range->last = max(last, max_lane(largest));
    range->rank = rank;
    range->count = candidates->count;
}

// Appends those of `count` keys from element i on that are at most `bound`. All of them fit.
static inline void append_keys(segment_candidates_t *candidates, const segment_keys_t *segment,
                               const ulong i, const uint count, const key_t bound)
{
    for (uint j = 0; j < count; j++) {
        const key_t number = compared_key(segment->keys[i + j], segment->order);
        candidates->numbers[candidates->count] = number;
        candidates->indexes[candidates->count] = (index_t)(i + j);
        candidates->count += number <= bound;
    }
}

// Does the same for 16 keys, of which few are appended.
static inline void append_block(segment_candidates_t *candidates, const segment_keys_t *segment,
                                const ulong i, const key_t bound)
{
    const key_vector_t numbers = compared_block(segment->keys + i, segment->order);
#if APPENDS_VECTORS
    const ushort mask = mask_up_to(numbers, bound);
    APPEND_KEYS_PRIVATE(candidates->numbers + candidates->count, numbers, mask);
    APPEND_INDEXES_PRIVATE(candidates->indexes + candidates->count, i, mask);
    candidates->count += popcount((uint)mask);
#else
    if (any(numbers <= bound)) {
        append_keys(candidates, segment, i, LANES, bound);
    }
#endif
}

// Keeps the candidates up to the one of this rank, if there is one, and lowers the bound: a later key is
// selected only if it is less than the key of that candidate. Returns false if no key can be.
OUTLINED bool drop_candidates(segment_candidates_t *candidates, key_t *bound, const ulong rank)
{
    key_range_t range;
    if (candidates->count < rank) {
        return true;
    }
    fill_block(candidates);
    begin_bisection(&range, candidates, rank);
    bisect_range(&range, candidates, false);
    uint kept = 0;
    ulong ties = 0;
    for (uint i = 0; i < candidates->count; i++) {
        const key_t number = candidates->numbers[i];
        const bool is_tie = is_in_range(number, &range);
        ties += is_tie;
        candidates->numbers[kept] = number;
        candidates->indexes[kept] = candidates->indexes[i];
        kept += (number < range.first) | (is_tie & (ties <= range.rank));
    }
    candidates->count = kept;
    *bound = (key_t)(range.last - (range.last > 0));
    return range.last > 0;
}

// Collects candidates for the element of this rank, which is at most MAX_FEW.
OUTLINED void collect(segment_candidates_t *candidates, const segment_keys_t *segment,
                      const ulong rank)
{
    key_t bound = segment->order.window;
    uint limit = 0;
    bool may_select = true; // a later key
    candidates->count = 0;
    candidates->is_segment = false;
    for (ulong i = segment->begin; i < segment->end && may_select; i += STEP) {
        const bool is_full = segment->end - i >= STEP;
        if (is_full && !any_up_to(segment->keys + i, bound, segment->order)) {
            continue;
        }
        if (candidates->count + STEP > limit) {
            may_select = drop_candidates(candidates, &bound, rank);
            limit = min(4 * candidates->count + 2 * STEP, (uint)MAX_CANDIDATES);
        }
        for (uint j = 0; j < STEP && is_full; j += LANES) {
            append_block(candidates, segment, i + j, bound);
        }
        if (!is_full) {
            append_keys(candidates, segment, i, (uint)(segment->end - i), bound);
        }
    }
    fill_block(candidates);
}

// Loads candidates that have the element of this rank. Returns false if it is too large.
static inline bool load_candidates(segment_candidates_t *candidates, const segment_keys_t *segment,
                                   const ulong rank)
{
    const ulong count = segment->end - segment->begin;
    if (count <= MAX_CANDIDATES) {
        load_segment_keys(candidates, segment);
        return true;
    }
    if (rank > MAX_FEW) {
        return false;
    }
    collect(candidates, segment, rank);
    return true;
}

// -- the output -----------------------------------------------------------------------------------

// Returns whether any of 16 keys is in the range [first, first + width].
static inline bool any_in_range(const key_vector_t numbers, const key_t first, const key_t width)
{
    return any(numbers - first <= width);
}

// Returns the mask of the selected ones of 16 keys, of which the first `count` exist. `ties` is the number of
// preceding ties.
static inline uint selected_of_block(const key_vector_t numbers, const uint count,
                                     const key_range_t *range, const bool is_nth, ulong *ties)
{
#if APPENDS_VECTORS
    const uint existing = (1u << count) - 1;
    const key_t width = (key_t)(range->last - range->first);
    const uint less = is_nth ? 0 : mask_less(numbers, range->first) & existing;
    const ushort equal = (ushort)(mask_up_to(numbers - range->first, width) & existing);
    const ulong left = range->rank - min(*ties, range->rank);
    const uint others = is_nth && left > 0 ? lowest_bits(equal, left - 1) : 0;
    *ties += popcount((uint)equal);
    return less | (lowest_bits(equal, left) & ~others);
#else
    key_t lanes[LANES];
    uint selected = 0;
    ulong preceding = *ties;
    vstore16(numbers, 0, lanes);
    for (uint i = 0; i < count; i++) {
        const bool is_tie = is_in_range(lanes[i], range), is_less = lanes[i] < range->first;
        preceding += is_tie;
        const bool is_selected = is_nth ? is_tie & (preceding == range->rank)
                                        : is_less | (is_tie & (preceding <= range->rank));
        selected |= (uint)is_selected << i;
    }
    *ties = preceding;
    return selected;
#endif
}

static inline ulong write_element(const output_row_t *row, const ulong place,
                                  __global const key_t *keys, const ulong index)
{
    row->indexes[place] = (caller_index_t)index;
    if (row->writes_keys) {
        row->keys[place] = keys[index];
    }
    return place + 1;
}

// Writes the elements of the mask among those from element i on. All 16 exist if is_full is set.
static inline ulong write_block(const output_row_t *row, ulong place, const segment_keys_t *segment,
                                const ulong i, const bool is_full, const uint mask)
{
#if APPENDS_VECTORS
    if (is_full) {
        APPEND_VALUE_INDEXES(row->indexes + place, i, (ushort)mask);
        if (row->writes_keys) {
            APPEND_KEYS(row->keys + place, vload16(0, segment->keys + i), (ushort)mask);
        }
        return place + popcount(mask);
    }
#endif
    for (uint rest = mask; rest != 0; rest &= rest - 1) {
        place = write_element(row, place, segment->keys, i + lowest_lane(rest));
    }
    return place;
}

OUTLINED void write_candidates(const output_row_t *row, const segment_keys_t *segment,
                               const segment_candidates_t *candidates, const key_range_t *range)
{
    const key_t first = row->is_nth ? range->first : 0, width = (key_t)(range->last - first);
    ulong ties = 0, place = 0;
    for (uint block = 0; block < candidates->count && place < row->selected; block += LANES) {
        const key_vector_t numbers = vload16(0, candidates->numbers + block);
        if (!any_in_range(numbers, first, width)) {
            continue;
        }
        const uint count = min((uint)LANES, candidates->count - block);
        uint selected = selected_of_block(numbers, count, range, row->is_nth, &ties);
        if (candidates->is_segment) {
            place =
                write_block(row, place, segment, segment->begin + block, count == LANES, selected);
            continue;
        }
        for (; selected != 0; selected &= selected - 1) {
            const uint at = block + lowest_lane(selected);
            place = write_element(row, place, segment->keys, (ulong)candidates->indexes[at]);
        }
    }
}

// -- radix select ---------------------------------------------------------------------------------

OUTLINED void count_digits(ulong *counts, const segment_keys_t *segment, const key_range_t *range,
                           const uint mask)
{
    const key_t width = (key_t)(range->last - range->first);
    for (uint b = 0; b < RANGE_BINS; b++) {
        counts[b] = 0;
    }
    for (ulong i = segment->begin; i < segment->end;) {
        const ulong end = min(i + LANES, segment->end);
        if (end - i == LANES &&
            !any_in_range(compared_block(segment->keys + i, segment->order), range->first, width)) {
            i = end;
            continue;
        }
        for (; i < end; i++) {
            const key_t key = compared_key(segment->keys[i], segment->order);
            if (is_in_range(key, range)) {
                counts[(uint)(key >> range->shift) & mask]++;
            }
        }
    }
}

static inline void find_range(key_range_t *range, const segment_keys_t *segment,
                              const selection_t *s, const cls_segments_select_args args)
{
    ulong counts[RANGE_BINS];
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

// Returns 16 keys of the segment from element i on, of which the first `count` exist.
static inline key_vector_t load_block(const segment_keys_t *segment, const ulong i,
                                      const uint count)
{
    key_t numbers[LANES];
    if (count == LANES) {
        return compared_block(segment->keys + i, segment->order);
    }
    for (uint j = 0; j < LANES; j++) {
        numbers[j] = j < count ? compared_key(segment->keys[i + j], segment->order) : 0;
    }
    return vload16(0, numbers);
}

OUTLINED void write_segment(const output_row_t *row, const segment_keys_t *segment,
                            const key_range_t *range)
{
    const key_t first = row->is_nth ? range->first : 0, width = (key_t)(range->last - first);
    ulong ties = 0, place = 0;
    for (ulong i = segment->begin; i < segment->end && place < row->selected; i += LANES) {
        const uint count = (uint)min((ulong)LANES, segment->end - i);
        const key_vector_t numbers = load_block(segment, i, count);
        if (!any_in_range(numbers, first, width)) {
            continue;
        }
        place = write_block(row, place, segment, i, count == LANES,
                            selected_of_block(numbers, count, range, row->is_nth, &ties));
    }
}

// -- the kernel -----------------------------------------------------------------------------------

static inline void select_from_segment(const output_row_t *row, const segment_keys_t *segment,
                                       const selection_t *s, segment_candidates_t *candidates,
                                       const cls_segments_select_args args)
{
    key_range_t range;
    if (load_candidates(candidates, segment, s->rank)) {
        begin_bisection(&range, candidates, s->rank);
        bisect_range(&range, candidates, row->is_nth);
        write_candidates(row, segment, candidates, &range);
    } else {
        find_range(&range, segment, s, args);
        write_segment(row, segment, &range);
    }
}

__kernel WORK_ITEM_KERNEL void segments_select(INPUT(keys), SEGMENT_ARGUMENTS, ROW_ARGUMENTS,
                                               BUFFER(control), BUFFER(keys_to), BUFFER(indexes),
                                               COUNT_ARGUMENT const cls_segments_select_args args,
                                               ORDER)
{
    const order_t order = ORDER_ARGUMENTS;
    segment_candidates_t candidates;
    for (;;) {
        const ulong first =
            atomic_inc(&AT(cls_segments_select_control, control)->next_chunk) * (ulong)args.chunk;
        if (first >= args.segments) {
            return;
        }
        for (ulong i = first; i < min(first + args.chunk, (ulong)args.segments); i++) {
            selection_t s;
            LOAD_SELECTION(&s, i);
            FINISH_SELECTION(&s, i);
            if (s.selected > 0) {
                const output_row_t row = {AT(key_t, keys_to) + i * args.places,
                                          AT(caller_index_t, indexes) + i * args.places, s.selected,
                                          args.is_nth != 0, args.writes_keys != 0};
                const segment_keys_t segment = {AT(const key_t, keys), s.begin, s.end, order};
                select_from_segment(&row, &segment, &s, &candidates, args);
            }
        }
    }
}

#endif
