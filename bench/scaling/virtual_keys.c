/* virtual_keys.c - random keys in order that are computed when they are needed, instead of being in memory */
#include "virtual_keys.h"

#include "bits.h"

#include <math.h>

/* A range of keys: those that begin with `depth` bits. `node` has these bits after a leading 1. */
struct range {
    uint64_t node, count; /* count: of keys in it */
    unsigned depth;
};

static unsigned count_bits(uint64_t bits)
{
    unsigned count = 0;
    for (; bits != 0; bits &= bits - 1)
        count++;
    return count;
}

/* Returns how many keys of a range are in its lower half. The sum of four uniform numbers is close to a normal one. */
static uint64_t lower_count(const struct virtual_keys *keys, const struct range *range)
{
    const uint64_t bits = bits_mix(keys->seed + range->node * BITS_GAMMA), count = range->count;
    if (count <= 64)
        return count_bits(bits & (UINT64_MAX >> (64 - count)));
    double sum = -2;
    for (int i = 0; i < 4; i++)
        sum += (double)((bits >> (16 * i)) & 0xffff) / 65536;
    return (uint64_t)((double)count / 2 + sum * sqrt(3 * (double)count / 4));
}

static void go_to(struct range *range, bool upper, uint64_t lower)
{
    range->node = 2 * range->node + upper;
    range->depth++;
    range->count = upper ? range->count - lower : lower;
}

/* Returns the only key of a range. */
static uint64_t single_key(const struct virtual_keys *keys, const struct range *range)
{
    const uint64_t high = range->depth > 0 ? range->node << (64 - range->depth) : 0;
    return high | bits_mix(~keys->seed + range->node * BITS_GAMMA) >> range->depth;
}

struct cls_key_counts virtual_count(const struct virtual_keys *keys, uint64_t key)
{
    struct range range = {1, keys->count, 0};
    uint64_t below = 0;
    while (range.count > 1 && range.depth < 63) {
        const bool upper = key >> (63 - range.depth) & 1;
        const uint64_t lower = lower_count(keys, &range);
        below += upper ? lower : 0;
        go_to(&range, upper, lower);
    }
    if (range.count == 0)
        return (struct cls_key_counts){below, below};
    const uint64_t last = single_key(keys, &range);
    return (struct cls_key_counts){below + (last < key ? range.count : 0),
                                   below + (last <= key ? range.count : 0)};
}

uint64_t virtual_key_at(const struct virtual_keys *keys, uint64_t position)
{
    struct range range = {1, keys->count, 0};
    while (range.count > 1 && range.depth < 63) {
        const uint64_t lower = lower_count(keys, &range);
        const bool upper = position >= lower;
        position -= upper ? lower : 0;
        go_to(&range, upper, lower);
    }
    return single_key(keys, &range);
}
