/* chunks.h - the division of an input into chunks of equal size, one for each work-group */
#ifndef CLSORT_ALGO_COMMON_CHUNKS_H
#define CLSORT_ALGO_COMMON_CHUNKS_H

#include "base/arithmetic.h"

struct cls_chunking {
    unsigned units;                /* of the device */
    unsigned per_unit;             /* chunks, which balances the load */
    uint64_t min_chunk, max_chunk; /* elements: a smaller chunk is not worth a work-group */
    uint64_t multiple; /* all chunks but the last are multiples of it, and max_chunk is */
};

/* Returns an upper bound of the number of chunks of count elements. Monotonic. */
static inline uint64_t cls_max_chunks(const struct cls_chunking *chunking, uint64_t count)
{
    const uint64_t wanted = (uint64_t)chunking->units * chunking->per_unit;
    return cls_max(cls_min(cls_divide_up(count, chunking->min_chunk), wanted),
                   cls_divide_up(count, chunking->max_chunk));
}

/* Returns the number of elements of each chunk but the last. There is at least one element. */
static inline uint64_t cls_chunk_size(const struct cls_chunking *chunking, uint64_t count)
{
    const uint64_t chunks = cls_max_chunks(chunking, count);
    return cls_round_up(cls_divide_up(count, chunks), chunking->multiple);
}

#endif
