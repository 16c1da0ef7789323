/* lsd_passes.h - the passes of an LSD sort, one per digit (lsd_passes.cl) */
#ifndef CLSORT_ALGO_COMMON_LSD_PASSES_H
#define CLSORT_ALGO_COMMON_LSD_PASSES_H

#include "algo/algo.h"

/* The digit that a pass sorts by: `bits` bits of the ordered key, from bit `shift` on. */
struct cls_digit {
    unsigned shift, bits;
};

static inline unsigned cls_pass_count(const struct cls_spec *spec, unsigned digit_bits)
{
    return (spec->end_bit - spec->begin_bit + digit_bits - 1) / digit_bits;
}

/* Returns the digit of a pass, which has at most digit_bits bits. If there are no bits to sort by,
 * the digit of pass 0 has 0 bits. */
struct cls_digit cls_digit_of_pass(const struct cls_spec *spec, unsigned digit_bits, unsigned pass);

/* Runs the kernel passes_finish in `groups` work-groups. */
cl_int cls_passes_finish(const struct cls_sort *sort, cl_kernel kernel, size_t groups);

#endif
