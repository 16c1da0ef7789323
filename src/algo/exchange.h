/* exchange.h - how many values of a tile go through local memory at once (exchange.cl) */
#ifndef CLSORT_ALGO_EXCHANGE_H
#define CLSORT_ALGO_EXCHANGE_H

#include "algo/algo.h"

/* VALUES_AT_ONCE: as many as `least` bytes hold, which are there for something else, or where that is more: 24 KiB or
 * half of the device's. */
static inline uint64_t cls_values_at_once(const struct cls_caps *caps,
                                          const struct cls_shape *shape, uint64_t tile,
                                          uint64_t least)
{
    const uint64_t half = caps->local_bytes / 2, some = 24 << 10, most = half < some ? half : some;
    if (shape->value_bytes == 0)
        return tile;
    const uint64_t values = (least > most ? least : most) / shape->value_bytes;
    return values < tile ? values : tile;
}

#endif
