/* matrix.c - every algorithm x type x order x value size, rotating through all other dimensions
 *
 *     matrix [--values SIZE,SIZE,...] TYPE... */
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char all_values[] = "0,1,2,3,4,7,8,12,16,24,100,1024";

static void add_tests(struct suite *suite, const struct data_type *type, size_t value_size)
{
    struct sort_case base = sort_case_default(0);
    base.type = type;
    base.value_size = value_size;
    for (size_t a = 0; suite_algorithm(a); a++) {
        snprintf(base.algorithm, sizeof base.algorithm, "%s", suite_algorithm(a));
        for (size_t f = 0; suite_flags(type, f, &base.flags); f++)
            suite_add(suite, "matrix", suite_rotate, &base);
    }
}

int main(int argc, char **argv)
{
    const char *values = all_values;
    int first = 1;
    if (argc > 2 && strcmp(argv[1], "--values") == 0) {
        values = argv[2];
        first = 3;
    }
    struct suite suite;
    if (!suite_open(&suite, (uint64_t)argv[argc - 1][1]))
        return EXIT_FAILURE;
    for (int i = first; i < argc; i++) {
        const struct data_type *type = data_type_find(argv[i]);
        if (!type) {
            fprintf(stderr, "matrix: no type %s\n", argv[i]);
            return EXIT_FAILURE;
        }
        for (const char *at = values; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
            add_tests(&suite, type, (size_t)strtoul(at, NULL, 10));
    }
    return suite_finish(&suite);
}
