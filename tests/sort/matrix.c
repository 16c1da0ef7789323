/* matrix.c - all combinations of algorithm, key type, order and value size; the rotation draws everything else
 *
 * Numeric order and comparison sorts need programs of their own. Because compiling takes most of the time, they are
 * tested with a few value sizes only, except for comparison sorts of 32-bit integers: moving values does not depend on
 * how keys are compared.
 *
 *     matrix [argsort] VALUE_SIZE,VALUE_SIZE,... TYPE...
 *
 * With argsort, the value sizes are those of indexes. */
#include "sort_data.h"
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_comparison_sort(const struct sort_case *base)
{
    return strncmp(base->algorithm, "merge", 5) == 0 || strcmp(base->algorithm, "bitonic") == 0 ||
           strcmp(base->algorithm, "quick") == 0;
}

static bool is_wanted(const struct sort_case *base)
{
    const size_t value_size = base->value_size;
    const bool is_u32 = base->type->size == 4 && !data_type_is_float(base->type);
    return value_size == 0 || value_size == 4 || value_size == 100 ||
           (!(base->flags & CLSORT_FLOAT_NUMERIC) && (is_u32 || !is_comparison_sort(base)));
}

static void add_tests(struct suite *suite, uint32_t operation, const struct data_type *type,
                      size_t value_size)
{
    struct sort_case base = sort_case_default(0);
    base.operation = operation;
    base.type = type;
    base.value_size = value_size;
    for (size_t a = 0; suite_algorithm(suite, a); a++) {
        suite_set_algorithm(&base, suite_algorithm(suite, a));
        for (size_t f = 0; suite_flags(type, f, &base.flags); f++) {
            if (is_wanted(&base))
                suite_add(suite, sort_operation_name(operation), suite_rotate, &base);
        }
    }
}

int main(int argc, char **argv)
{
    struct suite suite;
    uint32_t operation = CLSORT_SORT;
    if (argc > 1 && strcmp(argv[1], sort_operation_name(CLSORT_ARGSORT)) == 0) {
        operation = CLSORT_ARGSORT;
        argc--;
        argv++;
    }
    if (argc < 3) {
        fprintf(stderr, "usage: matrix [argsort] VALUE_SIZE,... TYPE...\n");
        return EXIT_FAILURE;
    }
    /* The first digit of the key width is the seed, so that tests of different widths draw different cases. */
    if (!suite_open(&suite, (uint64_t)argv[2][1]))
        return EXIT_FAILURE;
    for (int i = 2; i < argc; i++) {
        const struct data_type *type = data_type_find(argv[i]);
        if (!type) {
            fprintf(stderr, "matrix: unknown key type %s\n", argv[i]);
            return EXIT_FAILURE;
        }
        for (const char *size = argv[1]; size; size = strchr(size, ',')) {
            size += *size == ',';
            add_tests(&suite, operation, type, (size_t)strtoul(size, NULL, 10));
        }
    }
    return suite_finish(&suite);
}
