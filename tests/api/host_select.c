/* host_select.c - clsort_host_select and clsort_array_top: selections from host arrays
 *
 * The expected elements are the first ones of a stable sort by the reference. */
#include "check.h"
#include "env.h"
#include "reference.h"

#include <stdlib.h>
#include <string.h>

/* Counts below and above those up to which the calling thread selects. */
static const size_t counts[] = {1, 2, 33, 1000, 9000, 40000, ((size_t)1 << 18) + 1};

enum { COUNTS = sizeof counts / sizeof *counts };

struct selection {
    const struct data_type *type;
    enum data_dist dist;
    uint32_t operation, flags, index_size;
    size_t count, k, value_size;
    bool on_host, is_array;                     /* no engine; clsort_array_top */
    bool wants_keys, wants_values, wants_index; /* outputs */
    const char *algorithm;
};

struct arrays {
    uint8_t *keys, *values;
    size_t *order;                              /* by the reference */
    uint8_t *keys_out, *values_out, *index_out; /* a canary of 8 bytes follows each */
};

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes + 8);
    assert_non_null(memory);
    memset((uint8_t *)memory + bytes, 0xa5, 8);
    return memory;
}

static size_t selected(const struct selection *selection)
{
    return selection->flags & CLSORT_PARTITION  ? selection->count
           : selection->operation == CLSORT_NTH ? 1
                                                : selection->k;
}

static int compare_indexes(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* Changes the sorted order to that of a partition: the elements before the element k, equal to it and after it, each in
 * the order of the input. */
static void order_parts(const struct selection *selection, const struct reference *reference,
                        const uint8_t *keys, size_t *order)
{
    const size_t n = selection->count;
    bool *ties = allocate(n * sizeof *ties);
    size_t begin = selection->k, end = begin + 1;
    reference_ties(reference, keys, order, n, ties);
    while (ties[begin])
        begin--;
    while (end < n && ties[end])
        end++;
    qsort(order, begin, sizeof *order, compare_indexes);
    qsort(order + end, n - end, sizeof *order, compare_indexes);
    free(ties);
}

static void make_arrays(const struct selection *selection, struct arrays *arrays)
{
    const size_t count = selection->count, out = selected(selection);
    const struct reference reference = {
        selection->type, selection->flags & (CLSORT_DESCENDING | CLSORT_FLOAT_NUMERIC), 0, 0};
    *arrays = (struct arrays){
        allocate(count * selection->type->size), allocate(count * selection->value_size),
        allocate(count * sizeof *arrays->order), allocate(out * selection->type->size),
        allocate(out * selection->value_size),   allocate(out * selection->index_size)};
    assert_true(
        data_fill(selection->type, selection->dist, count + selection->k, arrays->keys, count));
    for (size_t i = 0; i < count; i++)
        reference_value(i, selection->value_size, arrays->values + i * selection->value_size);
    assert_true(reference_order(&reference, arrays->keys, count, arrays->order));
    if (selection->flags & CLSORT_PARTITION)
        order_parts(selection, &reference, arrays->keys, arrays->order);
    else if (selection->operation == CLSORT_NTH)
        arrays->order[0] = arrays->order[selection->k];
    else if (selection->flags & CLSORT_INPUT_ORDER)
        qsort(arrays->order, out, sizeof *arrays->order, compare_indexes);
}

static void free_arrays(struct arrays *arrays)
{
    free(arrays->keys);
    free(arrays->values);
    free(arrays->order);
    free(arrays->keys_out);
    free(arrays->values_out);
    free(arrays->index_out);
}

static clsort_status call(clsort_engine *engine, const struct selection *selection,
                          const struct arrays *arrays)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.operation = selection->operation;
    desc.key = selection->type->key;
    desc.flags = selection->flags;
    desc.value_size = selection->value_size;
    desc.index_size = selection->index_size;
    desc.algorithm = selection->algorithm;
    void *const keys_out = selection->wants_keys ? arrays->keys_out : NULL;
    void *const values_out = selection->wants_values ? arrays->values_out : NULL;
    void *const index_out = selection->wants_index ? arrays->index_out : NULL;
    const void *values = selection->wants_values ? arrays->values : NULL;
    if (selection->is_array)
        return clsort_array_top(selection->type->key, selection->flags, selection->count,
                                arrays->keys, values, values ? selection->value_size : 0,
                                selection->k, keys_out, values_out, index_out);
    return clsort_host_select(selection->on_host ? NULL : engine, NULL, &desc, selection->count,
                              arrays->keys, values, selection->k, keys_out, values_out, index_out);
}

/* Returns whether element i of an output is the expected one, or the output is unchanged. */
static bool is_expected(const uint8_t *out, size_t i, size_t size, const void *expected)
{
    return memcmp(out + i * size, expected, size) == 0;
}

static bool is_canary_intact(const uint8_t *out, size_t bytes)
{
    static const uint8_t canary[8] = {0xa5, 0xa5, 0xa5, 0xa5, 0xa5, 0xa5, 0xa5, 0xa5};
    return memcmp(out + bytes, canary, sizeof canary) == 0;
}

static void run(clsort_engine *engine, const struct selection *selection)
{
    const size_t out = selected(selection), key = selection->type->size,
                 value = selection->value_size;
    struct arrays arrays;
    bool right = true;
    make_arrays(selection, &arrays);
    assert_ok(call(engine, selection, &arrays));
    for (size_t i = 0; i < out; i++) {
        const uint64_t index = arrays.order[i];
        if (selection->wants_keys)
            right &= is_expected(arrays.keys_out, i, key, arrays.keys + index * key);
        if (selection->wants_values)
            right &= is_expected(arrays.values_out, i, value, arrays.values + index * value);
        if (selection->wants_index) /* little-endian */
            right &= is_expected(arrays.index_out, i, selection->index_size, &index);
    }
    right &= is_canary_intact(arrays.keys_out, out * key);
    right &= is_canary_intact(arrays.values_out, out * value);
    right &= is_canary_intact(arrays.index_out, out * selection->index_size);
    if (!right)
        fail_msg("wrong: %s %s operation=%u flags=%u n=%zu k=%zu values=%zu%s%s",
                 selection->type->name, data_dist_name(selection->dist), selection->operation,
                 selection->flags, selection->count, selection->k, value,
                 selection->on_host ? " on the host" : "", selection->is_array ? " array" : "");
    free_arrays(&arrays);
}

/* Selects different numbers of elements, from counts[first] on; the other properties rotate. */
static void run_counts(clsort_engine *engine, struct selection selection, size_t first,
                       size_t *number)
{
    static const enum data_dist dists[] = {DATA_UNIFORM,  DATA_SPECIAL, DATA_FEW, DATA_SORTED,
                                           DATA_REVERSED, DATA_EQUAL,   DATA_ZIPF};
    static const size_t value_sizes[] = {4, 8, 3, 100};
    for (size_t c = first; c < COUNTS; c++) {
        const size_t n = counts[c];
        const size_t ks[] = {0, 1, 2, n / 100, n / 2, n - 1, n};
        for (size_t i = 0; i < sizeof ks / sizeof *ks; i++, (*number)++) {
            selection.count = n;
            selection.k = ks[i];
            selection.dist = dists[*number % (sizeof dists / sizeof *dists)];
            selection.value_size = value_sizes[*number % 4];
            selection.wants_keys = *number % 5 != 1;
            selection.wants_values = *number % 3 != 1;
            selection.wants_index = !selection.wants_keys || *number % 2 != 1;
            if (!selection.wants_values)
                selection.value_size = 0;
            if (selection.is_array)
                selection.index_size = sizeof(size_t);
            if (selection.k <= n - (selection.operation == CLSORT_NTH))
                run(engine, &selection);
        }
    }
}

/* Runs the orders of all types. */
static void run_types(struct env *env, bool on_host, bool is_array)
{
    size_t number = 0;
    /* On the device, a few types and the counts that it selects from. */
    const size_t step = on_host ? 1 : 3, first = on_host ? 0 : COUNTS - 1;
    for (size_t t = 0; data_type_at(t); t += step) {
        const struct data_type *type = data_type_at(t);
        const uint32_t numeric = data_type_is_float(type) ? CLSORT_FLOAT_NUMERIC : 0;
        const uint32_t flags[] = {t % 2 ? CLSORT_DESCENDING : 0,
                                  numeric | (t % 2 ? 0 : CLSORT_DESCENDING),
                                  numeric | CLSORT_INPUT_ORDER};
        struct selection selection = {.type = type, .on_host = on_host, .is_array = is_array};
        for (size_t f = 0; f < (on_host ? 3 : 1 + t % 2); f++) {
            selection.flags = flags[f];
            selection.index_size = t % 2 ? 4 : 8;
            selection.operation = CLSORT_SELECT;
            run_counts(env->engine, selection, first, &number);
            if (is_array || flags[f] & CLSORT_INPUT_ORDER)
                continue;
            selection.operation = CLSORT_NTH;
            run_counts(env->engine, selection, first, &number);
            selection.flags |= CLSORT_PARTITION;
            run_counts(env->engine, selection, first, &number);
        }
    }
}

static void on_the_host(void **state)
{
    run_types(*state, true, false);
}

/* After many equal keys, only a smaller one can still be selected, even if it is smaller by 1. */
static void smaller_by_one(void **state)
{
    enum { COUNT = 20000 };
    clsort_desc desc = CLSORT_DESC_INIT;
    uint32_t *keys = allocate(COUNT * sizeof *keys), found[2];
    (void)state;
    for (size_t i = 0; i < COUNT; i++)
        keys[i] = i == COUNT - 2 ? 6 : 7;
    desc.operation = CLSORT_SELECT;
    assert_ok(clsort_host_select(NULL, NULL, &desc, COUNT, keys, NULL, 2, found, NULL, NULL));
    assert_true(found[0] == 6 && found[1] == 7);
    free(keys);
}

static void on_the_device(void **state)
{
    run_types(*state, false, false);
}

static void of_arrays(void **state)
{
    run_types(*state, false, true);
}

/* A named algorithm selects on the device whatever the count is. */
static void named_algorithm(void **state)
{
    struct env *env = *state;
    struct selection selection = {.type = data_type_of(CLSORT_U32),
                                  .operation = CLSORT_SELECT,
                                  .flags = CLSORT_DESCENDING,
                                  .index_size = 4,
                                  .count = 1000,
                                  .k = 100,
                                  .value_size = 12,
                                  .wants_keys = true,
                                  .wants_values = true,
                                  .algorithm = "radix"};
    run(env->engine, &selection);
    selection.wants_keys = false;
    run(env->engine, &selection);
    struct arrays arrays;
    make_arrays(&selection, &arrays);
    selection.on_host = true;
    assert_status(call(NULL, &selection, &arrays), CLSORT_E_ARGUMENT);
    free_arrays(&arrays);
}

/* -- arguments --------------------------------------------------------------------------------- */

static void arguments(void **state)
{
    struct env *env = *state;
    clsort_desc desc = CLSORT_DESC_INIT;
    uint32_t keys[10] = {5, 3, 9, 1, 7, 0, 8, 2, 6, 4}, out[10] = {0}, values[10] = {0};
    desc.operation = CLSORT_SELECT;
    for (int has_engine = 0; has_engine < 2; has_engine++) {
        clsort_engine *engine = has_engine ? env->engine : NULL;
        const struct {
            clsort_status status;
            const uint32_t *keys, *values;
            size_t k;
            uint32_t *keys_out, *values_out, *index_out;
        } cases[] = {
            {CLSORT_OK, keys, NULL, 10, out, NULL, NULL},
            {CLSORT_OK, NULL, NULL, 0, NULL, NULL, NULL},
            {CLSORT_E_COUNT, keys, NULL, 11, out, NULL, NULL},
            {CLSORT_E_ARGUMENT, NULL, NULL, 3, out, NULL, NULL},
            {CLSORT_E_ARGUMENT, keys, NULL, 3, NULL, NULL, NULL},
            {CLSORT_E_ARGUMENT, keys, values, 3, out, NULL, NULL},
            {CLSORT_E_ARGUMENT, keys, NULL, 3, out, values, NULL},
            {CLSORT_E_OVERLAP, keys, NULL, 3, keys + 9, NULL, NULL},
            {CLSORT_E_OVERLAP, keys, NULL, 3, out, NULL, out + 2},
        };
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
            assert_status(clsort_host_select(engine, NULL, &desc, cases[i].keys ? 10 : cases[i].k,
                                             cases[i].keys, cases[i].values, cases[i].k,
                                             cases[i].keys_out, cases[i].values_out,
                                             cases[i].index_out),
                          cases[i].status);
        assert_status(clsort_host_select(engine, NULL, NULL, 10, keys, NULL, 3, out, NULL, NULL),
                      CLSORT_E_ARGUMENT);
        desc.value_size = 4;
        assert_status(clsort_host_select(engine, NULL, &desc, 10, keys, NULL, 3, out, values, NULL),
                      CLSORT_E_ARGUMENT);
        desc.value_size = 0;
        desc.max_count = 9;
        assert_status(clsort_host_select(engine, NULL, &desc, 10, keys, NULL, 3, out, NULL, NULL),
                      CLSORT_E_COUNT);
        desc.max_count = 0;
        desc.max_k = 2;
        assert_status(clsort_host_select(engine, NULL, &desc, 10, keys, NULL, 3, out, NULL, NULL),
                      CLSORT_E_COUNT);
        desc.max_k = 0;
        desc.operation = CLSORT_NTH;
        assert_status(clsort_host_select(engine, NULL, &desc, 10, keys, NULL, 10, out, NULL, NULL),
                      CLSORT_E_COUNT);
        desc.operation = CLSORT_SORT;
        assert_status(clsort_host_select(engine, NULL, &desc, 10, keys, NULL, 3, out, NULL, NULL),
                      CLSORT_E_OPERATION);
        desc.operation = CLSORT_SELECT;
        assert_status(clsort_host(engine, NULL, &desc, 10, keys, NULL), CLSORT_E_OPERATION);
    }
    assert_status(clsort_host_select(NULL, env->queue, &desc, 10, keys, NULL, 3, out, NULL, NULL),
                  CLSORT_E_ARGUMENT);
    assert_ok(
        clsort_host_select(env->engine, env->queue, &desc, 10, keys, NULL, 3, out, NULL, NULL));
    assert_true(out[0] == 0 && out[1] == 1 && out[2] == 2);
    assert_status(clsort_array_top(CLSORT_CUSTOM, 0, 10, keys, NULL, 0, 3, out, NULL, NULL),
                  CLSORT_E_KEY);
    assert_status(clsort_array_top(CLSORT_U32, 0, 10, keys, NULL, 0, 11, out, NULL, NULL),
                  CLSORT_E_COUNT);
    assert_status(
        clsort_array_top(CLSORT_U32, CLSORT_FLOAT_NUMERIC, 10, keys, NULL, 0, 3, out, NULL, NULL),
        CLSORT_E_FLAGS);
}

/* -- the description --------------------------------------------------------------------------- */

static void description(void **state)
{
    struct env *env = *state;
    clsort_desc desc = CLSORT_DESC_INIT;
    char text[1024];
    int is_first;
    desc.operation = CLSORT_SELECT;
    desc.max_k = 100;
    assert_ok(clsort_host_describe(env->engine, &desc, 1000, sizeof text, text, NULL));
    assert_memory_equal(text, "host selection of u32", 21);
    assert_ok(clsort_host_describe(env->engine, &desc, (size_t)1 << 20, sizeof text, text, NULL));
    if (!getenv("CLSORT_MAX_ALLOC"))
        assert_memory_equal(text, "selection of u32", 16);
    else
        assert_non_null(strstr(text, "buffers are too small"));
    desc.algorithm = "radix"; /* the calling thread does not replace it */
    assert_status(
        clsort_host_describe(env->engine, &desc, (size_t)1 << 20, sizeof text, text, NULL),
        getenv("CLSORT_MAX_ALLOC") ? CLSORT_E_COUNT : CLSORT_OK);
    desc.algorithm = NULL;
    assert_ok(clsort_host_first(env->engine, &desc, 1000, &is_first));
    assert_int_equal(is_first, 1);
    assert_ok(clsort_host_first(env->engine, &desc, (size_t)1 << 40, &is_first));
    assert_int_equal(is_first, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_the_host),     cmocka_unit_test(smaller_by_one),
        cmocka_unit_test(on_the_device),   cmocka_unit_test(of_arrays),
        cmocka_unit_test(named_algorithm), cmocka_unit_test(arguments),
        cmocka_unit_test(description),
    };
    return cmocka_run_group_tests(tests, env_set_up, env_tear_down);
}
