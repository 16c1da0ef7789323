/* find_device.c - the choice of the best device on simulated machines: this program replaces OpenCL calls of the
 * loader */
#include <clsort.h>

#include "unit.h"

#include <string.h>

/* A simulated device. Its handle points to this struct. */
struct device {
    cl_device_type type;
    cl_uint units;
    const char *name;
    cl_bool available, compiles;
};

struct platform {
    struct device devices[4];
    cl_uint count;
    cl_int status; /* of clGetDeviceIDs, if it fails */
};

static struct platform platforms[3];
static cl_uint platform_count;
static cl_int platform_status;

cl_int CL_API_CALL clGetPlatformIDs(cl_uint size, cl_platform_id *to, cl_uint *count)
{
    for (cl_uint i = 0; i < size && i < platform_count; i++)
        to[i] = (cl_platform_id)(void *)&platforms[i];
    if (count)
        *count = platform_count;
    return platform_status;
}

cl_int CL_API_CALL clGetDeviceIDs(cl_platform_id id, cl_device_type type, cl_uint size,
                                  cl_device_id *to, cl_uint *count)
{
    struct platform *platform = (struct platform *)(void *)id;
    assert_true(type == CL_DEVICE_TYPE_ALL);
    if (platform->status != CL_SUCCESS)
        return platform->status;
    for (cl_uint i = 0; i < size && i < platform->count; i++)
        to[i] = (cl_device_id)(void *)&platform->devices[i];
    if (count)
        *count = platform->count;
    return platform->count > 0 ? CL_SUCCESS : CL_DEVICE_NOT_FOUND;
}

cl_int CL_API_CALL clGetDeviceInfo(cl_device_id id, cl_device_info what, size_t size, void *to,
                                   size_t *size_ret)
{
    const struct device *device = (const struct device *)(const void *)id;
    const void *from = what == CL_DEVICE_TYPE                 ? (const void *)&device->type
                       : what == CL_DEVICE_MAX_COMPUTE_UNITS  ? (const void *)&device->units
                       : what == CL_DEVICE_AVAILABLE          ? (const void *)&device->available
                       : what == CL_DEVICE_COMPILER_AVAILABLE ? (const void *)&device->compiles
                                                              : (const void *)device->name;
    const size_t bytes = what == CL_DEVICE_TYPE   ? sizeof device->type
                         : what == CL_DEVICE_NAME ? strlen(device->name) + 1
                                                  : sizeof(cl_uint);
    (void)size_ret;
    if (!from || size < bytes)
        return CL_INVALID_VALUE;
    memcpy(to, from, bytes);
    return CL_SUCCESS;
}

#define USABLE CL_TRUE, CL_TRUE

static const struct device CPU = {CL_DEVICE_TYPE_CPU, 64, "cpu-64 by A", USABLE};
static const struct device FPGA = {CL_DEVICE_TYPE_ACCELERATOR, 4, "An FPGA", USABLE};
static const struct device SMALL = {CL_DEVICE_TYPE_GPU, 1, "Small Graphics", USABLE};
static const struct device LARGE = {CL_DEVICE_TYPE_GPU, 132, "Large Graphics", USABLE};
static const struct device AWAY = {CL_DEVICE_TYPE_GPU, 999, "Away Graphics", CL_FALSE, CL_TRUE};
static const struct device FIXED = {CL_DEVICE_TYPE_GPU, 999, "Fixed Graphics", CL_TRUE, CL_FALSE};

static int no_machine(void **state)
{
    (void)state;
    memset(platforms, 0, sizeof platforms);
    platform_count = 0;
    platform_status = CL_SUCCESS;
    return 0;
}

/* Adds a device to the platform with this index. */
static void add(cl_uint platform, struct device device)
{
    platforms[platform].devices[platforms[platform].count++] = device;
    if (platform_count <= platform)
        platform_count = platform + 1;
}

static void expect(const char *name, const struct device *wanted)
{
    cl_device_id found = NULL;
    assert_int_equal(clsort_find_device(name, &found), CLSORT_OK);
    assert_string_equal(((const struct device *)(const void *)found)->name, wanted->name);
}

static void expect_failure(const char *name, clsort_status status)
{
    cl_device_id found = (cl_device_id)(void *)platforms; /* anything but NULL */
    assert_int_equal(clsort_find_device(name, &found), status);
    assert_null(found);
}

static void expect_error(const char *sentence)
{
    char text[512];
    assert_int_equal(clsort_last_error(NULL, sizeof text, text, NULL), CLSORT_OK);
    assert_string_equal(text, sentence);
}

/* Each added device is better than all before, except for those that cannot be used. */
static void the_best(void **state)
{
    (void)state;
    add(0, CPU);
    expect(NULL, &CPU);
    add(1, FPGA);
    expect(NULL, &FPGA);
    add(0, SMALL);
    expect("", &SMALL);
    add(1, LARGE);
    expect(NULL, &LARGE);
    add(0, AWAY);
    add(1, FIXED);
    expect(NULL, &LARGE);
}

static void not_usable_but_named(void **state)
{
    (void)state;
    add(0, AWAY);
    expect(NULL, &AWAY); /* the only device: its error is more helpful than "no device" */
    add(0, CPU);
    expect(NULL, &CPU);
    expect("away", &AWAY);
}

static void names(void **state)
{
    (void)state;
    add(0, SMALL);
    add(0, CPU);
    add(1, LARGE);
    expect("0", &SMALL);
    expect("1", &CPU);
    expect("2", &LARGE);
    expect_failure("3", CLSORT_E_DEVICE);
    expect_error(
        "there is no device \"3\"; the devices are 0: Small Graphics, 1: cpu-64 by A, 2: "
        "Large Graphics");
    expect("cpu", &CPU);
    expect("GPU", &SMALL); /* the first */
    expect("graphics", &SMALL);
    expect("lARGE", &LARGE);
    expect("cpu-", &CPU);
    expect_failure("Large Graphics 2", CLSORT_E_DEVICE);
    expect_error(
        "no device's name contains \"Large Graphics 2\"; the devices are 0: Small "
        "Graphics, 1: cpu-64 by A, 2: Large Graphics");
    no_machine(NULL);
    add(0, CPU);
    expect_failure("gpu", CLSORT_E_DEVICE);
    expect_error("there is no device of type \"gpu\"; the devices are 0: cpu-64 by A");
}

static void platforms_that_fail(void **state)
{
    (void)state;
    expect_failure(NULL, CL_DEVICE_NOT_FOUND); /* none */
    platform_count = 2;
    expect_failure(NULL, CL_DEVICE_NOT_FOUND); /* none with a device */
    expect_error(
        "no OpenCL platform has a device: check the driver of the GPU, or install "
        "pocl-opencl-icd for CPUs; see docs/troubleshooting.md");
    platforms[0].status = CL_OUT_OF_HOST_MEMORY;
    expect_failure(NULL, CL_OUT_OF_HOST_MEMORY);
    expect_error("clGetDeviceIDs returned CL_OUT_OF_HOST_MEMORY");
    add(1, CPU);
    expect(NULL, &CPU);                         /* a failing platform does not hide the others */
    expect_failure("1", CL_OUT_OF_HOST_MEMORY); /* device 1 may be on the platform that failed */
    platforms[0].status = CL_INVALID_PLATFORM;
    expect_failure("1", CLSORT_E_DEVICE); /* a driver that never works has no devices */
    platform_status = CL_OUT_OF_HOST_MEMORY;
    expect_failure(NULL, CL_OUT_OF_HOST_MEMORY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_best, no_machine),
        cmocka_unit_test_setup(not_usable_but_named, no_machine),
        cmocka_unit_test_setup(names, no_machine),
        cmocka_unit_test_setup(platforms_that_fail, no_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
