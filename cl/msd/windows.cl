// windows.cl - sorts keys in local memory that are nearly in order, by windows of neighbouring keys
// that are sorted in registers
//
// A sweep sorts windows of ITEMS neighbouring keys, one per work-item. Sweeps alternate between
// windows that start at multiples of ITEMS and windows that start half-way between. This is
// odd-even transposition sort (Knuth, "The Art of Computer Programming", volume 3, 2nd ed., 1998,
// 5.3.4) with half windows in place of keys. When the keys are in the order of their bins
// (bin_sort.cl), two sweeps suffice for bins of up to H + 1 keys, where H is ITEMS / 2 rounded
// down, and each further H keys in the largest bin take at most one more sweep. From the third
// sweep on, windows that are in order are skipped, and two sweeps in a row without a change are the
// last ones: a large bin of equal keys without values takes four sweeps.
//
// Cost: a read and a write of local memory per key and sweep, and the comparisons of Batcher's
// network: 98 per window of 19 keys.
#ifndef CLSORT_MSD_WINDOWS_CL
#define CLSORT_MSD_WINDOWS_CL

#include "msd/permute_values.cl"

#define HALF_WINDOW (ITEMS / 2)

// The number of sweeps for a bin of this many keys.
#define SWEEPS(keys) ((max(keys, 2u) - 2 + HALF_WINDOW) / HALF_WINDOW + 1)

// Odd-even merge sort of ITEMS elements, at most 32; exchange(low, high) orders two of them.
// Batcher, "Sorting networks and their applications", AFIPS 1968, p. 307. All loops count in steps
// of one, so that compilers find out their trip counts.
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

static inline void sort_keys(key_t *key)
{
#define EXCHANGE_KEYS(low, high)                                                                   \
    const key_t a = key[low], b = key[high];                                                       \
    key[low] = min(a, b);                                                                          \
    key[high] = max(a, b)
    SORT_ITEMS(EXCHANGE_KEYS)
}

// Keys with their original indexes, which decide between equal keys.
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

// Sorts the window that starts at this element, unless it is in order and may be skipped. Returns
// whether it was sorted.
static inline bool sort_window(__local local_bucket_t *local_bucket, const uint window,
                               const bool may_skip, const bool keys_only)
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
            sort_keys(key);
        } else {
            sort_pairs(key, from);
        }
        UNROLL
        for (uint i = 0; i < ITEMS; i++) {
            local_bucket->sorted.key[window + i] = key[i];
            VALUES(if (!keys_only) local_bucket->sorted.from[window + i] = (ushort)from[i];)
        }
    }
    return sorts;
}

// Runs at most `sweeps` sweeps, and at most CLS_MSD_MAX_SWEEPS. From the third one on windows that
// are in order are skipped, and two consecutive sweeps without a change are the last ones.
// keys_only: no two keys are equal, or there are no values. *last_changing_sweep: number of the
// last sweep after the second that changed anything, initially 0. Returns whether the keys are
// sorted.
static inline bool sort_windows(__local local_bucket_t *local_bucket, const uint count,
                                const uint sweeps, const bool keys_only,
                                __local uint *last_changing_sweep)
{
    uint sweep = 0, unchanged = 0; // unchanged: consecutive sweeps that changed nothing
    while (sweep < min(sweeps, (uint)CLS_MSD_MAX_SWEEPS) && unchanged < 2) {
        const uint window = (uint)get_local_id(0) * ITEMS + sweep % 2 * HALF_WINDOW;
        sweep++;
        if (window < count) {
            const bool may_skip = sweep > 2;
#if SUB_GROUP_BACKEND == 0 // PoCL 3.1 miscompiles two copies of sort_window
            const bool sorts = sort_window(local_bucket, window, may_skip, keys_only);
#else
            const bool sorts = keys_only ? sort_window(local_bucket, window, may_skip, true)
                                         : sort_window(local_bucket, window, may_skip, false);
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
