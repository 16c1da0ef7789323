/* sub_group.c - candidates for the sub-group backend from a device's extensions; options of programs */
#include "device/sub_group.h"

#include "unit.h"

/* Checks the number of candidates, and the first one. */
static void assert_candidates(const char *extensions, unsigned opencl, size_t count,
                              enum cls_sub_group_backend backend, unsigned size)
{
    struct cls_sub_group candidates[CLS_MAX_SUB_GROUP_CANDIDATES];
    assert_int_equal(cls_sub_group_candidates(extensions, opencl, candidates), count);
    if (count > 0) {
        assert_int_equal(candidates[0].backend, backend);
        assert_int_equal(candidates[0].size, size);
    }
}

static void extensions_decide(void **state)
{
    (void)state;
    assert_candidates("", 3, 0, CLS_SUB_GROUP_LOCAL, 0);
    assert_candidates("cl_khr_fp64 cl_nv_device_attribute_query", 3, 1, CLS_SUB_GROUP_NVIDIA, 32);
    assert_candidates("cl_amd_device_attribute_query cl_khr_subgroups", 2, 2, CLS_SUB_GROUP_AMD,
                      64);
    assert_candidates("cl_intel_subgroups", 1, 3, CLS_SUB_GROUP_INTEL, 16);
    assert_candidates("cl_khr_subgroup_ballot cl_khr_subgroup_shuffle", 3, 4, CLS_SUB_GROUP_KHR,
                      32);
    assert_candidates("cl_khr_subgroup_ballot cl_khr_subgroup_shuffle", 1, 0, CLS_SUB_GROUP_LOCAL,
                      0);
    assert_candidates("cl_khr_subgroup_ballot cl_khr_subgroup_shuffle_relative", 3, 0,
                      CLS_SUB_GROUP_LOCAL, 0);
    assert_candidates("cl_khr_subgroup_shuffle cl_khr_subgroup_ballot cl_intel_subgroups", 3, 10,
                      CLS_SUB_GROUP_KHR, 16);
}

/* All candidates fit in the caller's array. */
static void all_extensions_fit(void **state)
{
    (void)state;
    assert_candidates(
        "cl_khr_subgroup_ballot cl_khr_subgroup_shuffle cl_intel_subgroups "
        "cl_nv_device_attribute_query cl_amd_device_attribute_query",
        3, 13, CLS_SUB_GROUP_NVIDIA, 32);
    assert_true(13 <= CLS_MAX_SUB_GROUP_CANDIDATES);
}

static void options_name_the_language(void **state)
{
    (void)state;
    char line[128] = "";
    struct cls_text text = CLS_TEXT(line);
    struct cls_caps caps = {
        .sub_group_size = 32, .sub_group_backend = CLS_SUB_GROUP_KHR, .opencl = 3};
    cls_sub_group_options(&caps, &text);
    assert_string_equal(line, " -DSUB_GROUP_SIZE=32 -DSUB_GROUP_BACKEND=1 -cl-std=CL3.0");
    caps = (struct cls_caps){.sub_group_size = 0};
    text.length = 0;
    cls_sub_group_options(&caps, &text);
    assert_string_equal(line, " -DSUB_GROUP_SIZE=1 -DSUB_GROUP_BACKEND=0");
}

static void small_groups_have_smaller_sub_groups(void **state)
{
    (void)state;
    const struct cls_caps caps = {.sub_group_size = 32}, none = {.sub_group_size = 1};
    assert_int_equal(cls_sub_group_in(&caps, 256), 32);
    assert_int_equal(cls_sub_group_in(&caps, 8), 8);
    assert_int_equal(cls_sub_group_in(&none, 256), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(extensions_decide),
        cmocka_unit_test(all_extensions_fit),
        cmocka_unit_test(options_name_the_language),
        cmocka_unit_test(small_groups_have_smaller_sub_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
