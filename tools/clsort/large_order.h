/* large_order.h - the elements of the external sort of clsort: keys, rows or records, and their order */
#ifndef CLSORT_TOOLS_LARGE_ORDER_H
#define CLSORT_TOOLS_LARGE_ORDER_H

#include "external.h"
#include "job.h"

/* Returns what the engine needs to know about the elements of the open input, whose rows are counted. It refers to the
 * job. */
struct external_order large_order(struct job *job);

#endif
