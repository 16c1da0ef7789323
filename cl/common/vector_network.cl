// vector_network.cl - sorting networks for CPUs: keys alone in rows of 16 lanes, a comparison is a minimum and a maximum of
// vectors
//
// Batcher, "Sorting networks and their applications", AFIPS 1968, pp. 307-314. Keys are ordered numbers (keys.cl), a
// matrix of them has a column for each lane. Columns are sorted, then merged: only the last 4 stages compare lanes with
// each other. Column after column is then in order, and a transposition makes rows of them.
#ifndef CLSORT_COMMON_VECTOR_NETWORK_CL
#define CLSORT_COMMON_VECTOR_NETWORK_CL

#include "common/keys.cl"

#define INLINED static inline __attribute__((always_inline))
#define VECTOR_LANES 16
#define LANE_BITS 4
#define LARGEST_KEY ((key_t) ~(key_t)0)

// -- rows, in registers: their number is known to the compiler -------------------------------------

INLINED void compare(key_vector_t *a, key_vector_t *b)
{
    const key_vector_t x = *a, y = *b;
    *a = min(x, y);
    *b = max(x, y);
}

// The first of the r-th two rows that are `apart`.
#define FIRST_OF(r, apart) (2 * (r) - (r) % (apart))

INLINED void plain_step(key_vector_t *x, const uint rows, const uint apart)
{
#pragma unroll
    for (uint r = 0; r < rows / 2; r++)
        compare(&x[FIRST_OF(r, apart)], &x[FIRST_OF(r, apart) + apart]);
}

// In each `span` rows, from both ends.
INLINED void mirrored_step(key_vector_t *x, const uint rows, const uint span)
{
#pragma unroll
    for (uint r = 0; r < rows / 2; r++) {
        const uint first = FIRST_OF(r, span / 2), end = first / span * span + span;
        compare(&x[first], &x[end - 1 - first % span]);
    }
}

// Steps of half the span and less.
INLINED void plain_steps(key_vector_t *x, const uint rows, const uint span)
{
#pragma unroll
    for (uint apart = span / 2; apart > 0; apart /= 2)
        plain_step(x, rows, apart);
}

INLINED void sort_columns(key_vector_t *x, const uint rows)
{
#pragma unroll
    for (uint span = 2; span <= rows; span *= 2) {
        mirrored_step(x, rows, span);
        plain_steps(x, rows, span / 2);
    }
}

// -- lanes -----------------------------------------------------------------------------------------

// The lanes whose number lacks this bit from a, the others from b. (A choice that compilers see at once.)
#define A (key_t)0
#define B LARGEST_KEY
#define LANES_1(a, b)                                                                              \
    bitselect(a, b, (key_vector_t)(A, B, A, B, A, B, A, B, A, B, A, B, A, B, A, B))
#define LANES_2(a, b)                                                                              \
    bitselect(a, b, (key_vector_t)(A, A, B, B, A, A, B, B, A, A, B, B, A, A, B, B))
#define LANES_4(a, b)                                                                              \
    bitselect(a, b, (key_vector_t)(A, A, A, A, B, B, B, B, A, A, A, A, B, B, B, B))
#define LANES_8(a, b)                                                                              \
    bitselect(a, b, (key_vector_t)(A, A, A, A, A, A, A, A, B, B, B, B, B, B, B, B))

// Lanes that differ in this bit change places.
#define SWAPPED_1(x) (x).s1032547698badcfe
#define SWAPPED_2(x) (x).s23016745ab89efcd
#define SWAPPED_4(x) (x).s45670123cdef89ab
#define SWAPPED_8(x) (x).s89abcdef01234567

// ... or in this bit and all lower ones.
#define MIRRORED_1(x) SWAPPED_1(x)
#define MIRRORED_2(x) (x).s32107654ba98fedc
#define MIRRORED_4(x) (x).s76543210fedcba98
#define MIRRORED_8(x) (x).sfedcba9876543210

#define LANE_STEP(bit)                                                                             \
    INLINED key_vector_t lane_step_##bit(const key_vector_t x)                                     \
    {                                                                                              \
        const key_vector_t y = SWAPPED_##bit(x);                                                   \
        return LANES_##bit(min(x, y), max(x, y));                                                  \
    }
LANE_STEP(8)
LANE_STEP(4)
LANE_STEP(2)
LANE_STEP(1)

// The plain steps below this bit.
INLINED key_vector_t lane_steps(key_vector_t x, const uint bit)
{
    if (bit > 8)
        x = lane_step_8(x);
    if (bit > 4)
        x = lane_step_4(x);
    if (bit > 2)
        x = lane_step_2(x);
    return bit > 1 ? lane_step_1(x) : x;
}

// Of a stage that merges columns whose numbers differ in this bit: the first step, which compares a row with the one
// that is as far from the end, and for both the steps below this bit.
#define CROSS_COLUMNS(bit)                                                                         \
    INLINED void cross_columns_##bit(key_vector_t *row, key_vector_t *other)                       \
    {                                                                                              \
        const key_vector_t x = *row, y = MIRRORED_##bit(*other), small = min(x, y),                \
                           large = max(x, y);                                                      \
        *row = lane_steps(LANES_##bit(small, large), bit);                                         \
        *other = lane_steps(MIRRORED_##bit(LANES_##bit(large, small)), bit);                       \
    }
CROSS_COLUMNS(1)
CROSS_COLUMNS(2)
CROSS_COLUMNS(4)
CROSS_COLUMNS(8)

// -- the transposition -----------------------------------------------------------------------------

// Rows and lanes change places in a bit of their numbers.
#define TRANSPOSE(bit)                                                                             \
    INLINED void transpose_##bit(key_vector_t *x, const uint rows, const uint apart)               \
    {                                                                                              \
        _Pragma("unroll") for (uint r = 0; r < rows / 2; r++)                                      \
        {                                                                                          \
            const key_vector_t a = x[FIRST_OF(r, apart)], b = x[FIRST_OF(r, apart) + apart];       \
            x[FIRST_OF(r, apart)] = LANES_##bit(a, SWAPPED_##bit(b));                              \
            x[FIRST_OF(r, apart) + apart] = LANES_##bit(SWAPPED_##bit(a), b);                      \
        }                                                                                          \
    }
TRANSPOSE(1)
TRANSPOSE(2)
TRANSPOSE(4)
TRANSPOSE(8)

// Column after column, at most as many rows as lanes, becomes row after row.
INLINED void transpose(key_vector_t *x, const uint rows)
{
    transpose_8(x, rows, rows / 2);
    transpose_4(x, rows, rows / 4);
    if (rows >= 8)
        transpose_2(x, rows, rows / 8);
    if (rows >= 16)
        transpose_1(x, rows, rows / 16);
        // Of fewer rows than lanes some bits of the lanes' numbers are left to change places.
#pragma unroll
    for (uint r = 0; r < rows; r++)
        x[r] = rows == 4 ? x[r].s048c159d26ae37bf : rows == 8 ? x[r].s02468ace13579bdf : x[r];
}

#define MERGE_MATRIX(bit)                                                                          \
    INLINED void merge_matrix_##bit(key_vector_t *x, const uint rows)                              \
    {                                                                                              \
        _Pragma("unroll") for (uint r = 0; r < rows / 2; r++)                                      \
            cross_columns_##bit(&x[r], &x[rows - 1 - r]);                                          \
        plain_steps(x, rows, rows);                                                                \
    }
MERGE_MATRIX(1)
MERGE_MATRIX(2)
MERGE_MATRIX(4)
MERGE_MATRIX(8)

// All of 4, 8 or 16 rows in registers: row after row.
INLINED void sort_matrix(key_vector_t *x, const uint rows)
{
    sort_columns(x, rows);
    merge_matrix_1(x, rows);
    merge_matrix_2(x, rows);
    merge_matrix_4(x, rows);
    merge_matrix_8(x, rows);
    transpose(x, rows);
}

#endif
