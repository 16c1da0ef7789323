/* replay.c - runs one sort case, such as the one that a failing test printed
 *
 *     replay 'algorithm=radix type=u32 n=4097 ...'
 *
 * The exit status is 0 if the result is right, 77 (skipped) if the sort is unsupported because of a known fault of the
 * driver, and 1 otherwise. */
#include "sort_case.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    struct sort_case sort;
    if (argc != 2 || !sort_case_parse(argv[1], &sort)) {
        fprintf(stderr, "usage: replay 'algorithm=... type=... n=...'\n");
        return EXIT_FAILURE;
    }
    struct env env;
    clsort_status status = env_open(&env);
    if (status) {
        fprintf(stderr, "no device to test: %s\n", clsort_status_string(status));
        return EXIT_FAILURE;
    }
    static const char *const words[] = {"right", "unsupported", "wrong"};
    enum sort_result result = sort_case_run(&sort, &env);
    puts(words[result]);
    const bool skipped = result == SORT_UNSUPPORTED && env_blames_driver(&env);
    env_close(&env);
    if (skipped)
        return 77;
    return result == SORT_RIGHT ? EXIT_SUCCESS : EXIT_FAILURE;
}
