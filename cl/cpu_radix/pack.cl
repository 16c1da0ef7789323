// pack.cl - one work-item sorts a part of a bucket by packed keys
//
// A packed key is one number, as wide as a key: the highest bits in which the keys differ, above
// the index of the element. The packed keys are sorted by a vectorised quicksort
// (vector_quicksort.cl), and the elements are then gathered by their indexes. The sort is stable,
// since the indexes are distinct and in order.
//
// If the bits do not fit, the elements are divided by up to MAX_LIST_BITS of the highest ones into
// lists, which are packed, sorted and gathered one after the other. These bits are the same in a
// list and need not be in its packed keys. A compress instruction selects the elements of a list.
//
// If the bits still do not fit, which is the case for long keys, the lowest ones are left out.
// Elements that differ only in these are then sorted by insertion, or as a part of their own if
// there are many. Otherwise keys are computed from the packed keys instead of being gathered.
//
// Cost: a read of the keys for their span, and one for each list, the quicksort of a number per
// element, and a gather of the elements within the cache. Measured (PoCL 3.1, one core of an EPYC
// of the Zen 5 family, buckets of 8192 uniform elements, u32 keys and values): 2.3 ns per element.
//
// SORTS_PACKED_KEYS is defined where this is supported and useful: with AVX-512, for elements with
// values whose keys have 4 or 8 bytes.
#ifndef CLSORT_CPU_RADIX_PACK_CL
#define CLSORT_CPU_RADIX_PACK_CL

#include "common/compress.cl"
#include "common/elements.cl"
#include "common/keys.cl"
#include "common/streaming_store.cl"
#include "common/vector_network.cl"
#include "cpu_radix/lsd_sort.cl"
#include "cpu_radix/part.cl"

#if defined(COMPRESSES) && KEY_BYTES >= 4 && VALUE_BYTES > 0
#define SORTS_PACKED_KEYS 1

#include "common/vector_quicksort.cl"

#define MAX_PACKED (1u << 15) // elements, so that packed keys distinguish nearly all keys
#define MAX_LIST_BITS 3u

#if KEY_BYTES == 4
#define REGISTER_LANES (register_keys_t)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#else
#define REGISTER_LANES (register_keys_t)(0, 1, 2, 3, 4, 5, 6, 7)
#endif
#define AVX512_EQUAL 0 // a predicate of AVX512_COMPARE

ORDERED(ordered_register, register_keys_t)
#if KEY_ORDER <= 1
UNORDERED(unordered_vector, key_vector_t)
#endif

// The slice has the sorted elements, and behind them the workspace of packed_sort.
#define ALIGNED_COUNT(count) ((uint)((count) + VECTOR_LANES - 1) / VECTOR_LANES * VECTOR_LANES)
#define PACKED_WORKSPACE_AT(count) ((ulong)ALIGNED_COUNT(count) * (KEY_BYTES + VALUE_BYTES))
#define PACKED_WORKSPACE(count) (CLS_QUICKSORT_WORKSPACE(count) + (count)) // in keys

// The minimum and maximum of ordered keys. Their difference may have fewer bits than vary among the
// keys, since a bin need not begin at a multiple of a power of two.
typedef struct {
    key_t min, max;
} key_span_t;

static inline key_span_t span_of(__global const key_t *keys, const uint count, const key_t flip,
                                 const key_t window)
{
    key_vector_t lowest = LARGEST_KEY, highest = 0;
    key_span_t span = {LARGEST_KEY, 0};
    uint i = 0;
    for (; i + VECTOR_LANES <= count; i += VECTOR_LANES) {
        const key_vector_t numbers = ordered_vector(vload16(0, keys + i), flip) & window;
        lowest = min(lowest, numbers);
        highest = max(highest, numbers);
    }
    for (; i < count; i++) {
        const key_t number = ordered(keys[i], flip) & window;
        span.min = min(span.min, number);
        span.max = max(span.max, number);
    }
    key_t lanes[2][VECTOR_LANES];
    vstore16(lowest, 0, lanes[0]);
    vstore16(highest, 0, lanes[1]);
    for (uint lane = 0; lane < VECTOR_LANES; lane++) {
        span.min = min(span.min, lanes[0][lane]);
        span.max = max(span.max, lanes[1][lane]);
    }
    return span;
}

// How packed keys are made: an ordered key minus `min_key`, without its lowest `shift` bits and its
// highest ones from bit list_shift on, above an index of index_bits bits. The highest bits are the
// number of the list that the packed key is in; they overflow when the key is packed.
typedef struct {
    key_t flip, window, min_key;
    uint shift, list_shift, index_bits;
} packing_t;

// Returns the packed keys of the keys, whose indexes are `indexes`. For vectors and for registers.
#define PACKED(keys, indexes, packing)                                                             \
    (((keys) - (packing).min_key) >> (key_t)(packing).shift << (key_t)(packing).index_bits |       \
     (indexes))

// Writes the packed keys of all elements, if these are in one list.
static inline void pack_all_keys(const elements_t elements, const uint count,
                                 const packing_t packing, __global key_t *packed)
{
    const key_vector_t lanes = (key_vector_t)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    uint i = 0;
    for (; i + VECTOR_LANES <= count; i += VECTOR_LANES) {
        const key_vector_t numbers =
            ordered_vector(vload16(0, elements.keys + i), packing.flip) & packing.window;
        vstore16(PACKED(numbers, lanes + (key_t)i, packing), 0, packed + i);
    }
    for (; i < count; i++) {
        const key_t number = ordered(elements.keys[i], packing.flip) & packing.window;
        packed[i] = PACKED(number, i, packing);
    }
}

// Writes the packed keys of the elements in a list. Returns their number. May write one register
// behind them.
static inline uint pack_keys_of_list(const elements_t elements, const uint count,
                                     const packing_t packing, const key_t list,
                                     __global key_t *packed)
{
    const register_keys_t lanes = REGISTER_LANES;
    uint written = 0;
    for (uint i = 0; i < count; i += KEYS_PER_REGISTER) {
        const mask_t valid = mask_below(count - i);
        const register_keys_t numbers =
            ordered_register(load_keys(elements.keys + i, valid), packing.flip) & packing.window;
        const register_keys_t high = (numbers - packing.min_key) >> (key_t)packing.list_shift;
        const mask_t in_list =
            AVX512_COMPARE(AS_SIGNED(high), AS_SIGNED((register_keys_t)list), AVX512_EQUAL, valid);
        const register_keys_t numbers_packed = PACKED(numbers, lanes + (key_t)i, packing);
        store_keys(
            AS_KEYS(AVX512_COMPRESS(AS_SIGNED(numbers_packed), AS_SIGNED(numbers_packed), in_list)),
            packed + written, ALL_KEYS);
        written += popcount((uint)in_list);
    }
    return written;
}

// Prefetches values, which the gather reads in random order.
static inline void prefetch_values(const elements_t elements, const uint count)
{
    for (size_t i = 0; i < (size_t)count * VALUE_BYTES; i += 64) {
        __builtin_prefetch((__global const uchar *)elements.values + i);
    }
}

// Gathers element i by its packed key.
static inline void gather_element(const elements_t from, const elements_t to, const uint i,
                                  const key_t packed, const packing_t packing)
{
    const uint index = (uint)packed & ((1u << packing.index_bits) - 1);
    to.keys[i] = from.keys[index];
    to.values[i] = from.values[index];
}

// Gathers the elements in the order of their packed keys. Elements whose packed bits are equal are
// sorted by insertion, or become a pending part if that takes many moves. Returns false if too many
// parts are pending.
static inline bool gather_elements(const elements_t from, const elements_t to,
                                   const bucket_part_t part, const packing_t packing,
                                   __global const key_t *packed, pending_parts_t *pending)
{
    const uint count = (uint)part.count;
    key_t last = 0;
    for (uint i = 0; i < count; i++) {
        gather_element(from, to, i, packed[i], packing);
        const key_t compared = ordered(to.keys[i], packing.flip) & packing.window;
        if (compared >= last) {
            last = compared;
            continue;
        }
        if (insert_element(to, i, packing.flip, packing.window, MAX_INSERTION) < MAX_INSERTION) {
            continue;
        }
        const key_t bits = packed[i] >> packing.index_bits;
        uint first = i;
        while (first > 0 && packed[first - 1] >> packing.index_bits == bits) {
            first--;
        }
        for (; i + 1 < count && packed[i + 1] >> packing.index_bits == bits; i++) {
            gather_element(from, to, i + 1, packed[i + 1], packing);
        }
        const bucket_part_t run = {part.first + first, i + 1 - first, part.low,
                                   part.top,           part.splits,   true};
        if (!push_part(pending, run)) {
            return false;
        }
    }
    return true;
}

// Gathers the elements in the order of packed keys that distinguish all keys. A key is computed
// from its packed key where possible, which is faster than a second read in random order.
static inline void gather_distinct(const elements_t from, const elements_t to, const uint count,
                                   const packing_t packing, const key_t list,
                                   __global const key_t *packed)
{
    const uint mask = (1u << packing.index_bits) - 1;
#if KEY_ORDER <= 1
    if (packing.window == LARGEST_KEY) {
        const key_t base = packing.min_key + (list << packing.list_shift % KEY_BITS);
        const key_t index_bits = packing.index_bits, shift = packing.shift;
        uint i = 0;
        for (; i + VECTOR_LANES <= count; i += VECTOR_LANES) {
            const key_vector_t numbers = base + (vload16(0, packed + i) >> index_bits << shift);
            vstore16(unordered_vector(numbers, packing.flip), 0, to.keys + i);
        }
        for (; i < count; i++) {
            to.keys[i] = unordered(base + (packed[i] >> index_bits << shift), packing.flip);
        }
    } else
#endif
    {
        for (uint i = 0; i < count; i++) {
            to.keys[i] = from.keys[(uint)packed[i] & mask];
        }
    }
    for (uint i = 0; i < count; i++) {
        to.values[i] = from.values[(uint)packed[i] & mask];
    }
}

// Sorts a part, except for runs that it adds to the pending parts. Returns false if there are too
// many of these; `from` is then unchanged.
static inline bool packed_sort(const elements_t from, const elements_t to, const bucket_part_t part,
                               const key_t flip, const key_t window, __global key_t *workspace,
                               pending_parts_t *pending)
{
    const uint count = (uint)part.count;
    const key_span_t span = span_of(from.keys, count, flip, window);
    const uint index_bits = bits_of(count - 1), left = KEY_BITS - index_bits;
    const uint bits = max(bits_of(span.max - span.min), part.low + 1);
    const uint excess = max(bits - part.low, left) - left;
    const uint list_bits = min(excess, (uint)MAX_LIST_BITS), list_shift = bits - list_bits;
    const packing_t packing = {flip,       window,    span.min, part.low + excess - list_bits,
                               list_shift, index_bits};
    __global key_t *packed = workspace + CLS_QUICKSORT_WORKSPACE(count);
    prefetch_values(from, count);
    uint written = 0;
    for (key_t list = 0; written < count; list++) {
        uint listed = count;
        if (list_bits == 0) {
            pack_all_keys(from, count, packing, workspace);
        } else {
            listed = pack_keys_of_list(from, count, packing, list, workspace);
        }
        quicksort(workspace, listed, 0, LARGEST_KEY, packed, 0);
        const elements_t target = elements_at(to, written);
        if (packing.shift == part.low) {
            gather_distinct(from, target, listed, packing, list, packed);
        } else {
            bucket_part_t rest = part;
            rest.first += written;
            rest.count = listed;
            if (!gather_elements(from, target, rest, packing, packed, pending)) {
                return false;
            }
        }
        written += listed;
    }
    return true;
}

#endif

#endif
