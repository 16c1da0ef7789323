// sampled_round.cl - round 0 of a large sort, which counts only a sample of the keys
//
// Round 0 moves the keys to scratch, where the children need not be adjacent. So it suffices to estimate their
// sizes. The digits of a sample are counted: one key from each of 2^sample_bits parts of the input, at a hashed index
// in the part. Each child reserves a range of scratch that is larger than its estimated size, and tiles reserve their
// offsets in these ranges. After the partition, the exact sizes of the children are known, and the bits in which
// their keys differ. The plan then computes where each child starts in the output; `source` says where it is in
// scratch. All children are large buckets of round 1, which moves them to the output and so closes the gaps.
//
// A child of which s keys are in the sample gets a range for s + 4 sqrt(s) + 12 parts of the input, since the standard
// deviation of s is at most sqrt(s). If the keys of a child are at random indexes, one of 30000 children exceeds its
// range. Then round 0 starts again, with the histogram: of uniformly distributed keys, in one of 150 inputs. The input
// is still intact. cls_msd_slack() bounds what all ranges together take in addition to the keys.
//
// There is one kernel, msd_sampled_round, launched before msd_rounds. Its groups wait until the sample is counted.
//
// Cost: a read and a write of each key, and a read of 32 to 64 bytes per key of the sample. Measured (H200, 2^28 u32
// keys): 0.96 ms, 0.53 of its copy rate of 4.18 TB/s without the sample. 2^26 u64 keys: 0.41 ms, 0.63.
#ifndef CLSORT_MSD_SAMPLED_ROUND_CL
#define CLSORT_MSD_SAMPLED_ROUND_CL

#include "msd/histogram.cl"
#include "msd/partition.cl"

#include "common/group_sum.cl"
#include "common/sample.cl"
#include "common/steps.cl"
#include "common/unroll.cl"

#define SAMPLE_BATCH 16u // keys of the sample that a work-item reads at once
#define SAMPLE_PART (SAMPLE_BATCH * GROUP_SIZE)

// Returns the index of key i of the sample of n keys. Unlike those of sampled_index, the parts are of equal size only
// but for one key, so that they have all keys.
static inline uint index_of_sample(const uint n, const uint sample_bits, const uint i)
{
    const uint first = (uint)((ulong)n * i >> sample_bits);
    const uint end = (uint)((ulong)n * (i + 1) >> sample_bits);
    return first + (uint)((ulong)sample_hash(i) * (end - first) >> 32);
}

// Counts the digits of a part of the sample.
static inline void count_samples(__local uint *counts, __global const key_t *keys, const uint n,
                                 const uint part, const uint sample_bits, const digit_t digit)
{
    const uint first = part * SAMPLE_PART + (uint)get_local_id(0), samples = 1u << sample_bits;
    key_t key[SAMPLE_BATCH];
    UNROLL
    for (uint k = 0; k < SAMPLE_BATCH; k++) {
        key[k] = keys[index_of_sample(n, sample_bits, min(first + k * GROUP_SIZE, samples - 1))];
    }
    UNROLL
    for (uint k = 0; k < SAMPLE_BATCH; k++) {
        if (first + k * GROUP_SIZE < samples) {
            count_keys(counts, digit_in(key[k], digit), 1);
        }
    }
}

// Returns the size of the range of a child of which this many keys are in the sample of n keys.
static inline uint size_of_range(const uint samples, const uint n, const uint sample_bits)
{
    const float s = (float)samples, part = (float)n / (float)(1u << sample_bits);
    const float size = part * (s + CLS_MSD_RANGE_DEVIATIONS * sqrt(s) + CLS_MSD_RANGE_SAMPLES);
    return size < (float)n ? (uint)size + 1 : n;
}

// Sets ranges[] to where the range of each child begins in scratch, and where the last one ends. `sums` has GROUP_SIZE
// elements.
static inline void divide_scratch(__local uint *ranges, __local uint *sums,
                                  __global const cls_msd_control *control, const uint n)
{
    // Other groups have just added to these counts.
    __global const volatile uint *samples = control->samples;
    uint sum = 0;
    for (uint first = 0; first < RADIX; first += GROUP_SIZE) {
        const uint d = first + (uint)get_local_id(0);
        const uint size = d < RADIX ? size_of_range(samples[d], n, control->sample_bits) : 0;
        uint total;
        const uint before = group_exclusive_sum(size, sums, &total);
        if (d < RADIX) {
            ranges[d] = sum + before;
        }
        sum += total;
    }
    if (get_local_id(0) == 0) {
        ranges[RADIX] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

#if VALUE_BYTES == 0 // values would need gaps in their scratch, too
typedef union {
    uint counts[RADIX * MSD_COUNTER_COPIES];
    partition_t partition;
} sampled_round_t;

__kernel SUB_GROUP_KERNEL void msd_sampled_round(BUFFER(control), KEY_ARRAYS, BUFFER(large_buckets),
                                                 const key_t flip, const key_t pad)
{
    __local sampled_round_t memory;
    __local uint ranges[RADIX + 1];
    __local uint ticket[1], words[2];
    __local key_t splitters[SPLITTER_NODES];
    __global cls_msd_control *c = AT(cls_msd_control, control);
    if (c->sample_bits == 0) {
        return;
    }
    __global cls_msd_large_bucket *input = AT(cls_msd_large_bucket, large_buckets);
    __global const key_t *in = KEYS_OF(INPUT_ARRAY);
    const bool by_splitters = load_splitters(splitters, c, 0);
    const uint n = input->count;
    const digit_t digit =
        DIGIT(flip, input->top - input->bits, (1u << input->bits) - 1, by_splitters, splitters);
    const uint sample_parts = ((1u << c->sample_bits) - 1) / SAMPLE_PART + 1;
    uint parts = 0, i = draw_ticket(&c->sample_tickets, ticket);
    clear_counts(memory.counts, RADIX, MSD_COUNTER_COPIES);
    while (i < sample_parts) {
        count_samples(memory.counts, in, n, i, c->sample_bits, digit);
        parts++;
        i = draw_ticket(&c->sample_tickets, ticket);
    }
    if (parts > 0) {
        add_counts(c->samples, memory.counts);
    }
    report_parts(&c->counted_samples, parts);
    await_parts(&c->counted_samples, sample_parts);

    divide_scratch(ranges, memory.partition.ranks.words, c, n);
    const uint written = get_group_id(0) == 0 ? RADIX : 0;
    for (uint d = (uint)get_local_id(0); d < written; d += GROUP_SIZE) {
        c->ranges[d] = ranges[d];
    }
    const tile_list_t list = {&c->sampled_tickets, 0, tiles_of(n, TILE), ranges};
    key_t varying = 0;
    partition_tiles(&memory.partition, by_splitters, splitters, KEY_ARRAYS_HERE, list, input, 0,
                    flip, pad, 1, c, &varying, ordered(in[0], flip));
    report_varying(c, input, group_or(varying, words), digit, 0);
}
#endif

#endif
