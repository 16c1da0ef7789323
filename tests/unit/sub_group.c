/* sub_group.c - which lanes a device is tried for follows from its extensions, and what kernels are told from its lanes */
#include "device/sub_group.h"

#include "unit.h"

static void assert_offers(const char *extensions, unsigned opencl, size_t count,
                          enum cls_sub_group_backend body, unsigned width)
{
    struct cls_sub_group offers[CLS_MAX_SUB_GROUP_OFFERS];
    assert_int_equal(cls_sub_group_offered(extensions, opencl, offers), count);
    if (count > 0) {
        assert_int_equal(offers[0].body, body);
        assert_int_equal(offers[0].width, width);
    }
}

static void extensions_offer_lanes(void **state)
{
    (void)state;
    assert_offers("", 3, 0, CLS_SUB_GROUP_LOCAL, 0);
    assert_offers("cl_khr_fp64 cl_nv_device_attribute_query", 3, 1, CLS_SUB_GROUP_NVIDIA, 32);
    assert_offers("cl_amd_device_attribute_query cl_khr_subgroups", 2, 2, CLS_SUB_GROUP_AMD, 64);
    assert_offers("cl_intel_subgroups", 1, 3, CLS_SUB_GROUP_INTEL, 16);
    assert_offers("cl_khr_subgroup_ballot cl_khr_subgroup_shuffle", 3, 4, CLS_SUB_GROUP_KHR, 32);
    assert_offers("cl_khr_subgroup_ballot cl_khr_subgroup_shuffle", 1, 0, CLS_SUB_GROUP_LOCAL, 0);
    assert_offers("cl_khr_subgroup_ballot cl_khr_subgroup_shuffle_relative", 3, 0,
                  CLS_SUB_GROUP_LOCAL, 0);
    assert_offers("cl_khr_subgroup_shuffle cl_khr_subgroup_ballot cl_intel_subgroups", 3, 10,
                  CLS_SUB_GROUP_KHR, 16);
}

/* The table has no more rows than a caller has room for. */
static void all_extensions_fit(void **state)
{
    (void)state;
    assert_offers(
        "cl_khr_subgroup_ballot cl_khr_subgroup_shuffle cl_intel_subgroups "
        "cl_nv_device_attribute_query cl_amd_device_attribute_query",
        3, 13, CLS_SUB_GROUP_NVIDIA, 32);
    assert_true(13 <= CLS_MAX_SUB_GROUP_OFFERS);
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

static void small_groups_have_fewer_lanes(void **state)
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
        cmocka_unit_test(extensions_offer_lanes),
        cmocka_unit_test(all_extensions_fit),
        cmocka_unit_test(options_name_the_language),
        cmocka_unit_test(small_groups_have_fewer_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
