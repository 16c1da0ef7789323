// append.cl - appends some of 16 keys, and their indexes, to arrays, with AVX-512
//
// Defines APPENDS_VECTORS if it can. A compress instruction moves the selected lanes next to each
// other, and a masked store writes only these, so that nothing behind the last element is changed.
#ifndef CLSORT_SELECT_APPEND_CL
#define CLSORT_SELECT_APPEND_CL

#include "common/compress.cl"
#include "select/output.cl"

#if defined(COMPRESSES) && KEY_BYTES >= 4
#define APPENDS_VECTORS 1

enum { AVX512_IS_EQUAL = 0, AVX512_IS_LESS = 1 }; // predicates of comparisons

static inline void append_32(__global uint *to, const uint16 numbers, const ushort mask)
{
    const int16 packed =
        __builtin_ia32_compresssi512_mask(as_int16(numbers), as_int16(numbers), mask);
    __builtin_ia32_storedqusi512_mask((__global int *)to, packed,
                                      (ushort)((1u << popcount((uint)mask)) - 1));
}

static inline void append_64(__global ulong *to, const ulong16 numbers, const ushort mask)
{
    const uchar low = (uchar)mask, high = (uchar)(mask >> 8);
    const uint lows = popcount((uint)low), highs = popcount((uint)high);
    __builtin_ia32_storedqudi512_mask(
        (__global long *)to,
        __builtin_ia32_compressdi512_mask(as_long8(numbers.lo), as_long8(numbers.lo), low),
        (uchar)((1u << lows) - 1));
    __builtin_ia32_storedqudi512_mask(
        (__global long *)to + lows,
        __builtin_ia32_compressdi512_mask(as_long8(numbers.hi), as_long8(numbers.hi), high),
        (uchar)((1u << highs) - 1));
}

#if KEY_BYTES == 4
#define APPEND_KEYS append_32
// The mask of the lanes in which two vectors of unsigned numbers compare like `predicate`.
#define KEYS_COMPARE(a, b, predicate)                                                              \
    __builtin_ia32_ucmpd512_mask(as_int16(a), as_int16(b), predicate, (ushort)0xffff)
#else
#define APPEND_KEYS append_64
#define KEYS_COMPARE(a, b, predicate)                                                              \
    ((ushort)(__builtin_ia32_ucmpq512_mask(as_long8((a).lo), as_long8((b).lo), predicate,          \
                                           (uchar)0xff) |                                          \
              __builtin_ia32_ucmpq512_mask(as_long8((a).hi), as_long8((b).hi), predicate,          \
                                           (uchar)0xff)                                            \
                  << 8))
#endif

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

// Writes the keys of the mask and their indexes, which count from `index`, to elements from `to` on.
static inline void append_vector(const selected_t out, const bool writes_keys, const index_t to,
                                 const key_vector_t keys, const index_t index, const ushort mask)
{
    if (writes_keys) {
        APPEND_KEYS(out.keys + to, keys, mask);
    }
#if VALUE_BYTES == 4
    const uint16 lanes = (uint16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    append_32(out.indexes + to, lanes + (uint)index, mask);
#else
    const ulong16 lanes = (ulong16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    append_64(out.indexes + to, lanes + (ulong)index, mask);
#endif
}

#endif

#endif
