/* search.h - exact splitters of sorted shares that are on the ranks of an MPI communicator
 *
 * Each rank has a sorted share. A search finds the position at which each share is divided, so that the elements before
 * these positions are exactly the first n of all (group/splitters.h). All searches run at the same time: a round
 * counts one key per search in all shares, and sums the counts of all ranks. Only these counts are exchanged, so that
 * the memory of a rank is proportional to the number of searches.
 *
 * The share is behind an interface, so that the simulation in bench/scaling runs this code on keys that are not in
 * memory. */
#ifndef CLSORT_MPI_SEARCH_H
#define CLSORT_MPI_SEARCH_H

#include "group/splitters.h"
#include "mpi/ranks.h"

/* The sorted share of this rank. Keys are ordered keys (cls_host_ordered_key). */
struct cls_sorted_keys {
    const void *data;
    uint64_t count;
    /* Counts a key. Both numbers are known to be from `first` to `end`. */
    struct cls_key_counts (*count_key)(const void *data, uint64_t key, uint64_t first,
                                       uint64_t end);
    uint64_t (*key_at)(const void *data, uint64_t position);
};

/* Sets position[i] to the position that divides the share of this rank for the search of the first rank_of[i] elements.
 * These numbers do not decrease, and are the same on all ranks; no ordered key is above max_key. Elements with equal
 * keys are in the order of the ranks. Returns the same status on all ranks. Collective. */
clsort_status cls_search(struct cls_ranks *ranks, const struct cls_sorted_keys *keys,
                         uint64_t max_key, size_t searches, const uint64_t *rank_of,
                         uint64_t *position);

#endif
