/* peers.h - the list of all peers */
#ifndef CLSORT_BENCH_PEERS_H
#define CLSORT_BENCH_PEERS_H

#include "peer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* clsort itself: between device buffers, out of place, also with a count in device memory, and in
 * place; on host arrays, also without memory that the engine has kept, and on a group of devices; and by
 * clsort_enqueue, in place in buffers that use the memory of the arrays. */
extern const struct peer peer_clsort_device;
extern const struct peer peer_clsort_counted;
extern const struct peer peer_clsort_in_place;
extern const struct peer peer_clsort_host;
extern const struct peer peer_clsort_host_fresh;
extern const struct peer peer_clsort_group;
extern const struct peer peer_clsort_buffers;

extern const struct peer peer_qsort;
extern const struct peer peer_std_sort;
extern const struct peer peer_std_stable_sort;
extern const struct peer peer_std_merge;
extern const struct peer peer_std_argsort;
extern const struct peer peer_std_lexsort;
extern const struct peer peer_std_partial_sort;
extern const struct peer peer_std_nth_element;
extern const struct peer peer_std_sort_each;
extern const struct peer peer_std_sort_each_all;
extern const struct peer peer_std_unique_copy;
extern const struct peer peer_std_is_sorted_until;
extern const struct peer peer_loop;
extern const struct peer peer_spreadsort;
extern const struct peer peer_block_indirect_sort;
extern const struct peer peer_boost_compute;
extern const struct peer peer_cub;
extern const struct peer peer_cub_64;
extern const struct peer peer_cub_segmented;
extern const struct peer peer_cub_full_sort;
extern const struct peer peer_cub_topk;
extern const struct peer peer_cub_unique;
extern const struct peer peer_cub_decomposer;
extern const struct peer peer_cub_int128;
extern const struct peer peer_cub_gather;
extern const struct peer peer_tbb_parallel_sort;
extern const struct peer peer_vqsort;

/* Implementation of peer.unsupported for peers that require values of the width of keys. The only
 * pairs that they support are u32 keys with values of 4 bytes and u64 keys with values of 8. */
const char *peers_same_width_unsupported(const struct spec *spec);

#ifdef __cplusplus
}
#endif

/* Returns the peer with this index, without clsort; NULL past the last. There are at most
 * PEERS_MAX. */
#define PEERS_MAX 32
const struct peer *peers_at(size_t index);

/* Parses "all" (all that are built in and have the operation), "none", or names separated by commas.
 * Bit i of the mask is that of peers_at(i). Returns false if a name is unknown. */
bool peers_parse(const char *list, enum operation operation, uint32_t *mask);

/* Returns NULL if the peer, which must be built in, supports the spec, else why not. */
const char *peers_unsupported(const struct peer *peer, const struct spec *spec);

#endif
