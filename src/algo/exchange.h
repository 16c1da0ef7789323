/* exchange.h - whether a tile's values go through local memory (exchange.cl) */
#ifndef CLSORT_ALGO_EXCHANGE_H
#define CLSORT_ALGO_EXCHANGE_H

#include "algo/algo.h"

/* VALUES_EXCHANGED: whether a tile's values go through local memory: where they take no more of it than `least`, which is
 * there for something else, or than 24 KiB and half of the device's. */
static inline bool cls_values_exchanged(const struct cls_caps *caps, const struct cls_shape *shape,
                                        uint64_t tile, uint64_t least)
{
    const uint64_t half = caps->local_bytes / 2, some = 24 << 10, most = half < some ? half : some;
    return tile * shape->value_bytes <= (least > most ? least : most);
}

#endif
