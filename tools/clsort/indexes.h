/* indexes.h - the permutation that --argsort writes
 *
 * In memory an index has as few bytes as the rows allow; in the output it has 8. */
#ifndef CLSORT_TOOLS_INDEXES_H
#define CLSORT_TOOLS_INDEXES_H

#include <stddef.h>
#include <stdint.h>

/* Returns the size of an index in memory, 4 or 8 bytes, for rows of this length. */
size_t indexes_size(size_t length);

/* Convert indexes in memory to those of the output, and back. size: of an index in memory. */
void indexes_widen(uint64_t *to, const void *from, size_t size, size_t count);
void indexes_narrow(void *to, size_t size, const uint64_t *from, size_t count);

/* Adds a number, modulo 2^64, to indexes in memory. */
void indexes_add(void *indexes, size_t size, size_t count, uint64_t number);

#endif
