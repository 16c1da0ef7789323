/* order.h - the custom orders of --op custom
 *
 * Keys of 64 bits are structs of two u32: by the second ascending, then by the first descending. Integers of other types
 * are themselves, in the order of <. */
#ifndef CLSORT_BENCH_ORDER_H
#define CLSORT_BENCH_ORDER_H

#include "job.h"

#include <clsort.h>

/* NULL when there is a custom order for keys of the type, else why there is none. */
const char *order_objection(const struct data_type *type);

/* Sets what describes the order. */
void order_describe(const struct data_type *type, clsort_desc *desc);

/* The keys' number in the custom order of u64. */
static inline uint64_t order_of_halves(uint64_t key)
{
    return key ^ UINT32_MAX;
}

#endif
