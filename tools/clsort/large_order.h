/* large_order.h - the elements of the external sort of clsort: keys, rows or records, and their order */
#ifndef CLSORT_TOOLS_LARGE_ORDER_H
#define CLSORT_TOOLS_LARGE_ORDER_H

#include "external.h"
#include "job.h"

/* Prepares the comparisons of --less, which the order needs when elements are sorted. Prints an error and returns
 * false on failure. The caller calls large_order_close in either case. */
bool large_order_open(struct job *job);
void large_order_close(struct job *job);

/* Prints an error and returns false if a comparison has failed. */
bool large_order_check(const struct job *job);

/* Returns what the engine needs to know about the elements of the open input, whose rows are counted. It refers to the
 * job. */
struct external_order large_order(struct job *job);

/* Returns the size of these elements. */
size_t large_order_size(const struct job *job);

/* Returns whether these elements are sorted as records, rather than as keys or in a custom order. */
bool large_order_has_records(const struct job *job);

/* Returns the memory that their sort needs in addition to them. */
struct pieces_cost large_order_cost(const struct job *job);

#endif
