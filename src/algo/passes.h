/* passes.h - the passes of an LSD sort, one for each digit (passes.cl) */
#ifndef CLSORT_ALGO_PASSES_H
#define CLSORT_ALGO_PASSES_H

#include "algo/algo.h"

/* Bits of the ordered key. */
struct cls_digit {
    unsigned shift, bits;
};

static inline unsigned cls_passes_of(const struct cls_shape *shape, unsigned bits)
{
    return (shape->end_bit - shape->begin_bit + bits - 1) / bits;
}

/* The digit of a pass, of at most so many bits; of the first one also when there are no bits to sort by. */
struct cls_digit cls_digit_of(const struct cls_shape *shape, unsigned bits, unsigned pass);

/* The buffers of input, output and temporary place. */
void cls_arg_key_places(struct cls_launch *launch, const struct cls_job *job);
void cls_arg_value_places(struct cls_launch *launch, const struct cls_shape *shape,
                          const struct cls_job *job);

/* Runs passes_finish in so many groups. */
cl_int cls_passes_finish(cl_kernel kernel, const struct cls_shape *shape, const struct cls_job *job,
                         struct cls_chain *chain, size_t groups, size_t group_size);

#endif
