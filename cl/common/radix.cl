// radix.cl - the number of values of a digit, and their division among the work-items of a group
//
// Options: BITS of a digit; GROUP_SIZE (work_group.cl).
#ifndef CLSORT_COMMON_RADIX_CL
#define CLSORT_COMMON_RADIX_CL

#define RADIX (1u << BITS)

// Work-item t is responsible for the bins from BINS_PER_ITEM * t on, as far as they exist.
#define BINS_PER_ITEM ((RADIX + GROUP_SIZE - 1) / GROUP_SIZE)

#endif
