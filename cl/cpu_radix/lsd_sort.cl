// lsd_sort.cl - one work-item sorts a bucket inside its core's cache by a stable LSD radix sort
//
// The histograms of two digits come from one read, and each digit is then one pass over the bucket.
// Buckets of a few elements are sorted by insertion instead.
//
// If keys are long compared with the size of the bucket, the sort first tries the two highest
// digits only: they distinguish nearly all keys of an even distribution, and an insertion sort with
// a limited number of moves puts the others in order. The other digits are sorted only if that
// limit is reached.
//
// Cost: each digit is one read and one write of the bucket, within L2; two digits are counted in
// one read.
#ifndef CLSORT_CPU_RADIX_LSD_SORT_CL
#define CLSORT_CPU_RADIX_LSD_SORT_CL

#include "common/elements.cl"
#include "common/keys.cl"
#include "cpu_radix/layout.h"

#define LSD_COUNTERS (6 << (CLS_CPU_RADIX_MAX_DIGIT_BITS - 1)) // counters that sort_elements needs
#define MAX_INSERTION 24u // maximum number of elements that are sorted by insertion
#define COMPARED_PAIRS 128u
#define MIN_COLLISIONS 2u
#define TOP_DIGIT_BITS (CLS_CPU_RADIX_MAX_DIGIT_BITS - 1)

// Returns the number of bits up to the highest one that is set.
static inline uint bits_of(const ulong number)
{
    return 64 - (uint)clz(number);
}

// Copies elements while sorting them by insertion; `from` may equal `to`.
static inline void insertion_sort(const elements_t from, const elements_t to, const uint count,
                                  const key_t flip, const key_t window)
{
    for (uint i = 0; i < count; i++) {
        const key_t key = from.keys[i], compared = ordered(key, flip) & window;
        VALUES(const value_t value = from.values[i];)
        uint j = i;
        for (; j > 0 && (ordered(to.keys[j - 1], flip) & window) > compared; j--) {
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

// Moves the elements to the offsets of their digits, which are in `counters`.
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
        // All loads precede the stores, since the compiler must assume that a store changes what a
        // later load reads.
        key_t key[4];
        VALUES(value_t value[4];)
#pragma unroll
        for (uint j = 0; j < 4; j++) {
            key[j] = in[i + j];
            VALUES(value[j] = values_in[i + j];)
        }
#pragma unroll
        for (uint j = 0; j < 4; j++) {
            const index_t offset = counters[digit_of(key[j], flip, shift, mask)]++;
            out[offset] = key[j];
            VALUES(values_out[offset] = value[j];)
        }
    }
    for (; i < count; i++) {
        const index_t offset = counters[digit_of(in[i], flip, shift, mask)]++;
        out[offset] = in[i];
        VALUES(values_out[offset] = values_in[i];)
    }
}

// Adds the histograms of two adjacent digits of `bits` bits, from bit `low` on, in one read. Their
// tables are adjacent.
static inline void count_two_digits(__global const key_t *restrict keys, const index_t count,
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

// The digits of an LSD sort: `passes` of `bits` bits each, from bit `low` on. Bits from `top` on
// are not sorted by.
typedef struct {
    uint low, top;
    uint passes, bits;
} lsd_digits_t;

static inline lsd_digits_t lsd_digits(const index_t count, const uint low, const uint top)
{
    // The number of counters is about that of the elements: clearing and scanning them then costs
    // no more than moving the elements.
    const uint max_bits =
        clamp(bits_of(min(count, (index_t)1 << 20)), 6u,
              top - low <= 2 * CLS_CPU_RADIX_MAX_DIGIT_BITS ? (uint)CLS_CPU_RADIX_MAX_DIGIT_BITS
                                                            : (uint)TOP_DIGIT_BITS);
    const uint passes = (top - low + max_bits - 1) / max_bits;
    const lsd_digits_t digits = {low, top, passes, (top - low + passes - 1) / passes};
    return digits;
}

// Computes the histograms of all digits.
static inline void count_digits(__global const key_t *keys, const index_t count, const key_t flip,
                                const lsd_digits_t digits, index_t *restrict counters)
{
    const uint low = digits.low, passes = digits.passes, bits = digits.bits;
    for (uint i = 0; i < passes << bits; i++) {
        counters[i] = 0;
    }
    uint counted = 0;
    for (; counted + 2 <= passes; counted += 2) {
        count_two_digits(keys, count, counters + (counted << bits), flip, low + counted * bits,
                         bits);
    }
    if (counted < passes) {
        index_t *table = counters + (counted << bits);
        for (index_t i = 0; i < count; i++) {
            table[digit_of(keys[i], flip, low + counted * bits, (1u << bits) - 1)]++;
        }
    }
}

// Sorts elements by the bits [low, top) of their ordered keys, from `from` to `to`. The passes
// alternate between the buffers a and b. `from` is written only if it is also b or to.
static inline void lsd_sort(const elements_t from, const elements_t a, const elements_t b,
                            const elements_t to, const index_t count, const key_t flip,
                            const uint low, const uint top, index_t *restrict counters)
{
    const lsd_digits_t digits = lsd_digits(count, low, top);
    const uint passes = digits.passes, bits = digits.bits;
    count_digits(from.keys, count, flip, digits, counters);
    elements_t source = from;
    for (uint p = 0; p < passes; p++) {
        const uint shift = low + p * bits, mask = (1u << min(bits, top - shift)) - 1;
        index_t *table = counters + (p << bits);
        // The histogram of the last digit may include bits from `top` on: sum over these.
        for (uint d = mask + 1; d < 1u << bits; d++) {
            table[d & mask] += table[d];
        }
        if (table[digit_of(source.keys[0], flip, shift, mask)] == count) {
            continue; // the digit is constant
        }
        scan_counters(table, bits);
        // The last pass writes to `to`; the passes before it alternate between a and b.
        elements_t target = p + 1 == passes ? to : (passes - p) % 2 ? b : a;
        if (target.keys == source.keys) {
            target = source.keys == a.keys ? b : a;
        }
        lsd_pass(source, target, count, table, flip, shift, mask);
        source = target;
    }
    if (source.keys != to.keys) {
        copy_elements(source, to, count);
    }
}

// Moves element i before those with greater keys, past at most max_moves of them. Returns their
// number.
static inline index_t insert_element(const elements_t elements, const index_t i, const key_t flip,
                                     const key_t window, const index_t max_moves)
{
    const key_t key = elements.keys[i], compared = ordered(key, flip) & window;
    VALUES(const value_t value = elements.values[i];)
    index_t j = i;
    for (; j > 0 && i - j < max_moves && (ordered(elements.keys[j - 1], flip) & window) > compared;
         j--) {
        elements.keys[j] = elements.keys[j - 1];
        VALUES(elements.values[j] = elements.values[j - 1];)
    }
    elements.keys[j] = key;
    VALUES(elements.values[j] = value;)
    return i - j;
}

// Sorts elements that are nearly in order, by insertion. Returns false if that takes too many
// moves; the elements are then not in order, but elements with equal keys still are.
static inline bool sort_nearly_ordered(const elements_t elements, const index_t count,
                                       const key_t flip, const key_t window)
{
    index_t moves = 0;
    key_t last = ordered(elements.keys[0], flip) & window;
    for (index_t i = 1; i < count && moves < count; i++) {
        const key_t compared = ordered(elements.keys[i], flip) & window;
        if (compared >= last) {
            last = compared;
        } else {
            moves += insert_element(elements, i, flip, window, count - moves);
        }
    }
    return moves < count;
}

// Returns whether many different keys agree in the two highest digits, so that it would take too
// many moves to put them in order. Compares the first keys only, which the sort reads next.
static inline bool top_digits_collide(__global const key_t *keys, const index_t count,
                                      const key_t flip, const key_t window, const uint top)
{
    if (count < 2 * COMPARED_PAIRS) {
        return false;
    }
    uint collisions = 0;
    for (uint i = 0; i < COMPARED_PAIRS; i++) {
        const key_t difference =
            (ordered(keys[i], flip) ^ ordered(keys[i + COMPARED_PAIRS], flip)) & window;
        collisions += difference != 0 && difference >> (top - 2 * TOP_DIGIT_BITS) == 0;
    }
    return collisions >= MIN_COLLISIONS;
}

// Sorts by the bits [low, top), by the method that suits the count. The parameters are those of
// lsd_sort, which is called in a loop, since the compiler inlines every call.
OUTLINED void sort_elements(elements_t from, elements_t a, elements_t b, const elements_t to,
                            const index_t count, const key_t flip, const key_t window,
                            const uint low, const uint top, index_t *restrict counters)
{
    if (count <= MAX_INSERTION) {
        insertion_sort(from, to, (uint)count, flip, window);
        return;
    }
    bool two_digits = top - low > 3 * TOP_DIGIT_BITS && count < 1 << (TOP_DIGIT_BITS + 6) &&
                      !top_digits_collide(from.keys, count, flip, window, top);
    for (;;) {
        lsd_sort(from, a, b, to, count, flip, two_digits ? top - 2 * TOP_DIGIT_BITS : low, top,
                 counters);
        if (!two_digits || sort_nearly_ordered(to, count, flip, window)) {
            return;
        }
        two_digits = false;
        a = a.keys == to.keys ? from : a;
        from = b = to;
    }
}

#endif
