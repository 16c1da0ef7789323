// windows.cl - sorts keys in local memory that are nearly in order, by windows of neighbouring keys
// that are sorted in registers
//
// A sweep sorts windows of ITEMS neighbouring keys, one per work-item. Sweeps alternate between
// windows that start at multiples of ITEMS and windows that start half-way between. The halves of the
// latter are in order after the sweep before, so that they are only merged. This is odd-even
// transposition sort (Knuth, "The Art of Computer Programming", volume 3, 2nd ed., 1998, 5.3.4) with
// half windows in place of keys. When the keys are in the order of their bins (bin_sort.cl), two sweeps
// suffice for bins of up to H + 1 keys, where H is ITEMS / 2 rounded down, and each further H keys in the
// largest bin take at most one more sweep. From the third sweep on, windows that are in order are skipped,
// and two sweeps in a row without a change are the last ones: a large bin of equal keys without values
// takes four sweeps.
//
// Cost: a read and a write of local memory per key and sweep, and the comparisons of Batcher's
// networks: 98 to sort a window of 19 keys, 36 to merge its halves.
//
// Options, which single_tile.cl sets:
//   MERGES_HALVES    0: all windows are sorted; otherwise 1
//   MAX_SWEEPS       the maximum number of sweeps; otherwise CLS_MSD_MAX_SWEEPS
#ifndef CLSORT_MSD_WINDOWS_CL
#define CLSORT_MSD_WINDOWS_CL

#ifndef MERGES_HALVES
#define MERGES_HALVES 1
#endif
#ifndef MAX_SWEEPS
#define MAX_SWEEPS CLS_MSD_MAX_SWEEPS
#endif

#include "msd/permute_values.cl"

#define HALF_WINDOW (ITEMS / 2)

// The number of sweeps for a bin of this many keys.
#define SWEEPS(keys) ((max(keys, 2u) - 2 + HALF_WINDOW) / HALF_WINDOW + 1)

// A step of Batcher's odd-even merge sort ("Sorting networks and their applications", AFIPS 1968,
// p. 307), which merges pairs of runs of 2^stage elements. exchange(low, high) orders two elements.
// Element 0 has the position `first` in the network, of which only the positions of the ITEMS elements
// exist. All loops count in steps of one, so that compilers find out their trip counts.
#define MERGE_STEP(exchange, stage, step, first)                                                   \
    UNROLL                                                                                         \
    for (uint low = 0; low < ITEMS; low++) {                                                       \
        const uint span = 1u << (stage), apart = (step) <= (stage) ? span >> (step) : 2 * ITEMS;   \
        const uint high = low + apart, at = low + (first), past = at - apart % span;               \
        if (span < (first) + ITEMS && high < ITEMS && at >= apart % span &&                        \
            past % (2 * apart) < apart && at / (2 * span) == (at + apart) / (2 * span)) {          \
            exchange(low, high);                                                                   \
        }                                                                                          \
    }

#define MERGE_STEPS 5 // suffice for runs of 2^4 elements; a window has at most 32
#define LAST_STAGE (MERGE_STEPS - 1)

// Sorts a window.
#define SORT_ITEMS(exchange)                                                                       \
    UNROLL                                                                                         \
    for (uint stage = 0; stage <= LAST_STAGE; stage++)                                             \
        UNROLL                                                                                     \
    for (uint step = 0; step < MERGE_STEPS; step++)                                                \
    MERGE_STEP(exchange, stage, step, 0)

// Merges two halves, of which the second has HALF_WINDOW elements. In the network, they are the end of
// the first run and the beginning of the second.
#define MERGE_HALVES(exchange)                                                                     \
    UNROLL                                                                                         \
    for (uint step = 0; step < MERGE_STEPS; step++)                                                \
    MERGE_STEP(exchange, LAST_STAGE, step, (1u << LAST_STAGE) - (ITEMS - HALF_WINDOW))

// Sorts the keys, or merges their halves.
static inline void sort_keys(key_t *key, const bool merges)
{
#define EXCHANGE_KEYS(low, high)                                                                   \
    const key_t a = key[low], b = key[high];                                                       \
    key[low] = min(a, b);                                                                          \
    key[high] = max(a, b)
    if (merges) {
        MERGE_HALVES(EXCHANGE_KEYS)
    } else {
        SORT_ITEMS(EXCHANGE_KEYS)
    }
}

// Keys with their original indexes, which decide between equal keys.
static inline void sort_pairs(key_t *key, uint *from, const bool merges)
{
#define EXCHANGE_PAIRS(low, high)                                                                  \
    const key_t a = key[low], b = key[high];                                                       \
    const uint from_a = from[low], from_b = from[high];                                            \
    const bool swaps = a > b || (a == b && from_a > from_b);                                       \
    key[low] = swaps ? b : a;                                                                      \
    key[high] = swaps ? a : b;                                                                     \
    from[low] = swaps ? from_b : from_a;                                                           \
    from[high] = swaps ? from_a : from_b
    if (merges) {
        MERGE_HALVES(EXCHANGE_PAIRS)
    } else {
        SORT_ITEMS(EXCHANGE_PAIRS)
    }
}

static inline bool are_in_order(const key_t *key, const uint *from, const bool keys_only)
{
    bool in_order = true;
    UNROLL
    for (uint i = 0; i + 1 < ITEMS; i++) {
        in_order &=
            key[i] < key[i + 1] || (key[i] == key[i + 1] && (keys_only || from[i] <= from[i + 1]));
    }
    return in_order;
}

// Sorts the window that starts at this element, or merges its halves, unless it is in order and may be
// skipped. Returns whether it did.
static inline bool sort_window(__local local_bucket_t *local_bucket, const uint window,
                               const bool merges, const bool may_skip, const bool keys_only)
{
    key_t key[ITEMS];
    uint from[ITEMS];
    UNROLL
    for (uint i = 0; i < ITEMS; i++) {
        key[i] = local_bucket->sorted.key[window + i];
        VALUES(from[i] = keys_only ? 0 : local_bucket->sorted.from[window + i];)
    }
    const bool sorts = !may_skip || !are_in_order(key, from, keys_only);
    if (sorts) {
        if (keys_only) {
            sort_keys(key, merges);
        } else {
            sort_pairs(key, from, merges);
        }
        UNROLL
        for (uint i = 0; i < ITEMS; i++) {
            local_bucket->sorted.key[window + i] = key[i];
            VALUES(if (!keys_only) local_bucket->sorted.from[window + i] = (ushort)from[i];)
        }
    }
    return sorts;
}

// Runs at most `sweeps` sweeps, and at most MAX_SWEEPS. From the third one on windows that
// are in order are skipped, and two consecutive sweeps without a change are the last ones.
// keys_only: no two keys are equal, or there are no values. *last_changing_sweep: number of the
// last sweep after the second that changed anything, initially 0. Returns whether the keys are
// sorted.
static inline bool sort_windows(__local local_bucket_t *local_bucket, const uint count,
                                const uint sweeps, const bool keys_only,
                                __local uint *last_changing_sweep)
{
    uint sweep = 0, unchanged = 0; // unchanged: consecutive sweeps that changed nothing
    while (sweep < min(sweeps, (uint)MAX_SWEEPS) && unchanged < 2) {
        const bool is_odd = sweep % 2 > 0, merges = MERGES_HALVES && is_odd;
        const uint window = (uint)get_local_id(0) * ITEMS + (is_odd ? HALF_WINDOW : 0);
        sweep++;
        if (window < count) {
            const bool may_skip = sweep > 2;
#if SUB_GROUP_BACKEND == 0 // PoCL 3.1 miscompiles two copies of sort_window
            const bool sorts = sort_window(local_bucket, window, merges, may_skip, keys_only);
#else
            const bool sorts = keys_only
                                   ? sort_window(local_bucket, window, merges, may_skip, true)
                                   : sort_window(local_bucket, window, merges, may_skip, false);
#endif
            if (may_skip && sorts) {
                atomic_max(last_changing_sweep, sweep);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (sweep > 2) {
            unchanged = *last_changing_sweep == sweep ? 0 : unchanged + 1;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    return sweep == sweeps || unchanged == 2;
}

#endif
