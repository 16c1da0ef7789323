/* lsd_passes.c - the passes of an LSD sort, one per digit (lsd_passes.cl) */
#include "algo/common/lsd_passes.h"

#include "algo/common/arguments.h"

struct cls_digit cls_digit_of_pass(const struct cls_spec *spec, unsigned digit_bits, unsigned pass)
{
    const unsigned shift = spec->begin_bit + pass * digit_bits, left = spec->end_bit - shift;
    if (spec->begin_bit == spec->end_bit)
        return (struct cls_digit){0, 0};
    return (struct cls_digit){shift, left < digit_bits ? left : digit_bits};
}

cl_int cls_passes_finish(const struct cls_sort *sort, cl_kernel kernel, size_t groups)
{
    struct cls_launch launch = cls_launch(kernel);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_arg_key_arrays(&launch, sort);
    cls_arg_value_arrays(&launch, sort);
    cls_arg_count(&launch, sort);
    cls_arg_index(&launch, sort->spec, sort->arrays->count);
    cls_arg_uint(&launch, sort->arrays->in_place);
    return cls_launch_enqueue(sort->chain, &launch, groups, sort->tuning->group_size);
}
