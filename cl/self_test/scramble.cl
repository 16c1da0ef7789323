// scramble.cl - pseudo-random numbers for the self-test of primitives
#ifndef CLSORT_SELF_TEST_SCRAMBLE_CL
#define CLSORT_SELF_TEST_SCRAMBLE_CL

// A number that looks random, of where it is.
static inline uint scramble(const uint i)
{
    return (i + 1) * 2654435761u;
}

#endif
