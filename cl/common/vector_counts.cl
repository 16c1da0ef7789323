// vector_counts.cl - comparisons of vectors of 16 keys: their masks, and counters of these
//
// Custom orders and orders of columns have no vectors of keys.
#ifndef CLSORT_COMMON_VECTOR_COUNTS_CL
#define CLSORT_COMMON_VECTOR_COUNTS_CL

#include "common/types.cl"

#if KEY_ORDER < 3

#define LANES 16u       // keys in a vector
#define STEP_VECTORS 4u // vectors of a step
#define STEP (STEP_VECTORS * LANES)
#define STRIP (128u * LANES) // keys after which counters of the size of a key are added up

// Conversions of vectors: the result of a comparison to keys, and keys to words.
#if KEY_BYTES == 1
#define AS_MASK as_uchar16
typedef ulong2 vector_words_t;
#define AS_WORDS as_ulong2
#elif KEY_BYTES == 2
#define AS_MASK as_ushort16
typedef ulong4 vector_words_t;
#define AS_WORDS as_ulong4
#elif KEY_BYTES == 4
#define AS_MASK as_uint16
typedef ulong8 vector_words_t;
#define AS_WORDS as_ulong8
#else
#define AS_MASK as_ulong16
typedef ulong16 vector_words_t;
#define AS_WORDS as_ulong16
#endif

// Returns whether any bit of the vector is set.
static inline bool has_bits(const key_vector_t mask)
{
    const vector_words_t words = AS_WORDS(mask);
#if KEY_BYTES == 1
    const ulong2 two = words;
#elif KEY_BYTES == 2
    const ulong2 two = words.lo | words.hi;
#else
#if KEY_BYTES == 4
    const ulong8 eight = words;
#else
    const ulong8 eight = words.lo | words.hi;
#endif
    const ulong4 four = eight.lo | eight.hi;
    const ulong2 two = four.lo | four.hi;
#endif
    return (two.x | two.y) != 0;
}

// Returns the sum of counters that were decremented: a mask is -1 where a comparison is true.
// Oclgrind extends the results of vector comparisons correctly only if they are signed.
static inline ulong sum_of_lanes(const key_vector_t counters)
{
    key_t lanes[LANES];
    ulong sum = 0;
    vstore16(counters, 0, lanes);
    for (uint j = 0; j < LANES; j++) {
        sum += (key_t)(0 - lanes[j]);
    }
    return sum;
}

#endif

#endif
