// work_group.cl - bitonic sort of any count, in place: steps in registers and in local memory
//
// Batcher, "Sorting networks and their applications", AFIPS 1968, pp. 307-314; Bainville, "OpenCL sorting", 2011,
// bealto.com/gpu-sorting.html, whose names the kernels have.
//
//   bitonic_b2 ... bitonic_b16    1 to 4 steps of a stage on 2 to 16 elements in registers
//   bitonic_local                 C2, C4: in a work-group's tile, 1 or 2 steps for each trip through local memory;
//                                 the first stages all at once, and the last steps of each later stage
//
// Stage s makes sorted runs of 2^s elements out of those of the stage before. Its first step is mirrored: it compares
// i with i ^ (2^s - 1); the others are plain, i with i ^ 2^j for j = s-2 ... 0. Every comparison puts the smaller
// key at the lower index. So nothing behind the last element could ever move, and a comparison with what lies
// there is left out: no count needs padding.
//
// Cost model: a launch reads and writes everything once, for u32 keys 8 bytes a key. Of n keys and tiles of 2^t there
// is a launch for the first t stages, and stage s has ceil((s - t) / 4) and one for its last t steps. For 2^20 keys
// and t = 11 these are 25 launches and 200 bytes a key; by b2 alone 210 launches and 1680 bytes.
// Measured (H200, 2^20 u32 keys, t = 10, so 29 launches): 5.9 Gkeys/s, 0.33 of that model at the card's 4.18 TB/s of
// copying: a launch takes 5 us at least.
//
// GROUP_SIZE    work-items in a group
// ELEMENTS_IN_REGISTERS     of the largest register kernel: 2, 4, 8 or 16
// ITEMS         elements of a work-item in a tile, 2 or 4; 0: no tiles
#ifndef CLSORT_BITONIC_WORK_GROUP_CL
#define CLSORT_BITONIC_WORK_GROUP_CL

#include "common/elements.cl"
#include "common/layout.h"
#include "common/order.cl"
#include "common/sub_group.cl"
#include "common/work_group.cl"

typedef struct {
    key_t key;
    VALUES(value_t value;)
} item_t;

// What becomes of the first of the steps that registers allow.
enum first { PLAIN, MIRRORED, SKIPPED };

// The elements of a work-item: their indexes differ in the bits [shift, shift + bits). For a mirrored step those
// with the highest of them set are found from the other end of their half.
typedef struct {
    index_t lower, upper; // what the halves of the registers count from
    uint shift;
} set_t;

static inline set_t set_of(const index_t t, const uint bits, const uint shift, const uint first)
{
    const index_t mask = ((index_t)1 << shift) - 1, base = t >> shift << shift << bits;
    set_t set;
    set.lower = base + (t & mask);
    set.upper = base + ((first == MIRRORED ? ~t : t) & mask);
    set.shift = shift;
    return set;
}

static inline index_t index_of(const set_t set, const uint r, const uint count)
{
    return (r < count / 2 ? set.lower : set.upper) + ((index_t)r << set.shift);
}

// Bit b of live: there is an element in register b.
static inline void compare(item_t *x, const uint a, const uint b, const uint live,
                           const order_t order)
{
    if ((live >> b & 1) && precedes(x[b].key, x[a].key, order)) {
        const item_t item = x[a];
        x[a] = x[b];
        x[b] = item;
    }
}

// All of the code for registers is written out: where a compiler keeps a loop, they are no registers.
#define EACH_2(code) code(0) code(1)
#define EACH_4(code) EACH_2(code) code(2) code(3)
#define EACH_8(code) EACH_4(code) code(4) code(5) code(6) code(7)
#define EACH_16(code)                                                                              \
    EACH_8(code)                                                                                   \
    code(8) code(9) code(10) code(11) code(12) code(13) code(14) code(15)

#define COMPARE(a, b) compare(x, a, b, live, order);
#define MIRRORED_1(a, b) COMPARE(a, b)
#define MIRRORED_2(a, b) MIRRORED_1(a, b) MIRRORED_1((a) + 1, (b)-1)
#define MIRRORED_4(a, b) MIRRORED_2(a, b) MIRRORED_2((a) + 2, (b)-2)
#define MIRRORED_8(a, b) MIRRORED_4(a, b) MIRRORED_4((a) + 4, (b)-4)
#define PLAIN_1(a, b) COMPARE(a, b)
#define PLAIN_2(a, b) PLAIN_1(a, b) PLAIN_1((a) + 1, (b) + 1)
#define PLAIN_4(a, b) PLAIN_2(a, b) PLAIN_2((a) + 2, (b) + 2)
#define PLAIN_8(a, b) PLAIN_4(a, b) PLAIN_4((a) + 4, (b) + 4)

// The steps inside 1, 2, 4, 8 registers from a on, and all that twice as many allow.
#define STEPS_1(a)
#define STEPS_2(a) PLAIN_1(a, (a) + 1)
#define STEPS_4(a) PLAIN_2(a, (a) + 2) STEPS_2(a) STEPS_2((a) + 2)
#define STEPS_8(a) PLAIN_4(a, (a) + 4) STEPS_4(a) STEPS_4((a) + 4)
#define ALL_STEPS(half)                                                                            \
    if (first == MIRRORED) {                                                                       \
        MIRRORED_##half(0, 2 * half - 1)                                                           \
    } else if (first == PLAIN) {                                                                   \
        PLAIN_##half(0, half)                                                                      \
    }                                                                                              \
    STEPS_##half(0) STEPS_##half(half)

// -- global memory ---------------------------------------------------------------------------------

// All kernels read the input in the first launch and their output in all others. Index values begin in the first
// one too, and with them what the gather wants to know.
#if VALUE_INDEX
#define ARRAYS                                                                                     \
    BUFFER(control), const uint is_first, INPUT(keys), BUFFER(keys_to), BUFFER(values_to),         \
        const index_t n
#define BEGIN                                                                                      \
    if (get_global_id(0) == 0)                                                                     \
        AT(cls_control_head, control)->is_sorted = 0;
#else
#define ARRAYS                                                                                     \
    INPUT(keys), BUFFER(keys_to), VALUE_INPUT(values) VALUE_BUFFER(values_to) const index_t n
#define BEGIN const uint is_first = 0;
#endif

static inline item_t item_at(const elements_t from, const elements_t to, const index_t i,
                             const uint is_first)
{
    item_t item;
    item.key = from.keys[i];
#if VALUE_INDEX
    if (is_first)
        item.value = value_of_index(i);
    else
        item.value = to.values[i];
#elif VALUE_BYTES > 0
    item.value = from.values[i];
#endif
    (void)to;
    (void)is_first;
    return item;
}

static inline void put_item(const elements_t to, const index_t i, const item_t item)
{
    to.keys[i] = item.key;
    VALUES(to.values[i] = item.value;)
}

#define READ(r)                                                                                    \
    if (index_of(set, r, count) < n) {                                                             \
        x[r] = item_at(from, to, index_of(set, r, count), is_first);                               \
        live |= 1u << r;                                                                           \
    }
#define WRITE(r)                                                                                   \
    if (live >> r & 1)                                                                             \
        put_item(to, index_of(set, r, count), x[r]);

#define SORT_REGISTERS(name, bits, half, each)                                                     \
    __kernel SUB_GROUP_KERNEL void name(ARRAYS, const uint shift, const uint first, ORDER)         \
    {                                                                                              \
        const elements_t from = INPUT_ELEMENTS(keys, values), to = ELEMENTS(keys_to, values_to);   \
        const order_t order = ORDER_ARGUMENTS;                                                     \
        const set_t set = set_of(get_global_id(0), bits, shift, first);                            \
        const uint count = 2 * half;                                                               \
        item_t x[2 * half];                                                                        \
        uint live = 0;                                                                             \
        BEGIN                                                                                      \
        each(READ) ALL_STEPS(half) each(WRITE)                                                     \
    }
SORT_REGISTERS(bitonic_b2, 1, 1, EACH_2)
#if ELEMENTS_IN_REGISTERS >= 4
SORT_REGISTERS(bitonic_b4, 2, 2, EACH_4)
#endif
#if ELEMENTS_IN_REGISTERS >= 8
SORT_REGISTERS(bitonic_b8, 3, 4, EACH_8)
#endif
#if ELEMENTS_IN_REGISTERS >= 16
SORT_REGISTERS(bitonic_b16, 4, 8, EACH_16)
#endif

// -- local memory ----------------------------------------------------------------------------------

#if ITEMS > 0
#define ITEM_BITS (ITEMS / 2) // log2
#define LEAVE 31              // as `next`: the whole group follows

typedef struct {
    key_t key[TILE];
    VALUES(value_t value[TILE];)
} tile_t;

#if ITEMS == 4
#define EACH_ITEM EACH_4
#define ITEM_STEPS ALL_STEPS(2)
#else
#define EACH_ITEM EACH_2
#define ITEM_STEPS ALL_STEPS(1)
#endif

static inline item_t take(__local const tile_t *tile, const uint i)
{
    item_t item;
    item.key = tile->key[i];
    VALUES(item.value = tile->value[i];)
    return item;
}

static inline void put_back(__local tile_t *tile, const uint i, const item_t item)
{
    tile->key[i] = item.key;
    VALUES(tile->value[i] = item.value;)
}

#define TAKE(r)                                                                                    \
    x[r] = take(tile, (uint)index_of(set, r, ITEMS));                                              \
    live |= (uint)(index_of(set, r, ITEMS) < count) << r;
#define PUT_BACK(r) put_back(tile, (uint)index_of(set, r, ITEMS), x[r]);

// The steps of a stage from bit high - 1 down, for the `count` elements of the tile; those that follow begin below bit
// `next`. What a lane group has written is read by itself, as long as steps stay within so many elements as it has.
static inline void sort_steps(__local tile_t *tile, const uint count, const uint high, uint first,
                              const uint next, const order_t order)
{
    for (uint left = high; left > 0;) {
        const uint shift = sub_sat(left, (uint)ITEM_BITS);
        if (left < ITEM_BITS)
            first = SKIPPED;
        const set_t set = set_of(get_local_id(0), ITEM_BITS, shift, first);
        item_t x[ITEMS];
        uint live = 0;
        EACH_ITEM(TAKE)
        ITEM_STEPS
        EACH_ITEM(PUT_BACK)
        if (1u << (shift > 0 ? left : next) <= SUB_GROUP_SIZE * ITEMS)
            sg_fence();
        else
            barrier(CLK_LOCAL_MEM_FENCE);
        first = PLAIN;
        left = shift;
    }
}

// first MIRRORED: all stages up to `stage`; PLAIN: the last steps of a later one.
__kernel SUB_GROUP_KERNEL void bitonic_local(ARRAYS, const uint stage, const uint first, ORDER)
{
    __local tile_t tile;
    const elements_t from = INPUT_ELEMENTS(keys, values), to = ELEMENTS(keys_to, values_to);
    const order_t order = ORDER_ARGUMENTS;
    const index_t base = (index_t)get_group_id(0) * TILE;
    const uint t = (uint)get_local_id(0), count = (uint)min(n - base, (index_t)TILE);
    BEGIN
    for (uint j = t; j < count; j += GROUP_SIZE)
        put_back(&tile, j, item_at(from, to, base + j, is_first));
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = first == MIRRORED ? 1 : stage; s <= stage; s++)
        sort_steps(&tile, count, s, first, s < stage ? s + 1 : LEAVE, order);
    for (uint j = t; j < count; j += GROUP_SIZE)
        put_item(to, base + j, take(&tile, j));
}
#endif

#endif
