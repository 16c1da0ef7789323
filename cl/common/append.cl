// append.cl - appends some lanes of a vector of 16 numbers to an array, with AVX-512
//
// Defines APPENDS_VECTORS if it can. A compress instruction moves the selected lanes next to each
// other, and a masked store writes only these, so that nothing past the last element is changed.
#ifndef CLSORT_COMMON_APPEND_CL
#define CLSORT_COMMON_APPEND_CL

#include "common/compress.cl"
#include "common/types.cl"

#if defined(COMPRESSES) && KEY_BYTES >= 4 && KEY_ORDER < 3
#define APPENDS_VECTORS 1

enum { AVX512_IS_EQUAL = 0, AVX512_IS_LESS = 1, AVX512_DIFFERS = 4 }; // predicates of comparisons

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

// Appends the numbers from `index` on, one for each lane, as indexes of 4 or 8 bytes.
static inline void append_indexes_32(__global uint *to, const uint index, const ushort mask)
{
    const uint16 lanes = (uint16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    append_32(to, lanes + index, mask);
}

static inline void append_indexes_64(__global ulong *to, const ulong index, const ushort mask)
{
    const ulong16 lanes = (ulong16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    append_64(to, lanes + index, mask);
}

#endif

#endif
