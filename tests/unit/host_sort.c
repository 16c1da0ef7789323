/* host_sort.c - the sort in the calling thread: order, stability, values of any width */
#include "host/sort.h"

#include "data.h"
#include "plan/request.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_COUNT = 3000, MAX_VALUE = 100 };

/* A value contains the index of its element. */
static void write_value(char *value, size_t bytes, size_t index)
{
    for (size_t b = 0; b < bytes; b++)
        value[b] = (char)(index >> (8 * (b % 2)));
}

static void check(const struct data_type *type, uint32_t flags, size_t value_size, size_t count,
                  enum data_dist dist)
{
    static uint64_t storage[MAX_COUNT], before[MAX_COUNT];
    static char values[MAX_COUNT * MAX_VALUE];
    char *keys = (char *)storage;
    clsort_desc desc = CLSORT_DESC_INIT;
    struct cls_request request;
    desc.key = type->key;
    desc.flags = flags;
    desc.value_size = value_size;
    assert_int_equal(cls_request_read(&desc, &request), CLSORT_OK);
    assert_true(data_fill(type, dist, count, keys, count));
    memcpy(before, keys, count * type->size);
    for (size_t i = 0; i < count; i++)
        write_value(values + i * value_size, value_size, i);
    assert_int_equal(cls_host_sort(&request.spec, count, keys, values), CLSORT_OK);

    uint64_t last = 0;
    size_t last_index = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t raw = 0;
        uint16_t index;
        memcpy(&raw, keys + i * type->size, type->size);
        const uint64_t rank = cls_ordered(&request.spec, raw);
        assert_true(i == 0 || last <= rank);
        memcpy(&index, values + i * value_size, sizeof index);
        assert_in_range(index, 0, count - 1);
        assert_memory_equal((char *)before + index * type->size, &raw, type->size);
        char value[MAX_VALUE];
        write_value(value, value_size, index);
        assert_memory_equal(values + i * value_size, value, value_size);
        assert_true(i == 0 || last < rank || last_index < index);
        last = rank;
        last_index = index;
    }
}

static void test_sorts(void **state)
{
    static const size_t COUNTS[] = {1,  2,  3,  15,  16,  17,  31,  32,  33,   47,       48,
                                    49, 85, 86, 127, 128, 129, 512, 513, 1000, MAX_COUNT};
    static const size_t VALUE_SIZES[] = {2, 4, 16, 17, MAX_VALUE};
    static const enum data_dist DISTS[] = {DATA_UNIFORM, DATA_SORTED,  DATA_REVERSED,
                                           DATA_FEW,     DATA_SPECIAL, DATA_EQUAL};
    const struct data_type *type;
    (void)state;
    for (size_t t = 0; (type = data_type_at(t)) != NULL; t++)
        for (size_t c = 0; c < sizeof COUNTS / sizeof *COUNTS; c++)
            for (size_t v = 0; v < sizeof VALUE_SIZES / sizeof *VALUE_SIZES; v++) {
                const enum data_dist dist = DISTS[(c + v) % (sizeof DISTS / sizeof *DISTS)];
                check(type, 0, VALUE_SIZES[v], COUNTS[c], dist);
                check(type, CLSORT_DESCENDING, VALUE_SIZES[v], COUNTS[c], dist);
                if (type->name[0] == 'f')
                    check(type, CLSORT_FLOAT_NUMERIC, VALUE_SIZES[v], COUNTS[c], dist);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sorts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
