/* descriptors.c - invalid descriptors, and descriptors of other versions */
#include "fixture.h"

#include <string.h>

static void refuse(struct fixture *fixture, const clsort_desc *desc, clsort_status expected)
{
    clsort_plan *plan = fixture->plan;
    assert_status(clsort_plan_create(fixture->env.engine, desc, &plan), expected);
    assert_null(plan);
    fixture_still_works(fixture);
}

static void accept(struct fixture *fixture, const clsort_desc *desc)
{
    clsort_plan *plan = NULL;
    assert_ok(clsort_plan_create(fixture->env.engine, desc, &plan));
    assert_non_null(plan);
    clsort_plan_destroy(plan);
}

static void null_arguments(void **state)
{
    struct fixture *fixture = *state;
    clsort_plan *plan = fixture->plan;
    assert_status(clsort_plan_create(NULL, &fixture->desc, &plan), CLSORT_E_ARGUMENT);
    assert_null(plan);
    refuse(fixture, NULL, CLSORT_E_ARGUMENT);
    assert_status(clsort_plan_create(fixture->env.engine, &fixture->desc, NULL), CLSORT_E_ARGUMENT);
    clsort_plan_destroy(NULL);
    clsort_engine_destroy(NULL);
}

static void unknown_keys(void **state)
{
    struct fixture *fixture = *state;
    static const int keys[] = {0, CLSORT_BYTES + 1, 1000};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        clsort_desc desc = fixture->desc;
        desc.key = (clsort_key)keys[i];
        refuse(fixture, &desc, CLSORT_E_KEY);
    }
}

static void unknown_flags(void **state)
{
    struct fixture *fixture = *state;
    static const struct {
        clsort_key key;
        uint32_t flags;
    } cases[] = {{CLSORT_U32, 0x10},
                 {CLSORT_F32, 0x80000000},
                 {CLSORT_U32, CLSORT_FLOAT_NUMERIC},
                 {CLSORT_I64, CLSORT_FLOAT_NUMERIC | CLSORT_DESCENDING}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        clsort_desc desc = fixture->desc;
        desc.key = cases[i].key;
        desc.flags = cases[i].flags;
        refuse(fixture, &desc, CLSORT_E_FLAGS);
    }
}

static void invalid_bit_ranges(void **state)
{
    struct fixture *fixture = *state;
    static const struct {
        clsort_key key;
        uint32_t begin, end;
    } cases[] = {{CLSORT_U32, 9, 8},     {CLSORT_U32, 0, 33}, {CLSORT_U32, 33, 33},
                 {CLSORT_U32, 33, 0},    {CLSORT_U8, 0, 9},   {CLSORT_F64, 0, 65},
                 {CLSORT_U64, ~0u, ~0u}, {CLSORT_I16, 17, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        clsort_desc desc = fixture->desc;
        desc.key = cases[i].key;
        desc.begin_bit = cases[i].begin;
        desc.end_bit = cases[i].end;
        refuse(fixture, &desc, CLSORT_E_BITS);
    }
}

static void unknown_algorithms(void **state)
{
    struct fixture *fixture = *state;
    static const char *const names[] = {
        "quantum",         "radix2",        "rad",
        "radix:bits=9",    "radix:bits=0",  "radix:bits=",
        "radix:bits",      "radix:bits=4x", "radix:colour=1",
        "radix:items=0",   "radix:bits=-1", "radix:scatter=sideways",
        "radix:bits=4,,",  "radix bits=4",  "radix:bits=99999999999999999999",
        "cpu:scatter=odd", "auto:bits=4",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        clsort_desc desc = fixture->desc;
        desc.algorithm = names[i];
        print_message("algorithm %s\n", names[i]);
        refuse(fixture, &desc, CLSORT_E_ALGORITHM);
    }
}

static void counts_that_overflow(void **state)
{
    struct fixture *fixture = *state;
    static const struct {
        size_t max_count, value_size;
    } cases[] = {{SIZE_MAX, 0}, {SIZE_MAX / 4, 8}, {SIZE_MAX / 1024, 1025}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        clsort_desc desc = fixture->desc;
        desc.max_count = cases[i].max_count;
        desc.value_size = cases[i].value_size;
        refuse(fixture, &desc, CLSORT_E_COUNT);
    }
}

static void unknown_operations(void **state)
{
    struct fixture *fixture = *state;
    static const uint32_t operations[] = {CLSORT_CHECK + 1, 1000, UINT32_MAX};
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        clsort_desc desc = fixture->desc;
        desc.operation = operations[i];
        refuse(fixture, &desc, CLSORT_E_OPERATION);
    }
}

static void merges_by_what_only_sorts(void **state)
{
    struct fixture *fixture = *state;
    static const char *const names[] = {"radix", "local"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        clsort_desc desc = fixture->desc;
        desc.operation = CLSORT_MERGE_SORTED;
        desc.algorithm = names[i];
        refuse(fixture, &desc, CLSORT_E_UNSUPPORTED);
    }
}

static void too_wide_values(void **state)
{
    struct fixture *fixture = *state;
    clsort_desc desc = fixture->desc;
    desc.value_size = SIZE_MAX;
    refuse(fixture, &desc, CLSORT_E_ARGUMENT);
}

/* An end_bit of 0 means the width of the key, whatever begin_bit is. */
static void bit_ranges_without_end(void **state)
{
    struct fixture *fixture = *state;
    for (uint32_t begin = 0; begin <= 32; begin++) {
        clsort_desc desc = fixture->desc;
        desc.begin_bit = begin;
        accept(fixture, &desc);
    }
}

static void more_than_local_holds(void **state)
{
    struct fixture *fixture = *state;
    clsort_desc desc = fixture->desc;
    desc.algorithm = "local";
    desc.max_count = (size_t)1 << 24;
    refuse(fixture, &desc, CLSORT_E_UNSUPPORTED);
}

static void more_than_local_memory(void **state)
{
    struct fixture *fixture = *state;
    clsort_engine *engine = fixture_limited_engine(fixture, "CLSORT_MAX_LOCAL_MEM", "4096");
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.algorithm = "radix:items=32";
    clsort_plan *plan = fixture->plan;
    assert_status(clsort_plan_create(engine, &desc, &plan), CLSORT_E_UNSUPPORTED);
    assert_null(plan);
    clsort_engine_destroy(engine);
}

static void older_structs(void **state)
{
    struct fixture *fixture = *state;
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.struct_size = offsetof(clsort_desc, value_size);
    memset((char *)&desc + desc.struct_size, 0xff, sizeof desc - desc.struct_size);
    accept(fixture, &desc);
    desc.struct_size = 0;
    refuse(fixture, &desc, CLSORT_E_ARGUMENT);
    desc.struct_size = sizeof desc.struct_size - 1;
    refuse(fixture, &desc, CLSORT_E_ARGUMENT);
    desc.struct_size = sizeof desc - 1; /* ends within a pointer */
    refuse(fixture, &desc, CLSORT_E_ARGUMENT);
}

static void newer_structs(void **state)
{
    struct fixture *fixture = *state;
    struct {
        clsort_desc desc;
        unsigned char tail[64];
    } newer = {fixture->desc, {0}};
    newer.desc.struct_size = sizeof newer;
    accept(fixture, &newer.desc);
    newer.tail[63] = 1;
    refuse(fixture, &newer.desc, CLSORT_E_VERSION);
}

static void engines(void **state)
{
    struct fixture *fixture = *state;
    cl_context context = fixture->env.context;
    cl_device_id device = fixture->env.device;
    clsort_engine *engine = fixture->env.engine;
    assert_status(clsort_engine_create(NULL, device, NULL, &engine), CL_INVALID_CONTEXT);
    assert_null(engine);
    engine = fixture->env.engine;
    assert_status(clsort_engine_create(context, NULL, NULL, &engine), CL_INVALID_DEVICE);
    assert_null(engine);
    assert_status(clsort_engine_create(context, device, NULL, NULL), CLSORT_E_ARGUMENT);

    struct {
        clsort_engine_options options;
        unsigned char tail[64];
    } newer = {CLSORT_ENGINE_OPTIONS_INIT, {0}};
    newer.options.struct_size = 0;
    assert_status(clsort_engine_create(context, device, &newer.options, &engine),
                  CLSORT_E_ARGUMENT);
    assert_null(engine);
    newer.options.struct_size = sizeof newer;
    assert_ok(clsort_engine_create(context, device, &newer.options, &engine));
    clsort_engine_destroy(engine);
    newer.tail[0] = 1;
    assert_status(clsort_engine_create(context, device, &newer.options, &engine), CLSORT_E_VERSION);
    assert_null(engine);
    fixture_still_works(fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_arguments),
        cmocka_unit_test(unknown_keys),
        cmocka_unit_test(unknown_flags),
        cmocka_unit_test(invalid_bit_ranges),
        cmocka_unit_test(unknown_algorithms),
        cmocka_unit_test(counts_that_overflow),
        cmocka_unit_test(unknown_operations),
        cmocka_unit_test(merges_by_what_only_sorts),
        cmocka_unit_test(too_wide_values),
        cmocka_unit_test(bit_ranges_without_end),
        cmocka_unit_test(more_than_local_holds),
        cmocka_unit_test(more_than_local_memory),
        cmocka_unit_test(older_structs),
        cmocka_unit_test(newer_structs),
        cmocka_unit_test(engines),
    };
    return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
