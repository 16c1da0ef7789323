// work_group.cl - attributes of kernels whose work-groups have a fixed size
//
// GROUP_SIZE    work-items in a group
#ifndef CLSORT_COMMON_WORK_GROUP_CL
#define CLSORT_COMMON_WORK_GROUP_CL

#define WORK_GROUP_KERNEL __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1)))

// Elements of a group's tile: ITEMS for each work-item.
#define TILE (GROUP_SIZE * ITEMS)

#endif
