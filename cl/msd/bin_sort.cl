// bin_sort.cl - sorts a job of a tile: keys are counted into bins, and windows of neighbours sorted in registers
//
// Bins are equal intervals of what the job's keys can be, about one for each two keys. Once keys are in their bins'
// order none is farther from its place than its bin is long. Then work-items sort windows of ITEMS neighbours, by turns
// at multiples of ITEMS and half between, as in odd-even transposition (Knuth, "The art of computer programming",
// volume 3, 5.3.4): two turns for bins of up to ITEMS / 2 + 1 keys, and at most one more for each further ITEMS / 2.
// From the third on windows in order are left alone, and two turns that find all in order are the last ones. What
// MAX_TURNS do not sort is left to settle_job.cl.
//
// With values, where a key was in the job comes along and decides between equal ones, so that this part of the sort is
// stable. Where both fit a number of the key's size, since the keys' highest bits are alike, they are one. The values
// follow at the end (job.cl).
//
// Cost model: an element is read and written once; in local memory two atomics and a write of random places, and for
// each turn a read and a write in order. Batcher's network of 19 items compares 91 times a turn. Measured (H200, 2^28
// u32 keys): 1.1 ms, 0.46 of what reading and writing takes at 4.18 TB/s; with u32 values 1.9 ms, 0.55; u64 keys 2.4,
// 0.43.
//
// GROUP_SIZE, ITEMS    work-items of a group, and keys of each in a tile; ITEMS is odd, so that lanes meet in no bank
// BIN_BITS             of the number of bins, which GROUP_SIZE divides
// PLACE_BITS           that tell a job's places apart
#ifndef CLSORT_MSD_BIN_SORT_CL
#define CLSORT_MSD_BIN_SORT_CL

#include "common/group_sum.cl"
#include "common/keys.cl"
#include "common/unroll.cl"
#include "msd/bucket.cl"
#include "msd/tables.cl"

#define BINS (1u << BIN_BITS)
#define ITEM_BINS (BINS / GROUP_SIZE)
#define HALF (ITEMS / 2)
#define MAX_TURNS 20 // more take as long as settle_job

// How many turns a bin of so many keys takes.
#define TURNS(keys) ((max(keys, 2u) - 2 + HALF) / HALF + 1)

#define MAY_PACK (VALUE_BYTES > 0 && KEY_BYTES >= 4)

// Batcher, "Sorting networks and their applications", AFIPS 1968, p. 307: odd-even merge sort of ITEMS elements, by
// exchange(low, high) of two of them. Loops count in ones, so that the compiler sees how often they turn.
#define SORT_ITEMS(exchange)                                                                       \
    UNROLL                                                                                         \
    for (uint stage = 0; stage < 5; stage++)                                                       \
        UNROLL                                                                                     \
    for (uint step = 0; step < 5; step++)                                                          \
        UNROLL                                                                                     \
    for (uint low = 0; low < ITEMS; low++) {                                                       \
        const uint span = 1u << stage, apart = step <= stage ? span >> step : 2 * ITEMS;           \
        const uint high = low + apart;                                                             \
        if (span < ITEMS && high < ITEMS && low >= apart % span &&                                 \
            (low - apart % span) % (2 * apart) < apart && low / (2 * span) == high / (2 * span)) { \
            exchange(low, high);                                                                   \
        }                                                                                          \
    }

// Keys that are different, or alone.
static inline void sort_keys(key_t *key)
{
#define EXCHANGE_KEYS(low, high)                                                                   \
    const key_t a = key[low], b = key[high];                                                       \
    key[low] = min(a, b);                                                                          \
    key[high] = max(a, b)
    SORT_ITEMS(EXCHANGE_KEYS)
}

static inline void sort_pairs(key_t *key, uint *from)
{
#define EXCHANGE_PAIRS(low, high)                                                                  \
    const key_t a = key[low], b = key[high];                                                       \
    const uint from_a = from[low], from_b = from[high];                                            \
    const bool swaps = a > b || (a == b && from_a > from_b);                                       \
    key[low] = swaps ? b : a;                                                                      \
    key[high] = swaps ? a : b;                                                                     \
    from[low] = swaps ? from_b : from_a;                                                           \
    from[high] = swaps ? from_a : from_b
    SORT_ITEMS(EXCHANGE_PAIRS)
}

static inline bool are_sorted(const key_t *key, const uint *from, const bool numbers)
{
    bool sorted = true;
    UNROLL
    for (uint i = 0; i + 1 < ITEMS; i++)
        sorted &=
            key[i] < key[i + 1] || (key[i] == key[i + 1] && (numbers || from[i] <= from[i + 1]));
    return sorted;
}

// Sorts the window of the elements from there on; false if all that there is to it is to see that it is in order.
static inline bool sort_window(__local job_room_t *room, const uint window, const bool must,
                               const bool numbers)
{
    key_t key[ITEMS];
    uint from[ITEMS];
    UNROLL
    for (uint i = 0; i < ITEMS; i++) {
        key[i] = room->sorted.key[window + i];
        VALUES(from[i] = numbers ? 0 : room->sorted.from[window + i];)
    }
    const bool sorts = must || !are_sorted(key, from, numbers);
    if (sorts) {
        if (numbers)
            sort_keys(key);
        else
            sort_pairs(key, from);
        UNROLL
        for (uint i = 0; i < ITEMS; i++) {
            room->sorted.key[window + i] = key[i];
            VALUES(if (!numbers) room->sorted.from[window + i] = (ushort)from[i];)
        }
    }
    return sorts;
}

// The least of what a job's keys can be, in the bits from BEGIN_BIT on.
static inline ulong least_of(const job_t job)
{
    return (ulong)job.digit << (job.shift - BEGIN_BIT);
}

// How many bits lower keys of a bin differ in.
static inline uint bin_shift(const job_t job)
{
    const uint low = job.shift - BEGIN_BIT;
    const ulong least = least_of(job), most = least + (((ulong)job.children << low) - 1);
    const uint shift = (uint)max((int)(low + ceil_log2(job.children)) - BIN_BITS, 0);
    return shift +
           ((most >> shift) - (least >> shift) >= BINS); // bins begin at multiples of their size
}

// The bits that tell bins apart, once those below have been shifted out.
static inline uint bin_mask(const job_t job, const uint shift)
{
    const uint bits = job.top - BEGIN_BIT - shift;
    return bits < 32 ? (1u << bits) - 1 : ~0u;
}

// Vectors of counters are read at once, where they are aligned.
typedef struct __attribute__((aligned(16))) {
    uint counts[BINS]; // of keys in each bin; then where the next one goes
    uint sums[GROUP_SIZE];
    job_room_t room;
    uint most;    // of a bin, where that is more than two turns are for
    uint changed; // the last turn that did, counted from 1
    uint words[2];
    uint left; // 1: the last job was not sorted
} sort_room_t;

// Sorts a job's keys to `out`, which may be where they are, and its values; or changes nothing and says so in `left`.
// `alone`: it is not known which highest bits its keys have in common.
static inline void sort_job(__local sort_room_t *r, const job_t job, const bool alone,
                            __global const key_t *in, __global key_t *out, const key_t flip
#if VALUE_BYTES > 0
                            ,
                            __global const value_t *values_in, __global value_t *values_out,
                            __global value_t *values_tmp
#endif
)
{
    const uint t = (uint)get_local_id(0);
    const bool waits = job.count > JOB_TILE; // it had no room to be a segment
    const uint count = waits ? 0 : job.count;
    uint shift = bin_shift(job), mask = bin_mask(job, shift), top = job.top;
    const uint first = (uint)(least_of(job) >> shift); // bin
#define BIN(key) (((uint)((key) >> (BEGIN_BIT + shift)) & mask) - first)
    key_t key[ITEMS];
    VALUES(uint from[ITEMS];)
    UNROLL
    for (uint i = 0; i < ITEMS; i++)
        key[i] = t + i * GROUP_SIZE < count ? ordered(in[t + i * GROUP_SIZE], flip) : 0;
    if (alone) { // nobody has seen whether they differ in their highest bits
        const key_t some = ordered(in[0], flip);
        key_t differ = 0;
        UNROLL
        for (uint i = 0; i < ITEMS; i++)
            differ |= t + i * GROUP_SIZE < count ? key[i] ^ some : 0;
        const ulong varying = group_or(differ, r->words) >> BEGIN_BIT;
        const uint bits = 64 - (uint)clz(varying | 1);
        shift = bits > BIN_BITS ? bits - BIN_BITS : 0;
        mask = (1u << (bits - shift)) - 1;
        top = BEGIN_BIT + bits;
    }
    const bool packs = MAY_PACK && top + PLACE_BITS <= KEY_BITS;
    // What packing shifts out is the same in all keys.
    const key_t high = packs ? ordered(in[0], flip) & ~(~(key_t)0 >> PLACE_BITS) : 0;
    for (uint i = t; i < BINS; i += GROUP_SIZE)
        r->counts[i] = 0;
    if (t == 0)
        r->most = r->changed = 0;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); // in place, keys have been read
    UNROLL
    for (uint i = 0; i < ITEMS; i++)
        if (t + i * GROUP_SIZE < count)
            atomic_inc(&r->counts[BIN(key[i])]);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint own[ITEM_BINS], sum = 0, largest = 0, total;
    UNROLL
    for (uint i = 0; i < ITEM_BINS; i++) {
        own[i] = r->counts[t * ITEM_BINS + i];
        sum += own[i];
        largest = max(largest, own[i]);
    }
    if (TURNS(largest) > 2)
        atomic_max(&r->most, largest);
    uint before = group_exclusive_sum(sum, r->sums, &total);
    UNROLL
    for (uint i = 0; i < ITEM_BINS; i++) {
        r->counts[t * ITEM_BINS + i] = before;
        before += own[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const bool in_order = VALUE_BYTES == 0 && shift == 0; // bins are single keys
    const uint bound = in_order || count == 0 ? 0 : r->most > 0 ? TURNS(r->most) : 2;
    UNROLL
    for (uint i = 0; i < ITEMS; i++)
        if (t + i * GROUP_SIZE < count) {
            const uint at = atomic_inc(&r->counts[BIN(key[i])]), j = t + i * GROUP_SIZE;
            r->room.sorted.key[at] = packs ? key[i] << PLACE_BITS | j : key[i];
            VALUES(if (!packs) r->room.sorted.from[at] = (ushort)j;)
        }
    for (uint i = t; i < ITEMS; i += GROUP_SIZE) {
        r->room.sorted.key[count + i] = ~(key_t)0;
        VALUES(r->room.sorted.from[count + i] = 0xffff;)
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint turn = 0, quiet = 0; // and those in a row that changed nothing
    while (turn < min(bound, (uint)MAX_TURNS) && quiet < 2) {
        const uint window = t * ITEMS + turn % 2 * HALF;
        turn++;
        if (window < count) {
            const bool must = turn <= 2;
#if SUB_GROUP_BACKEND == 0 // PoCL 3.1 compiles two ways to sort windows wrong
            const bool sorts = sort_window(&r->room, window, must, VALUE_BYTES == 0 || packs);
#else
            const bool sorts = VALUE_BYTES == 0 || packs
                                   ? sort_window(&r->room, window, must, true)
                                   : sort_window(&r->room, window, must, false);
#endif
            if (!must && sorts)
                atomic_max(&r->changed, turn);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (turn > 2) {
            quiet = r->changed == turn ? 0 : quiet + 1;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    const bool is_sorted = !waits && (turn == bound || quiet == 2);
    const uint done = is_sorted ? count : 0;
    if (t == 0)
        r->left = !is_sorted;
    UNROLL
    for (uint i = 0; i < ITEMS; i++) {
        const uint j = t + i * GROUP_SIZE;
        const key_t sorted = r->room.sorted.key[j];
        VALUES(const uint place = packs ? (uint)sorted : r->room.sorted.from[j];)
        VALUES(from[i] = j < done ? place & ((1u << PLACE_BITS) - 1) : 0;)
        if (j < done)
            out[j] = unordered(packs ? sorted >> PLACE_BITS | high : sorted, flip);
    }
    VALUES(follow_keys(&r->room, from, t, GROUP_SIZE, done, values_in, job.place, job.start,
                       values_out, values_tmp);)
    barrier(CLK_LOCAL_MEM_FENCE);
}

#endif
