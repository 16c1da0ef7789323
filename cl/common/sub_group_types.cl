// sub_group_types.cl - the size of a sub-group, and masks of its lanes
//
// The options are described in sub_group.cl.
#ifndef CLSORT_COMMON_SUB_GROUP_TYPES_CL
#define CLSORT_COMMON_SUB_GROUP_TYPES_CL

#include "common/work_group.cl"

// A work-group that is smaller than a sub-group is one emulated sub-group.
#if GROUP_SIZE < SUB_GROUP_SIZE
#undef SUB_GROUP_SIZE
#undef SUB_GROUP_BACKEND
#define SUB_GROUP_SIZE GROUP_SIZE
#define SUB_GROUP_BACKEND 0
#endif
#if GROUP_SIZE % SUB_GROUP_SIZE > 0
#error "sub_group_types.cl: GROUP_SIZE must be a multiple of SUB_GROUP_SIZE"
#endif

// Bit i is lane i.
#if SUB_GROUP_SIZE > 32
typedef ulong lane_mask_t;
#define ALL_LANES (~(lane_mask_t)0 >> (64 - SUB_GROUP_SIZE))
#else
typedef uint lane_mask_t;
#define ALL_LANES (~(lane_mask_t)0 >> (32 - SUB_GROUP_SIZE))
#endif

#endif
