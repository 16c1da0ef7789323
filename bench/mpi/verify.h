/* verify.h - checks the result of a sort over all ranks, independently of clsort */
#ifndef CLSORT_BENCH_MPI_VERIFY_H
#define CLSORT_BENCH_MPI_VERIFY_H

#include "data.h"
#include "world.h"

/* Returns the checksum of the keys of all ranks (data_checksum), which does not depend on their order. Collective. */
uint64_t verify_checksum(const struct data_type *type, const void *keys, size_t count);

/* Returns whether the keys of all ranks, one rank behind the other, are in order. Each rank has `count` keys, at least
 * one. Collective. */
bool verify_order(const struct world *world, const struct data_type *type, const void *keys,
                  size_t count);

#endif
