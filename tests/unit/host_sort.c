/* host_sort.c - the sort in the calling thread: order, stability, bit ranges, values of any width */
#include "host/sort.h"

#include "base/index.h"
#include "data.h"
#include "plan/request.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_COUNT = 70000, MAX_VALUE = 100 };

/* A value contains the index of its element, as far as it has space. */
static void write_value(char *value, size_t bytes, size_t index)
{
    for (size_t b = 0; b < bytes; b++)
        value[b] = (char)(index >> (8 * (b % 4)));
}

struct input {
    const struct data_type *type;
    uint32_t flags;
    size_t value_size, count;
    size_t offset; /* address of the keys, modulo 8 */
    unsigned begin_bit, end_bit;
    enum data_dist dist;
};

static void check_by(const struct cls_words *code, const struct input *input)
{
    static uint64_t storage[MAX_COUNT + 1], before[MAX_COUNT];
    static char value_storage[MAX_COUNT * MAX_VALUE];
    const size_t size = input->type->size, value_size = input->value_size, count = input->count;
    char *keys = (char *)storage + input->offset, *values = value_size > 0 ? value_storage : NULL;
    clsort_desc desc = CLSORT_DESC_INIT;
    struct cls_request request;
    desc.key = input->type->key;
    desc.flags = input->flags;
    desc.value_size = value_size;
    desc.begin_bit = input->begin_bit;
    desc.end_bit = input->end_bit;
    assert_int_equal(cls_request_read(&desc, &request), CLSORT_OK);
    assert_true(data_fill(input->type, input->dist, count, before, count));
    memcpy(keys, before, count * size);
    for (size_t i = 0; i < count; i++)
        write_value(values + i * value_size, value_size, i);
    assert_int_equal(cls_host_sort_by(code, &request.spec, count, keys, values), CLSORT_OK);

    const uint64_t mask = cls_compared_mask(&request.spec);
    uint64_t last = 0;
    uint32_t last_index = 0;
    assert_true(data_checksum(before, size, count) == data_checksum(keys, size, count));
    for (size_t i = 0; i < count; i++) {
        uint64_t raw = 0;
        memcpy(&raw, keys + i * size, size);
        const uint64_t rank = cls_ordered(&request.spec, raw) & mask;
        assert_true(last <= rank);
        if (value_size >= sizeof last_index) {
            uint32_t index;
            char value[MAX_VALUE];
            memcpy(&index, values + i * value_size, sizeof index);
            assert_in_range(index, 0, count - 1);
            assert_memory_equal((char *)before + index * size, &raw, size);
            write_value(value, value_size, index);
            assert_memory_equal(values + i * value_size, value, value_size);
            assert_true(i == 0 || last < rank || last_index < index);
            last_index = index;
        }
        last = rank;
    }
}

/* Checks that an argsort gives the stable permutation and does not change the keys. */
static void check_argsort_by(const struct cls_words *code, const struct input *input,
                             size_t index_size)
{
    static uint64_t keys[MAX_COUNT + 1], before[MAX_COUNT + 1], indexes[MAX_COUNT];
    const size_t size = input->type->size, count = input->count;
    clsort_desc desc = CLSORT_DESC_INIT;
    struct cls_request request;
    desc.operation = CLSORT_ARGSORT;
    desc.index_size = (uint32_t)index_size;
    desc.key = input->type->key;
    desc.flags = input->flags;
    desc.begin_bit = input->begin_bit;
    desc.end_bit = input->end_bit;
    assert_int_equal(cls_request_read(&desc, &request), CLSORT_OK);
    char *const at = (char *)keys + input->offset;
    assert_true(data_fill(input->type, input->dist, count, before, count));
    memcpy(at, before, count * size);
    assert_int_equal(cls_host_sort_by(code, &request.spec, count, at, indexes), CLSORT_OK);
    assert_memory_equal(at, before, count * size);
    static bool is_used[MAX_COUNT];
    uint64_t last = 0, last_index = 0;
    memset(is_used, 0, sizeof is_used);
    for (size_t i = 0; i < count; i++) {
        uint64_t raw = 0;
        const uint64_t index = cls_load_index((char *)indexes + i * index_size, index_size);
        assert_in_range(index, 0, count - 1);
        assert_false(is_used[index]);
        is_used[index] = true;
        memcpy(&raw, at + index * size, size);
        const uint64_t rank = cls_ordered(&request.spec, raw) & cls_compared_mask(&request.spec);
        assert_true(i == 0 || last < rank || (last == rank && last_index < index));
        last = rank;
        last_index = index;
    }
}

/* Sorts with each implementation. */
static void check(const struct input *input)
{
    check_by(&cls_words_portable, input);
    if (cls_words_avx2())
        check_by(cls_words_avx2(), input);
    if (cls_words_avx512())
        check_by(cls_words_avx512(), input);
}

/* Sorts with each type, order and distribution. */
static void check_all(size_t value_size, size_t count)
{
    struct input input = {.value_size = value_size, .count = count};
    for (size_t t = 0; (input.type = data_type_at(t)) != NULL; t++)
        for (input.dist = DATA_UNIFORM; input.dist < DATA_DIST_COUNT; input.dist++) {
            input.flags = 0;
            check(&input);
            input.flags = CLSORT_DESCENDING;
            check(&input);
            if (data_type_is_float(input.type)) {
                input.flags = CLSORT_FLOAT_NUMERIC;
                check(&input);
            }
        }
}

static void test_argsorts(void **state)
{
    static const size_t COUNTS[] = {1, 2, 33, 65, 1000, 70000};
    static const struct cls_words *codes[3];
    struct input input = {.offset = 0};
    (void)state;
    codes[0] = &cls_words_portable;
    codes[1] = cls_words_avx2();
    codes[2] = cls_words_avx512();
    for (size_t c = 0; c < sizeof COUNTS / sizeof *COUNTS; c++)
        for (size_t t = 0; (input.type = data_type_at(t)) != NULL; t++)
            for (input.dist = DATA_UNIFORM; input.dist < DATA_DIST_COUNT; input.dist++) {
                const size_t code = (t + input.dist) % 3;
                input.count = COUNTS[c];
                input.flags = input.dist % 2 ? CLSORT_DESCENDING : 0;
                input.begin_bit = input.end_bit = 0;
                if (input.dist % 4 == 3)
                    input.end_bit = (unsigned)input.type->size * 8 - 1;
                input.offset = input.dist % 8 == 5 ? 1 : 0;
                check_argsort_by(codes[code] ? codes[code] : codes[0], &input,
                                 input.dist % 3 ? 4 : 8);
            }
}

static void test_keys(void **state)
{
    static const size_t COUNTS[] = {1, 2, 3, 31, 32, 33, 64, 65, 100, 128, 129, 300, 1000, 70000};
    (void)state;
    for (size_t c = 0; c < sizeof COUNTS / sizeof *COUNTS; c++)
        check_all(0, COUNTS[c]);
}

static void test_values(void **state)
{
    static const size_t COUNTS[] = {2, 3, 16, 64, 65, 129, 1000, 4097};
    static const size_t VALUE_SIZES[] = {4, 8, 17, MAX_VALUE};
    (void)state;
    for (size_t c = 0; c < sizeof COUNTS / sizeof *COUNTS; c++)
        for (size_t v = 0; v < sizeof VALUE_SIZES / sizeof *VALUE_SIZES; v++)
            check_all(VALUE_SIZES[v], COUNTS[c]);
}

/* With 70000 elements, 17 bits of a pack are the index. Packs of 47 bits of the key fit in a word,
 * those of more do not. */
static void test_bit_ranges(void **state)
{
    static const struct {
        unsigned begin, end;
    } RANGES[] = {{0, 1}, {3, 20}, {0, 47}, {0, 48}, {16, 64}, {17, 64}, {1, 64}, {60, 64}};
    static const size_t COUNTS[] = {33, 500, 70000};
    struct input input = {.type = data_type_find("u64"), .value_size = 4};
    (void)state;
    for (size_t r = 0; r < sizeof RANGES / sizeof *RANGES; r++)
        for (size_t c = 0; c < sizeof COUNTS / sizeof *COUNTS; c++)
            for (input.dist = DATA_UNIFORM; input.dist < DATA_DIST_COUNT; input.dist++) {
                input.begin_bit = RANGES[r].begin;
                input.end_bit = RANGES[r].end;
                input.count = COUNTS[c];
                check(&input);
            }
}

static void test_unaligned(void **state)
{
    static const size_t COUNTS[] = {16, 500, 3000};
    static const char *const TYPES[] = {"u16", "u32", "u64"};
    struct input input = {.offset = 0};
    (void)state;
    for (size_t t = 0; t < sizeof TYPES / sizeof *TYPES; t++)
        for (size_t c = 0; c < sizeof COUNTS / sizeof *COUNTS; c++)
            for (input.offset = 1; input.offset < 8; input.offset++) {
                input.type = data_type_find(TYPES[t]);
                input.count = COUNTS[c];
                check(&input);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_unaligned),
                                       cmocka_unit_test(test_argsorts), cmocka_unit_test(test_keys),
                                       cmocka_unit_test(test_values),
                                       cmocka_unit_test(test_bit_ranges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
