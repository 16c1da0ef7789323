// group.cl - the work-group of kernels that use lanes and whose registers the host limits
//
// GROUP_SIZE    work-items in a group

#if !defined(GROUP_SIZE) || !defined(LANES_BODY) || !defined(LANED)
#error "group.cl needs lanes.cl"
#endif

// NVIDIA's compiler disregards -cl-nv-maxrregcount for kernels whose group it knows.
#if LANES_BODY == 3
#define GROUP LANED
#else
#define GROUP __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) LANED
#endif
