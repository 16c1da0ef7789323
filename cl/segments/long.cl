// long.cl - enters long segments in the tables of MSD radix sort, which then sorts them
//
// A segment is long if it has more than max_tiny elements, so that it is not tiny (tiny.cl). One that
// fits in a small bucket of MSD (msd/layout.h) becomes such a bucket; a longer one becomes a large
// bucket of round 1, so that all work-groups partition it. There is no round 0. A segment that finds no
// free slot among the large buckets becomes an oversized one.
//
// Kernel: segments_enter_long, launched after msd_prepare.
//
// Cost: a read of the list, and a write of 8 bytes for each block of a large bucket.
//
// Options: GROUP_SIZE (common/work_group.cl), and those of common/types.cl.
#ifndef CLSORT_SEGMENTS_LONG_CL
#define CLSORT_SEGMENTS_LONG_CL

#include "common/work_group.cl"
#include "msd/buckets.cl"
#include "segments/layout.h"
#include "segments/list.cl"

#define ROUND 1 // the round of the large buckets
#define TEAM_SIZE                                                                                  \
    (GROUP_SIZE < 32 ? GROUP_SIZE : 32) // work-items that list the blocks of a segment

// The large buckets that a work-group has just entered.
typedef struct {
    uint count;
    struct {
        uint slot, first_block, blocks;
    } bucket[GROUP_SIZE];
} entered_t;

// Enters a long segment in the tables. Its blocks are listed later.
static inline void enter_segment(__local entered_t *entered, const segment_t segment,
                                 __global cls_msd_control *control,
                                 __global cls_msd_large_bucket *large_buckets,
                                 __global cls_msd_bucket *buckets,
                                 const cls_segments_long_args args)
{
    const uint count = (uint)(segment.end - segment.begin);
    const bool is_large = count > args.small_tile;
    const uint slot = is_large ? atomic_inc(&control->large_buckets[ROUND]) : CLS_MSD_NONE;
    if (slot < args.max_large_buckets) {
        const uint blocks = tiles_of(count, args.block_size);
        const uint at = atomic_inc(&entered->count);
        __global cls_msd_large_bucket *bucket = large_buckets + slot;
        entered->bucket[at].slot = slot;
        entered->bucket[at].blocks = blocks;
        entered->bucket[at].first_block = atomic_add(&control->blocks[ROUND], blocks);
        bucket->start = (uint)segment.begin;
        bucket->count = count;
        bucket->array = INPUT_ARRAY;
        bucket->source = bucket->start;
        bucket->top = args.end_bit;
        bucket->bits = digit_bits(count, args.end_bit, args.rounds - ROUND, args.target_count);
        bucket->first_row = atomic_add(&control->rows[ROUND], tiles_of(count, args.row_size));
        bucket->varying[0] = bucket->varying[1] = 0;
    } else {
        __global cls_msd_bucket *bucket = buckets + atomic_inc(&control->buckets);
        bucket->start = (uint)segment.begin;
        bucket->count = count;
        bucket->array = INPUT_ARRAY;
        bucket->top = bucket->shift = (uchar)args.end_bit;
        bucket->digit = bucket->digits = 0; // a whole segment
    }
}

__kernel WORK_GROUP_KERNEL void segments_enter_long(BUFFER(control), INPUT(list),
                                                    BUFFER(msd_control), BUFFER(large_buckets),
                                                    BUFFER(blocks), BUFFER(buckets),
                                                    const cls_segments_long_args args)
{
    __local entered_t entered;
    const uint t = (uint)get_local_id(0);
    const segments_t segments = {AT(const segment_t, list),
                                 (index_t)AT(const cls_segments_control, control)->segments,
                                 (index_t)args.row};
    const index_t stride = (index_t)get_num_groups(0) * GROUP_SIZE;
    for (index_t first = (index_t)get_group_id(0) * GROUP_SIZE; first < segments.count;
         first += stride) {
        segment_t segment;
        load_segment(&segment, segments, first + t, segments.count, 0);
        if (t == 0) {
            entered.count = 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (segment.end - segment.begin > args.max_tiny) {
            enter_segment(&entered, segment, AT(cls_msd_control, msd_control),
                          AT(cls_msd_large_bucket, large_buckets) +
                              ROUND % 2 * args.max_large_buckets,
                          AT(cls_msd_bucket, buckets), args);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = t / TEAM_SIZE; i < entered.count; i += GROUP_SIZE / TEAM_SIZE) {
            for (uint k = t % TEAM_SIZE; k < entered.bucket[i].blocks; k += TEAM_SIZE) {
                __global cls_msd_part *block =
                    AT(cls_msd_part, blocks) + entered.bucket[i].first_block + k;
                block->large_bucket = entered.bucket[i].slot;
                block->index = k;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

#endif
