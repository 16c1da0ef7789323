// scan.cl - prefix sums of 64-bit words over a work-group, without sub-groups
//
// The scan has two levels (Blelloch, "Prefix sums and their applications", CMU-CS-90-190, 1990): the words are divided
// into pieces of equal size, about the square root of GROUP_SIZE. One work-item per piece scans it serially, and then a
// single work-item scans the sums of the pieces. A scan in which all work-items take part in each step would have more
// barriers, and access local memory log2(GROUP_SIZE) times as often.
//
// Cost: 3 barriers. A work-item writes one word and reads three; those that scan also read and
// write each word of their piece. With SCAN_SUMS_PER_ITEM, each work-item adds up the sums of the pieces before its own
// by itself: 2 barriers, and a read for each piece.
//
// The option GROUP_SIZE is described in work_group.cl.
#ifndef CLSORT_COMMON_SCAN_CL
#define CLSORT_COMMON_SCAN_CL

#include "common/work_group.cl"

// Words of a piece: a divisor of GROUP_SIZE.
#if GROUP_SIZE >= 512 && GROUP_SIZE % 32 == 0
#define SCAN_PIECE 32u
#elif GROUP_SIZE >= 128 && GROUP_SIZE % 16 == 0
#define SCAN_PIECE 16u
#elif GROUP_SIZE >= 32 && GROUP_SIZE % 8 == 0
#define SCAN_PIECE 8u
#elif GROUP_SIZE >= 8 && GROUP_SIZE % 4 == 0
#define SCAN_PIECE 4u
#else
#define SCAN_PIECE GROUP_SIZE
#endif
#define SCAN_PIECES (GROUP_SIZE / SCAN_PIECE)

// Kernels with sub-group operations have the option SUB_GROUP_BACKEND, which is 0 on PoCL. The compiler of PoCL 3.1
// crashes on some of them, those of MSD, if the scan has a third barrier or an unrolled loop. It compiles the kernels
// without the option.
#if defined(SUB_GROUP_BACKEND) && SUB_GROUP_BACKEND == 0
#define SCAN_SUMS_PER_ITEM 1
#define UNROLL_SCAN
#else
#define SCAN_SUMS_PER_ITEM 0
#define UNROLL_SCAN _Pragma("unroll 4")
#endif

// Each piece is followed by the word that receives its sum. This also keeps the work-items that scan pieces from bank
// conflicts: the distance between their words is odd.
#define SCAN_STRIDE (SCAN_PIECE + 1)

// Replaces the words at first, first + stride and so on by their exclusive prefix sums. Returns the sum of all.
static inline ulong scan_serially(__local ulong *sums, const uint first, const uint stride,
                                  const uint count)
{
    ulong sum = 0;
    UNROLL_SCAN
    for (uint i = 0; i < count; i++) {
        const ulong value = sums[first + i * stride];
        sums[first + i * stride] = sum;
        sum += value;
    }
    return sum;
}

// Returns the sum of the values of all preceding work-items; sets *total to the sum of all values. `sums` has
// 2 * GROUP_SIZE elements. Another scan with the same `sums` may follow at once; before any other use of them, the
// caller executes a barrier.
static inline ulong group_exclusive_scan(const ulong value, __local ulong *sums, ulong *total)
{
#if GROUP_SIZE > 1
    const uint t = (uint)get_local_id(0), piece = t / SCAN_PIECE;
    __local ulong *own = sums + t + piece, *pieces = sums + SCAN_PIECE;
    *own = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < SCAN_PIECES) {
        pieces[t * SCAN_STRIDE] = scan_serially(sums, t * SCAN_STRIDE, 1, SCAN_PIECE);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#if SCAN_SUMS_PER_ITEM
    ulong before = 0, sum = 0;
    for (uint i = 0; i < SCAN_PIECES; i++) {
        before += i < piece ? pieces[i * SCAN_STRIDE] : 0;
        sum += pieces[i * SCAN_STRIDE];
    }
    *total = sum;
    return before + *own;
#else
    if (t == 0) {
        pieces[SCAN_PIECES * SCAN_STRIDE - SCAN_PIECE] =
            scan_serially(pieces, 0, SCAN_STRIDE, SCAN_PIECES);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    *total = pieces[SCAN_PIECES * SCAN_STRIDE - SCAN_PIECE];
    return pieces[piece * SCAN_STRIDE] + *own;
#endif
#else
    *total = value;
    return 0;
#endif
}

#endif
