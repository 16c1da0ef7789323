/* transfer.c - host arrays that are copied to a device with memory of its own, through staging memory
 *
 * CTest sets CLSORT_SHARES_MEMORY and CLSORT_DIRECT_BYTES, so that the device copies and stages at once. This program
 * replaces functions of the loader. */
#include "check.h"
#include "env.h"
#include "next.h"
#include "reference.h"
#include "threads.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { STAGING_BYTES = 64 << 20, MIN_STAGED = 1 << 17 /* keys of 4 bytes */, THREADS = 4 };

static atomic_int writes, reads;                               /* calls so far */
static atomic_int writes_left = INT_MAX, reads_left = INT_MAX; /* calls that succeed from now on */
static atomic_int blocks;            /* of staging memory, created so far */
static size_t max_buffer = SIZE_MAX; /* larger buffers in memory of the host cannot be created */

cl_int CL_API_CALL clEnqueueWriteBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking,
                                        size_t offset, size_t size, const void *from,
                                        cl_uint wait_count, const cl_event *wait_list,
                                        cl_event *event)
{
    cl_int(CL_API_CALL * next)(cl_command_queue, cl_mem, cl_bool, size_t, size_t, const void *,
                               cl_uint, const cl_event *, cl_event *);
    next_function("clEnqueueWriteBuffer", &next);
    atomic_fetch_add(&writes, 1);
    return atomic_fetch_sub(&writes_left, 1) > 0
               ? next(queue, mem, blocking, offset, size, from, wait_count, wait_list, event)
               : CL_OUT_OF_RESOURCES;
}

cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking,
                                       size_t offset, size_t size, void *to, cl_uint wait_count,
                                       const cl_event *wait_list, cl_event *event)
{
    cl_int(CL_API_CALL * next)(cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *, cl_uint,
                               const cl_event *, cl_event *);
    next_function("clEnqueueReadBuffer", &next);
    atomic_fetch_add(&reads, 1);
    return atomic_fetch_sub(&reads_left, 1) > 0
               ? next(queue, mem, blocking, offset, size, to, wait_count, wait_list, event)
               : CL_OUT_OF_RESOURCES;
}

cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host,
                                  cl_int *status)
{
    cl_mem(CL_API_CALL * next)(cl_context, cl_mem_flags, size_t, void *, cl_int *);
    next_function("clCreateBuffer", &next);
    if (host && size == STAGING_BYTES)
        atomic_fetch_add(&blocks, 1);
    if (!host || size <= max_buffer)
        return next(context, flags, size, host, status);
    *status = CL_OUT_OF_HOST_MEMORY;
    return NULL;
}

/* -- sorts ----------------------------------------------------------------------------------------- */

struct arrays {
    size_t count;
    uint32_t *keys, *values;
};

/* Makes random keys, and values that are the indexes of their keys. */
static struct arrays make(size_t count, uint64_t seed)
{
    struct arrays made = {count, malloc(count * sizeof(uint32_t)),
                          malloc(count * sizeof(uint32_t))};
    assert_true(made.keys && made.values);
    assert_true(data_fill(data_type_of(CLSORT_U32), DATA_UNIFORM, seed, made.keys, count));
    for (size_t i = 0; i < count; i++)
        made.values[i] = (uint32_t)i;
    return made;
}

static void release(struct arrays *arrays)
{
    free(arrays->keys);
    free(arrays->values);
}

static clsort_status sort(clsort_engine *engine, const struct arrays *arrays)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.value_size = sizeof *arrays->values;
    desc.algorithm = "radix";
    return clsort_host(engine, NULL, &desc, arrays->count, arrays->keys, arrays->values);
}

/* Returns whether `sorted` is the stable order of `input`. */
static bool is_sorted(const struct arrays *input, const struct arrays *sorted)
{
    for (size_t i = 0; i < sorted->count; i++) {
        const uint32_t from = sorted->values[i];
        if (from >= input->count || input->keys[from] != sorted->keys[i] ||
            (i > 0 && (sorted->keys[i - 1] > sorted->keys[i] ||
                       (sorted->keys[i - 1] == sorted->keys[i] && sorted->values[i - 1] >= from))))
            return false;
    }
    return true;
}

static void sort_right(clsort_engine *engine, size_t count, uint64_t seed)
{
    struct arrays input = make(count, seed), sorted = make(count, seed);
    assert_ok(sort(engine, &sorted));
    assert_true(is_sorted(&input, &sorted));
    release(&input);
    release(&sorted);
}

static uint64_t kept(clsort_engine *engine)
{
    uint64_t bytes = 0;
    assert_ok(clsort_engine_kept(engine, &bytes));
    return bytes;
}

/* -- tests ----------------------------------------------------------------------------------------- */

/* Small arrays are copied by one command each, larger ones in chunks. */
static void sizes(void **state)
{
    clsort_engine *engine = ((struct env *)*state)->engine;
    static const struct {
        size_t count;
        int commands; /* for two arrays */
    } cases[] = {{1000, 2}, {MIN_STAGED - 1, 2}, {MIN_STAGED, 4}, {MIN_STAGED + 1, 6}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sort_right(engine, cases[i].count, i); /* tests the kernels, which copies data, too */
        atomic_store(&writes, 0);
        atomic_store(&reads, 0);
        sort_right(engine, cases[i].count, i);
        assert_int_equal(atomic_load(&writes), cases[i].commands);
        assert_int_equal(atomic_load(&reads), cases[i].commands);
    }
    sort_right(engine, (1 << 20) + 12345, 8); /* enough for two threads */
}

/* An argsort copies the keys to the device, and the indexes back. */
static void argsorts(void **state)
{
    clsort_engine *engine = ((struct env *)*state)->engine;
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.operation = CLSORT_ARGSORT;
    desc.index_size = sizeof(uint32_t);
    desc.algorithm = "radix";
    struct arrays input = make(MIN_STAGED, 9), sorted = make(MIN_STAGED, 9);
    for (int run = 0; run < 2; run++) { /* the first one also tests the kernels */
        memset(sorted.values, 0xff, MIN_STAGED * sizeof *sorted.values);
        atomic_store(&writes, 0);
        atomic_store(&reads, 0);
        assert_ok(clsort_host(engine, NULL, &desc, MIN_STAGED, sorted.keys, sorted.values));
    }
    assert_int_equal(atomic_load(&writes), 2);
    assert_int_equal(atomic_load(&reads), 2);
    assert_memory_equal(sorted.keys, input.keys, MIN_STAGED * sizeof *input.keys);
    for (size_t i = 0; i < MIN_STAGED; i++)
        sorted.keys[i] = input.keys[sorted.values[i] % MIN_STAGED];
    assert_true(is_sorted(&input, &sorted));
    release(&input);
    release(&sorted);
}

/* Staging memory is kept, visible, and released on request. */
static void kept_memory(void **state)
{
    clsort_engine *engine = ((struct env *)*state)->engine;
    assert_ok(clsort_engine_trim(engine, 0));
    sort_right(engine, 1000, 1);
    assert_true(kept(engine) < STAGING_BYTES);
    sort_right(engine, MIN_STAGED, 2);
    assert_true(kept(engine) > STAGING_BYTES);
    assert_ok(clsort_engine_trim(engine, STAGING_BYTES)); /* scratch memory goes first */
    assert_int_equal(kept(engine), STAGING_BYTES);
    assert_ok(clsort_engine_trim(engine, STAGING_BYTES - 1));
    assert_int_equal(kept(engine), 0);
    sort_right(engine, MIN_STAGED, 3);
}

static void without_memory(void **state)
{
    clsort_engine *engine = ((struct env *)*state)->engine;
    assert_ok(clsort_engine_trim(engine, 0));
    max_buffer = STAGING_BYTES - 1;
    sort_right(engine, MIN_STAGED + 5, 4);
    assert_true(kept(engine) < STAGING_BYTES);
    max_buffer = SIZE_MAX;
    sort_right(engine, MIN_STAGED + 5, 5);
    assert_true(kept(engine) > STAGING_BYTES);
}

/* Copies that fail half way leave no command in progress, and later sorts work. */
static void failed_copies(void **state)
{
    clsort_engine *engine = ((struct env *)*state)->engine;
    const size_t count = 4 * MIN_STAGED;
    for (int left = 0; left < 18; left++) {
        atomic_int *const limits[] = {&writes_left, &reads_left};
        for (size_t i = 0; i < 2; i++) {
            struct arrays input = make(count, 6), sorted = make(count, 6);
            atomic_store(limits[i], left);
            const clsort_status status = sort(engine, &sorted);
            const bool failed = atomic_load(limits[i]) < 0;
            atomic_store(limits[i], INT_MAX);
            assert_status(status, failed ? CL_OUT_OF_RESOURCES : CLSORT_OK);
            assert_true(failed || is_sorted(&input, &sorted));
            if (i == 0 && failed) /* nothing was copied back */
                assert_memory_equal(input.keys, sorted.keys, count * sizeof *input.keys);
            release(&input);
            release(&sorted);
        }
    }
    sort_right(engine, count, 7);
}

static bool sort_often(size_t thread, void *data)
{
    bool sorted = true;
    for (size_t i = 0; i < 4; i++) {
        struct arrays input = make(MIN_STAGED + thread, i), copy = make(MIN_STAGED + thread, i);
        sorted = sort(data, &copy) == CLSORT_OK && is_sorted(&input, &copy) && sorted;
        release(&input);
        release(&copy);
    }
    return sorted;
}

/* Only one thread at a time uses the staging memory; the others copy without it. */
static void many_threads(void **state)
{
    clsort_engine *engine = ((struct env *)*state)->engine;
    assert_ok(clsort_engine_trim(engine, 0));
    atomic_store(&blocks, 0);
    assert_true(threads_run(THREADS, sort_often, engine));
    assert_int_equal(atomic_load(&blocks), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes),         cmocka_unit_test(argsorts),
        cmocka_unit_test(kept_memory),   cmocka_unit_test(without_memory),
        cmocka_unit_test(failed_copies), cmocka_unit_test(many_threads),
    };
    return cmocka_run_group_tests(tests, env_set_up, env_tear_down);
}
