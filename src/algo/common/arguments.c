/* arguments.c - kernel arguments whose type or presence depends on the sort spec */
#include "algo/common/arguments.h"

#include "base/arithmetic.h"

void cls_arg_key(struct cls_launch *launch, const struct cls_spec *spec, uint64_t key)
{
    cls_arg_sized(launch, spec->key_bytes, key);
}

void cls_arg_index(struct cls_launch *launch, const struct cls_spec *spec, uint64_t index)
{
    cls_arg_sized(launch, spec->index_bits / 8, index);
}

void cls_arg_order(struct cls_launch *launch, const struct cls_spec *spec)
{
    if (spec->order == CLS_ORDER_CUSTOM) {
        cls_arg_uint(launch, 0);
    } else if (spec->order == CLS_ORDER_COLUMNS) {
        cls_arg_uint(launch, spec->column_words);
    } else {
        cls_arg_key(launch, spec, spec->flip);
        cls_arg_key(launch, spec, cls_compared_mask(spec));
    }
}

/* The kernel has as many buffers as columns are allowed; the last one replaces those that are missing. */
void cls_arg_elements(struct cls_launch *launch, const struct cls_elements *elements)
{
    const unsigned buffers = elements->has_buffers ? CLSORT_MAX_COLUMNS : 1;
    for (unsigned i = 0; i < buffers; i++)
        cls_arg_buffer(launch, elements->inputs[cls_min(i, elements->input_count - 1)]);
    cls_arg_buffer(launch, elements->parts);
    cls_arg_buffer(launch, elements->firsts);
}

void cls_arg_elements_in(struct cls_launch *launch, const struct cls_sort *sort)
{
    const struct cls_arrays *arrays = sort->arrays;
    const unsigned buffers = sort->spec->column_buffers;
    if (sort->spec->order != CLS_ORDER_COLUMNS) {
        cls_arg_buffer(launch, arrays->keys_in);
        return;
    }
    const struct cls_elements elements = {.inputs =
                                              buffers > 0 ? arrays->columns : &arrays->keys_in,
                                          .input_count = buffers > 0 ? buffers : 1,
                                          .has_buffers = buffers > 0,
                                          .parts = arrays->parts,
                                          .firsts = arrays->firsts};
    cls_arg_elements(launch, &elements);
}

void cls_arg_values(struct cls_launch *launch, const struct cls_spec *spec, clsort_buffer buffer)
{
    if (spec->value_bytes > 0)
        cls_arg_buffer(launch, buffer);
}

void cls_arg_input_values(struct cls_launch *launch, const struct cls_spec *spec,
                          clsort_buffer buffer)
{
    if (!spec->value_is_index)
        cls_arg_values(launch, spec, buffer);
}

void cls_arg_key_arrays(struct cls_launch *launch, const struct cls_sort *sort)
{
    cls_arg_buffer(launch, sort->arrays->keys_in);
    cls_arg_buffer(launch, sort->arrays->keys_out);
    cls_arg_buffer(launch, sort->scratch[CLS_KEYS]);
}

void cls_arg_value_arrays(struct cls_launch *launch, const struct cls_sort *sort)
{
    cls_arg_input_values(launch, sort->spec, sort->arrays->values_in);
    cls_arg_values(launch, sort->spec, sort->arrays->values_out);
    cls_arg_values(launch, sort->spec, sort->scratch[CLS_VALUES]);
}

void cls_arg_count(struct cls_launch *launch, const struct cls_sort *sort)
{
    if (sort->spec->count_bytes > 0)
        cls_arg_buffer(launch, sort->arrays->count_buffer);
}
