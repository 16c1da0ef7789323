// vector.cl - bitonic sort of keys alone, in place, for CPUs: a comparison is a minimum and a maximum of
// vectors
//
// Batcher 1968 (see bitonic.cl). One work-item sorts a tile in private memory, that is in its core's cache, in any
// order of places that makes steps cheap: as a matrix with a column for each lane of a vector,
//
//   bitonic_vector_sort    sorts the columns, then merges them: only the last 4 stages compare lanes with each
//                          other; the sorted matrix is transposed and written
//   bitonic_vector_merge   gathers a tile out of rows that are far apart and does the steps that compare rows; or, of
//                          one row, all the steps that are left of a stage
//
// Between the launches keys are ordered numbers (keys.cl): they become so on the first read and are themselves
// again with the last write. Behind the last key a tile is filled up with the largest number; the network of bitonic.cl
// leaves it there.
//
// Cost model: a launch reads and writes everything once, for u32 keys 8 bytes a key. For n keys and tiles of 2^t there
// are one launch, and for stage s of the log2(n) - t others ceil((s - t) / 6) and one. For 2^20 keys and t = 13
// these are 16 launches and 128 bytes a key.
// Measured (PoCL 3.1, 2 cores of a Xeon with AVX-512, 2^20 u32 keys): 52 Mkeys/s, 0.19 of that model at the 35 GB/s
// that two threads copy, 5 times std::sort.
//
// TILE_BITS    log2 of the keys of a tile
#ifndef CLSORT_BITONIC_VECTOR_CL
#define CLSORT_BITONIC_VECTOR_CL

#include "common/keys.cl"
#include "common/vector_network.cl"

#define ROWS_IN_REGISTERS 8
#define REGISTER_BITS 3
#define TILE (1u << TILE_BITS)

// Row v of the matrix is vector[v].
typedef union {
    key_vector_t vector[TILE / VECTOR_LANES];
    key_t key[TILE];
} tile_t;

// -- rows ------------------------------------------------------------------------------------------

// The first three stages of every column.
static inline void sort_registers(tile_t *tile, const uint rows)
{
    for (uint row = 0; row < rows; row += ROWS_IN_REGISTERS) {
        key_vector_t x[ROWS_IN_REGISTERS];
#pragma unroll
        for (uint r = 0; r < ROWS_IN_REGISTERS; r++)
            x[r] = tile->vector[row + r];
        sort_columns(x, ROWS_IN_REGISTERS);
#pragma unroll
        for (uint r = 0; r < ROWS_IN_REGISTERS; r++)
            tile->vector[row + r] = x[r];
    }
}

// What the first step of some is; in a reversed one the later rows are mirrored in themselves too.
enum first { PLAIN, MIRRORED, REVERSED };

// The steps, 4, 2 and 1 rows apart in units of 2^shift rows, whose bits are set.
static inline void pass(tile_t *tile, const uint rows, const uint shift, const uint steps,
                        const uint first)
{
    const uint unit = 1u << shift, mask = first == PLAIN ? 0 : unit - 1;
    for (uint base = 0; base < rows; base += ROWS_IN_REGISTERS * unit)
        for (uint low = 0; low < unit; low++) {
            key_vector_t *const lower = tile->vector + base + low;
            key_vector_t *const upper =
                tile->vector + base + ROWS_IN_REGISTERS / 2 * unit + (low ^ mask);
            key_vector_t x[ROWS_IN_REGISTERS];
#pragma unroll
            for (uint r = 0; r < ROWS_IN_REGISTERS / 2; r++) {
                x[r] = lower[r * unit];
                x[r + ROWS_IN_REGISTERS / 2] = upper[r * unit];
            }
            if (first == REVERSED)
#pragma unroll
                for (uint r = ROWS_IN_REGISTERS / 2; r < ROWS_IN_REGISTERS; r++)
                    x[r] = REVERSED_8(x[r]);
            if (first != PLAIN)
                mirrored_step(x, ROWS_IN_REGISTERS, ROWS_IN_REGISTERS);
            else if (steps & 4)
                plain_step(x, ROWS_IN_REGISTERS, 4);
            if (steps & 2)
                plain_step(x, ROWS_IN_REGISTERS, 2);
            if (steps & 1)
                plain_step(x, ROWS_IN_REGISTERS, 1);
            if (first == REVERSED)
#pragma unroll
                for (uint r = ROWS_IN_REGISTERS / 2; r < ROWS_IN_REGISTERS; r++)
                    x[r] = REVERSED_8(x[r]);
#pragma unroll
            for (uint r = 0; r < ROWS_IN_REGISTERS / 2; r++) {
                lower[r * unit] = x[r];
                upper[r * unit] = x[r + ROWS_IN_REGISTERS / 2];
            }
        }
}

// The steps that compare rows whose numbers differ in bit high - 1, ..., low. Only what has REGISTER_BITS bits can
// begin with a step that is not plain.
static inline void sort_rows(tile_t *tile, const uint rows, uint high, const uint low, uint first)
{
    while (high > low) {
        const uint shift = sub_sat(high, (uint)REGISTER_BITS);
        const uint others = sub_sat(low, shift);
        pass(tile, rows, shift, ((1u << (high - shift)) - 1) >> others << others, first);
        first = PLAIN;
        high = shift;
    }
}

// -- lanes -----------------------------------------------------------------------------------------

// A stage that merges columns whose numbers differ in this bit.
#define MERGE_COLUMNS(bit)                                                                         \
    static inline void merge_columns_##bit(tile_t *tile, const uint row_bits)                      \
    {                                                                                              \
        const uint rows = 1u << row_bits;                                                          \
        for (uint row = 0; row < rows / 2; row++)                                                  \
            cross_columns_##bit(&tile->vector[row], &tile->vector[rows - 1 - row]);                \
        sort_rows(tile, rows, row_bits, 0, PLAIN);                                                 \
    }
MERGE_COLUMNS(1)
MERGE_COLUMNS(2)
MERGE_COLUMNS(4)
MERGE_COLUMNS(8)

// Column after column becomes what follows each other.
static inline void transpose_tile(const tile_t *tile, const uint row_bits, tile_t *to)
{
    for (uint row = 0; row < 1u << row_bits; row += VECTOR_LANES) {
        key_vector_t x[VECTOR_LANES];
#pragma unroll
        for (uint r = 0; r < VECTOR_LANES; r++)
            x[r] = tile->vector[row + r];
        transpose(x, VECTOR_LANES);
#pragma unroll
        for (uint r = 0; r < VECTOR_LANES; r++)
            to->vector[((r << row_bits) + row) / VECTOR_LANES] = x[r];
    }
}

// -- kernels ---------------------------------------------------------------------------------------

__kernel WORK_ITEM_KERNEL void bitonic_vector_sort(INPUT(keys), BUFFER(keys_to), const index_t n,
                                                   const key_t flip, const uint is_last)
{
    tile_t tile, sorted;
    const index_t begin = (index_t)get_group_id(0) * TILE;
    const uint count = (uint)min(n - begin, (index_t)TILE);
    __global const key_t *from = AT(const key_t, keys) + begin;
    __global key_t *to = AT(key_t, keys_to) + begin;
    uint row_bits = LANE_BITS; // so that there is something to transpose
    while ((uint)VECTOR_LANES << row_bits < count)
        row_bits++;

    for (uint i = 0; i < count; i++)
        tile.key[i] = ordered(from[i], flip);
    for (uint i = count; i < (uint)VECTOR_LANES << row_bits; i++)
        tile.key[i] = LARGEST_KEY;
    sort_registers(&tile, 1u << row_bits);
    for (uint high = REGISTER_BITS + 1; high <= row_bits; high++)
        sort_rows(&tile, 1u << row_bits, high, 0, MIRRORED);
    merge_columns_1(&tile, row_bits);
    merge_columns_2(&tile, row_bits);
    merge_columns_4(&tile, row_bits);
    merge_columns_8(&tile, row_bits);
    transpose_tile(&tile, row_bits, &sorted);
    for (uint i = 0; i < count; i++)
        to[i] = is_last ? unordered(sorted.key[i], flip) : sorted.key[i];
}

// The tile's rows are 2^stride keys apart, and there are 2^rows: their steps are done. One row: all steps from the
// length of a tile down. Mirrored: the later half of the rows is found from the other end of the stride.
__kernel WORK_ITEM_KERNEL void bitonic_vector_merge(BUFFER(keys), const index_t n, const key_t flip,
                                                    const uint stride, const uint rows,
                                                    const uint mirrored, const uint is_last)
{
    tile_t tile;
    const uint width = TILE >> rows, row_bits = TILE_BITS - LANE_BITS;
    const uint place_bits =
        stride + rows - TILE_BITS; // log2 of the tiles between the first rows of two
    const index_t place = get_group_id(0) & (((index_t)1 << place_bits) - 1);
    const index_t base = (index_t)(get_group_id(0) >> place_bits) << place_bits << TILE_BITS;
    const index_t lower = base + place * width;
    const index_t upper = mirrored ? base + ((index_t)1 << stride) - width - place * width : lower;
#define BEGIN_OF(row) (((row) < 1u << rows >> 1 ? lower : upper) + ((index_t)(row) << stride))

    for (uint row = 0; row < 1u << rows; row++) {
        const index_t begin = BEGIN_OF(row);
        const uint count = (uint)min(sub_sat(n, begin), (index_t)width);
        __global const key_t *from = AT(const key_t, keys) + begin;
        for (uint i = 0; i < count; i++)
            tile.key[row * width + i] = from[i];
        for (uint i = count; i < width; i++)
            tile.key[row * width + i] = LARGEST_KEY;
    }
    sort_rows(&tile, TILE / VECTOR_LANES, row_bits, rows > 0 ? row_bits - rows : 0,
              mirrored ? REVERSED : PLAIN);
    if (rows == 0)
        for (uint row = 0; row < TILE / VECTOR_LANES; row++)
            tile.vector[row] = lane_steps(tile.vector[row], VECTOR_LANES);
    for (uint row = 0; row < 1u << rows; row++) {
        const index_t begin = BEGIN_OF(row);
        const uint count = (uint)min(sub_sat(n, begin), (index_t)width);
        __global key_t *to = AT(key_t, keys) + begin;
        for (uint i = 0; i < count; i++)
            to[i] =
                is_last ? unordered(tile.key[row * width + i], flip) : tile.key[row * width + i];
    }
}

#endif
