// vector_network.cl - bitonic sorting networks over vectors of 16 ordered keys, for CPUs
//
// Batcher, "Sorting networks and their applications", AFIPS 1968, pp. 307-314. The keys form a
// matrix whose rows are vectors and whose columns are their lanes. A comparison of two rows is one
// vector minimum and one maximum. First each column is sorted, by comparisons of rows only. Then
// the columns are merged in 4 stages, which also compare lanes. The sorted sequence now runs down
// one column after the other, and a transposition turns the columns into rows.
//
// A stage of a network merges sorted sequences in pairs. Its first step is mirrored: it compares
// each key with the one that is as far from the other end of the pair. The following, plain steps
// compare keys at a distance that halves from step to step. All keys are compared in the same
// direction.
#ifndef CLSORT_COMMON_VECTOR_NETWORK_CL
#define CLSORT_COMMON_VECTOR_NETWORK_CL

#include "common/keys.cl"

#define INLINED static inline __attribute__((always_inline))
#define VECTOR_LANES 16
#define LANE_BITS 4
#define LARGEST_KEY ((key_t) ~(key_t)0)

// -- comparisons of rows -------------------------------------------------------------------------
//
// The number of rows is a constant wherever these functions are inlined, so that all rows are in
// registers.

INLINED void compare(key_vector_t *a, key_vector_t *b)
{
    const key_vector_t x = *a, y = *b;
    *a = min(x, y);
    *b = max(x, y);
}

// The index of the first row of the r-th pair of rows at the distance `apart`.
#define FIRST_OF(r, apart) (2 * (r) - (r) % (apart))

// Compares rows at the distance `apart`.
INLINED void plain_step(key_vector_t *x, const uint rows, const uint apart)
{
#pragma unroll
    for (uint r = 0; r < rows / 2; r++) {
        compare(&x[FIRST_OF(r, apart)], &x[FIRST_OF(r, apart) + apart]);
    }
}

// Compares the rows of each group of `span` rows with those that are as far from the other end.
INLINED void mirrored_step(key_vector_t *x, const uint rows, const uint span)
{
#pragma unroll
    for (uint r = 0; r < rows / 2; r++) {
        const uint first = FIRST_OF(r, span / 2), end = first / span * span + span;
        compare(&x[first], &x[end - 1 - first % span]);
    }
}

// Compares rows at the distances span / 2, span / 4, ..., 1.
INLINED void plain_steps(key_vector_t *x, const uint rows, const uint span)
{
#pragma unroll
    for (uint apart = span / 2; apart > 0; apart /= 2) {
        plain_step(x, rows, apart);
    }
}

INLINED void sort_columns(key_vector_t *x, const uint rows)
{
#pragma unroll
    for (uint span = 2; span <= rows; span *= 2) {
        mirrored_step(x, rows, span);
        plain_steps(x, rows, span / 2);
    }
}

// -- comparisons of lanes -------------------------------------------------------------------------

// BLEND_n takes the lanes without bit n in their index from a, and the others from b. Compilers
// turn a bitselect by a constant into a blend instruction.
#define A (key_t)0
#define B LARGEST_KEY
#define BLEND_1(a, b)                                                                              \
    bitselect(a, b, (key_vector_t)(A, B, A, B, A, B, A, B, A, B, A, B, A, B, A, B))
#define BLEND_2(a, b)                                                                              \
    bitselect(a, b, (key_vector_t)(A, A, B, B, A, A, B, B, A, A, B, B, A, A, B, B))
#define BLEND_4(a, b)                                                                              \
    bitselect(a, b, (key_vector_t)(A, A, A, A, B, B, B, B, A, A, A, A, B, B, B, B))
#define BLEND_8(a, b)                                                                              \
    bitselect(a, b, (key_vector_t)(A, A, A, A, A, A, A, A, B, B, B, B, B, B, B, B))

// SWAPPED_n exchanges the lanes whose indexes differ in bit n only.
#define SWAPPED_1(x) (x).s1032547698badcfe
#define SWAPPED_2(x) (x).s23016745ab89efcd
#define SWAPPED_4(x) (x).s45670123cdef89ab
#define SWAPPED_8(x) (x).s89abcdef01234567

// REVERSED_n reverses each group of 2 * n lanes.
#define REVERSED_1(x) SWAPPED_1(x)
#define REVERSED_2(x) (x).s32107654ba98fedc
#define REVERSED_4(x) (x).s76543210fedcba98
#define REVERSED_8(x) (x).sfedcba9876543210

// Compares the lanes whose indexes differ in one bit only.
#define LANE_STEP(bit)                                                                             \
    INLINED key_vector_t lane_step_##bit(const key_vector_t x)                                     \
    {                                                                                              \
        const key_vector_t y = SWAPPED_##bit(x);                                                   \
        return BLEND_##bit(min(x, y), max(x, y));                                                  \
    }
LANE_STEP(8)
LANE_STEP(4)
LANE_STEP(2)
LANE_STEP(1)

// The plain steps for all bits below this one.
INLINED key_vector_t lane_steps(key_vector_t x, const uint bit)
{
    if (bit > 8) {
        x = lane_step_8(x);
    }
    if (bit > 4) {
        x = lane_step_4(x);
    }
    if (bit > 2) {
        x = lane_step_2(x);
    }
    return bit > 1 ? lane_step_1(x) : x;
}

// Part of the stage that merges columns whose indexes differ in this bit: the mirrored step for a
// row and the one as far from the other end, and then the plain steps between lanes for both.
#define CROSS_COLUMNS(bit)                                                                         \
    INLINED void cross_columns_##bit(key_vector_t *row, key_vector_t *other)                       \
    {                                                                                              \
        const key_vector_t x = *row, y = REVERSED_##bit(*other), small = min(x, y),                \
                           large = max(x, y);                                                      \
        *row = lane_steps(BLEND_##bit(small, large), bit);                                         \
        *other = lane_steps(REVERSED_##bit(BLEND_##bit(large, small)), bit);                       \
    }
CROSS_COLUMNS(1)
CROSS_COLUMNS(2)
CROSS_COLUMNS(4)
CROSS_COLUMNS(8)

// -- transposition --------------------------------------------------------------------------------

// Exchanges a bit of the row index with a bit of the lane index: keys move between rows at the
// distance `apart`.
#define TRANSPOSE(bit)                                                                             \
    INLINED void transpose_##bit(key_vector_t *x, const uint rows, const uint apart)               \
    {                                                                                              \
        _Pragma("unroll") for (uint r = 0; r < rows / 2; r++)                                      \
        {                                                                                          \
            const key_vector_t a = x[FIRST_OF(r, apart)], b = x[FIRST_OF(r, apart) + apart];       \
            x[FIRST_OF(r, apart)] = BLEND_##bit(a, SWAPPED_##bit(b));                              \
            x[FIRST_OF(r, apart) + apart] = BLEND_##bit(SWAPPED_##bit(a), b);                      \
        }                                                                                          \
    }
TRANSPOSE(1)
TRANSPOSE(2)
TRANSPOSE(4)
TRANSPOSE(8)

// Turns a sequence that runs down the columns into one that runs along the rows. There are 4, 8 or
// 16 rows.
INLINED void transpose(key_vector_t *x, const uint rows)
{
    transpose_8(x, rows, rows / 2);
    transpose_4(x, rows, rows / 4);
    if (rows >= 8) {
        transpose_2(x, rows, rows / 8);
    }
    if (rows >= 16) {
        transpose_1(x, rows, rows / 16);
    }
    // With fewer rows than lanes, the bits of the lane indexes still have to be rotated.
#pragma unroll
    for (uint r = 0; r < rows; r++) {
        x[r] = rows == 4 ? x[r].s048c159d26ae37bf : rows == 8 ? x[r].s02468ace13579bdf : x[r];
    }
}

// The stage that merges columns whose indexes differ in this bit.
#define MERGE_MATRIX(bit)                                                                          \
    INLINED void merge_matrix_##bit(key_vector_t *x, const uint rows)                              \
    {                                                                                              \
        _Pragma("unroll") for (uint r = 0; r < rows / 2; r++)                                      \
        {                                                                                          \
            cross_columns_##bit(&x[r], &x[rows - 1 - r]);                                          \
        }                                                                                          \
        plain_steps(x, rows, rows);                                                                \
    }
MERGE_MATRIX(1)
MERGE_MATRIX(2)
MERGE_MATRIX(4)
MERGE_MATRIX(8)

// Sorts a matrix of 4, 8 or 16 rows, row by row.
INLINED void sort_matrix(key_vector_t *x, const uint rows)
{
    sort_columns(x, rows);
    merge_matrix_1(x, rows);
    merge_matrix_2(x, rows);
    merge_matrix_4(x, rows);
    merge_matrix_8(x, rows);
    transpose(x, rows);
}

// The stage that merges groups of lanes whose indexes differ in this bit, in one row.
#define MERGE_LANES(bit)                                                                           \
    INLINED key_vector_t merge_lanes_##bit(const key_vector_t x)                                   \
    {                                                                                              \
        const key_vector_t y = REVERSED_##bit(x);                                                  \
        return lane_steps(BLEND_##bit(min(x, y), max(x, y)), bit);                                 \
    }
MERGE_LANES(1)
MERGE_LANES(2)
MERGE_LANES(4)
MERGE_LANES(8)

// Sorts one row.
INLINED key_vector_t sort_lanes(const key_vector_t x)
{
    return merge_lanes_8(merge_lanes_4(merge_lanes_2(merge_lanes_1(x))));
}

#undef A
#undef B

#endif
