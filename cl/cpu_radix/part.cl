// part.cl - parts of a bucket that are sorted independently of each other, and the stack of those still to sort
#ifndef CLSORT_CPU_RADIX_PART_CL
#define CLSORT_CPU_RADIX_PART_CL

#include "common/types.cl"

// A part of a bucket. Its elements differ in the bits [low, top) of their keys only.
typedef struct {
    index_t first, count;
    uint low, top;
    uint splits;    // the number of splits that led to it
    bool in_output; // whether it is in the output, not in the bucket's source
} bucket_part_t;

#define MAX_PENDING_PARTS 1024u // four levels of splits

typedef struct {
    bucket_part_t part[MAX_PENDING_PARTS];
    uint count;
} pending_parts_t;

// Returns false, and does nothing, if the stack is full.
static inline bool push_part(pending_parts_t *pending, const bucket_part_t part)
{
    if (pending->count == MAX_PENDING_PARTS)
        return false;
    pending->part[pending->count++] = part;
    return true;
}

#endif
