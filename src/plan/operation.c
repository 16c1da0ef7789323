/* operation.c - the table of operations */
#include "plan/operation.h"

#include "base/index.h"
#include "host/key.h"
#include "host/sort.h"
#include "plan/operation_io.h"

#include <stdlib.h>
#include <string.h>

/* -- the self-test ----------------------------------------------------------------------------- */

static clsort_status sort_all(const struct cls_spec *spec, uint64_t count, char *keys, char *values)
{
    return cls_host_sort(spec, (size_t)count, keys, values);
}

static clsort_status sort_both_inputs(const struct cls_spec *spec, uint64_t count, char *keys,
                                      char *values)
{
    const uint64_t second = cls_second_count(count), first = count - second;
    const clsort_status status = sort_all(spec, first, keys, values);
    return status == CLSORT_OK ? sort_all(spec, second, keys + first * spec->key_bytes,
                                          values + first * spec->value_bytes)
                               : status;
}

static clsort_status argsort_all(const struct cls_spec *spec, uint64_t count, char *keys,
                                 char *values)
{
    struct cls_spec pairs = *spec;
    pairs.value_is_index = false;
    cls_number_elements(spec->value_bytes, (size_t)count, values);
    return sort_all(&pairs, count, keys, values);
}

/* Makes all indexes but every 16th valid. */
static clsort_status make_indexes(const struct cls_spec *spec, uint64_t count, char *keys,
                                  char *values)
{
    (void)values;
    for (uint64_t i = 0; i < count; i++) {
        char *at = keys + i * spec->key_bytes;
        const uint64_t index = cls_load_index(at, spec->key_bytes) % count;
        cls_store_index(i % 16 == 5 ? index + count : index, spec->key_bytes, at);
    }
    return CLSORT_OK;
}

/* Returns the number of invalid indexes. */
static uint64_t count_invalid(const struct cls_spec *spec, uint64_t count, const char *keys)
{
    uint64_t invalid = 0;
    for (uint64_t i = 0; i < count; i++)
        invalid += cls_load_index(keys + i * spec->key_bytes, spec->key_bytes) >= count;
    return invalid;
}

static clsort_status gather_all(const struct cls_spec *spec, uint64_t count, char *keys,
                                char *values)
{
    const size_t bytes = spec->value_bytes;
    char *source = malloc(count * bytes);
    if (!source)
        return CLSORT_E_MEMORY;
    memcpy(source, values, count * bytes);
    memset(values, 0, count * bytes);
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t index = cls_load_index(keys + i * spec->key_bytes, spec->key_bytes);
        if (index < count)
            memcpy(values + i * bytes, source + index * bytes, bytes);
    }
    free(source);
    return CLSORT_OK;
}

/* Makes the key of every third element equal to the one before it. */
static clsort_status make_runs(const struct cls_spec *spec, uint64_t count, char *keys,
                               char *values)
{
    (void)values;
    for (uint64_t i = 1; i < count; i += 1 + i % 5)
        memcpy(keys + i * spec->key_bytes, keys + (i - 1) * spec->key_bytes, spec->key_bytes);
    return CLSORT_OK;
}

/* The keys of the self-test of a custom order are all equal. */
static bool begins_run(const struct cls_spec *spec, const char *keys, uint64_t i)
{
    const char *key = keys + i * spec->key_bytes;
    return i == 0 ||
           (spec->order != CLS_ORDER_CUSTOM &&
            cls_host_ordered_key(spec, key - spec->key_bytes) != cls_host_ordered_key(spec, key));
}

static uint64_t count_runs(const struct cls_spec *spec, uint64_t count, const char *keys)
{
    uint64_t runs = 0;
    for (uint64_t i = 0; i < count; i++)
        runs += begins_run(spec, keys, i);
    return runs;
}

/* Sorts the keys, and unless their number is even, copies the first one to a later element. */
static clsort_status make_violation(const struct cls_spec *spec, uint64_t count, char *keys,
                                    char *values)
{
    const size_t bytes = spec->key_bytes;
    const clsort_status status = sort_all(spec, count, keys, values);
    if (count % 2 != 0)
        memcpy(keys + (count - 1 - count / 5) * bytes, keys, bytes);
    return status;
}

static uint64_t first_violation(const struct cls_spec *spec, uint64_t count, const char *keys)
{
    const size_t bytes = spec->key_bytes;
    for (uint64_t i = 1; i < count && spec->order != CLS_ORDER_CUSTOM; i++)
        if (cls_host_ordered_key(spec, keys + i * bytes) <
            cls_host_ordered_key(spec, keys + (i - 1) * bytes))
            return i;
    return count;
}

/* -- the table --------------------------------------------------------------------------------- */

static const struct cls_operation_info OPERATIONS[] = {
    [CLSORT_SORT] = {.name = "CLSORT_SORT",
                     .description = "",
                     .unsupported = "the algorithm does not support sorting",
                     .is_measured = true,
                     .on_host_arrays = true,
                     .in_place = true,
                     .has_keys = true,
                     .has_segments = true,
                     .has_counts = true,
                     .has_columns = true,
                     .keys_in = "keys",
                     .values_out = "values_out",
                     .read_io = cls_read_sort_io,
                     .make_output = sort_all},
    [CLSORT_MERGE_SORTED] = {.name = "CLSORT_MERGE_SORTED",
                             .description = "merge of ",
                             .unsupported = "the algorithm does not support merging two inputs",
                             .has_keys = true,
                             .has_columns = true,
                             .compares_rows = true,
                             .indexes_columns = true,
                             .keys_in = "keys",
                             .values_out = "values_out",
                             .read_io = cls_read_merge_io,
                             .write_io = cls_write_merge_io,
                             .make_input = sort_both_inputs,
                             .make_output = sort_all},
    [CLSORT_ARGSORT] = {.name = "CLSORT_ARGSORT",
                        .description = "argsort of ",
                        .unsupported = "the algorithm does not support argsorts",
                        .is_measured = true,
                        .on_host_arrays = true,
                        .in_place = true,
                        .has_keys = true,
                        .has_indexes = true,
                        .has_segments = true,
                        .has_counts = true,
                        .has_columns = true,
                        .may_omit_keys_out = true,
                        .moves_no_values = true,
                        .keys_in = "keys",
                        .values_out = "index_out",
                        .read_io = cls_read_argsort_io,
                        .write_io = cls_write_argsort_io,
                        .make_output = argsort_all},
    [CLSORT_GATHER] = {.name = "CLSORT_GATHER",
                       .description = "gather by ",
                       .unsupported = "the algorithm does not support gathers",
                       .has_indexes = true,
                       .has_counts = true,
                       .keys_in = "index",
                       .values_out = "values_out",
                       .read_io = cls_read_gather_io,
                       .write_io = cls_write_gather_io,
                       .make_input = make_indexes,
                       .make_output = gather_all,
                       .expected_result = count_invalid},
    [CLSORT_SELECT] = {.name = "CLSORT_SELECT",
                       .description = "selection of ",
                       .unsupported = "the algorithm does not support selections",
                       .has_keys = true,
                       .has_indexes = true,
                       .has_segments = true,
                       .has_counts = true,
                       .has_columns = true,
                       .selects = true,
                       .keys_in = "keys",
                       .values_out = "values_out",
                       .read_io = cls_read_select_io},
    [CLSORT_NTH] = {.name = "CLSORT_NTH",
                    .description = "n-th of ",
                    .unsupported = "the algorithm does not support selections",
                    .has_keys = true,
                    .has_indexes = true,
                    .has_segments = true,
                    .has_counts = true,
                    .has_columns = true,
                    .selects = true,
                    .keys_in = "keys",
                    .values_out = "values_out",
                    .read_io = cls_read_nth_io},
    [CLSORT_UNIQUE] = {.name = "CLSORT_UNIQUE",
                       .description = "unique of ",
                       .unsupported = "the algorithm does not support CLSORT_UNIQUE",
                       .has_keys = true,
                       .has_indexes = true,
                       .has_counts = true,
                       .has_columns = true,
                       .compares_rows = true,
                       .keys_in = "keys",
                       .values_out = "values_out",
                       .read_io = cls_read_unique_io,
                       .make_input = make_runs,
                       .is_kept = begins_run,
                       .expected_result = count_runs},
    [CLSORT_CHECK] = {.name = "CLSORT_CHECK",
                      .description = "check of ",
                      .unsupported = "the algorithm does not support CLSORT_CHECK",
                      .has_keys = true,
                      .has_counts = true,
                      .has_columns = true,
                      .compares_rows = true,
                      .moves_no_values = true,
                      .keys_in = "keys",
                      .values_out = "values_out",
                      .read_io = cls_read_check_io,
                      .write_io = cls_write_check_io,
                      .make_input = make_violation,
                      .expected_result = first_violation},
};

const struct cls_operation_info *cls_operation_at(uint32_t number)
{
    return number < sizeof OPERATIONS / sizeof *OPERATIONS ? &OPERATIONS[number] : NULL;
}
