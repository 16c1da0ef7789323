/* choose.c - the choice of algorithms for a table of devices, real and invented */
#include "plan/choose.h"
#include "algo/gather/gather.h"

#include "unit.h"

#include <string.h>

#define INDEX32_MAX 0xf0000000u
#define NO_LIMITS                                                                                  \
    .index32_max = INDEX32_MAX, .max_iterations = UINT64_MAX, .max_launch_tiles = UINT64_MAX,      \
    .max_sample_bits = UINT64_MAX
#define CPU .type = CL_DEVICE_TYPE_CPU, NO_LIMITS
#define GPU .type = CL_DEVICE_TYPE_GPU, NO_LIMITS

static const struct cls_caps POCL = {CPU, .units = 2, .group_size = 4096, .local_bytes = 1 << 20};
static const struct cls_caps COMPRESSES = {CPU,
                                           .units = 2,
                                           .group_size = 4096,
                                           .local_bytes = 1 << 20,
                                           .vector_ints = 16,
                                           .compresses = true};
static const struct cls_caps FEW_ITERATIONS = {.type = CL_DEVICE_TYPE_CPU,
                                               .index32_max = INDEX32_MAX,
                                               .max_iterations = 65535,
                                               .max_launch_tiles = UINT64_MAX,
                                               .max_sample_bits = UINT64_MAX,
                                               .units = 2,
                                               .group_size = 4096,
                                               .local_bytes = 1 << 20,
                                               .vector_ints = 16,
                                               .compresses = true};
static const struct cls_caps LLVMPIPE = {.type = CL_DEVICE_TYPE_CPU,
                                         .index32_max = INDEX32_MAX,
                                         .max_iterations = 65535,
                                         .max_launch_tiles = UINT64_MAX,
                                         .max_sample_bits = UINT64_MAX,
                                         .units = 8,
                                         .group_size = 1024,
                                         .local_bytes = 32768};
static const struct cls_caps H200 = {GPU, .units = 132, .group_size = 1024, .local_bytes = 49152};
static const struct cls_caps SMALL = {GPU, .units = 1, .group_size = 32, .local_bytes = 16384};
static const struct cls_caps ODD = {GPU, .units = 3, .group_size = 96, .local_bytes = 16384};
static const struct cls_caps ONE = {GPU, .units = 1, .group_size = 1, .local_bytes = 16384};
static const struct cls_caps FPGA = {.type = CL_DEVICE_TYPE_ACCELERATOR,
                                     NO_LIMITS,
                                     .units = 4,
                                     .group_size = 256,
                                     .local_bytes = 32768};
static const struct cls_caps NO_LOCAL = {GPU, .units = 1, .group_size = 64, .local_bytes = 64};

/* Devices that support sorts of all keys. */
static const struct cls_caps *const DEVICES[] = {&POCL, &LLVMPIPE, &H200, &SMALL,
                                                 &ODD,  &ONE,      &FPGA};

static bool choose_for(const struct cls_caps *caps, const clsort_desc *desc, uint64_t count,
                       struct cls_choice *choice)
{
    struct cls_request request;
    assert_int_equal(cls_request_read(desc, &request), CLSORT_OK);
    const struct cls_ladders ladders = cls_ladders_for(caps);
    return cls_choose(caps, &ladders, &request, count, 0, choice);
}

static bool choose(const struct cls_caps *caps, const char *algorithm, clsort_key key,
                   size_t value_size, uint64_t count, struct cls_choice *choice)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.key = key;
    desc.value_size = value_size;
    desc.algorithm = algorithm;
    return choose_for(caps, &desc, count, choice);
}

static clsort_desc custom_order(size_t key_size)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.key = CLSORT_CUSTOM;
    desc.key_size = key_size;
    desc.key_type = "struct key";
    desc.less = "a.x < b.x";
    return desc;
}

/* Returns ladders that are equal for all kinds of sorts, or empty if the text is "". */
static struct cls_ladders ladders_of(const char *text)
{
    struct cls_ladders ladders = {0};
    for (size_t kind = 0; kind < CLS_KINDS && *text; kind++) {
        ladders.of[kind].source = "of this test";
        assert_true(cls_ladder_read(text, strlen(text), &ladders.of[kind]));
    }
    return ladders;
}

/* The choice without a measured ladder. */
static void test_without_ladders(void **state)
{
    static const struct {
        const struct cls_caps *caps;
        uint64_t count;
        const char *name;
    } rows[] = {
        {&POCL, 1, "cpu"},          {&POCL, 1 << 28, "cpu"},
        {&LLVMPIPE, 1000, "local"}, {&LLVMPIPE, 1 << 28, "radix"},
        {&H200, 1, "local"},        {&H200, 4096, "local"},
        {&H200, 4097, "radix"},     {&H200, 1 << 28, "radix"},
        {&SMALL, 512, "local"},     {&SMALL, 513, "radix"},
        {&ONE, 16, "local"},        {&ONE, 17, "radix"},
        {&FPGA, 1 << 20, "radix"},  {&H200, 1ull << 33, "radix"},
        {&POCL, 1ull << 33, "cpu"},
    };
    const struct cls_ladders none = ladders_of("");
    const clsort_desc desc = CLSORT_DESC_INIT;
    struct cls_request request;
    (void)state;
    assert_int_equal(cls_request_read(&desc, &request), CLSORT_OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct cls_choice choice;
        assert_true(cls_choose(rows[i].caps, &none, &request, rows[i].count, 0, &choice));
        assert_string_equal(choice.algo->name, rows[i].name);
        assert_true(choice.max_count >= rows[i].count);
        assert_true(strlen(choice.reason) > 0);
        assert_int_equal(choice.spec.index_bits, rows[i].count > INDEX32_MAX ? 64 : 32);
    }
}

/* Each step of a ladder is used for the counts above those of the preceding steps, if it supports the sort. */
static void test_ladder(void **state)
{
    enum { NUMBER = 1 << 20 };
    static const struct {
        clsort_key key;
        uint32_t flags;
        size_t value_size;
        uint32_t operation;
        uint64_t count;
        const struct cls_algo *failed;
        const char *name;
        uint64_t max; /* 0: not compared */
        bool by_ladder;
    } rows[] = {
        {CLSORT_U32, 0, 0, CLSORT_SORT, 1, NULL, "bitonic", 100, true},
        {CLSORT_U32, 0, 0, CLSORT_SORT, 100, NULL, "bitonic", 100, true},
        {CLSORT_U32, 0, 0, CLSORT_SORT, 101, NULL, "local", 4096, true},
        {CLSORT_U32, 0, 0, CLSORT_SORT, 4097, NULL, "merge", 100000, true},
        {CLSORT_U32, 0, 0, CLSORT_SORT, 101, &cls_algo_local, "merge", 100000, true},
        {CLSORT_U32, 0, 0, CLSORT_SORT, NUMBER, NULL, "radix", 0, true},
        {CLSORT_U32, 0, 4, CLSORT_SORT, 50, NULL, "local", 0, true},
        {CLSORT_U32, CLSORT_UNSTABLE, 4, CLSORT_SORT, 50, NULL, "local", 0, true},
        {CLSORT_F32, CLSORT_FLOAT_NUMERIC, 0, CLSORT_SORT, 50, NULL, "local", 0, false},
        {CLSORT_U32, CLSORT_NO_SCRATCH, 0, CLSORT_SORT, NUMBER, NULL, "bitonic", 0, false},
        {CLSORT_U32, 0, 0, CLSORT_MERGE_SORTED, 50, NULL, "merge", 100000, false},
        {CLSORT_U32, 0, 0, CLSORT_MERGE_SORTED, NUMBER, NULL, "merge", 0, false},
        {CLSORT_CUSTOM, 0, 4, CLSORT_SORT, NUMBER, NULL, "merge", 0, false},
        {CLSORT_U32, 0, 100, CLSORT_UNIQUE, NUMBER, NULL, "unique", 0, false},
        {CLSORT_CUSTOM, 0, 0, CLSORT_CHECK, NUMBER, NULL, "check", 0, false},
    };
    const struct cls_ladders ladders =
        ladders_of("bitonic 100; local 5000; merge 100000; radix:bits=4");
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        clsort_desc desc = CLSORT_DESC_INIT;
        struct cls_request request;
        struct cls_choice choice;
        if (rows[i].key == CLSORT_CUSTOM)
            desc = custom_order(12);
        desc.key = rows[i].key;
        desc.flags = rows[i].flags;
        desc.value_size = rows[i].value_size;
        desc.operation = rows[i].operation;
        assert_int_equal(cls_request_read(&desc, &request), CLSORT_OK);
        const unsigned failed = rows[i].failed ? cls_algo_bit(rows[i].failed) : 0;
        assert_true(cls_choose(&H200, &ladders, &request, rows[i].count, failed, &choice));
        assert_string_equal(choice.algo->name, rows[i].name);
        if (rows[i].max > 0)
            assert_int_equal(choice.max_count, rows[i].max);
        assert_int_equal(strcmp(choice.reason, "of this test") == 0, rows[i].by_ladder);
        if (strcmp(rows[i].name, "radix") == 0)
            assert_int_equal(choice.tuning.radix.bits, 4);
    }
}

/* The measured ladders work on every device: steps that a device does not support are skipped. */
static void test_auto(void **state)
{
    static const uint64_t counts[] = {1, 100, 4096, 4097, 100000, 1 << 24};
    (void)state;
    for (size_t d = 0; d < sizeof DEVICES / sizeof *DEVICES; d++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (int key = CLSORT_U8; key <= CLSORT_F64; key++)
                for (size_t value_size = 0; value_size <= 4; value_size += 4) {
                    struct cls_choice choice;
                    assert_true(
                        choose(DEVICES[d], NULL, (clsort_key)key, value_size, counts[c], &choice));
                    assert_true(choice.max_count >= counts[c]);
                    assert_true(choice.algo->traits & CLS_STABLE || value_size == 0);
                }
}

/* On CPUs, ladders skip algorithms that are not stable and variants that are not measured there, unless parameters
 * request them. */
static void test_steps_are_as_measured(void **state)
{
    static const struct {
        const struct cls_caps *caps;
        const char *ladder;
        clsort_key key;
        uint32_t flags;
        const struct cls_algo *algo;
    } rows[] = {
        {&POCL, "bitonic 1000", CLSORT_F32, 0, &cls_algo_bitonic_vector},
        {&POCL, "bitonic 1000", CLSORT_F32, CLSORT_FLOAT_NUMERIC | CLSORT_UNSTABLE,
         &cls_algo_cpu_radix},
        {&POCL, "bitonic:C2+B 1000", CLSORT_F32, 0, &cls_algo_bitonic_work_group},
        {&POCL, "merge:variant=groups", CLSORT_F32, 0, &cls_algo_merge_work_group},
        {&LLVMPIPE, "bitonic 1000", CLSORT_F32, 0, &cls_algo_local},
        {&H200, "bitonic 1000", CLSORT_F32, 0, &cls_algo_bitonic_work_group},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        clsort_desc desc = CLSORT_DESC_INIT;
        struct cls_request request;
        struct cls_choice choice;
        const struct cls_ladders ladders = ladders_of(rows[i].ladder);
        desc.key = rows[i].key;
        desc.flags = rows[i].flags;
        assert_int_equal(cls_request_read(&desc, &request), CLSORT_OK);
        assert_true(cls_choose(rows[i].caps, &ladders, &request, 1000, 0, &choice));
        assert_ptr_equal(choice.algo, rows[i].algo);
    }
}

static void test_limits_are_kept(void **state)
{
    static const char *const names[] = {"radix", "radix:bits=8,scatter=direct", "local"};
    (void)state;
    for (size_t d = 0; d < sizeof DEVICES / sizeof *DEVICES; d++)
        for (size_t a = 0; a < sizeof names / sizeof *names; a++)
            for (int key = CLSORT_U8; key <= CLSORT_F64; key++) {
                struct cls_choice choice;
                assert_true(choose(DEVICES[d], names[a], (clsort_key)key, 4, 2, &choice));
                const struct cls_tuning *tuning = &choice.tuning;
                assert_in_range(tuning->group_size, 1, DEVICES[d]->group_size);
                assert_int_equal(tuning->group_size & (tuning->group_size - 1), 0);
                const uint64_t tile =
                    (uint64_t)tuning->group_size *
                    (strcmp(names[a], "local") == 0 ? tuning->local.items : tuning->radix.items);
                assert_in_range(tile, 1, UINT16_MAX);
                /* keys, their indexes, and the sums of the scan */
                assert_in_range(tile * (choice.spec.key_bytes + 2) + 16 * tuning->group_size, 1,
                                DEVICES[d]->local_bytes);
            }
}

static void test_wide_values_are_gathered(void **state)
{
    struct cls_choice choice;
    (void)state;
    assert_true(choose(&H200, NULL, CLSORT_U64, 16, 1 << 20, &choice));
    assert_false(choice.gathers);
    assert_int_equal(choice.spec.value_bytes, 16);
    assert_true(choose(&H200, NULL, CLSORT_U64, 17, 1 << 20, &choice));
    assert_true(choice.gathers && choice.spec.value_is_index);
    assert_int_equal(choice.spec.value_bytes, 4);
    assert_true(choose(&H200, NULL, CLSORT_U64, 17, 1ull << 33, &choice));
    assert_int_equal(choice.spec.value_bytes, 8);
}

/* Checks that no algorithm can sort count elements, and why. */
static void is_refused(const struct cls_caps *caps, const clsort_desc *desc, uint64_t count,
                       const char *expected)
{
    struct cls_choice choice;
    struct cls_request request;
    char line[1024] = "";
    struct cls_text text = CLS_TEXT(line);
    assert_false(choose_for(caps, desc, count, &choice));
    assert_int_equal(cls_request_read(desc, &request), CLSORT_OK);
    cls_choose_explain(caps, &request, count, &text);
    assert_string_equal(line, expected);
}

static void test_refusals_have_reasons(void **state)
{
    struct cls_choice choice;
    clsort_desc desc = CLSORT_DESC_INIT;
    (void)state;
    desc.algorithm = "cpu"; /* both variants have the same reason */
    is_refused(
        &H200, &desc, 100,
        "cpu: the algorithm runs one work-item per core, which suits CPUs only (the key type "
        "is u32)");
    desc.algorithm = "local";
    is_refused(&H200, &desc, 1 << 20,
               "local: at most 4096 elements on this device (the key type is u32)");
    desc.algorithm = "count";
    is_refused(&H200, &desc, 100,
               "count: counting sort supports keys of 8 or 16 bits only (the key type is u32)");
    desc.algorithm = "radix";
    is_refused(&NO_LOCAL, &desc, 100,
               "radix: the device has too little local memory (the key type is u32)");
    desc.algorithm = "radix:items=32";
    desc.key = CLSORT_U64;
    desc.value_size = 16;
    is_refused(&ODD, &desc, 100,
               "radix: the device has too little local memory for that many items (the key type is "
               "u64)");
    desc = (clsort_desc)CLSORT_DESC_INIT;
    desc.flags = CLSORT_NO_SCRATCH | CLSORT_UNSTABLE;
    desc.value_size = 16;
    assert_true(choose_for(&H200, &desc, 100, &choice));
    desc.value_size = 17;
    is_refused(&H200, &desc, 100,
               "no algorithm supports this sort on this device: cpu, local, radix, merge: the "
               "algorithm needs scratch memory, which CLSORT_NO_SCRATCH forbids; quick, bitonic: "
               "values wider than 16 bytes need scratch memory");
}

/* Without scratch memory, CPUs use quicksort, or bitonic sort where its variant for vectors is faster. */
static void test_no_scratch(void **state)
{
    static const struct {
        const struct cls_caps *caps;
        clsort_key key;
        uint32_t flags, end_bit;
        size_t value_size;
        uint64_t count;
        const struct cls_algo *algo;
    } rows[] = {
        {&POCL, CLSORT_U32, 0, 0, 4, 100, &cls_algo_quick},
        {&POCL, CLSORT_U64, 0, 0, 16, 1 << 24, &cls_algo_quick},
        {&POCL, CLSORT_U8, 0, 0, 1, 1 << 20, &cls_algo_quick},
        {&POCL, CLSORT_U32, 0, 20, 0, 1 << 20, &cls_algo_quick},
        {&POCL, CLSORT_F32, CLSORT_FLOAT_NUMERIC, 0, 0, 1 << 20, &cls_algo_quick},
        {&POCL, CLSORT_CUSTOM, 0, 0, 0, 1 << 20, &cls_algo_quick},
        {&POCL, CLSORT_U32, 0, 0, 0, 1 << 24, &cls_algo_bitonic_vector},
        {&POCL, CLSORT_U8, 0, 0, 0, 1 << 20, &cls_algo_bitonic_vector},
        {&POCL, CLSORT_F64, 0, 0, 0, 65536, &cls_algo_bitonic_vector},
        {&POCL, CLSORT_F64, 0, 0, 0, 65537, &cls_algo_quick},
        {&COMPRESSES, CLSORT_F64, 0, 0, 0, 1 << 20, &cls_algo_bitonic_vector},
        {&H200, CLSORT_U32, 0, 0, 4, 1 << 20, &cls_algo_bitonic_work_group},
        {&LLVMPIPE, CLSORT_U32, 0, 0, 4, 1 << 20, &cls_algo_bitonic_work_group},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        clsort_desc desc = CLSORT_DESC_INIT;
        struct cls_choice choice;
        if (rows[i].key == CLSORT_CUSTOM)
            desc = custom_order(12);
        desc.key = rows[i].key;
        desc.flags = rows[i].flags | CLSORT_NO_SCRATCH | CLSORT_UNSTABLE;
        desc.end_bit = rows[i].end_bit;
        desc.value_size = rows[i].value_size;
        assert_true(choose_for(rows[i].caps, &desc, rows[i].count, &choice));
        if (choice.algo != rows[i].algo)
            fail_msg("row %zu: %s", i, choice.algo->name);
    }
}

/* Keys that vectors can sort use a variant of their own. */
static void test_variants_of_cpu(void **state)
{
    static const struct {
        const struct cls_caps *caps;
        clsort_key key;
        uint32_t flags;
        uint32_t begin_bit, end_bit;
        size_t value_size;
        uint64_t count;
        const struct cls_algo *algo;
    } rows[] = {
        {&COMPRESSES, CLSORT_U32, 0, 0, 0, 0, 1, &cls_algo_cpu_sample},
        {&COMPRESSES, CLSORT_F64, CLSORT_DESCENDING, 0, 0, 0, 1 << 28, &cls_algo_cpu_sample},
        {&COMPRESSES, CLSORT_U32, 0, 0, 0, 0, 1ull << 35, &cls_algo_cpu_radix},
        {&COMPRESSES, CLSORT_U32, 0, 0, 0, 4, 1 << 20, &cls_algo_cpu_radix},
        {&COMPRESSES, CLSORT_U32, 0, 1, 32, 0, 1 << 20, &cls_algo_cpu_radix},
        {&COMPRESSES, CLSORT_F32, CLSORT_FLOAT_NUMERIC, 0, 0, 0, 1 << 20, &cls_algo_cpu_radix},
        {&POCL, CLSORT_U32, 0, 0, 0, 0, 1 << 20, &cls_algo_cpu_radix},
        {&FEW_ITERATIONS, CLSORT_U32, 0, 0, 0, 0, 1 << 20, &cls_algo_radix},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct cls_choice choice;
        clsort_desc desc = CLSORT_DESC_INIT;
        desc.key = rows[i].key;
        desc.flags = rows[i].flags;
        desc.begin_bit = rows[i].begin_bit;
        desc.end_bit = rows[i].end_bit;
        desc.value_size = rows[i].value_size;
        assert_true(choose_for(rows[i].caps, &desc, rows[i].count, &choice));
        assert_ptr_equal(choice.algo, rows[i].algo);
        assert_true(choice.max_count >= rows[i].count);
        if (rows[i].end_bit == 0 && rows[i].caps != &FEW_ITERATIONS)
            assert_non_null(strstr(choice.reason, "measured"));
    }
}

/* Custom orders use merge sort, in the variant for the device. */
static void test_orders_and_merges(void **state)
{
    static const struct {
        const struct cls_caps *caps;
        const struct cls_algo *algo;
    } rows[] = {{&POCL, &cls_algo_merge_cores},      {&LLVMPIPE, &cls_algo_merge_work_group},
                {&H200, &cls_algo_merge_work_group}, {&SMALL, &cls_algo_merge_work_group},
                {&ONE, &cls_algo_merge_work_group},  {&FPGA, &cls_algo_merge_work_group}};
    static const uint64_t counts[] = {1, 1000, 1 << 24, 1ull << 32};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (int merges = 0; merges <= 1; merges++) {
                /* The offsets of such small tiles would exceed the limit on scratch. */
                if (rows[i].caps != &H200 && rows[i].caps != &POCL && counts[c] > 1 << 24)
                    continue;
                struct cls_choice choice;
                clsort_desc desc = CLSORT_DESC_INIT;
                if (merges)
                    desc.operation = CLSORT_MERGE_SORTED;
                else
                    desc = custom_order(12);
                desc.value_size = 20;
                assert_true(choose_for(rows[i].caps, &desc, counts[c], &choice));
                assert_ptr_equal(choice.algo, rows[i].algo);
                /* The variant for cores merges wide values together with their keys. */
                const bool moves = merges && choice.algo == &cls_algo_merge_cores;
                assert_true(choice.gathers != moves && choice.max_count >= counts[c]);
            }
}

static void test_variants_by_name(void **state)
{
    struct cls_choice choice;
    clsort_desc desc = custom_order(8);
    (void)state;
    desc.algorithm = "merge:variant=groups";
    assert_true(choose_for(&POCL, &desc, 100, &choice));
    assert_ptr_equal(choice.algo, &cls_algo_merge_work_group);
    desc.algorithm = "merge:variant=cores";
    assert_true(choose_for(&POCL, &desc, 100, &choice));
    assert_ptr_equal(choice.algo, &cls_algo_merge_cores);
    assert_false(choose_for(&H200, &desc, 100, &choice));
    assert_false(choose_for(&LLVMPIPE, &desc, 100, &choice));
    desc.algorithm = "radix";
    assert_false(choose_for(&H200, &desc, 100, &choice));
    assert_non_null(strstr(choice.reason, "order"));
    desc = custom_order(8);
    desc.flags = CLSORT_NO_SCRATCH;
    assert_false(choose_for(&H200, &desc, 100, &choice));
}

/* Keys may have any size up to 1024 bytes, if two fit in local memory. */
static void test_tiles_of_any_keys(void **state)
{
    (void)state;
    for (size_t d = 0; d < sizeof DEVICES / sizeof *DEVICES; d++)
        for (size_t size = 1; size < 40000; size += 1 + size / 7)
            for (size_t value_size = 0; value_size <= 4; value_size += 4) {
                struct cls_choice choice;
                clsort_desc desc = custom_order(size);
                desc.algorithm = "merge:variant=groups";
                desc.value_size = value_size;
                const bool fits = choose_for(DEVICES[d], &desc, 100, &choice);
                assert_true(size > 1024 ? !fits : fits || 2 * size + 100 > DEVICES[d]->local_bytes);
                if (!fits)
                    continue;
                const uint64_t group = choice.tuning.group_size,
                               tile = group * choice.tuning.merge_work_group.items;
                assert_in_range(group, 1, DEVICES[d]->group_size);
                assert_int_equal(group & (group - 1), 0);
                assert_in_range(tile, 1, UINT16_MAX);
                assert_in_range((tile + 1) * (size + (value_size ? 2 : 0)) + 4 * (group + 2), 1,
                                DEVICES[d]->local_bytes);
            }
}

/* The tiles of onesweep on an H200: those of its table, those that parameters ask for, and smaller ones if values
 * would not fit in local memory. */

static const struct cls_caps NVIDIA = {GPU,
                                       .name = "NVIDIA H200",
                                       .vendor = "NVIDIA Corporation",
                                       .units = 132,
                                       .group_size = 1024,
                                       .local_bytes = 49152,
                                       .sub_group_size = 32,
                                       .sub_group_backend = CLS_SUB_GROUP_NVIDIA};

static void test_tiles_of_nvidia(void **state)
{
    static const struct {
        const char *algorithm; /* NULL: the ladders choose */
        clsort_key key;
        size_t value_size;
        uint64_t count;
        unsigned group_size, items; /* of a tile of LSD */
    } rows[] = {
        {"onesweep", CLSORT_U32, 0, 100, 384, 26},
        {"onesweep:items=31", CLSORT_F32, 0, 100, 384, 31},
        {"onesweep:items=30", CLSORT_U32, 0, 100, 256, 30},
        {"onesweep:items=31,group=256", CLSORT_U32, 0, 100, 256, 31},
        {"hybrid:items=31", CLSORT_U32, 0, 100, 384, 31},
        {"onesweep", CLSORT_U32, 8, 100, 384, 15},
        {"onesweep", CLSORT_U32, 16, 100, 256, 11},
        {"onesweep", CLSORT_U16, 16, 100, 256, 8},
        {NULL, CLSORT_U32, 0, 2230272, 256, 33},
        {NULL, CLSORT_U32, 0, 3142656, 384, 31},
        {NULL, CLSORT_U32, 0, 3142657, 256, 28},
        {NULL, CLSORT_U32, 0, 3784704, 256, 28},
        {NULL, CLSORT_U32, 0, 3784705, 384, 26},
        {NULL, CLSORT_U16, 0, 811008, 256, 24},
        {NULL, CLSORT_U16, 0, 811009, 256, 33},
        {NULL, CLSORT_U16, 0, 1115136, 256, 33},
        {NULL, CLSORT_U16, 0, 1115137, 256, 24},
        {NULL, CLSORT_U16, 0, 1622016, 256, 24},
        {NULL, CLSORT_U16, 0, 1622017, 256, 33},
        {NULL, CLSORT_U16, 0, 1900000, 256, 33},
        {NULL, CLSORT_U32, 4, 2703360, 256, 40},
        {NULL, CLSORT_U32, 8, 1500000, 384, 15},  /* 24 items do not fit */
        {NULL, CLSORT_U32, 16, 1000000, 256, 16}, /* indexes move in place of the values */
    };
    struct cls_choice choice;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(choose(&NVIDIA, rows[i].algorithm, rows[i].key, rows[i].value_size,
                           rows[i].count, &choice));
        const struct cls_tuning *tuning = &choice.tuning;
        const bool is_hybrid = choice.algo == &cls_algo_hybrid;
        assert_true(is_hybrid || choice.algo == &cls_algo_onesweep);
        assert_int_equal(is_hybrid ? tuning->hybrid.onesweep_group_size : tuning->group_size,
                         rows[i].group_size);
        assert_int_equal(is_hybrid ? tuning->hybrid.onesweep.items : tuning->onesweep.items,
                         rows[i].items);
    }
    assert_true(choose(&NVIDIA, NULL, CLSORT_U16, 0, 1900001, &choice));
    assert_ptr_equal(choice.algo, &cls_algo_count_work_group_16);
    assert_false(choose(&NVIDIA, "onesweep:items=24", CLSORT_U32, 8, 100, &choice));
    assert_false(choose(&NVIDIA, "hybrid:path=msd,items=5", CLSORT_U32, 0, 100, &choice));
}

/* Checks whether sorts from `count` elements on gather values, and the last count for which they do. */
static void expect_gather(const char *algorithm, clsort_key key, size_t value_size, uint64_t count,
                          bool gathers, uint64_t last)
{
    struct cls_choice choice;
    assert_true(choose(&NVIDIA, algorithm, key, value_size, count, &choice));
    assert_int_equal(choice.gathers, gathers);
    assert_true(!gathers ||
                cls_gather_slice(&choice.gather) > 0); /* sorts in place make progress */
    assert_true(choice.max_count >= count && choice.max_count <= last);
    assert_true(!algorithm || last == UINT64_MAX || choice.max_count == last);
}

/* Values of 9 to 16 bytes are gathered for some counts, by each algorithm, unless keys are short. */
static void test_wide_values_of_nvidia(void **state)
{
    static const char *const names[] = {NULL, "onesweep", "merge"};
    struct cls_choice choice;
    clsort_desc desc = CLSORT_DESC_INIT;
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (size_t size = 9; size <= 16; size++) {
            expect_gather(names[i], CLSORT_U64, size, 1, false, 270336);
            expect_gather(names[i], CLSORT_U64, size, 270337, true, INDEX32_MAX);
            expect_gather(names[i], CLSORT_U64, size, INDEX32_MAX + 1ull, false, UINT64_MAX);
            expect_gather(names[i], CLSORT_F32, size, 1, false, 270336);
            expect_gather(names[i], CLSORT_F32, size, 270337, true, INDEX32_MAX);
            expect_gather(names[i], CLSORT_F32, size, INDEX32_MAX + 1ull, false, UINT64_MAX);
            expect_gather(names[i], CLSORT_U16, size, 270337, false, UINT64_MAX);
            expect_gather(names[i], CLSORT_U64, 8, 270337, false, UINT64_MAX);
        }
    desc.value_size = 16;
    desc.flags = CLSORT_NO_SCRATCH | CLSORT_UNSTABLE;
    assert_true(choose_for(&NVIDIA, &desc, 270337, &choice));
    assert_false(choice.gathers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_ladders),
        cmocka_unit_test(test_ladder),
        cmocka_unit_test(test_auto),
        cmocka_unit_test(test_steps_are_as_measured),
        cmocka_unit_test(test_limits_are_kept),
        cmocka_unit_test(test_wide_values_are_gathered),
        cmocka_unit_test(test_refusals_have_reasons),
        cmocka_unit_test(test_no_scratch),
        cmocka_unit_test(test_variants_of_cpu),
        cmocka_unit_test(test_orders_and_merges),
        cmocka_unit_test(test_variants_by_name),
        cmocka_unit_test(test_tiles_of_any_keys),
        cmocka_unit_test(test_tiles_of_nvidia),
        cmocka_unit_test(test_wide_values_of_nvidia),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
