// rank.cl - ranks the keys of a tile by one digit: stable or unstable
//
// A tile has at most 65535 elements, since rank_stable.cl stores counts in 16 bits.
//
// Options, besides those of work_group.cl and sub_group.cl:
//   BITS           bits of a digit, 1 .. 8
//   RANK_STABLE    1: keys with equal digits keep their order (rank_stable.cl)
//                  0: they need not (rank_atomic.cl)
//   RANK_COUNTED   1: with RANK_STABLE, the digits are counted first (rank_counted.cl)
#ifndef CLSORT_COMMON_RANK_CL
#define CLSORT_COMMON_RANK_CL

#include "common/digit.cl"
#include "common/group_sum.cl"
#include "common/keys.cl"
#include "common/radix.cl"
#include "common/rank_sub_groups.cl"
#include "common/sub_group.cl"
#include "common/unroll.cl"

#if !RANK_COUNTED
// Sets the upper 16 bits of rank[i] to the digit of key i, and the lower ones to 0, as rank_tile requires.
static inline void find_digits(uint *rank, const key_t *key, const digit_t digit)
{
    if (IS_BY_SPLITTERS(digit)) {
        UNROLL
        for (uint i = 0; i < ITEMS; i++) {
            rank[i] = digit_of_kind(key[i], digit, true) << 16;
        }
    } else {
        UNROLL
        for (uint i = 0; i < ITEMS; i++) {
            rank[i] = digit_of_kind(key[i], digit, false) << 16;
        }
    }
}
#endif

#if RANK_COUNTED
#include "common/rank_counted.cl"
#elif RANK_STABLE
#include "common/rank_stable.cl"
#else
#include "common/rank_atomic.cl"
#endif

#endif
