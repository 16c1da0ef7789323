/* quirks.c - corrections apply to the drivers that need them, and to no others */
#include "device/quirks.h"

#include "unit.h"

#include <stdio.h>
#include <string.h>

static struct cls_caps corrected(const char *platform, const char *device, const char *driver)
{
    struct cls_caps caps = {.max_iterations = UINT64_MAX, .reports_kernel_group_size = true};
    snprintf(caps.platform_name, sizeof caps.platform_name, "%s", platform);
    snprintf(caps.name, sizeof caps.name, "%s", device);
    snprintf(caps.driver, sizeof caps.driver, "%s", driver);
    cls_quirks_apply(&caps);
    return caps;
}

static void test_llvmpipe(void **state)
{
    const struct cls_caps caps = corrected("rusticl", "llvmpipe (LLVM 15.0.6, 256 bits)", "22.3.6");
    (void)state;
    assert_true(caps.max_iterations <= 65535);
    assert_false(caps.reports_kernel_group_size);
    assert_true(caps.miscopies_structs);
}

static void test_pocl(void **state)
{
    static const char *const versions[] = {"5.0+debian", "6.0+debian"};
    (void)state;
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        const struct cls_caps caps =
            corrected("Portable Computing Language", "cpu-haswell", versions[i]);
        assert_true(caps.avoid_binaries && caps.miscompiles_barriers);
        assert_true(caps.max_iterations == UINT64_MAX && caps.reports_kernel_group_size);
    }
}

/* Returns how many devices of a version of PoCL run tasks of groups at the same time. */
static unsigned max_group_devices(const char *driver)
{
    return corrected("Portable Computing Language", "pthread-haswell", driver).max_group_devices;
}

static void test_pocl_race(void **state)
{
    (void)state;
    assert_int_equal(max_group_devices("1.8"), 1);
    assert_int_equal(max_group_devices("3.0"), 1);
    assert_int_equal(max_group_devices("3.1+debian"), 2);
    assert_int_equal(max_group_devices("4.0"), 1);
    assert_int_equal(max_group_devices("5.0+debian"), 1);
    assert_int_equal(max_group_devices("6.0+debian"), 0);
    assert_int_equal(corrected("rusticl", "llvmpipe", "3.1").max_group_devices, 0);
}

static void test_others(void **state)
{
    static const char *const others[][3] = {
        {"rusticl", "AMD Radeon", "22.3.6"},
        {"Clover", "llvmpipe (LLVM 15.0.6, 256 bits)", "22.3.6"},
        {"Portable Computing Language", "pthread-haswell", "3.1+debian"},
        {"Portable Computing Language", "cpu-haswell", "7.1+debian"},
        {"Portable Computing Language", "NVIDIA H200", "6.0"},
        {"NVIDIA CUDA", "NVIDIA H200", "580.159.04"},
        {"", "", ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const struct cls_caps caps = corrected(others[i][0], others[i][1], others[i][2]);
        assert_true(caps.max_iterations == UINT64_MAX && caps.reports_kernel_group_size);
        assert_false(caps.miscopies_structs || caps.miscompiles_barriers);
        assert_int_equal(caps.avoid_binaries, strncmp(others[i][0], "Portable", 8) == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_llvmpipe), cmocka_unit_test(test_pocl),
                                       cmocka_unit_test(test_pocl_race),
                                       cmocka_unit_test(test_others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
