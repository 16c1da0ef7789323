/* host_merge.c - the merge on the cores of the host: order, stability, few and many elements */
#include "host/merge.h"

#include "data.h"
#include "host/sort.h"
#include "plan/request.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

enum {
    SMALL_COUNT = 1000,
    LARGE_COUNT = 200000, /* several parts on each machine with more than one core */
    MAX_VALUE = 17
};

/* Arrays of LARGE_COUNT elements. */
struct arrays {
    char *keys, *values;
};

static struct arrays allocate(void)
{
    struct arrays arrays = {malloc(LARGE_COUNT * sizeof(uint64_t)),
                            malloc(LARGE_COUNT * MAX_VALUE)};
    assert_non_null(arrays.keys);
    assert_non_null(arrays.values);
    return arrays;
}

static void release(struct arrays arrays)
{
    free(arrays.keys);
    free(arrays.values);
}

/* Sorts the elements [0, middle) and [middle, count), merges them, and compares the result with that
 * of a stable sort of all. */
static void check(const struct data_type *type, uint32_t flags, size_t value_size,
                  enum data_dist dist, size_t middle, size_t count)
{
    const struct arrays runs = allocate(), expected = allocate(), merged = allocate();
    const size_t left_keys = middle * type->size, left_values = middle * value_size;
    clsort_desc desc = CLSORT_DESC_INIT;
    struct cls_request request;
    desc.key = type->key;
    desc.flags = flags;
    desc.value_size = value_size;
    assert_int_equal(cls_request_read(&desc, &request), CLSORT_OK);
    assert_true(data_fill(type, dist, count, runs.keys, count));
    for (size_t i = 0; i < count; i++) /* the value contains the index, as far as it has space */
        for (size_t b = 0; b < value_size; b++)
            runs.values[i * value_size + b] = (char)(i >> (8 * (b % 4)));
    memcpy(expected.keys, runs.keys, count * type->size);
    memcpy(expected.values, runs.values, count * value_size);
    assert_int_equal(cls_host_sort(&request.spec, count, expected.keys, expected.values), 0);

    assert_int_equal(cls_host_sort(&request.spec, middle, runs.keys, runs.values), 0);
    assert_int_equal(cls_host_sort(&request.spec, count - middle, runs.keys + left_keys,
                                   runs.values + left_values),
                     0);
    cls_host_merge(&request.spec, (struct cls_host_elements){runs.keys, runs.values}, middle, count,
                   (struct cls_host_elements){merged.keys, merged.values});
    assert_memory_equal(merged.keys, expected.keys, count * type->size);
    assert_memory_equal(merged.values, expected.values, count * value_size);
    release(runs);
    release(expected);
    release(merged);
}

static void check_types(size_t middle, size_t count)
{
    static const size_t VALUE_SIZES[] = {0, 1, 4, 8, MAX_VALUE};
    static const enum data_dist DISTS[] = {DATA_UNIFORM,  DATA_FEW,   DATA_SORTED,
                                           DATA_REVERSED, DATA_EQUAL, DATA_SPECIAL};
    const struct data_type *type;
    for (size_t t = 0; (type = data_type_at(t)) != NULL; t++)
        for (size_t v = 0; v < sizeof VALUE_SIZES / sizeof *VALUE_SIZES; v++) {
            const enum data_dist dist = DISTS[(t + v) % (sizeof DISTS / sizeof *DISTS)];
            check(type, 0, VALUE_SIZES[v], dist, middle, count);
            check(type, CLSORT_DESCENDING, VALUE_SIZES[v], dist, middle, count);
            if (data_type_is_float(type))
                check(type, CLSORT_FLOAT_NUMERIC, VALUE_SIZES[v], dist, middle, count);
        }
}

static void test_few(void **state)
{
    static const size_t MIDDLES[] = {0, 1, 333, SMALL_COUNT - 1, SMALL_COUNT};
    (void)state;
    check_types(1, 2);
    for (size_t m = 0; m < sizeof MIDDLES / sizeof *MIDDLES; m++)
        check_types(MIDDLES[m], SMALL_COUNT);
}

static void test_many(void **state)
{
    (void)state;
    check_types(LARGE_COUNT / 2, LARGE_COUNT);
    check_types(3, LARGE_COUNT - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_few), cmocka_unit_test(test_many)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
