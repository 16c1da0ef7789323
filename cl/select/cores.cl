// cores.cl - selects the k first elements of the input, for CPUs: one work-item per chunk
//
// select.cl explains the method and its kernels. Here a work-item reads its chunk in steps of
// several vectors. It counts by masks, and examines the keys of a step one by one only if one of
// them is a candidate.
//
// Options, besides those of common/types.cl and common/keys.cl: BITS of a digit (select/range.cl),
// and GROUP_SIZE, which is 1.
#ifndef CLSORT_SELECT_CORES_CL
#define CLSORT_SELECT_CORES_CL

#include "select/select.cl"

#define LANES 16u       // keys in a vector
#define STEP_VECTORS 4u // vectors of a step
#define STEP (STEP_VECTORS * LANES)
#define STRIP (128u * LANES) // keys after which counters of the size of a key are added up

// Conversions of vectors: the result of a comparison to keys, and keys to words.
#if KEY_BYTES == 1
#define AS_MASK as_uchar16
typedef ulong2 select_words_t;
#define AS_WORDS as_ulong2
#elif KEY_BYTES == 2
#define AS_MASK as_ushort16
typedef ulong4 select_words_t;
#define AS_WORDS as_ulong4
#elif KEY_BYTES == 4
#define AS_MASK as_uint16
typedef ulong8 select_words_t;
#define AS_WORDS as_ulong8
#else
#define AS_MASK as_ulong16
typedef ulong16 select_words_t;
#define AS_WORDS as_ulong16
#endif

static inline key_vector_t compared_vector(__global const key_t *keys, const key_t flip,
                                           const key_t window)
{
    return ordered_vector(vload16(0, keys), flip) & window;
}

// Returns whether any bit of the vector is set.
static inline bool has_bits(const key_vector_t mask)
{
    const select_words_t words = AS_WORDS(mask);
#if KEY_BYTES == 1
    const ulong2 two = words;
#elif KEY_BYTES == 2
    const ulong2 two = words.lo | words.hi;
#else
#if KEY_BYTES == 4
    const ulong8 eight = words;
#else
    const ulong8 eight = words.lo | words.hi;
#endif
    const ulong4 four = eight.lo | eight.hi;
    const ulong2 two = four.lo | four.hi;
#endif
    return (two.x | two.y) != 0;
}

// Returns the sum of counters that were decremented: a mask is -1 where a comparison is true.
// Oclgrind extends the results of vector comparisons correctly only if they are signed.
static inline ulong sum_of_lanes(const key_vector_t counters)
{
    key_t lanes[LANES];
    ulong sum = 0;
    vstore16(counters, 0, lanes);
    for (uint j = 0; j < LANES; j++) {
        sum += (key_t)(0 - lanes[j]);
    }
    return sum;
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

// Collects the candidates among the keys [first, last). Each key is stored behind the candidates,
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

// Counts the keys of each chunk before and at the ends of the bracket, and collects those inside.
__kernel WORK_GROUP_KERNEL void select_filter(BUFFER(scratch), INPUT(keys),
                                              const cls_select_args args)
{
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
                collect(&candidates, in, i, i + STEP);
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
    index_t next, end; // offsets in the output: of the next element, and behind the last one
    index_t tie;       // number of ties so far
} emitter_t;

// Writes an element behind those that were selected. If it is not selected itself, the next one
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
        offer(&to, to.output.in.keys[i], i);
    }
    emitter->next = to.next;
    emitter->tie = to.tie;
}

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
                compared_vector(output.in.keys + first + v * LANES, output.flip, output.window);
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

// Writes the selected elements of each chunk to the output.
__kernel WORK_GROUP_KERNEL void select_emit(BUFFER(scratch), INPUT(keys),
                                            VALUE_INPUT(values) BUFFER(keys_to),
                                            VALUE_BUFFER(values_to) const cls_select_args args)
{
    const select_scratch_t at = SCRATCH(AT(uchar, scratch), args);
    __global const cls_select_chunk *own = at.chunks + get_group_id(0);
    if (own->emitted == 0) {
        return;
    }
    const elements_t in = INPUT_ELEMENTS(keys, values), out = ELEMENTS(keys_to, values_to);
    emitter_t emitter;
    set_output(&emitter.output, at.control, own, in, out, args);
    emitter.next = (index_t)own->offset;
    emitter.end = (index_t)(own->offset + own->emitted);
    emitter.tie = 0;
    if (is_among_candidates(at.control, args)) {
        FOR_EACH_CANDIDATE(i, at)
        {
            offer(&emitter, at.keys[i], at.indexes[i]);
        }
    } else {
        const select_chunk_t chunk = chunk_of_group(args);
        offer_input(&emitter, chunk.first, chunk.last);
    }
}

#endif
