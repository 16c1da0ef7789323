// range.cl - radix select: narrows the range of the key of a given rank, one digit at a time
//
// The keys of a range share the bits above the highest one in which its ends differ. A histogram of
// the next BITS bits shows which of their values the key of the rank has, and these values form the
// next range. Unlike digits at fixed positions, this skips the bits that all keys share (Alabi,
// Blanchard, Gordon and Steinbach, "Fast k-selection algorithms for graphics processing units", ACM
// JEA 17, 2012, section 3).
//
// Options: BITS of a digit; GROUP_SIZE (work_group.cl).
#ifndef CLSORT_SELECT_RANGE_CL
#define CLSORT_SELECT_RANGE_CL

#include "common/counters.cl"
#include "common/keys.cl"
#include "common/radix.cl"
#include "common/scan.cl"

#define READS_AT_ONCE (GROUP_SIZE > 1 ? 16u : 1u) // that a work-item has in flight

typedef struct {
    ulong first, last; // compared keys; both belong to the range
    ulong rank;        // of the key among those of the range, counted from 1
} select_range_t;

// The local memory of a histogram.
typedef struct {
    ulong sums[2 * GROUP_SIZE]; // see group_exclusive_scan
    ulong totals[RADIX];
    ulong before; // the number of keys before those of the digit
    ulong within; // the number of those of the digit
    uint digit;   // the digit of the key
} select_histogram_t;

// Returns the part of the ordered key that is compared.
static inline key_t compared(const key_t key, const key_t flip, const key_t window)
{
    return ordered(key, flip) & window;
}

// Returns the lowest bit of the digit.
static inline uint digit_shift(const select_range_t range, const uint begin_bit)
{
    const uint end_bit = 64 - (uint)clz(range.first ^ range.last);
    return end_bit < begin_bit + BITS ? begin_bit : end_bit - BITS;
}

// Counts the digit of a key if the key is in the range.
static inline void count_in_range(const key_t compared_key, const select_range_t range,
                                  const uint shift, __local uint *counts, const uint copies)
{
    if (compared_key >= range.first && compared_key <= range.last) {
        count_up(counts, (uint)(compared_key >> shift) & (RADIX - 1), copies);
    }
}

// Narrows the range to the part that has the key of its rank. histogram->totals has the number of
// keys of the range for each digit.
static inline void narrow(select_range_t *range, const uint shift, const key_t window,
                          __local select_histogram_t *histogram)
{
    const uint first_digit = (uint)get_local_id(0) * BINS_PER_ITEM;
    const ulong rank = range->rank;
    ulong sum = 0, total;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = first_digit; d < min(first_digit + BINS_PER_ITEM, RADIX); d++) {
        sum += histogram->totals[d];
    }
    ulong before = group_exclusive_scan(sum, histogram->sums, &total);
    if (before < rank && rank <= before + sum) {
        uint digit = first_digit;
        while (rank > before + histogram->totals[digit]) {
            before += histogram->totals[digit];
            digit++;
        }
        histogram->digit = digit;
        histogram->before = before;
        histogram->within = histogram->totals[digit];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const ulong low_bits = ((ulong)1 << shift) - 1,
                shared_bits = range->first & ~(((ulong)RADIX << shift) - 1),
                first = shared_bits | (ulong)histogram->digit << shift;
    range->first = max(range->first, first);
    range->last = min(range->last, first | (low_bits & window));
    range->rank = rank - histogram->before;
    barrier(CLK_LOCAL_MEM_FENCE);
}

#endif
