// bitonic_vector.cl - bitonic sort of keys alone, in place, for CPUs: a comparison is a minimum and a maximum of
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
// Measured (PoCL 3.1, 2 cores of a Xeon with AVX-512, 2^20 u32 keys): 52 Mkeys/s, 0.19 of that model at the 35 GB/s that
// two threads copy, 5 times std::sort.
//
// TILE_BITS    log2 of the keys of a tile

#if !defined(KEY_BYTES) || !defined(KEY_ORDER) || !defined(TILE_BITS)
#error "bitonic_vector.cl needs types.cl, keys.cl and TILE_BITS"
#endif

#define SINGLE __attribute__((reqd_work_group_size(1, 1, 1)))
#define LANES 16
#define LANE_BITS 4
#define REGISTERS 8
#define REGISTER_BITS 3
#define TILE (1u << TILE_BITS)
#define LARGEST ((key_t) ~(key_t)0)

#if KEY_BYTES == 1
typedef uchar16 keys_t;
#elif KEY_BYTES == 2
typedef ushort16 keys_t;
#elif KEY_BYTES == 4
typedef uint16 keys_t;
#else
typedef ulong16 keys_t;
#endif

// Row v of the matrix is vector[v].
typedef union {
    keys_t vector[TILE / LANES];
    key_t key[TILE];
} tile_t;

// -- rows ------------------------------------------------------------------------------------------

static inline void compare(keys_t *a, keys_t *b)
{
    const keys_t x = *a, y = *b;
    *a = min(x, y);
    *b = max(x, y);
}

// The first of the r-th two registers that are `apart`.
#define FIRST_OF(r, apart) (2 * (r) - (r) % (apart))

static inline void plain_step(keys_t *x, const uint apart)
{
#pragma unroll
    for (uint r = 0; r < REGISTERS / 2; r++)
        compare(&x[FIRST_OF(r, apart)], &x[FIRST_OF(r, apart) + apart]);
}

// In each `span` registers, from both ends.
static inline void mirrored_step(keys_t *x, const uint span)
{
#pragma unroll
    for (uint r = 0; r < REGISTERS / 2; r++) {
        const uint first = FIRST_OF(r, span / 2), end = first / span * span + span;
        compare(&x[first], &x[end - 1 - first % span]);
    }
}

// The first three stages of every column.
static inline void sort_registers(tile_t *tile, const uint rows)
{
    for (uint row = 0; row < rows; row += REGISTERS) {
        keys_t x[REGISTERS];
#pragma unroll
        for (uint r = 0; r < REGISTERS; r++)
            x[r] = tile->vector[row + r];
        mirrored_step(x, 2);
        mirrored_step(x, 4);
        plain_step(x, 1);
        mirrored_step(x, 8);
        plain_step(x, 2);
        plain_step(x, 1);
#pragma unroll
        for (uint r = 0; r < REGISTERS; r++)
            tile->vector[row + r] = x[r];
    }
}

// What the first step of some is; in a reversed one the later rows are mirrored in themselves too.
enum first { PLAIN, MIRRORED, REVERSED };

#define REVERSED_LANES(x) (x).sfedcba9876543210

// The steps, 4, 2 and 1 rows apart in units of 2^shift rows, whose bits are set.
static inline void pass(tile_t *tile, const uint rows, const uint shift, const uint steps,
                        const uint first)
{
    const uint unit = 1u << shift, mask = first == PLAIN ? 0 : unit - 1;
    for (uint base = 0; base < rows; base += REGISTERS * unit)
        for (uint low = 0; low < unit; low++) {
            keys_t *const lower = tile->vector + base + low;
            keys_t *const upper = tile->vector + base + REGISTERS / 2 * unit + (low ^ mask);
            keys_t x[REGISTERS];
#pragma unroll
            for (uint r = 0; r < REGISTERS / 2; r++) {
                x[r] = lower[r * unit];
                x[r + REGISTERS / 2] = upper[r * unit];
            }
            if (first == REVERSED)
#pragma unroll
                for (uint r = REGISTERS / 2; r < REGISTERS; r++)
                    x[r] = REVERSED_LANES(x[r]);
            if (first != PLAIN)
                mirrored_step(x, REGISTERS);
            else if (steps & 4)
                plain_step(x, 4);
            if (steps & 2)
                plain_step(x, 2);
            if (steps & 1)
                plain_step(x, 1);
            if (first == REVERSED)
#pragma unroll
                for (uint r = REGISTERS / 2; r < REGISTERS; r++)
                    x[r] = REVERSED_LANES(x[r]);
#pragma unroll
            for (uint r = 0; r < REGISTERS / 2; r++) {
                lower[r * unit] = x[r];
                upper[r * unit] = x[r + REGISTERS / 2];
            }
        }
}

// The steps that compare rows whose numbers differ in bit high - 1, ..., low. Only what has REGISTER_BITS bits can begin
// with a step that is not plain.
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

// The lanes whose number lacks this bit from a, the others from b. (A choice that compilers see at once.)
#define A (key_t)0
#define B LARGEST
#define LANES_1(a, b) bitselect(a, b, (keys_t)(A, B, A, B, A, B, A, B, A, B, A, B, A, B, A, B))
#define LANES_2(a, b) bitselect(a, b, (keys_t)(A, A, B, B, A, A, B, B, A, A, B, B, A, A, B, B))
#define LANES_4(a, b) bitselect(a, b, (keys_t)(A, A, A, A, B, B, B, B, A, A, A, A, B, B, B, B))
#define LANES_8(a, b) bitselect(a, b, (keys_t)(A, A, A, A, A, A, A, A, B, B, B, B, B, B, B, B))

// Lanes that differ in this bit change places.
#define SWAPPED_1(x) (x).s1032547698badcfe
#define SWAPPED_2(x) (x).s23016745ab89efcd
#define SWAPPED_4(x) (x).s45670123cdef89ab
#define SWAPPED_8(x) (x).s89abcdef01234567

// ... or in this bit and all lower ones.
#define MIRRORED_1(x) SWAPPED_1(x)
#define MIRRORED_2(x) (x).s32107654ba98fedc
#define MIRRORED_4(x) (x).s76543210fedcba98
#define MIRRORED_8(x) REVERSED_LANES(x)

#define LANE_STEP(bit)                                                                             \
    static inline keys_t lane_step_##bit(const keys_t x)                                           \
    {                                                                                              \
        const keys_t y = SWAPPED_##bit(x);                                                         \
        return LANES_##bit(min(x, y), max(x, y));                                                  \
    }
LANE_STEP(8)
LANE_STEP(4)
LANE_STEP(2)
LANE_STEP(1)

// The plain steps below this bit.
static inline keys_t lane_steps(keys_t x, const uint bit)
{
    if (bit > 8)
        x = lane_step_8(x);
    if (bit > 4)
        x = lane_step_4(x);
    if (bit > 2)
        x = lane_step_2(x);
    return bit > 1 ? lane_step_1(x) : x;
}

// A stage that merges columns whose numbers differ in this bit.
#define MERGE_COLUMNS(bit)                                                                         \
    static inline void merge_columns_##bit(tile_t *tile, const uint row_bits)                      \
    {                                                                                              \
        const uint rows = 1u << row_bits;                                                          \
        for (uint row = 0; row < rows / 2; row++) {                                                \
            keys_t *a = &tile->vector[row], *b = &tile->vector[rows - 1 - row];                    \
            const keys_t x = *a, y = MIRRORED_##bit(*b), small = min(x, y), large = max(x, y);     \
            *a = lane_steps(LANES_##bit(small, large), bit);                                       \
            *b = lane_steps(MIRRORED_##bit(LANES_##bit(large, small)), bit);                       \
        }                                                                                          \
        sort_rows(tile, rows, row_bits, 0, PLAIN);                                                 \
    }
MERGE_COLUMNS(1)
MERGE_COLUMNS(2)
MERGE_COLUMNS(4)
MERGE_COLUMNS(8)

// Rows and lanes change places in bit after bit of their numbers.
#define TRANSPOSE(bit)                                                                             \
    static inline void transpose_##bit(keys_t *x)                                                  \
    {                                                                                              \
        for (uint r = 0; r < LANES / 2; r++) {                                                     \
            const keys_t a = x[FIRST_OF(r, bit)], b = x[FIRST_OF(r, bit) + bit];                   \
            x[FIRST_OF(r, bit)] = LANES_##bit(a, SWAPPED_##bit(b));                                \
            x[FIRST_OF(r, bit) + bit] = LANES_##bit(SWAPPED_##bit(a), b);                          \
        }                                                                                          \
    }
TRANSPOSE(1)
TRANSPOSE(2)
TRANSPOSE(4)
TRANSPOSE(8)

// Column after column becomes what follows each other.
static inline void transpose(const tile_t *tile, const uint row_bits, tile_t *to)
{
    for (uint row = 0; row < 1u << row_bits; row += LANES) {
        keys_t x[LANES];
#pragma unroll
        for (uint r = 0; r < LANES; r++)
            x[r] = tile->vector[row + r];
        transpose_8(x);
        transpose_4(x);
        transpose_2(x);
        transpose_1(x);
#pragma unroll
        for (uint r = 0; r < LANES; r++)
            to->vector[((r << row_bits) + row) / LANES] = x[r];
    }
}

// -- kernels ---------------------------------------------------------------------------------------

__kernel SINGLE void bitonic_vector_sort(INPUT(keys), BUFFER(keys_to), const index_t n,
                                         const key_t flip, const uint is_last)
{
    tile_t tile, sorted;
    const index_t begin = (index_t)get_group_id(0) * TILE;
    const uint count = (uint)min(n - begin, (index_t)TILE);
    __global const key_t *from = AT(const key_t, keys) + begin;
    __global key_t *to = AT(key_t, keys_to) + begin;
    uint row_bits = LANE_BITS; // so that there is something to transpose
    while ((uint)LANES << row_bits < count)
        row_bits++;

    for (uint i = 0; i < count; i++)
        tile.key[i] = ordered(from[i], flip);
    for (uint i = count; i < (uint)LANES << row_bits; i++)
        tile.key[i] = LARGEST;
    sort_registers(&tile, 1u << row_bits);
    for (uint high = REGISTER_BITS + 1; high <= row_bits; high++)
        sort_rows(&tile, 1u << row_bits, high, 0, MIRRORED);
    merge_columns_1(&tile, row_bits);
    merge_columns_2(&tile, row_bits);
    merge_columns_4(&tile, row_bits);
    merge_columns_8(&tile, row_bits);
    transpose(&tile, row_bits, &sorted);
    for (uint i = 0; i < count; i++)
        to[i] = is_last ? unordered(sorted.key[i], flip) : sorted.key[i];
}

// The tile's rows are 2^stride keys apart, and there are 2^rows: their steps are done. One row: all steps from the
// length of a tile down. Mirrored: the later half of the rows is found from the other end of the stride.
__kernel SINGLE void bitonic_vector_merge(BUFFER(keys), const index_t n, const key_t flip,
                                          const uint stride, const uint rows, const uint mirrored,
                                          const uint is_last)
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
            tile.key[row * width + i] = LARGEST;
    }
    sort_rows(&tile, TILE / LANES, row_bits, rows > 0 ? row_bits - rows : 0,
              mirrored ? REVERSED : PLAIN);
    if (rows == 0)
        for (uint row = 0; row < TILE / LANES; row++)
            tile.vector[row] = lane_steps(tile.vector[row], LANES);
    for (uint row = 0; row < 1u << rows; row++) {
        const index_t begin = BEGIN_OF(row);
        const uint count = (uint)min(sub_sat(n, begin), (index_t)width);
        __global key_t *to = AT(key_t, keys) + begin;
        for (uint i = 0; i < count; i++)
            to[i] =
                is_last ? unordered(tile.key[row * width + i], flip) : tile.key[row * width + i];
    }
}
