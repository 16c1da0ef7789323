/* data_vectors.h - the library clsort-keys: checks and checksums by vectors */
#ifndef CLSORT_TOOLS_DATA_VECTORS_H
#define CLSORT_TOOLS_DATA_VECTORS_H

#include "data_loops.h"

/* Returns whether the processor has the instructions of the functions below, which are those of every processor except
 * on x86-64. */
bool data_vectors_are_supported(void);

/* The loops of data_loops.h for elements of 4 or 8 bytes. */
uint64_t data_vectors_checksum(const unsigned char *p, size_t size, size_t count);
bool data_vectors_are_ordered(const unsigned char *p, size_t size, size_t count,
                              const struct data_mapping *mapping);

/* Returns the sum of the hashes of records of any size. count: a multiple of DATA_RECORDS. */
uint64_t data_vectors_records(const unsigned char *p, size_t size, size_t count);

#endif
