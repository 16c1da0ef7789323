// vector_quicksort.cl - one work-item sorts numbers by a vectorised quicksort, with AVX-512
//
// A compress instruction gathers the keys of a register that are below a pivot, which one store
// then appends to the lower side; another compress and store do the same for the other keys. Small
// parts are sorted by a network in registers (vector_network.cl). Without values the numbers are
// ordered keys, which are written back as keys; with values they are packed keys
// (cpu_radix/pack.cl). Numbers that compare equal are identical, so that the sort need not be
// stable.
//
// Vectorised quicksort: Bramas, "A novel hybrid quicksort algorithm vectorized using AVX-512 on
// Intel Skylake", IJACSA 8(10), 2017, section III; Wassenberg et al., "Vectorized and
// performance-portable quicksort", Software: Practice and Experience 52(12), 2022, section 2. Like
// theirs, quicksort_large partitions in place. Unlike theirs, keys that fit in L1 are partitioned
// between two buffers, so that no load waits for a store.
//
// Cost: a partition reads and writes its keys once. n keys need log2(n / MAX_NETWORK_KEYS) levels
// of partitions, and a network for each part of at most MAX_NETWORK_KEYS keys. Measured (one core
// of a Xeon with AVX-512, ns per u32 key): a partition between buffers takes 0.09 in L1, where its
// two compress instructions allow 0.08, and 0.2 in L2; a partition in place takes 0.18 in L1, 0.2
// in L2 and 0.35 beyond. A sort of 4096 keys takes 2.8 (PoCL 5.0; vqsort: 3.5).
#ifndef CLSORT_COMMON_VECTOR_QUICKSORT_CL
#define CLSORT_COMMON_VECTOR_QUICKSORT_CL

#include "common/compress.cl"
#include "common/keys.cl"
#include "common/quicksort_layout.h"
#include "common/streaming_store.cl"
#include "common/vector_network.cl"

typedef char
    quicksort_workspace_has_vectors[CLS_QUICKSORT_WORKSPACE(0) == 2 * VECTOR_LANES ? 1 : -1];

#if KEY_BYTES == 4
#define KEYS_PER_REGISTER 16
#define MAX_ROWS 16
typedef uint16 register_keys_t;
typedef ushort mask_t;
#define AS_SIGNED as_int16
#define AS_KEYS as_uint16
#define AVX512_COMPRESS __builtin_ia32_compresssi512_mask
#define AVX512_COMPARE __builtin_ia32_ucmpd512_mask
#define AVX512_LOAD __builtin_ia32_loaddqusi512_mask
#define AVX512_STORE __builtin_ia32_storedqusi512_mask
typedef int signed_t;
#else
#define KEYS_PER_REGISTER 8
#define MAX_ROWS 8
typedef ulong8 register_keys_t;
typedef uchar mask_t;
#define AS_SIGNED as_long8
#define AS_KEYS as_ulong8
#define AVX512_COMPRESS __builtin_ia32_compressdi512_mask
#define AVX512_COMPARE __builtin_ia32_ucmpq512_mask
#define AVX512_LOAD __builtin_ia32_loaddqudi512_mask
#define AVX512_STORE __builtin_ia32_storedqudi512_mask
typedef long signed_t;
#endif

#define MAX_NETWORK_KEYS (MAX_ROWS * VECTOR_LANES) // keys that are sorted in registers
#define ALL_KEYS ((mask_t) ~(mask_t)0)
#define AVX512_LESS_THAN 1 // the predicate of AVX512_COMPARE

// Sorted numbers are written as the keys that they were made from. Packed keys are not changed.
#if VALUE_BYTES == 0
UNORDERED(written_row, key_vector_t)
#define WRITTEN(number, flip) unordered(number, flip)
#else
#define written_row(numbers, flip) (numbers)
#define WRITTEN(number, flip) (number)
#endif

// Returns the mask of the first `count` lanes.
static inline mask_t mask_below(const uint count)
{
    return (mask_t)((1u << min(count, (uint)KEYS_PER_REGISTER)) - 1);
}

// Loads the keys of a mask. The others are not read from memory, and become the largest key.
static inline register_keys_t load_keys(__global const key_t *from, const mask_t mask)
{
    return AS_KEYS(AVX512_LOAD((__global const signed_t *)from,
                               AS_SIGNED((register_keys_t)LARGEST_KEY), mask));
}

static inline void store_keys(const register_keys_t keys, __global key_t *to, const mask_t mask)
{
    AVX512_STORE((__global signed_t *)to, AS_SIGNED(keys), mask);
}

// -- sorting in registers -------------------------------------------------------------------------

// Loads the first `count` keys of a row. The others become the largest key.
INLINED key_vector_t load_row(__global const key_t *from, const uint count)
{
#if KEYS_PER_REGISTER == VECTOR_LANES
    return load_keys(from, mask_below(count));
#else
    key_vector_t row;
    row.lo = load_keys(from, mask_below(count));
    row.hi =
        load_keys(from + KEYS_PER_REGISTER, mask_below(sub_sat(count, (uint)KEYS_PER_REGISTER)));
    return row;
#endif
}

INLINED void store_row(const key_vector_t row, __global key_t *to, const uint count)
{
#if KEYS_PER_REGISTER == VECTOR_LANES
    store_keys(row, to, mask_below(count));
#else
    store_keys(row.lo, to, mask_below(count));
    store_keys(row.hi, to + KEYS_PER_REGISTER, mask_below(sub_sat(count, (uint)KEYS_PER_REGISTER)));
#endif
}

// Sorts at most rows * VECTOR_LANES ordered keys, and writes keys.
INLINED void sort_in_rows(__global const key_t *from, const uint count, __global key_t *to,
                          const key_t flip, const uint rows)
{
    key_vector_t x[MAX_ROWS];
#pragma unroll
    for (uint r = 0; r < rows; r++) {
        x[r] = load_row(from + r * VECTOR_LANES, sub_sat(count, r * VECTOR_LANES));
    }
    sort_matrix(x, rows);
#pragma unroll
    for (uint r = 0; r < rows; r++) {
        store_row(written_row(x[r], flip), to + r * VECTOR_LANES, sub_sat(count, r * VECTOR_LANES));
    }
}

// Not inlined, because the networks take most of the time to compile.
static __attribute__((noinline)) void sort_in_registers(__global const key_t *from,
                                                        const uint count, __global key_t *to,
                                                        const key_t flip)
{
    if (count > MAX_NETWORK_KEYS / 2) {
        sort_in_rows(from, count, to, flip, MAX_ROWS);
    } else {
        sort_in_rows(from, count, to, flip, MAX_ROWS / 2);
    }
}

// -- partition between two buffers ----------------------------------------------------------------

// Ordered keys, and a buffer of the same size. Stores of whole registers may write past the end of
// either. The memory there is the unused buffer of the other part, or the vector behind the arrays
// of the workspace.
typedef struct {
    __global key_t *keys, *buffer;
    uint count;
    uint offset;     // in the output
    key_t low, high; // bounds of the keys, inclusive
    bool is_uneven;  // the last pivot divided the keys unevenly
} quicksort_part_t;

#define MEDIAN(a, b, c) max(min(a, b), min(max(a, b), c))

// Estimates the median: takes the median of nine keys in each lane, then combines six lanes.
static inline key_t sample_median(__global const key_t *keys, const ulong count)
{
    const ulong stride = (count - KEYS_PER_REGISTER) / 8;
    register_keys_t x[9];
#pragma unroll
    for (uint i = 0; i < 9; i++) {
        x[i] = load_keys(keys + i * stride, ALL_KEYS);
    }
    const register_keys_t a = MEDIAN(x[0], x[1], x[2]), b = MEDIAN(x[3], x[4], x[5]),
                          c = MEDIAN(x[6], x[7], x[8]), m = MEDIAN(a, b, c);
    const key_t one = MEDIAN(m.s0, m.s1, m.s2), other = MEDIAN(m.s3, m.s4, m.s5);
    return min(one, other) + (max(one, other) - min(one, other)) / 2;
}

// Chooses a pivot. After an uneven partition it is the middle of the bounds, which keeps the sort
// from becoming quadratic.
static inline key_t choose_pivot(__global const key_t *keys, const ulong count, const key_t low,
                                 const key_t high, const bool is_uneven)
{
    return is_uneven ? low + (high - low) / 2 + 1 : max(low + 1, sample_median(keys, count));
}

// A partition with no key below the pivot does not count as uneven: the pivot is then a frequent
// key, and the next partition separates it.
static inline bool divides_unevenly(const ulong less, const ulong rest)
{
    return less > 0 && min(less, rest) < (less + rest) / 8;
}

// Stores the keys of a register that are below the pivot to `below`, and the others to `rest`.
// Returns the number of the former.
static inline uint move_register(const register_keys_t keys, const mask_t valid,
                                 const register_keys_t pivot, __global key_t *below,
                                 __global key_t *rest)
{
    const mask_t less =
        valid & AVX512_COMPARE(AS_SIGNED(keys), AS_SIGNED(pivot), AVX512_LESS_THAN, ALL_KEYS);
    store_keys(AS_KEYS(AVX512_COMPRESS(AS_SIGNED(keys), AS_SIGNED(keys), less)), below, ALL_KEYS);
    store_keys(AS_KEYS(AVX512_COMPRESS(AS_SIGNED(keys), AS_SIGNED(keys), valid & ~less)), rest,
               ALL_KEYS);
    return popcount((uint)less);
}

// Moves the keys below the pivot to the part's buffer, and the others to the start of its keys.
// Returns the number of the former.
static inline uint partition(const quicksort_part_t part, const key_t pivot)
{
    __global key_t *keys = part.keys, *buffer = part.buffer;
    uint less = 0, i = 0;
    for (; i + KEYS_PER_REGISTER <= part.count; i += KEYS_PER_REGISTER) {
        less += move_register(load_keys(keys + i, ALL_KEYS), ALL_KEYS, pivot, buffer + less,
                              keys + i - less);
    }
    if (i < part.count) {
        const mask_t valid = mask_below(part.count - i);
        less +=
            move_register(load_keys(keys + i, valid), valid, pivot, buffer + less, keys + i - less);
    }
    return less;
}

// The smaller of two parts is sorted first, so that at most one part per bit of the count is
// pending.
#define MAX_PENDING_RANGES 32

static __attribute__((noinline)) void quicksort_part(const quicksort_part_t *all,
                                                     __global key_t *to, const key_t flip)
{
    quicksort_part_t part = *all;
    quicksort_part_t pending[MAX_PENDING_RANGES];
    for (uint depth = 0;;) {
        if (part.count > MAX_NETWORK_KEYS && part.low < part.high) {
            const key_t pivot =
                choose_pivot(part.keys, part.count, part.low, part.high, part.is_uneven);
            const uint less = partition(part, pivot), rest = part.count - less;
            const bool is_uneven = divides_unevenly(less, rest);
            const quicksort_part_t lower = {part.buffer, part.keys + rest, less,     part.offset,
                                            part.low,    pivot - 1,        is_uneven};
            const quicksort_part_t upper = {
                part.keys, part.buffer + less, rest,     part.offset + less,
                pivot,     part.high,          is_uneven};
            pending[depth++] = less > rest ? lower : upper;
            part = less > rest ? upper : lower;
            continue;
        }
        if (part.low == part.high) {
            const key_t key = WRITTEN(part.low, flip);
            for (uint i = 0; i < part.count; i++) {
                to[part.offset + i] = key;
            }
        } else if (part.count > 0) {
            sort_in_registers(part.keys, part.count, to + part.offset, flip);
        }
        if (depth == 0) {
            return;
        }
        part = pending[--depth];
    }
}

// Sorts the `count` ordered keys at the start of the workspace (CLS_QUICKSORT_WORKSPACE), and
// writes keys to `to`. All keys are between low and high, inclusive.
static inline void quicksort(__global key_t *workspace, const uint count, const key_t low,
                             const key_t high, __global key_t *to, const key_t flip)
{
    const quicksort_part_t all = {workspace, workspace + count + VECTOR_LANES, count, 0, low, high,
                                  false};
    quicksort_part(&all, to, flip);
}

// -- partition in place ---------------------------------------------------------------------------

#define STEP_REGISTERS 8
#define READ_STEP (STEP_REGISTERS * KEYS_PER_REGISTER) // keys that are read at a time
#define MAX_HELD (3 * READ_STEP) // keys that a partition in place holds elsewhere

// The positions [first, last) of a range. Those that have been read may be overwritten.
typedef struct {
    ulong first, last;
} free_range_t;

// Stores the keys of a register that are below the pivot to the first free positions, and the
// others to the last ones. Returns the free positions that remain.
INLINED free_range_t distribute_register(const register_keys_t keys, const mask_t valid,
                                         const register_keys_t pivot, __global key_t *to,
                                         const free_range_t free)
{
    const mask_t less =
        valid & AVX512_COMPARE(AS_SIGNED(keys), AS_SIGNED(pivot), AVX512_LESS_THAN, ALL_KEYS);
    const uint below = popcount((uint)less), rest = popcount((uint)valid) - below;
    const free_range_t left = {free.first + below, free.last - rest};
    store_keys(AS_KEYS(AVX512_COMPRESS(AS_SIGNED(keys), AS_SIGNED(keys), less)), to + free.first,
               valid);
    store_keys(AS_KEYS(AVX512_COMPRESS(AS_SIGNED(keys), AS_SIGNED(keys), valid & ~less)),
               to + left.last, mask_below(rest));
    return left;
}

// Moves the ordered keys below the pivot before the others, in place. Returns their number. The
// first and the last READ_STEP keys, and those of an incomplete step, are first copied to `held`, which
// has MAX_HELD keys. Each further step is read from the side with fewer free positions. Both sides
// then have enough free positions for all keys of the step.
static inline ulong partition_in_place(__global key_t *keys, const ulong count, const key_t pivot,
                                       __global key_t *held)
{
    const bool is_long = count > MAX_HELD;
    ulong begin = is_long ? READ_STEP : count,
          end = is_long ? count / READ_STEP * READ_STEP - READ_STEP : count;
    const uint before = (uint)begin, held_count = before + (uint)(count - end);
    for (uint i = 0; i < before; i += KEYS_PER_REGISTER) {
        store_keys(load_keys(keys + i, mask_below(before - i)), held + i, ALL_KEYS);
    }
    for (uint i = before; i < held_count; i += KEYS_PER_REGISTER) {
        store_keys(load_keys(keys + end + (i - before), mask_below(held_count - i)), held + i,
                   ALL_KEYS);
    }
    const register_keys_t pivots = pivot;
    free_range_t free = {0, count};
    while (begin < end) {
        ulong from = begin;
        if (begin - free.first < free.last - end) {
            begin += READ_STEP;
            // Prevents a conditional move, which would wait for the counts of all preceding steps.
            __asm__ volatile("");
        } else {
            from = end -= READ_STEP;
        }
        register_keys_t step[STEP_REGISTERS];
#pragma unroll
        for (uint i = 0; i < STEP_REGISTERS; i++) {
            step[i] = load_keys(keys + from + i * KEYS_PER_REGISTER, ALL_KEYS);
        }
#pragma unroll
        for (uint i = 0; i < STEP_REGISTERS; i++) {
            free = distribute_register(step[i], ALL_KEYS, pivots, keys, free);
        }
    }
    for (uint i = 0; i < held_count; i += KEYS_PER_REGISTER) {
        free = distribute_register(load_keys(held + i, ALL_KEYS), mask_below(held_count - i),
                                   pivots, keys, free);
    }
    return free.first;
}

// Ordered keys in the range of the output that they will fill.
typedef struct {
    ulong offset, count;
    key_t low, high; // bounds of the keys, inclusive
    bool is_uneven;  // the last pivot divided the keys unevenly
} quicksort_range_t;

#define MAX_BUFFERED_KEYS (16384 / KEY_BYTES) // keys that are sorted in the workspace, in L1
// The workspace of quicksort_large, in keys.
#define LARGE_WORKSPACE (CLS_QUICKSORT_WORKSPACE(MAX_BUFFERED_KEYS) + MAX_BUFFERED_KEYS)

// Sorts ordered keys, and writes keys to `to` by streaming stores. `from` is overwritten, and may
// equal `to`. All keys are between low and high, inclusive.
static inline void quicksort_large(__global key_t *from, const ulong count, const key_t low,
                                   const key_t high, __global key_t *workspace, __global key_t *to,
                                   const key_t flip)
{
    __global key_t *sorted = workspace + CLS_QUICKSORT_WORKSPACE(MAX_BUFFERED_KEYS);
    quicksort_range_t pending[MAX_PENDING_RANGES];
    quicksort_range_t part = {0, count, low, high, false};
    for (uint depth = 0;;) {
        if (part.low == part.high) {
            stream_key(to + part.offset, 0, part.count, WRITTEN(part.low, flip));
        } else if (part.count > MAX_BUFFERED_KEYS) {
            __global key_t *keys = from + part.offset;
            const key_t pivot = choose_pivot(keys, part.count, part.low, part.high, part.is_uneven);
            const ulong less = partition_in_place(keys, part.count, pivot, workspace);
            const ulong rest = part.count - less;
            const bool is_uneven = divides_unevenly(less, rest);
            const quicksort_range_t lower = {part.offset, less, part.low, pivot - 1, is_uneven};
            const quicksort_range_t upper = {part.offset + less, rest, pivot, part.high, is_uneven};
            pending[depth++] = less > rest ? lower : upper;
            part = less > rest ? upper : lower;
            continue;
        } else if (part.count > 0) {
            const uint count32 = (uint)part.count;
            for (uint i = 0; i < count32; i += KEYS_PER_REGISTER) {
                store_keys(load_keys(from + part.offset + i, mask_below(count32 - i)),
                           workspace + i, ALL_KEYS);
            }
            quicksort(workspace, count32, part.low, part.high, sorted, flip);
            stream_keys(sorted, to + part.offset, part.count);
        }
        if (depth == 0) {
            return;
        }
        part = pending[--depth];
    }
}

#endif
