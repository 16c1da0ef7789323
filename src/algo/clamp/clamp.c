/* clamp.c - clamps a count in device memory to its bound (cl/clamp/clamp.cl) */
#include "algo/clamp/clamp.h"

#include "algo/common/programs.h"
#include "cl/clamp/layout.h"

static const char *const NAMES[] = {"clamp_count", NULL};

void cls_clamp_program(unsigned count_bytes, struct cls_program_spec *program)
{
    /* The kernel has no keys or indexes, but needs their types. */
    const struct cls_spec any = {.key_bytes = 4, .index_bits = 32};
    cls_program_begin(program, "clamp/clamp.cl", NAMES, 1, &any);
    cls_text_add(&program->options, " -DCOUNT_BYTES=%u", count_bytes);
}

cl_int cls_clamp_enqueue(cl_kernel kernel, const struct cls_arrays *arrays, clsort_buffer clamped,
                         struct cls_chain *chain)
{
    const clsort_buffer result = arrays->result;
    const cls_clamp_args args = {.bound = arrays->count,
                                 .exceeded = CLSORT_COUNT_EXCEEDED,
                                 .writes_count = clamped.mem != NULL,
                                 .writes_result = result.mem != NULL};
    struct cls_launch launch = cls_launch(kernel);
    cls_arg_buffer(&launch, arrays->count_buffer);
    /* The kernel needs both buffers, also if it does not write to one of them. */
    cls_arg_buffer(&launch, clamped.mem ? clamped : result);
    cls_arg_buffer(&launch, result.mem ? result : clamped);
    cls_arg_struct(&launch, &args, sizeof args);
    return cls_launch_enqueue(chain, &launch, 1, 1);
}
