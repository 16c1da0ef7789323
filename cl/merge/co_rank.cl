// co_rank.cl - co-ranks: how many of a merge's first outputs come from the first of its two runs
//
// Siebert and Traeff, "Perfectly load-balanced, stable, synchronization-free parallel merge", Parallel
// Processing Letters 24(1), 2014, section 2; Green, McColl and Bader, "GPU merge path: a GPU merging algorithm",
// ICS 2012, pp. 331-340, section 2: the outputs before any one of them are known without merging, by
// a binary search.
#ifndef CLSORT_MERGE_CO_RANK_CL
#define CLSORT_MERGE_CO_RANK_CL

#include "common/order.cl"

// Of the first `rank` outputs, those of run a, which are known to be in [least, most]. A b goes before an a only
// if it precedes it. Whatever the order says, the result is in that range.
#define DEFINE_CO_RANK(name, space)                                                                \
    static inline index_t name(space const key_t *a, space const key_t *b, const index_t rank,     \
                               index_t least, index_t most, const order_t order)                   \
    {                                                                                              \
        while (least < most) {                                                                     \
            const index_t middle = least + (most - least) / 2;                                     \
            if (precedes(b[rank - 1 - middle], a[middle], order))                                  \
                most = middle;                                                                     \
            else                                                                                   \
                least = middle + 1;                                                                \
        }                                                                                          \
        return least;                                                                              \
    }

// The same for memory that answers late (on an H200 a turn takes 0.7 us): each turn asks at several places.
#define CUTS 7
static inline index_t co_rank_far(__global const key_t *a, __global const key_t *b,
                                  const index_t rank, index_t least, index_t most,
                                  const order_t order)
{
    while (least < most) {
        const index_t part = (most - least + CUTS) / (CUTS + 1);
        uint passed = 0;
#pragma unroll
        for (uint cut = 1; cut <= CUTS; cut++) {
            const index_t at = least + cut * part - 1, i = min(at, most - 1);
            passed += at < most && !precedes(b[rank - 1 - i], a[i], order);
        }
        if (passed < CUTS)
            most = min(most, least + (passed + 1) * part - 1);
        least += passed * part;
    }
    return least;
}

// The range of a's that outputs before `rank` can have, for runs of so many keys.
#define MIN_OF_A(rank, b_count) sub_sat(rank, b_count)
#define MAX_OF_A(rank, a_count) min((rank), (a_count))

#endif
