/* virtual_keys.h - random keys in order that are computed when they are needed, instead of being in memory
 *
 * The keys are independent and uniform in 64 bits. Whether one of m keys of a range is in its lower half is the toss of
 * a coin, so that the number of those that are is binomial: it is drawn from a hash of the range. Ranges are halved
 * down to single keys, so that a count or a key takes about log2 of the number of keys steps, and no memory. */
#ifndef CLSORT_BENCH_VIRTUAL_KEYS_H
#define CLSORT_BENCH_VIRTUAL_KEYS_H

#include "group/splitters.h"

struct virtual_keys {
    uint64_t seed, count;
};

/* Counts the keys that are below `key`, and not above it. */
struct cls_key_counts virtual_count(const struct virtual_keys *keys, uint64_t key);

/* Returns the key at a position of the sorted keys. */
uint64_t virtual_key_at(const struct virtual_keys *keys, uint64_t position);

#endif
