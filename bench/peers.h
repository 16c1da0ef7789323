/* peers.h - all the peers there are */
#ifndef CLSORT_BENCH_PEERS_H
#define CLSORT_BENCH_PEERS_H

#include "peer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* clsort itself: between device buffers, and on host arrays. */
extern const struct peer peer_clsort_device;
extern const struct peer peer_clsort_host;

extern const struct peer peer_qsort;
extern const struct peer peer_std_sort;
extern const struct peer peer_std_stable_sort;

#ifdef __cplusplus
}
#endif

/* The index-th peer (clsort is none), NULL past the last. There are at most PEERS_MAX. */
#define PEERS_MAX 32
const struct peer *peers_at(size_t index);

/* Reads "all", "none" or names separated by commas; bit i of the mask stands for peers_at(i).
 * Returns false on a name that is unknown. */
bool peers_parse(const char *list, uint32_t *mask);

#endif
