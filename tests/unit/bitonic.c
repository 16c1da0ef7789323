/* bitonic.c - the kernels of bitonic that devices and keys allow; bitonic needs no scratch */
#include "cl/common/layout.h"
#include "plan/choose.h"

#include "unit.h"

#include <string.h>

#define COMMON .units = 4, .index32_max = UINT32_MAX, .max_iterations = UINT64_MAX
static const struct cls_caps GPU = {
    .type = CL_DEVICE_TYPE_GPU, COMMON, .group_size = 1024, .local_bytes = 49152};
static const struct cls_caps CPU = {
    .type = CL_DEVICE_TYPE_CPU, COMMON, .group_size = 4096, .local_bytes = 1 << 20};
static const struct cls_caps SMALL = {
    .type = CL_DEVICE_TYPE_GPU, COMMON, .group_size = 96, .local_bytes = 1024};
static const struct cls_caps ALONE = {
    .type = CL_DEVICE_TYPE_GPU, COMMON, .group_size = 1, .local_bytes = 1024};
static const struct cls_caps IMPATIENT = {.type = CL_DEVICE_TYPE_CPU,
                                          .units = 4,
                                          .group_size = 256,
                                          .local_bytes = 32768,
                                          .index32_max = UINT32_MAX,
                                          .max_iterations = 65535};

/* custom_bytes: the size of keys in a custom order, or 0 for u32 keys. */
static bool choose(const struct cls_caps *caps, const char *algorithm, size_t custom_bytes,
                   size_t value_size, struct cls_choice *choice)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    struct cls_request request;
    if (custom_bytes > 0) {
        desc.key = CLSORT_CUSTOM;
        desc.key_size = custom_bytes;
        desc.key_type = "struct { uint word; }";
        desc.less = "a.word < b.word";
    }
    desc.value_size = value_size;
    desc.algorithm = algorithm;
    assert_int_equal(cls_request_read(&desc, &request), CLSORT_OK);
    const struct cls_ladders ladders = cls_ladders_for(caps);
    return cls_choose(caps, &ladders, &request, 100000, 0, choice);
}

static void test_kernels(void **state)
{
    static const char vectors[] = "vectors of 16 keys, tiles of 8192";
    static const struct {
        const struct cls_caps *caps;
        const char *algorithm;
        size_t custom_bytes, value_size;
        const char *kernels;
    } rows[] = {
        {&GPU, "bitonic", 0, 0, "C4+B16 B8 B4 B2, tiles of 512 x 4"},
        {&GPU, "bitonic", 0, 16, "C4+B16 B8 B4 B2, tiles of 512 x 4"},
        {&GPU, "bitonic:C2+B", 0, 0, "C2+B16 B8 B4 B2, tiles of 512 x 2"},
        {&GPU, "bitonic:B", 0, 4, "B16 B8 B4 B2"},
        {&GPU, "bitonic:B2+B4+B8", 0, 0, "B8 B4 B2"},
        {&GPU, "bitonic:B2+B4", 0, 0, "B4 B2"},
        {&GPU, "bitonic:B2", 0, 0, "B2"},
        /* wide keys: fewer fit in registers and tiles */
        {&GPU, "bitonic", 40, 0, "C4+B8 B4 B2, tiles of 256 x 4"},
        {&GPU, "bitonic", 128, 0, "C4+B4 B2, tiles of 64 x 4"},
        {&GPU, "bitonic", 132, 0, "C2+B2, tiles of 128 x 2"},
        {&GPU, "bitonic", 1024, 0, "B2"},
        {&GPU, "bitonic", 1028, 0, NULL},
        /* small devices: smaller groups, then no tiles */
        {&SMALL, "bitonic", 0, 0, "C4+B16 B8 B4 B2, tiles of 64 x 4"},
        {&SMALL, "bitonic", 0, 12, "C4+B16 B8 B4 B2, tiles of 16 x 4"},
        {&SMALL, "bitonic", 64, 0, "B8 B4 B2"},
        {&ALONE, "bitonic", 0, 0, "B16 B8 B4 B2"},
        /* CPUs: vectors, if the CPU and the key type support them and no kernels are requested */
        {&CPU, "bitonic", 0, 0, vectors},
        {&CPU, "bitonic:C4+B", 0, 0, "C4+B16 B8 B4 B2, tiles of 512 x 4"},
        {&CPU, "bitonic", 0, 4, "C4+B8 B4 B2, tiles of 512 x 4"},
        {&CPU, "bitonic", 4, 0, "C4+B16 B8 B4 B2, tiles of 512 x 4"},
        {&IMPATIENT, "bitonic", 0, 0, "C4+B16 B8 B4 B2, tiles of 256 x 4"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char line[128] = "";
        struct cls_text text = CLS_TEXT(line);
        struct cls_choice choice;
        const bool can = choose(rows[i].caps, rows[i].algorithm, rows[i].custom_bytes,
                                rows[i].value_size, &choice);
        assert_int_equal(can, rows[i].kernels != NULL);
        if (!can)
            continue;
        choice.algo->describe(&choice.tuning, &choice.spec, 100000, &text);
        assert_string_equal(line, rows[i].kernels);
    }
}

/* The self-test runs every kernel, with a small count. */
static void test_trials(void **state)
{
    static const struct {
        const struct cls_caps *caps;
        const char *algorithm;
        uint64_t count;
    } rows[] = {
        {&GPU, "bitonic", (2048 << 3) + 1},  {&GPU, "bitonic:C2+B", (1024 << 3) + 1},
        {&GPU, "bitonic:B", (256 << 3) + 1}, {&GPU, "bitonic:B2", 256 + 1},
        {&CPU, "bitonic", 2 * 8192 + 1},     {&SMALL, "bitonic", (256 << 3) + 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct cls_choice choice;
        assert_true(choose(rows[i].caps, rows[i].algorithm, 0, 0, &choice));
        assert_int_equal(choice.algo->self_test_count(&choice.tuning), rows[i].count);
    }
}

static void test_scratch(void **state)
{
    static const struct {
        const struct cls_caps *caps;
        size_t value_size;
        uint64_t control;
    } rows[] = {{&GPU, 0, 0}, {&GPU, 16, 0}, {&GPU, 17, sizeof(cls_control_head)}, {&CPU, 0, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct cls_choice choice;
        struct cls_schedule schedule;
        assert_true(choose(rows[i].caps, "bitonic", 0, rows[i].value_size, &choice));
        choice.algo->schedule(&choice.tuning, &choice.spec, 100000, &schedule);
        assert_int_equal(schedule.regions, CLS_OWN_REGIONS);
        assert_int_equal(schedule.region_bytes[CLS_CONTROL], rows[i].control);
        assert_int_equal(schedule.region_bytes[CLS_KEYS] + schedule.region_bytes[CLS_VALUES], 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_trials),
        cmocka_unit_test(test_scratch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
