// exceptions.cl - divides a chunk that is nearly in order into keys in order and a few exceptions
//
// The keys in order are kept one after the other. A key that is less than the last one that was kept
// shows that one of the two is misplaced; both become exceptions. Each misplaced key therefore makes
// at most one other key an exception.
#ifndef CLSORT_CPU_SAMPLE_EXCEPTIONS_CL
#define CLSORT_CPU_SAMPLE_EXCEPTIONS_CL

#include "common/vector_quicksort.cl"
#include "cpu_sample/orders.cl"

#define MIN_KEPT_SHARE 16    // at most one key in this many is an exception
#define MAX_EXCEPTIONS 1024u // of a chunk, so that the workspace has space for their sort

// Each lane of a register but the first gets the key before its own.
#if KEYS_PER_REGISTER == 16
#define PRECEDING(keys) (keys).s00123456789abcde
#define STORE_LANES vstore16
#else
#define PRECEDING(keys) (keys).s00123456
#define STORE_LANES vstore8
#endif

// Sorts at most MAX_BUFFERED_KEYS ordered keys.
static inline void sort_ordered_keys(__global const key_t *from, const uint count,
                                     __global key_t *to, __global key_t *workspace,
                                     const key_t flip)
{
    for (uint i = 0; i < count; i += KEYS_PER_REGISTER) {
        store_keys(load_keys(from + i, mask_below(count - i)), workspace + i, ALL_KEYS);
    }
    quicksort(workspace, count, 0, LARGEST_KEY, to, flip);
    load_ordered(to, count, flip, to); // since the quicksort writes keys
}

// Moves keys in order to the start of a chunk, and sorts the exceptions behind them. Returns the
// number of the former, or 0 if there are too many exceptions; the chunk is then overwritten.
static inline uint keep_keys_in_order(__global key_t *chunk, const uint count,
                                      __global key_t *workspace, const key_t flip)
{
    __global key_t *exceptions = workspace + CLS_QUICKSORT_WORKSPACE(MAX_EXCEPTIONS);
    const uint max_found = min(count / MIN_KEPT_SHARE, MAX_EXCEPTIONS);
    uint kept = 0, found = 0;
    for (uint i = 0; i < count; i += KEYS_PER_REGISTER) {
        const mask_t valid = mask_below(count - i);
        const register_keys_t keys = load_keys(chunk + i, valid);
        const mask_t descents =
            AVX512_COMPARE(AS_SIGNED(keys), AS_SIGNED(PRECEDING(keys)), AVX512_LESS_THAN, valid);
        if (!descents && (kept == 0 || chunk[kept - 1] <= keys.s0)) {
            store_keys(keys, chunk + kept, valid);
            kept += popcount((uint)valid);
            continue;
        }
        key_t lanes[KEYS_PER_REGISTER];
        STORE_LANES(keys, 0, lanes);
        for (uint lane = 0; lane < min(count - i, (uint)KEYS_PER_REGISTER); lane++) {
            const key_t key = lanes[lane];
            if (kept == 0 || chunk[kept - 1] <= key) {
                chunk[kept++] = key;
            } else {
                exceptions[found++] = chunk[--kept];
                exceptions[found++] = key;
            }
        }
        if (found > max_found) {
            return 0;
        }
    }
    sort_ordered_keys(exceptions, found, chunk + kept, workspace, flip);
    return kept;
}

#endif
