/* records.h - clsort-keys: records in the layout of the sort benchmark, and checksums of records */
#ifndef CLSORT_TOOLS_RECORDS_H
#define CLSORT_TOOLS_RECORDS_H

#include "data.h"

enum { RECORDS_SIZE = 100, RECORDS_KEY_SIZE = 10, RECORDS_BLOCK = 1 << 12 };

/* Generates at most RECORDS_BLOCK records, starting at index `first`, of `total` records. The keys are byte
 * strings in the distribution of u64 numbers, whose order they have; is_ascii: of printable
 * characters. The same arguments give the same records on every machine. */
void records_fill_part(enum data_dist dist, bool is_ascii, uint64_t seed, uint64_t total,
                       uint64_t first, unsigned char *records, size_t count);

/* Returns a checksum of the multiset of records, as data_checksum does of numbers. */
uint64_t records_checksum(const void *records, size_t size, size_t count);

#endif
