// scramble.cl - pseudo-random numbers for the self-test of primitives
#ifndef CLSORT_SELF_TEST_SCRAMBLE_CL
#define CLSORT_SELF_TEST_SCRAMBLE_CL

// Multiplicative hashing. Knuth, "The Art of Computer Programming", vol. 3, 2nd ed., 1998, section
// 6.4.
static inline uint scramble(const uint i)
{
    return (i + 1) * 2654435761u;
}

#endif
