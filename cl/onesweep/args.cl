// args.cl - the last arguments of the kernels, which depend on the number of elements
//
// If the count is in device memory, the host passes the arguments for the maximum count. SIZE_ONESWEEP_ARGS
// defines `args`, a copy in which what depends on the count is that of the actual one. Chunks and sections
// may then be empty.
#ifndef CLSORT_ONESWEEP_ARGS_CL
#define CLSORT_ONESWEEP_ARGS_CL

#include "common/device_count.cl"
#include "common/radix.cl"
#include "common/work_group.cl"
#include "onesweep/layout.h"

#if COUNT_BYTES > 0
#define ONESWEEP_ARGS COUNT_ARGUMENT const cls_onesweep_args max_args
#define SIZE_ONESWEEP_ARGS                                                                         \
    cls_onesweep_args args = max_args;                                                             \
    size_onesweep_args(&args, DEVICE_COUNT);

static inline void size_onesweep_args(cls_onesweep_args *args, const ulong count)
{
    args->count = count;
    args->chunk = cls_onesweep_chunk(count, args->chunks);
    args->table_words = min(args->table_words, (count + args->tile - 1) / args->tile * RADIX);
}
#else
#define ONESWEEP_ARGS const cls_onesweep_args args
#define SIZE_ONESWEEP_ARGS
#endif

#endif
