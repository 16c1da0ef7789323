// work_group.cl - bitonic sort in place for work-groups, of any count, with or without values
//
// Stage s of the sorting network makes sorted runs of 2^s elements from those of stage s - 1. Its
// first step is mirrored: it compares the elements i and i ^ (2^s - 1). The other steps are plain:
// they compare i and i ^ 2^j, for j = s - 2 ... 0. A kernel performs several steps for each read
// and write of the array, in registers or in local memory. Every compare-exchange puts the smaller
// key at the lower index, so the network behaves as if the array were padded with largest keys,
// which never move: compare-exchanges with indexes out of bounds are omitted.
//
// Batcher, "Sorting networks and their applications", AFIPS 1968, pp. 307-314; Bainville, "OpenCL
// sorting", 2011, bealto.com/gpu-sorting.html, which names the kernels B2 to B16, C2 and C4.
//
// Kernels, in launch order:
//   bitonic_local                all stages within each tile, C2 or C4: 1 or 2 steps in registers
//                                for each read and write of local memory
//   then for each later stage:
//   bitonic_b2 ... bitonic_b16   1 to 4 steps on 2 to 16 elements per work-item in registers, for
//                                pairs whose elements are in different tiles
//   bitonic_local                the steps of the stage within each tile
// Without tiles, bitonic_b2 ... bitonic_b16 perform all steps.
//
// Cost: each launch reads and writes every element once, 8 bytes per u32 key. For n keys and tiles
// of 2^t keys there are one launch for the first t stages, and ceil((s - t) / 4) + 1 for each stage
// s > t: for n = 2^20 and t = 11 these are 25 launches and 200 bytes per key. With bitonic_b2 alone
// there are 210 launches and 1680 bytes.
// Measured (H200, 2^20 u32 keys, t = 10, so 29 launches): 5.9 Gkeys/s, 0.33 of that model at the
// card's 4.18 TB/s of copying. At this size launches limit the speed: each takes at least 5 us.
//
// Options, besides those of common/types.cl, common/keys.cl and common/sub_group.cl:
//   GROUP_SIZE              work-items per group
//   ELEMENTS_IN_REGISTERS   elements per work-item in the largest register kernel: 2, 4, 8 or 16
//   ITEMS                   elements per work-item in a tile: 2 or 4; 0: there are no tiles
#ifndef CLSORT_BITONIC_WORK_GROUP_CL
#define CLSORT_BITONIC_WORK_GROUP_CL

#include "bitonic/layout.h"
#include "common/elements.cl"
#include "common/layout.h"
#include "common/order.cl"
#include "common/sub_group.cl"
#include "common/work_group.cl"

typedef struct {
    key_t key;
    VALUES(value_t value;)
} bitonic_element_t;

// -- steps in registers ---------------------------------------------------------------------------

// Maps the registers of a work-item to element indexes, which differ in the bits from `shift` on.
// If the first step is mirrored, the upper half of the registers is indexed from its end, so that
// the step compares register r with the r-th last register.
typedef struct {
    index_t lower, upper; // added to the indexes of the lower and the upper half of the registers
    uint shift;
} register_map_t;

static inline register_map_t register_map(const index_t work_item, const uint bits,
                                          const uint shift, const uint first_step)
{
    const index_t mask = ((index_t)1 << shift) - 1, base = work_item >> shift << shift << bits;
    register_map_t map;
    map.lower = base + (work_item & mask);
    map.upper = base + ((first_step == CLS_BITONIC_MIRRORED ? ~work_item : work_item) & mask);
    map.shift = shift;
    return map;
}

static inline index_t index_of(const register_map_t map, const uint r, const uint registers)
{
    return (r < registers / 2 ? map.lower : map.upper) + ((index_t)r << map.shift);
}

// Bit r of in_bounds is set if the index of register r is in bounds.
static inline void compare_exchange(bitonic_element_t *x, const uint a, const uint b,
                                    const uint in_bounds, const order_t order)
{
    if ((in_bounds >> b & 1) && precedes(x[b].key, x[a].key, order)) {
        const bitonic_element_t swap = x[a];
        x[a] = x[b];
        x[b] = swap;
    }
}

// Macros expand all code for registers, because an array in a loop that a compiler does not unroll
// is not kept in registers.
#define FOR_EACH_2(code) code(0) code(1)
#define FOR_EACH_4(code) FOR_EACH_2(code) code(2) code(3)
#define FOR_EACH_8(code) FOR_EACH_4(code) code(4) code(5) code(6) code(7)
#define FOR_EACH_16(code)                                                                          \
    FOR_EACH_8(code)                                                                               \
    code(8) code(9) code(10) code(11) code(12) code(13) code(14) code(15)

// The compare-exchanges of 1, 2, 4 or 8 registers from a on with as many from b on, or from b down.
#define COMPARE_EXCHANGE(a, b) compare_exchange(x, a, b, in_bounds, order);
#define MIRRORED_STEP_1(a, b) COMPARE_EXCHANGE(a, b)
#define MIRRORED_STEP_2(a, b) MIRRORED_STEP_1(a, b) MIRRORED_STEP_1((a) + 1, (b)-1)
#define MIRRORED_STEP_4(a, b) MIRRORED_STEP_2(a, b) MIRRORED_STEP_2((a) + 2, (b)-2)
#define MIRRORED_STEP_8(a, b) MIRRORED_STEP_4(a, b) MIRRORED_STEP_4((a) + 4, (b)-4)
#define PLAIN_STEP_1(a, b) COMPARE_EXCHANGE(a, b)
#define PLAIN_STEP_2(a, b) PLAIN_STEP_1(a, b) PLAIN_STEP_1((a) + 1, (b) + 1)
#define PLAIN_STEP_4(a, b) PLAIN_STEP_2(a, b) PLAIN_STEP_2((a) + 2, (b) + 2)
#define PLAIN_STEP_8(a, b) PLAIN_STEP_4(a, b) PLAIN_STEP_4((a) + 4, (b) + 4)

// All plain steps within 1, 2, 4 or 8 registers from a on.
#define PLAIN_STEPS_1(a)
#define PLAIN_STEPS_2(a) PLAIN_STEP_1(a, (a) + 1)
#define PLAIN_STEPS_4(a) PLAIN_STEP_2(a, (a) + 2) PLAIN_STEPS_2(a) PLAIN_STEPS_2((a) + 2)
#define PLAIN_STEPS_8(a) PLAIN_STEP_4(a, (a) + 4) PLAIN_STEPS_4(a) PLAIN_STEPS_4((a) + 4)

// All steps that 2 * half registers allow, of which the first depends on first_step.
#define REGISTER_STEPS(half)                                                                       \
    if (first_step == CLS_BITONIC_MIRRORED) {                                                      \
        MIRRORED_STEP_##half(0, 2 * half - 1)                                                      \
    } else if (first_step == CLS_BITONIC_PLAIN) {                                                  \
        PLAIN_STEP_##half(0, half)                                                                 \
    }                                                                                              \
    PLAIN_STEPS_##half(0) PLAIN_STEPS_##half(half)

// -- global memory --------------------------------------------------------------------------------

// The first launch reads the input, and all others read the output. Values that are indexes are
// created in the first launch; the gather, which then follows the sort, reads the control block.
#if VALUE_INDEX
#define BITONIC_ARRAYS                                                                             \
    BUFFER(control), const uint is_first, INPUT(keys), BUFFER(keys_to), BUFFER(values_to),         \
        const index_t n
#define INIT_CONTROL                                                                               \
    if (get_global_id(0) == 0) {                                                                   \
        AT(cls_control_head, control)->is_sorted = 0;                                              \
    }
#else
#define BITONIC_ARRAYS                                                                             \
    INPUT(keys), BUFFER(keys_to), VALUE_INPUT(values) VALUE_BUFFER(values_to) const index_t n
#define INIT_CONTROL const uint is_first = 0;
#endif

static inline bitonic_element_t load_element(const elements_t from, const elements_t to,
                                             const index_t i, const uint is_first)
{
    bitonic_element_t element;
    element.key = from.keys[i];
#if VALUE_INDEX
    if (is_first) {
        element.value = value_of_index(i);
    } else {
        element.value = to.values[i];
    }
#elif VALUE_BYTES > 0
    element.value = from.values[i];
#endif
    (void)to;
    (void)is_first;
    return element;
}

static inline void store_element(const elements_t to, const index_t i,
                                 const bitonic_element_t element)
{
    to.keys[i] = element.key;
    VALUES(to.values[i] = element.value;)
}

#define LOAD_REGISTER(r)                                                                           \
    if (index_of(map, r, registers) < n) {                                                         \
        x[r] = load_element(from, to, index_of(map, r, registers), is_first);                      \
        in_bounds |= 1u << r;                                                                      \
    }
#define STORE_REGISTER(r)                                                                          \
    if (in_bounds >> r & 1) {                                                                      \
        store_element(to, index_of(map, r, registers), x[r]);                                      \
    }

// `shift` is log2 of the distance of the last step.
#define DEFINE_REGISTER_KERNEL(name, bits, half, for_each)                                         \
    __kernel SUB_GROUP_KERNEL void name(BITONIC_ARRAYS, const uint shift, const uint first_step,   \
                                        ORDER)                                                     \
    {                                                                                              \
        const elements_t from = INPUT_ELEMENTS(keys, values), to = ELEMENTS(keys_to, values_to);   \
        const order_t order = ORDER_ARGUMENTS;                                                     \
        const register_map_t map = register_map(get_global_id(0), bits, shift, first_step);        \
        const uint registers = 2 * half;                                                           \
        bitonic_element_t x[2 * half];                                                             \
        uint in_bounds = 0;                                                                        \
        INIT_CONTROL                                                                               \
        for_each(LOAD_REGISTER) REGISTER_STEPS(half) for_each(STORE_REGISTER)                      \
    }
DEFINE_REGISTER_KERNEL(bitonic_b2, 1, 1, FOR_EACH_2)
#if ELEMENTS_IN_REGISTERS >= 4
DEFINE_REGISTER_KERNEL(bitonic_b4, 2, 2, FOR_EACH_4)
#endif
#if ELEMENTS_IN_REGISTERS >= 8
DEFINE_REGISTER_KERNEL(bitonic_b8, 3, 4, FOR_EACH_8)
#endif
#if ELEMENTS_IN_REGISTERS >= 16
DEFINE_REGISTER_KERNEL(bitonic_b16, 4, 8, FOR_EACH_16)
#endif

// -- local memory ---------------------------------------------------------------------------------

#if ITEMS > 0
#define ITEM_BITS (ITEMS / 2) // log2 of ITEMS
#define NO_STAGE 31           // as next_stage: no stage follows in this launch

typedef struct {
    key_t key[TILE];
    VALUES(value_t value[TILE];)
} bitonic_tile_t;

#if ITEMS == 4
#define FOR_EACH_ITEM FOR_EACH_4
#define ITEM_STEPS REGISTER_STEPS(2)
#else
#define FOR_EACH_ITEM FOR_EACH_2
#define ITEM_STEPS REGISTER_STEPS(1)
#endif

static inline bitonic_element_t load_local(__local const bitonic_tile_t *tile, const uint i)
{
    bitonic_element_t element;
    element.key = tile->key[i];
    VALUES(element.value = tile->value[i];)
    return element;
}

static inline void store_local(__local bitonic_tile_t *tile, const uint i,
                               const bitonic_element_t element)
{
    tile->key[i] = element.key;
    VALUES(tile->value[i] = element.value;)
}

#define LOAD_ITEM(r)                                                                               \
    x[r] = load_local(tile, (uint)index_of(map, r, ITEMS));                                        \
    in_bounds |= (uint)(index_of(map, r, ITEMS) < count) << r;
#define STORE_ITEM(r) store_local(tile, (uint)index_of(map, r, ITEMS), x[r]);

// Performs the last `steps` steps of a stage on a tile of `count` elements. next_stage is the stage
// that follows in this launch, or NO_STAGE. The work-items need a barrier only if the next steps
// compare elements of different sub-groups.
static inline void tile_steps(__local bitonic_tile_t *tile, const uint count, const uint steps,
                              uint first_step, const uint next_stage, const order_t order)
{
    for (uint left = steps; left > 0;) {
        const uint shift = sub_sat(left, (uint)ITEM_BITS);
        if (left < ITEM_BITS) {
            first_step = CLS_BITONIC_SKIPPED;
        }
        const register_map_t map = register_map(get_local_id(0), ITEM_BITS, shift, first_step);
        bitonic_element_t x[ITEMS];
        uint in_bounds = 0;
        FOR_EACH_ITEM(LOAD_ITEM)
        ITEM_STEPS
        FOR_EACH_ITEM(STORE_ITEM)
        if (1u << (shift > 0 ? left : next_stage) <= SUB_GROUP_SIZE * ITEMS) {
            sg_fence();
        } else {
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        first_step = CLS_BITONIC_PLAIN;
        left = shift;
    }
}

// If first_step is mirrored, performs all stages up to `stage`; otherwise the last `stage` steps of
// a later stage.
__kernel SUB_GROUP_KERNEL void bitonic_local(BITONIC_ARRAYS, const uint stage,
                                             const uint first_step, ORDER)
{
    __local bitonic_tile_t tile;
    const elements_t from = INPUT_ELEMENTS(keys, values), to = ELEMENTS(keys_to, values_to);
    const order_t order = ORDER_ARGUMENTS;
    const index_t base = (index_t)get_group_id(0) * TILE;
    const uint t = (uint)get_local_id(0), count = (uint)min(n - base, (index_t)TILE);
    INIT_CONTROL
    for (uint j = t; j < count; j += GROUP_SIZE) {
        store_local(&tile, j, load_element(from, to, base + j, is_first));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = first_step == CLS_BITONIC_MIRRORED ? 1 : stage; s <= stage; s++) {
        tile_steps(&tile, count, s, first_step, s < stage ? s + 1 : NO_STAGE, order);
    }
    for (uint j = t; j < count; j += GROUP_SIZE) {
        store_element(to, base + j, load_local(&tile, j));
    }
}
#endif

#endif
