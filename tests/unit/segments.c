/* segments.c - the scratch memory of segmented sorts on several devices: its bound, and that it is monotonic */
#include "algo/segments/segments.h"
#include "plan/plan.h"
#include "plan/segmented_test.h"

#include "unit.h"

static const struct cls_caps DEVICES[] = {
    {.type = CL_DEVICE_TYPE_CPU, .units = 1, .group_size = 4096, .local_bytes = 1 << 20},
    {.type = CL_DEVICE_TYPE_CPU,
     .units = 192,
     .group_size = 4096,
     .local_bytes = 2 << 20,
     .compresses = true},
    {.type = CL_DEVICE_TYPE_GPU, .units = 132, .group_size = 1024, .local_bytes = 48 << 10},
    {.type = CL_DEVICE_TYPE_GPU, .units = 2, .group_size = 32, .local_bytes = 16 << 10},
    {.type = CL_DEVICE_TYPE_GPU,
     .units = 132,
     .group_size = 1024,
     .local_bytes = 48 << 10,
     .sub_group_size = 32,
     .sub_group_backend = CLS_SUB_GROUP_NVIDIA},
};
enum { FEW = 1 << 26 }; /* elements */
static const uint64_t NUMBERS[] = {0, 1, 100, 4096, 100000, 1 << 22, 1 << 29, 1ull << 33};

static uint64_t scratch_of(const struct cls_segments *segments, uint64_t count, uint64_t number)
{
    uint64_t bytes[CLS_SEGMENTS_REGIONS], sum = 0;
    cls_segments_scratch(segments, count, number, bytes);
    for (size_t i = 0; i < CLS_SEGMENTS_REGIONS; i++)
        sum += bytes[i];
    return sum;
}

static struct cls_segments segments_for(const struct cls_caps *caps, clsort_key key,
                                        size_t value_size, unsigned index_bits, uint64_t wanted)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    struct cls_request request;
    struct cls_segments segments;
    const char *why;
    desc.key = key;
    desc.value_size = value_size;
    desc.segments = CLSORT_OFFSETS;
    assert_int_equal(cls_request_read(&desc, &request), CLSORT_OK);
    request.spec.index_bits = index_bits;
    assert_true(cls_segments_for(caps, &request.spec, 8, wanted, &segments, &why));
    return segments;
}

static void check(const struct cls_segments *segments)
{
    const uint64_t element = segments->spec.key_bytes + segments->spec.value_bytes;
    for (size_t c = 0; c < sizeof NUMBERS / sizeof *NUMBERS && NUMBERS[c] <= segments->max_count;
         c++)
        for (size_t n = 0; n < sizeof NUMBERS / sizeof *NUMBERS; n++) {
            const uint64_t count = NUMBERS[c], number = NUMBERS[n];
            const uint64_t bytes = scratch_of(segments, count, number);
            assert_true(bytes <= count * element + count * element / 16 + (32 << 20) +
                                     number * 2 * (segments->spec.index_bits / 8));
            if (c > 0)
                assert_true(bytes >= scratch_of(segments, NUMBERS[c - 1], number));
            if (n > 0)
                assert_true(bytes >= scratch_of(segments, count, NUMBERS[n - 1]));
        }
}

static void test_scratch(void **state)
{
    (void)state;
    for (size_t d = 0; d < sizeof DEVICES / sizeof *DEVICES; d++)
        for (int key = CLSORT_U8; key <= CLSORT_F64; key++)
            for (size_t value_size = 0; value_size <= 16; value_size += 4)
                for (unsigned bits = 32; bits <= 64; bits += 32) {
                    struct cls_caps caps = DEVICES[d];
                    caps.index32_max = UINT32_MAX;
                    caps.max_iterations = UINT64_MAX;
                    for (size_t i = 0; i < 2; i++) {
                        const struct cls_segments segments = segments_for(
                            &caps, (clsort_key)key, value_size, bits, i == 0 ? FEW : UINT64_MAX);
                        check(&segments);
                    }
                }
}

/* A GPU sorts segments by their lengths if MSD supports as many elements as the caller wants. */
static void test_by_length(void **state)
{
    struct cls_caps caps = DEVICES[sizeof DEVICES / sizeof *DEVICES - 1];
    (void)state;
    caps.index32_max = UINT32_MAX;
    caps.max_iterations = UINT64_MAX;
    for (size_t value_size = 0; value_size <= 8; value_size += 4) {
        const struct cls_segments few = segments_for(&caps, CLSORT_U32, value_size, 32, FEW),
                                  many =
                                      segments_for(&caps, CLSORT_U32, value_size, 64, UINT64_MAX);
        assert_true(few.by_length && few.max_count >= FEW);
        assert_false(many.by_length);
        assert_true(many.max_count > few.max_count);
    }
    assert_false(segments_for(&DEVICES[0], CLSORT_U32, 0, 32, FEW).by_length);
}

/* Chooses the sort of begins and ends, as cls_plan_create does. */
static void make_order(const struct cls_caps *caps, const struct cls_request *request,
                       struct clsort_plan *plan)
{
    const struct cls_ladders ladders = cls_ladders_for(caps);
    *plan = (struct clsort_plan){.request = cls_segmented_order_request(request, 0)};
    while (plan->max_count < plan->request.max_count) {
        assert_true(cls_choose(caps, &ladders, &plan->request, plan->max_count + 1, 0,
                               &plan->stage[plan->stages].choice));
        cls_plan_append_stage(plan);
    }
}

/* The scratch memory of begins and ends, too, is as clsort.h states. */
static void check_begins_and_ends(const struct cls_caps *caps, uint32_t index_size)
{
    static struct clsort_plan order;
    clsort_desc desc = CLSORT_DESC_INIT;
    struct cls_request request;
    struct cls_segmented segmented = {.order = NULL};
    desc.value_size = 4;
    desc.segments = CLSORT_BEGIN_END;
    desc.index_size = index_size;
    desc.max_segments = NUMBERS[sizeof NUMBERS / sizeof *NUMBERS - 1];
    desc.max_count = UINT32_MAX;
    assert_int_equal(cls_request_read(&desc, &request), CLSORT_OK);
    assert_int_equal(cls_segmented_choose(caps, &request, &segmented), CLSORT_OK);
    make_order(caps, &request, &order);
    segmented.order = &order;
    for (size_t c = 0; c < sizeof NUMBERS / sizeof *NUMBERS; c++)
        for (size_t n = 0; n < sizeof NUMBERS / sizeof *NUMBERS; n++) {
            const uint64_t count = NUMBERS[c], number = NUMBERS[n];
            const uint64_t bytes = cls_segmented_scratch_for(&segmented, count, number);
            assert_true(bytes <= count * 8 + count / 2 + (64 << 20) + number * 33);
            assert_true(bytes >= count * 8 + number * 4 * index_size);
            if (n > 0)
                assert_true(bytes >= cls_segmented_scratch_for(&segmented, count, NUMBERS[n - 1]));
        }
}

static void test_begins_and_ends(void **state)
{
    (void)state;
    for (size_t d = 0; d < sizeof DEVICES / sizeof *DEVICES; d++)
        for (uint32_t index_size = 4; index_size <= 8; index_size += 4) {
            struct cls_caps caps = DEVICES[d];
            caps.index32_max = UINT32_MAX;
            caps.max_iterations = caps.max_launch_tiles = caps.max_sample_bits = UINT64_MAX;
            caps.max_alloc = 1ull << 40;
            check_begins_and_ends(&caps, index_size);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_scratch),
                                       cmocka_unit_test(test_by_length),
                                       cmocka_unit_test(test_begins_and_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
