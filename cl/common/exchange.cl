// exchange.cl - writes a ranked tile to the output by way of local memory
//
// Local memory holds the keys in the order of their ranks. Neighbouring work-items then write
// neighbouring elements, mostly of the same digit, and the writes coalesce. The functions are
// called in this order:
//   store_keys         keys to local memory; a barrier must follow
//   load_values        reads the values, while the keys are written (load_tile.cl)
//   write_keys         local memory to output
//   exchange_values    values to local memory, after the keys have left it
//   write_values       local memory to output
//
// All reads of a work-item are issued before the first is used. A full tile is written without a
// bounds check per element, since compilers make a branch of each check, which serialises the
// reads.
//
// Option:
//   VALUES_EXCHANGED    1: values pass through local memory, too; 0: they do not fit, and each
//                       work-item writes the values that it has read straight to their offsets,
//                       uncoalesced
#ifndef CLSORT_COMMON_EXCHANGE_CL
#define CLSORT_COMMON_EXCHANGE_CL

#include "common/arrays.cl"
#include "common/digit.cl"
#include "common/keys.cl"
#include "common/load_tile.cl"
#include "common/rank.cl"
#include "common/unroll.cl"

// Full tiles have loops of their own, except with PoCL 3.1, which miscompiles some of them.
#define IS_FULL(count) (SUB_GROUP_BACKEND != 0 && (count) == TILE)

// Holds the keys first, then the values.
typedef union {
    key_t key[TILE];
#if VALUE_BYTES > 0 && VALUES_EXCHANGED
    value_unit_t unit[TILE * (VALUE_BYTES / sizeof(value_unit_t))];
#endif
} exchange_t;

// Stores the keys in local memory at their ranks. The upper 16 bits of rank[] are 0.
static inline void store_keys(__local exchange_t *exchange, const uint *rank, const key_t *key)
{
    UNROLL
    for (uint i = 0; i < ITEMS; i++) {
        exchange->key[rank[i]] = key[i];
    }
}

static inline void write_keys_of(__local const exchange_t *exchange, uint *rank,
                                 __local const index_t *to, const uint count, __global key_t *out,
                                 const digit_t digit, const bool by_splitters, const bool is_full)
{
    UNROLL
    for (uint i = 0; i < ITEMS; i++) {
        const uint j = (uint)get_local_id(0) + i * GROUP_SIZE;
        const uint d = digit_of_kind(exchange->key[j], digit, by_splitters);
        rank[i] = RANK_IN(rank[i]) | d << 16;
        if (is_full || j < count) {
            out[to[d] + j] = exchange->key[j];
        }
    }
}

// Writes the keys of a tile that local memory holds in the order of their digits. to[d] is the
// output offset of the first key of digit d, minus its rank in the tile. The upper 16 bits of rank[]
// become the digits of the elements that this work-item writes, which write_values needs.
static inline void write_keys(__local const exchange_t *exchange, uint *rank,
                              __local const index_t *to, const uint count, __global key_t *out,
                              const digit_t digit)
{
    if (IS_BY_SPLITTERS(digit)) {
        write_keys_of(exchange, rank, to, count, out, digit, true, false);
    } else if (IS_FULL(count)) {
        write_keys_of(exchange, rank, to, count, out, digit, false, true);
    } else {
        write_keys_of(exchange, rank, to, count, out, digit, false, false);
    }
}

#if VALUE_BYTES > 0
#if VALUES_EXCHANGED
static inline void write_values_of(__local const exchange_t *exchange, const uint *rank,
                                   __local const index_t *to, const uint count,
                                   __global value_t *out, const bool is_full)
{
    UNROLL
    for (uint i = 0; i < ITEMS; i++) {
        const uint j = (uint)get_local_id(0) + i * GROUP_SIZE;
        if (is_full || j < count) {
            out[to[DIGIT_IN(rank[i])] + j] = *VALUE_IN(exchange->unit, j);
        }
    }
}
#endif

// Stores the values in local memory in the order of their ranks, after the keys have been written.
static inline void exchange_values(__local exchange_t *exchange, const uint *rank,
                                   const value_t *value)
{
#if VALUES_EXCHANGED
    barrier(CLK_LOCAL_MEM_FENCE);
    // Values are copied unit by unit. Compilers would keep an array of whole values in memory, not
    // in registers.
    UNROLL
    for (uint i = 0; i < ITEMS; i++) {
        __local value_t *slot = VALUE_IN(exchange->unit, RANK_IN(rank[i]));
        UNROLL
        for (uint k = 0; k < VALUE_BYTES / sizeof(value_unit_t); k++) {
            slot->unit[k] = value[i].unit[k];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
}

static inline void write_values(__local const exchange_t *exchange, const uint *rank,
                                const value_t *value, __local const index_t *to, const uint count,
                                __global value_t *out, const digit_t digit)
{
#if VALUES_EXCHANGED
    if (IS_FULL(count)) {
        write_values_of(exchange, rank, to, count, out, true);
    } else {
        write_values_of(exchange, rank, to, count, out, false);
    }
#else
    UNROLL
    for (uint i = 0; i < ITEMS; i++) {
        const uint j = RANK_IN(rank[i]);
        if (j < count) {
            out[to[digit_in(exchange->key[j], digit)] + j] = value[i];
        }
    }
#endif
}
#endif

#endif
