/* devices.c - finding devices, and contexts of several devices */
#include "check.h"
#include "sort_case.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void finding(void **state)
{
    (void)state;
    cl_device_id best = NULL;
    cl_device_id device = NULL;
    assert_ok(clsort_find_device(NULL, &best));
    assert_non_null(best);
    assert_ok(clsort_find_device("", &device));
    assert_ptr_equal(device, best);
    assert_ok(clsort_find_device("0", &device));
    assert_non_null(device);

    char name[256];
    assert_ok(clGetDeviceInfo(best, CL_DEVICE_NAME, sizeof name, name, NULL));
    for (char *c = name; *c; c++)
        *c = (char)(islower((unsigned char)*c) ? toupper((unsigned char)*c)
                                               : tolower((unsigned char)*c));
    assert_ok(clsort_find_device(name, &device));
    assert_non_null(device);
    assert_ok(clsort_find_device(name + strlen(name) / 2, &device));

    cl_device_type type = 0;
    assert_ok(clGetDeviceInfo(best, CL_DEVICE_TYPE, sizeof type, &type, NULL));
    if (type & (CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU))
        assert_ok(clsort_find_device(type & CL_DEVICE_TYPE_CPU ? "cpu" : "gpu", &device));
}

static void not_finding(void **state)
{
    (void)state;
    static const char *const names[] = {"999", "no such device", "99999999999999999999", "-1"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        cl_device_id device = (cl_device_id)state; /* anything but NULL */
        assert_status(clsort_find_device(names[i], &device), CLSORT_E_DEVICE);
        assert_null(device);
    }
    assert_status(clsort_find_device(NULL, NULL), CLSORT_E_ARGUMENT);
}

/* Divides the device into two sub-devices. Returns false if it does not support that. */
static bool divide(cl_device_id device, cl_device_id halves[2])
{
    cl_uint units = 0;
    cl_uint max_sub_devices = 0; /* 0 on rusticl, which has no clCreateSubDevices */
    assert_ok(clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL));
    assert_ok(clGetDeviceInfo(device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES, sizeof max_sub_devices,
                              &max_sub_devices, NULL));
    const cl_device_partition_property how[] = {CL_DEVICE_PARTITION_EQUALLY, units / 2, 0};
    return units >= 2 && max_sub_devices >= 2 &&
           clCreateSubDevices(device, how, 2, halves, NULL) == CL_SUCCESS;
}

/* Opens an environment for one of the devices of a context. */
static void open_in(struct env *env, cl_context context, cl_device_id device)
{
    cl_int status;
    env->context = context;
    assert_ok(clRetainContext(context));
    env->device = device;
    env->queue = clCreateCommandQueue(context, device, 0, &status);
    assert_ok(status);
    env->out_of_order = env->queue;
    assert_ok(clRetainCommandQueue(env->queue));
    assert_ok(clsort_engine_create(context, device, NULL, &env->engine));
}

static void sort_some(const struct env *env)
{
    static const struct {
        const char *algorithm;
        size_t count, value_size;
    } sorts[] = {{"auto", 5000, 0}, {"auto", 70000, 4}, {"radix", 3000, 8}, {"cpu", 70000, 0}};
    for (size_t i = 0; i < sizeof sorts / sizeof *sorts; i++) {
        struct sort_case sort = sort_case_default(sorts[i].count);
        strcpy(sort.algorithm, sorts[i].algorithm);
        sort.value_size = sorts[i].value_size;
        assert_int_not_equal(sort_case_run(&sort, env), SORT_WRONG);
    }
}

static void several_devices(void **state)
{
    (void)state;
    cl_device_id whole;
    cl_device_id halves[2];
    assert_ok(clsort_find_device(getenv("CLSORT_DEVICE"), &whole));
    if (!divide(whole, halves)) {
        print_message("this device cannot be parted in two\n");
        skip();
    }
    cl_int status;
    cl_context context = clCreateContext(NULL, 2, halves, NULL, NULL, &status);
    assert_ok(status);
    struct env envs[2] = {{0}};
    for (size_t i = 0; i < 2; i++) {
        open_in(&envs[i], context, halves[i]);
        sort_some(&envs[i]);
    }

    /* The other device's queue is in the right context, but not the engine's. */
    clsort_desc desc = CLSORT_DESC_INIT;
    clsort_plan *plan = NULL;
    assert_ok(clsort_plan_create(envs[0].engine, &desc, &plan));
    clsort_io io = CLSORT_IO_INIT;
    io.count = 4;
    io.keys.mem = clCreateBuffer(context, CL_MEM_READ_WRITE, 16, NULL, &status);
    assert_ok(status);
    assert_status(clsort_enqueue(plan, envs[1].queue, &io, 0, NULL, NULL), CL_INVALID_DEVICE);
    clReleaseMemObject(io.keys.mem);
    clsort_plan_destroy(plan);
    for (size_t i = 0; i < 2; i++) {
        env_close(&envs[i]);
        clReleaseDevice(halves[i]);
    }
    clReleaseContext(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finding),
        cmocka_unit_test(not_finding),
        cmocka_unit_test(several_devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
