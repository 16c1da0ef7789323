/* parallel.c - sums, checks, proofs and copies of large arrays by several threads, also if no thread can be created */
#include "parallel.h"

#include "unit.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 1 << 20, SIZE = sizeof(uint32_t) };

/* -- creation of threads --------------------------------------------------------------------------- */

static bool fails;

/* The linker option --wrap redirects calls of pthread_create. */
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *data);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *data);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *data)
{
    return fails ? EAGAIN : __real_pthread_create(thread, attributes, run, data);
}

/* -- passes --------------------------------------------------------------------------------------- */

static uint64_t sum(const void *context, const void *elements, size_t count)
{
    const uint32_t *keys = elements;
    uint64_t result = 0;

    (void)context;
    for (size_t i = 0; i < count; i++)
        result += keys[i];
    return result;
}

static size_t find_disorder(const void *context, const void *elements, size_t count)
{
    const uint32_t *keys = elements;

    (void)context;
    for (size_t i = 1; i < count; i++)
        if (keys[i] < keys[i - 1])
            return i;
    return count;
}

static int compare(const void *context, const void *a, const void *b)
{
    const uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;

    (void)context;
    return (first > second) - (first < second);
}

/* Complements the keys, so that an encoded one is out of order. */
static void encode(const void *context, void *elements, size_t count)
{
    uint32_t *keys = elements;

    (void)context;
    for (size_t i = 0; i < count; i++)
        keys[i] = ~keys[i];
}

static const struct external_order order = {.size = SIZE,
                                            .suspect = "",
                                            .checksum = sum,
                                            .disorder = find_disorder,
                                            .compare = compare,
                                            .encode = encode};

/* Returns the keys 0, 1, 2 ... */
static uint32_t *make_keys(void)
{
    uint32_t *keys = malloc((size_t)COUNT * SIZE);

    assert_non_null(keys);
    for (uint32_t i = 0; i < COUNT; i++)
        keys[i] = i;
    return keys;
}

static void sums_agree(void **state)
{
    uint32_t *keys = make_keys();

    (void)state;
    for (size_t count = 0; count <= COUNT; count = 3 * count + 1)
        assert_int_equal(parallel_checksum(&order, keys, count), sum(NULL, keys, count));
    assert_int_equal(parallel_checksum(&order, keys, COUNT), sum(NULL, keys, COUNT));
    free(keys);
}

/* The first of several elements out of order, at and near each position where a part can begin */
static void finds_disorder(void **state)
{
    uint32_t *keys = make_keys();

    (void)state;
    assert_int_equal(parallel_disorder(&order, keys, 0), 0);
    assert_int_equal(parallel_disorder(&order, keys, 1), 1);
    assert_int_equal(parallel_disorder(&order, keys, COUNT), COUNT);
    assert_int_equal(parallel_disorder(&order, keys, COUNT - 1), COUNT - 1);
    for (size_t part = 0; part <= PARALLEL_MAX; part++)
        for (size_t offset = 0; offset < 3; offset++) {
            const size_t at = part * (COUNT / PARALLEL_MAX) + offset - 1;

            if (at < 2 || at >= COUNT) /* the key 0 is in order there */
                continue;
            keys[at] = 0;
            keys[COUNT - 1] = 0;
            assert_int_equal(parallel_disorder(&order, keys, COUNT), at);
            keys[at] = (uint32_t)at;
            keys[COUNT - 1] = COUNT - 1;
        }
    free(keys);
}

static void proof_encodes(void **state)
{
    uint32_t *keys = make_keys();

    (void)state;
    for (size_t count = 0; count <= COUNT; count = 3 * count + 1) {
        uint64_t proof = 1;

        assert_true(parallel_prove(&order, keys, count, &proof));
        for (size_t i = 0; i < COUNT; i++)
            assert_int_equal(keys[i], i < count ? ~(uint32_t)i : (uint32_t)i);
        assert_int_equal(proof, 1 + sum(NULL, keys, count));
        encode(NULL, keys, count);
    }
    free(keys);
}

/* Elements out of order near each position where a part or a piece of a part can begin */
static void proof_finds_disorder(void **state)
{
    enum { STEP = 1 << 14 };
    uint64_t proof = 0;

    (void)state;
    for (size_t step = STEP; step < COUNT; step += STEP)
        for (size_t at = step - 2; at < step + 8; at++) {
            uint32_t *keys = make_keys();

            keys[at] = 0;
            assert_false(parallel_prove(&order, keys, COUNT, &proof));
            free(keys);
        }
}

static void copies_are_whole(void **state)
{
    enum { BYTES = 1 << 22, COPIES = 200 };
    static struct parallel_copy copies[COPIES];
    unsigned char *from = malloc(BYTES), *to = calloc(1, BYTES);

    (void)state;
    assert_true(from != NULL && to != NULL);
    for (size_t i = 0; i < BYTES; i++)
        from[i] = (unsigned char)(i * 2654435761u >> 24 | 1);
    /* The sizes are near those of cache lines and of streamed copies. A byte after each copy stays 0. */
    size_t count = 0;
    for (size_t at = 0; count < COPIES; count++) {
        const size_t size = count % 3 == 0 ? count : (1 << (count % 17)) + count % 5;

        if (at + size >= BYTES)
            break;
        copies[count] = (struct parallel_copy){to + at, from + at + count % 7, size};
        at += size + 1;
    }
    parallel_copy(copies, count);
    for (size_t i = 0; i < count; i++) {
        assert_memory_equal(copies[i].to, copies[i].from, copies[i].size);
        assert_int_equal(copies[i].to[copies[i].size], 0);
    }
    parallel_copy(copies, 0);
    memset(to, 0, BYTES);
    parallel_copy(&(struct parallel_copy){to + 3, from + 5, BYTES - 9}, 1);
    assert_memory_equal(to + 3, from + 5, BYTES - 9);
    assert_int_equal(to[2] | to[BYTES - 6], 0);
    free(from);
    free(to);
}

static void add_part(void *context, size_t part)
{
    int *calls = context;

    calls[part]++;
}

static void each_part_runs_once(void **state)
{
    (void)state;
    for (size_t parts = 1; parts <= PARALLEL_MAX; parts++) {
        int calls[PARALLEL_MAX + 1] = {0};

        parallel_run(parts, add_part, calls);
        for (size_t i = 0; i <= PARALLEL_MAX; i++)
            assert_int_equal(calls[i], i < parts);
    }
}

static void without_threads(void **state)
{
    fails = true;
    sums_agree(state);
    finds_disorder(state);
    proof_encodes(state);
    copies_are_whole(state);
    each_part_runs_once(state);
    fails = false;
}

static void parts_are_powers_of_two(void **state)
{
    (void)state;
    assert_int_equal(parallel_parts(0), 1);
    assert_int_equal(parallel_parts(1000), 1);
    const size_t most = parallel_parts(UINT64_MAX);
    assert_true(most == 1 || most == 2 || most == 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_agree),       cmocka_unit_test(finds_disorder),
        cmocka_unit_test(proof_encodes),    cmocka_unit_test(proof_finds_disorder),
        cmocka_unit_test(copies_are_whole), cmocka_unit_test(each_part_runs_once),
        cmocka_unit_test(without_threads),  cmocka_unit_test(parts_are_powers_of_two),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
