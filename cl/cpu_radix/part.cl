// part.cl - parts of a bucket that are sorted independently of each other
#ifndef CLSORT_CPU_RADIX_PART_CL
#define CLSORT_CPU_RADIX_PART_CL

#include "common/elements.cl"
#include "common/streaming_store.cl"
#include "common/vector_network.cl"

// A part of a bucket. Its elements differ in the bits [low, top) of their keys only.
typedef struct {
    index_t first, count;
    uint low, top;
    uint splits;    // the number of splits that led to it
    bool in_output; // whether it is in the output, not in the bucket's source
} bucket_part_t;

#define MAX_PENDING_PARTS 1024u // four levels of splits

// The stack of the parts that are still to be sorted.
typedef struct {
    bucket_part_t part[MAX_PENDING_PARTS];
    uint count;
} pending_parts_t;

// Returns false and changes nothing if the stack is full.
static inline bool push_part(pending_parts_t *pending, const bucket_part_t part)
{
    if (pending->count == MAX_PENDING_PARTS) {
        return false;
    }
    pending->part[pending->count++] = part;
    return true;
}

// The memory of a work-item, and the order that it sorts by.
typedef struct {
    __global uchar *slice;
    ulong slice_bytes;
    key_t flip, window;
    index_t *counters; // LSD_COUNTERS of them
    pending_parts_t *pending;
} sorter_t;

static inline void stream_elements(const elements_t from, const elements_t to, const index_t count)
{
    stream_keys(from.keys, to.keys, count);
    VALUES(stream_units((__global const value_unit_t *)from.values,
                        (__global value_unit_t *)to.values,
                        (size_t)count * (VALUE_BYTES / sizeof(value_unit_t)));)
}

// Returns the size of each of two equal arrays of elements that fill the slice.
static inline index_t slice_elements(const sorter_t *sorter)
{
    return (index_t)(sorter->slice_bytes / (2 * (KEY_BYTES + VALUE_BYTES)) / VECTOR_LANES *
                     VECTOR_LANES);
}

#endif
