// exceptions.cl - divides a chunk that is nearly in order into keys in order and a few exceptions
//
// The keys in order are kept one after the other. A key that is less than the last one that was kept
// shows that one of the two is misplaced; both become exceptions. Each misplaced key therefore makes
// at most one other key an exception.
#ifndef CLSORT_CPU_SAMPLE_EXCEPTIONS_CL
#define CLSORT_CPU_SAMPLE_EXCEPTIONS_CL

#include "common/vector_quicksort.cl"

#define MIN_KEPT_SHARE 16    // at most one key in this many is an exception
#define MAX_EXCEPTIONS 1024u // of a chunk

// Each lane of a register but the first gets the key before its own.
#if KEYS_PER_REGISTER == 16
#define PRECEDING(keys) (keys).s00123456789abcde
#define STORE_LANES vstore16
#else
#define PRECEDING(keys) (keys).s00123456
#define STORE_LANES vstore8
#endif

// Sorts a few keys in place: Shell, "A high-speed sorting procedure", CACM 2(7), 1959, pp. 30-32. A
// quicksort would be faster, but takes longer to compile.
static inline void sort_exceptions(__global key_t *keys, const uint count)
{
    for (uint gap = count / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11) {
        for (uint i = gap; i < count; i++) {
            const key_t key = keys[i];
            uint j = i;
            for (; j >= gap && keys[j - gap] > key; j -= gap) {
                keys[j] = keys[j - gap];
            }
            keys[j] = key;
        }
    }
}

// Moves keys in order to the start of a chunk, and sorts the exceptions behind them. Returns the
// number of the former, or 0 if there are too many exceptions; the chunk is then overwritten. The
// exceptions are collected in a workspace with space for two registers more.
OUTLINED uint keep_keys_in_order(__global key_t *chunk, const uint count,
                                 __global key_t *exceptions)
{
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
    for (uint i = 0; i < found; i++) {
        chunk[kept + i] = exceptions[i];
    }
    sort_exceptions(chunk + kept, found);
    return kept;
}

#endif
