/* algos.c - what algo.h requires of the table of algorithms, for a few devices and sorts */
#include "plan/choose.h"

#include "records.h"
#include "unit.h"

#define NO_LIMITS                                                                                  \
    .index32_max = UINT32_MAX, .max_iterations = UINT64_MAX, .max_launch_tiles = UINT64_MAX,       \
    .max_sample_bits = UINT64_MAX

static const struct cls_caps DEVICES[] = {
    {.type = CL_DEVICE_TYPE_CPU,
     NO_LIMITS,
     .units = 2,
     .group_size = 4096,
     .local_bytes = 1 << 20,
     .compresses = true},
    {.type = CL_DEVICE_TYPE_CPU, NO_LIMITS, .units = 2, .group_size = 4096, .local_bytes = 1 << 20},
    {.type = CL_DEVICE_TYPE_GPU,
     NO_LIMITS,
     .units = 132,
     .group_size = 1024,
     .local_bytes = 48 << 10,
     .sub_group_size = 32,
     .sub_group_backend = CLS_SUB_GROUP_NVIDIA},
    {.type = CL_DEVICE_TYPE_GPU, NO_LIMITS, .units = 2, .group_size = 64, .local_bytes = 32 << 10},
};

/* The variants of an algorithm are adjacent, so that cls_algo_at finds each algorithm once. */
static void test_variants_are_adjacent(void **state)
{
    (void)state;
    for (size_t i = 0; cls_algo_at(i); i++)
        for (size_t j = 0; j < i; j++)
            assert_false(cls_algo_is(cls_algo_at(i), cls_algo_at(j)));
}

static void check_parameters(const struct cls_algo *a, const struct cls_algo *b)
{
    for (size_t i = 0; i < CLS_MAX_PARAMETERS; i++) {
        assert_int_equal(!a->parameters[i].name, !b->parameters[i].name);
        if (a->parameters[i].name)
            assert_string_equal(a->parameters[i].name, b->parameters[i].name);
    }
}

static void test_variants_have_the_same_parameters(void **state)
{
    (void)state;
    for (size_t i = 0; cls_algos[i]; i++)
        for (size_t j = 0; j < i; j++)
            if (cls_algo_is(cls_algos[i], cls_algos[j]))
                check_parameters(cls_algos[i], cls_algos[j]);
}

static bool choose(const struct cls_caps *caps, const struct cls_algo *algo, clsort_key key,
                   size_t value_size, struct cls_choice *choice)
{
    static const struct cls_ladders none;
    clsort_desc desc = CLSORT_DESC_INIT;
    clsort_column column;
    struct cls_request request;
    const bool sorts = algo->operations & CLS_SORTS; /* others have no public name */
    desc.algorithm = sorts ? algo->name : NULL;
    desc.key = key;
    desc.value_size = value_size;
    while (!(algo->operations & CLS_OPERATION(desc.operation)))
        desc.operation++;
    if (desc.operation == (value_size == 0 ? CLSORT_GATHER : CLSORT_CHECK))
        return false;
    if (!describe_records(algo, &column, &desc))
        return false;
    assert_int_equal(cls_request_read(&desc, &request), CLSORT_OK);
    return cls_choose(caps, &none, &request, 1, 0, choice) && choice->algo == algo;
}

/* The programs and kernels of a variant fit in the arrays of their callers. */
static void check_programs(const struct cls_caps *caps, const struct cls_choice *choice)
{
    struct cls_program_spec programs[4 * CLS_MAX_PROGRAMS];
    size_t kernels = 0;
    const size_t count = choice->algo->programs(caps, &choice->tuning, &choice->spec, programs);
    assert_in_range(count, 1, CLS_MAX_PROGRAMS);
    for (size_t i = 0; i < count; i++) {
        assert_true(cls_text_fits(&programs[i].options));
        for (size_t k = 0; programs[i].kernels[k]; k++)
            kernels++;
    }
    assert_in_range(kernels, 1, CLS_MAX_KERNELS);
}

/* A description of no elements, of one, and of many. */
static void check_descriptions(const struct cls_choice *choice)
{
    static const uint64_t counts[] = {0, 1, 100000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        char line[256] = "";
        struct cls_text text = CLS_TEXT(line);
        choice->algo->describe(&choice->tuning, &choice->spec, counts[i], &text);
        assert_true(cls_text_fits(&text));
    }
}

static void test_programs_and_descriptions(void **state)
{
    (void)state;
    for (size_t a = 0; cls_algos[a]; a++) {
        size_t checked = 0;
        for (size_t d = 0; d < sizeof DEVICES / sizeof *DEVICES; d++)
            for (int key = CLSORT_U8; key <= CLSORT_U64; key++)
                for (size_t value_size = 0; value_size <= 4; value_size += 4) {
                    struct cls_choice choice;
                    if (!choose(&DEVICES[d], cls_algos[a], (clsort_key)key, value_size, &choice))
                        continue;
                    check_programs(&DEVICES[d], &choice);
                    check_descriptions(&choice);
                    checked++;
                }
        assert_true(checked > 0); /* otherwise add a device or a sort that the variant supports */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_variants_are_adjacent),
        cmocka_unit_test(test_variants_have_the_same_parameters),
        cmocka_unit_test(test_programs_and_descriptions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
