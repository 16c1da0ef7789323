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

static void find_ties(const struct sort_case *sort, struct sort_data *data)
{
    const struct reference reference = built_in_order(sort);
    if (!sort->custom) {
        reference_ties(&reference, data->keys, data->order, data->count, data->ties);
        return;
    }
    /* The keys are sorted: neighbours are equal if the first does not precede the second. */
    for (size_t i = 0; i < data->count; i++)
        data->ties[i] =
            i > 0 && !sort->custom->precedes(data->keys + data->order[i - 1] * data->key_size,
                                             data->keys + data->order[i] * data->key_size);
}

/* Expects all elements in any order. */
static bool expect_permutation(struct sort_data *data)
{
    for (size_t i = 0; i < data->count; i++) {
        data->order[i] = i;
        data->ties[i] = i > 0;
    }
    return true;
}

static bool expect_sorted(const struct sort_case *sort, struct sort_data *data)
{
    if (sort->unsorted || (sort->custom && !sort->custom->precedes))
        return expect_permutation(data);
    if (!order_keys(sort, data, 0, data->count, data->order))
        return false;
    if (data->ties)
        find_ties(sort, data);
    return true;
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
    /* Turns random keys into a valid input. */
    bool (*prepare)(const struct sort_case *sort, struct sort_data *data);
    /* Sets order and, unless it is NULL, ties. */
    bool (*expect)(const struct sort_case *sort, struct sort_data *data);
} operations[] = {
    [CLSORT_SORT] = {"sort", keep_input, expect_sorted},
    [CLSORT_MERGE_SORTED] = {"merge", sort_both_inputs, expect_sorted},
};

const char *sort_operation_name(size_t operation)
{
    return operation < sizeof operations / sizeof *operations ? operations[operation].name : NULL;
}

/* -- input and check --------------------------------------------------------------------------- */

static bool needs_ties(const struct sort_case *sort)
{
    return sort->unsorted || (sort->custom && !sort->custom->precedes) ||
           !sort_case_is_stable(sort);
}

static bool fill_keys(const struct sort_case *sort, struct sort_data *data)
{
    if (!sort->custom)
        return data_fill(sort->type, sort->dist, sort->seed, data->keys, data->count);
    custom_order_fill(sort->custom, sort->seed, data->keys, data->count);
    return true;
}

bool sort_data_create(struct sort_data *data, const struct sort_case *sort)
{
    *data = (struct sort_data){.count = sort_case_total(sort),
                               .key_size = sort_case_key_size(sort),
                               .value_size = sort->value_size};
    data->keys = malloc(data->count * data->key_size + 1);
    data->values = malloc(data->count * data->value_size + 1);
    data->order = malloc((data->count + 1) * sizeof *data->order);
    if (needs_ties(sort))
        data->ties = malloc((data->count + 1) * sizeof *data->ties);
    if (!data->keys || !data->values || !data->order || (needs_ties(sort) && !data->ties) ||
        !fill_keys(sort, data))
        return false;
    for (size_t i = 0; i < data->count && data->value_size > 0; i++)
        reference_value(i, data->value_size, data->values + i * data->value_size);
    return operations[sort->operation].prepare(sort, data) &&
           operations[sort->operation].expect(sort, data);
}

void sort_data_free(struct sort_data *data)
{
    free(data->keys);
    free(data->values);
    free(data->order);
    free(data->ties);
}

/* With a constant size, compilers replace memcmp by one comparison. */
static inline bool is_equal(const uint8_t *a, const uint8_t *b, size_t size)
{
    switch (size) {
    case 1:
        return *a == *b;
    case 4:
        return memcmp(a, b, 4) == 0;
    case 8:
        return memcmp(a, b, 8) == 0;
    default:
        return memcmp(a, b, size) == 0;
    }
}

static bool check_column(const struct sort_data *data, const char *name, const uint8_t *found,
                         const uint8_t *given, size_t size, char *why, size_t why_size)
{
    for (size_t i = 0; i < data->count; i++) {
        if (!is_equal(found + i * size, given + data->order[i] * size, size)) {
            snprintf(why, why_size, "the %s differ first at %zu, where element %zu belongs", name,
                     i, data->order[i]);
            return false;
        }
    }
    return true;
}

bool sort_data_check(struct sort_data *data, const uint8_t *keys, const uint8_t *values, char *why,
                     size_t why_size)
{
    const struct reference_elements given = {data->keys, data->values, data->key_size,
                                             data->value_size},
                                    found = {keys, values, data->key_size, data->value_size};
    if (data->ties && !reference_match(&given, &found, data->count, data->ties, data->order)) {
        snprintf(why, why_size, "the test is out of memory");
        return false;
    }
    return check_column(data, "keys", keys, data->keys, data->key_size, why, why_size) &&
           (data->value_size == 0 ||
            check_column(data, "values", values, data->values, data->value_size, why, why_size));
}
