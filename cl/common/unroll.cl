// unroll.cl - unrolling of loops over a work-item's elements
#ifndef CLSORT_COMMON_UNROLL_CL
#define CLSORT_COMMON_UNROLL_CL

// PoCL 3.1 miscompiles some of these loops when they are unrolled. It has no sub-groups.
#if SUB_GROUP_BACKEND == 0
#define UNROLL
#else
#define UNROLL _Pragma("unroll")
#endif

#endif
