// group.cl - the work-group of kernels that use lanes, and loops over a work-item's elements
//
// GROUP_SIZE    work-items in a group
// REGISTERS     of a work-item, where the host limits them

#if !defined(GROUP_SIZE) || !defined(LANES_BODY) || !defined(LANED)
#error "group.cl needs lanes.cl"
#endif

// NVIDIA's compiler disregards -cl-nv-maxrregcount for kernels whose group it knows.
#ifdef REGISTERS
#define GROUP LANED
#else
#define GROUP __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) LANED
#endif

// PoCL 3.1 compiles some of these loops wrong when they are unrolled.
#if LANES_BODY == 0
#define UNROLL
#else
#define UNROLL _Pragma("unroll")
#endif
