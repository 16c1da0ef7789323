/* parallel.h - work on arrays by all cores, for steps that are not timed */
#ifndef CLSORT_BENCH_PARALLEL_H
#define CLSORT_BENCH_PARALLEL_H

#include <stddef.h>

/* Divides the elements 0 to count - 1 into parts and calls work(context, first, count) for each, in
 * several threads if there are many elements. Returns when all parts are done. */
void parallel_parts(size_t count, void (*work)(void *context, size_t first, size_t count),
                    void *context);

#endif
