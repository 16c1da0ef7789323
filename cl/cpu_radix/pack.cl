// pack.cl - one work-item sorts a part of a bucket by packed keys
//
// A packed key is one number, as wide as a key: the highest bits in which the keys differ, above
// the index of the element. The packed keys are sorted by a vectorised quicksort
// (vector_quicksort.cl), and the elements are then gathered by their indexes. The sort is stable,
// since the indexes are distinct and in order.
//
// The lower bits of long keys do not fit. Elements that differ only in these are then sorted by
// insertion, or as a part of their own if there are many.
//
// Cost: a read of the keys, the quicksort of a number per element, and a gather of the elements
// within the cache.
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

// How packed keys are made: an ordered key minus `min_key`, without its lowest `shift` bits, above
// an index of index_bits bits.
typedef struct {
    key_t flip, window, min_key;
    uint shift, index_bits;
} packing_t;

// Returns the bits of a key that are in its packed key.
static inline key_t packed_bits(const packing_t packing, const key_t key)
{
    return ((ordered(key, packing.flip) & packing.window) - packing.min_key) >> packing.shift;
}

// Writes the packed keys, and prefetches the values, which the gather reads in random order.
static inline void pack_keys(const elements_t elements, const uint count, const packing_t packing,
                             __global key_t *packed)
{
    const key_vector_t lanes = (key_vector_t)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const key_t shift = packing.shift, index_bits = packing.index_bits;
    uint i = 0;
    for (; i + VECTOR_LANES <= count; i += VECTOR_LANES) {
        const key_vector_t numbers =
            ordered_vector(vload16(0, elements.keys + i), packing.flip) & packing.window;
        const key_vector_t bits = (numbers - packing.min_key) >> shift;
        vstore16(bits << index_bits | (lanes + (key_t)i), 0, packed + i);
        for (uint j = 0; j < VECTOR_LANES * VALUE_BYTES; j += 64) {
            __builtin_prefetch((__global const uchar *)(elements.values + i) + j);
        }
    }
    for (; i < count; i++) {
        packed[i] = packed_bits(packing, elements.keys[i]) << index_bits | i;
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

// Sorts a part, except for runs that it adds to the pending parts. Returns false if there are too
// many of these; `from` is then unchanged.
static inline bool packed_sort(const elements_t from, const elements_t to, const bucket_part_t part,
                               const key_t flip, const key_t window, __global key_t *workspace,
                               pending_parts_t *pending)
{
    const uint count = (uint)part.count;
    const key_span_t span = span_of(from.keys, count, flip, window);
    const uint index_bits = bits_of(count - 1), left = KEY_BITS - index_bits;
    const uint shift = max(part.low, max(bits_of(span.max - span.min), left) - left);
    const packing_t packing = {flip, window, span.min, shift, index_bits};
    __global key_t *packed = workspace + CLS_QUICKSORT_WORKSPACE(count);
    pack_keys(from, count, packing, workspace);
    quicksort(workspace, count, 0, LARGEST_KEY, packed, 0);
    return gather_elements(from, to, part, packing, packed, pending);
}

#endif

#endif
