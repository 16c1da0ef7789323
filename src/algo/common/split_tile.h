/* split_tile.h - the size of a tile of the 4-way split (four_way_split.cl) */
#ifndef CLSORT_ALGO_COMMON_SPLIT_TILE_H
#define CLSORT_ALGO_COMMON_SPLIT_TILE_H

#include "algo/algo.h"

/* Lowers *group_size and *items until a tile fits the device's local memory together with
 * per_element bytes for each element, per_work_item bytes for each work-item, and per_group bytes.
 * Returns false if no size fits. */
bool cls_fit_split_tile(const struct cls_caps *caps, const struct cls_spec *spec,
                        unsigned per_element, unsigned per_work_item, unsigned per_group,
                        unsigned *group_size, unsigned *items);

#endif
