/* peers.c - the list of all peers */
#include "peers.h"

#include <string.h>

static const struct peer *const peers[] = {
    &peer_qsort,
    &peer_std_sort,
    &peer_std_stable_sort,
    &peer_std_merge,
    &peer_std_argsort,
    &peer_std_lexsort,
    &peer_std_partial_sort,
    &peer_std_nth_element,
    &peer_std_sort_each,
    &peer_std_sort_each_all,
    &peer_std_unique_copy,
    &peer_std_is_sorted_until,
    &peer_loop,
    &peer_spreadsort,
    &peer_vqsort,
    &peer_block_indirect_sort,
    &peer_tbb_parallel_sort,
    &peer_boost_compute,
    &peer_cub,
    &peer_cub_64,
    &peer_cub_segmented,
    &peer_cub_full_sort,
    &peer_cub_topk,
    &peer_cub_unique,
    &peer_cub_decomposer,
    &peer_cub_int128,
    &peer_cub_gather,
};

#define PEER_COUNT (sizeof peers / sizeof peers[0])
_Static_assert(PEER_COUNT <= PEERS_MAX, "the mask needs a bit for each peer");

const struct peer *peers_at(size_t index)
{
    return index < PEER_COUNT ? peers[index] : NULL;
}

/* Returns the mask of the peer whose name has length characters; 0 if it is unknown. */
static uint32_t mask_of(const char *name, size_t length)
{
    for (size_t i = 0; i < PEER_COUNT; i++)
        if (strlen(peers[i]->name) == length && memcmp(peers[i]->name, name, length) == 0)
            return UINT32_C(1) << i;
    return 0;
}

static uint32_t mask_of_all(enum operation operation)
{
    uint32_t mask = 0;
    for (size_t i = 0; i < PEER_COUNT; i++)
        if (!peers[i]->missing && (peers[i]->operations & PEER_HAS(operation)))
            mask |= UINT32_C(1) << i;
    return mask;
}

const char *peers_unsupported(const struct peer *peer, const struct spec *spec)
{
    if (!(peer->operations & PEER_HAS(spec->op)))
        return operation_of(spec->op)->no_peer;
    return peer->unsupported ? peer->unsupported(spec) : NULL;
}

const char *peers_same_width_unsupported(const struct spec *spec)
{
    const bool word = spec->type->key == CLSORT_U32 || spec->type->key == CLSORT_U64;
    if (spec->value_size == 0 || (word && spec->value_size == spec->type->size))
        return NULL;
    return "it supports pairs of u32 with 4-byte values and u64 with 8-byte values only";
}

bool peers_parse(const char *list, enum operation operation, uint32_t *mask)
{
    *mask = 0;
    if (strcmp(list, "none") == 0)
        return true;
    if (strcmp(list, "all") == 0) {
        *mask = mask_of_all(operation);
        return true;
    }
    for (;;) {
        size_t length = strcspn(list, ",");
        uint32_t bit = mask_of(list, length);
        if (bit == 0)
            return false;
        *mask |= bit;
        if (list[length] == '\0')
            return true;
        list += length + 1;
    }
}
