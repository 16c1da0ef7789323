/* exchange.h - moves parts of arrays between all ranks, point to point */
#ifndef CLSORT_MPI_EXCHANGE_H
#define CLSORT_MPI_EXCHANGE_H

#include "mpi/ranks.h"

#include <stdint.h>

/* An array with a part for each rank, and the array that receives a part of each rank. They do not overlap. */
struct cls_exchange_array {
    const char *from;
    char *to;
    size_t element_bytes;
};

/* Where the parts are, in elements. */
struct cls_exchange_parts {
    const uint64_t
        *send_first; /* the part of rank i is [send_first[i], send_first[i + 1]) of `from` */
    const uint64_t *receive_first; /* the part from rank i is written to `to` from here on */
    const uint64_t *receive_count;
};

/* Sends all parts but that of this rank, and receives all others, in messages of at most max_message_bytes, of which at
 * most CLS_MAX_IN_FLIGHT are in flight in each direction. Empty parts take no message. Collective. */
clsort_status cls_exchange(struct cls_ranks *ranks, const struct cls_exchange_parts *parts,
                           const struct cls_exchange_array *arrays, size_t count);

enum { CLS_MAX_IN_FLIGHT = 4 };

/* Returns the rank that this one exchanges parts with in a round, from 0 to cls_exchange_rounds - 1; this rank itself
 * if it has none. Each pair of ranks meets once, and each rank has one partner at a time. */
int cls_exchange_partner(const struct cls_ranks *ranks, int round);

static inline int cls_exchange_rounds(const struct cls_ranks *ranks)
{
    return ranks->size % 2 == 0 ? ranks->size - 1 : ranks->size;
}

/* Sends bytes to the partner of a round and receives others from it. */
clsort_status cls_exchange_swap(struct cls_ranks *ranks, int partner, const char *from,
                                uint64_t send_bytes, char *to, uint64_t receive_bytes);

#endif
