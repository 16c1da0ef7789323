// args.cl - the last arguments of the kernels, which depend on the number of keys
//
// If the count is in device memory, the arguments are those of its maximum, except for what
// SIZE_CPU_SAMPLE_ARGS computes from the count: it defines `args` as the host passes them otherwise. The
// host then launches cpu_sample_single and the other kernels, and the count decides which of them have
// nothing to do.
#ifndef CLSORT_CPU_SAMPLE_ARGS_CL
#define CLSORT_CPU_SAMPLE_ARGS_CL

#include "common/device_count.cl"
#include "cpu_sample/sizes.h"

#if COUNT_BYTES > 0
#define CPU_SAMPLE_ARGS                                                                            \
    COUNT_ARGUMENT const cls_cpu_sample_limits limits, const cls_cpu_sample_args max_args
#define IS_SINGLE (DEVICE_COUNT <= CLS_CPU_SAMPLE_SINGLE_MAX)
#define IS_NOT_SINGLE (!IS_SINGLE)
#define SIZE_CPU_SAMPLE_ARGS                                                                       \
    cls_cpu_sample_args args = max_args;                                                           \
    cls_cpu_sample_bounds bounds;                                                                  \
    args.count = DEVICE_COUNT;                                                                     \
    cls_cpu_sample_size(limits, &args, &bounds);
#else
#define CPU_SAMPLE_ARGS const cls_cpu_sample_args args
#define IS_SINGLE false
#define IS_NOT_SINGLE false
#define SIZE_CPU_SAMPLE_ARGS
#endif

#endif
