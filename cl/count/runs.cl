// runs.cl - the output of counting sort: runs of equal keys, written from the starts of the runs
//
// The starts of all runs of 16-bit keys do not fit in local memory. Local memory therefore has one
// start for each block of neighbouring bins, and global memory has the offsets of the runs in their
// blocks. With 8-bit keys a block is one bin, and there are no such offsets.
#ifndef CLSORT_COUNT_RUNS_CL
#define CLSORT_COUNT_RUNS_CL

#include "common/keys.cl"
#include "common/scan.cl"
#include "count/layout.h"
#include "count/pack.cl"
#include "count/sum_columns.cl"

#if KEY_BYTES == 1
#define BINS COUNT_BINS_8
#define BLOCK_BINS 1
#else
#define BINS COUNT_BINS_16
#define BLOCK_BINS COUNT_BLOCK_BINS
#endif
#define BLOCKS (BINS / BLOCK_BINS)

// -- starts of the blocks -------------------------------------------------------------------------

typedef struct {
    index_t start[BLOCKS + 1]; // of each block's first run; the last element is the end of all runs
    union {
        ulong scan[2 * GROUP_SIZE];
        index_t sums[GROUP_SIZE];
    } scratch;
} block_starts_t;

// Stores the number of keys of each block in blocks->start: the column sums of a table with a
// counter for each block. The columns of 8-bit keys are in the order of the keys as they are
// stored.
static inline void sum_blocks(__local block_starts_t *blocks, __global const index_t *table,
                              const uint rows, const key_t flip)
{
    const uint t = (uint)get_local_id(0), line = COLUMNS_AT_ONCE(BLOCKS);
    for (uint base = 0; base < BLOCKS; base += line) {
        const uint block = base + t % line;
        const uint column = KEY_BYTES == 1 ? unordered((key_t)block, flip) : block;
        index_t sum = 0;
#pragma unroll 8
        for (uint row = t / line; row < rows; row += COLUMN_LINES(BLOCKS)) {
            sum += table[(size_t)row * BLOCKS + column];
        }
        sum = add_lines(sum, BLOCKS, blocks->scratch.sums);
        if (t < line) {
            blocks->start[block] = sum;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// Replaces the numbers of keys by their exclusive prefix sums. n is their total.
static inline void scan_blocks(__local block_starts_t *blocks, const index_t n)
{
    const uint t = (uint)get_local_id(0), each = (BLOCKS + GROUP_SIZE - 1) / GROUP_SIZE;
    const uint first = min(t * each, (uint)BLOCKS), last = min(first + each, (uint)BLOCKS);
    ulong sum = 0, total;
    for (uint block = first; block < last; block++) {
        sum += blocks->start[block];
    }
    index_t next = (index_t)group_exclusive_scan(sum, blocks->scratch.scan, &total);
    for (uint block = first; block < last; block++) {
        const index_t start = next;
        next += blocks->start[block];
        blocks->start[block] = start;
    }
    if (t == 0) {
        blocks->start[BLOCKS] = n;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// -- runs -----------------------------------------------------------------------------------------

// The starts of the runs. `offset` is the offset of each run in its block (16-bit keys only).
typedef struct {
    __local const block_starts_t *blocks;
    __global const index_t *offset;
} run_starts_t;

static inline index_t run_start(const run_starts_t starts, const uint bin)
{
#if KEY_BYTES == 1
    return starts.blocks->start[bin];
#else
    return starts.blocks->start[bin / BLOCK_BINS] + starts.offset[bin];
#endif
}

// A run. All members are 0 before the first run.
typedef struct {
    uint bin; // the ordered key
    index_t end;
    key_t key;
} run_t;

// Returns the last of the blocks, or of the bins of a block, from `first` to `end` that starts at or before this offset
// of the output, by exponential search: the steps are doubled, then halved. The one at `first` has started.
static inline uint last_started(const run_starts_t starts, const uint first, const uint end,
                                const index_t offset, const bool in_blocks)
{
    uint found = first, step = 1;
#define HAS_STARTED(i) ((in_blocks ? starts.blocks->start[i] : run_start(starts, i)) <= offset)
    for (; found + step < end && HAS_STARTED(found + step); step *= 2) {
        found += step;
    }
    for (step /= 2; step > 0; step /= 2) {
        if (found + step < end && HAS_STARTED(found + step)) {
            found += step;
        }
    }
#undef HAS_STARTED
    return found;
}

// Advances to the run that contains this offset of the output, which is not before the current run. The
// block is found first, by the starts in local memory.
static inline void advance_run(run_t *run, const run_starts_t starts, const index_t offset,
                               const key_t flip)
{
    if (offset < run->end) {
        return;
    }
    const uint block = last_started(starts, run->bin / BLOCK_BINS, BLOCKS, offset, true);
    const uint first = block * BLOCK_BINS;
    run->bin = last_started(starts, max(run->bin, first), first + BLOCK_BINS, offset, false);
    run->end = run_start(starts, run->bin + 1);
    run->key = unordered((key_t)run->bin, flip);
}

// Writes one pack, whose first key has the given offset.
static inline void write_pack(run_t *run, const run_starts_t starts, __global key_t *to,
                              const index_t offset, const key_t flip)
{
    advance_run(run, starts, offset, flip);
    if (run->end - offset >= PACK_KEYS) {
        *(__global uint4 *)(to + offset) =
            (uint4)(run->key * (KEY_BYTES == 1 ? 0x01010101u : 0x00010001u));
        return;
    }
    for (uint j = 0; j < PACK_KEYS; j++) {
        advance_run(run, starts, offset + j, flip);
        to[offset + j] = run->key;
    }
}

// The group writes the keys at the offsets [first, first + count) of the output.
static inline void write_runs(const run_starts_t starts, __global key_t *to, const index_t first,
                              const uint count, const key_t flip)
{
    const uint t = (uint)get_local_id(0);
    const count_range_t range = divide_range((size_t)(to + first), count);
    run_t run = {0, 0, 0};
    for (uint i = t; i < range.head; i += GROUP_SIZE) {
        advance_run(&run, starts, first + i, flip);
        to[first + i] = run.key;
    }
    for (uint i = t; i < range.packs; i += GROUP_SIZE) {
        write_pack(&run, starts, to, first + range.head + i * PACK_KEYS, flip);
    }
    for (uint i = range.tail + t; i < count; i += GROUP_SIZE) {
        advance_run(&run, starts, first + i, flip);
        to[first + i] = run.key;
    }
}

#endif
