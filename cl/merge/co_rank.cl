// co_rank.cl - binary search for co-ranks: how many of the first outputs of a merge come from run a
//
// Siebert and Traeff, "Perfectly load-balanced, stable, synchronization-free parallel merge",
// Parallel Processing Letters 24(1), 2014, section 2; Green, McColl and Bader, "GPU merge path: a
// GPU merging algorithm", ICS 2012, pp. 331-340, section 2. The co-rank of a position in the output
// is found without merging what precedes it.
#ifndef CLSORT_MERGE_CO_RANK_CL
#define CLSORT_MERGE_CO_RANK_CL

#include "common/order.cl"

// Bounds of a co-rank: of the first `rank` outputs, at most b_count keys come from run b, and at
// most a_count from run a.
#define MIN_FROM_A(rank, b_count) sub_sat(rank, b_count)
#define MAX_FROM_A(rank, a_count) min((rank), (a_count))

// Narrows [low, high], which is known to have a co-rank, to one number: `low`. The expression says
// whether the element of run b that completes the first `rank` outputs with element `middle` of run
// a is output before it. The result is in [low, high] even if the runs are not in order.
#define CO_RANK_SEARCH(low, high, is_b_first)                                                      \
    while (low < high) {                                                                           \
        const index_t middle = low + (high - low) / 2;                                             \
        if (is_b_first) {                                                                          \
            high = middle;                                                                         \
        } else {                                                                                   \
            low = middle + 1;                                                                      \
        }                                                                                          \
    }

// Defines a function that returns the number of keys from run a among the first `rank` outputs,
// which is known to be in [low, high]. A key of b is output before a key of a only if it precedes
// it, so the merge is stable.
#define DEFINE_CO_RANK(name, space)                                                                \
    static inline index_t name(space const key_t *a, space const key_t *b, const index_t rank,     \
                               index_t low, index_t high, const order_t order)                     \
    {                                                                                              \
        CO_RANK_SEARCH(low, high, precedes(b[rank - 1 - middle], a[middle], order))                \
        return low;                                                                                \
    }

#if KEY_ORDER != 4
#define CO_RANK_PROBES 7

// The same for memory with a high latency: on an H200 an iteration takes 0.7 us. Each iteration
// compares at CO_RANK_PROBES positions at once, so that their reads overlap, and there are fewer
// iterations.
static inline index_t co_rank_far(__global const key_t *a, __global const key_t *b,
                                  const index_t rank, index_t low, index_t high,
                                  const order_t order)
{
    while (low < high) {
        const index_t part = (high - low + CO_RANK_PROBES) / (CO_RANK_PROBES + 1);
        uint passed = 0;
#pragma unroll
        for (uint probe = 1; probe <= CO_RANK_PROBES; probe++) {
            const index_t position = low + probe * part - 1, i = min(position, high - 1);
            passed += position < high && !precedes(b[rank - 1 - i], a[i], order);
        }
        if (passed < CO_RANK_PROBES) {
            high = min(high, low + (passed + 1) * part - 1);
        }
        low += passed * part;
    }
    return low;
}
#endif

#endif
