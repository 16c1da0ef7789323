/* max_buckets.c - keys from which `hybrid` (MSD radix sort) with work-groups of 16 makes the maximum number of
 * buckets
 *
 * In every round, each large bucket has a small child on both sides of a large one. There are PREFIXES large
 * buckets at first, each with a neighbour of one key. In every digit after the prefix, one key is less and one is
 * greater than the others; the last digit has two values with many keys between values with one. A cluster of
 * other keys becomes a deferred bucket. The table of deferred buckets is the last region of scratch, so that too
 * many entries are written out of bounds. */
#include "check.h"
#include "data.h"
#include "env.h"

enum { PREFIXES = 16, PREFIX_BITS = 5, LEVELS = 8, LARGE = 153, KEYS = 324, CLUSTER = 299 };

/* The widths of the digits of all rounds for this number of keys. */
static const unsigned DIGIT_BITS[LEVELS] = {3, 8, 8, 8, 8, 8, 8, 8};

/* Returns the key whose digits after the prefix are 1 before `level`, `digit` at it, and 0 after it. */
static uint64_t key_of(uint64_t prefix, unsigned level, uint64_t digit)
{
    unsigned bits = 64 - PREFIX_BITS;
    uint64_t key = prefix << bits;
    for (unsigned i = 0; i <= level; i++) {
        bits -= DIGIT_BITS[i];
        key |= (i < level ? 1 : digit) << bits;
    }
    return key;
}

static void make_prefix(uint64_t *keys, uint64_t index)
{
    const uint64_t prefix = 2 * index + 1;
    uint64_t *key = keys;
    *key++ = (prefix - 1) << (64 - PREFIX_BITS);
    for (unsigned level = 0; level < LEVELS - 1; level++)
        for (uint64_t digit = 0; digit <= 2; digit += 2)
            *key++ = key_of(prefix, level, digit);
    for (uint64_t digit = 0; digit < 5; digit++)
        for (unsigned i = 0; i < (digit % 2 ? LARGE : 1u); i++)
            *key++ = key_of(prefix, LEVELS - 1, digit);
    assert_int_equal(key - keys, KEYS);
}

/* Whether the sort was refused because of a known fault of the driver. */
static bool refused;

static void all_are_sorted(void **state)
{
    const struct env *env = *state;
    static uint64_t keys[PREFIXES * KEYS + CLUSTER];
    const size_t count = sizeof keys / sizeof *keys;
    for (uint64_t i = 0; i < PREFIXES; i++)
        make_prefix(keys + i * KEYS, PREFIXES - 1 - i);
    for (uint64_t i = 0; i < CLUSTER; i++)
        keys[PREFIXES * KEYS + i] = 1 + i * 7919 % CLUSTER;
    const uint64_t sum = data_checksum(keys, sizeof *keys, count);
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.key = CLSORT_U64;
    desc.algorithm = "hybrid:path=msd";
    const clsort_status status = clsort_host(env->engine, NULL, &desc, count, keys, NULL);
    refused = status == CLSORT_E_UNSUPPORTED && env_blames_driver(env);
    if (refused)
        return;
    assert_ok(status);
    assert_int_equal(data_disorder(data_type_of(CLSORT_U64), 0, keys, count), count);
    assert_int_equal(data_checksum(keys, sizeof *keys, count), sum);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(all_are_sorted, env_set_up, env_tear_down)};
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    return refused ? 77 : failures;
}
