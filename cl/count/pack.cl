// pack.cl - the division of a range of keys into packs, which are aligned vectors of 16 bytes
#ifndef CLSORT_COUNT_PACK_CL
#define CLSORT_COUNT_PACK_CL

#include "common/types.cl"
#include "count/layout.h"

#define PACK_KEYS (COUNT_PACK_BYTES / KEY_BYTES)

// A range of keys: `head` keys before the first pack, the packs, and the keys from `tail` on.
typedef struct {
    uint head, packs, tail;
} count_range_t;

static inline count_range_t divide_range(const size_t address, const uint count)
{
    const uint unaligned = (uint)(-address % COUNT_PACK_BYTES) / KEY_BYTES;
    count_range_t range;
    range.head = min(count, unaligned);
    range.packs = (count - range.head) / PACK_KEYS;
    range.tail = range.head + range.packs * PACK_KEYS;
    return range;
}

#endif
