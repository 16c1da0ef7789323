// lsd_sort.cl - one work-item sorts a bucket inside its core's cache: stable LSD radix sort, small ones by
// insertion
//
// Cost: each digit is one read and one write of the bucket, within L2; two digits are counted in one read.
//
// LOCAL_BITS    most bits of a digit
#ifndef CLSORT_CPU_RADIX_LSD_SORT_CL
#define CLSORT_CPU_RADIX_LSD_SORT_CL

#include "common/elements.cl"
#include "common/keys.cl"

#define COUNTERS (6 << (LOCAL_BITS - 1)) // that bucket_sort needs
#define INSERTION 24u                    // below this a bucket is sorted by insertion

static inline uint bits_of(const ulong number)
{
    return 64 - (uint)clz(number);
}

// Sorts by insertion while copying; from may be to.
static inline void insertion_sort(const elements_t from, const elements_t to, const uint count,
                                  const key_t flip, const key_t window)
{
    for (uint i = 0; i < count; i++) {
        const key_t key = from.keys[i], rank = ordered(key, flip) & window;
        VALUES(const value_t value = from.values[i];)
        uint j = i;
        for (; j > 0 && (ordered(to.keys[j - 1], flip) & window) > rank; j--) {
            to.keys[j] = to.keys[j - 1];
            VALUES(to.values[j] = to.values[j - 1];)
        }
        to.keys[j] = key;
        VALUES(to.values[j] = value;)
    }
}

// Exclusive scan of 2^bits counters.
static inline void scan_counters(index_t *counters, const uint bits)
{
    index_t sum = 0;
#if INDEX_BITS == 32
    if (bits >= 4) {
        const uint16 zero = 0;
        for (uint d = 0; d < 1u << bits; d += 16) {
            const uint16 v = vload16(0, counters + d);
            uint16 t = v;
            t += shuffle2(t, zero, (uint16)(16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14));
            t += shuffle2(t, zero, (uint16)(16, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13));
            t += shuffle2(t, zero, (uint16)(16, 16, 16, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
            t +=
                shuffle2(t, zero, (uint16)(16, 16, 16, 16, 16, 16, 16, 16, 0, 1, 2, 3, 4, 5, 6, 7));
            vstore16(t - v + sum, 0, counters + d);
            sum += t.sf;
        }
        return;
    }
#endif
    for (uint d = 0; d < 1u << bits; d++) {
        const index_t v = counters[d];
        counters[d] = sum;
        sum += v;
    }
}

static inline void lsd_pass(const elements_t from, const elements_t to, const index_t count,
                            index_t *restrict counters, const key_t flip, const uint shift,
                            const uint mask)
{
    __global const key_t *restrict in = from.keys;
    __global key_t *restrict out = to.keys;
    VALUES(__global const value_t *restrict values_in = from.values;)
    VALUES(__global value_t *restrict values_out = to.values;)
    index_t i = 0;
    for (; i + 4 <= count; i += 4) {
        // All loads come first: the compiler cannot know that they do not see the stores.
        key_t key[4];
        VALUES(value_t value[4];)
#pragma unroll
        for (uint j = 0; j < 4; j++) {
            key[j] = in[i + j];
            VALUES(value[j] = values_in[i + j];)
        }
#pragma unroll
        for (uint j = 0; j < 4; j++) {
            const index_t place = counters[digit_of(key[j], flip, shift, mask)]++;
            out[place] = key[j];
            VALUES(values_out[place] = value[j];)
        }
    }
    for (; i < count; i++) {
        const index_t place = counters[digit_of(in[i], flip, shift, mask)]++;
        out[place] = in[i];
        VALUES(values_out[place] = values_in[i];)
    }
}

// Counts two neighbouring digits of `bits` bits in one read, into neighbouring tables.
static inline void count_two(__global const key_t *restrict keys, const index_t count,
                             index_t *restrict counters, const key_t flip, const uint low,
                             const uint bits)
{
    const uint mask = (1u << bits) - 1, next = low + bits;
    index_t i = 0;
    for (; i + 4 <= count; i += 4) {
#pragma unroll
        for (uint j = 0; j < 4; j++) {
            const key_t key = ordered(keys[i + j], flip);
            counters[(uint)(key >> low) & mask]++;
            counters[mask + 1 + ((uint)(key >> next) & mask)]++;
        }
    }
    for (; i < count; i++) {
        const key_t key = ordered(keys[i], flip);
        counters[(uint)(key >> low) & mask]++;
        counters[mask + 1 + ((uint)(key >> next) & mask)]++;
    }
}

// Sorts `count` items by the bits [low, top) of their ordered keys: from -> to, by way of a and b in turn.
// `from` is written only when it is also b (or to).
static inline void lsd_sort(const elements_t from, const elements_t a, const elements_t b,
                            const elements_t to, const index_t count, const key_t flip,
                            const uint low, const uint top, index_t *restrict counters)
{
    // About as many counters as items, so that clearing and scanning them does not cost more than moving.
    const uint most = clamp(bits_of(min(count, (index_t)1 << 20)), 6u,
                            top - low <= 2 * LOCAL_BITS ? (uint)LOCAL_BITS : (uint)LOCAL_BITS - 1);
    const uint passes = (top - low + most - 1) / most;
    const uint bits = (top - low + passes - 1) / passes;
    for (uint i = 0; i < passes << bits; i++)
        counters[i] = 0;
    uint counted = 0;
    for (; counted + 2 <= passes; counted += 2)
        count_two(from.keys, count, counters + (counted << bits), flip, low + counted * bits, bits);
    if (counted < passes) {
        index_t *table = counters + (counted << bits);
        for (index_t i = 0; i < count; i++)
            table[digit_of(from.keys[i], flip, low + counted * bits, (1u << bits) - 1)]++;
    }
    elements_t source = from;
    for (uint p = 0; p < passes; p++) {
        const uint shift = low + p * bits, mask = (1u << min(bits, top - shift)) - 1;
        index_t *table = counters + (p << bits);
        // Bits above `top` were counted into the last digit: fold them away.
        for (uint d = mask + 1; d < 1u << bits; d++)
            table[d & mask] += table[d];
        if (table[digit_of(source.keys[0], flip, shift, mask)] == count)
            continue; // a constant digit
        scan_counters(table, bits);
        // Back from the last pass, which ends in `to`, a and b take turns.
        elements_t target = p + 1 == passes ? to : (passes - p) % 2 ? b : a;
        if (target.keys == source.keys)
            target = source.keys == a.keys ? b : a;
        lsd_pass(source, target, count, table, flip, shift, mask);
        source = target;
    }
    if (source.keys != to.keys)
        copy_elements(source, to, count);
}

// Moves item i before those with greater keys, past so many at most. Returns how many these are.
static inline index_t insert_item(const elements_t items, const index_t i, const key_t flip,
                                  const key_t window, const index_t most)
{
    const key_t key = items.keys[i], rank = ordered(key, flip) & window;
    VALUES(const value_t value = items.values[i];)
    index_t j = i;
    for (; j > 0 && i - j < most && (ordered(items.keys[j - 1], flip) & window) > rank; j--) {
        items.keys[j] = items.keys[j - 1];
        VALUES(items.values[j] = items.values[j - 1];)
    }
    items.keys[j] = key;
    VALUES(items.values[j] = value;)
    return i - j;
}

// Sorts what is almost in order, by insertion. False when it is not: after a bounded number of moves the
// items are still a stable rearrangement, no more.
static inline bool settle(const elements_t items, const index_t count, const key_t flip,
                          const key_t window)
{
    index_t moves = 0;
    key_t last = ordered(items.keys[0], flip) & window;
    for (index_t i = 1; i < count && moves < count; i++) {
        const key_t rank = ordered(items.keys[i], flip) & window;
        if (rank >= last)
            last = rank;
        else
            moves += insert_item(items, i, flip, window, count - moves);
    }
    return moves < count;
}

#define DIGIT_BITS (LOCAL_BITS - 1)

// Sorts by the bits [low, top) as lsd_sort does. Of long keys the two highest digits are tried first: they
// tell apart nearly all keys of an even distribution, and the rest is settled by insertion.
static inline void bucket_sort(const elements_t from, const elements_t a, const elements_t b,
                               const elements_t to, const index_t count, const key_t flip,
                               const key_t window, const uint low, const uint top,
                               index_t *restrict counters)
{
    if (count <= INSERTION) {
        insertion_sort(from, to, (uint)count, flip, window);
        return;
    }
    if (top - low > 3 * DIGIT_BITS && count < 1 << (DIGIT_BITS + 6)) {
        lsd_sort(from, a, b, to, count, flip, top - 2 * DIGIT_BITS, top, counters);
        if (settle(to, count, flip, window))
            return;
        lsd_sort(to, a.keys == to.keys ? from : a, to, to, count, flip, low, top, counters);
        return;
    }
    lsd_sort(from, a, b, to, count, flip, low, top, counters);
}

#endif
