// work_group_16.cl - counting sort of 16-bit keys without values, for work-groups
//
// Distribution counting, as in work_group_8.cl: the output is written from the counts. The counters
// have 4 bits, so that all 65536 fit in local memory; their carries are counted in tables in global
// memory, and frequent keys may have wider counters (packed_counters.cl). Groups do not wait for each
// other.
//
// Kernels, in launch order:
//   count_16_clear       clears the tables of carries
//   count_16_histogram   one group per chunk: counts the keys
//   count_16_sum         adds up the counters of all chunks and the carries; yields the number of
//                        keys of each block, and the offsets of the runs in their blocks
//   count_16_fill        one group per section of the output: writes the runs
//
// Cost: one read and one write, 4 bytes per key: 0.26 ms for 2^28 keys at the 4.17 TB/s that an
// H200 copied in the same run. In addition, for 32 keys a warp executes one atomic instruction at
// random addresses of local memory (about 4 cycles: 0.15 ms) and about 11 other instructions (about
// 5 cycles: 0.19 ms), on 132 compute units of 1.7 GHz. A chunk writes 32 KiB, which the sum reads:
// 0.012 ms for 792 chunks. Each further part of the counters adds a read of all keys.
// Measured (H200, 2^28 u16 keys): 0.48 ms, 558 Gkeys/s, 0.53 of the model. Of 88 us for 2^24 keys, the
// clear takes 4 us, the histogram 25, the sum 17 and the fill 35; of 143 us for `hot` ones (nine of ten
// keys have one of 256 values), the histogram takes 81.
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

__kernel WORK_GROUP_KERNEL void count_16_clear(BUFFER(carries))
{
    for (uint i = (uint)get_global_id(0); i < COUNT_CARRIES; i += (uint)get_global_size(0)) {
        AT(uint, carries)[i] = 0;
    }
}

// Writes a row of COUNT_WORDS words of the table for each chunk, and adds to the carries.
__kernel WORK_GROUP_KERNEL void count_16_histogram(INPUT(keys), BUFFER(table), BUFFER(carries),
                                                   const index_t n, const uint chunk)
{
    __local count_local_t m;
    const uint group = (uint)get_group_id(0);
    const index_t first = (index_t)group * chunk;
    __global uint *row = AT(uint, table) + (size_t)group * COUNT_WORDS;
    counters_t counters = {&m, AT(uint, carries) + (group % COUNT_CARRY_TABLES + 1) * COUNT_BINS_16,
                           0};
    for (; counters.part < PARTS; counters.part++) {
        clear_counters(&m);
        barrier(CLK_LOCAL_MEM_FENCE);
        count_keys(&counters, AT(const key_t, keys) + first, (uint)min(n - first, (index_t)chunk));
        barrier(CLK_LOCAL_MEM_FENCE);
        add_wide(&counters, AT(uint, carries));
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = (uint)get_local_id(0); i < PART_WORDS; i += GROUP_SIZE) {
            row[counters.part * PART_WORDS + i] = m.counts[i];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

// -- sums -----------------------------------------------------------------------------------------

// Adds up the fields of one word, of the rows of this work-item's line.
static inline void add_rows(index_t *sum, __global const uint *rows, const uint chunks,
                            const uint word)
{
    const uint batch = 16; // values of 4 bits whose sum fits in 8 bits
    for (uint first = (uint)get_local_id(0) / COLUMNS_AT_ONCE(COUNT_BLOCK_BINS); first < chunks;
         first += batch * COLUMN_LINES(COUNT_BLOCK_BINS)) {
        uint even = 0, odd = 0;
#pragma unroll
        for (uint i = 0; i < batch; i++) {
            const uint row = first + i * COLUMN_LINES(COUNT_BLOCK_BINS);
            const uint fields = row < chunks ? rows[(size_t)row * COUNT_WORDS + word] : 0;
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

static inline uint carries_of(__global const uint *carries, const uint key)
{
    uint sum = 0;
#pragma unroll
    for (uint i = 1; i <= COUNT_CARRY_TABLES; i++) {
        sum += carries[i * COUNT_BINS_16 + key];
    }
    return sum;
}

// Returns what the carries add to the sum of a field: each took 16 from its own field and added 1 to
// the next field.
static inline index_t carried(__global const uint *carries, const uint word, const uint field)
{
    const uint key = key_of(word, field);
    const index_t sixteens = (index_t)carries[key] + carries_of(carries, key);
    return (sixteens << COUNT_FIELD_BITS) -
           (field > 0 ? carries_of(carries, key_of(word, field - 1)) : 0);
}

// Each group sums up COUNT_BLOCK_BINS words. The keys of one field of these words form one block,
// also in the order of the keys.
__kernel WORK_GROUP_KERNEL void count_16_sum(BUFFER(table), BUFFER(carries), BUFFER(block_counts),
                                             BUFFER(offsets), const uint chunks, const key_t flip)
{
    __local index_t line_sums[GROUP_SIZE], total[COUNT_FIELDS * COUNT_BLOCK_BINS];
    const uint t = (uint)get_local_id(0), base = (uint)get_group_id(0) * COUNT_BLOCK_BINS;
    const uint line = COLUMNS_AT_ONCE(COUNT_BLOCK_BINS);
    for (uint column = t % line; column < COUNT_BLOCK_BINS; column += line) {
        index_t sum[COUNT_FIELDS] = {0};
        add_rows(sum, AT(const uint, table), chunks, base + column);
#pragma unroll
        for (uint field = 0; field < COUNT_FIELDS; field++) {
            const index_t all = add_lines(sum[field], COUNT_BLOCK_BINS, line_sums);
            if (t < line) {
                total[field * COUNT_BLOCK_BINS + column] = all;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = t; i < COUNT_FIELDS * COUNT_BLOCK_BINS; i += GROUP_SIZE) {
        total[i] +=
            carried(AT(const uint, carries), base + i % COUNT_BLOCK_BINS, i / COUNT_BLOCK_BINS);
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
