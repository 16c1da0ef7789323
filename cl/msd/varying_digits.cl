// varying_digits.cl - the digits of an LSD sort of one bucket, of which constant ones are skipped
#ifndef CLSORT_MSD_VARYING_DIGITS_CL
#define CLSORT_MSD_VARYING_DIGITS_CL

#include "msd/buckets.cl"

// The mask of the digit that begins at `shift`: BITS bits, or as many as there are below `top`.
static inline uint digit_mask(const uint shift, const uint top)
{
    return (1u << min((uint)BITS, top - shift)) - 1;
}

// The first digit from `shift` on that varies.
static inline uint next_varying_digit(const ulong varying, uint shift, const uint top)
{
    while (shift < top && (varying >> shift & digit_mask(shift, top)) == 0) {
        shift += BITS;
    }
    return shift;
}

#endif
