// tables.cl - what the kernels of hybrid leave for each other in global memory
//
// A round partitions every segment by one digit. A child with too many keys for local memory is a segment of the next
// round. The others are jobs; neighbours that fit a tile together are one job, so that tiny ones do not cost a tile
// each.
//
// Segments are cut into tiles, and each tile has a row of RADIX words for the values of the digit. Blocks are so many
// tiles as one group counts in a row: the row of a block's first tile becomes where the block's keys go, and the rows
// of the others say how many of them come before in the block. So places do not depend on which groups run first. Yet
// tiles are moved in their order, as groups take them: then what neighbours write lies together while it is in the
// cache. (On an H200 a round of pairs takes half as long again where each group has four tiles that lie together.)
//
// JOB_TILE         keys of a job, at most; a job of more is one that had no room to be a segment
#ifndef CLSORT_MSD_TABLES_CL
#define CLSORT_MSD_TABLES_CL

#include "common/arrays.cl"
#include "common/layout.h"

#define MAX_ROUNDS 9 // of 64 bits, where the first has one of them

typedef struct {
    cls_control_head head;
    uint segments[MAX_ROUNDS + 1]; // of each round
    uint blocks[MAX_ROUNDS + 1];   // that they have
    uint rows[MAX_ROUNDS + 1];     // as many as tiles
    uint tiles[MAX_ROUNDS + 1];    // of segments that move
    uint tickets[MAX_ROUNDS + 1];  // tiles that have been taken
    uint jobs;
    uint settles;
} control_t;

typedef struct {
    uint start, count;
    uint place; // enum array: where its keys are
    uint top;   // they differ below this bit of the ordered key only
    uint bits;  // of its digit
    uint first_row;
} segment_t;

#define NO_SEGMENT 0xffffffffu

// Of a segment, and the number there: a block, or a tile.
typedef struct {
    uint segment;
    uint number;
} part_t;

// Keys to be sorted by the bits from BEGIN_BIT to below `top`. They are the children of one segment that have these
// digits, and `shift` is where the digit begins.
typedef struct {
    uint start, count;
    uchar place, top, shift, unused;
    ushort digit, children;
} job_t;

static inline uint place_after(const uint place)
{
    return place == SCRATCH_ARRAY ? OUTPUT_ARRAY : SCRATCH_ARRAY;
}

static inline bool is_equal(const job_t job)
{
    return job.shift == BEGIN_BIT && job.children == 1;
}

// Whether that is where the keys have to be in the end, ...
static inline bool is_output(const uint place, const uint in_place)
{
    return place == OUTPUT_ARRAY || (place == INPUT_ARRAY && in_place);
}

// ... and the values, which as indexes are nowhere in the beginning.
static inline bool is_values_output(const uint place, const uint in_place)
{
    return VALUE_INDEX ? place == OUTPUT_ARRAY : is_output(place, in_place);
}

// The exponent of the least power of two that is not below x > 0.
static inline uint ceil_log2(const uint x)
{
    return x > 1 ? 32u - (uint)clz(x - 1) : 0; // clz(0) has been seen to go wrong
}

#endif
