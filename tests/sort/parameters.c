/* parameters.c - radix's parameters, each combination with one of several shapes
 *
 *     parameters [all]
 *
 * By default each number of bits meets both scatters, and the items take turns; "all" crosses them. */
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_test(struct suite *suite, unsigned bits, unsigned items, const char *scatter)
{
    static const struct {
        clsort_key key;
        size_t value_size;
    } shapes[] = {
        {CLSORT_U32, 0}, {CLSORT_I32, 4}, {CLSORT_U64, 8}, {CLSORT_U8, 0}, {CLSORT_F32, 2}};
    size_t pick = suite->test_count % (sizeof shapes / sizeof *shapes);
    struct sort_case base = sort_case_default(0);
    base.type = data_type_of(shapes[pick].key);
    base.value_size = shapes[pick].value_size;
    base.flags = suite->test_count % 2 ? CLSORT_DESCENDING : 0;
    snprintf(base.algorithm, sizeof base.algorithm, "radix:bits=%u,items=%u,scatter=%s", bits,
             items, scatter);
    suite_add(suite, "parameters", suite_rotate, &base);
}

int main(int argc, char **argv)
{
    static const char *const scatters[] = {"direct", "coalesced"};
    bool all = argc == 2 && strcmp(argv[1], "all") == 0;
    struct suite suite;
    if (!suite_open(&suite, 1))
        return EXIT_FAILURE;
    for (unsigned bits = 1; bits <= 8; bits++)
        for (unsigned scatter = 0; scatter < 2; scatter++)
            for (unsigned power = 0; power < 5; power++)
                if (all || power == (bits + 2 * scatter) % 5)
                    add_test(&suite, bits, 1u << power, scatters[scatter]);
    return suite_finish(&suite);
}
