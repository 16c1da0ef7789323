// prepare.cl - the control block before round 0, and the input as the only large bucket of that
// round
#ifndef CLSORT_MSD_PREPARE_CL
#define CLSORT_MSD_PREPARE_CL

#include "common/device_count.cl"
#include "common/work_group.cl"
#include "msd/buckets.cl"

#if COUNT_BYTES > 0
// Sets the count of the input, which the host does not know.
static inline void size_input(cls_msd_input *input, const ulong count)
{
    input->count = (uint)count;
    if (count > 0) {
        cls_msd_divide_input(input);
    }
}
#define HAS_ELEMENTS(input) ((input).count > 0)
#else
#define HAS_ELEMENTS(input) true
#endif

// Run by one work-group. If `is_skipped` is set, there is no large bucket, and the rounds do nothing.
static inline void prepare_rounds(__global cls_msd_control *c,
                                  __global cls_msd_large_bucket *large_buckets,
                                  const cls_msd_input input, const bool is_skipped)
{
    for (uint round = (uint)get_local_id(0); round <= CLS_MSD_MAX_ROUNDS; round += GROUP_SIZE) {
        const bool is_first = round == 0 && !is_skipped && HAS_ELEMENTS(input);
        c->large_buckets[round] = is_first;
        c->blocks[round] = is_first ? cls_msd_first_blocks(&input) : 0;
        c->rows[round] = c->tiles[round] = c->tickets[round] = 0;
        c->block_tickets[round] = c->bucket_tickets[round] = 0;
        c->counted_blocks[round] = c->planned_buckets[round] = c->moved_tiles[round] = 0;
    }
    for (uint d = (uint)get_local_id(0); d < 1u << CLS_MSD_BITS; d += GROUP_SIZE) {
        c->children[d] = c->samples[d] = 0;
    }
    if (get_local_id(0) == 0) {
        // The gather reads is_sorted after a sort of indexes.
        c->head.is_sorted = c->has_outliers = c->has_splitters = 0;
        c->buckets = c->final_tickets = c->deferred = 0;
        const bool samples = cls_msd_takes_sample(input.count, KEY_BYTES, input.sample_bits);
        c->sample_bits = samples && !is_skipped ? input.sample_bits : 0;
        c->sample_tickets = c->sampled_tickets = c->counted_samples = c->exceeds_range = 0;
#if COUNT_BYTES > 0
        c->first_block_tiles = input.first_block_tiles;
#endif
        // Member by member: rusticl's compiler crashes where constant structs are stored whole.
        large_buckets->start = 0;
        large_buckets->count = input.count;
        large_buckets->array = INPUT_ARRAY;
        large_buckets->source = 0;
        large_buckets->top = input.top;
        large_buckets->bits = input.bits;
        large_buckets->first_row = 0;
        large_buckets->varying[0] = large_buckets->varying[1] = 0;
    }
}

#endif
