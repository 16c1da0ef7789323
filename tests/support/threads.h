/* threads.h - runs a function in several threads at once */
#ifndef CLSORT_TESTS_THREADS_H
#define CLSORT_TESTS_THREADS_H

#include <stdbool.h>
#include <stddef.h>

/* Runs work(0, data) to work(count - 1, data), each in its own thread, and returns whether all returned true. work
 * must not use CMocka's assertions. */
bool threads_run(size_t count, bool (*work)(size_t index, void *data), void *data);

#endif
