/* memory.c - a device without free memory: this program replaces clCreateBuffer of the loader */
#include "fixture.h"
#include "next.h"

#include <string.h>

/* The number of further calls of clCreateBuffer that succeed. */
static size_t buffers_left = SIZE_MAX;

static size_t created_bytes; /* of all buffers so far */

cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host,
                                  cl_int *status)
{
    cl_mem(CL_API_CALL * create)(cl_context, cl_mem_flags, size_t, void *, cl_int *);
    next_function("clCreateBuffer", &create);
    if (buffers_left > 0) {
        buffers_left--;
        created_bytes += size;
        return create(context, flags, size, host, status);
    }
    if (status)
        *status = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return NULL;
}

/* Checks that the last error begins with the call that failed and its status. */
static void error_names_call(const struct fixture *fixture)
{
    static const char start[] = "clCreateBuffer returned CL_MEM_OBJECT_ALLOCATION_FAILURE";
    char text[256];
    assert_ok(clsort_last_error(fixture->env.engine, sizeof text, text, NULL));
    assert_memory_equal(text, start, sizeof start - 1);
}

/* Enqueues with 0, 1, 2, ... successful calls until the sort succeeds. A failed sort must not change its data. */
static void sort_without_memory(struct fixture *fixture, const char *algorithm)
{
    clsort_desc desc = fixture->desc;
    desc.algorithm = algorithm;
    clsort_plan *plan = NULL;
    assert_ok(clsort_plan_create(fixture->env.engine, &desc, &plan));
    for (size_t left = 0;; left++) {
        fixture_fill(fixture);
        cl_event event = (cl_event)fixture; /* anything but NULL */
        buffers_left = left;
        clsort_status status =
            clsort_enqueue(plan, fixture->env.queue, &fixture->io, 0, NULL, &event);
        buffers_left = SIZE_MAX;
        if (status == CLSORT_OK) {
            assert_true(left > 0);
            assert_true(env_finish_event(event));
            break;
        }
        assert_status(status, CL_MEM_OBJECT_ALLOCATION_FAILURE);
        assert_null(event);
        error_names_call(fixture);
        assert_ok(clFinish(fixture->env.queue));
        fixture_still_works(fixture);
    }
    assert_true(fixture_sorted(fixture, fixture->buffers[2], fixture->buffers[3]));
    clsort_plan_destroy(plan);
}

static void scratch(void **state)
{
    sort_without_memory(*state, "auto");
    sort_without_memory(*state, "radix");
}

static void host_arrays(void **state)
{
    struct fixture *fixture = *state;
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.algorithm = "radix"; /* uses the device even for small arrays */
    for (size_t left = 0;; left++) {
        uint32_t keys[FIXTURE_COUNT];
        for (uint32_t i = 0; i < FIXTURE_COUNT; i++)
            keys[i] = FIXTURE_COUNT - 1 - i;
        buffers_left = left;
        clsort_status status =
            clsort_host(fixture->env.engine, NULL, &desc, FIXTURE_COUNT, keys, NULL);
        buffers_left = SIZE_MAX;
        bool sorted = status == CLSORT_OK;
        for (uint32_t i = 0; i < FIXTURE_COUNT; i++)
            assert_int_equal(keys[i], sorted ? i : FIXTURE_COUNT - 1 - i);
        if (sorted)
            break;
        assert_status(status, CL_MEM_OBJECT_ALLOCATION_FAILURE);
        error_names_call(fixture);
        fixture_still_works(fixture);
    }
}

/* Returns the bytes of the scratch memory that the library allocates for an argsort. */
static size_t argsort_scratch(struct fixture *fixture, bool has_keys_out)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    clsort_io io = CLSORT_IO_INIT;
    clsort_plan *plan = NULL;
    cl_event event = NULL;
    desc.operation = CLSORT_ARGSORT;
    desc.index_size = 4;
    desc.max_count = FIXTURE_COUNT;
    io.count = FIXTURE_COUNT;
    io.keys.mem = fixture->buffers[0];
    io.index_out.mem = fixture->buffers[3];
    if (has_keys_out)
        io.keys_out.mem = fixture->buffers[2];
    assert_ok(clsort_plan_create(fixture->env.engine, &desc, &plan));
    fixture_fill(fixture);
    const size_t before = created_bytes;
    assert_ok(clsort_enqueue(plan, fixture->env.queue, &io, 0, NULL, &event));
    assert_true(env_finish_event(event));
    clsort_plan_destroy(plan);
    return created_bytes - before;
}

/* Scratch memory has space for the sorted keys only if the caller does not want them. */
static void argsort_without_keys(void **state)
{
    const size_t with_keys_out = argsort_scratch(*state, true);
    assert_true(argsort_scratch(*state, false) >= with_keys_out + FIXTURE_BYTES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scratch),
        cmocka_unit_test(host_arrays),
        cmocka_unit_test(argsort_without_keys),
    };
    return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
