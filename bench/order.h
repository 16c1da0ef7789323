/* order.h - the custom orders of --op custom
 *
 * Keys of type u64 are structs of two u32, the second in ascending order, then the first in
 * descending order. Other integers are in the order of <. */
#ifndef CLSORT_BENCH_ORDER_H
#define CLSORT_BENCH_ORDER_H

#include "data.h"

#include <clsort.h>

/* Returns NULL if there is a custom order for the type, else why there is none. */
const char *order_unsupported(const struct data_type *type);

/* Sets the fields of desc that describe the order. */
void order_describe(const struct data_type *type, clsort_desc *desc);

/* Maps a u64 key to a number that ascends in the custom order. */
static inline uint64_t order_of_halves(uint64_t key)
{
    return key ^ UINT32_MAX;
}

#endif
