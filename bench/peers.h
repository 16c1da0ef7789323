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
extern const struct peer peer_spreadsort;
extern const struct peer peer_block_indirect_sort;
extern const struct peer peer_boost_compute;
extern const struct peer peer_cub;
extern const struct peer peer_tbb_parallel_sort;
extern const struct peer peer_vqsort;

/* An objection that peers share: to pairs but those of u32 and 4 bytes, and of u64 and 8 bytes. */
const char *peers_twins_objection(const struct shape *shape);

#ifdef __cplusplus
}
#endif

/* The index-th peer (clsort is none), NULL past the last. There are at most PEERS_MAX. */
#define PEERS_MAX 32
const struct peer *peers_at(size_t index);

/* Reads "all" (of those built in), "none" or names separated by commas; bit i of the mask stands for peers_at(i).
 * Returns false on a name that is unknown. */
bool peers_parse(const char *list, uint32_t *mask);

#endif
