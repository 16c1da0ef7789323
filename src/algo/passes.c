/* passes.c - the passes of an LSD sort, one for each digit (passes.cl) */
#include "algo/passes.h"

struct cls_digit cls_digit_of(const struct cls_shape *shape, unsigned bits, unsigned pass)
{
    const unsigned shift = shape->begin_bit + pass * bits, left = shape->end_bit - shift;
    if (shape->begin_bit == shape->end_bit)
        return (struct cls_digit){0, 0};
    return (struct cls_digit){shift, left < bits ? left : bits};
}

void cls_arg_key_places(struct cls_launch *launch, const struct cls_job *job)
{
    cls_arg_buffer(launch, job->places.keys_in);
    cls_arg_buffer(launch, job->places.keys_out);
    cls_arg_buffer(launch, job->scratch[CLS_KEYS]);
}

void cls_arg_value_places(struct cls_launch *launch, const struct cls_shape *shape,
                          const struct cls_job *job)
{
    cls_arg_input_values(launch, shape, job->places.values_in);
    cls_arg_values(launch, shape, job->places.values_out);
    cls_arg_values(launch, shape, job->scratch[CLS_VALUES]);
}

cl_int cls_passes_finish(cl_kernel kernel, const struct cls_shape *shape, const struct cls_job *job,
                         struct cls_chain *chain, size_t groups, size_t group_size)
{
    struct cls_launch launch = cls_launch(kernel);
    cls_arg_buffer(&launch, job->scratch[CLS_CONTROL]);
    cls_arg_key_places(&launch, job);
    cls_arg_value_places(&launch, shape, job);
    cls_arg_index(&launch, shape, job->places.count);
    cls_arg_uint(&launch, job->places.in_place);
    return cls_run(chain, &launch, groups, group_size);
}
