/* scratch.c - scratch memory of the caller's that is aligned no better than it has to be */
#include "check.h"
#include "data.h"
#include "env.h"

#include <stdlib.h>

enum { COUNT = 300000, PAGE = 4096 };

/* A buffer in memory of the caller's, which begins shift bytes behind a page's start. */
struct shifted {
    void *memory;
    cl_mem mem;
};

static struct shifted make_shifted(const struct env *env, size_t bytes, size_t shift)
{
    struct shifted shifted = {NULL, NULL};
    cl_int status;
    assert_int_equal(posix_memalign(&shifted.memory, PAGE, shift + bytes), 0);
    shifted.mem = clCreateBuffer(env->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes,
                                 (char *)shifted.memory + shift, &status);
    assert_ok(status);
    return shifted;
}

static void free_shifted(struct shifted *shifted)
{
    clReleaseMemObject(shifted->mem);
    free(shifted->memory);
}

static void sorts_right(const struct env *env, clsort_plan *plan, const struct data_type *type,
                        size_t shift)
{
    static uint64_t keys[COUNT];
    const size_t key_bytes = COUNT * type->size;
    size_t scratch_bytes = 0;
    assert_ok(clsort_scratch_size(plan, COUNT, &scratch_bytes));
    struct shifted scratch = make_shifted(env, scratch_bytes + 8, shift);
    assert_true(data_fill(type, DATA_UNIFORM, shift, keys, COUNT));
    const uint64_t sum = data_checksum(keys, type->size, COUNT);

    cl_int status;
    clsort_io io = CLSORT_IO_INIT;
    io.count = COUNT;
    io.keys.mem = clCreateBuffer(env->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, key_bytes,
                                 keys, &status);
    assert_ok(status);
    for (io.scratch.offset = 0; io.scratch.offset <= 8; io.scratch.offset += 8) {
        io.scratch.mem = scratch.mem;
        assert_ok(clEnqueueWriteBuffer(env->queue, io.keys.mem, CL_TRUE, 0, key_bytes, keys, 0,
                                       NULL, NULL));
        assert_ok(clsort_enqueue(plan, env->queue, &io, 0, NULL, NULL));
        static uint64_t sorted[COUNT];
        assert_ok(clEnqueueReadBuffer(env->queue, io.keys.mem, CL_TRUE, 0, key_bytes, sorted, 0,
                                      NULL, NULL));
        assert_int_equal(data_disorder(type, 0, sorted, COUNT), COUNT);
        assert_int_equal(data_checksum(sorted, type->size, COUNT), sum);
    }
    clReleaseMemObject(io.keys.mem);
    free_shifted(&scratch);
}

static void host_memory(void **state)
{
    const struct env *env = *state;
    static const char *const algorithms[] = {"auto", "cpu", "radix"};
    static const struct {
        clsort_key key;
        size_t shift;
    } cases[] = {{CLSORT_U32, 8}, {CLSORT_U32, 4}, {CLSORT_U64, 8}};
    for (size_t a = 0; a < sizeof algorithms / sizeof *algorithms; a++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            clsort_desc desc = CLSORT_DESC_INIT;
            desc.key = cases[i].key;
            desc.algorithm = algorithms[a];
            clsort_plan *plan = NULL;
            const clsort_status status = clsort_plan_create(env->engine, &desc, &plan);
            if (status == CLSORT_E_UNSUPPORTED)
                continue;
            assert_ok(status);
            print_message("%s, %zu bytes off\n", algorithms[a], cases[i].shift);
            sorts_right(env, plan, data_type_of(cases[i].key), cases[i].shift);
            clsort_plan_destroy(plan);
        }
}

static int open_env(void **state)
{
    static struct env env;
    *state = &env;
    return env_open(&env);
}

static int close_env(void **state)
{
    env_close(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(host_memory)};
    return cmocka_run_group_tests(tests, open_env, close_env);
}
