/* tile.h - how large a work-group's tile can be (split.cl) */
#ifndef CLSORT_ALGO_TILE_H
#define CLSORT_ALGO_TILE_H

#include "algo/algo.h"

/* Lowers group_size and items until a tile, and `more` bytes for each work-item and `fixed` for the
 * group, fit the device. False when nothing does. */
bool cls_fit_tile(const struct cls_caps *caps, const struct cls_shape *shape, unsigned more,
                  unsigned fixed, struct cls_tuning *tuning);

#endif
