// work_group_16.cl - counting sort of 16-bit keys without values, for work-groups
//
// Distribution counting, as in work_group_8.cl: the output is written from the counts. The counters
// have 4 bits, so that all 65536 fit in local memory; their carries are logged and counted in
// further levels (packed_counters.cl). Groups do not wait for each other, and no table has to be
// cleared in advance.
//
// Kernels, in launch order:
//   count_16_histogram   one group per chunk: counts the keys
//   count_16_sum         adds up the counters of all chunks and levels; yields the number of keys
//                        of each block, and the offsets of the runs in their blocks
//   count_16_fill        one group per section of the output: writes the runs
//
// Cost: one read and one write, 4 bytes per key: 0.25 ms for 2^28 keys at the 4.27 TB/s that an
// H200 copied in another run. In addition, for 32 keys a warp executes one atomic instruction at
// random addresses of local memory (about 4 cycles: 0.15 ms) and about 11 other instructions (about
// 5 cycles: 0.19 ms), on 132 compute units of 1.7 GHz. A chunk writes 32 KiB for each level, which
// the sum reads: 0.012 ms for one level. Each further part of the counters adds a read of all keys.
// Measured (H200, 2^28 u16 keys): 0.61 ms, 437 Gkeys/s, 0.42 of the model at the 4.19 TB/s that the
// card copied in the same run.
//
// Alternatives cost more: counters in global memory allow at most 160 billion additions per second
// (1.7 ms for 2^28 keys), and far fewer if all keys are equal; counters of 16 or 8 bits in local
// memory need 4 or 2 reads of all keys; a partition by the high byte moves 8 bytes per key and
// scatters.
//
// Options, besides those of common/types.cl, common/keys.cl and common/work_group.cl:
//   PARTS    parts of the counters, a power of two; local memory holds one part at a time
#ifndef CLSORT_COUNT_WORK_GROUP_16_CL
#define CLSORT_COUNT_WORK_GROUP_16_CL

#include "common/work_group.cl"
#include "count/packed_counters.cl"
#include "count/runs.cl"
#include "count/sum_columns.cl"

// -- counting -------------------------------------------------------------------------------------

// Writes the table: for each level and chunk a row of COUNT_WORDS words. `levels` receives the
// number of levels of each part and chunk. A chunk has two logs: one is read while the other is
// written.
__kernel WORK_GROUP_KERNEL void count_16_histogram(INPUT(keys), BUFFER(table), BUFFER(levels),
                                                   BUFFER(logs), const index_t n, const uint chunk)
{
    __local uint counts[PART_WORDS], logged;
    const uint t = (uint)get_local_id(0);
    const index_t first = (index_t)get_group_id(0) * chunk;
    const uint max_carries = COUNT_MAX_CARRIES(chunk);
    __global key_t *chunk_logs =
        AT(key_t, logs) + get_group_id(0) * (max_carries + COUNT_MAX_CARRIES(max_carries));

    for (uint part = 0; part < PARTS; part++) {
        __global const key_t *from = AT(const key_t, keys) + first;
        uint count = (uint)min(n - first, (index_t)chunk), level = 0;
        while (count > 0) {
            __global uint *row =
                AT(uint, table) + (level * get_num_groups(0) + get_group_id(0)) * COUNT_WORDS;
            counters_t counters = {counts, &logged, chunk_logs, part, 0};
            if (level % 2) {
                counters.log += max_carries;
            }
            for (uint i = t; i < PART_WORDS; i += GROUP_SIZE) {
                counts[i] = 0;
            }
            if (t == 0) {
                logged = 0;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            count_keys(&counters, from, count);
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            for (uint i = t; i < PART_WORDS; i += GROUP_SIZE) {
                row[part * PART_WORDS + i] = counts[i];
            }
            level++;
            from = counters.log;
            count = logged;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (t == 0) {
            AT(uint, levels)[part * get_num_groups(0) + get_group_id(0)] = level;
        }
    }
}

// -- sums -----------------------------------------------------------------------------------------

// Returns the maximum number of levels of a chunk. The caller has set *deepest to 0, before a
// barrier.
static inline uint max_level(__local uint *deepest, __global const uint *levels, const uint chunks)
{
    uint max_levels = 0;
    for (uint row = (uint)get_local_id(0); row < chunks; row += GROUP_SIZE) {
        max_levels = max(max_levels, levels[row]);
    }
    atomic_max(deepest, max_levels);
    barrier(CLK_LOCAL_MEM_FENCE);
    return *deepest;
}

// Adds the fields of one word of a level, from every chunk that has the level.
static inline void add_level(index_t *sum, __global const uint *rows, __global const uint *levels,
                             const uint level, const uint chunks, const uint word)
{
    const uint batch = 16; // values of 4 bits whose sum fits in 8 bits
    for (uint first = (uint)get_local_id(0) / COLUMNS_AT_ONCE(COUNT_BLOCK_BINS); first < chunks;
         first += batch * COLUMN_LINES(COUNT_BLOCK_BINS)) {
        uint even = 0, odd = 0;
#pragma unroll
        for (uint i = 0; i < batch; i++) {
            const uint row = first + i * COLUMN_LINES(COUNT_BLOCK_BINS);
            const bool has_level = row < chunks && (level == 0 || levels[row] > level);
            const uint fields = has_level ? rows[(size_t)row * COUNT_WORDS + word] : 0;
            even += fields & 0x0f0f0f0f;
            odd += fields >> 4 & 0x0f0f0f0f;
        }
#pragma unroll
        for (uint field = 0; field < COUNT_FIELDS; field += 2) {
            sum[field] += even >> (4 * field) & 0xff;
            sum[field + 1] += odd >> (4 * field) & 0xff;
        }
    }
}

// Adds all levels of one word, the highest first. A level counts the carries of the level below,
// each of which took 16 from its own field and added 1 to the next field.
static inline void add_levels(index_t *sum, __global const uint *table, __global const uint *levels,
                              const uint max_levels, const uint chunks, const uint word)
{
    for (uint level = max_levels; level-- > 0;) {
#pragma unroll
        for (uint field = COUNT_FIELDS; field-- > 0;) {
            sum[field] = (sum[field] << COUNT_FIELD_BITS) - (field > 0 ? sum[field - 1] : 0);
        }
        add_level(sum, table + (size_t)level * chunks * COUNT_WORDS, levels, level, chunks, word);
    }
}

// Each group sums up COUNT_BLOCK_BINS words. The keys of one field of these words form one block,
// also in the order of the keys.
__kernel WORK_GROUP_KERNEL void count_16_sum(BUFFER(table), BUFFER(levels), BUFFER(block_counts),
                                             BUFFER(offsets), const uint chunks, const key_t flip)
{
    __local index_t line_sums[GROUP_SIZE], total[COUNT_FIELDS * COUNT_BLOCK_BINS];
    __local uint deepest;
    const uint t = (uint)get_local_id(0), base = (uint)get_group_id(0) * COUNT_BLOCK_BINS;
    __global const uint *part_levels =
        AT(const uint, levels) + (size_t)(base / PART_WORDS) * chunks;
    if (t == 0) {
        deepest = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint max_levels = max_level(&deepest, part_levels, chunks);

    const uint line = COLUMNS_AT_ONCE(COUNT_BLOCK_BINS);
    for (uint column = t % line; column < COUNT_BLOCK_BINS; column += line) {
        index_t sum[COUNT_FIELDS] = {0};
        add_levels(sum, AT(const uint, table), part_levels, max_levels, chunks, base + column);
#pragma unroll
        for (uint field = 0; field < COUNT_FIELDS; field++) {
            const index_t all = add_lines(sum[field], COUNT_BLOCK_BINS, line_sums);
            if (t < line) {
                total[field * COUNT_BLOCK_BINS + column] = all;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint field = t; field < COUNT_FIELDS; field += GROUP_SIZE) {
        const uint first =
            ordered((key_t)key_of(base, field), flip) / COUNT_BLOCK_BINS * COUNT_BLOCK_BINS;
        index_t sum = 0;
        for (uint bin = first; bin < first + COUNT_BLOCK_BINS; bin++) {
            AT(index_t, offsets)[bin] = sum;
            sum += total[field * COUNT_BLOCK_BINS + word_of(unordered((key_t)bin, flip)) - base];
        }
        AT(index_t, block_counts)[first / COUNT_BLOCK_BINS] = sum;
    }
    __global index_t *offset = AT(index_t, offsets);
    if (base + t == 0) {
        offset[COUNT_BINS_16] = 0; // the end of all runs, as the start of one more block
    }
}

// -- output ---------------------------------------------------------------------------------------

// `section` is the number of keys that each group writes.
__kernel WORK_GROUP_KERNEL void count_16_fill(BUFFER(block_counts), BUFFER(offsets),
                                              BUFFER(keys_to), const index_t n, const uint section,
                                              const key_t flip)
{
    __local block_starts_t blocks;
    const run_starts_t starts = {&blocks, AT(const index_t, offsets)};
    const index_t first = (index_t)get_group_id(0) * section;
    sum_blocks(&blocks, AT(const index_t, block_counts), 1, flip);
    scan_blocks(&blocks, n);
    write_runs(starts, AT(key_t, keys_to), first, (uint)min(n - first, (index_t)section), flip);
}

#endif
