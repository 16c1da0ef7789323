/* operation.c - the table of operations */
#include "plan/operation.h"

#include "base/error.h"
#include "host/sort.h"

/* -- arrays ------------------------------------------------------------------------------------ */

static bool is_same_region(clsort_buffer a, clsort_buffer b)
{
    return a.mem == b.mem && a.offset == b.offset;
}

/* Returns CLSORT_OK if there are keys, and values exactly if the sort spec has values. The names of
 * the arrays have the given prefix and suffix. */
static clsort_status check_arrays(const char *prefix, const char *suffix, clsort_buffer keys,
                                  clsort_buffer values, const struct cls_spec *spec)
{
    if (!keys.mem)
        return cls_fail(CLSORT_E_ARGUMENT, "%skeys%s.mem is NULL", prefix, suffix);
    if (spec->value_bytes > 0 && !values.mem)
        return cls_fail(CLSORT_E_ARGUMENT,
                        "%svalues%s.mem is NULL, but clsort_desc.value_size is %zu", prefix, suffix,
                        spec->value_bytes);
    if (spec->value_bytes == 0 && values.mem)
        return cls_fail(CLSORT_E_ARGUMENT,
                        "%svalues%s.mem is not NULL, but clsort_desc.value_size is 0", prefix,
                        suffix);
    return CLSORT_OK;
}

static clsort_status check_outputs(const clsort_io *io, const struct cls_spec *spec)
{
    if (io->keys_out.mem && spec->value_bytes > 0 && !io->values_out.mem)
        return cls_fail(CLSORT_E_ARGUMENT,
                        "values_out.mem is NULL, but keys_out.mem is not: set both of them (in "
                        "place: neither)");
    if (io->keys_out.mem)
        return check_arrays("", "_out", io->keys_out, io->values_out, spec);
    return io->values_out.mem ? cls_fail(CLSORT_E_ARGUMENT,
                                         "keys_out.mem is NULL, but values_out.mem is not: set "
                                         "both of them (in place: neither)")
                              : CLSORT_OK;
}

/* Reads the first input and the output. */
static clsort_status read_first(const clsort_io *io, const struct cls_spec *spec,
                                struct cls_arrays *arrays)
{
    clsort_status status =
        io->count > 0 ? check_arrays("", "", io->keys, io->values, spec) : CLSORT_OK;
    if (status == CLSORT_OK)
        status = check_outputs(io, spec);
    if (status != CLSORT_OK)
        return status;
    *arrays = (struct cls_arrays){.count = io->count + io->second_count,
                                  .keys_in = io->keys,
                                  .values_in = io->values,
                                  .keys_out = io->keys_out,
                                  .values_out = io->values_out};
    arrays->in_place = !io->keys_out.mem || (is_same_region(io->keys, io->keys_out) &&
                                             is_same_region(io->values, io->values_out));
    if (arrays->in_place) {
        arrays->keys_out = io->keys;
        arrays->values_out = io->values;
    }
    return CLSORT_OK;
}

static clsort_status read_sort_io(const clsort_io *io, const struct cls_spec *spec,
                                  struct cls_arrays *arrays)
{
    const clsort_status status = read_first(io, spec, arrays);
    if (status != CLSORT_OK)
        return status;
    const char *second = io->second_count > 0    ? "second_count is not 0"
                         : io->second_keys.mem   ? "second_keys.mem is not NULL"
                         : io->second_values.mem ? "second_values.mem is not NULL"
                                                 : NULL;
    return second ? cls_fail(CLSORT_E_OPERATION,
                             "%s, but clsort_desc.operation is not CLSORT_MERGE_SORTED", second)
                  : CLSORT_OK;
}

/* The arrays of an empty input may be missing; the arrays of the other input then replace them. */
static clsort_status read_merge_io(const clsort_io *io, const struct cls_spec *spec,
                                   struct cls_arrays *arrays)
{
    clsort_status status = read_first(io, spec, arrays);
    if (status == CLSORT_OK && !io->keys_out.mem)
        status = cls_fail(CLSORT_E_ARGUMENT,
                          "keys_out.mem is NULL: CLSORT_MERGE_SORTED does not merge in place");
    if (status == CLSORT_OK && io->second_count > 0)
        status = check_arrays("second_", "", io->second_keys, io->second_values, spec);
    if (status != CLSORT_OK)
        return status;
    arrays->in_place = false; /* an output that is an input fails the overlap check later */
    arrays->second_count = io->count > 0 ? io->second_count : 0;
    arrays->second_keys = io->second_count > 0 ? io->second_keys : io->keys;
    arrays->second_values = io->second_count > 0 ? io->second_values : io->values;
    if (io->count == 0) {
        arrays->keys_in = io->second_keys;
        arrays->values_in = io->second_values;
    }
    return CLSORT_OK;
}

/* -- the self-test ----------------------------------------------------------------------------- */

static uint64_t no_second(uint64_t count)
{
    (void)count;
    return 0;
}

static uint64_t third_of(uint64_t count)
{
    return count / 3;
}

static clsort_status any_input(const struct cls_spec *spec, uint64_t count, char *keys,
                               char *values)
{
    (void)spec;
    (void)count;
    (void)keys;
    (void)values;
    return CLSORT_OK;
}

static clsort_status sort_all(const struct cls_spec *spec, uint64_t count, char *keys, char *values)
{
    return cls_host_sort(spec, (size_t)count, keys, values);
}

static clsort_status sort_both_inputs(const struct cls_spec *spec, uint64_t count, char *keys,
                                      char *values)
{
    const uint64_t second = third_of(count), first = count - second;
    const clsort_status status = sort_all(spec, first, keys, values);
    return status == CLSORT_OK ? sort_all(spec, second, keys + first * spec->key_bytes,
                                          values + first * spec->value_bytes)
                               : status;
}

/* -- the table --------------------------------------------------------------------------------- */

static const struct cls_operation_info OPERATIONS[] = {
    [CLSORT_SORT] = {.description = "",
                     .unsupported = "the algorithm does not support sorting",
                     .is_measured = true,
                     .on_host_arrays = true,
                     .in_place = true,
                     .read_io = read_sort_io,
                     .second_count = no_second,
                     .make_input = any_input,
                     .make_output = sort_all},
    [CLSORT_MERGE_SORTED] = {.description = "merge of ",
                             .unsupported = "the algorithm does not support merging two inputs",
                             .read_io = read_merge_io,
                             .second_count = third_of,
                             .make_input = sort_both_inputs,
                             .make_output = sort_all},
};

const struct cls_operation_info *cls_operation_at(uint32_t number)
{
    return number < sizeof OPERATIONS / sizeof *OPERATIONS ? &OPERATIONS[number] : NULL;
}
