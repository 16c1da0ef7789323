/* quirks.c - corrections meet the drivers that need them, and no others */
#include "device/quirks.h"

#include "unit.h"

#include <stdio.h>

static struct cls_caps corrected(const char *platform, const char *device)
{
    struct cls_caps caps = {.most_turns = UINT64_MAX, .kernels_tell_group_size = true};
    snprintf(caps.platform_name, sizeof caps.platform_name, "%s", platform);
    snprintf(caps.name, sizeof caps.name, "%s", device);
    cls_quirks_apply(&caps);
    return caps;
}

static void test_llvmpipe(void **state)
{
    const struct cls_caps caps = corrected("rusticl", "llvmpipe (LLVM 15.0.6, 256 bits)");
    (void)state;
    assert_true(caps.most_turns <= 65535);
    assert_false(caps.kernels_tell_group_size);
    assert_true(caps.rounds_addresses);
}

static void test_others(void **state)
{
    static const char *const others[][2] = {
        {"rusticl", "AMD Radeon"},
        {"Clover", "llvmpipe (LLVM 15.0.6, 256 bits)"},
        {"Portable Computing Language", "pthread-haswell"},
        {"NVIDIA CUDA", "NVIDIA H200"},
        {"", ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const struct cls_caps caps = corrected(others[i][0], others[i][1]);
        assert_true(caps.most_turns == UINT64_MAX && caps.kernels_tell_group_size);
        assert_false(caps.rounds_addresses);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_llvmpipe),
                                       cmocka_unit_test(test_others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
