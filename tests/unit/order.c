/* order.c - ordered keys have the order of the independent reference */
#include "plan/request.h"

#include "data.h"
#include "unit.h"

#include <string.h>

enum { COUNT = 4096 };

static void check_type(const struct data_type *type, uint32_t flags)
{
    static uint64_t storage[COUNT];
    char *keys = (char *)storage;
    clsort_desc desc = CLSORT_DESC_INIT;
    struct cls_request request;
    desc.key = type->key;
    desc.flags = flags;
    assert_int_equal(cls_request_read(&desc, &request), CLSORT_OK);
    const uint64_t all = UINT64_MAX >> (64 - 8 * type->size);
    const bool numeric = flags & CLSORT_FLOAT_NUMERIC, descending = flags & CLSORT_DESCENDING;
    assert_true(data_fill(type, DATA_SPECIAL, 7, keys, COUNT));
    for (size_t i = 0; i < COUNT; i++) {
        uint64_t raw = 0;
        memcpy(&raw, keys + i * type->size, type->size); /* little endian */
        uint64_t expected = data_ordered(type, numeric, keys + i * type->size);
        if (descending && !(numeric && expected == all)) /* NaNs are last in both orders */
            expected = all - expected;
        assert_int_equal(cls_ordered(&request.spec, raw), expected);
    }
    assert_int_equal(cls_ordered(&request.spec, request.spec.pad), all);
}

static void test_all_types(void **state)
{
    (void)state;
    const struct data_type *type;
    for (size_t i = 0; (type = data_type_at(i)) != NULL; i++) {
        check_type(type, 0);
        check_type(type, CLSORT_DESCENDING);
        if (type->name[0] == 'f') {
            check_type(type, CLSORT_FLOAT_NUMERIC);
            check_type(type, CLSORT_FLOAT_NUMERIC | CLSORT_DESCENDING);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_types)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
