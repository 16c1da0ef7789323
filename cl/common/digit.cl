// digit.cl - the digits by which a pass or a round divides the keys
//
// A digit is a bit field of the ordered key. With SPLITS it may instead be the number of splitters,
// sorted numbers, that are not greater than the ordered key. They are in a search tree: node 1 is
// the root, node i has the children 2 i and 2 i + 1, and the nodes of a level, from left to right,
// are in ascending order.
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

typedef struct {
    key_t flip;
    uint shift, mask; // of the bit field: its lowest bit, and the mask of its bits after the shift
#if SPLITS
    uint by_splitters; // 1: the digit is a number of splitters, and the mask that of all digits
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

// Returns the digit of a key. by_splitters is that of `digit`. Callers with a loop over keys write
// it once for each kind, so that the steps of several keys overlap.
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
