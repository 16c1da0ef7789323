// vector.cl - bitonic sort of keys alone for CPUs, in place: a vector minimum and maximum compare
// 16 pairs of keys
//
// The network is that of work_group.cl. A work-item sorts a tile in private memory, which stays in
// its core's cache. The tile is a matrix with a column for each lane of a vector: first the columns
// are sorted, which compares whole rows; then the columns are merged. Only the 4 stages that merge
// columns compare lanes with each other. The sorted matrix is transposed when it is written.
//
// Batcher, "Sorting networks and their applications", AFIPS 1968, pp. 307-314.
//
// Kernels, in launch order, each with one work-item per tile:
//   bitonic_vector_sort    all stages of a tile
//   then two or more times for each later stage:
//   bitonic_vector_merge   up to 6 steps that compare keys at least a tile apart: gathers the tile
//                          from up to 64 segments of the array, compares the segments and writes
//                          them back; the last launch of a stage does the steps within a tile
//
// Between the launches the array holds ordered keys (common/keys.cl): the first launch maps the
// keys, and the last one maps them back. The last tile is padded with the largest ordered key,
// which the network never moves to a lower index.
//
// Cost: each launch reads and writes every key once, 8 bytes per u32 key. For n keys and tiles of
// 2^t keys there are one launch for the tiles, and ceil((s - t) / 6) + 1 for each stage s > t: for
// n = 2^20 and t = 13 these are 16 launches and 128 bytes per key.
// Measured (PoCL 3.1, 2 cores of a Xeon with AVX-512, 2^20 u32 keys): 92 Mkeys/s, 0.35 of that
// model at the 34 GB/s of a copy, and 10 times std::sort.
//
// Option, besides those of common/types.cl and common/keys.cl:
//   TILE_BITS   log2 of the number of keys in a tile
#ifndef CLSORT_BITONIC_VECTOR_CL
#define CLSORT_BITONIC_VECTOR_CL

#include "bitonic/layout.h"
#include "common/keys.cl"
#include "common/vector_network.cl"

#define MATRIX_KEYS (1u << TILE_BITS)
#define MATRIX_ROW_BITS (TILE_BITS - LANE_BITS)
#define ROWS_IN_REGISTERS 8
#define HALF_ROWS (ROWS_IN_REGISTERS / 2)
#define REGISTER_ROW_BITS 3 // log2 of ROWS_IN_REGISTERS

// Row v of the matrix is vector[v].
typedef union {
    key_vector_t vector[MATRIX_KEYS / VECTOR_LANES];
    key_t key[MATRIX_KEYS];
} key_matrix_t;

// -- rows -----------------------------------------------------------------------------------------

// Performs the first three stages of every column.
static inline void sort_rows_in_registers(key_matrix_t *matrix, const uint rows)
{
    for (uint row = 0; row < rows; row += ROWS_IN_REGISTERS) {
        key_vector_t x[ROWS_IN_REGISTERS];
#pragma unroll
        for (uint r = 0; r < ROWS_IN_REGISTERS; r++) {
            x[r] = matrix->vector[row + r];
        }
        sort_columns(x, ROWS_IN_REGISTERS);
#pragma unroll
        for (uint r = 0; r < ROWS_IN_REGISTERS; r++) {
            matrix->vector[row + r] = x[r];
        }
    }
}

INLINED void mirror_upper_lanes(key_vector_t *x)
{
#pragma unroll
    for (uint r = HALF_ROWS; r < ROWS_IN_REGISTERS; r++) {
        x[r] = REVERSED_8(x[r]);
    }
}

// Performs up to three steps on eight rows in registers. `distances` has the bits 4, 2 and 1 of the
// steps to perform.
INLINED void register_steps(key_vector_t *x, const uint distances, const uint first_step)
{
    if (first_step == CLS_BITONIC_MIRRORED_LANES) {
        mirror_upper_lanes(x);
    }
    if (first_step != CLS_BITONIC_PLAIN) {
        mirrored_step(x, ROWS_IN_REGISTERS, ROWS_IN_REGISTERS);
    } else if (distances & 4) {
        plain_step(x, ROWS_IN_REGISTERS, 4);
    }
    if (distances & 2) {
        plain_step(x, ROWS_IN_REGISTERS, 2);
    }
    if (distances & 1) {
        plain_step(x, ROWS_IN_REGISTERS, 1);
    }
    if (first_step == CLS_BITONIC_MIRRORED_LANES) {
        mirror_upper_lanes(x);
    }
}

// Performs steps whose distances are `distances` in units of 2^shift rows. For a mirrored step, the
// upper half of the rows is indexed from its end.
static inline void unit_steps(key_matrix_t *matrix, const uint rows, const uint shift,
                              const uint distances, const uint first_step)
{
    const uint unit = 1u << shift;
    const uint mask = first_step == CLS_BITONIC_PLAIN ? 0 : unit - 1;
    for (uint base = 0; base < rows; base += ROWS_IN_REGISTERS * unit) {
        for (uint low = 0; low < unit; low++) {
            key_vector_t *const lower = matrix->vector + base + low;
            key_vector_t *const upper = matrix->vector + base + HALF_ROWS * unit + (low ^ mask);
            key_vector_t x[ROWS_IN_REGISTERS];
#pragma unroll
            for (uint r = 0; r < HALF_ROWS; r++) {
                x[r] = lower[r * unit];
                x[r + HALF_ROWS] = upper[r * unit];
            }
            register_steps(x, distances, first_step);
#pragma unroll
            for (uint r = 0; r < HALF_ROWS; r++) {
                lower[r * unit] = x[r];
                upper[r * unit] = x[r + HALF_ROWS];
            }
        }
    }
}

// Performs the steps that compare rows whose indexes differ in bit high - 1, then high - 2, ...,
// low. A first step that is not plain needs high >= REGISTER_ROW_BITS.
static inline void row_steps(key_matrix_t *matrix, const uint rows, uint high, const uint low,
                             uint first_step)
{
    while (high > low) {
        const uint shift = sub_sat(high, (uint)REGISTER_ROW_BITS);
        const uint lowest = sub_sat(low, shift);
        const uint distances = ((1u << (high - shift)) - 1) >> lowest << lowest;
        unit_steps(matrix, rows, shift, distances, first_step);
        first_step = CLS_BITONIC_PLAIN;
        high = shift;
    }
}

// -- columns --------------------------------------------------------------------------------------

// Defines a stage: it merges each two columns whose indexes differ in `bit` only.
#define DEFINE_MERGE_COLUMNS(bit)                                                                  \
    static inline void merge_columns_##bit(key_matrix_t *matrix, const uint row_bits)              \
    {                                                                                              \
        const uint rows = 1u << row_bits;                                                          \
        for (uint row = 0; row < rows / 2; row++) {                                                \
            cross_columns_##bit(&matrix->vector[row], &matrix->vector[rows - 1 - row]);            \
        }                                                                                          \
        row_steps(matrix, rows, row_bits, 0, CLS_BITONIC_PLAIN);                                   \
    }
DEFINE_MERGE_COLUMNS(1)
DEFINE_MERGE_COLUMNS(2)
DEFINE_MERGE_COLUMNS(4)
DEFINE_MERGE_COLUMNS(8)

// Writes the columns one after the other.
static inline void transpose_matrix(const key_matrix_t *matrix, const uint row_bits,
                                    key_matrix_t *to)
{
    for (uint row = 0; row < 1u << row_bits; row += VECTOR_LANES) {
        key_vector_t x[VECTOR_LANES];
#pragma unroll
        for (uint r = 0; r < VECTOR_LANES; r++) {
            x[r] = matrix->vector[row + r];
        }
        transpose(x, VECTOR_LANES);
#pragma unroll
        for (uint r = 0; r < VECTOR_LANES; r++) {
            to->vector[((r << row_bits) + row) / VECTOR_LANES] = x[r];
        }
    }
}

__kernel WORK_ITEM_KERNEL void bitonic_vector_sort(INPUT(keys), BUFFER(keys_to), const index_t n,
                                                   const key_t flip, const uint is_last)
{
    key_matrix_t matrix, sorted;
    const index_t begin = (index_t)get_group_id(0) * MATRIX_KEYS;
    const uint count = (uint)min(n - begin, (index_t)MATRIX_KEYS);
    __global const key_t *from = AT(const key_t, keys) + begin;
    __global key_t *to = AT(key_t, keys_to) + begin;
    uint row_bits = LANE_BITS; // the transposition needs at least as many rows as lanes
    while ((uint)VECTOR_LANES << row_bits < count) {
        row_bits++;
    }

    for (uint i = 0; i < count; i++) {
        matrix.key[i] = ordered(from[i], flip);
    }
    for (uint i = count; i < (uint)VECTOR_LANES << row_bits; i++) {
        matrix.key[i] = LARGEST_KEY;
    }
    sort_rows_in_registers(&matrix, 1u << row_bits);
    for (uint high = REGISTER_ROW_BITS + 1; high <= row_bits; high++) {
        row_steps(&matrix, 1u << row_bits, high, 0, CLS_BITONIC_MIRRORED);
    }
    merge_columns_1(&matrix, row_bits);
    merge_columns_2(&matrix, row_bits);
    merge_columns_4(&matrix, row_bits);
    merge_columns_8(&matrix, row_bits);
    transpose_matrix(&matrix, row_bits, &sorted);
    for (uint i = 0; i < count; i++) {
        to[i] = is_last ? unordered(sorted.key[i], flip) : sorted.key[i];
    }
}

// -- segments -------------------------------------------------------------------------------------

// A tile that is gathered from 2^bits segments of `width` keys, 2^stride_bits keys apart. Segment s
// starts at index s << stride_bits of `lower` or, in the upper half of the segments, of `upper`.
typedef struct {
    index_t lower, upper;
    uint bits, stride_bits, width;
} vector_segments_t;

static inline vector_segments_t segments_of(const uint stride_bits, const uint bits,
                                            const uint first_step)
{
    const uint tile_bits = stride_bits + bits - TILE_BITS; // log2 of the tiles of 2^bits strides
    const index_t tile = get_group_id(0) & (((index_t)1 << tile_bits) - 1);
    const index_t base = (index_t)(get_group_id(0) >> tile_bits) << tile_bits << TILE_BITS;
    vector_segments_t segments;
    segments.bits = bits;
    segments.stride_bits = stride_bits;
    segments.width = MATRIX_KEYS >> bits;
    segments.lower = base + tile * segments.width;
    segments.upper = segments.lower;
    if (first_step == CLS_BITONIC_MIRRORED) {
        segments.upper =
            base + ((index_t)1 << stride_bits) - segments.width - tile * segments.width;
    }
    return segments;
}

static inline index_t segment_begin(const vector_segments_t *segments, const uint s)
{
    return (s < 1u << segments->bits >> 1 ? segments->lower : segments->upper) +
           ((index_t)s << segments->stride_bits);
}

static inline void load_segments(key_matrix_t *matrix, const vector_segments_t *segments,
                                 __global const key_t *keys, const index_t n)
{
    const uint width = segments->width;
    for (uint s = 0; s < 1u << segments->bits; s++) {
        const index_t begin = segment_begin(segments, s);
        const uint count = (uint)min(sub_sat(n, begin), (index_t)width);
        __global const key_t *from = keys + begin;
        for (uint i = 0; i < count; i++) {
            matrix->key[s * width + i] = from[i];
        }
        for (uint i = count; i < width; i++) {
            matrix->key[s * width + i] = LARGEST_KEY;
        }
    }
}

static inline void store_segments(const key_matrix_t *matrix, const vector_segments_t *segments,
                                  __global key_t *keys, const index_t n, const key_t flip,
                                  const uint is_last)
{
    const uint width = segments->width;
    for (uint s = 0; s < 1u << segments->bits; s++) {
        const index_t begin = segment_begin(segments, s);
        const uint count = (uint)min(sub_sat(n, begin), (index_t)width);
        __global key_t *to = keys + begin;
        for (uint i = 0; i < count; i++) {
            const key_t key = matrix->key[s * width + i];
            to[i] = is_last ? unordered(key, flip) : key;
        }
    }
}

// With segment_bits 0 the tile is contiguous, and all remaining steps of the stage are performed.
__kernel WORK_ITEM_KERNEL void bitonic_vector_merge(BUFFER(keys), const index_t n, const key_t flip,
                                                    const uint stride_bits, const uint segment_bits,
                                                    const uint first_step, const uint is_last)
{
    key_matrix_t matrix;
    const vector_segments_t segments = segments_of(stride_bits, segment_bits, first_step);
    const uint rows = 1u << MATRIX_ROW_BITS;
    load_segments(&matrix, &segments, AT(const key_t, keys), n);
    row_steps(&matrix, rows, MATRIX_ROW_BITS, segment_bits > 0 ? MATRIX_ROW_BITS - segment_bits : 0,
              first_step == CLS_BITONIC_MIRRORED ? CLS_BITONIC_MIRRORED_LANES : CLS_BITONIC_PLAIN);
    if (segment_bits == 0) {
        for (uint row = 0; row < rows; row++) {
            matrix.vector[row] = lane_steps(matrix.vector[row], VECTOR_LANES);
        }
    }
    store_segments(&matrix, &segments, AT(key_t, keys), n, flip, is_last);
}

#endif
