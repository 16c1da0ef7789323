// unroll.cl - unrolling of loops over the elements of a work-item
#ifndef CLSORT_COMMON_UNROLL_CL
#define CLSORT_COMMON_UNROLL_CL

// PoCL 3.1 miscompiles some of these loops if they are unrolled. It uses SUB_GROUP_BACKEND 0.
#if SUB_GROUP_BACKEND == 0
#define UNROLL
#else
#define UNROLL _Pragma("unroll")
#endif

#endif
