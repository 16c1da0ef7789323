// rank.cl - ranks a tile's keys by a digit, in the way that RANK_STABLE selects
//
// RANK_STABLE    1: equal digits keep their order (rank_stable.cl); 0: they need not (rank_atomic.cl)
#ifndef CLSORT_COMMON_RANK_CL
#define CLSORT_COMMON_RANK_CL

#include "common/group_sum.cl"
#include "common/keys.cl"
#include "common/sub_group.cl"
#include "common/unroll.cl"

#if RANK_STABLE
#include "common/rank_stable.cl"
#else
#include "common/rank_atomic.cl"
#endif

#endif
