// digit.cl - the digits by which a pass or a round divides the keys
//
// A digit is a bit field of the ordered key or, with SPLITS, the number of splitters that are at most
// the ordered key. The 2^BITS - 1 splitters form a complete binary search tree in breadth-first
// order: node 1 is the root, and node i has the children 2 i and 2 i + 1. The splitters in the left
// half of the tree below a node are at most as large as its own, those in the right half at least as
// large.
//
// Cost: some instructions; by splitters, BITS reads of local memory, each of which depends on the
// one before.
//
// Options: BITS of a digit; and
//   SPLITS    1: the digit may be a number of splitters
#ifndef CLSORT_COMMON_DIGIT_CL
#define CLSORT_COMMON_DIGIT_CL

#include "common/keys.cl"
#include "common/radix.cl"
#include "common/unroll.cl"

// rank[i] holds two numbers of 16 bits, to save registers. The lower one is the rank of this
// work-item's element i in the tile. The upper one is the digit of that element after find_digits,
// and after write_keys the digit of element t + i * GROUP_SIZE of the sorted tile.
#define RANK_IN(ranked) ((ranked)&0xffff)
#define DIGIT_IN(ranked) ((ranked) >> 16)

typedef struct {
    key_t flip;
    uint shift, mask; // of the bit field: its lowest bit, and the mask of its bits after the shift
#if SPLITS
    uint by_splitters;              // 1: the digit is a number of splitters; the mask is 2^BITS - 1
    __local const key_t *splitters; // 2^BITS nodes; node 0 is not used
#endif
} digit_t;

#if SPLITS
#define DIGIT(flip, shift, mask, by_splitters, splitters)                                          \
    {                                                                                              \
        flip, shift, mask, by_splitters, splitters                                                 \
    }
#define IS_BY_SPLITTERS(digit) ((digit).by_splitters > 0)
#else
#define DIGIT(flip, shift, mask, by_splitters, splitters)                                          \
    {                                                                                              \
        flip, shift, mask                                                                          \
    }
#define IS_BY_SPLITTERS(digit) false
#endif

// Returns the digit of a key. by_splitters must equal digit.by_splitters. Loops over keys are written
// once for each kind, with a constant, so that compilers need no branch per key and the searches
// overlap.
static inline uint digit_of_kind(const key_t key, const digit_t digit, const bool by_splitters)
{
#if SPLITS
    if (by_splitters) {
        const key_t number = ordered(key, digit.flip);
        uint node = 1;
        UNROLL
        for (uint level = 0; level < BITS; level++) {
            node = 2 * node + (number >= digit.splitters[node] ? 1 : 0);
        }
        return node - RADIX;
    }
#endif
    return digit_of(key, digit.flip, digit.shift, digit.mask);
}

static inline uint digit_in(const key_t key, const digit_t digit)
{
    return digit_of_kind(key, digit, IS_BY_SPLITTERS(digit));
}

#endif
