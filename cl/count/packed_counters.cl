// packed_counters.cl - exact counting with counters of 4 bits, for 16-bit keys
//
// The 65536 counters fill 32 KiB of local memory, COUNT_FIELDS in a word. A counter that overflows
// carries into its neighbour in the word, which the word's value before the addition shows. Each
// carry is logged: the key whose counter overflowed is appended to a log.
//
// The same code counts the log into a second level of counters, each worth 16 of the first level,
// and so on until a level has no carries. The counters are therefore exact for all keys and all
// orders of additions. A log has at most 1/15 of the keys that were counted. A work-item that logs
// carries repeatedly has many equal keys, and from then on combines the equal keys of a pack in one
// addition.
//
// The options are described in work_group_16.cl.
#ifndef CLSORT_COUNT_PACKED_COUNTERS_CL
#define CLSORT_COUNT_PACKED_COUNTERS_CL

#include "common/types.cl"
#include "count/layout.h"
#include "count/pack.cl"

#define PART_WORDS (COUNT_WORDS / PARTS)
#define COMBINE_AFTER 4u // carries of a work-item after which it combines equal keys

typedef struct {
    __local uint *counts; // of the part
    __local uint *logged; // number of keys in the log
    __global key_t *log;
    uint part;
    uint carries; // of this work-item
} counters_t;

// -- the counter of a key -------------------------------------------------------------------------

// A key is counted in one field of one word. Neighbouring keys have neighbouring words, and so have
// neighbouring multiples of 256: their words are in different banks.
static inline uint word_of(const uint key)
{
    return (key ^ key >> 8) & (COUNT_WORDS - 1);
}

static inline uint field_of(const uint key)
{
    return key / COUNT_WORDS;
}

static inline uint key_of(const uint word, const uint field)
{
    const uint high = field * COUNT_WORDS + (word & ~0xffu);
    return high | ((word ^ high >> 8) & 0xff);
}

static inline uint field_value(const uint word, const uint field)
{
    return word >> (field * COUNT_FIELD_BITS) & COUNT_FIELD_MAX;
}

static inline bool is_in_part(const counters_t *counters, const uint key)
{
    return PARTS == 1 || word_of(key) / PART_WORDS == counters->part;
}

// -- counting -------------------------------------------------------------------------------------

// Returns the word's previous value.
static inline uint add(const counters_t *counters, const uint key, const uint amount)
{
    return atomic_add(&counters->counts[word_of(key) % PART_WORDS],
                      amount << (field_of(key) * COUNT_FIELD_BITS));
}

// Logs that the key's field overflowed. The carry went to the next field, and further if that field
// was full.
static inline void log_carries(counters_t *counters, const uint key, const uint old)
{
    uint field = field_of(key);
    do {
        counters->log[atomic_inc(counters->logged)] = (key_t)key_of(word_of(key), field++);
    } while (field < COUNT_FIELDS && field_value(old, field) == COUNT_FIELD_MAX);
    counters->carries++;
}

static inline void count_equal(counters_t *counters, const uint key, const uint amount)
{
    if (!is_in_part(counters, key)) {
        return;
    }
    const uint old = add(counters, key, amount);
    if (field_value(old, field_of(key)) + amount > COUNT_FIELD_MAX) {
        log_carries(counters, key, old);
    }
}

static inline void count_key(counters_t *counters, const uint key)
{
    count_equal(counters, key, 1);
}

// Counts four keys. All additions are issued before the result of the first is used.
static inline void count_four(counters_t *counters, const uint a, const uint b)
{
    const uint keys[4] = {a & 0xffff, a >> 16, b & 0xffff, b >> 16};
    uint old[4], fullest = 0;
#pragma unroll
    for (uint i = 0; i < 4; i++) {
        old[i] = is_in_part(counters, keys[i]) ? add(counters, keys[i], 1) : 0;
    }
#pragma unroll
    for (uint i = 0; i < 4; i++) {
        fullest = max(fullest, field_value(old[i], field_of(keys[i])));
    }
    if (fullest < COUNT_FIELD_MAX) {
        return;
    }
#pragma unroll
    for (uint i = 0; i < 4; i++) {
        if (field_value(old[i], field_of(keys[i])) == COUNT_FIELD_MAX) {
            log_carries(counters, keys[i], old[i]);
        }
    }
}

// Counts a pack with one addition for each distinct key.
static inline void count_combined(counters_t *counters, const uint4 pack)
{
    const uint word[4] = {pack.x, pack.y, pack.z, pack.w};
    uint keys[PACK_KEYS];
#pragma unroll
    for (uint i = 0; i < PACK_KEYS; i++) {
        keys[i] = word[i / 2] >> (i % 2 * 16) & 0xffff;
    }
    uint left = (1u << PACK_KEYS) - 1;
#pragma unroll
    for (uint i = 0; i < PACK_KEYS; i++) {
        if (!(left >> i & 1)) {
            continue;
        }
        uint equal = 0;
#pragma unroll
        for (uint j = i; j < PACK_KEYS; j++) {
            equal |= (uint)(keys[j] == keys[i]) << j;
        }
        left &= ~equal;
        count_equal(counters, keys[i], popcount(equal));
    }
}

static inline void count_pack(counters_t *counters, const uint4 pack)
{
    if (counters->carries < COMBINE_AFTER) {
        count_four(counters, pack.x, pack.y);
        count_four(counters, pack.z, pack.w);
    } else {
        count_combined(counters, pack);
    }
}

// The group counts `count` keys. Packs are not loaded ahead, which would take registers, so that
// fewer groups would run at once.
static inline void count_keys(counters_t *counters, __global const key_t *from, const uint count)
{
    const uint t = (uint)get_local_id(0);
    const count_range_t range = divide_range((size_t)from, count);
    __global const uint4 *in = (__global const uint4 *)(from + range.head);
    for (uint i = t; i < range.head; i += GROUP_SIZE) {
        count_key(counters, from[i]);
    }
    for (uint i = t; i < range.packs; i += GROUP_SIZE) {
        count_pack(counters, in[i]);
    }
    for (uint i = range.tail + t; i < count; i += GROUP_SIZE) {
        count_key(counters, from[i]);
    }
}

#endif
