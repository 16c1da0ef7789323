/* parameters.c - parameters of algorithms, with one of several kinds of sorts each: radix's digits, items and scatter,
 * onesweep's digits, items and group sizes, bitonic's sets of kernels */
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>

static void add_test(struct suite *suite, const char *algorithm)
{
    static const struct {
        clsort_key key;
        size_t value_size;
    } kinds[] = {
        {CLSORT_U32, 0}, {CLSORT_I32, 4}, {CLSORT_U64, 8}, {CLSORT_U8, 0}, {CLSORT_F32, 2}};
    size_t pick = suite->test_count % (sizeof kinds / sizeof *kinds);
    struct sort_case base = sort_case_default(0);
    base.type = data_type_of(kinds[pick].key);
    base.value_size = kinds[pick].value_size;
    base.flags = suite->test_count % 2 ? CLSORT_DESCENDING : 0;
    snprintf(base.algorithm, sizeof base.algorithm, "%s", algorithm);
    suite_add(suite, "parameters", suite_rotate, &base);
}

static void add_radix(struct suite *suite)
{
    static const char *const scatters[] = {"direct", "coalesced"};
    char text[48];
    for (unsigned bits = 1; bits <= 8; bits++)
        for (unsigned scatter = 0; scatter < 2; scatter++) {
            const unsigned items = 1u << (bits + 2 * scatter) % 5;
            snprintf(text, sizeof text, "radix:bits=%u,items=%u,scatter=%s", bits, items,
                     scatters[scatter]);
            add_test(suite, text);
        }
}

static void add_onesweep(struct suite *suite)
{
    char text[48];
    for (unsigned bits = 1; bits <= 8; bits++) {
        const unsigned items = 1 + 7 * bits % 11, group = 16u << bits % 5;
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
    add_onesweep(&suite);
    for (size_t i = 0; i < sizeof bitonic / sizeof *bitonic; i++)
        add_test(&suite, bitonic[i]);
    return suite_finish(&suite);
}
