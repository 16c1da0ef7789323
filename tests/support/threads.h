/* threads.h - the same work in several threads at once */
#ifndef CLSORT_TESTS_THREADS_H
#define CLSORT_TESTS_THREADS_H

#include <stdbool.h>
#include <stddef.h>

/* Runs work(0, data) ... work(count - 1, data), each in a thread of its own; true when all are. CMocka's
 * assertions must not be used in work. */
bool threads_run(size_t count, bool (*work)(size_t index, void *data), void *data);

#endif
