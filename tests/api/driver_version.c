/* driver_version.c - drivers with known faults (src/device/quirks.c): this program replaces functions of the loader to
 * report the version with the faults, or another platform without them */
#include "check.h"
#include "folder.h"
#include "next.h"
#include "sort_case.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum driver { INSTALLED, FAULTY, OTHER };

/* What is reported: the installed PoCL, PoCL 6.0 on a CPU, or another platform. */
static enum driver reported;
static size_t binary_queries, binary_loads;

cl_int CL_API_CALL clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *to,
                                   size_t *size_ret)
{
    cl_int(CL_API_CALL * query)(cl_device_id, cl_device_info, size_t, void *, size_t *);
    next_function("clGetDeviceInfo", &query);
    const char *text = what == CL_DRIVER_VERSION ? "6.0" : what == CL_DEVICE_NAME ? "cpu" : NULL;
    if (reported != FAULTY || !text || !to)
        return query(device, what, size, to, size_ret);
    snprintf(to, size, "%s", text);
    return CL_SUCCESS;
}

cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info what, size_t size,
                                     void *to, size_t *size_ret)
{
    cl_int(CL_API_CALL * query)(cl_platform_id, cl_platform_info, size_t, void *, size_t *);
    next_function("clGetPlatformInfo", &query);
    if (reported != OTHER || what != CL_PLATFORM_NAME || !to)
        return query(platform, what, size, to, size_ret);
    snprintf(to, size, "other");
    return CL_SUCCESS;
}

cl_program CL_API_CALL clCreateProgramWithBinary(cl_context context, cl_uint count,
                                                 const cl_device_id *devices, const size_t *sizes,
                                                 const unsigned char **binaries,
                                                 cl_int *binary_status, cl_int *status)
{
    cl_program(CL_API_CALL * create)(cl_context, cl_uint, const cl_device_id *, const size_t *,
                                     const unsigned char **, cl_int *, cl_int *);
    next_function("clCreateProgramWithBinary", &create);
    binary_loads++;
    return create(context, count, devices, sizes, binaries, binary_status, status);
}

cl_int CL_API_CALL clGetProgramInfo(cl_program program, cl_program_info what, size_t size, void *to,
                                    size_t *size_ret)
{
    cl_int(CL_API_CALL * query)(cl_program, cl_program_info, size_t, void *, size_t *);
    next_function("clGetProgramInfo", &query);
    binary_queries += what == CL_PROGRAM_BINARIES || what == CL_PROGRAM_BINARY_SIZES;
    return query(program, what, size, to, size_ret);
}

/* Opens an engine with an empty cache in memory. The driver is reported while the engine is created. */
static void open_engine(struct env *env, const char *folder, enum driver driver)
{
    clsort_engine_options options = CLSORT_ENGINE_OPTIONS_INIT;
    options.cache_dir = folder;
    clsort_engine_destroy(env->engine);
    env->engine = NULL;
    reported = driver;
    const clsort_status status =
        clsort_engine_create(env->context, env->device, &options, &env->engine);
    reported = INSTALLED;
    assert_ok(status);
}

/* Sorts with a disk cache, which a second engine uses. PoCL must not be queried for binaries. On the faulty version,
 * `hybrid` must be refused. */
static void sort_both(struct env *env, enum driver driver)
{
    char folder[] = "/tmp/clsort-version-XXXXXX";
    const bool is_faulty = driver == FAULTY, uses_binaries = driver == OTHER;
    assert_non_null(mkdtemp(folder));
    open_engine(env, folder, driver);
    struct sort_case sort = sort_case_default(3000);
    binary_queries = binary_loads = 0;
    assert_int_equal(sort_case_run(&sort, env), SORT_RIGHT);
    assert_int_equal(binary_queries > 0, uses_binaries);
    assert_int_equal(binary_loads, 0);

    open_engine(env, folder, driver);
    binary_queries = 0;
    assert_int_equal(sort_case_run(&sort, env), SORT_RIGHT);
    assert_int_equal(binary_queries, 0);
    assert_int_equal(binary_loads > 0, uses_binaries);
    if (driver != OTHER) {
        strcpy(sort.algorithm, "hybrid");
        assert_int_equal(sort_case_run(&sort, env), is_faulty ? SORT_UNSUPPORTED : SORT_RIGHT);
        assert_int_equal(env_blames_driver(env), is_faulty);
    }
    folder_remove(folder);
}

static void faults_are_avoided(void **state)
{
    struct sort_case sort = sort_case_default(3000);
    strcpy(sort.algorithm, "hybrid");
    if (sort_case_run(&sort, *state) == SORT_UNSUPPORTED && env_blames_driver(*state))
        skip(); /* the driver has one of the faulty versions */
    sort_both(*state, INSTALLED);
    sort_both(*state, FAULTY);
    sort_both(*state, OTHER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(faults_are_avoided)};
    return cmocka_run_group_tests(tests, env_set_up, env_tear_down);
}
