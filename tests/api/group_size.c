/* group_size.c - a device that runs kernels only in small work-groups: this program replaces the loader's
 * clGetKernelWorkGroupInfo to report a limit */
#include "check.h"
#include "env.h"
#include "next.h"
#include "sort_case.h"

#include <stdio.h>
#include <string.h>

/* The maximum size of a work-group for all kernels. */
static size_t max_group_size = SIZE_MAX;

cl_int CL_API_CALL clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                            cl_kernel_work_group_info what, size_t size, void *to,
                                            size_t *size_ret)
{
    cl_int(CL_API_CALL * query)(cl_kernel, cl_device_id, cl_kernel_work_group_info, size_t, void *,
                                size_t *);
    next_function("clGetKernelWorkGroupInfo", &query);
    const cl_int status = query(kernel, device, what, size, to, size_ret);
    if (status == CL_SUCCESS && what == CL_KERNEL_WORK_GROUP_SIZE && *(size_t *)to > max_group_size)
        *(size_t *)to = max_group_size;
    return status;
}

static void groups_shrink(void **state)
{
    struct env *env = *state;
    static const size_t limits[] = {1, 32, 100, 128};
    static const char *const names[] = {"radix", "local"};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        for (size_t a = 0; a < 2; a++) {
            struct sort_case sort = sort_case_default(a == 0 ? 10000 : 15);
            snprintf(sort.algorithm, sizeof sort.algorithm, "%s", names[a]);
            max_group_size = limits[i];
            const enum sort_result result = sort_case_run(&sort, env);
            max_group_size = SIZE_MAX;
            assert_int_equal(result, SORT_RIGHT);
        }
}

static void descriptions_name_tile_size(void **state)
{
    struct env *env = *state;
    clsort_desc desc = CLSORT_DESC_INIT;
    clsort_plan *plan = NULL;
    char text[512];
    desc.algorithm = "radix";
    max_group_size = 100;
    const clsort_status status = clsort_plan_create(env->engine, &desc, &plan);
    max_group_size = SIZE_MAX;
    assert_ok(status);
    assert_ok(clsort_plan_describe(plan, 1000, sizeof text, text, NULL));
    assert_non_null(strstr(text, "tiles of 64 x"));
    clsort_plan_destroy(plan);
}

/* Plans without stages choose smaller work-groups by code of their own. */
static void groups_of_operations_shrink(void **state)
{
    const struct env *env = *state;
    static const clsort_column columns[] = {{CLSORT_U32, 0, 0, 0}, {CLSORT_U8, 0, 0, 4}};
    static const struct {
        uint32_t operation, segments;
        size_t record_size;
    } cases[] = {{CLSORT_SELECT, CLSORT_WHOLE, 0},
                 {CLSORT_SELECT, CLSORT_ROWS, 0},
                 {CLSORT_SORT, CLSORT_ROWS, 0},
                 {CLSORT_SORT, CLSORT_WHOLE, 5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        clsort_desc desc = CLSORT_DESC_INIT;
        clsort_plan *plan = NULL;
        desc.operation = cases[i].operation;
        desc.segments = cases[i].segments;
        desc.flags = cases[i].operation == CLSORT_SELECT ? CLSORT_INPUT_ORDER : 0;
        desc.record_size = cases[i].record_size;
        desc.columns = cases[i].record_size > 0 ? columns : NULL;
        desc.column_count = cases[i].record_size > 0 ? 2 : 0;
        desc.max_count = 1000;
        max_group_size = 128;
        const clsort_status status = clsort_plan_create(env->engine, &desc, &plan);
        max_group_size = SIZE_MAX;
        assert_ok(status);
        clsort_plan_destroy(plan);
    }
}

/* A limit of 0 work-items makes the device unusable. */
static void nothing_fits(void **state)
{
    struct env *env = *state;
    clsort_desc desc = CLSORT_DESC_INIT;
    clsort_plan *plan = NULL;
    desc.algorithm = "radix";
    max_group_size = 0;
    const clsort_status status = clsort_plan_create(env->engine, &desc, &plan);
    max_group_size = SIZE_MAX;
    assert_status(status, CLSORT_E_UNSUPPORTED);
    assert_null(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_shrink),
        cmocka_unit_test(descriptions_name_tile_size),
        cmocka_unit_test(groups_of_operations_shrink),
        cmocka_unit_test(nothing_fits),
    };
    return cmocka_run_group_tests(tests, env_set_up, env_tear_down);
}
