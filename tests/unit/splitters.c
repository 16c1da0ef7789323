/* splitters.c - exact splitters of sorted shares: both methods, compared with a merge of all shares */
#include "group/splitters.h"

#include "data.h"
#include "host/key.h"
#include "host/sort.h"
#include "plan/request.h"
#include "unit.h"

#include <stdlib.h>

enum {
    SHARES = 7,
    LARGE = 40000, /* elements of a share: several rounds of samples */
    MAX_SAMPLES = 1 << 14
};

/* Sorted shares. */
struct shares {
    struct cls_spec spec;
    size_t count, all, length[SHARES];
    char *keys[SHARES];
};

static uint64_t key_at(const struct shares *shares, size_t share, size_t i)
{
    return cls_host_ordered_key(&shares->spec, shares->keys[share] + i * shares->spec.key_bytes);
}

static struct shares make(const struct data_type *type, uint32_t flags, enum data_dist dist,
                          size_t count, size_t max_length, uint64_t seed)
{
    struct shares shares = {.count = count};
    assert_true(cls_key_spec((uint32_t)type->key, flags, &shares.spec));
    shares.spec.end_bit = 8 * shares.spec.key_bytes; /* all bits are compared */
    for (size_t i = 0; i < count; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        shares.length[i] = (seed >> 33) % 5 == 0 ? 0 : (seed >> 33) % (max_length + 1);
        shares.all += shares.length[i];
        shares.keys[i] = malloc(shares.length[i] * type->size + 1);
        assert_non_null(shares.keys[i]);
        assert_true(data_fill(type, dist, seed, shares.keys[i], shares.length[i]));
        assert_int_equal(cls_host_sort(&shares.spec, shares.length[i], shares.keys[i], NULL),
                         CLSORT_OK);
    }
    return shares;
}

static void drop(struct shares *shares)
{
    for (size_t i = 0; i < shares->count; i++)
        free(shares->keys[i]);
}

/* Takes the first elements one by one: the smallest of the next ones, of equal ones that of the first share. */
static void take(const struct shares *shares, uint64_t rank, uint64_t *position)
{
    memset(position, 0, SHARES * sizeof *position);
    for (; rank > 0; rank--) {
        size_t best = SHARES;
        for (size_t i = 0; i < shares->count; i++)
            if (position[i] < shares->length[i] &&
                (best == SHARES ||
                 key_at(shares, i, position[i]) < key_at(shares, best, position[best])))
                best = i;
        assert_in_range(best, 0, SHARES - 1);
        position[best]++;
    }
}

static void bisect(const struct shares *shares, uint64_t rank, uint64_t *position)
{
    struct cls_bisection bisection = cls_bisection_begin(&shares->spec, rank);
    struct cls_key_counts own[SHARES], all, before = {0, 0};
    unsigned rounds = 0;
    bool is_done;
    do {
        is_done = cls_bisection_is_done(&bisection);
        all = before;
        for (size_t i = 0; i < shares->count; i++) {
            own[i] = cls_count_key(&shares->spec, shares->keys[i], shares->length[i],
                                   cls_bisection_key(&bisection));
            all.below += own[i].below;
            all.not_above += own[i].not_above;
        }
        cls_bisection_narrow(&bisection, all);
        assert_in_range(++rounds, 1, 8 * shares->spec.key_bytes + 1);
    } while (!is_done);
    for (size_t i = 0; i < shares->count; i++) {
        position[i] = cls_bisection_position(&bisection, all, before, own[i]);
        before.below += own[i].below;
        before.not_above += own[i].not_above;
    }
}

/* Sorts the samples of all windows, and returns the number of them. */
static size_t order_samples(const struct shares *shares, const struct cls_window *windows,
                            uint64_t step, uint32_t *order)
{
    static uint64_t keys[MAX_SAMPLES];
    const struct cls_spec spec = {.key_bytes = 8,
                                  .order = CLS_ORDER_INTEGER,
                                  .stable = true,
                                  .end_bit = 64,
                                  .value_bytes = sizeof *order};
    size_t samples = 0;
    for (size_t i = 0; i < shares->count; i++)
        for (uint64_t j = 0; j < cls_window_samples(windows[i], step); j++) {
            assert_in_range(samples, 0, MAX_SAMPLES - 1);
            keys[samples] = key_at(shares, i, windows[i].first + (j + 1) * step - 1);
            order[samples++] = (uint32_t)i;
        }
    assert_int_equal(cls_host_sort(&spec, samples, keys, order), CLSORT_OK);
    return samples;
}

static void narrow(const struct shares *shares, uint64_t rank, uint64_t max_samples,
                   uint64_t *position)
{
    static uint32_t order[MAX_SAMPLES];
    struct cls_window windows[SHARES];
    uint64_t step, rounds = 0, memory[CLS_NARROW_WORDS * SHARES];
    for (size_t i = 0; i < shares->count; i++)
        windows[i] = (struct cls_window){0, shares->length[i]};
    do {
        step = cls_windows_step(windows, shares->count, max_samples);
        order_samples(shares, windows, step, order);
        cls_windows_narrow(windows, shares->count, rank, step, order, memory);
        assert_in_range(++rounds, 1, max_samples < MAX_SAMPLES ? 20 : 3);
    } while (step > 1);
    for (size_t i = 0; i < shares->count; i++) {
        assert_int_equal(windows[i].first, windows[i].end);
        position[i] = windows[i].first;
    }
}

static void check(const struct shares *shares, uint64_t rank)
{
    uint64_t expected[SHARES], bisected[SHARES], narrowed[SHARES];
    take(shares, rank, expected);
    narrow(shares, rank, MAX_SAMPLES, narrowed);
    assert_memory_equal(narrowed, expected, shares->count * sizeof *expected);
    narrow(shares, rank, 8 * shares->count, narrowed); /* many rounds */
    assert_memory_equal(narrowed, expected, shares->count * sizeof *expected);
    if (rank == 0) /* is no splitter */
        return;
    bisect(shares, rank, bisected);
    assert_memory_equal(bisected, expected, shares->count * sizeof *expected);
}

/* All types, orders and distributions, with empty shares, at the ranks around all borders. */
static void small(void **state)
{
    (void)state;
    static const uint32_t flags[] = {0, CLSORT_DESCENDING, CLSORT_FLOAT_NUMERIC};
    for (size_t i = 0; i < 4000; i++) {
        const struct data_type *type = data_type_of((clsort_key)(CLSORT_U8 + i % 11));
        const bool is_float = data_type_is_float(type);
        const enum data_dist dist = (enum data_dist)(i / 11 % DATA_DIST_COUNT);
        struct shares shares =
            make(type, flags[i % (is_float ? 3 : 2)], dist, 1 + i % SHARES, 1 + i % 60, i);
        for (uint64_t rank = 0; rank <= shares.all; rank += 1 + shares.all / 9)
            check(&shares, rank);
        check(&shares, shares.all);
        drop(&shares);
    }
}

/* Shares that need several rounds of samples; of all keys equal, and one hot key. */
static void large(void **state)
{
    (void)state;
    for (size_t dist = 0; dist < DATA_DIST_COUNT; dist++) {
        struct shares shares = make(data_type_of(dist % 2 ? CLSORT_U64 : CLSORT_U16), 0,
                                    (enum data_dist)dist, SHARES, LARGE, dist);
        check(&shares, shares.all / 2);
        check(&shares, shares.all / 7);
        check(&shares, shares.all > 0 ? shares.all - 1 : 0);
        drop(&shares);
    }
}

/* The compared bits of a bit range alone decide. */
static void bit_range(void **state)
{
    (void)state;
    struct shares shares = make(data_type_of(CLSORT_U32), 0, (enum data_dist)0, 3, 500, 5);
    shares.spec.begin_bit = 5;
    shares.spec.end_bit = 9;
    for (size_t i = 0; i < shares.count; i++)
        assert_int_equal(cls_host_sort(&shares.spec, shares.length[i], shares.keys[i], NULL),
                         CLSORT_OK);
    for (uint64_t rank = 0; rank <= shares.all; rank += 50)
        check(&shares, rank);
    drop(&shares);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small),
        cmocka_unit_test(large),
        cmocka_unit_test(bit_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
