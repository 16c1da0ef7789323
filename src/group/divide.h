/* divide.h - finds the positions that divide sorted shares in host memory */
#ifndef CLSORT_GROUP_DIVIDE_H
#define CLSORT_GROUP_DIVIDE_H

#include "group/crew.h"

/* Shares of an array, each of which is sorted. */
struct cls_sorted_shares {
    const clsort_desc *desc;           /* how they were sorted */
    const struct cls_request *request; /* the same */
    const char *keys;
    const struct cls_ranges *ranges; /* the shares */
};

/* Sets position[i] to the number of elements of share i that are among the first `rank` elements of all shares, in the
 * order of (key, share, position); 0 < rank. In custom orders, a device of the crew compares keys. */
clsort_status cls_divide_shares(const struct cls_sorted_shares *shares, struct cls_crew *crew,
                                uint64_t rank, uint64_t *position);

#endif
