// packed_counters.cl - exact counting with counters of 4 bits, for 16-bit keys
//
// The 65536 counters fill 32 KiB of local memory, COUNT_FIELDS in a word. A counter that overflows
// carries into its neighbour in the word, which the word's value before the addition shows. Each
// carry is counted in a table in global memory. A counter plus 16 times its own carries, less the
// carries into it, is the number of its keys, for all orders of additions. At most one of 15 keys
// carries, and few do if the keys are uniformly distributed.
//
// The additions of equal keys conflict, and they carry as often as possible. The keys that carry among the first
// keys of a chunk get wide counters of 32 bits. If these keys are frequent enough, the other keys of the chunk are
// looked up there first. NVIDIA's GPUs add up the lanes of a sub-group that increment the same wide counter before they
// access local memory: they do so only if the previous value, which shows carries, is not needed. Wide
// counters take more instructions for each key, so that they are given up if many keys carry nevertheless.
//
// The options are described in work_group_16.cl.
#ifndef CLSORT_COUNT_PACKED_COUNTERS_CL
#define CLSORT_COUNT_PACKED_COUNTERS_CL

#include "common/types.cl"
#include "count/layout.h"
#include "count/pack.cl"

#define PART_WORDS (COUNT_WORDS / PARTS)
#define NO_KEY COUNT_BINS_16 // in place of a key: the wide counter is free
// Packs of each work-item whose keys may get wide counters, and packs after which these may be given up.
#define PROBE_PACKS 1u
#define CHECK_PACKS 16u
// Wide counters are used if more than one of KEYS_PER_CARRY keys carries, and given up if then more than
// one of WIDE_KEYS_PER_CARRY keys does.
#define KEYS_PER_CARRY 32u
#define WIDE_KEYS_PER_CARRY 64u

// How keys are counted.
enum {
    PLAIN, // by the counters of 4 bits
    PROBE, // by these, and keys that carry get wide counters
    WIDE   // by wide counters, or those of 4 bits if a key has none
};

// Local memory of a work-group.
typedef struct {
    uint counts[PART_WORDS]; // of the part
    uint keys[COUNT_WIDE];   // of the wide counters, or NO_KEY
    uint wide[COUNT_WIDE];
    uint carries; // of the packs after which the group decides about wide counters
} count_local_t;

typedef struct {
    __local count_local_t *local_memory;
    __global uint *carries; // of each bin; one of the tables
    uint part;
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

// Returns the index of the wide counter that the key may have: a hash.
static inline uint wide_of(const uint key)
{
    return key * 0x9e3779b1u >> (32 - COUNT_WIDE_BITS);
}

// -- counting -------------------------------------------------------------------------------------

// Returns the word's previous value.
static inline uint add(const counters_t *counters, const uint key, const uint amount)
{
    return atomic_add(&counters->local_memory->counts[word_of(key) % PART_WORDS],
                      amount << (field_of(key) * COUNT_FIELD_BITS));
}

// Counts that the key's field overflowed. The carry went to the next field, and further if that
// field was full. In a probe, the keys get wide counters that are free.
static inline void count_carries(const counters_t *counters, const uint key, const uint old,
                                 const int mode)
{
    __local count_local_t *m = counters->local_memory;
    uint field = field_of(key);
    do {
        const uint carried = key_of(word_of(key), field++);
        atomic_inc(&counters->carries[carried]);
        if (mode != PLAIN) {
            atomic_inc(&m->carries);
        }
        if (mode == PROBE) {
            atomic_cmpxchg(&m->keys[wide_of(carried)], (uint)NO_KEY, carried);
        }
    } while (field < COUNT_FIELDS && field_value(old, field) == COUNT_FIELD_MAX);
}

// Counts a key `amount` times, at most COUNT_FIELD_MAX.
static inline void count_equal(const counters_t *counters, const uint key, const uint amount,
                               const int mode)
{
    if (!is_in_part(counters, key)) {
        return;
    }
    const uint old = add(counters, key, amount);
    if (field_value(old, field_of(key)) + amount > COUNT_FIELD_MAX) {
        count_carries(counters, key, old, mode);
    }
}

// Counts four keys. All additions are issued before the result of the first is used.
static inline void count_four(const counters_t *counters, const uint a, const uint b,
                              const int mode)
{
    __local count_local_t *m = counters->local_memory;
    const uint keys[4] = {a & 0xffff, a >> 16, b & 0xffff, b >> 16};
    bool is_wide[4];
    uint old[4], full = 0; // bit i: the field of key i was full
#pragma unroll
    for (uint i = 0; i < 4; i++) {
        is_wide[i] = mode == WIDE && m->keys[wide_of(keys[i])] == keys[i];
    }
#pragma unroll
    for (uint i = 0; i < 4; i++) {
        if (is_wide[i]) {
            atomic_inc(&m->wide[wide_of(keys[i])]);
        }
    }
#pragma unroll
    for (uint i = 0; i < 4; i++) {
        old[i] = is_in_part(counters, keys[i]) && !is_wide[i] ? add(counters, keys[i], 1) : 0;
    }
#pragma unroll
    for (uint i = 0; i < 4; i++) {
        full |= (uint)(field_value(old[i], field_of(keys[i])) == COUNT_FIELD_MAX) << i;
    }
    // Not unrolled, so that the work-items of a sub-group count the carries of different keys at once.
    while (full > 0) {
        const uint i = 31 - clz(full);
        const uint key = (i < 2 ? a : b) >> (i % 2 * 16) & 0xffff;
        count_carries(counters, key,
                      i < 2 ? (i == 0 ? old[0] : old[1]) : (i == 2 ? old[2] : old[3]), mode);
        full ^= 1u << i;
    }
}

static inline void count_pack(const counters_t *counters, const uint4 pack, const int mode)
{
    __local count_local_t *m = counters->local_memory;
    const uint key = pack.x & 0xffff;
    if (all(pack == (uint4)(key * 0x10001))) {
        if (mode == WIDE && m->keys[wide_of(key)] == key) {
            atomic_add(&m->wide[wide_of(key)], (uint)PACK_KEYS);
        } else {
            count_equal(counters, key, PACK_KEYS, mode);
        }
    } else {
        count_four(counters, pack.x, pack.y, mode);
        count_four(counters, pack.z, pack.w, mode);
    }
}

// Clears the counters, before a barrier.
static inline void clear_counters(__local count_local_t *m)
{
    const uint t = (uint)get_local_id(0);
    for (uint i = t; i < PART_WORDS; i += GROUP_SIZE) {
        m->counts[i] = 0;
    }
    for (uint i = t; i < COUNT_WIDE; i += GROUP_SIZE) {
        m->keys[i] = NO_KEY;
        m->wide[i] = 0;
    }
    if (t == 0) {
        m->carries = 0;
    }
}

// Adds the wide counters to the counters of 4 bits and, in units of 16, to `sixteens`.
static inline void add_wide(const counters_t *counters, __global uint *sixteens)
{
    __local count_local_t *m = counters->local_memory;
    for (uint i = (uint)get_local_id(0); i < COUNT_WIDE; i += GROUP_SIZE) {
        const uint count = m->wide[i], key = m->keys[i];
        if (count > 0) {
            atomic_add(&sixteens[key], count >> COUNT_FIELD_BITS);
            count_equal(counters, key, count & COUNT_FIELD_MAX, PLAIN);
        }
    }
}

// The group counts the packs from `first` to `end`. Packs are not loaded ahead, which would take
// registers, so that fewer groups would run at once.
static inline void count_packs(const counters_t *counters, __global const uint4 *in,
                               const uint first, const uint end, const int mode)
{
    for (uint i = first + (uint)get_local_id(0); i < end; i += GROUP_SIZE) {
        count_pack(counters, in[i], mode);
    }
}

// Returns to all work-items the number of carries that the group has counted.
static inline uint counted_carries(__local const count_local_t *m)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint carries = m->carries;
    barrier(CLK_LOCAL_MEM_FENCE);
    return carries;
}

// The group counts `count` keys.
static inline void count_keys(const counters_t *counters, __global const key_t *from,
                              const uint count)
{
    const uint t = (uint)get_local_id(0);
    const count_range_t range = divide_range((size_t)from, count);
    __global const uint4 *in = (__global const uint4 *)(from + range.head);
    for (uint i = t; i < range.head; i += GROUP_SIZE) {
        count_equal(counters, from[i], 1, PLAIN);
    }
    const uint probed = min(PROBE_PACKS * GROUP_SIZE, range.packs);
    count_packs(counters, in, 0, probed, PROBE);
    const uint carries = counted_carries(counters->local_memory);
    bool has_wide = carries * KEYS_PER_CARRY > probed * PACK_KEYS;
    const uint checked = has_wide ? min(probed + CHECK_PACKS * GROUP_SIZE, range.packs) : probed;
    count_packs(counters, in, probed, checked, WIDE);
    const uint further = counted_carries(counters->local_memory) - carries;
    has_wide = has_wide && further * WIDE_KEYS_PER_CARRY <= (checked - probed) * PACK_KEYS;
    if (has_wide) {
        count_packs(counters, in, checked, range.packs, WIDE);
    } else {
        count_packs(counters, in, checked, range.packs, PLAIN);
    }
    for (uint i = range.tail + t; i < count; i += GROUP_SIZE) {
        count_equal(counters, from[i], 1, PLAIN);
    }
}

#endif
