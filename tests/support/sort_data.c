/* sort_data.c - the input of a sort case in host memory, and the expected output */
#include "sort_data.h"

#include "reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- the order of a case ----------------------------------------------------------------------- */

static struct reference built_in_order(const struct sort_case *sort)
{
    return (struct reference){sort->type, sort->flags, sort->begin_bit, sort->end_bit};
}

/* Stably sorts `count` keys from the index `first` on: order[j] becomes an index relative to `first`. */
static bool order_keys(const struct sort_case *sort, const struct sort_data *data, size_t first,
                       size_t count, size_t *order)
{
    const uint8_t *keys = data->keys + first * data->key_size;
    const struct reference reference = built_in_order(sort);
    return sort->custom ? custom_order_sort(sort->custom, keys, count, order)
                        : reference_order(&reference, keys, count, order);
}

/* Returns whether the elements may be in any order. */
static bool is_permutation_only(const struct sort_case *sort)
{
    return sort->unsorted || (sort->custom && !sort->custom->precedes);
}

/* ties[j] becomes whether the elements order[j - 1] and order[j] may change places if the sort is not stable. */
static void find_ties(const struct sort_case *sort, const struct sort_data *data, bool *ties)
{
    const struct reference reference = built_in_order(sort);
    const size_t size = data->key_size, *order = data->order;
    if (!sort->custom && !sort->unsorted) {
        reference_ties(&reference, data->keys, order, data->count, ties);
        return;
    }
    /* The keys are sorted: neighbours are equal if the first does not precede the second. */
    for (size_t i = 0; i < data->count; i++)
        ties[i] = i > 0 && (is_permutation_only(sort) ||
                            !sort->custom->precedes(data->keys + order[i - 1] * size,
                                                    data->keys + order[i] * size));
}

static bool expect_sorted(const struct sort_case *sort, struct sort_data *data)
{
    for (size_t i = 0; i < data->count && is_permutation_only(sort); i++)
        data->order[i] = i;
    return is_permutation_only(sort) || order_keys(sort, data, 0, data->count, data->order);
}

/* -- operations -------------------------------------------------------------------------------- */

static bool keep_input(const struct sort_case *sort, struct sort_data *data)
{
    (void)sort;
    (void)data;
    return true;
}

static bool sort_input(const struct sort_case *sort, struct sort_data *data, size_t first,
                       size_t count)
{
    const size_t size = data->key_size;
    uint8_t *keys = data->keys + first * size, *sorted = malloc(count * size + 1);
    const bool made = sorted && order_keys(sort, data, first, count, data->order);
    for (size_t i = 0; made && i < count; i++)
        memcpy(sorted + i * size, keys + data->order[i] * size, size);
    if (made)
        memcpy(keys, sorted, count * size);
    free(sorted);
    return made;
}

static bool sort_both_inputs(const struct sort_case *sort, struct sort_data *data)
{
    return sort->unsorted || (sort_input(sort, data, 0, sort->count) &&
                              sort_input(sort, data, sort->count, sort->second_count));
}

/* A stable merge gives the same output as a stable sort of both inputs, one after the other. */
static const struct {
    const char *name;
    bool has_two_inputs, has_indexes;
    /* Turns random keys into a valid input. */
    bool (*prepare)(const struct sort_case *sort, struct sort_data *data);
    /* Sets the order of the output. */
    bool (*expect)(const struct sort_case *sort, struct sort_data *data);
} operations[] = {
    [CLSORT_SORT] = {"sort", false, false, keep_input, expect_sorted},
    [CLSORT_MERGE_SORTED] = {"merge", true, false, sort_both_inputs, expect_sorted},
    [CLSORT_ARGSORT] = {"argsort", false, true, keep_input, expect_sorted},
};

const char *sort_operation_name(size_t operation)
{
    return operation < sizeof operations / sizeof *operations ? operations[operation].name : NULL;
}

bool sort_operation_has_two_inputs(size_t operation)
{
    return operations[operation].has_two_inputs;
}

bool sort_operation_has_indexes(size_t operation)
{
    return operations[operation].has_indexes;
}

/* -- input and check --------------------------------------------------------------------------- */

static bool allocate(struct sort_data *data)
{
    const size_t key_bytes = data->count * data->key_size + 1,
                 value_bytes = data->count * data->value_size + 1;
    data->keys = malloc(key_bytes);
    data->values = malloc(value_bytes);
    data->out_keys = malloc(key_bytes);
    data->out_values = malloc(value_bytes);
    data->order = malloc((data->count + 1) * sizeof *data->order);
    return data->keys && data->values && data->out_keys && data->out_values && data->order;
}

static void fill_value(const struct sort_case *sort, size_t i, size_t size, uint8_t *value)
{
    const uint32_t narrow = (uint32_t)i;
    const uint64_t wide = i;
    if (sort_operation_has_indexes(sort->operation))
        memcpy(value, size == sizeof narrow ? (const void *)&narrow : (const void *)&wide, size);
    else
        reference_value(i, size, value);
}

static bool fill(const struct sort_case *sort, struct sort_data *data)
{
    for (size_t i = 0; i < data->count && data->value_size > 0; i++)
        fill_value(sort, i, data->value_size, data->values + i * data->value_size);
    if (!sort->custom)
        return data_fill(sort->type, sort->dist, sort->seed, data->keys, data->count);
    custom_order_fill(sort->custom, sort->seed, data->keys, data->count);
    return true;
}

/* With a constant size, compilers replace memcpy by one load and one store. */
static inline void copy_element(uint8_t *to, const uint8_t *from, size_t size)
{
    switch (size) {
    case 1:
        *to = *from;
        break;
    case 4:
        memcpy(to, from, 4);
        break;
    case 8:
        memcpy(to, from, 8);
        break;
    default:
        memcpy(to, from, size);
    }
}

static void permute(const struct sort_data *data, const uint8_t *from, uint8_t *to, size_t size)
{
    for (size_t i = 0; i < data->count && size > 0; i++)
        copy_element(to + i * size, from + data->order[i] * size, size);
}

bool sort_data_create(struct sort_data *data, const struct sort_case *sort)
{
    *data = (struct sort_data){.count = sort_case_total(sort),
                               .key_size = sort_case_key_size(sort),
                               .value_size = sort->value_size};
    if (!allocate(data) || !fill(sort, data) || !operations[sort->operation].prepare(sort, data) ||
        !operations[sort->operation].expect(sort, data))
        return false;
    permute(data, data->keys, data->out_keys, data->key_size);
    permute(data, data->values, data->out_values, data->value_size);
    return true;
}

void sort_data_free(struct sort_data *data)
{
    free(data->keys);
    free(data->values);
    free(data->out_keys);
    free(data->out_values);
    free(data->order);
}

/* Compares found elements with elements of the input in this order. */
static bool check_order(const struct sort_data *data, const size_t *order, const char *name,
                        const uint8_t *found, const uint8_t *given, size_t size, char *why,
                        size_t why_size)
{
    for (size_t i = 0; i < data->count; i++) {
        if (memcmp(found + i * size, given + order[i] * size, size) != 0) {
            snprintf(why, why_size, "the %s differ first at %zu, where element %zu belongs", name,
                     i, order[i]);
            return false;
        }
    }
    return true;
}

/* Checks an output whose ties may be in any order. */
static bool check_unstable(const struct sort_data *data, const struct sort_case *sort,
                           const uint8_t *keys, const uint8_t *values, char *why, size_t why_size)
{
    const struct reference_elements given = {data->keys, data->values, data->key_size,
                                             data->value_size},
                                    found = {keys, values, data->key_size, data->value_size};
    size_t *order = malloc((data->count + 1) * sizeof *order);
    bool *ties = malloc(data->count + 1), right = order && ties;
    if (right) {
        memcpy(order, data->order, data->count * sizeof *order);
        find_ties(sort, data, ties);
        right = reference_match(&given, &found, data->count, ties, order);
    }
    if (!right)
        snprintf(why, why_size, "the test is out of memory");
    right =
        right &&
        check_order(data, order, "keys", keys, data->keys, data->key_size, why, why_size) &&
        check_order(data, order, "values", values, data->values, data->value_size, why, why_size);
    free(order);
    free(ties);
    return right;
}

bool sort_data_check(const struct sort_data *data, const struct sort_case *sort,
                     const uint8_t *keys, const uint8_t *values, char *why, size_t why_size)
{
    const bool is_expected = memcmp(keys, data->out_keys, data->count * data->key_size) == 0 &&
                             memcmp(values, data->out_values, data->count * data->value_size) == 0;
    if (is_expected)
        return true;
    if (is_permutation_only(sort) || !sort_case_is_stable(sort))
        return check_unstable(data, sort, keys, values, why, why_size);
    return check_order(data, data->order, "keys", keys, data->keys, data->key_size, why,
                       why_size) &&
           check_order(data, data->order, "values", values, data->values, data->value_size, why,
                       why_size);
}
