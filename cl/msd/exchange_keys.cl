// exchange_keys.cl - stores the keys of a ranked tile in local memory, in the order of their ranks
#ifndef CLSORT_MSD_EXCHANGE_KEYS_CL
#define CLSORT_MSD_EXCHANGE_KEYS_CL

#include "msd/buckets.cl"

#include "common/exchange.cl"

// Stores the keys at their ranks in `exchange`, and removes the digits from rank[]. Sets to[] for
// write_keys, which follows after a barrier: the output offset of each digit minus the digit's rank
// in the tile. offset[] has the output offsets of this work-item's bins. It advances by total[],
// the tile's counts of those digits, to the offsets of the next tile; only msd_sort_oversized uses
// these. The offsets are used last, since they may take long to arrive.
static inline void exchange_keys(__local exchange_t *exchange, __local const ranks_t *ranks,
                                 __local uint *to, const key_t *key, uint *rank, const uint *total,
                                 uint *offset)
{
    UNROLL
    for (uint i = 0; i < ITEMS; i++) {
        rank[i] = RANK_IN(rank[i]);
    }
    store_keys(exchange, rank, key);
    for (uint i = 0; i < BINS_PER_ITEM; i++) {
        const uint d = (uint)get_local_id(0) * BINS_PER_ITEM + i;
        if (d < RADIX) {
            to[d] = offset[i] - rank_start(ranks, d);
        }
        offset[i] += total[i];
    }
}

#endif
