/* no_platform.c - a machine without OpenCL: the loader searches an empty folder for drivers */
#include "check.h"
#include "data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void no_device(void **state)
{
    (void)state;
    static const char *const names[] = {NULL, "", "0", "cpu", "gpu", "any name"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        cl_device_id device = (cl_device_id)&device; /* anything but NULL */
        assert_status(clsort_find_device(names[i], &device), CL_DEVICE_NOT_FOUND);
        assert_null(device);
        char text[256];
        assert_ok(clsort_last_error(NULL, sizeof text, text, NULL));
        assert_string_equal(text,
                            "the OpenCL loader finds no platform: install pocl-opencl-icd for "
                            "CPUs or the GPU's driver; see docs/troubleshooting.md");
    }
}

static void small_arrays(void **state)
{
    (void)state;
    int32_t keys[] = {3, -1, 2, INT32_MIN, 0};
    assert_ok(clsort_array(CLSORT_I32, keys, 5));
    assert_int_equal(data_disorder(data_type_of(CLSORT_I32), 0, keys, 5), 5);
}

/* The calling thread sorts them. Two calls, since no engine must be stored after the first. */
static void large_arrays(void **state)
{
    (void)state;
    size_t count = (size_t)1 << 22;
    uint32_t *keys = malloc(count * sizeof *keys);
    assert_non_null(keys);
    const struct data_type *type = data_type_of(CLSORT_U32);
    for (int i = 0; i < 2; i++) {
        assert_true(data_fill(type, DATA_UNIFORM, 1, keys, count));
        uint64_t sum = data_checksum(keys, sizeof *keys, count);
        assert_ok(clsort_array(CLSORT_U32, keys, count));
        assert_int_equal(data_disorder(type, 0, keys, count), count);
        assert_int_equal(data_checksum(keys, sizeof *keys, count), sum);
    }
    free(keys);
}

/* Without an engine the calling thread sorts, in every built-in order. */
static void without_engine(void **state)
{
    (void)state;
    uint16_t keys[] = {1, 3, 2}, values[] = {10, 30, 20};
    char text[128];
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.key = CLSORT_U16;
    desc.flags = CLSORT_DESCENDING;
    desc.value_size = sizeof *values;
    assert_ok(clsort_host(NULL, NULL, &desc, 3, keys, values));
    for (int i = 0; i < 3; i++) {
        assert_int_equal(keys[i], 3 - i);
        assert_int_equal(values[i], 10 * (3 - i));
    }
    assert_ok(clsort_host_describe(NULL, &desc, 1 << 20, sizeof text, text, NULL));
    assert_non_null(strstr(text, "host u16 desc"));
    desc.algorithm = "radix";
    assert_status(clsort_host(NULL, NULL, &desc, 3, keys, values), CLSORT_E_ARGUMENT);
    clsort_desc custom = CLSORT_DESC_INIT;
    custom.key = CLSORT_CUSTOM;
    custom.key_size = sizeof *keys;
    custom.key_type = "ushort";
    custom.less = "a < b";
    assert_status(clsort_host(NULL, NULL, &custom, 3, keys, NULL), CLSORT_E_ARGUMENT);
    assert_status(clsort_host_describe(NULL, &custom, 3, sizeof text, text, NULL),
                  CLSORT_E_ARGUMENT);
}

int main(void)
{
    char folder[] = "/tmp/clsort-no-platform-XXXXXX";
    if (!mkdtemp(folder) || setenv("OCL_ICD_VENDORS", folder, 1) != 0)
        return EXIT_FAILURE;
    cl_uint platforms = 0;
    if (clGetPlatformIDs(0, NULL, &platforms) == CL_SUCCESS && platforms > 0) {
        puts("skipped: this loader finds platforms although OCL_ICD_VENDORS names an empty folder");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_device),
        cmocka_unit_test(small_arrays),
        cmocka_unit_test(large_arrays),
        cmocka_unit_test(without_engine),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failures;
}
