// orders.cl - detects keys that are in ascending or descending order, by vectors
#ifndef CLSORT_CPU_SAMPLE_ORDERS_CL
#define CLSORT_CPU_SAMPLE_ORDERS_CL

#include "common/vector_quicksort.cl"

ORDERED(ordered_register, register_keys_t)

// A set of orders. Keys that are all equal are in both: without values, equal keys are identical,
// so that keys in descending order may be reversed even if some are equal.
#define ASCENDING 1u
#define DESCENDING 2u

// How keys compare with their successors.
typedef struct {
    uint descents; // the number of keys that are greater
    uint ascents;  // 0: no key is less
} steps_t;

// Adds the steps from the keys of a mask to their successors.
INLINED void add_steps(steps_t *steps, const register_keys_t keys, const register_keys_t next,
                       const mask_t valid)
{
    steps->descents +=
        popcount((uint)AVX512_COMPARE(AS_SIGNED(next), AS_SIGNED(keys), AVX512_LESS_THAN, valid));
    steps->ascents |= AVX512_COMPARE(AS_SIGNED(keys), AS_SIGNED(next), AVX512_LESS_THAN, valid);
}

static inline uint orders_of(const steps_t steps)
{
    return (steps.descents ? 0 : ASCENDING) | (steps.ascents ? 0 : DESCENDING);
}

// Copies keys as ordered keys. `to` may be `from`.
OUTLINED steps_t load_ordered(__global const key_t *from, const index_t count, const key_t flip,
                              __global key_t *to)
{
    steps_t steps = {0, 0};
    for (index_t i = 0; i < count; i += KEYS_PER_REGISTER) {
        const uint left = (uint)min(count - i, (index_t)KEYS_PER_REGISTER);
        const mask_t pairs = mask_below(left - (i + KEYS_PER_REGISTER >= count));
        const register_keys_t keys = ordered_register(load_keys(from + i, mask_below(left)), flip);
        add_steps(&steps, keys, ordered_register(load_keys(from + i + 1, pairs), flip), pairs);
        store_keys(keys, to + i, mask_below(left));
    }
    return steps;
}

#define REGISTERS_PER_CHECK 16 // of keys in no order; more than these are never read

// Returns the orders that keys are in. Keys in no order are not all read.
OUTLINED uint orders_of_keys(__global const key_t *keys, const index_t count, const key_t flip)
{
    steps_t steps = {0, 0};
    index_t i = 0;
    while (orders_of(steps) != 0 && i + REGISTERS_PER_CHECK * KEYS_PER_REGISTER < count) {
#pragma unroll
        for (uint r = 0; r < REGISTERS_PER_CHECK; r++, i += KEYS_PER_REGISTER) {
            add_steps(&steps, ordered_register(load_keys(keys + i, ALL_KEYS), flip),
                      ordered_register(load_keys(keys + i + 1, ALL_KEYS), flip), ALL_KEYS);
        }
    }
    for (; orders_of(steps) != 0 && i + 1 < count; i += KEYS_PER_REGISTER) {
        const mask_t pairs = mask_below((uint)min(count - 1 - i, (index_t)KEYS_PER_REGISTER));
        add_steps(&steps, ordered_register(load_keys(keys + i, pairs), flip),
                  ordered_register(load_keys(keys + i + 1, pairs), flip), pairs);
    }
    return orders_of(steps);
}

#endif
