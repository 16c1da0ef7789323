/* data_filter.c - the keys that precede or follow a limit, of all types and orders, compared with the order of each */
#include "bits.h"
#include "data.h"

#include "unit.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_COUNT = 3000 };

/* Keys that are not aligned. */
static unsigned char memory[MAX_COUNT * 8 + 1];
static uint64_t space[MAX_COUNT], expected[MAX_COUNT];

static void check(const struct data_type *type, uint32_t flags, size_t count, const void *limit,
                  bool is_from_end)
{
    const unsigned char *keys = memory + 1;
    const bool has_equal = flags & CLSORT_FLOAT_NUMERIC && is_from_end;
    const uint64_t bound = data_order(type, flags, limit);
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        const uint64_t order = data_order(type, flags, keys + i * type->size);

        if ((is_from_end ? order > bound : order < bound) || (has_equal && order == bound))
            memcpy((unsigned char *)expected + kept++ * type->size, keys + i * type->size,
                   type->size);
    }
    assert_int_equal(data_filter(type, flags, space, keys, count, limit, is_from_end), kept);
    assert_memory_equal(space, expected, kept * type->size);
}

static void every_type(void **state)
{
    static const size_t counts[] = {0, 1, 511, 512, 513, MAX_COUNT};

    (void)state;
    for (size_t i = 0; data_type_at(i) != NULL; i++) {
        const struct data_type *type = data_type_at(i);

        assert_true(data_fill(type, DATA_SPECIAL, i, expected, MAX_COUNT));
        memcpy(memory + 1, expected, MAX_COUNT * type->size);
        for (uint32_t flags = 0; flags <= (CLSORT_DESCENDING | CLSORT_FLOAT_NUMERIC); flags++) {
            if (flags & CLSORT_FLOAT_NUMERIC && !data_type_is_float(type))
                continue;
            for (size_t limit = 0; limit < 60; limit++)
                for (size_t j = 0; j < sizeof counts / sizeof counts[0]; j++)
                    for (int is_from_end = 0; is_from_end < 2; is_from_end++) {
                        uint64_t key;

                        memcpy(&key, memory + 1 + limit * type->size, type->size);
                        check(type, flags, counts[j], &key, is_from_end);
                    }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_type)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
