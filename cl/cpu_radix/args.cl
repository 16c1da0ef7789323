// args.cl - the last arguments of the kernels, which depend on the number of elements
//
// If the count is in device memory, the arguments are those of its maximum, except for what
// SIZE_CPU_RADIX_ARGS computes from the count: it defines `args` as the host passes them otherwise. The
// host then launches cpu_radix_single and the other kernels, and the count decides which of them have
// nothing to do.
#ifndef CLSORT_CPU_RADIX_ARGS_CL
#define CLSORT_CPU_RADIX_ARGS_CL

#include "common/device_count.cl"
#include "cpu_radix/sizes.h"

#if COUNT_BYTES > 0
#define CPU_RADIX_ARGS                                                                             \
    COUNT_ARGUMENT const cls_cpu_radix_limits limits, const cls_cpu_radix_args max_args
#define IS_SINGLE (DEVICE_COUNT <= CLS_CPU_RADIX_SINGLE_MAX)
#define IS_NOT_SINGLE (!IS_SINGLE)
#define SIZE_CPU_RADIX_ARGS                                                                        \
    cls_cpu_radix_args args = max_args;                                                            \
    args.count = DEVICE_COUNT;                                                                     \
    cls_cpu_radix_size(limits, &args);
#else
#define CPU_RADIX_ARGS const cls_cpu_radix_args args
#define IS_SINGLE false
#define IS_NOT_SINGLE false
#define SIZE_CPU_RADIX_ARGS
#endif

#endif
