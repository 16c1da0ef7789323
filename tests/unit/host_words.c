/* host_words.c - sorts of words: each implementation, all sizes up to several thresholds, words that
 * are the fill of incomplete vectors, the fallback of quicksort, and the memory next to the arrays */
#include "host/words.h"

#include "host_words.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_COUNT = 20000,
    GUARD = 16, /* words on each side of an array, which must not change */
    PATTERNS = 10
};

static uint64_t state;

static uint64_t draw(void)
{
    state += 0x9e3779b97f4a7c15;
    const uint64_t x = (state ^ state >> 31) * 0xbf58476d1ce4e5b9;
    return x ^ x >> 29;
}

/* Word i of count words of one of several distributions. */
static uint64_t word_of(unsigned pattern, size_t i, size_t count)
{
    switch (pattern) {
    case 0:
        return draw();
    case 1: /* few values, among them the minimum and the maximum */
        return (draw() % 4) * 0x5555555555555555;
    case 2: /* the maximum, which fills incomplete vectors, and others */
        return draw() % 3 == 0 ? draw() : UINT64_MAX;
    case 3:
        return i * 0x10000000100;
    case 4:
        return (count - i) * 0x10000000100;
    case 5:
        return (i < count / 2 ? i : count - i) * 0x10000000100;
    case 6: /* ascending, except for the last word */
        return i + 1 < count ? (i + 1) * 0x10000000100 : 0;
    case 7: /* one value */
        return 0x8000000080000000;
    case 8: /* descending with equal words */
        return (count - i) / 3 * 0x10000000100;
    default: /* half of the words are equal */
        return draw() % 2 == 0 ? draw() >> 8 : 0x7fffffff7fffffff;
    }
}

static int compare(const void *a, const void *b)
{
    uint64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x < y ? -1 : x > y;
}

static struct cls_words_summary expected_summary(const uint64_t *words, size_t count)
{
    struct cls_words_summary summary = {0, true, true, true};
    for (size_t i = 1; i < count; i++) {
        summary.varying |= words[i] ^ words[0];
        summary.is_ascending &= words[i] >= words[i - 1];
        summary.is_descending &= words[i] <= words[i - 1];
        summary.is_strictly_descending &= words[i] < words[i - 1];
    }
    return summary;
}

static void assert_summary(struct cls_words_summary is, const uint64_t *words, size_t count)
{
    const struct cls_words_summary expected = expected_summary(words, count);
    assert_true(is.varying == expected.varying);
    assert_int_equal(is.is_ascending, expected.is_ascending);
    assert_int_equal(is.is_descending, expected.is_descending);
    assert_int_equal(is.is_strictly_descending, expected.is_strictly_descending);
}

/* How the words are sorted: by an implementation, or by a quicksort with a maximum depth. */
struct method {
    const struct cls_words *code;
    const struct quicksorts *quicksorts;
    unsigned max_depth;
};

static const uint64_t *sort64(const struct method *method, uint64_t *a, uint64_t *b, size_t count)
{
    const struct cls_words_summary summary = expected_summary(a, count);
    if (method->code)
        assert_summary(method->code->summarise_64(a, count), a, count);
    if (method->code)
        return summary.varying != 0 ? method->code->sort_64(a, b, count, summary.varying) : a;
    method->quicksorts->sort_64(a, b, count, method->max_depth);
    return a;
}

static const uint32_t *sort32(const struct method *method, uint32_t *a, uint32_t *b, size_t count,
                              const uint64_t *wide)
{
    const struct cls_words_summary summary = expected_summary(wide, count);
    if (method->code)
        assert_summary(method->code->summarise_32(a, count), wide, count);
    if (method->code)
        return summary.varying != 0 ? method->code->sort_32(a, b, count, summary.varying) : a;
    method->quicksorts->sort_32(a, b, count, method->max_depth);
    return a;
}

static void check64(const struct method *method, unsigned pattern, size_t count)
{
    static uint64_t a[MAX_COUNT + 2 * GUARD], b[MAX_COUNT + 2 * GUARD], sorted[MAX_COUNT];
    memset(a, 0xa5, sizeof *a * (count + 2 * GUARD));
    memset(b, 0xa5, sizeof *b * (count + 2 * GUARD));
    for (size_t i = 0; i < count; i++)
        a[GUARD + i] = sorted[i] = word_of(pattern, i, count);
    qsort(sorted, count, sizeof *sorted, compare);
    const uint64_t *is = sort64(method, a + GUARD, b + GUARD, count);
    assert_memory_equal(is, sorted, count * sizeof *sorted);
    for (size_t i = 0; i < GUARD; i++) {
        assert_true(a[i] == 0xa5a5a5a5a5a5a5a5 && b[i] == a[i]);
        assert_true(a[GUARD + count + i] == a[0] && b[GUARD + count + i] == a[0]);
    }
}

static void check32(const struct method *method, unsigned pattern, size_t count)
{
    static uint32_t a[MAX_COUNT + 2 * GUARD], b[MAX_COUNT + 2 * GUARD];
    static uint64_t wide[MAX_COUNT];
    memset(a, 0xa5, sizeof *a * (count + 2 * GUARD));
    memset(b, 0xa5, sizeof *b * (count + 2 * GUARD));
    for (size_t i = 0; i < count; i++)
        wide[i] = a[GUARD + i] = (uint32_t)word_of(pattern, i, count);
    const uint32_t *is = sort32(method, a + GUARD, b + GUARD, count, wide);
    qsort(wide, count, sizeof *wide, compare);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(is[i], wide[i]);
    for (size_t i = 0; i < GUARD; i++) {
        assert_true(a[i] == 0xa5a5a5a5 && b[i] == a[i]);
        assert_true(a[GUARD + count + i] == a[0] && b[GUARD + count + i] == a[0]);
    }
}

static void check(const struct method *method, size_t count)
{
    for (unsigned pattern = 0; pattern < PATTERNS; pattern++) {
        check32(method, pattern, count);
        check64(method, pattern, count);
    }
}

/* All counts up to 1100, so that all blocks and rests occur, and some of each larger order. */
static void check_counts(const struct method *method)
{
    for (size_t count = 1; count <= 1100; count++)
        check(method, count);
    for (size_t count = 1101; count <= MAX_COUNT; count += count / 3 + 1)
        check(method, count);
    check(method, 4096);
}

static void test_portable(void **unused)
{
    const struct method method = {.code = &cls_words_portable};
    (void)unused;
    check_counts(&method);
}

static void check_implementation(const struct cls_words *code)
{
    if (!code)
        skip();
    check_counts(&(struct method){.code = code});
}

/* At the maximum depth, LSD passes sort the rest. */
static void check_max_depth(const struct cls_words *code, const struct quicksorts *quicksorts)
{
    if (!code)
        skip();
    for (unsigned max_depth = 0; max_depth <= 4; max_depth++)
        for (size_t count = 100; count <= MAX_COUNT; count += count / 2)
            check(&(struct method){.quicksorts = quicksorts, .max_depth = max_depth}, count);
}

static void test_avx2(void **unused)
{
    (void)unused;
    check_implementation(cls_words_avx2());
}

static void test_avx512(void **unused)
{
    (void)unused;
    check_implementation(cls_words_avx512());
}

static void test_max_depth_avx2(void **unused)
{
    (void)unused;
    check_max_depth(cls_words_avx2(), &quicksorts_avx2);
}

static void test_max_depth_avx512(void **unused)
{
    (void)unused;
    check_max_depth(cls_words_avx512(), &quicksorts_avx512);
}

/* The best implementation is one of those that the processor supports. */
static void test_best(void **unused)
{
    (void)unused;
    const struct cls_words *best = cls_words_best();
    assert_ptr_equal(best, cls_words_avx512() ? cls_words_avx512()
                           : cls_words_avx2() ? cls_words_avx2()
                                              : &cls_words_portable);
    assert_ptr_equal(best, cls_words_best());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_portable),         cmocka_unit_test(test_avx2),
        cmocka_unit_test(test_avx512),           cmocka_unit_test(test_max_depth_avx2),
        cmocka_unit_test(test_max_depth_avx512), cmocka_unit_test(test_best)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
