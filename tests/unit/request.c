/* request.c - descriptors: versions of the struct, the algorithm's text, bit ranges */
#include "plan/request.h"

#include "unit.h"

#include <string.h>

static clsort_status read_algorithm(const char *text, struct cls_request *request)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.algorithm = text;
    return cls_request_read(&desc, request);
}

static void test_algorithm_texts(void **state)
{
    struct cls_request request;
    (void)state;
    assert_int_equal(read_algorithm(NULL, &request), CLSORT_OK);
    assert_null(request.algorithm.algo);
    assert_int_equal(read_algorithm("auto", &request), CLSORT_OK);
    assert_null(request.algorithm.algo);
    assert_int_equal(read_algorithm("radix", &request), CLSORT_OK);
    assert_ptr_equal(request.algorithm.algo, &cls_algo_radix);
    assert_int_equal(request.algorithm.parameters.value[0], 0);
    assert_int_equal(read_algorithm("radix:scatter=direct,bits=3,items=7", &request), CLSORT_OK);
    assert_int_equal(request.algorithm.parameters.value[0], 3);
    assert_int_equal(request.algorithm.parameters.value[1], 7);
    assert_int_equal(request.algorithm.parameters.value[2], 2);
    assert_int_equal(read_algorithm("radix:direct,bits=4", &request), CLSORT_OK);
    assert_int_equal(request.algorithm.parameters.value[0], 4);
    assert_int_equal(request.algorithm.parameters.value[2], 2);
    assert_int_equal(read_algorithm("bitonic:B2+B4", &request), CLSORT_OK);
    assert_int_equal(request.algorithm.parameters.value[0], 2);
    assert_int_equal(read_algorithm("bitonic:kernels=C4+B", &request), CLSORT_OK);
    assert_int_equal(request.algorithm.parameters.value[0], 6);

    static const char *const wrong[] = {
        "",
        "bubble",
        "radi",
        "radixx",
        "radix:",
        "radix:bits",
        "radix:bits=",
        "radix:bits=0",
        "radix:bits=9",
        "radix:bits=4x",
        "radix:bits=-4",
        "radix:bits= 4",
        "radix:bit=4",
        "radix:bits=4,",
        "radix:bits=4,bits=4",
        "radix:items=33",
        "onesweep:items=49",
        "hybrid:items=0",
        "hybrid:items=49",
        "radix:scatter=",
        "radix:scatter=dir",
        "cpu:bits=4",
        "local:items=4",
        "radix:bits=99999999999999999999",
        "radix=4",
        "radix:4",
        "radix:direct,scatter=direct",
        "bitonic:",
        "bitonic:B3",
        "bitonic:C4",
        "bitonic:B4+B2",
        "bitonic:B2,B2+B4",
        "bitonic:kernels=",
        "bitonic:B2+B4=1",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(read_algorithm(wrong[i], &request), CLSORT_E_ALGORITHM);
}

static void test_struct_versions(void **state)
{
    struct {
        clsort_desc desc;
        char future[16];
    } later = {.desc = CLSORT_DESC_INIT};
    struct cls_request request;
    (void)state;
    later.desc.struct_size = sizeof later;
    assert_int_equal(cls_request_read(&later.desc, &request), CLSORT_OK);
    later.future[15] = 1;
    assert_int_equal(cls_request_read(&later.desc, &request), CLSORT_E_VERSION);
    later.desc.struct_size = 0;
    assert_int_equal(cls_request_read(&later.desc, &request), CLSORT_E_ARGUMENT);

    /* A struct of an older version ends before the algorithm; the bytes after it are not read. */
    clsort_desc older = CLSORT_DESC_INIT;
    older.struct_size = offsetof(clsort_desc, algorithm);
    older.algorithm = "nonsense";
    assert_int_equal(cls_request_read(&older, &request), CLSORT_OK);
    assert_null(request.algorithm.algo);

    /* An incomplete pointer is not read. */
    for (size_t size = sizeof older - sizeof older.algorithm + 1; size < sizeof older; size++) {
        older.struct_size = size;
        assert_int_equal(cls_request_read(&older, &request), CLSORT_E_ARGUMENT);
    }
}

static void test_bit_ranges(void **state)
{
    static const struct {
        uint32_t begin, end;
        clsort_status status;
        uint64_t mask;
    } rows[] = {
        {0, 0, CLSORT_OK, 0xffff},   {0, 16, CLSORT_OK, 0xffff}, {4, 12, CLSORT_OK, 0x0ff0},
        {15, 16, CLSORT_OK, 0x8000}, {7, 7, CLSORT_OK, 0},       {16, 16, CLSORT_OK, 0},
        {5, 4, CLSORT_E_BITS, 0},    {0, 17, CLSORT_E_BITS, 0},  {3, 0, CLSORT_OK, 0xfff8},
        {17, 0, CLSORT_E_BITS, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        clsort_desc desc = CLSORT_DESC_INIT;
        struct cls_request request;
        desc.key = CLSORT_F16;
        desc.begin_bit = rows[i].begin;
        desc.end_bit = rows[i].end;
        assert_int_equal(cls_request_read(&desc, &request), rows[i].status);
        if (rows[i].status == CLSORT_OK)
            assert_int_equal(cls_compared_mask(&request.spec), rows[i].mask);
    }
}

static void test_wrong_fields(void **state)
{
    struct cls_request request;
    clsort_desc desc = CLSORT_DESC_INIT;
    (void)state;
    desc.key = (clsort_key)0;
    assert_int_equal(cls_request_read(&desc, &request), CLSORT_E_KEY);
    desc.key = (clsort_key)(CLSORT_CUSTOM + 1);
    assert_int_equal(cls_request_read(&desc, &request), CLSORT_E_KEY);
    desc.key = CLSORT_I32;
    desc.flags = CLSORT_FLOAT_NUMERIC;
    assert_int_equal(cls_request_read(&desc, &request), CLSORT_E_FLAGS);
    desc.flags = 0x100;
    assert_int_equal(cls_request_read(&desc, &request), CLSORT_E_FLAGS);
    desc.flags = 0;
    desc.value_size = SIZE_MAX;
    assert_int_equal(cls_request_read(&desc, &request), CLSORT_E_ARGUMENT);
    desc.value_size = 1024;
    desc.max_count = SIZE_MAX / 1000;
    assert_int_equal(cls_request_read(&desc, &request), CLSORT_E_COUNT);
}

static clsort_desc custom_order(void)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.key = CLSORT_CUSTOM;
    desc.key_size = 12;
    desc.key_type = "struct triple";
    desc.less = "a.x < b.x";
    return desc;
}

static void test_custom_orders(void **state)
{
    struct cls_request request;
    clsort_desc desc = custom_order();
    const struct cls_spec *spec = &request.spec;
    (void)state;
    assert_int_equal(cls_request_read(&desc, &request), CLSORT_OK);
    assert_int_equal(spec->order, CLS_ORDER_CUSTOM);
    assert_int_equal(spec->key_bytes, 12);
    assert_int_equal(spec->operation, CLSORT_SORT);
    assert_string_equal(spec->custom.less, desc.less);
    assert_string_equal(spec->custom.prelude, "");
    assert_true(spec->stable); /* equal keys may have different bits */
    assert_false(request.no_scratch);
    desc.flags = CLSORT_UNSTABLE | CLSORT_NO_SCRATCH;
    desc.operation = CLSORT_MERGE_SORTED;
    assert_int_equal(cls_request_read(&desc, &request), CLSORT_OK);
    assert_false(spec->stable);
    assert_true(request.no_scratch);
    assert_int_equal(spec->operation, CLSORT_MERGE_SORTED);
    desc.max_count = SIZE_MAX / 3000;
    assert_int_equal(cls_request_read(&desc, &request), CLSORT_E_COUNT);

    desc = custom_order();
    desc.less = "\t ";
    assert_int_equal(cls_request_read(&desc, &request), CLSORT_E_ORDER);
    desc = custom_order();
    desc.flags = CLSORT_DESCENDING;
    assert_int_equal(cls_request_read(&desc, &request), CLSORT_E_FLAGS);
    desc = custom_order();
    desc.key = CLSORT_F32;
    assert_int_equal(cls_request_read(&desc, &request), CLSORT_E_ORDER);

    /* A struct of an older version has neither a custom order nor an operation. */
    desc = custom_order();
    desc.struct_size = offsetof(clsort_desc, key_size);
    assert_int_equal(cls_request_read(&desc, &request), CLSORT_E_ORDER);
    desc.key = CLSORT_U32;
    desc.operation = 99;
    assert_int_equal(cls_request_read(&desc, &request), CLSORT_OK);
}

/* A sort must be stable only if equal keys can be told apart: by values or by bits that are not compared. On CPUs the
 * results do not show it, since all algorithms that may be chosen there for pairs are stable. */
static void test_required_stability(void **state)
{
    static const size_t sizes[] = {4, 2};
    static const struct {
        clsort_key key;
        uint32_t flags;
        size_t value_size, value_count;
        uint32_t begin_bit;
        bool stable;
    } rows[] = {
        {CLSORT_U32, 0, 0, 0, 0, false},
        {CLSORT_U32, 0, 4, 0, 0, true},
        {CLSORT_U32, 0, 0, 2, 0, true},
        {CLSORT_U32, CLSORT_UNSTABLE, 0, 2, 0, false},
        {CLSORT_U32, 0, 0, 0, 8, true},
        {CLSORT_F32, 0, 0, 0, 0, false},
        {CLSORT_F32, CLSORT_FLOAT_NUMERIC, 0, 0, 0, true},
        {CLSORT_F32, CLSORT_FLOAT_NUMERIC | CLSORT_UNSTABLE, 4, 0, 0, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct cls_request request;
        clsort_desc desc = CLSORT_DESC_INIT;
        desc.key = rows[i].key;
        desc.flags = rows[i].flags;
        desc.value_size = rows[i].value_size;
        desc.value_sizes = rows[i].value_count > 0 ? sizes : NULL;
        desc.value_count = rows[i].value_count;
        desc.begin_bit = rows[i].begin_bit;
        assert_int_equal(cls_request_read(&desc, &request), CLSORT_OK);
        assert_int_equal(request.spec.stable, rows[i].stable);
    }
}

/* The hash depends on where one text ends and the next begins. */
static void test_hashes_of_orders_differ(void **state)
{
    static const struct cls_custom orders[] = {
        {"", "int", "a < b", 4},   {"", "int", "b < a", 4},  {"", "uint", "a < b", 4},
        {"i", "nt", "a < b", 4},   {"int", "", "a < b", 4},  {"", "inta", " < b", 4},
        {"\n", "int", "a < b", 4}, {"", "int", "a < b ", 4},
    };
    (void)state;
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        for (size_t j = 0; j < sizeof orders / sizeof *orders; j++)
            assert_int_equal(cls_custom_hash(&orders[i]) == cls_custom_hash(&orders[j]), i == j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_algorithm_texts),
        cmocka_unit_test(test_struct_versions),
        cmocka_unit_test(test_bit_ranges),
        cmocka_unit_test(test_wrong_fields),
        cmocka_unit_test(test_custom_orders),
        cmocka_unit_test(test_required_stability),
        cmocka_unit_test(test_hashes_of_orders_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
