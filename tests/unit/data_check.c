/* data_check.c - checks of the order and checksums of keys of all types and of records, compared with those of single
 * ones, with and without vectors */
#include "bits.h"
#include "data.h"
#include "data_vectors.h"

#include "keys/records.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_COUNT = 3000 };

/* The linker option --wrap redirects calls of data_vectors_are_supported. */
bool __real_data_vectors_are_supported(void);
bool __wrap_data_vectors_are_supported(void);

static bool has_vectors = true;

bool __wrap_data_vectors_are_supported(void)
{
    return has_vectors && __real_data_vectors_are_supported();
}

static const size_t counts[] = {0, 1, 2, 7, 8, 9, 17, 1023, 1024, 1025, 1026, 2049, MAX_COUNT};
enum { COUNTS = sizeof counts / sizeof counts[0] };

/* Keys that are not aligned. */
static unsigned char memory[MAX_COUNT * 8 + 1];
static unsigned char *const keys = memory + 1;

static const struct data_type *type;
static uint32_t flags;

static int compare(const void *a, const void *b)
{
    const uint64_t first = data_order(type, flags, a), second = data_order(type, flags, b);

    return (first > second) - (first < second);
}

/* Returns the index of the first key that precedes the one before it, or count. */
static size_t find_disorder(size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (compare(keys + (i - 1) * type->size, keys + i * type->size) > 0)
            return i;
    return count;
}

/* Moves the lowest key of the first `count` ones to each of some positions, and checks what is found. */
static void check_places(size_t count)
{
    unsigned char lowest[8];
    const size_t size = type->size;

    memcpy(lowest, keys, size);
    for (size_t place = 1; place < count; place++) {
        const bool is_at_border =
            (place + 2) % 1024 <= 4; /* of blocks that are checked at a time */
        unsigned char key[8];

        if (place >= 40 && place % 61 != 0 && !is_at_border)
            continue;
        memcpy(key, keys + place * size, size);
        memcpy(keys + place * size, lowest, size);
        assert_int_equal(data_disorder(type, flags, keys, count), find_disorder(count));
        memcpy(keys + place * size, key, size);
    }
}

static void disorder_is_found(void **state)
{
    (void)state;
    for (size_t i = 0; (type = data_type_at(i)) != NULL; i++)
        for (flags = 0; flags <= (CLSORT_DESCENDING | CLSORT_FLOAT_NUMERIC); flags++) {
            if (flags & CLSORT_FLOAT_NUMERIC && !data_type_is_float(type))
                continue;
            for (int is_special = 0; is_special < 2; is_special++) {
                static uint64_t filled[MAX_COUNT];

                assert_true(data_fill(type, is_special ? DATA_SPECIAL : DATA_UNIFORM, i, filled,
                                      MAX_COUNT));
                memcpy(keys, filled, MAX_COUNT * type->size);
                assert_int_equal(data_disorder(type, flags, keys, MAX_COUNT),
                                 find_disorder(MAX_COUNT));
                qsort(keys, MAX_COUNT, type->size, compare);
                for (size_t c = 0; c < COUNTS; c++) {
                    assert_int_equal(data_disorder(type, flags, keys, counts[c]), counts[c]);
                    check_places(counts[c]);
                }
            }
        }
}

static void checksums_add_up(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof memory; i++)
        memory[i] = (unsigned char)bits_mix(i);
    for (size_t size = 1; size <= 8; size++)
        for (size_t c = 0; c < COUNTS; c++) {
            uint64_t sum = 0;

            for (size_t i = 0; i < counts[c]; i++)
                sum += data_checksum(keys + i * size, size, 1);
            assert_true(data_checksum(keys, size, counts[c]) == sum);
        }
}

/* The checksum of one record, as files of older versions have it. */
static uint64_t hash_of_record(const unsigned char *record, size_t size)
{
    uint64_t hash = size;

    for (size_t at = 0; at < size; at += 8)
        hash = bits_mix(hash + bits_load(record + at, size - at < 8 ? size - at : 8));
    return hash;
}

static void checksums_of_records_add_up(void **state)
{
    static const size_t sizes[] = {1, 3, 7, 8, 9, 12, 16, 31, 100, 255, 256};

    (void)state;
    for (size_t i = 0; i < sizeof memory; i++)
        memory[i] = (unsigned char)bits_mix(i);
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        uint64_t sum = 0;

        for (size_t count = 0; count <= 50; count++) {
            assert_true(records_checksum(keys, sizes[s], count) == sum);
            sum += hash_of_record(keys + count * sizes[s], sizes[s]);
        }
    }
}

static void without_vectors(void **state)
{
    has_vectors = false;
    disorder_is_found(state);
    checksums_add_up(state);
    checksums_of_records_add_up(state);
    has_vectors = true;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(disorder_is_found),
        cmocka_unit_test(checksums_add_up),
        cmocka_unit_test(checksums_of_records_add_up),
        cmocka_unit_test(without_vectors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
