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

/* In round r, from 1 to the number of ranks minus 1, a rank sends to one other and receives from another one. */
static inline int cls_exchange_target(const struct cls_ranks *ranks, int round)
{
    return (ranks->rank + round) % ranks->size;
}

static inline int cls_exchange_source(const struct cls_ranks *ranks, int round)
{
    return (ranks->rank + ranks->size - round) % ranks->size;
}

/* Sends bytes to the target of a round, and receives bytes from its source. Both know their numbers. */
clsort_status cls_exchange_round(struct cls_ranks *ranks, int round, const char *from,
                                 uint64_t send_bytes, char *to, uint64_t receive_bytes);

#endif
