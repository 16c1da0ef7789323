/* no_platform.c - a machine without OpenCL: the loader searches an empty folder for drivers */
#include "check.h"
#include "data.h"

#include <stdio.h>
#include <stdlib.h>
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

/* Two calls, since the default engine must not be stored after the first failure. */
static void large_arrays(void **state)
{
    (void)state;
    size_t count = (size_t)1 << 22;
    uint32_t *keys = malloc(count * sizeof *keys);
    assert_non_null(keys);
    const struct data_type *type = data_type_of(CLSORT_U32);
    assert_true(data_fill(type, DATA_UNIFORM, 1, keys, count));
    uint64_t sum = data_checksum(keys, sizeof *keys, count);
    for (int i = 0; i < 2; i++)
        assert_status(clsort_array(CLSORT_U32, keys, count), CL_DEVICE_NOT_FOUND);
    assert_int_equal(data_checksum(keys, sizeof *keys, count), sum);
    free(keys);
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
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failures;
}
