/* selection.c - the scratch memory of selections on several devices: that it is monotonic */
#include "algo/select/select.h"
#include "plan/request.h"

#include "unit.h"

static const struct cls_caps DEVICES[] = {
    {.type = CL_DEVICE_TYPE_CPU, .units = 2, .group_size = 4096, .local_bytes = 1 << 20},
    {.type = CL_DEVICE_TYPE_GPU, .units = 132, .group_size = 1024, .local_bytes = 48 << 10},
    {.type = CL_DEVICE_TYPE_GPU, .units = 2, .group_size = 32, .local_bytes = 16 << 10},
};
/* Of elements, and of those that are selected. Sizes of the sample change at some of them. */
static const uint64_t NUMBERS[] = {1,     100,     4095,    4096,    4097,    5000,
                                   65536, 1 << 20, 1 << 22, 1 << 24, 1 << 28, 1ull << 33};

static void check(const struct cls_caps *caps)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    struct cls_request request;
    assert_int_equal(cls_request_read(&desc, &request), CLSORT_OK);
    const struct cls_select select = cls_select_for(caps, &request.spec);
    for (size_t c = 0; c < sizeof NUMBERS / sizeof *NUMBERS; c++)
        for (size_t i = 0; i <= c; i++) {
            const uint64_t bytes = cls_select_scratch(&select, NUMBERS[c], NUMBERS[i]);
            if (c > i)
                assert_true(bytes >= cls_select_scratch(&select, NUMBERS[c - 1], NUMBERS[i]));
            if (i > 0)
                assert_true(bytes >= cls_select_scratch(&select, NUMBERS[c], NUMBERS[i - 1]));
        }
}

static void test_scratch(void **state)
{
    (void)state;
    for (size_t d = 0; d < sizeof DEVICES / sizeof *DEVICES; d++) {
        struct cls_caps caps = DEVICES[d];
        caps.index32_max = UINT32_MAX;
        caps.max_iterations = caps.max_launch_tiles = caps.max_sample_bits = UINT64_MAX;
        caps.max_alloc = 1ull << 40;
        check(&caps);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_scratch)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
