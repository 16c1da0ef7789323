/* merge.c - what the two variants of merge sort and the merge by columns share */
#include "algo/merge/merge.h"

#include "algo/common/arguments.h"
#include "algo/common/limits.h"

const char *const cls_merge_variants[] = {"groups", "cores", NULL};

unsigned cls_merge_rounds(uint64_t count, uint64_t width)
{
    unsigned rounds = 0;
    for (; width < count; width *= 2)
        rounds++;
    return rounds;
}

struct cls_merge_round cls_merge_round(const struct cls_sort *sort, uint64_t width)
{
    const struct cls_arrays *arrays = sort->arrays;
    const clsort_buffer keys[] = {arrays->keys_out, sort->scratch[CLS_KEYS]};
    const clsort_buffer values[] = {arrays->values_out, sort->scratch[CLS_VALUES]};
    const unsigned from = cls_merge_rounds(arrays->count, width) % 2;
    return (struct cls_merge_round){.keys = keys[from],
                                    .values = values[from],
                                    .second_keys = keys[from],
                                    .second_values = values[from],
                                    .keys_to = keys[!from],
                                    .values_to = values[!from],
                                    .width = width};
}

/* Returns the merge of the two inputs. Values that are indexes must already be in scratch. */
static struct cls_merge_round merge_of_inputs(const struct cls_sort *sort)
{
    const struct cls_arrays *arrays = sort->arrays;
    const uint64_t first = arrays->count - arrays->second_count;
    struct cls_merge_round round = {.keys = arrays->keys_in,
                                    .values = arrays->values_in,
                                    .second_keys = arrays->second_keys,
                                    .second_values = arrays->second_values,
                                    .keys_to = arrays->keys_out,
                                    .values_to = arrays->values_out,
                                    .width = first,
                                    .two_inputs = true};
    if (sort->spec->value_is_index) {
        round.values = round.second_values = sort->scratch[CLS_VALUES];
        round.second_values.offset += first * sort->spec->value_bytes;
    }
    return round;
}

void cls_merge_arg_key_arrays(struct cls_launch *launch, const struct cls_merge_round *round)
{
    cls_arg_buffer(launch, round->keys);
    cls_arg_buffer(launch, round->second_keys);
    cls_arg_buffer(launch, round->keys_to);
}

void cls_merge_arg_value_arrays(struct cls_launch *launch, const struct cls_spec *spec,
                                const struct cls_merge_round *round)
{
    cls_arg_values(launch, spec, round->values);
    cls_arg_values(launch, spec, round->second_values);
    cls_arg_values(launch, spec, round->values_to);
}

void cls_merge_arg_round(struct cls_launch *launch, const struct cls_sort *sort,
                         const struct cls_merge_round *round)
{
    cls_arg_index(launch, sort->spec, sort->arrays->count);
    cls_arg_index(launch, sort->spec, round->width);
    cls_arg_uint(launch, round->two_inputs);
}

cl_int cls_merge_split_enqueue(const struct cls_sort *sort, struct cls_launch *launch,
                               uint64_t tiles)
{
    const unsigned group_size = sort->tuning->group_size;
    return cls_launch_enqueue(sort->chain, launch,
                              (size_t)cls_divide_up(tiles, CLS_MERGE_SPLIT_TILES(group_size)),
                              CLS_MERGE_SPLIT_GROUP(group_size));
}

void cls_merge_options(const struct cls_spec *spec, struct cls_text *options)
{
    cls_text_add(options, " -DCHECKED=%d",
                 spec->order == CLS_ORDER_CUSTOM || cls_merges_two_inputs(spec));
}

uint64_t cls_merge_bytes_per_element(const struct cls_spec *spec, uint64_t count, uint64_t width)
{
    const unsigned passes = cls_merges_two_inputs(spec) ? 1 : 1 + cls_merge_rounds(count, width);
    return passes * cls_copy_bytes(spec);
}

void cls_merge_scratch(const struct cls_spec *spec, uint64_t count, struct cls_schedule *schedule)
{
    const bool sorts = !cls_merges_two_inputs(spec);
    uint64_t *bytes = schedule->region_bytes;
    bytes[CLS_CONTROL] = sizeof(cls_merge_control);
    bytes[CLS_KEYS] = sorts ? count * spec->key_bytes : 0;
    bytes[CLS_VALUES] = sorts || spec->value_is_index ? count * spec->value_bytes : 0;
}

cl_int cls_merge_enqueue(const struct cls_sort *sort, uint64_t tile,
                         const struct cls_merge_steps *steps)
{
    if (cls_merges_two_inputs(sort->spec)) {
        const struct cls_merge_round inputs = merge_of_inputs(sort);
        const cl_int status = steps->init(sort);
        return status == CL_SUCCESS ? steps->merge(sort, &inputs) : status;
    }
    cl_int status = steps->sort_tiles(sort);
    for (uint64_t width = tile; width < sort->arrays->count && status == CL_SUCCESS; width *= 2) {
        const struct cls_merge_round round = cls_merge_round(sort, width);
        status = steps->merge(sort, &round);
    }
    return status;
}
