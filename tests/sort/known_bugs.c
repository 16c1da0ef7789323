/* known_bugs.c - published bugs of other OpenCL and GPU sorts, one test each, named by the issue
 *
 *     known_bugs [MAX [ALGORITHM]]    MAX leaves out larger counts, for slow devices; ALGORITHM leaves out the others
 *
 * Other tests cover two more bugs: sort.look_back the deadlock of GPUSorting (look-back without forward progress), and
 * sort.big the block count of boostorg/compute, which was a float. */
#include "check.h"
#include "launches.h"
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t max_count = SIZE_MAX;

static void run(struct suite *suite, const struct sort_case *sort)
{
    if (sort->count <= max_count)
        suite_sort(suite, sort);
}

/* Runs the case with each count of a list that ends with 0. */
static void run_counts(struct suite *suite, const struct sort_case *base, const size_t *counts)
{
    struct sort_case one = *base;
    for (; *counts; counts++) {
        one.count = *counts;
        one.seed++;
        run(suite, &one);
    }
}

/* -- boostorg/compute -------------------------------------------------------------------------- */

/* #83: Ints were sorted by another kernel from 33 elements on, which did not build. This sorts counts around 32,
 * and around the counts where clsort uses another kernel, by one engine. */
static void fails_from_33(struct suite *suite, const struct sort_case *base)
{
    static const size_t counts[] = {1,   2,    31,   32,   33,   34,    63,    64,    65, 127,
                                    129, 1023, 1025, 4095, 4097, 16385, 32769, 65537, 0};
    run_counts(suite, base, counts);
}

/* #688: With 500 different keys, each 900 times, keys were right but values were lost, on five GPUs of Intel and
 * NVIDIA, but on no CPU. Here every value is different and must be where its key is. */
static void loses_values(struct suite *suite, const struct sort_case *base)
{
    static const size_t counts[] = {40, 900, 4500, 45000, 450000, 0};
    struct sort_case one = *base;
    one.dist = DATA_FEW;
    run_counts(suite, &one, counts);
    one.dist = DATA_ZIPF;
    run_counts(suite, &one, counts);
}

/* #811: Radix sort, sort by key and stable sort were wrong on AMD Vega, because a fence was missing and the compiler
 * reordered accesses to local memory. Whether this shows depends on the kernel and on chance, so each kind of sort that
 * failed there runs several times. */
static void lacks_fences(struct suite *suite, const struct sort_case *base)
{
    static const clsort_key keys[] = {CLSORT_I32, CLSORT_U64};
    static const size_t counts[] = {40, 1000, 1000, 1000, 5000, 5000, 100000, 0};
    struct sort_case one = *base;
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        for (one.value_size = 0; one.value_size <= 4; one.value_size += 4)
            for (one.flags = 0; one.flags <= CLSORT_DESCENDING; one.flags++) {
                one.type = data_type_of(keys[k]);
                run_counts(suite, &one, counts);
            }
}

/* radix_sort.hpp (pull request #593): A descending sort sorted by -x, but -INT_MIN is INT_MIN, which came first
 * instead of last. With DATA_SPECIAL, many keys are the minimum of the type or next to it. */
static void negates_the_minimum(struct suite *suite, const struct sort_case *base)
{
    static const clsort_key keys[] = {CLSORT_I8, CLSORT_I16, CLSORT_I32, CLSORT_I64};
    static const size_t counts[] = {40, 500, 3000, 70000, 0};
    struct sort_case one = *base;
    one.flags = CLSORT_DESCENDING;
    one.dist = DATA_SPECIAL;
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        one.type = data_type_of(keys[k]);
        run_counts(suite, &one, counts);
    }
}

/* -- arrayfire --------------------------------------------------------------------------------- */

/* #394: sort_index and sort_by_key were not stable, because the OpenCL sort that they used was not. The values
 * identify the elements with equal keys. */
static void is_not_stable(struct suite *suite, const struct sort_case *base)
{
    static const enum data_dist dists[] = {DATA_FEW, DATA_EQUAL, DATA_ZIPF, DATA_ENTROPY5};
    static const size_t counts[] = {16, 40, 1000, 30000, 0};
    struct sort_case one = *base;
    for (size_t d = 0; d < sizeof dists / sizeof *dists; d++)
        for (one.flags = 0; one.flags <= CLSORT_DESCENDING; one.flags++) {
            one.dist = dists[d];
            run_counts(suite, &one, counts);
        }
}

/* #995: Descending sort_by_key and sort_index were sometimes wrong from 1000 elements on. This repeats the same
 * sorts, on both kinds of queue. */
static void fails_sometimes(struct suite *suite, const struct sort_case *base)
{
    struct sort_case one = *base;
    one.flags = CLSORT_DESCENDING;
    for (int i = 0; i < 20; i++) {
        one.out_of_order = i % 2;
        one.count = i % 4 < 2 ? 1000 : 6000;
        run(suite, &one);
    }
}

/* -- CUDA and HIP ------------------------------------------------------------------------------ */

/* ROCm/rocPRIM #775: With begin_bit above 0 and end_bit at the width of the key, some of a million u64 keys were
 * lost and others duplicated. This uses ranges that begin at and between the bounds of digits. */
static void begins_above_0(struct suite *suite, const struct sort_case *base)
{
    static const uint32_t begins[] = {1, 4, 8, 20, 32, 40, 56, 63};
    static const size_t counts[] = {40, 3000, 1000000, 0};
    struct sort_case one = *base;
    one.place = SORT_OUT_OF_PLACE;
    for (size_t b = 0; b < sizeof begins / sizeof *begins; b++) {
        one.begin_bit = begins[b];
        one.end_bit = b % 2 ? 64 : 0; /* both mean the key's width */
        run_counts(suite, &one, counts);
    }
}

/* NVIDIA/cub #60: If the output was the input, an odd number of passes left the result in the temporary buffer.
 * Ranges of 8 to 32 bits take both odd and even numbers of passes. */
static void cannot_sort_in_place(struct suite *suite, const struct sort_case *base)
{
    static const enum sort_place places[] = {SORT_NAMED_IN_PLACE, SORT_IN_PLACE};
    static const size_t counts[] = {40, 3000, 100000, 0};
    struct sort_case one = *base;
    for (size_t p = 0; p < sizeof places / sizeof *places; p++)
        for (one.end_bit = 8; one.end_bit <= 32; one.end_bit += 8) {
            one.place = places[p];
            run_counts(suite, &one, counts);
        }
}

/* -- others ------------------------------------------------------------------------------------ */

/* inducer/pyopencl #435: A sort of no elements failed on Intel's driver. A launch of no work-items is an error before
 * OpenCL 2.1; launches.h makes it an error everywhere. */
static void cannot_sort_nothing(struct suite *suite, const struct sort_case *base)
{
    struct sort_case one = *base;
    for (size_t place = 0; place < SORT_PLACE_COUNT; place++)
        for (size_t spare = 0; spare <= 1000; spare += 1000) {
            one.place = (enum sort_place)place;
            one.spare = spare; /* 0: max_count is as large as possible */
            one.own_scratch = place == SORT_OUT_OF_PLACE;
            run(suite, &one);
        }
    assert_true(launches_counted > 0); /* launches.h is in effect */
}

/* CNugteren/CLBlast #145: Apple's CPU device supports one work-item per work-group only, so that launches of fixed
 * sizes failed with CL_INVALID_WORK_GROUP_SIZE. launches.h makes larger groups fail in the same way. */
static void needs_larger_groups(struct suite *suite, const struct sort_case *base)
{
    static const size_t counts[] = {1, 33, 1000, 20000, 0};
    const size_t launches = launches_counted, right = suite->right;
    clsort_engine *const engine = suite->env.engine;
    clsort_engine *limited = NULL;
    assert_int_equal(setenv("CLSORT_MAX_WORK_GROUP", "1", 1), 0);
    assert_ok(clsort_engine_create(suite->env.context, suite->env.device, NULL, &limited));
    assert_int_equal(unsetenv("CLSORT_MAX_WORK_GROUP"), 0);
    suite->env.engine = limited;
    launches_max_group = 1;
    run_counts(suite, base, counts);
    launches_max_group = SIZE_MAX;
    suite->env.engine = engine;
    clsort_engine_destroy(limited);
    if (suite->right > right)
        assert_true(launches_counted > launches);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *issue;
        suite_body *body;
        clsort_key key;
        size_t value_size;
    } bugs[] = {
        {"boostorg/compute #83", fails_from_33, CLSORT_I32, 0},
        {"boostorg/compute #688", loses_values, CLSORT_I32, 4},
        {"boostorg/compute #811", lacks_fences, CLSORT_I32, 0},
        {"boostorg/compute descending INT_MIN", negates_the_minimum, CLSORT_I32, 0},
        {"arrayfire #394", is_not_stable, CLSORT_F32, 4},
        {"arrayfire #394", is_not_stable, CLSORT_U64, 4},
        {"arrayfire #995", fails_sometimes, CLSORT_F32, 4},
        {"rocPRIM #775", begins_above_0, CLSORT_U64, 0},
        {"CUB #60", cannot_sort_in_place, CLSORT_U32, 0},
        {"CUB #60", cannot_sort_in_place, CLSORT_U32, 4},
        {"pyopencl #435", cannot_sort_nothing, CLSORT_U32, 0},
        {"pyopencl #435", cannot_sort_nothing, CLSORT_F32, 4},
        {"CLBlast #145", needs_larger_groups, CLSORT_U32, 0},
        {"CLBlast #145", needs_larger_groups, CLSORT_U32, 4},
    };
    struct suite suite;
    if (argc > 1)
        max_count = (size_t)strtoull(argv[1], NULL, 10);
    if (!suite_open(&suite, 1))
        return EXIT_FAILURE;
    for (size_t a = 0; suite_algorithm(&suite, a); a++) {
        if (argc > 2 && strcmp(argv[2], suite_algorithm(&suite, a)) != 0)
            continue;
        for (size_t b = 0; b < sizeof bugs / sizeof *bugs; b++) {
            struct sort_case base = sort_case_default(0);
            suite_set_algorithm(&base, suite_algorithm(&suite, a));
            base.type = data_type_of(bugs[b].key);
            base.value_size = bugs[b].value_size;
            suite_add(&suite, bugs[b].issue, bugs[b].body, &base);
        }
    }
    return suite_finish(&suite);
}
