/* words_avx2.c - sorts unsigned words in host memory with AVX2, in the calling thread
 *
 * The quicksort of words_vectors_template.h with vectors of 32 bytes. Networks sort blocks of 8
 * vectors, since there are 16 registers. There are no comparisons of unsigned words of 64 bits; the
 * words are therefore ordered as signed ones.
 *
 * The functions are compiled for AVX2 whatever the options of the compiler are. They must run only
 * if the processor supports it. */
#include "host/words.h"

/* GCC for Windows does not align vectors on the stack (its bug 54412). */
#if defined(__x86_64__) && (defined(__clang__) || (defined(__GNUC__) && !defined(_WIN32)))

#include "base/arithmetic.h"
#include "host/words_orders.h"

#include <immintrin.h>
#include <string.h>

#define TARGET __attribute__((target("avx2,popcnt")))
#define INLINE inline TARGET __attribute__((always_inline))
#define VECTOR __m256i
#define BLOCK 8 /* vectors that a network sorts in registers */

enum {
    MAX_VECTORS = 64, /* vectors that networks sort; more are partitioned (measured) */
    LARGE_SAMPLE = 64,
    SMALL_SAMPLE = 16,
    MIN_COUNT_FOR_LARGE_SAMPLE = 4096 /* whose sample then takes little time (measured) */
};

/* The same for words of 2 lanes. */
#define PAIR_0(s, n, o) ORDER(s, n, (o) << 8 | 0x10u), ORDER((s) << 8 | 0x10u, (n) + 8, o)
#define PAIR_1(s, n, o) PAIR_0(s, n, (o) << 8 | 0x32u), PAIR_0((s) << 8 | 0x32u, (n) + 8, o)
#define PAIR_2(s, n, o) PAIR_1(s, n, (o) << 8 | 0x54u), PAIR_1((s) << 8 | 0x54u, (n) + 8, o)
#define PAIR_3(s, n, o) PAIR_2(s, n, (o) << 8 | 0x76u), PAIR_2((s) << 8 | 0x76u, (n) + 8, o)

static const uint32_t ORDERS_4[1 << 4] = {PAIR_3(0u, 0, 0u)};

/* Moves 32-bit lanes; order is as above. */
static INLINE __m256i move_lanes(__m256i v, uint32_t order)
{
    const __m256i shifts = _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28);
    return _mm256_permutevar8x32_epi32(v, _mm256_srlv_epi32(_mm256_set1_epi32((int)order), shifts));
}

/* Vectors of 8 words of 32 bits. Functions of the same names for 64 bits follow below. */

/* Words in an order in which vectors can be compared; its own inverse. */
static INLINE __m256i ordered_32(__m256i v)
{
    return v;
}

static INLINE __m256i load_32(const uint32_t *words)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)words);
}

static INLINE void store_32(uint32_t *words, __m256i v)
{
    _mm256_storeu_si256((__m256i *)(void *)words, v);
}

static INLINE __m256i broadcast_32(uint32_t word)
{
    return _mm256_set1_epi32((int)word);
}

/* Returns a mask of the first n words, for load_first and store_first. */
static INLINE __m256i first_32(size_t n)
{
    const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)n), lanes);
}

/* Loads the first n words. The others are maximal. */
static INLINE __m256i load_first_32(const uint32_t *words, size_t n)
{
    const __m256i first = first_32(n);
    const __m256i v = _mm256_maskload_epi32((const int *)(const void *)words, first);
    return _mm256_or_si256(v, _mm256_xor_si256(first, _mm256_set1_epi32(-1)));
}

static INLINE void store_first_32(uint32_t *words, size_t n, __m256i v)
{
    _mm256_maskstore_epi32((int *)(void *)words, first_32(n), v);
}

/* Puts the minima into *low and the maxima into *high. */
static INLINE void exchange_32(__m256i *low, __m256i *high)
{
    const __m256i min = _mm256_min_epu32(*low, *high);
    *high = _mm256_max_epu32(*low, *high);
    *low = min;
}

/* Moves word i ^ x to lane i. x is a constant. */
static INLINE __m256i flip_32(__m256i v, unsigned x)
{
    switch (x) {
    case 1:
        return _mm256_shuffle_epi32(v, 0xb1);
    case 2:
        return _mm256_shuffle_epi32(v, 0x4e);
    case 3:
        return _mm256_shuffle_epi32(v, 0x1b);
    case 4:
        return _mm256_permute4x64_epi64(v, 0x4e);
    default:
        return _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0));
    }
}

/* Exchanges words i and i ^ x, constants: lanes with the bit get the maxima, others the minima. */
static INLINE __m256i exchange_lanes_32(__m256i v, unsigned x, unsigned bit)
{
    const __m256i partner = flip_32(v, x);
    const __m256i min = _mm256_min_epu32(v, partner), max = _mm256_max_epu32(v, partner);
    return bit == 1   ? _mm256_blend_epi32(min, max, 0xaa)
           : bit == 2 ? _mm256_blend_epi32(min, max, 0xcc)
                      : _mm256_blend_epi32(min, max, 0xf0);
}

/* Returns the mask of the words that are at most those of pivots. */
static INLINE unsigned mask_at_most_32(__m256i v, __m256i pivots)
{
    const __m256i is = _mm256_cmpeq_epi32(_mm256_min_epu32(v, pivots), v);
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(is));
}

static INLINE __m256i add_differences_32(__m256i sum, __m256i a, __m256i b)
{
    return _mm256_or_si256(sum, _mm256_xor_si256(a, b));
}

/* Vectors in partitions */
typedef __m256i part_32;

static INLINE part_32 load_part_32(const uint32_t *words)
{
    return load_32(words);
}

/* Moves words that are at most the pivot to the front, and stores all of them at low and before
 * high_end. Returns the number of words that are at most the pivot. Words that are not in
 * `valid`, a mask of the last ones, are treated as greater. */
static INLINE unsigned split_32(part_32 v, uint32_t *low, uint32_t *high_end, uint32_t pivot,
                                unsigned valid)
{
    const unsigned mask = mask_at_most_32(v, broadcast_32(pivot)) & valid;
    const __m256i moved = move_lanes(v, ORDERS_8[mask]);
    store_32(low, moved);
    store_32(high_end - 8, moved);
    return (unsigned)__builtin_popcount(mask);
}

/* Vectors of 4 words of 64 bits, which AVX2 compares as signed ones only. */

static INLINE __m256i ordered_64(__m256i v)
{
    return _mm256_xor_si256(v, _mm256_set1_epi64x(INT64_MIN));
}

static INLINE __m256i load_64(const uint64_t *words)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)words);
}

static INLINE void store_64(uint64_t *words, __m256i v)
{
    _mm256_storeu_si256((__m256i *)(void *)words, v);
}

static INLINE __m256i broadcast_64(uint64_t word)
{
    return _mm256_set1_epi64x((long long)word);
}

static INLINE __m256i first_64(size_t n)
{
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)n), _mm256_setr_epi64x(0, 1, 2, 3));
}

static INLINE __m256i load_first_64(const uint64_t *words, size_t n)
{
    const __m256i first = first_64(n);
    const __m256i v = _mm256_maskload_epi64((const long long *)(const void *)words, first);
    return _mm256_or_si256(v, _mm256_xor_si256(first, _mm256_set1_epi32(-1)));
}

static INLINE void store_first_64(uint64_t *words, size_t n, __m256i v)
{
    _mm256_maskstore_epi64((long long *)(void *)words, first_64(n), v);
}

static INLINE __m256i select_64(__m256i mask, __m256i if_set, __m256i if_clear)
{
    return _mm256_blendv_epi8(if_clear, if_set, mask);
}

static INLINE void exchange_64(__m256i *low, __m256i *high)
{
    const __m256i swap = _mm256_cmpgt_epi64(*low, *high);
    const __m256i min = select_64(swap, *high, *low);
    *high = select_64(swap, *low, *high);
    *low = min;
}

static INLINE __m256i flip_64(__m256i v, unsigned x)
{
    return x == 1   ? _mm256_shuffle_epi32(v, 0x4e)
           : x == 2 ? _mm256_permute4x64_epi64(v, 0x4e)
                    : _mm256_permute4x64_epi64(v, 0x1b);
}

static INLINE __m256i exchange_lanes_64(__m256i v, unsigned x, unsigned bit)
{
    const __m256i partner = flip_64(v, x), is_greater = _mm256_cmpgt_epi64(v, partner);
    const __m256i high =
        bit == 1 ? _mm256_setr_epi64x(0, -1, 0, -1) : _mm256_setr_epi64x(0, 0, -1, -1);
    return select_64(_mm256_xor_si256(is_greater, high), partner, v);
}

static INLINE unsigned mask_at_most_64(__m256i v, __m256i pivots)
{
    const __m256i is_greater = _mm256_cmpgt_epi64(v, pivots);
    return 0xfu ^ (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(is_greater));
}

static INLINE __m256i add_differences_64(__m256i sum, __m256i a, __m256i b)
{
    return add_differences_32(sum, a, b);
}

typedef __m256i part_64;

static INLINE part_64 load_part_64(const uint64_t *words)
{
    return load_64(words);
}

static INLINE unsigned split_64(part_64 v, uint64_t *low, uint64_t *high_end, uint64_t pivot,
                                unsigned valid)
{
    const __m256i pivots = ordered_64(broadcast_64(pivot));
    const unsigned mask = mask_at_most_64(ordered_64(v), pivots) & valid;
    const __m256i moved = move_lanes(v, ORDERS_4[mask]);
    store_64(low, moved);
    store_64(high_end - 4, moved);
    return (unsigned)__builtin_popcount(mask);
}

#define WORD uint32_t
#define LANES 8u
#define SPLIT_LANES 8u
#define NAME(x) x##_32
#include "host/words_vectors_template.h"
#undef WORD
#undef LANES
#undef SPLIT_LANES
#undef NAME

#define WORD uint64_t
#define LANES 4u
#define SPLIT_LANES 4u
#define NAME(x) x##_64
#include "host/words_vectors_template.h"
#undef WORD
#undef LANES
#undef SPLIT_LANES
#undef NAME

static const struct cls_words CODE = {summarise_32, summarise_64, sort_32, sort_64};

const struct cls_words *cls_words_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") ? &CODE : NULL;
}

#else

const struct cls_words *cls_words_avx2(void)
{
    return NULL;
}

#endif
