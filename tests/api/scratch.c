/* scratch.c - scratch memory from the caller with the minimum alignment that clsort.h requires */
#include "check.h"
#include "data.h"
#include "env.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT = 300000, PAGE = 4096 };

/* A buffer in host memory that begins `shift` bytes after the start of a page. */
struct shifted {
    void *memory;
    cl_mem mem;
};

static struct shifted make_shifted(const struct env *env, size_t bytes, size_t shift)
{
    struct shifted shifted = {NULL, NULL};
    cl_int status;
    shifted.memory = malloc(PAGE + shift + bytes);
    assert_non_null(shifted.memory);
    const size_t page = PAGE - (uintptr_t)shifted.memory % PAGE;
    shifted.mem = clCreateBuffer(env->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes,
                                 (char *)shifted.memory + page + shift, &status);
    assert_ok(status);
    return shifted;
}

static void free_shifted(struct shifted *shifted)
{
    clReleaseMemObject(shifted->mem);
    free(shifted->memory);
}

/* A sort, and the offset of its scratch from a page's start. */
struct shifted_sort {
    clsort_key key;
    size_t value_size; /* values are the first bytes of their keys */
    size_t shift;
};

static cl_mem make_buffer(const struct env *env, size_t bytes, void *data)
{
    cl_int status;
    cl_mem mem = clCreateBuffer(env->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, data,
                                &status);
    assert_ok(status);
    return mem;
}

static void read_buffer(const struct env *env, cl_mem mem, size_t bytes, void *data)
{
    assert_ok(clEnqueueReadBuffer(env->queue, mem, CL_TRUE, 0, bytes, data, 0, NULL, NULL));
}

static void sorts_right(const struct env *env, clsort_plan *plan, const struct shifted_sort *sort,
                        size_t offset)
{
    static uint8_t keys[COUNT * sizeof(uint64_t)];
    static uint8_t values[COUNT * sizeof(uint64_t)];
    const struct data_type *type = data_type_of(sort->key);
    const size_t ks = type->size, vs = sort->value_size, common = ks < vs ? ks : vs;
    assert_true(data_fill(type, DATA_UNIFORM, 1, keys, COUNT));
    for (size_t i = 0; i < COUNT; i++)
        memcpy(values + i * vs, keys + i * ks, common);
    const uint64_t sum = data_checksum(keys, ks, COUNT);

    size_t scratch_bytes = 0;
    assert_ok(clsort_scratch_size(plan, COUNT, &scratch_bytes));
    struct shifted scratch = make_shifted(env, offset + scratch_bytes, sort->shift);
    clsort_io io = CLSORT_IO_INIT;
    io.count = COUNT;
    io.keys.mem = make_buffer(env, COUNT * ks, keys);
    io.values.mem = vs ? make_buffer(env, COUNT * vs, values) : NULL;
    io.scratch = (clsort_buffer){scratch.mem, offset};
    assert_ok(clsort_enqueue(plan, env->queue, &io, 0, NULL, NULL));
    read_buffer(env, io.keys.mem, COUNT * ks, keys);
    clReleaseMemObject(io.keys.mem);
    if (vs) {
        read_buffer(env, io.values.mem, COUNT * vs, values);
        clReleaseMemObject(io.values.mem);
    }
    free_shifted(&scratch);

    assert_int_equal(data_disorder(type, 0, keys, COUNT), COUNT);
    assert_int_equal(data_checksum(keys, ks, COUNT), sum);
    for (size_t i = 0; i < COUNT; i++)
        assert_memory_equal(values + i * vs, keys + i * ks, common);
}

static void host_memory(void **state)
{
    const struct env *env = *state;
    static const char *const algorithms[] = {"auto", "cpu", "radix"};
    static const struct shifted_sort sorts[] = {
        {CLSORT_U32, 0, 8}, {CLSORT_U32, 0, 4}, {CLSORT_U32, 8, 8}, {CLSORT_U32, 4, 4},
        {CLSORT_U64, 0, 8}, {CLSORT_U64, 4, 8}, {CLSORT_U64, 0, 4},
    };
    for (size_t a = 0; a < sizeof algorithms / sizeof *algorithms; a++)
        for (size_t i = 0; i < sizeof sorts / sizeof *sorts; i++) {
            clsort_desc desc = CLSORT_DESC_INIT;
            desc.key = sorts[i].key;
            desc.value_size = sorts[i].value_size;
            desc.algorithm = algorithms[a];
            clsort_plan *plan = NULL;
            const clsort_status status = clsort_plan_create(env->engine, &desc, &plan);
            if (status == CLSORT_E_UNSUPPORTED)
                continue;
            assert_ok(status);
            for (size_t offset = 0; offset <= 8; offset += 8) {
                print_message("%s, %s, values of %zu, scratch %zu + %zu bytes off\n", algorithms[a],
                              data_type_of(sorts[i].key)->name, sorts[i].value_size, sorts[i].shift,
                              offset);
                sorts_right(env, plan, &sorts[i], offset);
            }
            clsort_plan_destroy(plan);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(host_memory)};
    return cmocka_run_group_tests(tests, env_set_up, env_tear_down);
}
