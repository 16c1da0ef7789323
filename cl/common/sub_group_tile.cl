// sub_group_tile.cl - how the elements of a tile are divided among sub-groups and lanes
//
// Each sub-group has neighbouring rows of the tile, of an element for each lane. Reads are thus
// coalesced, and the order of the elements is that of sub-groups, rows and lanes.
//
// Options: ITEMS (work_group.cl), and those of sub_group.cl.
#ifndef CLSORT_COMMON_SUB_GROUP_TILE_CL
#define CLSORT_COMMON_SUB_GROUP_TILE_CL

#include "common/sub_group.cl"

// How far apart a work-item's elements are in the tile.
#define TILE_STRIDE SUB_GROUP_SIZE

// Returns the index in the tile of this work-item's element i.
static inline uint tile_index(const uint i)
{
    return (sg_index() * ITEMS + i) * TILE_STRIDE + lane_id();
}

#endif
