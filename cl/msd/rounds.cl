// rounds.cl - all rounds of MSD radix sort in one launch
//
// A launch takes some microseconds of the host's time, and most rounds of most inputs have nothing
// to do. Where groups that have started are known to make progress, this program therefore takes
// the place of round.cl. The steps of a round are those of its kernels: histograms, plan,
// partition; each waits for the one before (common/steps.cl). The kernel returns at the first round
// without a large bucket. The histograms begin with the last block, so that the partition finds most
// of its first tiles in the cache.
//
// Kernels: msd_prepare, msd_sampled_round (sampled_round.cl), msd_rounds.
//
// Cost: that of the rounds, and 3 waits of some microseconds per round that has work. The head of
// round.cl explains the algorithm, layout.h the options.
#ifndef CLSORT_MSD_ROUNDS_CL
#define CLSORT_MSD_ROUNDS_CL

#include "common/steps.cl"
#include "msd/histogram.cl"
#include "msd/partition.cl"
#include "msd/plan.cl"
#if SAMPLES
#include "msd/sampled_round.cl"
#endif

typedef union {
    uint counts[RADIX * MSD_COUNTER_COPIES];
    msd_plan_t plan;
    partition_t partition;
} rounds_t;

__kernel SUB_GROUP_KERNEL void msd_rounds(BUFFER(control), KEY_ARRAYS,
                                          VALUE_ARRAYS BUFFER(large_buckets), BUFFER(tiles),
                                          BUFFER(blocks), BUFFER(histograms), BUFFER(buckets),
                                          const key_t flip, const key_t pad,
                                          const cls_msd_args args)
{
    __local rounds_t memory;
    __local uint ticket[1], words[2];
    __local key_t splitters[SPLITTER_NODES];
    __global cls_msd_control *c = AT(cls_msd_control, control);
    key_t varying = 0; // only msd_sampled_round changes it
    for (uint round = args.round; round < args.rounds && c->large_buckets[round] > 0; round++) {
        const bool is_moved = HAS_MOVED_BY_SAMPLE(c, round);
        const uint blocks_to_count = is_moved ? 0 : c->blocks[round];
        const bool by_splitters = load_splitters(splitters, c, round);
        const msd_tables_t tables = TABLES_TO_PLAN(round, by_splitters, is_moved);
        uint parts = 0, i = draw_ticket(&c->block_tickets[round], ticket);
        while (i < blocks_to_count) {
            count_block_of_round(memory.counts, words, by_splitters, splitters, KEY_ARRAYS_HERE,
                                 round, blocks_to_count - 1 - i, c, LARGE_BUCKETS_OF(round),
                                 tables.blocks, AT(uint, histograms), flip, args);
            parts++;
            i = draw_ticket(&c->block_tickets[round], ticket);
        }
        report_parts(&c->counted_blocks[round], parts);
        i = draw_ticket(&c->bucket_tickets[round], ticket);
        await_parts(&c->counted_blocks[round], blocks_to_count);

        const uint to_plan = buckets_to_plan(c, round, args);
        hand_over(c, args);
        parts = 0;
        while (i < to_plan) {
            plan_listed_bucket(&memory.plan, i, LARGE_BUCKETS_OF(round), AT(uint, histograms),
                               tables);
            parts++;
            i = draw_ticket(&c->bucket_tickets[round], ticket);
        }
        report_parts(&c->planned_buckets[round], parts);
        await_parts(&c->planned_buckets[round], to_plan);

        const tile_list_t list = TILES_OF_ROUND(c, tables.tiles, round);
        parts =
            partition_tiles(&memory.partition, by_splitters, splitters, KEY_ARRAYS_HERE,
                            VALUE_ARRAYS_HERE list, LARGE_BUCKETS_OF(round), AT(uint, histograms),
                            flip, pad, block_tiles_of(c, args, round), c, &varying, 0);
        report_parts(&c->moved_tiles[round], parts);
        await_parts(&c->moved_tiles[round], list.count);
    }
}

#endif
