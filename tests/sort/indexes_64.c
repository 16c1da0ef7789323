/* indexes_64.c - more than 2^32 keys: sorts of the whole array and of segments, selections, the n-th key and gathers,
 * whose indexes and offsets need more than 32 bits
 *
 * The keys are bytes, so that the arrays need 4 GiB each. Skipped on devices without memory for them. */
#include "bits.h"
#include "check.h"
#include "env.h"

#include <stdlib.h>
#include <string.h>

#define COUNT (((size_t)1 << 32) + 4099)
#define SLICE ((size_t)1 << 28) /* bytes that are read back at once */
#define MAX_KEY 200

/* The greatest keys, MAX_KEY + 1; all others are random and less. */
static const size_t greatest[] = {7, ((size_t)1 << 32) - 1, (size_t)1 << 32, COUNT - 1};
enum { GREATEST = sizeof greatest / sizeof *greatest };

static uint8_t *keys;  /* COUNT on the host */
static uint8_t *slice; /* SLICE bytes */
static cl_mem keys_mem, out_mem;
static bool is_skipped;

static uint8_t key_of(size_t index)
{
    return (uint8_t)(bits_mix(index) % (MAX_KEY + 1));
}

static bool has_memory(const struct env *env)
{
    cl_ulong whole = 0, largest = 0;
    assert_ok(clGetDeviceInfo(env->device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof whole, &whole, NULL));
    assert_ok(
        clGetDeviceInfo(env->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest, NULL));
    return largest / 2 > COUNT && whole / 8 > COUNT;
}

static int set_up(void **state)
{
    if (env_set_up(state) != 0)
        return -1;
    struct env *env = *state;
    is_skipped = sizeof(size_t) < 8 || !has_memory(env);
    if (is_skipped)
        return 0;
    keys = malloc(COUNT);
    slice = malloc(SLICE);
    assert_true(keys && slice);
    for (size_t i = 0; i < COUNT; i++)
        keys[i] = key_of(i);
    for (size_t i = 0; i < GREATEST; i++)
        keys[greatest[i]] = MAX_KEY + 1;
    cl_int status = CL_SUCCESS;
    keys_mem = clCreateBuffer(env->context, CL_MEM_READ_ONLY, COUNT, NULL, &status);
    assert_ok(status);
    out_mem = clCreateBuffer(env->context, CL_MEM_READ_WRITE, COUNT, NULL, &status);
    assert_ok(status);
    return clEnqueueWriteBuffer(env->queue, keys_mem, CL_TRUE, 0, COUNT, keys, 0, NULL, NULL);
}

static int tear_down(void **state)
{
    if (keys_mem)
        clReleaseMemObject(keys_mem);
    if (out_mem)
        clReleaseMemObject(out_mem);
    free(keys);
    free(slice);
    return env_tear_down(state);
}

static clsort_desc desc_of(clsort_operation operation)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.operation = operation;
    desc.key = CLSORT_U8;
    desc.max_count = COUNT;
    return desc;
}

static clsort_io io_with_keys(void)
{
    clsort_io io = CLSORT_IO_INIT;
    io.count = COUNT;
    io.keys.mem = keys_mem;
    return io;
}

static void run(const struct env *env, const clsort_desc *desc, const clsort_io *io)
{
    clsort_plan *plan;
    assert_ok(clsort_plan_create(env->engine, desc, &plan));
    assert_ok(clsort_enqueue(plan, env->queue, io, 0, NULL, NULL));
    assert_ok(clFinish(env->queue));
    clsort_plan_destroy(plan);
}

static cl_mem buffer_of(const struct env *env, size_t size, const void *data)
{
    cl_int status = CL_SUCCESS;
    const cl_mem_flags flags = CL_MEM_READ_WRITE | (data ? CL_MEM_COPY_HOST_PTR : 0);
    const cl_mem mem = clCreateBuffer(env->context, flags, size, (void *)(uintptr_t)data, &status);
    assert_ok(status);
    return mem;
}

static void read_and_release(const struct env *env, cl_mem mem, size_t size, void *data)
{
    assert_ok(clEnqueueReadBuffer(env->queue, mem, CL_TRUE, 0, size, data, 0, NULL, NULL));
    clReleaseMemObject(mem);
}

static void count_keys(const uint8_t *in, size_t count, uint64_t counts[256])
{
    for (size_t i = 0; i < count; i++)
        counts[in[i]]++;
}

/* Checks that the elements of out_mem from `begin` to `end` are those of the input, in order. */
static void check_sorted(const struct env *env, size_t begin, size_t end)
{
    uint64_t expected[256] = {0}, found[256] = {0};
    uint8_t last = 0;
    count_keys(keys + begin, end - begin, expected);
    for (size_t at = begin; at < end; at += SLICE) {
        const size_t size = end - at < SLICE ? end - at : SLICE;
        assert_ok(
            clEnqueueReadBuffer(env->queue, out_mem, CL_TRUE, at, size, slice, 0, NULL, NULL));
        bool is_in_order = last <= slice[0];
        for (size_t i = 1; i < size; i++)
            is_in_order &= slice[i - 1] <= slice[i];
        assert_true(is_in_order);
        last = slice[size - 1];
        count_keys(slice, size, found);
    }
    assert_memory_equal(found, expected, sizeof found);
}

static void whole_array(void **state)
{
    if (is_skipped)
        skip();
    const clsort_desc desc = desc_of(CLSORT_SORT);
    clsort_io io = io_with_keys();
    io.keys_out.mem = out_mem;
    run(*state, &desc, &io);
    check_sorted(*state, 0, COUNT);
}

static void segments(void **state)
{
    if (is_skipped)
        skip();
    const struct env *env = *state;
    static const uint64_t offsets[] = {0, 3, ((uint64_t)1 << 32) - 100, ((uint64_t)1 << 32) + 1,
                                       COUNT};
    enum { SEGMENTS = sizeof offsets / sizeof *offsets - 1 };
    clsort_desc desc = desc_of(CLSORT_SORT);
    desc.segments = CLSORT_OFFSETS;
    desc.max_segments = SEGMENTS;
    desc.index_size = sizeof *offsets;
    clsort_io io = io_with_keys();
    io.keys_out.mem = out_mem;
    io.segment_count = SEGMENTS;
    io.offsets.mem = buffer_of(env, sizeof offsets, offsets);
    run(env, &desc, &io);
    clReleaseMemObject(io.offsets.mem);
    for (size_t i = 0; i < SEGMENTS; i++)
        check_sorted(env, (size_t)offsets[i], (size_t)offsets[i + 1]);
}

static void greatest_keys(void **state)
{
    if (is_skipped)
        skip();
    const struct env *env = *state;
    clsort_desc desc = desc_of(CLSORT_SELECT);
    desc.flags = CLSORT_DESCENDING;
    desc.index_size = sizeof(uint64_t);
    desc.max_k = GREATEST;
    clsort_io io = io_with_keys();
    uint64_t indexes[GREATEST];
    uint8_t selected[GREATEST];
    io.k = GREATEST;
    io.keys_out.mem = buffer_of(env, sizeof selected, NULL);
    io.index_out.mem = buffer_of(env, sizeof indexes, NULL);
    run(env, &desc, &io);
    read_and_release(env, io.keys_out.mem, sizeof selected, selected);
    read_and_release(env, io.index_out.mem, sizeof indexes, indexes);
    for (size_t i = 0; i < GREATEST; i++) {
        assert_int_equal(selected[i], MAX_KEY + 1);
        assert_int_equal(indexes[i], greatest[i]);
    }
}

/* The last key of the smallest value, whose index needs more than 32 bits. */
static void nth_key(void **state)
{
    if (is_skipped)
        skip();
    const struct env *env = *state;
    uint64_t index = 0, expected = 0, zeros = 0;
    for (size_t i = 0; i < COUNT; i++) {
        expected = keys[i] == 0 ? i : expected;
        zeros += keys[i] == 0;
    }
    assert_true(expected > UINT32_MAX);
    clsort_desc desc = desc_of(CLSORT_NTH);
    desc.index_size = sizeof index;
    clsort_io io = io_with_keys();
    uint8_t key = 1;
    io.k = (size_t)zeros - 1;
    io.keys_out.mem = buffer_of(env, sizeof key, NULL);
    io.index_out.mem = buffer_of(env, sizeof index, NULL);
    run(env, &desc, &io);
    read_and_release(env, io.keys_out.mem, sizeof key, &key);
    read_and_release(env, io.index_out.mem, sizeof index, &index);
    assert_int_equal(key, 0);
    assert_int_equal(index, expected);
}

static void gathered_keys(void **state)
{
    if (is_skipped)
        skip();
    const struct env *env = *state;
    uint64_t indexes[GREATEST + 1], wrong = 0;
    uint8_t gathered[GREATEST + 1];
    for (size_t i = 0; i < GREATEST; i++)
        indexes[i] = greatest[i];
    indexes[GREATEST] = COUNT; /* out of bounds */
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.operation = CLSORT_GATHER;
    desc.value_size = 1;
    desc.index_size = sizeof *indexes;
    desc.max_count = GREATEST + 1;
    clsort_io io = CLSORT_IO_INIT;
    io.count = GREATEST + 1;
    io.source_count = COUNT;
    io.values.mem = keys_mem;
    io.index.mem = buffer_of(env, sizeof indexes, indexes);
    io.values_out.mem = buffer_of(env, sizeof gathered, NULL);
    io.result.mem = buffer_of(env, sizeof wrong, NULL);
    run(env, &desc, &io);
    clReleaseMemObject(io.index.mem);
    read_and_release(env, io.values_out.mem, sizeof gathered, gathered);
    read_and_release(env, io.result.mem, sizeof wrong, &wrong);
    for (size_t i = 0; i < GREATEST; i++)
        assert_int_equal(gathered[i], MAX_KEY + 1);
    assert_int_equal(gathered[GREATEST], 0);
    assert_int_equal(wrong, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(whole_array), cmocka_unit_test(segments),
                                       cmocka_unit_test(greatest_keys), cmocka_unit_test(nth_key),
                                       cmocka_unit_test(gathered_keys)};
    const int failures = cmocka_run_group_tests(tests, set_up, tear_down);
    return is_skipped && failures == 0 ? 77 : failures;
}
