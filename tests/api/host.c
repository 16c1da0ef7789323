/* host.c - clsort_host and clsort_array: all types, many counts, and eight threads at once */
#include "check.h"
#include "env.h"
#include "reference.h"
#include "threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 8 };

/* Counts below and above those up to which the host sorts. */
static const size_t counts[] = {0,    1,    2,    3,    10,    33,    255,   256,
                                1000, 2047, 4096, 8193, 10000, 32769, 100000};

/* Algorithms for small arrays: NULL, auto, sorts them in the calling thread, "radix" on the device. */
static const char *const algorithms[] = {NULL, "radix"};

struct host_sort {
    const struct data_type *type;
    enum data_dist dist;
    uint32_t flags;
    size_t count;
    size_t value_size;
    const char *algorithm;
    uint64_t seed;
    bool array;   /* calls clsort_array, which has only type and count */
    bool argsort; /* finds the permutation; value_size is that of an index */
};

/* The arrays of a sort: the input, the copy that is sorted, and the expected order. */
struct arrays {
    uint8_t *keys, *sorted_keys, *values, *sorted_values;
    size_t *order;
};

static bool make_arrays(const struct host_sort *sort, struct arrays *arrays)
{
    size_t key_bytes = sort->count * sort->type->size;
    size_t value_bytes = sort->count * sort->value_size;
    *arrays =
        (struct arrays){malloc(key_bytes + 1), malloc(key_bytes + 1), malloc(value_bytes + 1),
                        malloc(value_bytes + 1), malloc((sort->count + 1) * sizeof *arrays->order)};
    struct reference reference = {sort->type, sort->flags, 0, 0};
    if (!arrays->keys || !arrays->sorted_keys || !arrays->values || !arrays->sorted_values ||
        !arrays->order ||
        !data_fill(sort->type, sort->dist, sort->seed, arrays->keys, sort->count) ||
        !reference_order(&reference, arrays->keys, sort->count, arrays->order))
        return false;
    for (size_t i = 0; i < sort->count; i++)
        reference_value(i, sort->value_size, arrays->values + i * sort->value_size);
    memcpy(arrays->sorted_keys, arrays->keys, key_bytes);
    memcpy(arrays->sorted_values, arrays->values, value_bytes);
    return true;
}

static bool run(clsort_engine *engine, const struct host_sort *sort, struct arrays *arrays)
{
    if (sort->array && sort->argsort)
        return clsort_array_argsort(sort->type->key, arrays->sorted_keys, sort->count,
                                    (size_t *)(void *)arrays->sorted_values) == CLSORT_OK;
    if (sort->array)
        return clsort_array(sort->type->key, arrays->sorted_keys, sort->count) == CLSORT_OK;
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.operation = sort->argsort ? CLSORT_ARGSORT : CLSORT_SORT;
    desc.key = sort->type->key;
    desc.flags = sort->flags;
    if (sort->argsort)
        desc.index_size = (uint32_t)sort->value_size;
    else
        desc.value_size = sort->value_size;
    desc.algorithm = sort->algorithm;
    return clsort_host(engine, NULL, &desc, sort->count, arrays->sorted_keys,
                       sort->value_size ? arrays->sorted_values : NULL) == CLSORT_OK;
}

static bool check(const struct host_sort *sort, const struct arrays *arrays)
{
    size_t ks = sort->type->size;
    size_t vs = sort->value_size;
    for (size_t i = 0; i < sort->count && sort->argsort; i++) {
        uint32_t narrow = 0;
        uint64_t index = 0;
        memcpy(vs == sizeof narrow ? (void *)&narrow : (void *)&index,
               arrays->sorted_values + i * vs, vs);
        if (index + narrow != arrays->order[i])
            return false;
    }
    if (sort->argsort) /* only reads the keys */
        return memcmp(arrays->sorted_keys, arrays->keys, sort->count * ks) == 0;
    for (size_t i = 0; i < sort->count; i++) {
        size_t from = arrays->order[i];
        if (memcmp(arrays->sorted_keys + i * ks, arrays->keys + from * ks, ks) != 0 ||
            memcmp(arrays->sorted_values + i * vs, arrays->values + from * vs, vs) != 0)
            return false;
    }
    return true;
}

/* Can run in any thread, since it makes no CMocka assertions. */
static bool sorts_right(clsort_engine *engine, const struct host_sort *sort)
{
    struct arrays arrays;
    bool right = make_arrays(sort, &arrays) && run(engine, sort, &arrays) && check(sort, &arrays);
    free(arrays.keys);
    free(arrays.sorted_keys);
    free(arrays.values);
    free(arrays.sorted_values);
    free(arrays.order);
    if (!right)
        fprintf(stderr, "WRONG: %s %s flags=%u n=%zu values=%zu algorithm=%s\n",
                sort->array ? "clsort_array" : "clsort_host", sort->type->name,
                (unsigned)sort->flags, sort->count, sort->value_size,
                sort->algorithm ? sort->algorithm : "auto");
    return right;
}

/* Sorts all counts. Type, order and values vary with the thread and the count. */
static bool sort_from_thread(size_t index, void *data)
{
    const struct env *env = data;
    bool right = true;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        struct host_sort sort = {.type = data_type_at((index + i) % 11),
                                 .dist = DATA_SPECIAL,
                                 .flags = i % 2 ? CLSORT_DESCENDING : 0,
                                 .count = counts[i],
                                 .value_size = index % 2 ? 4 : 0,
                                 .seed = index};
        right &= sorts_right(env->engine, &sort);
        sort = (struct host_sort){.type = sort.type,
                                  .dist = DATA_SPECIAL,
                                  .count = counts[i],
                                  .seed = index + 100,
                                  .array = true};
        right &= sorts_right(NULL, &sort);
        sort.argsort = true;
        sort.value_size = sizeof(size_t);
        right &= sorts_right(NULL, &sort);
    }
    return right;
}

/* This is the first test, so that the threads compete to create the default engine of clsort_array. */
static void from_threads(void **state)
{
    assert_true(threads_run(THREADS, sort_from_thread, *state));
}

static void all_types(void **state)
{
    const struct env *env = *state;
    for (size_t t = 0; data_type_at(t); t++)
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            struct host_sort sort = {
                .type = data_type_at(t), .dist = DATA_SPECIAL, .count = counts[i], .seed = i};
            assert_true(sorts_right(env->engine, &sort));
            sort.flags = CLSORT_DESCENDING;
            sort.value_size = 4;
            assert_true(sorts_right(env->engine, &sort));
            if (data_type_is_float(sort.type)) {
                sort.flags = CLSORT_FLOAT_NUMERIC;
                assert_true(sorts_right(env->engine, &sort));
            }
            sort = (struct host_sort){.type = sort.type,
                                      .dist = DATA_SPECIAL,
                                      .count = counts[i],
                                      .seed = i,
                                      .array = true};
            assert_true(sorts_right(NULL, &sort));
        }
}

/* Equal and clustered keys matter if the array is sorted in pieces, which are ranges of keys. */
static void distributions(void **state)
{
    const struct env *env = *state;
    for (int dist = 0; dist < DATA_DIST_COUNT; dist++) {
        struct host_sort sort = {.type = data_type_of(CLSORT_U64),
                                 .dist = (enum data_dist)dist,
                                 .count = 100000,
                                 .value_size = 4};
        assert_true(sorts_right(env->engine, &sort));
        sort = (struct host_sort){.type = data_type_of(CLSORT_I32),
                                  .dist = (enum data_dist)dist,
                                  .count = 150000,
                                  .flags = CLSORT_DESCENDING};
        assert_true(sorts_right(env->engine, &sort));
    }
}

/* In the calling thread, on the device and, with small buffers, in pieces. */
static void argsorts(void **state)
{
    const struct env *env = *state;
    static const size_t argsort_counts[] = {0, 1, 2, 300, 40000, 300001};
    for (size_t c = 0; c < sizeof argsort_counts / sizeof *argsort_counts; c++)
        for (int dist = 0; dist < DATA_DIST_COUNT; dist += 3) {
            struct host_sort sort = {.type = data_type_of(dist % 2 ? CLSORT_U32 : CLSORT_F64),
                                     .dist = (enum data_dist)dist,
                                     .flags = dist % 4 == 3 ? CLSORT_DESCENDING : 0,
                                     .count = argsort_counts[c],
                                     .value_size = dist % 2 ? 4 : 8,
                                     .algorithm = algorithms[c % 2],
                                     .argsort = true};
            assert_true(sorts_right(env->engine, &sort));
            sort.algorithm = NULL;
            assert_true(sorts_right(env->engine, &sort));
            assert_true(sorts_right(NULL, &sort));
        }
}

static void odd_values(void **state)
{
    const struct env *env = *state;
    static const size_t value_sizes[] = {1, 2, 3, 7, 16, 24, 100, 1024};
    for (size_t v = 0; v < sizeof value_sizes / sizeof *value_sizes; v++)
        for (size_t count = 9; count < 10000; count *= 9)
            for (size_t a = 0; a < 2; a++) {
                struct host_sort sort = {.type = data_type_of(CLSORT_I16),
                                         .dist = DATA_SPECIAL,
                                         .count = count,
                                         .value_size = value_sizes[v],
                                         .algorithm = algorithms[a],
                                         .seed = count};
                assert_true(sorts_right(env->engine, &sort));
            }
}

/* A named algorithm runs on the device however small the array is. */
static void named_algorithms(void **state)
{
    const struct env *env = *state;
    static const size_t small[] = {0, 1, 2, 10, 300, 20000};
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        struct host_sort sort = {.type = data_type_of(CLSORT_F32),
                                 .dist = DATA_SPECIAL,
                                 .count = small[i],
                                 .value_size = 4,
                                 .algorithm = "radix"};
        assert_true(sorts_right(env->engine, &sort));
    }
}

static void own_queue(void **state)
{
    const struct env *env = *state;
    cl_command_queue queues[] = {env->queue, env->out_of_order};
    for (size_t q = 0; q < 2; q++) {
        static uint64_t keys[50000];
        const struct data_type *type = data_type_of(CLSORT_U64);
        size_t count = sizeof keys / sizeof *keys;
        assert_true(data_fill(type, DATA_UNIFORM, q, keys, count));
        clsort_desc desc = CLSORT_DESC_INIT;
        desc.key = type->key;
        assert_ok(clsort_host(env->engine, queues[q], &desc, count, keys, NULL));
        assert_int_equal(data_disorder(type, 0, keys, count), count);
    }
}

/* Misaligned arrays, whose memory no device can use. */
static void misaligned_arrays(void **state)
{
    const struct env *env = *state;
    const struct data_type *type = data_type_of(CLSORT_U32);
    for (size_t a = 0; a < 2; a++) {
        static uint32_t keys[60000];
        static uint32_t values[60000];
        static uint8_t odd_keys[sizeof keys + 1];
        static uint8_t odd_values[sizeof values + 1];
        const size_t count = sizeof keys / sizeof *keys;
        assert_true(data_fill(type, DATA_UNIFORM, a, keys, count));
        memcpy(odd_keys + 1, keys, sizeof keys);
        memcpy(odd_values + 1, keys, sizeof keys);
        clsort_desc desc = CLSORT_DESC_INIT;
        desc.value_size = sizeof *values;
        desc.algorithm = algorithms[a];
        assert_ok(clsort_host(env->engine, NULL, &desc, count, odd_keys + 1, odd_values + 1));
        uint64_t sum = data_checksum(keys, sizeof *keys, count);
        memcpy(keys, odd_keys + 1, sizeof keys);
        memcpy(values, odd_values + 1, sizeof values);
        assert_memory_equal(keys, values, sizeof keys);
        assert_int_equal(data_disorder(type, 0, keys, count), count);
        assert_int_equal(data_checksum(keys, sizeof *keys, count), sum);
    }
}

/* A queue of another context is refused, also where the sort would not use it. */
static void foreign_queue(void **state)
{
    const struct env *env = *state;
    struct env other;
    assert_ok(env_open(&other));
    for (size_t a = 0; a < 2; a++) {
        uint32_t keys[100] = {7};
        clsort_desc desc = CLSORT_DESC_INIT;
        desc.algorithm = algorithms[a];
        assert_status(clsort_host(env->engine, other.queue, &desc, 100, keys, NULL),
                      CL_INVALID_CONTEXT);
        assert_int_equal(keys[0], 7);
    }
    env_close(&other);
}

/* Keys and values that overlap by one byte, or more, or are adjacent. */
static void overlapping_arrays(void **state)
{
    const struct env *env = *state;
    enum { N = 100 };
    static const struct {
        size_t values; /* offset of the values; that of the keys is N */
        clsort_status expected;
    } cases[] = {{1, CLSORT_E_OVERLAP},         {N, CLSORT_E_OVERLAP}, {N + 1, CLSORT_E_OVERLAP},
                 {2 * N - 1, CLSORT_E_OVERLAP}, {0, CLSORT_OK},        {2 * N, CLSORT_OK}};
    for (size_t a = 0; a < 2; a++)
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            uint32_t memory[3 * N] = {[N] = 7};
            clsort_desc desc = CLSORT_DESC_INIT;
            desc.value_size = sizeof *memory;
            desc.algorithm = algorithms[a];
            assert_status(
                clsort_host(env->engine, NULL, &desc, N, memory + N, memory + cases[c].values),
                cases[c].expected);
            assert_int_equal(memory[N], cases[c].expected == CLSORT_OK ? 0 : 7);
        }
}

static void bad_arguments(void **state)
{
    const struct env *env = *state;
    uint32_t keys[2] = {2, 1};
    uint32_t values[2] = {0, 1};
    clsort_desc alone = CLSORT_DESC_INIT;
    clsort_desc pairs = CLSORT_DESC_INIT;
    pairs.value_size = 4;
    clsort_desc at_most_one = CLSORT_DESC_INIT;
    at_most_one.max_count = 1;
    clsort_desc keyless = CLSORT_DESC_INIT;
    keyless.key = (clsort_key)99;
    clsort_desc quantum = CLSORT_DESC_INIT;
    quantum.algorithm = "quantum";
    const struct {
        const clsort_desc *desc;
        size_t count;
        void *keys, *values;
        clsort_status expected;
    } cases[] = {
        {NULL, 2, keys, NULL, CLSORT_E_ARGUMENT},
        {&alone, 2, NULL, NULL, CLSORT_E_ARGUMENT},
        {&alone, 2, keys, values, CLSORT_E_ARGUMENT},
        {&pairs, 2, keys, NULL, CLSORT_E_ARGUMENT},
        {&pairs, SIZE_MAX / 2, keys, values, CLSORT_E_COUNT},
        {&at_most_one, 2, keys, NULL, CLSORT_E_COUNT},
        {&keyless, 2, keys, NULL, CLSORT_E_KEY},
        {&quantum, 2, keys, NULL, CLSORT_E_ALGORITHM},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_status(clsort_host(env->engine, NULL, cases[i].desc, cases[i].count, cases[i].keys,
                                  cases[i].values),
                      cases[i].expected);
        assert_int_equal(keys[0], 2);
    }
    assert_status(clsort_host(NULL, env->queue, &alone, 2, keys, NULL), CLSORT_E_ARGUMENT);
    assert_ok(clsort_host(env->engine, NULL, &alone, 0, NULL, NULL));

    assert_status(clsort_array((clsort_key)0, keys, 2), CLSORT_E_KEY);
    assert_status(clsort_array(CLSORT_U32, NULL, 2), CLSORT_E_ARGUMENT);
    assert_status(clsort_array(CLSORT_U64, keys, SIZE_MAX / 4), CLSORT_E_COUNT);
    assert_ok(clsort_array(CLSORT_U64, NULL, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(from_threads),       cmocka_unit_test(all_types),
        cmocka_unit_test(argsorts),           cmocka_unit_test(odd_values),
        cmocka_unit_test(named_algorithms),   cmocka_unit_test(own_queue),
        cmocka_unit_test(misaligned_arrays),  cmocka_unit_test(foreign_queue),
        cmocka_unit_test(overlapping_arrays), cmocka_unit_test(bad_arguments),
        cmocka_unit_test(distributions),
    };
    return cmocka_run_group_tests(tests, env_set_up, env_tear_down);
}
