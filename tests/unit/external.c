/* external.c - the engine of external sorts, compared with sorts in memory: sizes around blocks and runs, several
 * passes, ties, stretches in order, records of every size, several inputs, merges, streams, both ways of output */
#include "external_case.h"

#include "unit.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

enum { BLOCKS_MEMORY = 6600000 /* with which blocks have 4096 elements of 3 bytes */ };

static void every_form(void **state)
{
    static const size_t counts[] = {0, 1, 511, 512, 513, 20000};

    (void)state;
    use(4, 8);
    for (int form = 0; form < FORM_COUNT; form++)
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
            sorts((enum form)form, counts[i], &plain);
}

static void around_borders(void **state)
{
    (void)state;
    use(2, 8);
    const struct external_plan plan = sorts(RANDOM, 30000, &plain);
    const size_t borders[] = {plan.block_elements, plan.run_elements, 2 * plan.run_elements,
                              plan.fan_in * plan.run_elements};

    for (size_t i = 0; i < sizeof borders / sizeof borders[0]; i++)
        for (size_t count = borders[i] - 1; count <= borders[i] + 1; count++)
            sorts(FEW, count, &plain);
}

static void three_passes(void **state)
{
    (void)state;
    use(1, 4);
    const struct external_plan plan = sorts(RANDOM, 200000, &plain);

    assert_true(plan.passes >= 4);
    assert_int_equal(phases_begun, plan.passes);
    assert_true(bytes_moved <= plan.bytes_moved);
    assert_true(sorts(FEW, 200000, &plain).passes >= 4);
}

static void in_order(void **state)
{
    (void)state;
    use(4, 8);
    sorts(EQUAL, 100000, &plain);
    assert_int_equal(bytes_moved, 2 * 100000 * 8); /* one read, one write */
    sorts(SORTED, 100000, &plain);
    assert_int_equal(bytes_moved, 2 * 100000 * 8); /* one read, one write */
    assert_int_equal(phases_begun, 1);
}

static void every_size(void **state)
{
    static const size_t sizes[] = {1, 2, 3, 7, 100, 1000, 4095, 4096, 4097, 9000};
    struct variant variant = plain;

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        use(1, sizes[i]);
        for (variant.header_size = 0; variant.header_size <= 4096; variant.header_size += 1024)
            sorts(RANDOM, 200000 / (sizes[i] + 10), &variant);
        variant.header_size = 128;
        sorts(STRETCHES, 3000000 / (sizes[i] + 200), &variant);
    }
}

/* Runs that are written from where they have been sorted, of elements whose size is no power of two */
static void in_place(void **state)
{
    static const size_t sizes[] = {3, 12, 24};
    static const enum source sources[] = {ONE_FILE, SEVERAL_FILES, STREAM};
    static const enum form forms[] = {RANDOM, STRETCHES, SORTED_FIRST, REVERSED};

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        use(2, sizes[i]);
        for (size_t j = i; j < 8; j += 3) {
            const struct variant variant = {.source = sources[j % 3],
                                            .header_size = j & 1 ? 128 : 0,
                                            .folder_count = j & 2 ? 3 : 1,
                                            .memory = BLOCKS_MEMORY,
                                            .compression = j & 4 ? CODEC_LZ4 : CODEC_NONE};

            if (!codec_is_available(variant.compression))
                continue;
            const struct external_plan plan =
                sorts(forms[j % 4], 5 * BLOCKS_MEMORY / 8 / sizes[i], &variant);
            assert_true(plan.is_in_place);
        }
        assert_false(sorts(RANDOM, 100, &plain).is_in_place);
    }
}

static atomic_size_t encoded_blocks;

/* The linker option --wrap redirects calls of codec_encode. */
size_t __real_codec_encode(struct codec *codec, size_t worker, unsigned char *data, size_t size,
                           size_t capacity);
size_t __wrap_codec_encode(struct codec *codec, size_t worker, unsigned char *data, size_t size,
                           size_t capacity);

size_t __wrap_codec_encode(struct codec *codec, size_t worker, unsigned char *data, size_t size,
                           size_t capacity)
{
    atomic_fetch_add(&encoded_blocks, 1);
    return __real_codec_encode(codec, worker, data, size, capacity);
}

/* Blocks of elements that hardly get smaller are compressed in the first run, and few of them later. */
static void sampled(void **state)
{
    const struct variant variant = {
        .folder_count = 1, .memory = BLOCKS_MEMORY, .compression = CODEC_LZ4, .is_sampled = true};

    (void)state;
    if (!codec_is_available(variant.compression))
        skip();
    use(2, 32);
    atomic_store(&encoded_blocks, 0);
    const struct external_plan plan = sorts(RANDOM, 3 * BLOCKS_MEMORY / 2 / 32, &variant);
    const size_t run = plan.run_elements / plan.block_elements;
    assert_true(plan.is_in_place && plan.run_count >= 5);
    assert_in_range(encoded_blocks, run, run + run * plan.run_count / 8);
}

static void every_variant(void **state)
{
    (void)state;
    use(2, 6);
    for (int i = 0; i < 16 * SOURCE_COUNT; i++) {
        const struct variant variant = {.source = (enum source)(i / 16),
                                        .header_size = i & 1 ? 100 : 0,
                                        .is_piped = i & 2,
                                        .is_unique = i & 4,
                                        .folder_count = i & 8 ? 3 : 1,
                                        .memory = MEMORY};

        for (int form = 0; form < FORM_COUNT; form++)
            sorts((enum form)form, 12000, &variant);
    }
}

/* Compressed runs, of which some blocks do not shrink, in up to four passes and three folders */
static void compressed(void **state)
{
    static const size_t sizes[][2] = {{1, 1},   {4, 4},   {8, 8},   {3, 7},
                                      {8, 100}, {2, 300}, {8, 9000}};

    (void)state;
    for (int i = 0; i < 4; i++) {
        const struct variant variant = {.folder_count = i & 1 ? 3 : 1,
                                        .memory = MEMORY,
                                        .compression = i & 2 ? CODEC_ZSTD : CODEC_LZ4,
                                        .is_sampled = i == 0 || i == 3};

        if (!codec_is_available(variant.compression))
            continue;
        for (size_t j = 0; j < sizeof sizes / sizeof sizes[0]; j++) {
            use(sizes[j][0], sizes[j][1]);
            for (int form = 0; form < FORM_COUNT; form++)
                assert_int_equal(
                    sorts((enum form)form, 400000 / (sizes[j][1] + 10), &variant).compression,
                    variant.compression);
        }
        use(8, 8);
        assert_true(sorts(RANDOM, 100000, &variant).passes >= 3);
        assert_int_equal(sorts(RANDOM, 5, &variant).compression, CODEC_NONE);
    }
}

/* Sizes of files around blocks and runs, and several passes. */
static void every_source(void **state)
{
    static const size_t counts[] = {0, 1, 511, 512, 513, 9000, 20017, 90049};
    struct variant variant = plain;

    (void)state;
    use(1, 4);
    for (int source = 0; source < SOURCE_COUNT; source++) {
        variant.source = (enum source)source;
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
            sorts(RANDOM, counts[i], &variant);
            sorts(SORTED, counts[i], &variant);
        }
    }
    variant.source = STREAM;
    const size_t run = sorts(FEW, 20000, &variant).run_elements;
    for (size_t count = run - 1; count <= run + 1; count++)
        sorts(FEW, count, &variant);
}

/* An input that is overwritten during the sort leads to an error, or to an output of the right size. */
static void changed_input(void **state)
{
    struct variant variant = plain;
    unsigned refused[2] = {0};

    (void)state;
    use(2, 6);
    for (variant.change_at = 1; variant.change_at < 30; variant.change_at++) {
        for (int i = 0; i < 2; i++) {
            variant.is_unverified = i == 1;
            sorts(STRETCHES, 60000, &variant);
            refused[i] += is_refused;
        }
    }
    assert_true(refused[0] > 0 && refused[1] > 0);
}

/* Selects from 30000 elements, of which some are equal and differ in their indexes. Returns the plan. */
static struct external_plan selects(enum form form, struct variant variant, uint64_t first,
                                    uint64_t count)
{
    enum { COUNT = 30000 };
    const bool is_from_end = variant.source != STREAM && COUNT - first < first + count;

    variant.memory = 400 << 10; /* so that 6000 elements are selected in one read */
    variant.selection = (struct external_selection){true, first, count, is_from_end};
    return sorts(form, COUNT, &variant);
}

static void selections(void **state)
{
    static const uint64_t ks[] = {0, 1, 300, 14999, 27000, 29999, 30000};
    struct variant variant = plain;

    (void)state;
    use(4, 8);
    for (int i = 0; i < 2; i++) {
        variant.source = i == 0 ? STREAM : ONE_FILE;
        variant.is_piped = i == 0;
        variant.header_size = i == 0 ? 0 : 128;
        for (int form = 0; form <= REVERSED; form++) {
            for (size_t j = 0; j < sizeof ks / sizeof ks[0]; j++) {
                selects((enum form)form, variant, 0, ks[j]);
                if (ks[j] < 30000)
                    selects((enum form)form, variant, ks[j], 1);
            }
        }
    }
}

/* Elements from the middle need the whole sort, others one read. */
static void selection_passes(void **state)
{
    (void)state;
    use(4, 8);
    assert_int_equal(selects(RANDOM, plain, 0, 500).passes, 1);
    assert_int_equal(bytes_moved, (30000 + 500) * 8);
    assert_int_equal(selects(FEW, plain, 29500, 1).passes, 1);
    assert_int_equal(bytes_moved, (30000 + 1) * 8);
    assert_true(selects(FEW, plain, 15000, 1).passes > 1);
}

static void rows(void **state)
{
    static const size_t lengths[] = {1, 3, 500, 1500};
    struct variant variant = plain;

    (void)state;
    use(4, 8);
    for (int i = 0; i < 4; i++) {
        variant.is_piped = i & 1;
        variant.header_size = i & 2 ? 80 : 0;
        for (size_t j = 0; j < sizeof lengths / sizeof lengths[0]; j++) {
            variant.row_elements = lengths[j];
            for (int form = 0; form < FORM_COUNT; form++)
                assert_int_equal(sorts((enum form)form, 30000, &variant).passes, 1);
            assert_int_equal(bytes_moved, 2 * 30000 * 8 + variant.header_size);
        }
    }
}

/* Attempts that fail at any time are continued, whatever the runs are: in the store, compressed, or in inputs. */
static void interrupted(void **state)
{
    static const enum source sources[] = {ONE_FILE, SEVERAL_FILES, MERGED_FILES};
    struct variant variant = plain;

    (void)state;
    variant.is_interrupted = true;
    for (int i = 0; i < 6; i++) {
        variant.source = sources[i % 3];
        variant.compression = i < 3 ? CODEC_NONE : codec_best();
        variant.is_unique = i == 1;
        variant.is_unverified = i == 2;
        use(i < 3 ? 2 : 8, i < 3 ? 6 : 100);
        for (int form = 0; form < FORM_COUNT; form++) {
            sorts((enum form)form, i < 3 ? 60000 : 4000, &variant);
            assert_true(form != RANDOM || attempts > 3);
        }
    }
    use(1, 9000);
    sorts(FEW, 300, &variant);
    variant.source = SEVERAL_FILES;
    variant.is_indexed = true;
    use(8, 12);
    sorts(FEW, 20000, &variant);
}

/* No run is formed twice. */
static void continued_runs(void **state)
{
    enum { COUNT = 30000 };
    struct variant variant = plain;

    (void)state;
    use(4, 8);
    variant.is_interrupted = true;
    assert_true(sorts(RANDOM, COUNT, &variant).run_count > 5);
    assert_true(attempts > 3);
    assert_int_equal(formed_elements, COUNT);
}

static void indexes(void **state)
{
    static const size_t counts[] = {0, 1, 512, 9000, 30000};
    static const size_t keys[] = {1, 4, 8};
    struct variant variant = plain;

    (void)state;
    variant.is_indexed = true;
    for (int i = 0; i < 8; i++) {
        variant.source = i & 1 ? SEVERAL_FILES : i & 2 ? STREAM : ONE_FILE;
        variant.is_piped = i & 4;
        variant.header_size = i & 2 ? 0 : 128;
        for (size_t j = 0; j < sizeof keys / sizeof keys[0]; j++) {
            use(keys[j], keys[j] + 4);
            for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++)
                for (int form = RANDOM; form <= FEW; form++)
                    sorts((enum form)form, counts[k], &variant);
        }
    }
    use(8, 12);
    assert_true(sorts(FEW, 50000, &variant).passes >= 3);
    variant.source = ONE_FILE;
    assert_int_equal(selects(FEW, variant, 0, 500).passes, 1);
    assert_true(selects(FEW, variant, 15000, 1).passes > 1);
}

static double memory_of_merges(const struct external_plan *plan, double scratch_per_byte)
{
    const size_t sorted = plan->fan_in + plan->batch_blocks;

    return (double)external_plan_block_memory(plan) *
           ((double)(plan->pool_blocks + plan->merge_write_blocks) +
            (double)sorted * (1 + scratch_per_byte));
}

/* The memory that a refusal names suffices, for all sizes. */
static void needed_memory(void **state)
{
    (void)state;
    for (size_t size = 1; size < 100000; size = size * 3 + 1) {
        for (uint64_t count = 1; count < UINT64_C(1) << 40; count = count * 50 + 3) {
            struct external_request request = {
                .size = size, .count = count, .memory = 1000, .scratch_per_byte = 1.0625};
            struct external_plan plan;
            uint64_t needed;

            if (external_plan_make(&plan, &request, &needed))
                continue;
            request.memory = needed;
            assert_true(external_plan_make(&plan, &request, &needed));
            assert_true(plan.fan_in >= 2 && plan.batch_blocks >= 1 && plan.run_elements > 0);
            assert_true(plan.pool_blocks >= plan.fan_in + 2 * plan.batch_blocks);
            assert_true(plan.merge_write_blocks >= plan.batch_blocks + 2);
            if (plan.run_count >= 2)
                assert_true(memory_of_merges(&plan, request.scratch_per_byte) <= (double)needed);
            assert_true(plan.run_count * plan.run_elements >= count);
            assert_true(plan.bytes_moved >= 2 * count * size);
        }
    }
}

/* Merges of inputs that are shorter than blocks need hardly more temporary space than the data have. */
static void merged_space(void **state)
{
    enum { SIZE = 8, COUNT = 20 << 17 }; /* 20 MiB */

    (void)state;
    for (uint64_t memory = 1 << 20; memory <= 1 << 30; memory *= 2) {
        for (uint64_t inputs = 3; inputs <= 10000; inputs = inputs * 2 + 1) {
            for (size_t max_fan_in = 0; max_fan_in <= 4; max_fan_in += 2) {
                const struct external_request request = {.size = SIZE,
                                                         .count = COUNT,
                                                         .memory = memory,
                                                         .scratch_per_byte = 1,
                                                         .inputs = inputs,
                                                         .max_fan_in = max_fan_in};
                struct external_plan plan;
                uint64_t needed;

                if (!external_plan_make(&plan, &request, &needed))
                    continue;
                const uint64_t runs = inputs / plan.fan_in + 2; /* of the first pass */
                assert_int_equal(plan.disk > 0, inputs > plan.fan_in);
                assert_int_equal(plan.has_places, plan.disk > 0);
                assert_true(plan.disk <= (uint64_t)COUNT * SIZE / 20 * 21 + runs * 4096);
            }
        }
    }
}

static void groups(void **state)
{
    (void)state;
    for (size_t fan_in = 2; fan_in < 20; fan_in++) {
        for (uint64_t runs = 0; runs < 500; runs++) {
            uint64_t left = runs;
            size_t group;

            while ((group = external_plan_group(fan_in, left)) > 0) {
                assert_in_range(group, 2, fan_in);
                left -= group - 1;
            }
            assert_true(left <= fan_in && (left == fan_in || runs <= fan_in));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form),    cmocka_unit_test(around_borders),
        cmocka_unit_test(three_passes),  cmocka_unit_test(in_order),
        cmocka_unit_test(every_size),    cmocka_unit_test(every_variant),
        cmocka_unit_test(every_source),  cmocka_unit_test(selections),
        cmocka_unit_test(changed_input), cmocka_unit_test(selection_passes),
        cmocka_unit_test(rows),          cmocka_unit_test(compressed),
        cmocka_unit_test(needed_memory), cmocka_unit_test(groups),
        cmocka_unit_test(interrupted),   cmocka_unit_test(continued_runs),
        cmocka_unit_test(indexes),       cmocka_unit_test(in_place),
        cmocka_unit_test(sampled),       cmocka_unit_test(merged_space),
    };
    int failed = 0;

    if (access("/dev/shm", W_OK) ==
        0) /* calls take longer on a disk, where the tests of the tool sort */
        failed += chdir("/dev/shm") != 0;
    for (int i = 0; i < 2; i++) {
        setenv("CLSORT_EXTERNAL_IO", i == 0 ? "threads" : "uring", 1);
        failed += cmocka_run_group_tests(tests, NULL, NULL);
    }
    return failed;
}
