/* driver_version.c - a driver version with known faults (src/device/quirks.c): this program replaces clGetDeviceInfo of
 * the loader to report that version */
#include "check.h"
#include "folder.h"
#include "next.h"
#include "sort_case.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whether clGetDeviceInfo reports PoCL 6.0 on a CPU. */
static bool reports_faulty;
static size_t binary_queries;

cl_int CL_API_CALL clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *to,
                                   size_t *size_ret)
{
    cl_int(CL_API_CALL * query)(cl_device_id, cl_device_info, size_t, void *, size_t *);
    next_function("clGetDeviceInfo", &query);
    const char *text = what == CL_DRIVER_VERSION ? "6.0" : what == CL_DEVICE_NAME ? "cpu" : NULL;
    if (!reports_faulty || !text || !to)
        return query(device, what, size, to, size_ret);
    snprintf(to, size, "%s", text);
    return CL_SUCCESS;
}

cl_int CL_API_CALL clGetProgramInfo(cl_program program, cl_program_info what, size_t size, void *to,
                                    size_t *size_ret)
{
    cl_int(CL_API_CALL * query)(cl_program, cl_program_info, size_t, void *, size_t *);
    next_function("clGetProgramInfo", &query);
    binary_queries += what == CL_PROGRAM_BINARIES || what == CL_PROGRAM_BINARY_SIZES;
    return query(program, what, size, to, size_ret);
}

/* Sorts with a disk cache. If `is_faulty`, the driver reports the faulty version: the sort must not read binaries, and
 * `hybrid` must be refused. */
static void sort_both(struct env *env, bool is_faulty)
{
    char folder[] = "/tmp/clsort-version-XXXXXX";
    clsort_engine_options options = CLSORT_ENGINE_OPTIONS_INIT;
    options.cache_dir = mkdtemp(folder);
    assert_non_null(options.cache_dir);
    clsort_engine_destroy(env->engine);
    env->engine = NULL;
    reports_faulty = is_faulty;
    const clsort_status status =
        clsort_engine_create(env->context, env->device, &options, &env->engine);
    reports_faulty = false;
    assert_ok(status);

    struct sort_case sort = sort_case_default(3000);
    binary_queries = 0;
    assert_int_equal(sort_case_run(&sort, env), SORT_RIGHT);
    strcpy(sort.algorithm, "hybrid");
    assert_int_equal(sort_case_run(&sort, env), is_faulty ? SORT_UNSUPPORTED : SORT_RIGHT);
    assert_int_equal(env_blames_driver(env), is_faulty);
    assert_int_equal(binary_queries == 0, is_faulty);
    folder_remove(folder);
}

static void faults_are_avoided(void **state)
{
    struct sort_case sort = sort_case_default(3000);
    strcpy(sort.algorithm, "hybrid");
    if (sort_case_run(&sort, *state) == SORT_UNSUPPORTED && env_blames_driver(*state))
        skip(); /* the driver has one of the faulty versions */
    sort_both(*state, false);
    sort_both(*state, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(faults_are_avoided)};
    return cmocka_run_group_tests(tests, env_set_up, env_tear_down);
}
