// scratch.cl - the arrays in the scratch of the selection, and the chunks of the input
#ifndef CLSORT_SELECT_SCRATCH_CL
#define CLSORT_SELECT_SCRATCH_CL

#include "common/device_count.cl"
#include "select/range.cl"
#include "select/sizes.h"

// The last argument of a kernel, and the start of a kernel. It declares `args`, in which the members that
// depend on a count in device memory are those that select_size has written to scratch.
#if COUNT_BYTES > 0
#define SELECT_ARGS const cls_select_args bound_args
#define BEGIN_ARGS                                                                                 \
    cls_select_args args = bound_args;                                                             \
    load_sizes(&args, AT(const cls_select_control, scratch));

static inline void load_sizes(cls_select_args *args, __global const cls_select_control *control)
{
    args->count = control->count;
    args->k = control->k;
    args->chunk = control->chunk;
    args->samples = control->samples;
    args->low_rank = control->low_rank;
    args->high_rank = control->high_rank;
}
#else
#define SELECT_ARGS const cls_select_args args
#define BEGIN_ARGS
#endif

typedef struct {
    __global cls_select_control *control;
    __global cls_select_chunk *chunks;
    __global uint *table; // row i: elements [i * RADIX, (i + 1) * RADIX); see add_to_table
    __global key_t *sample;
    __global uint *links;
    __global key_t *keys; // of the candidates; SELECT_BLOCK in each block
    __global index_t *indexes;
} select_scratch_t;

// Initializers of structs. Functions that return large structs would need an intrinsic that
// Oclgrind lacks.
#define SCRATCH(bytes, args)                                                                       \
    {                                                                                              \
        (__global cls_select_control *)(bytes),                                                    \
            (__global cls_select_chunk *)((bytes) + (args).chunks_at),                             \
            (__global uint *)((bytes) + (args).table_at),                                          \
            (__global key_t *)((bytes) + (args).sample_at),                                        \
            (__global uint *)((bytes) + (args).links_at),                                          \
            (__global key_t *)((bytes) + (args).keys_at),                                          \
            (__global index_t *)((bytes) + (args).indexes_at)                                      \
    }
#define RANGE(control)                                                                             \
    {                                                                                              \
        (control)->first, (control)->last, (control)->rank                                         \
    }

// -- the table of histograms ----------------------------------------------------------------------

// Chunk c has row c of the table. If there are more chunks than rows, their parts share the rows, which
// are cleared before and then added to: fewer rows can be read faster.

// Clears row c, if it exists, before chunks add to it.
static inline void clear_table_row(__global uint *table, const uint c, const cls_select_args args)
{
    for (uint d = (uint)get_local_id(0); args.chunks > args.rows && c < args.rows && d < RADIX;
         d += GROUP_SIZE) {
        table[(size_t)c * RADIX + d] = 0;
    }
}

// Writes the histogram of a part of the chunks, or adds it.
static inline void add_to_table(__global uint *table, const uint part, __local const uint *counts,
                                const cls_select_args args)
{
    __global uint *row = table + (size_t)(part % args.rows) * RADIX;
    for (uint d = (uint)get_local_id(0); d < RADIX; d += GROUP_SIZE) {
        if (args.chunks <= args.rows) {
            row[d] = counts[d];
        } else if (counts[d] > 0) {
            atomic_add(row + d, counts[d]);
        }
    }
}

// Sets the totals to the sums of the rows, of this many rows.
static inline void sum_table(__local select_histogram_t *histogram, __global const uint *table,
                             const uint rows)
{
    for (uint d = (uint)get_local_id(0); d < RADIX; d += GROUP_SIZE) {
        ulong total = 0;
        for (uint r = 0; r < rows; r += READS_AT_ONCE) {
            uint counts[READS_AT_ONCE];
#pragma unroll
            for (uint i = 0; i < READS_AT_ONCE; i++) {
                counts[i] = table[(size_t)min(r + i, rows - 1) * RADIX + d];
            }
#pragma unroll
            for (uint i = 0; i < READS_AT_ONCE; i++) {
                total += r + i < rows ? counts[i] : 0;
            }
        }
        histogram->totals[d] = total;
    }
}

// -- chunks and candidates ------------------------------------------------------------------------

// The elements of a chunk: indexes first .. last - 1.
typedef struct {
    index_t first, last;
} select_chunk_t;

static inline select_chunk_t chunk_of_number(const uint c, const cls_select_args args)
{
    select_chunk_t chunk;
    chunk.first = (index_t)min(args.count, c * args.chunk);
    chunk.last = (index_t)min(args.count, chunk.first + args.chunk);
    return chunk;
}

static inline select_chunk_t chunk_of_group(const cls_select_args args)
{
    return chunk_of_number((uint)get_group_id(0), args);
}

// Keys between the ends of the bracket are candidates: those for which key - first < span. Without
// a lower end, this includes the smallest keys.
typedef struct {
    key_t low, high;
    key_t first, span;
} bracket_t;

static inline bracket_t bracket_of(__global const cls_select_control *control,
                                   const cls_select_args args)
{
    const key_t window = (key_t)args.window, step = window & (key_t)(0 - window);
    bracket_t bracket = {(key_t)control->low, (key_t)control->high, 0, 0};
    if (args.low_rank > 0) {
        bracket.first = bracket.low + step;
    }
    if (args.low_rank == 0 || bracket.high - bracket.low > step) {
        bracket.span = bracket.high - bracket.first;
    }
    return bracket;
}

static inline bool is_candidate(const key_t compared_key, const bracket_t bracket)
{
    return (key_t)(compared_key - bracket.first) < bracket.span;
}

// The counts of a chunk.
typedef struct {
    ulong below, equal_low, inside, equal_high;
} bracket_counts_t;

// Counts a key that is not a candidate.
static inline void count_in_bracket(bracket_counts_t *counts, const key_t compared_key,
                                    const bracket_t bracket)
{
    counts->below += compared_key < bracket.low;
    counts->equal_low += compared_key == bracket.low;
    counts->equal_high += compared_key == bracket.high;
}

// Writes the counts, in which no key is in two classes: there may be no lower end of the bracket,
// or both ends may be equal.
static inline void write_counts(__global cls_select_chunk *chunk, const bracket_counts_t counts,
                                const bracket_t bracket, const cls_select_args args)
{
    const bool has_low = args.low_rank > 0;
    chunk->below = counts.below;
    chunk->equal_low = has_low ? counts.equal_low : 0;
    chunk->inside = counts.inside;
    chunk->equal_high = has_low && bracket.low == bracket.high ? 0 : counts.equal_high;
}

// Allocates adjacent blocks and returns the first. If there are not enough, returns `max`, the
// number of all blocks.
static inline uint allocate_blocks(__global cls_select_control *control, const uint count,
                                   const uint max)
{
    const uint first = atomic_add(&control->next_block, count);
    if (first >= max || count > max - first) {
        atomic_xchg(&control->is_overflow, 1);
        return max;
    }
    return first;
}

// A block of candidates: elements first .. end - 1 of the arrays.
typedef struct {
    uint block;
    ulong left; // number of candidates of the chunk in the blocks after this one
    size_t first, end;
} candidates_t;

// The state before the first block of chunk c.
#define NO_CANDIDATES(scratch, c)                                                                  \
    {                                                                                              \
        c, (scratch).chunks[c].inside, 0, 0                                                        \
    }

// Proceeds to the next block. Returns false after the last one.
static inline bool next_block(candidates_t *candidates, __global const uint *links)
{
    const ulong size = min(candidates->left, (ulong)SELECT_BLOCK);
    if (size == 0) {
        return false;
    }
    if (candidates->end > 0) {
        candidates->block = links[candidates->block];
    }
    candidates->first = (size_t)candidates->block * SELECT_BLOCK;
    candidates->end = candidates->first + size;
    candidates->left -= size;
    return true;
}

// Runs a statement for those candidates of chunk c that work-item `member` of a team of `size` handles: `i` is
// the index of the candidate in the arrays.
#define FOR_EACH_CANDIDATE(i, scratch, c, member, size)                                            \
    for (candidates_t in_block = NO_CANDIDATES(scratch, c);                                        \
         next_block(&in_block, (scratch).links);)                                                  \
        for (size_t i = in_block.first + (member); i < in_block.end; i += (size))

#endif
