/* parameters.c - the parameters of algorithms: all digit widths and scatters of `radix`, tiles and sections of
 * `onesweep`, paths of `hybrid`, and sets of kernels of `bitonic`, each with one of several specs */
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>

static size_t tests; /* the number of tests of all suites */

static void add_case(struct suite *suite, const char *algorithm, clsort_key key, size_t value_size)
{
    struct sort_case base = sort_case_default(0);
    base.type = data_type_of(key);
    base.value_size = value_size;
    base.flags = tests % 2 ? CLSORT_DESCENDING : 0;
    suite_set_algorithm(&base, algorithm);
    suite_add(suite, "parameters", suite_rotate, &base);
    tests++;
}

static void add_test(struct suite *suite, const char *algorithm)
{
    static const struct {
        clsort_key key;
        size_t value_size;
    } specs[] = {
        {CLSORT_U32, 0}, {CLSORT_I32, 4}, {CLSORT_U64, 8}, {CLSORT_U8, 0}, {CLSORT_F32, 2}};
    const size_t pick = tests % (sizeof specs / sizeof *specs);
    add_case(suite, algorithm, specs[pick].key, specs[pick].value_size);
}

/* Splitters divide only keys of 8 bytes. */
static void add_hybrid(struct suite *suite)
{
    static const char *const paths[] = {"hybrid:path=msd", "hybrid:path=lsd",
                                        "hybrid:path=splitters"};
    static const clsort_key keys[] = {CLSORT_U64, CLSORT_I64, CLSORT_F64};
    static const size_t value_sizes[] = {0, 4, 8, 24};
    for (size_t path = 0; path < sizeof paths / sizeof *paths; path++)
        for (size_t i = 0; i < sizeof value_sizes / sizeof *value_sizes; i++)
            add_case(suite, paths[path], keys[i % 3], value_sizes[i]);
}

static void add_radix(struct suite *suite)
{
    static const char *const scatters[] = {"direct", "coalesced"};
    static const unsigned items[] = {1, 2, 5, 8, 13};
    char text[48];
    for (unsigned bits = 1; bits <= 8; bits++) {
        for (unsigned scatter = 0; scatter < 2; scatter++) {
            snprintf(text, sizeof text, "radix:bits=%u,items=%u,scatter=%s", bits,
                     items[(bits + 2 * scatter) % 5], scatters[scatter]);
            add_test(suite, text);
        }
    }
}

/* Adds the tests for launches of at most max_launch_tiles tiles, 1 to 5. The engine reads this limit from the
 * environment. */
static void add_onesweep(struct suite *suite, unsigned max_launch_tiles)
{
    char text[48];
    for (unsigned bits = 1; bits <= 8; bits++) {
        const unsigned items = 1 + 7 * bits % 11, group = 16u << bits % 5;
        if (1 + bits % 5 != max_launch_tiles)
            continue;
        snprintf(text, sizeof text, "onesweep:bits=%u,items=%u,group=%u", bits, items, group);
        add_test(suite, text);
    }
}

int main(void)
{
    static const char *const bitonic[] = {"bitonic:B2",   "bitonic:B2+B4", "bitonic:B2+B4+B8",
                                          "bitonic:C2+B", "bitonic:C4+B",  "bitonic:kernels=B"};
    struct suite suite;
    if (!suite_open(&suite, 1))
        return EXIT_FAILURE;
    add_radix(&suite);
    for (size_t i = 0; i < sizeof bitonic / sizeof *bitonic; i++)
        add_test(&suite, bitonic[i]);
    add_hybrid(&suite);
    int failed = suite_finish(&suite);
    for (unsigned tiles = 1; tiles <= 5; tiles++) {
        char text[16];
        snprintf(text, sizeof text, "%u", tiles);
        setenv("CLSORT_MAX_LAUNCH_TILES", text, 1);
        if (!suite_open(&suite, 1 + tiles))
            return EXIT_FAILURE;
        add_onesweep(&suite, tiles);
        failed |= suite_finish(&suite);
    }
    return failed;
}
