/* parallel.h - all cores at work on arrays: what is not timed should not take long */
#ifndef CLSORT_BENCH_PARALLEL_H
#define CLSORT_BENCH_PARALLEL_H

#include <stddef.h>

/* Calls work(context, first, count) for parts that together are the elements 0 to count - 1, each once, in threads of
 * their own if they are many. Returns when all are done. */
void parallel_parts(size_t count, void (*work)(void *context, size_t first, size_t count),
                    void *context);

#endif
