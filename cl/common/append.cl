// append.cl - appends some lanes of a vector of 16 numbers to an array, with AVX-512
//
// Defines APPENDS_VECTORS if it can. A compress instruction moves the selected lanes next to each
// other. In global memory a masked store then writes only these, so that nothing past the last
// element is changed. In private memory a vector is stored, which is faster; the array must have
// room for 16 numbers.
#ifndef CLSORT_COMMON_APPEND_CL
#define CLSORT_COMMON_APPEND_CL

#include "common/compress.cl"
#include "common/types.cl"

#if defined(COMPRESSES) && KEY_BYTES >= 4 && KEY_ORDER < 3
#define APPENDS_VECTORS 1

// Predicates of comparisons
enum { AVX512_IS_EQUAL = 0, AVX512_IS_LESS = 1, AVX512_IS_AT_MOST = 2, AVX512_DIFFERS = 4 };

// Returns the lanes of the mask, next to each other from the lowest lane on.
static inline int16 packed_32(const uint16 numbers, const ushort mask)
{
    return __builtin_ia32_compresssi512_mask(as_int16(numbers), as_int16(numbers), mask);
}

static inline long8 packed_64(const ulong8 numbers, const uchar mask)
{
    return __builtin_ia32_compressdi512_mask(as_long8(numbers), as_long8(numbers), mask);
}

static inline void append_32(__global uint *to, const uint16 numbers, const ushort mask)
{
    __builtin_ia32_storedqusi512_mask((__global int *)to, packed_32(numbers, mask),
                                      (ushort)((1u << popcount((uint)mask)) - 1));
}

static inline void append_64(__global ulong *to, const ulong16 numbers, const ushort mask)
{
    const uchar low = (uchar)mask, high = (uchar)(mask >> 8);
    const uint lows = popcount((uint)low), highs = popcount((uint)high);
    __builtin_ia32_storedqudi512_mask((__global long *)to, packed_64(numbers.lo, low),
                                      (uchar)((1u << lows) - 1));
    __builtin_ia32_storedqudi512_mask((__global long *)to + lows, packed_64(numbers.hi, high),
                                      (uchar)((1u << highs) - 1));
}

static inline void append_32_private(uint *to, const uint16 numbers, const ushort mask)
{
    vstore16(as_uint16(packed_32(numbers, mask)), 0, to);
}

static inline void append_64_private(ulong *to, const ulong16 numbers, const ushort mask)
{
    const uchar low = (uchar)mask, high = (uchar)(mask >> 8);
    vstore8(as_ulong8(packed_64(numbers.lo, low)), 0, to);
    vstore8(as_ulong8(packed_64(numbers.hi, high)), 0, to + popcount((uint)low));
}

#if KEY_BYTES == 4
#define APPEND_KEYS append_32
#define APPEND_KEYS_PRIVATE append_32_private
// The mask of the lanes in which two vectors of unsigned numbers compare like `predicate`.
#define KEYS_COMPARE(a, b, predicate)                                                              \
    __builtin_ia32_ucmpd512_mask(as_int16(a), as_int16(b), predicate, (ushort)0xffff)
#else
#define APPEND_KEYS append_64
#define APPEND_KEYS_PRIVATE append_64_private
#define KEYS_COMPARE(a, b, predicate)                                                              \
    ((ushort)(__builtin_ia32_ucmpq512_mask(as_long8((a).lo), as_long8((b).lo), predicate,          \
                                           (uchar)0xff) |                                          \
              __builtin_ia32_ucmpq512_mask(as_long8((a).hi), as_long8((b).hi), predicate,          \
                                           (uchar)0xff)                                            \
                  << 8))
#endif

// Masks of the keys that are less than, equal to, or at most `b`
static inline ushort mask_less(const key_vector_t a, const key_t b)
{
    const key_vector_t all = b;
    return KEYS_COMPARE(a, all, AVX512_IS_LESS);
}

static inline ushort mask_equal(const key_vector_t a, const key_t b)
{
    const key_vector_t all = b;
    return KEYS_COMPARE(a, all, AVX512_IS_EQUAL);
}

static inline ushort mask_up_to(const key_vector_t a, const key_t b)
{
    const key_vector_t all = b;
    return KEYS_COMPARE(a, all, AVX512_IS_AT_MOST);
}

// Returns the lowest `count` bits of the mask that are set.
static inline ushort lowest_bits(const ushort mask, const ulong count)
{
    if (popcount((uint)mask) <= count) {
        return mask;
    }
    uint rest = mask;
    for (ulong i = 0; i < count; i++) {
        rest &= rest - 1;
    }
    return (ushort)(mask ^ rest);
}

// The numbers from `index` on, one for each lane, as indexes of 4 or 8 bytes
#define INDEXES_32(index)                                                                          \
    ((uint16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) + (uint)(index))
#define INDEXES_64(index)                                                                          \
    ((ulong16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) + (ulong)(index))

static inline void append_indexes_32(__global uint *to, const uint index, const ushort mask)
{
    append_32(to, INDEXES_32(index), mask);
}

static inline void append_indexes_64(__global ulong *to, const ulong index, const ushort mask)
{
    append_64(to, INDEXES_64(index), mask);
}

// For indexes of the library's size, and for those of the caller's, which are values
#if INDEX_BITS == 32
#define APPEND_INDEXES append_indexes_32
#define APPEND_INDEXES_PRIVATE(to, index, mask) append_32_private(to, INDEXES_32(index), mask)
#else
#define APPEND_INDEXES append_indexes_64
#define APPEND_INDEXES_PRIVATE(to, index, mask) append_64_private(to, INDEXES_64(index), mask)
#endif
#if VALUE_BYTES == 4
#define APPEND_VALUE_INDEXES(to, index, mask) append_indexes_32(to, (uint)(index), mask)
#else
#define APPEND_VALUE_INDEXES(to, index, mask) append_indexes_64(to, (ulong)(index), mask)
#endif

#endif

#endif
