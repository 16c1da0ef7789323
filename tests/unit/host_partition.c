/* host_partition.c - the partition on the cores of the host: ranges, stability, short memory, threads */
#include "host/partition.h"

#include "data.h"
#include "host/key.h"
#include "host/sort.h"
#include "host/threads.h"
#include "plan/request.h"
#include "unit.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum {
    SMALL_COUNT = 1000,
    LARGE_COUNT = 100000, /* several parts on each machine with more than one core */
    MAX_VALUE = 17
};

/* -- creation of threads --------------------------------------------------------------------------- */

static struct {
    bool fails;
    bool all_blocked; /* all signals were blocked whenever a thread was created */
    size_t created;
} threads = {.all_blocked = true};

/* The linker option --wrap redirects calls of pthread_create. */
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *data);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *data);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *data)
{
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    threads.all_blocked &= sigismember(&blocked, SIGINT) && sigismember(&blocked, SIGALRM) &&
                           sigismember(&blocked, SIGUSR1) && sigismember(&blocked, SIGPROF);
    threads.created++;
    return threads.fails ? EAGAIN : __real_pthread_create(thread, attributes, run, data);
}

/* -- partitions ----------------------------------------------------------------------------------- */

/* Arrays of LARGE_COUNT elements. */
struct arrays {
    char *keys, *values;
};

static struct arrays allocate(void)
{
    struct arrays arrays = {calloc(LARGE_COUNT, sizeof(uint64_t)), calloc(LARGE_COUNT, MAX_VALUE)};
    assert_non_null(arrays.keys);
    assert_non_null(arrays.values);
    return arrays;
}

static void release(struct arrays arrays)
{
    free(arrays.keys);
    free(arrays.values);
}

struct input {
    const struct data_type *type;
    uint32_t flags;
    unsigned begin_bit, end_bit;
    size_t value_size;
    enum data_dist dist;
    size_t count, max;
};

static struct cls_spec spec_of(const struct input *input)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    struct cls_request request;
    desc.key = input->type->key;
    desc.flags = input->flags;
    desc.value_size = input->value_size;
    desc.begin_bit = input->begin_bit;
    desc.end_bit = input->end_bit;
    assert_int_equal(cls_request_read(&desc, &request), CLSORT_OK);
    return request.spec;
}

/* Checks that a range with equal keys only is described as such, and that each other one makes
 * progress. */
static void check_range(const struct cls_spec *spec, const struct cls_splitters *splitters,
                        size_t i, const char *keys, size_t count, size_t all)
{
    const uint64_t first = count > 0 ? cls_host_ordered_key(spec, keys) : 0;
    for (size_t k = 0; k < count && splitters->is_equal[i]; k++)
        assert_true(cls_host_ordered_key(spec, keys + k * spec->key_bytes) == first);
    assert_true(splitters->is_equal[i] || count < all);
}

/* Partitions the elements, sorts each range, and compares the result with that of a stable sort. The
 * arrays are unaligned. Returns the number of elements in the largest range whose keys may differ. */
static size_t partition(const struct input *input)
{
    const struct cls_spec spec = spec_of(input);
    const struct arrays from = allocate(), to = allocate(), expected = allocate();
    const size_t count = input->count;
    const struct cls_host_elements in = {from.keys + 1, from.values + 1},
                                   out = {to.keys + 1, to.values + 1};
    struct cls_splitters splitters;
    size_t end[CLS_MAX_SPLITTERS + 1], largest = 0;
    assert_true(data_fill(input->type, input->dist, count, expected.keys, count));
    for (size_t i = 0; i < count; i++) /* the value contains the index, as far as it has space */
        for (size_t b = 0; b < input->value_size; b++)
            expected.values[i * input->value_size + b] = (char)(i >> (8 * (b % 4)));
    memcpy(in.keys, expected.keys, count * spec.key_bytes);
    memcpy(in.values, expected.values, count * input->value_size);
    assert_int_equal(cls_host_choose_splitters(&spec, in.keys, count, input->max, &splitters),
                     CLSORT_OK);
    cls_host_partition(&spec, &splitters, count, in, out, end);
    for (size_t i = 0, first = 0; i <= splitters.count; first = end[i++]) {
        const struct cls_host_elements range = cls_host_elements_at(&spec, out, first);
        assert_true(first <= end[i]);
        check_range(&spec, &splitters, i, range.keys, end[i] - first, count);
        if (!splitters.is_equal[i] && end[i] - first > largest)
            largest = end[i] - first;
        assert_int_equal(cls_host_sort(&spec, end[i] - first, range.keys, range.values), 0);
    }
    assert_int_equal(end[splitters.count], count);
    assert_int_equal(cls_host_sort(&spec, count, expected.keys, expected.values), 0);
    assert_memory_equal(out.keys, expected.keys, count * spec.key_bytes);
    assert_memory_equal(out.values, expected.values, count * input->value_size);
    release(from);
    release(to);
    release(expected);
    return largest;
}

/* Checks all types with every `stride`-th distribution. */
static void check_types(size_t count, size_t max, size_t stride)
{
    static const size_t VALUE_SIZES[] = {0, 1, 4, 8, MAX_VALUE};
    static const uint32_t FLAGS[] = {0, CLSORT_DESCENDING, CLSORT_FLOAT_NUMERIC};
    const struct data_type *type;
    for (size_t t = 0; (type = data_type_at(t)) != NULL; t++)
        for (size_t dist = t % stride; dist < DATA_DIST_COUNT; dist += stride)
            for (size_t f = 0; f < (data_type_is_float(type) ? 3 : 2); f++) {
                const size_t v = (t + dist + f) % (sizeof VALUE_SIZES / sizeof *VALUE_SIZES);
                partition(&(struct input){type, FLAGS[f], 0, 0, VALUE_SIZES[v],
                                          (enum data_dist)dist, count, max});
            }
}

static void test_few(void **state)
{
    (void)state;
    check_types(2, 1, 1);
    check_types(3, 1, 1);
    check_types(SMALL_COUNT, SMALL_COUNT - 1, 1);
    check_types(SMALL_COUNT, SMALL_COUNT / 5, 1);
    check_types(SMALL_COUNT, 3, 1);
}

static void test_many(void **state)
{
    (void)state;
    check_types(LARGE_COUNT - 1, LARGE_COUNT / 3, 8);
}

/* If max is large enough for the sample to be reliable, ranges are not too large. */
static void test_sizes(void **state)
{
    static const enum data_dist DISTS[] = {DATA_UNIFORM, DATA_SORTED,   DATA_EQUAL,    DATA_FEW,
                                           DATA_NORMAL,  DATA_CLUSTERS, DATA_ROOT_DUPS};
    const size_t max = LARGE_COUNT / 4;
    (void)state;
    for (size_t d = 0; d < sizeof DISTS / sizeof *DISTS; d++) {
        const struct input input = {
            data_type_of(CLSORT_U32), 0, 0, 0, 0, DISTS[d], LARGE_COUNT, max};
        assert_true(partition(&input) <= max);
    }
}

/* One key at a time is out of order, at the ends of the parts of two threads. */
static void check_is_sorted(size_t parts)
{
    static const size_t INDEXES[] = {0,
                                     1,
                                     511,
                                     512,
                                     513,
                                     LARGE_COUNT / 2 - 1,
                                     LARGE_COUNT / 2,
                                     LARGE_COUNT - 2,
                                     LARGE_COUNT - 1};
    const struct data_type *type;
    for (size_t t = 0; (type = data_type_at(t)) != NULL; t++) {
        const struct input input = {type, 0, 0, 0, 0, DATA_UNIFORM, LARGE_COUNT, LARGE_COUNT};
        const struct cls_spec spec = spec_of(&input);
        const struct arrays arrays = allocate();
        char key[8] = {0};
        assert_true(cls_host_is_sorted(&spec, arrays.keys, LARGE_COUNT, parts)); /* all are equal */
        memset(key, 1, sizeof key);
        for (size_t k = 0; k < sizeof INDEXES / sizeof *INDEXES; k++) {
            const size_t i = INDEXES[k];
            memcpy(arrays.keys + i * type->size, key, type->size);
            assert_int_equal(cls_host_is_sorted(&spec, arrays.keys, LARGE_COUNT, parts),
                             i + 1 == LARGE_COUNT);
            assert_true(cls_host_is_sorted(&spec, arrays.keys, i + 1, parts));
            memset(arrays.keys + i * type->size, 0, type->size);
        }
        assert_true(cls_host_is_sorted(&spec, arrays.keys, 0, parts));
        release(arrays);
    }
}

static void test_is_sorted(void **state)
{
    (void)state;
    check_is_sorted(1);
    check_is_sorted(2);
}

/* Handlers of the program must not run in the threads, and without threads the caller does it all. */
static void test_threads(void **state)
{
    const struct input input = {data_type_of(CLSORT_F32), 0, 0, 0, 4, DATA_SPECIAL, LARGE_COUNT,
                                LARGE_COUNT / 3};
    sigset_t before, after;
    (void)state;
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    threads.created = 0;
    partition(&input);
    assert_int_equal(threads.created > 0, cls_host_threads(LARGE_COUNT) > 1);
    assert_true(threads.all_blocked);
    threads.fails = true;
    partition(&input);
    threads.fails = false;
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    for (int signal = 1; signal < 32; signal++)
        assert_int_equal(sigismember(&before, signal), sigismember(&after, signal));
}

static void test_bits(void **state)
{
    static const unsigned BITS[][2] = {{0, 1}, {63, 64}, {3, 9}, {5, 40}, {20, 64}};
    (void)state;
    for (size_t b = 0; b < sizeof BITS / sizeof *BITS; b++)
        for (int dist = 0; dist < DATA_DIST_COUNT; dist++)
            partition(&(struct input){data_type_of(CLSORT_U64), 0, BITS[b][0], BITS[b][1], 4,
                                      (enum data_dist)dist, SMALL_COUNT, SMALL_COUNT / 4});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few),       cmocka_unit_test(test_many),
        cmocka_unit_test(test_bits),      cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_is_sorted), cmocka_unit_test(test_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
