// cores.cl - selects the k first elements of the input, for CPUs: one work-item per chunk
//
// select.cl explains the method and its kernels. Here a work-item reads its chunk in steps of
// several vectors and counts by masks. If a step has candidates, it appends those of each vector to
// the other candidates, with AVX-512 by a compress instruction. Otherwise it examines the keys of a
// vector with candidates one by one.
//
// Options, besides those of common/types.cl and common/keys.cl: BITS of a digit (select/range.cl),
// and GROUP_SIZE, which is 1.
#ifndef CLSORT_SELECT_CORES_CL
#define CLSORT_SELECT_CORES_CL

#include "common/vector_counts.cl"
#include "select/append.cl"
#include "select/select.cl"

static inline key_vector_t compared_vector(__global const key_t *keys, const key_t flip,
                                           const key_t window)
{
    return ordered_vector(vload16(0, keys), flip) & window;
}

// -- the first read -------------------------------------------------------------------------------

typedef struct {
    uint block, size; // the last block of the chunk, and its number of candidates
    ulong count;      // candidates of the chunk, including those that are dropped
    bool is_full;     // all blocks were allocated
    uint blocks;      // number of blocks
    select_scratch_t at;
    bracket_t bracket;
    key_t flip, window;
} collector_t;

// Continues in a new block. If all blocks are in use, drops all further candidates.
static inline void begin_block(collector_t *to)
{
    const uint block = allocate_blocks(to->at.control, 1, to->blocks);
    to->is_full = block == to->blocks;
    if (!to->is_full) {
        to->at.links[to->block] = block;
        to->block = block;
        to->size = 0;
    }
}

// Collects the candidates among the keys [first, last). Each key is stored after the candidates,
// which needs no branch, and overwritten if it is not a candidate.
OUTLINED void collect(collector_t *collector, __global const key_t *restrict in,
                      const index_t first, const index_t last)
{
    collector_t to = *collector;
    for (index_t i = first; i < last; i++) {
        const key_t key = in[i];
        const bool is_inside = is_candidate(compared(key, to.flip, to.window), to.bracket);
        to.count += is_inside;
        if (to.size == SELECT_BLOCK && is_inside && !to.is_full) {
            begin_block(&to);
        }
        if (to.size < SELECT_BLOCK) {
            const size_t at = (size_t)to.block * SELECT_BLOCK + to.size;
            to.at.keys[at] = key;
            to.at.indexes[at] = i;
            to.size += is_inside;
        }
    }
    collector->block = to.block;
    collector->size = to.size;
    collector->count = to.count;
    collector->is_full = to.is_full;
}

#if APPENDS_VECTORS

// Collects the candidates of a vector, which the mask has.
static inline void collect_vector(collector_t *to, __global const key_t *restrict in,
                                  const index_t first, const ushort mask)
{
    const uint number = popcount((uint)mask);
    if (to->size + number > SELECT_BLOCK) {
        collect(to, in, first, first + LANES);
        return;
    }
    const size_t at = (size_t)to->block * SELECT_BLOCK + to->size;
    APPEND_KEYS(to->at.keys + at, vload16(0, in + first), mask);
    APPEND_INDEXES(to->at.indexes + at, first, mask);
    to->size += number;
    to->count += number;
}

OUTLINED void collect_step(collector_t *collector, __global const key_t *restrict in,
                           const index_t first)
{
    collector_t to = *collector;
    for (index_t i = first; i < first + STEP; i += LANES) {
        const key_vector_t x = compared_vector(in + i, to.flip, to.window);
        collect_vector(&to, in, i, mask_less(x - to.bracket.first, to.bracket.span));
    }
    collector->block = to.block;
    collector->size = to.size;
    collector->count = to.count;
    collector->is_full = to.is_full;
}

#else

OUTLINED void collect_step(collector_t *collector, __global const key_t *restrict in,
                           const index_t first)
{
    const bracket_t bracket = collector->bracket;
    for (index_t i = first; i < first + STEP; i += LANES) {
        const key_vector_t x = compared_vector(in + i, collector->flip, collector->window);
        if (has_bits(AS_MASK(x - bracket.first < bracket.span))) {
            collect(collector, in, i, i + LANES);
        }
    }
}

#endif

// Counts the keys of each chunk before and at the ends of the bracket, and collects those inside.
__kernel WORK_GROUP_KERNEL void select_filter(BUFFER(scratch), INPUT(keys), SELECT_ARGS)
{
    BEGIN_ARGS
    const select_scratch_t at = SCRATCH(AT(uchar, scratch), args);
    const bracket_t bracket = bracket_of(at.control, args);
    const key_t flip = (key_t)args.flip, window = (key_t)args.window;
    const select_chunk_t chunk = chunk_of_group(args);
    __global const key_t *restrict in = AT(const key_t, keys);
    bracket_counts_t counts = {0, 0, 0, 0};
    collector_t candidates;
    candidates.block = (uint)get_group_id(0);
    candidates.size = 0;
    candidates.count = 0;
    candidates.is_full = false;
    candidates.blocks = args.blocks;
    candidates.at = at;
    candidates.bracket = bracket;
    candidates.flip = flip;
    candidates.window = window;
    index_t i = chunk.first;
    while (chunk.last - i >= STEP) {
        const index_t end = i + min(chunk.last - i, (index_t)STRIP) / STEP * STEP;
        key_vector_t below = 0, equal_low = 0, equal_high = 0;
        for (; i < end; i += STEP) {
            key_vector_t hits = 0;
#pragma unroll
            for (uint v = 0; v < STEP_VECTORS; v++) {
                const key_vector_t x = compared_vector(in + i + v * LANES, flip, window);
                below += AS_MASK(x < bracket.low);
                equal_low += AS_MASK(x == bracket.low);
                equal_high += AS_MASK(x == bracket.high);
                hits |= AS_MASK(x - bracket.first < bracket.span);
            }
            if (has_bits(hits)) {
                collect_step(&candidates, in, i);
            }
        }
        counts.below += sum_of_lanes(below);
        counts.equal_low += sum_of_lanes(equal_low);
        counts.equal_high += sum_of_lanes(equal_high);
    }
    collect(&candidates, in, i, chunk.last);
    for (; i < chunk.last; i++) {
        count_in_bracket(&counts, compared(in[i], flip, window), bracket);
    }
    counts.inside = candidates.count;
    write_counts(at.chunks + get_group_id(0), counts, bracket, args);
}

// -- the output -----------------------------------------------------------------------------------

typedef struct {
    output_t output;
    index_t next, end; // offsets in the output: of the next element, and one past the last one
    index_t tie;       // number of ties so far
} emitter_t;

// Writes an element after those that were selected. If it is not selected itself, the next one
// overwrites it, which needs no branch.
static inline void offer(emitter_t *to, const key_t key, const index_t index)
{
    const key_t x = compared(key, to->output.flip, to->output.window);
    const bool is_tie = x == to->output.threshold,
               is_before = (x >= to->output.first) & (x < to->output.threshold);
    if (to->next < to->end) {
        write_element(to->output, to->next, key, index);
        to->next += is_before | (is_tie & is_selected_tie(to->tie, to->output));
        to->tie += is_tie;
    }
}

OUTLINED void offer_keys(emitter_t *emitter, const index_t first, const index_t last)
{
    emitter_t to = *emitter;
    for (index_t i = first; i < last; i++) {
        offer(&to, to.output.in[i], i);
    }
    emitter->next = to.next;
    emitter->tie = to.tie;
}

#if APPENDS_VECTORS

// Returns the mask of the selected ones among the ties of a vector, which are counted.
static inline ushort selected_ties(emitter_t *to, const ushort ties)
{
    const index_t first = to->tie, first_tie = to->output.first_tie, end_tie = to->output.end_tie;
    to->tie = first + (index_t)popcount((uint)ties);
    return lowest_bits(ties, end_tie > first ? end_tie - first : 0) &
           ~lowest_bits(ties, first_tie > first ? first_tie - first : 0);
}

// Offers vectors of keys until fewer than a vector remain, or all elements of the chunk have been
// selected. Returns the index of the first key that was not offered.
OUTLINED index_t offer_vectors(emitter_t *emitter, index_t first, const index_t last)
{
    emitter_t to = *emitter;
    const output_t output = to.output;
    const bool emits_less = output.first < output.threshold;
    for (; last - first >= LANES && to.next < to.end; first += LANES) {
        const key_vector_t keys = vload16(0, output.in + first);
        const key_vector_t x = ordered_vector(keys, output.flip) & output.window;
        ushort selected = emits_less ? mask_less(x, output.threshold) : (ushort)0;
        const ushort ties = mask_equal(x, output.threshold);
        if (ties != 0) {
            selected |= selected_ties(&to, ties);
        }
        if (selected != 0) {
            append_vector(output.out, output.outputs, to.next, keys, first, selected);
            to.next += (index_t)popcount((uint)selected);
        }
    }
    emitter->next = to.next;
    emitter->tie = to.tie;
    return first;
}

// Offers the keys [first, last) until all elements of the chunk have been selected.
static inline void offer_input(emitter_t *to, const index_t first, const index_t last)
{
    const index_t rest = offer_vectors(to, first, last);
    if (to->next < to->end) {
        offer_keys(to, rest, last);
    }
}

#else

// Offers the keys [first, last) until all elements of the chunk have been selected.
static inline void offer_input(emitter_t *to, index_t first, const index_t last)
{
    const output_t output = to->output;
    const key_t width = output.threshold - output.first;
    for (; last - first >= STEP && to->next < to->end; first += STEP) {
        key_vector_t hits = 0;
#pragma unroll
        for (uint v = 0; v < STEP_VECTORS; v++) {
            const key_vector_t x =
                compared_vector(output.in + first + v * LANES, output.flip, output.window);
            hits |= AS_MASK(x - output.first <= width);
        }
        if (has_bits(hits)) {
            offer_keys(to, first, first + STEP);
        }
    }
    if (to->next < to->end) {
        offer_keys(to, first, last);
    }
}

#endif

// Writes the selected elements of each chunk to the output.
__kernel WORK_GROUP_KERNEL void select_emit(OUTPUT_ARGUMENTS)
{
    BEGIN_OUTPUT
    if (own->emitted == 0) {
        return;
    }
    emitter_t emitter;
    emitter.output = output;
    emitter.next = (index_t)own->offset;
    emitter.end = (index_t)(own->offset + own->emitted);
    emitter.tie = 0;
    if (is_among_candidates(at.control, args)) {
        FOR_EACH_CANDIDATE(i, at, (uint)get_group_id(0), 0, 1)
        {
            offer(&emitter, at.keys[i], at.indexes[i]);
        }
    } else {
        offer_input(&emitter, chunk.first, chunk.last);
    }
}

// -- the partition --------------------------------------------------------------------------------

// Writes the keys [first, last), each to its part.
OUTLINED void distribute_keys(const output_t *to, parts_t *parts, const index_t first,
                              const index_t last)
{
    const output_t output = *to;
    parts_t next = *parts;
    for (index_t i = first; i < last; i++) {
        const key_t key = output.in[i], x = compared(key, output.flip, output.window);
        const bool is_less = x < output.threshold, is_tie = x == output.threshold;
        const index_t greater = is_tie ? next.equal : next.greater;
        write_element(output, is_less ? next.less : greater, key, i);
        next.less += is_less;
        next.equal += is_tie;
        next.greater += !is_less & !is_tie;
    }
    *parts = next;
}

#if APPENDS_VECTORS
// Does the same with vectors of keys. Returns the index of the first key that is left.
OUTLINED index_t distribute_vectors(const output_t *to, parts_t *parts, index_t first,
                                    const index_t last)
{
    const output_t output = *to;
    parts_t next = *parts;
    for (; last - first >= LANES; first += LANES) {
        const key_vector_t keys = vload16(0, output.in + first);
        const key_vector_t x = ordered_vector(keys, output.flip) & output.window;
        const ushort less = mask_less(x, output.threshold), equal = mask_equal(x, output.threshold),
                     greater = (ushort) ~(less | equal);
        append_vector(output.out, output.outputs, next.less, keys, first, less);
        append_vector(output.out, output.outputs, next.greater, keys, first, greater);
        if (equal != 0) {
            append_vector(output.out, output.outputs, next.equal, keys, first, equal);
        }
        next.less += (index_t)popcount((uint)less);
        next.equal += (index_t)popcount((uint)equal);
        next.greater += (index_t)popcount((uint)greater);
    }
    *parts = next;
    return first;
}
#endif

// Writes all elements of each chunk to the three parts of the output.
__kernel WORK_GROUP_KERNEL void select_partition(OUTPUT_ARGUMENTS)
{
    BEGIN_OUTPUT
    parts_t parts;
    set_parts(&parts, at.control, own, chunk);
    index_t first = chunk.first;
#if APPENDS_VECTORS
    first = distribute_vectors(&output, &parts, first, chunk.last);
#endif
    distribute_keys(&output, &parts, first, chunk.last);
}

#endif
