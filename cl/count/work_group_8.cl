// work_group_8.cl - counting sort of 8-bit keys without values, for work-groups
//
// Distribution counting: Knuth, "The Art of Computer Programming", vol. 3, 2nd ed. (1998), section
// 5.2, algorithm D. Equal keys are equal in all their bits, so no key is moved: the output is
// written from the counts.
//
// Each of the 256 counters has COPIES copies, usually one for each bank of local memory, and a work-item
// uses only one copy. Lanes of a sub-group of up to 32 then never conflict, whatever the distribution;
// with 64 lanes, two lanes share each copy. Each group of the fill kernel adds up the tables of all
// chunks by itself, which saves a launch. Groups do not wait for each other, and no table has to be
// cleared in advance.
//
// Kernels, in launch order:
//   count_8_histogram      one group per chunk: counts the keys
//   count_8_fill           one group per section of the output: adds up the chunks' counters, and
//                          writes the runs
// or, for small inputs:
//   count_8_single_group   one group does both
//
// Cost: one read and one write, 2 bytes per key: 0.125 ms for 2^28 keys at the 4.27 TB/s that an
// H200 copied in another run. In addition, for 32 keys a warp executes one atomic instruction on
// local memory, without conflicts.
// Measured (H200, 2^28 u8 keys): 0.206 ms, 1305 Gkeys/s, 0.62 of the model at the 4.19 TB/s that
// the card copied in the same run.
//
// Options, besides those of common/types.cl, common/keys.cl and common/work_group.cl:
//   COPIES    copies of each counter: 32, or fewer if local memory or the work-group is too small
#ifndef CLSORT_COUNT_WORK_GROUP_8_CL
#define CLSORT_COUNT_WORK_GROUP_8_CL

#include "common/work_group.cl"
#include "count/pack.cl"
#include "count/runs.cl"

// Packs that a work-item loads before it counts the first of them.
#define PACKS_AHEAD 4

// `counts` points to the work-item's copy of the first counter.
static inline void count_key(__local uint *counts, const uint key)
{
    atomic_inc(&counts[key * COPIES]);
}

static inline void count_pack(__local uint *counts, const uint4 pack)
{
    const uint word[4] = {pack.x, pack.y, pack.z, pack.w};
#pragma unroll
    for (uint i = 0; i < PACK_KEYS; i++) {
        count_key(counts, word[i / 4] >> (i % 4 * 8) & 0xff);
    }
}

// The group counts `count` keys.
static inline void count_keys(__local uint *counts, __global const key_t *from, const uint count)
{
    const uint t = (uint)get_local_id(0);
    const count_range_t range = divide_range((size_t)from, count);
    __global const uint4 *in = (__global const uint4 *)(from + range.head);
    for (uint i = t; i < range.head; i += GROUP_SIZE) {
        count_key(counts, from[i]);
    }
    uint at = t;
    for (; at + (PACKS_AHEAD - 1) * GROUP_SIZE < range.packs; at += PACKS_AHEAD * GROUP_SIZE) {
        uint4 pack[PACKS_AHEAD];
#pragma unroll
        for (uint i = 0; i < PACKS_AHEAD; i++) {
            pack[i] = in[at + i * GROUP_SIZE];
        }
#pragma unroll
        for (uint i = 0; i < PACKS_AHEAD; i++) {
            count_pack(counts, pack[i]);
        }
    }
    for (; at < range.packs; at += GROUP_SIZE) {
        count_pack(counts, in[at]);
    }
    for (uint i = range.tail + t; i < count; i += GROUP_SIZE) {
        count_key(counts, from[i]);
    }
}

typedef union {
    uint counts[COUNT_BINS_8 * COPIES];
    block_starts_t starts;
} count_local_t;

// Writes the histogram of a chunk to `row`.
static inline void count_chunk(__local count_local_t *local_memory, __global const key_t *from,
                               const uint count, __global index_t *row)
{
    const uint t = (uint)get_local_id(0);
    for (uint i = t; i < COUNT_BINS_8 * COPIES; i += GROUP_SIZE) {
        local_memory->counts[i] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    count_keys(local_memory->counts + t % COPIES, from, count);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = t; d < COUNT_BINS_8; d += GROUP_SIZE) {
        index_t sum = 0;
        for (uint i = 0; i < COPIES; i++) {
            // Neighbouring work-items read from different banks.
            sum += local_memory->counts[d * COPIES + (d + i) % COPIES];
        }
        row[d] = sum;
    }
}

// The group writes `count` keys from the offset `first` on. The table has a row for each chunk.
static inline void fill(__local block_starts_t *blocks, __global const index_t *table,
                        const uint rows, __global key_t *to, const index_t n, const index_t first,
                        const uint count, const key_t flip)
{
    const run_starts_t starts = {blocks, 0};
    sum_blocks(blocks, table, rows, flip);
    scan_blocks(blocks, n);
    write_runs(starts, to, first, count, flip);
}

__kernel WORK_GROUP_KERNEL void count_8_histogram(INPUT(keys), BUFFER(table), const index_t n,
                                                  const uint chunk)
{
    __local count_local_t local_memory;
    const index_t first = (index_t)get_group_id(0) * chunk;
    count_chunk(&local_memory, AT(const key_t, keys) + first, (uint)min(n - first, (index_t)chunk),
                AT(index_t, table) + get_group_id(0) * COUNT_BINS_8);
}

// The table has `chunks` rows. `section` is the number of keys that each group writes.
__kernel WORK_GROUP_KERNEL void count_8_fill(BUFFER(table), BUFFER(keys_to), const uint chunks,
                                             const index_t n, const uint section, const key_t flip)
{
    __local block_starts_t blocks;
    const index_t first = (index_t)get_group_id(0) * section;
    fill(&blocks, AT(const index_t, table), chunks, AT(key_t, keys_to), n, first,
         (uint)min(n - first, (index_t)section), flip);
}

__kernel WORK_GROUP_KERNEL void count_8_single_group(INPUT(keys), BUFFER(table), BUFFER(keys_to),
                                                     const uint n, const key_t flip)
{
    __local count_local_t local_memory;
    count_chunk(&local_memory, AT(const key_t, keys), n, AT(index_t, table));
    // The output may replace the input: all keys must be read before the first is written.
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    fill(&local_memory.starts, AT(const index_t, table), 1, AT(key_t, keys_to), n, 0, n, flip);
}

#endif
