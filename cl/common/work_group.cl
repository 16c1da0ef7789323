// work_group.cl - attributes of kernels whose work-groups have a fixed size
//
// Options:
//   GROUP_SIZE    work-items of a work-group
//   ITEMS         elements per work-item, in kernels that sort tiles
#ifndef CLSORT_COMMON_WORK_GROUP_CL
#define CLSORT_COMMON_WORK_GROUP_CL

#define WORK_GROUP_KERNEL __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1)))

// Elements of a tile.
#define TILE (GROUP_SIZE * ITEMS)

#endif
