/* parallel.h - clsort-external: passes over large arrays by several threads
 *
 * A device that sorts uses all cores, but its sort waits while elements are counted, checked and summed up. */
#ifndef CLSORT_EXTERNAL_PARALLEL_H
#define CLSORT_EXTERNAL_PARALLEL_H

#include "external.h"

enum { PARALLEL_MAX = 4 };

/* Returns the number of parts into which a pass over `bytes` bytes is divided: a power of two of at most PARALLEL_MAX.
 * There are at most as many parts as cores, and each is large enough to be worth a thread. */
size_t parallel_parts(uint64_t bytes);

/* Calls run(context, part) for each part, and returns when all calls have returned. Each one has a thread of its own,
 * as far as the system provides threads. */
void parallel_run(size_t parts, void (*run)(void *context, size_t part), void *context);

/* The functions of the order, by several threads. The elements are not in rows. */
uint64_t parallel_checksum(const struct external_order *order, const void *elements, size_t count);
size_t parallel_disorder(const struct external_order *order, const void *elements, size_t count);

/* Returns whether the elements are in order, encodes them, and adds their checksum to *sum, in one pass. If they are
 * not in order, the elements and *sum have no meaning. */
bool parallel_prove(const struct external_order *order, void *elements, size_t count,
                    uint64_t *sum);

/* A copy of memory. */
struct parallel_copy {
    unsigned char *to;
    const unsigned char *from;
    size_t size;
};

/* Makes copies, of which none overlaps another. */
void parallel_copy(const struct parallel_copy *copies, size_t count);

#endif
