/* kept.c - memory that an engine keeps between sorts of host arrays: bounded, visible, and released on request */
#include "bits.h"
#include "check.h"
#include "env.h"
#include "reference.h"
#include "threads.h"

#include <stdlib.h>

enum { COUNT = 100000, THREADS = 12, RECORD_WORDS = 10 };

/* Sorts new random pairs with "radix", which needs scratch memory on every device. */
static bool sort(clsort_engine *engine, size_t count, uint64_t seed)
{
    const struct data_type *type = data_type_of(CLSORT_U32);
    uint32_t *keys = malloc(count * sizeof *keys), *values = calloc(count, sizeof *values);
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.algorithm = "radix";
    desc.value_size = sizeof *values;
    const bool sorted = keys && values && data_fill(type, DATA_UNIFORM, seed, keys, count) &&
                        clsort_host(engine, NULL, &desc, count, keys, values) == CLSORT_OK &&
                        data_disorder(type, 0, keys, count) == count;
    free(keys);
    free(values);
    return sorted;
}

static uint64_t kept(clsort_engine *engine)
{
    uint64_t bytes = 0;
    assert_ok(clsort_engine_kept(engine, &bytes));
    return bytes;
}

static bool shares_memory(const struct env *env)
{
    cl_bool unified = CL_FALSE;
    assert_ok(clGetDeviceInfo(env->device, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof unified, &unified,
                              NULL));
    return unified;
}

/* Returns the bytes of the copy of an array on a device with memory of its own. */
static uint64_t copy_size(const struct env *env, size_t count)
{
    return shares_memory(env) ? 0 : (count * sizeof(uint32_t) + 255) / 256 * 256;
}

/* Returns the bytes that are kept after a sort: scratch memory, and copies of keys and values. */
static uint64_t kept_size(const struct env *env, size_t count)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    clsort_plan *plan = NULL;
    size_t bytes = 0;
    desc.algorithm = "radix";
    desc.value_size = 4;
    desc.max_count = count;
    assert_ok(clsort_plan_create(env->engine, &desc, &plan));
    assert_ok(clsort_scratch_size(plan, count, &bytes));
    clsort_plan_destroy(plan);
    return bytes + 2 * copy_size(env, count);
}

/* One thread keeps one buffer, the largest that it has needed. */
static void one_thread(void **state)
{
    const struct env *env = *state;
    assert_ok(clsort_engine_trim(env->engine, 0));
    assert_int_equal(kept(env->engine), 0);
    assert_true(sort(env->engine, COUNT / 2, 1));
    assert_int_equal(kept(env->engine), kept_size(env, COUNT / 2));
    assert_true(sort(env->engine, COUNT, 2));
    assert_int_equal(kept(env->engine), kept_size(env, COUNT));
    assert_true(sort(env->engine, COUNT / 2, 3));
    assert_int_equal(kept(env->engine), kept_size(env, COUNT));
}

static void trimmed(void **state)
{
    const struct env *env = *state;
    assert_true(sort(env->engine, COUNT, 1));
    const uint64_t bytes = kept(env->engine);
    assert_ok(clsort_engine_trim(env->engine, bytes));
    assert_int_equal(kept(env->engine), bytes);
    assert_ok(clsort_engine_trim(env->engine, bytes - 1));
    assert_int_equal(kept(env->engine), 0);
    assert_true(sort(env->engine, COUNT, 2));
}

/* Sorts records by their first 8 bytes, which are different, on the device. */
static void sort_records(clsort_engine *engine, size_t count, uint64_t seed)
{
    static const clsort_column column = {.key = CLSORT_U64};
    uint64_t(*records)[RECORD_WORDS] = calloc(count, sizeof *records);
    clsort_desc desc = CLSORT_DESC_INIT;
    assert_non_null(records);
    for (size_t i = 0; i < count; i++)
        records[i][0] = records[i][RECORD_WORDS - 1] = bits_mix(seed + i);
    desc.columns = &column;
    desc.column_count = 1;
    desc.record_size = sizeof *records;
    assert_ok(clsort_host(engine, NULL, &desc, count, records, NULL));
    for (size_t i = 0; i < count; i++) {
        assert_true(i == 0 || records[i - 1][0] < records[i][0]);
        assert_true(records[i][0] == records[i][RECORD_WORDS - 1]);
    }
    free(records);
}

/* A device that shares the memory of the host sorts records to a block, which is kept. */
static void records(void **state)
{
    const struct env *env = *state;
    const uint64_t block = shares_memory(env) ? COUNT * 8 * RECORD_WORDS : 0;
    assert_ok(clsort_engine_trim(env->engine, 0));
    sort_records(env->engine, COUNT, 1);
    const uint64_t bytes = kept(env->engine);
    assert_true(bytes >= block);
    sort_records(env->engine, COUNT / 2, 2);
    assert_int_equal(kept(env->engine), bytes);
    assert_ok(clsort_engine_trim(env->engine, bytes - 1)); /* the block is the largest */
    assert_true(block == 0 || kept(env->engine) == bytes - block);
    sort_records(env->engine, COUNT, 3);
    assert_int_equal(kept(env->engine), bytes);
    assert_ok(clsort_engine_trim(env->engine, 0));
    assert_int_equal(kept(env->engine), 0);
}

/* A thread's work: data is the engine. */
static bool sort_often(size_t thread, void *data)
{
    clsort_engine *engine = data;
    bool sorted = true;
    for (size_t i = 0; i < 10; i++) {
        sorted = sort(engine, COUNT / (1 + (thread + i) % 3), thread * 100 + i) && sorted;
        if (i % 4 == 0)
            sorted = clsort_engine_trim(engine, 1 << 16) == CLSORT_OK && sorted;
    }
    return sorted;
}

/* Threads never share a buffer, and no more than eight buffers are kept. */
static void many_threads(void **state)
{
    const struct env *env = *state;
    assert_true(threads_run(THREADS, sort_often, env->engine));
    assert_true(kept(env->engine) <= 8 * kept_size(env, COUNT));
}

static void bad_arguments(void **state)
{
    const struct env *env = *state;
    uint64_t bytes = 1;
    assert_status(clsort_engine_kept(env->engine, NULL), CLSORT_E_ARGUMENT);
    /* clsort_array has not created its engine. */
    assert_ok(clsort_engine_kept(NULL, &bytes));
    assert_int_equal(bytes, 0);
    assert_ok(clsort_engine_trim(NULL, 0));
}

/* Without an engine, the calls are about that of clsort_array. */
static void default_engine(void **state)
{
    (void)state;
    const size_t count = (size_t)1 << 22;
    assert_int_equal(setenv("CLSORT_DEVICE", "0", 1), 0); /* else the host sorts first */
    uint32_t *keys = malloc(count * sizeof *keys);
    assert_non_null(keys);
    assert_true(data_fill(data_type_of(CLSORT_U32), DATA_UNIFORM, 1, keys, count));
    assert_ok(clsort_array(CLSORT_U32, keys, count));
    assert_int_equal(data_disorder(data_type_of(CLSORT_U32), 0, keys, count), count);
    free(keys);
    assert_true(kept(NULL) > 0);
    assert_ok(clsort_engine_trim(NULL, 0));
    assert_int_equal(kept(NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_thread),    cmocka_unit_test(trimmed),
        cmocka_unit_test(records),       cmocka_unit_test(many_threads),
        cmocka_unit_test(bad_arguments), cmocka_unit_test(default_engine),
    };
    return cmocka_run_group_tests(tests, env_set_up, env_tear_down);
}
