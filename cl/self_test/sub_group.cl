// sub_group.cl - self-test of the sub-group operations (src/device/sub_group.c)
//
// test_sub_group calls each operation of common/sub_group.cl in one work-group.
#ifndef CLSORT_SELF_TEST_SUB_GROUP_CL
#define CLSORT_SELF_TEST_SUB_GROUP_CL

#include "common/sub_group.cl"
#include "self_test/layout.h"

__kernel SUB_GROUP_KERNEL void test_sub_group(__global cls_sub_group_result *results)
{
    __local uint local_words[GROUP_SIZE], shared[GROUP_SIZE];
    const uint t = (uint)get_local_id(0), lane = lane_id(), first = sg_index() * SUB_GROUP_SIZE;
    const uint number = cls_scramble(t);
    shared[t] = number;
    sg_fence();
    const uint neighbour = shared[first + (lane + 1) % SUB_GROUP_SIZE];
    const uint digit = number >> (32 - CLS_SUB_GROUP_TEST_BITS);
    const lane_mask_t match = sg_match(digit, CLS_SUB_GROUP_TEST_BITS, local_words);
    __global cls_sub_group_result *result = results + t;
    result->local_index = first + lane;
    result->ballot = sg_ballot(number & 1u << 31, local_words);
    result->lanes_below = lanes_below();
    result->match = match;
    result->match_count = lane_count(match);
    result->mirrored = sg_shuffle(number, SUB_GROUP_SIZE - 1 - lane, local_words);
    result->scan = sg_scan(number >> 8, local_words);
    result->neighbour = neighbour;
}

#endif
