/* scratch.c - the sizes of the scratch regions of each algorithm, with 32-bit and 64-bit indexes */
#include "algo/msd/tile_size.h"
#include "base/arithmetic.h"
#include "plan/stage.h"

#include "records.h"
#include "unit.h"

static const struct cls_caps DEVICES[] = {
    {.type = CL_DEVICE_TYPE_GPU,
     .units = 132,
     .group_size = 1024,
     .local_bytes = 48 << 10,
     .sub_group_size = 32,
     .sub_group_backend = CLS_SUB_GROUP_NVIDIA},
    {.type = CL_DEVICE_TYPE_CPU, .units = 1, .group_size = 4096, .local_bytes = 1 << 20},
    {.type = CL_DEVICE_TYPE_CPU, .units = 192, .group_size = 4096, .local_bytes = 1 << 20},
    {.type = CL_DEVICE_TYPE_CPU,
     .units = 2,
     .group_size = 1,
     .local_bytes = 2 << 20,
     .compresses = true},
    {.type = CL_DEVICE_TYPE_CPU,
     .units = 64,
     .group_size = 1,
     .local_bytes = 1 << 20,
     .compresses = true},
    {.type = CL_DEVICE_TYPE_CPU,
     .units = 192,
     .group_size = 1,
     .local_bytes = 1 << 20,
     .compresses = true},
    {.type = CL_DEVICE_TYPE_GPU, .units = 132, .group_size = 1024, .local_bytes = 48 << 10},
    {.type = CL_DEVICE_TYPE_GPU, .units = 4096, .group_size = 256, .local_bytes = 32 << 10},
    {.type = CL_DEVICE_TYPE_GPU, .units = 2, .group_size = 32, .local_bytes = 16 << 10},
};
/* With the properties that its driver reports. */
static const struct cls_caps *const H200 = &DEVICES[0];
static const uint64_t COUNTS[] = {
    1, 4096, 65536, 65537, 1 << 20, 1 << 24, (1ull << 32) - (1 << 28)};

/* Chooses an algorithm for the count, with indexes of 32 or of 64 bits. */
static bool choose(struct cls_caps caps, const struct cls_algo *algo, clsort_key key,
                   size_t value_size, uint64_t count, unsigned index_bits,
                   struct cls_choice *choice)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    clsort_column column;
    struct cls_request request;
    desc.key = key;
    desc.value_size = value_size;
    desc.algorithm = algo->name;
    if (!(algo->operations & CLS_SORTS)) { /* it has no public name */
        desc.algorithm = NULL;
        while (!(algo->operations & CLS_OPERATION(desc.operation)))
            desc.operation++;
        if (desc.operation == (value_size == 0 ? CLSORT_GATHER : CLSORT_CHECK))
            return false;
    }
    if (!describe_records(algo, &column, &desc))
        return false;
    caps.max_iterations = caps.max_launch_tiles = caps.max_sample_bits = UINT64_MAX;
    caps.index32_max = index_bits == 32 ? UINT32_MAX : 0;
    assert_int_equal(cls_request_read(&desc, &request), CLSORT_OK);
    const struct cls_ladders ladders = cls_ladders_for(&caps);
    return cls_choose(&caps, &ladders, &request, count, 0, choice);
}

/* Regions of keys and values have the same size with both kinds of indexes. Tables of indexes have the same number of
 * entries. The other regions do not depend on indexes. Only onesweep has tables of both kinds in one region. */
static void check_widths(const struct cls_caps *caps, const struct cls_algo *algo, clsort_key key,
                         uint64_t count)
{
    struct cls_choice narrow, wide;
    struct cls_schedule narrow_schedule, wide_schedule;
    if (!choose(*caps, algo, key, 4, count, 32, &narrow) ||
        !choose(*caps, algo, key, 4, count, 64, &wide) ||
        memcmp(&narrow.tuning.radix, &wide.tuning.radix, sizeof narrow.tuning.radix) != 0)
        return;
    algo = narrow.algo; /* may be another variant */
    algo->schedule(&narrow.tuning, &narrow.spec, count, &narrow_schedule);
    algo->schedule(&wide.tuning, &wide.spec, count, &wide_schedule);
    const uint64_t *small = narrow_schedule.region_bytes, *large = wide_schedule.region_bytes;
    const size_t regions = narrow_schedule.regions;
    assert_int_equal(wide_schedule.regions, regions);
    assert_in_range(regions, CLS_OWN_REGIONS, CLS_MAX_REGIONS);
    bool has_table = false;
    for (size_t i = 0; i < regions; i++) {
        const bool is_table = large[i] == 2 * small[i] && small[i] > 0;
        if (algo == &cls_algo_onesweep && i >= CLS_OWN_REGIONS)
            assert_in_range(large[i], small[i] + 1, 2 * small[i] - 1);
        else
            assert_true(is_table || large[i] == small[i]);
        has_table |= is_table;
    }
    if (small[CLS_KEYS] > 0) {
        assert_int_equal(small[CLS_KEYS], count * narrow.spec.key_bytes);
        assert_int_equal(small[CLS_VALUES], count * 4);
    }
    /* Algorithms that count digits in several work-groups have a table. */
    assert_true(has_table ||
                (algo != &cls_algo_radix && (algo != &cls_algo_cpu_radix || count <= 65536)));
}

static void test_indexes(void **state)
{
    (void)state;
    for (size_t d = 0; d < sizeof DEVICES / sizeof *DEVICES; d++)
        for (size_t a = 0; cls_algos[a]; a++)
            for (int key = CLSORT_U8; key <= CLSORT_U64; key++)
                for (size_t c = 0; c < sizeof COUNTS / sizeof *COUNTS; c++)
                    check_widths(&DEVICES[d], cls_algos[a], (clsort_key)key, COUNTS[c]);
}

static uint64_t all_bytes(const struct cls_choice *choice, uint64_t count)
{
    struct cls_schedule schedule;
    uint64_t sum = 0;
    choice->algo->schedule(&choice->tuning, &choice->spec, count, &schedule);
    for (size_t i = 0; i < schedule.regions; i++)
        sum += cls_round_up(schedule.region_bytes[i], CLS_REGION_ALIGNMENT);
    return sum;
}

/* Counts at which rounding to whole tiles, chunks and bins could make the scratch of a larger count smaller. */
static void test_never_less_for_more(void **state)
{
    static const uint64_t steps[] = {64, 4096, 6144, 24 << 10, 147456, 245760, 1 << 20, 139881984};
    (void)state;
    for (size_t d = 0; d < sizeof DEVICES / sizeof *DEVICES; d++)
        for (size_t a = 0; cls_algos[a]; a++)
            for (int key = CLSORT_U8; key <= CLSORT_U64; key++)
                for (size_t value_size = 0; value_size <= 4; value_size += 4) {
                    struct cls_choice choice;
                    if (!choose(DEVICES[d], cls_algos[a], (clsort_key)key, value_size, 1, 32,
                                &choice))
                        continue;
                    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++)
                        for (uint64_t i = 1; i <= 600; i++) {
                            const uint64_t count = i * steps[s];
                            if (count >= choice.max_count)
                                break;
                            const uint64_t before = all_bytes(&choice, count - 1),
                                           here = all_bytes(&choice, count);
                            assert_true(before <= here);
                            assert_true(here <= all_bytes(&choice, count + 1));
                        }
                }
}

/* Checks the bound that clsort.h promises for counts up to the maximum of the choice. Returns the largest one. */
static uint64_t check_bound(const struct cls_choice *choice)
{
    const uint64_t element = choice->spec.key_bytes + choice->spec.value_bytes,
                   max = cls_min(choice->max_count, 1ull << 40);
    uint64_t count = 1;
    for (uint64_t step = 1; step > 0; count += step) {
        const uint64_t data = count * element;
        assert_true(all_bytes(choice, count) <= data + data / 16 + (32 << 20));
        step = cls_min(count / 3 + 1, max - count);
    }
    return count;
}

static void test_bounded(void **state)
{
    (void)state;
    for (size_t a = 0; cls_algos[a]; a++) {
        uint64_t max_count = 0;
        for (size_t d = 0; d < sizeof DEVICES / sizeof *DEVICES; d++)
            for (int key = CLSORT_U8; key <= CLSORT_U64; key++)
                for (size_t value_size = 0; value_size <= 16; value_size += 4)
                    for (unsigned index_bits = 32; index_bits <= 64; index_bits += 32)
                        for (uint64_t from = 1; from <= 1 << 23; from <<= 1) {
                            struct cls_choice choice;
                            if (choose(DEVICES[d], cls_algos[a], (clsort_key)key, value_size, from,
                                       index_bits, &choice) &&
                                choice.algo == cls_algos[a])
                                max_count = cls_max(max_count, check_bound(&choice));
                        }
        /* Otherwise no large table was checked. `local` sorts one tile. `hybrid` has the tables of its variant `msd`,
         * which sorts little here. */
        assert_true(max_count > 1 << 28 || cls_algos[a] == &cls_algo_local ||
                    cls_algos[a] == &cls_algo_msd);
    }
}

/* Checks the scratch memory of a sort that gathers values, with the gather: its bound, and that the regions of the sort
 * do not overlap where the slice takes them. */
static void check_gather(const struct cls_choice *choice, size_t value_size, uint64_t count)
{
    const struct cls_gather *gather = &choice->gather;
    const struct cls_stage stage = {.choice = *choice};
    const struct cls_layout layout = cls_stage_layout(&stage, count);
    const uint64_t data = count * (choice->spec.key_bytes + value_size);
    const uint64_t *used = layout.schedule.region_bytes, *bytes = layout.region_bytes;
    const clsort_buffer merged[CLS_OWN_REGIONS] = {{NULL, 0}};
    clsort_buffer region[CLS_OWN_REGIONS];
    assert_true(layout.total <= data + data / 16 + (32 << 20));
    assert_in_range(cls_gather_slice(gather), 1, value_size);
    assert_true(count * cls_gather_slice(gather) <= bytes[CLS_KEYS]);
    cls_gather_place(gather, count, merged, CLS_OWN_REGIONS, region);
    assert_true(region[CLS_KEYS].offset + used[CLS_KEYS] <= bytes[CLS_KEYS] || used[CLS_KEYS] == 0);
    if (gather->merges_regions)
        assert_true(region[CLS_VALUES].offset + used[CLS_VALUES] <= region[CLS_KEYS].offset);
    else
        assert_true(region[CLS_KEYS].offset == 0 && used[CLS_VALUES] <= bytes[CLS_VALUES]);
}

static void test_gathers(void **state)
{
    static const size_t sizes[] = {9, 12, 16, 17, 20, 24, 32, 63, 64, 100, 256};
    size_t checked[2] = {0, 0};
    (void)state;
    for (size_t a = 0; cls_algos[a]; a++)
        for (size_t d = 0; d < sizeof DEVICES / sizeof *DEVICES; d++)
            for (int key = CLSORT_U8; key <= CLSORT_U64; key++)
                for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
                    for (unsigned index_bits = 32; index_bits <= 64; index_bits += 32)
                        for (uint64_t count = 1; count < 1ull << 31; count = count * 27 + 5) {
                            struct cls_choice choice;
                            if (choose(DEVICES[d], cls_algos[a], (clsort_key)key, sizes[s], count,
                                       index_bits, &choice) &&
                                choice.gathers) {
                                check_gather(&choice, sizes[s], count);
                                checked[choice.gather.merges_regions]++;
                            }
                        }
    assert_true(checked[0] > 0 && checked[1] > 0);
}

static void expect_slice(clsort_key key, size_t value_size, bool merges_regions, uint64_t slice)
{
    struct cls_choice choice;
    assert_true(choose(*H200, &cls_algo_onesweep, key, value_size, 270337, 32, &choice));
    assert_true(choice.gathers);
    assert_int_equal(choice.gather.merges_regions, merges_regions);
    assert_int_equal(cls_gather_slice(&choice.gather), slice);
}

/* In place, values of up to 64 bytes move at once. */
static void test_slices(void **state)
{
    (void)state;
    expect_slice(CLSORT_U32, 16, true, 16);
    expect_slice(CLSORT_U32, 64, true, 64);
    expect_slice(CLSORT_U32, 100, true, 64);
    expect_slice(CLSORT_U64, 9, false, 9);
    expect_slice(CLSORT_U64, 12, false, 12);
    expect_slice(CLSORT_U64, 16, true, 16);
    expect_slice(CLSORT_U64, 64, true, 64);
}

/* Counting sort on CPUs makes no copy. */
static void test_tables_of_counts(void **state)
{
    (void)state;
    for (size_t d = 0; d < sizeof DEVICES / sizeof *DEVICES; d++)
        for (int key = CLSORT_U8; key <= CLSORT_U16; key++)
            for (uint64_t count = 1; count < 1ull << 40; count += count / 3 + 1) {
                struct cls_choice choice;
                if (!choose(DEVICES[d], &cls_algo_count_cores, (clsort_key)key, 0, count, 64,
                            &choice)) {
                    assert_true(key == CLSORT_U16 && count >= 1ull << 36);
                    break;
                }
                assert_true(all_bytes(&choice, count) <=
                            count * choice.spec.key_bytes + (32 << 20));
            }
}

static void expect_description(clsort_key key, size_t value_size, uint64_t count,
                               const char *expected)
{
    struct cls_choice choice;
    char line[128];
    struct cls_text text = CLS_TEXT(line);
    assert_true(choose(*H200, &cls_algo_msd, key, value_size, count, 32, &choice));
    choice.algo->describe(&choice.tuning, &choice.spec, count, &text);
    assert_memory_equal(line, expected, strlen(expected));
}

/* Inputs of one tile have one of two tiles. */
static void test_single_tiles(void **state)
{
    (void)state;
    expect_description(CLSORT_U32, 0, 3328, "tiles of 256 x 13");
    expect_description(CLSORT_U32, 0, 3329, "tiles of 256 x 19");
    expect_description(CLSORT_U32, 0, 4864, "tiles of 256 x 19");
    expect_description(CLSORT_U64, 4, 2304, "tiles of 256 x 9");
    expect_description(CLSORT_U64, 4, 2305, "tiles of 256 x 17");
}

/* The digits do not exceed the bits of keys. A third round is used only if buckets are too large after two. */
static void test_rounds(void **state)
{
    (void)state;
    expect_description(CLSORT_U32, 0, 1 << 20, "rounds: 1,");
    expect_description(CLSORT_U32, 0, 1 << 28, "rounds: 2,");
    expect_description(CLSORT_U32, 0, 302 << 20, "rounds: 3,");
    expect_description(CLSORT_U64, 8, 1 << 28, "rounds: 2,");
    expect_description(CLSORT_U16, 4, 302 << 20, "rounds: 2,");
    expect_description(CLSORT_U8, 4, 302 << 20, "rounds: 1,");
}

static void expect_tile(clsort_key key, size_t value_size, unsigned items, unsigned groups)
{
    struct cls_choice choice;
    assert_true(choose(*H200, &cls_algo_msd, key, value_size, 1 << 18, 32, &choice));
    assert_int_equal(choice.tuning.group_size, 256);
    assert_int_equal(choice.tuning.msd.items, items);
    assert_int_equal(choice.tuning.msd.unit_size, 256 * groups);
    assert_true(
        cls_msd_round_exchanges_values(H200, &choice.spec, (struct cls_msd_size){256, items}));
}

/* The fastest tiles fit in local memory with their values: 40 KiB for elements of more than 4 bytes. */
static void test_tiles(void **state)
{
    (void)state;
    expect_tile(CLSORT_U16, 0, 32, 2);
    expect_tile(CLSORT_U32, 0, 32, 2);
    expect_tile(CLSORT_U64, 0, 20, 2);
    expect_tile(CLSORT_U32, 4, 40, 1);
    expect_tile(CLSORT_U32, 8, 20, 1);
    expect_tile(CLSORT_U64, 16, 10, 1);
}

/* Values that do not fit in local memory next to the ranks are not exchanged there. The work-groups of the fallback
 * kernels are then as large as the others. With smaller ones, small inputs could not be sorted in one launch. */
static void test_fallback(void **state)
{
    (void)state;
    struct cls_caps caps = *H200;
    struct cls_choice choice;
    caps.sub_group_backend = CLS_SUB_GROUP_KHR;
    caps.sub_group_size = 16;
    for (size_t value_size = 0; value_size <= 16; value_size += 4) {
        assert_true(choose(caps, &cls_algo_msd, CLSORT_U32, value_size, 1 << 20, 32, &choice));
        assert_int_equal(choice.tuning.msd.fallback_group_size,
                         choice.tuning.msd.bucket_group_size);
    }
}

/* The tables hold the large buckets after two rounds: 26600 if the density of 2^28 keys is a triangle, and 2^14 if more
 * keys are distributed uniformly. */
static void test_large_buckets(void **state)
{
    (void)state;
    struct cls_choice choice;
    assert_true(choose(*H200, &cls_algo_msd, CLSORT_U32, 0, 1 << 29, 32, &choice));
    assert_true(cls_msd_max_large_buckets(&choice.tuning, &choice.spec, 1 << 28) >= 26600);
    assert_true(cls_msd_max_large_buckets(&choice.tuning, &choice.spec, 1 << 29) >= 1 << 14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_indexes),       cmocka_unit_test(test_never_less_for_more),
        cmocka_unit_test(test_bounded),       cmocka_unit_test(test_tables_of_counts),
        cmocka_unit_test(test_rounds),        cmocka_unit_test(test_single_tiles),
        cmocka_unit_test(test_tiles),         cmocka_unit_test(test_fallback),
        cmocka_unit_test(test_large_buckets), cmocka_unit_test(test_gathers),
        cmocka_unit_test(test_slices)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
