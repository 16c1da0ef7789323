/* words_avx512.c - sorts unsigned words in host memory with AVX-512, in the calling thread
 *
 * The quicksort of words_vectors_template.h with vectors of 64 bytes. Networks sort blocks of 16
 * vectors, since there are 32 registers, and compare words of 64 bits without a change of their order.
 * Partitions move 8 words at a time by a table of permutations, also if these have 32 bits:
 * compressing vectors needs two instructions of two operations each, compressing them to memory is
 * slow on AMD processors, and two streams of 64-byte stores took twice as long as those of 32 bytes.
 *
 * The functions are compiled for AVX-512 whatever the options of the compiler are. They must run
 * only if the processor supports it. */
#include "host/words.h"

/* GCC for Windows does not align vectors on the stack (its bug 54412). */
#if defined(__x86_64__) && (defined(__clang__) || (defined(__GNUC__) && !defined(_WIN32)))

#include "base/arithmetic.h"
#include "host/words_orders.h"

#include <immintrin.h>
#include <string.h>

#define TARGET __attribute__((target("avx512f,avx512vl,avx512dq,popcnt")))
#define INLINE inline TARGET __attribute__((always_inline))
#define VECTOR __m512i
#define BLOCK 16 /* vectors that a network sorts in registers */

enum {
    MAX_VECTORS = 64, /* vectors that networks sort; more are partitioned (measured) */
    LARGE_SAMPLE = 64,
    SMALL_SAMPLE = 16,
    MIN_COUNT_FOR_LARGE_SAMPLE = 4096 /* whose sample then takes little time (measured) */
};

/* Vectors of 16 words of 32 bits. Functions of the same names for 64 bits follow below. */

static INLINE __m512i ordered_32(__m512i v)
{
    return v;
}

static INLINE __m512i load_32(const uint32_t *words)
{
    return _mm512_loadu_si512(words);
}

static INLINE void store_32(uint32_t *words, __m512i v)
{
    _mm512_storeu_si512(words, v);
}

static INLINE __m512i broadcast_32(uint32_t word)
{
    return _mm512_set1_epi32((int)word);
}

/* Loads the first n words. The others are maximal. */
static INLINE __m512i load_first_32(const uint32_t *words, size_t n)
{
    return _mm512_mask_loadu_epi32(_mm512_set1_epi32(-1), (__mmask16)((1u << n) - 1), words);
}

static INLINE void store_first_32(uint32_t *words, size_t n, __m512i v)
{
    _mm512_mask_storeu_epi32(words, (__mmask16)((1u << n) - 1), v);
}

static INLINE __m512i add_differences_32(__m512i sum, __m512i a, __m512i b)
{
    return _mm512_ternarylogic_epi64(sum, a, b, 0xf6); /* sum | (a ^ b) */
}

static INLINE unsigned mask_at_most_32(__m512i v, __m512i pivots)
{
    return _mm512_cmple_epu32_mask(v, pivots);
}

/* Vectors in partitions */
typedef __m256i part_32;

static INLINE part_32 load_part_32(const uint32_t *words)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)words);
}

/* Moves words that are at most the pivot to the front, and stores all of them at low and before
 * high_end. Returns the number of words that are at most the pivot. Words that are not in
 * `valid`, a mask of the last ones, are treated as greater. */
static INLINE unsigned split_32(part_32 v, uint32_t *low, uint32_t *high_end, uint32_t pivot,
                                unsigned valid)
{
    const unsigned mask = _mm256_cmple_epu32_mask(v, _mm256_set1_epi32((int)pivot)) & valid;
    const __m256i order = _mm256_srlv_epi32(_mm256_set1_epi32((int)ORDERS_8[mask]),
                                            _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28));
    const __m256i moved = _mm256_permutevar8x32_epi32(v, order);
    _mm256_storeu_si256((__m256i *)(void *)low, moved);
    _mm256_storeu_si256((__m256i *)(void *)(high_end - 8), moved);
    return (unsigned)__builtin_popcount(mask);
}

/* Puts the minima into *low and the maxima into *high. */
static INLINE void exchange_32(__m512i *low, __m512i *high)
{
    const __m512i min = _mm512_min_epu32(*low, *high);
    *high = _mm512_max_epu32(*low, *high);
    *low = min;
}

/* Moves word i ^ x to lane i. x is a constant. */
static INLINE __m512i flip_32(__m512i v, unsigned x)
{
    switch (x) {
    case 1:
        return _mm512_shuffle_epi32(v, _MM_PERM_CDAB);
    case 2:
        return _mm512_shuffle_epi32(v, _MM_PERM_BADC);
    case 3:
        return _mm512_shuffle_epi32(v, _MM_PERM_ABCD);
    case 4:
        return _mm512_shuffle_i32x4(v, v, 0xb1);
    case 7:
        return _mm512_permutexvar_epi32(
            _mm512_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8), v);
    case 8:
        return _mm512_shuffle_i32x4(v, v, 0x4e);
    default:
        return _mm512_permutexvar_epi32(
            _mm512_setr_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0), v);
    }
}

/* Exchanges words i and i ^ x, constants: lanes with the bit get the maxima, others the minima. */
static INLINE __m512i exchange_lanes_32(__m512i v, unsigned x, unsigned bit)
{
    const __m512i partner = flip_32(v, x);
    const __mmask16 high = bit == 1 ? 0xaaaa : bit == 2 ? 0xcccc : bit == 4 ? 0xf0f0 : 0xff00;
    return _mm512_mask_max_epu32(_mm512_min_epu32(v, partner), high, v, partner);
}

/* Vectors of 8 words of 64 bits */

static INLINE __m512i ordered_64(__m512i v)
{
    return v;
}

static INLINE __m512i load_64(const uint64_t *words)
{
    return _mm512_loadu_si512(words);
}

static INLINE void store_64(uint64_t *words, __m512i v)
{
    _mm512_storeu_si512(words, v);
}

static INLINE __m512i broadcast_64(uint64_t word)
{
    return _mm512_set1_epi64((long long)word);
}

static INLINE __m512i load_first_64(const uint64_t *words, size_t n)
{
    return _mm512_mask_loadu_epi64(_mm512_set1_epi64(-1), (__mmask8)((1u << n) - 1), words);
}

static INLINE void store_first_64(uint64_t *words, size_t n, __m512i v)
{
    _mm512_mask_storeu_epi64(words, (__mmask8)((1u << n) - 1), v);
}

static INLINE __m512i add_differences_64(__m512i sum, __m512i a, __m512i b)
{
    return add_differences_32(sum, a, b);
}

static INLINE unsigned mask_at_most_64(__m512i v, __m512i pivots)
{
    return _mm512_cmple_epu64_mask(v, pivots);
}

typedef __m512i part_64;

static INLINE part_64 load_part_64(const uint64_t *words)
{
    return load_64(words);
}

static INLINE unsigned split_64(part_64 v, uint64_t *low, uint64_t *high_end, uint64_t pivot,
                                unsigned valid)
{
    const unsigned mask = mask_at_most_64(v, broadcast_64(pivot)) & valid;
    const __m512i order = _mm512_srlv_epi64(_mm512_set1_epi64(ORDERS_8[mask]),
                                            _mm512_setr_epi64(0, 4, 8, 12, 16, 20, 24, 28));
    const __m512i moved = _mm512_permutexvar_epi64(order, v);
    store_64(low, moved);
    store_64(high_end - 8, moved);
    return (unsigned)__builtin_popcount(mask);
}

static INLINE void exchange_64(__m512i *low, __m512i *high)
{
    const __m512i min = _mm512_min_epu64(*low, *high);
    *high = _mm512_max_epu64(*low, *high);
    *low = min;
}

static INLINE __m512i flip_64(__m512i v, unsigned x)
{
    switch (x) {
    case 1:
        return _mm512_shuffle_epi32(v, _MM_PERM_BADC);
    case 2:
        return _mm512_permutex_epi64(v, 0x4e);
    case 3:
        return _mm512_permutex_epi64(v, 0x1b);
    case 4:
        return _mm512_shuffle_i64x2(v, v, 0x4e);
    default:
        return _mm512_permutexvar_epi64(_mm512_setr_epi64(7, 6, 5, 4, 3, 2, 1, 0), v);
    }
}

static INLINE __m512i exchange_lanes_64(__m512i v, unsigned x, unsigned bit)
{
    const __m512i partner = flip_64(v, x);
    const __mmask8 high = bit == 1 ? 0xaa : bit == 2 ? 0xcc : 0xf0;
    return _mm512_mask_max_epu64(_mm512_min_epu64(v, partner), high, v, partner);
}

#define WORD uint32_t
#define LANES 16u
#define SPLIT_LANES 8u
#define NAME(x) x##_32
#include "host/words_vectors_template.h"
#undef WORD
#undef LANES
#undef SPLIT_LANES
#undef NAME

#define WORD uint64_t
#define LANES 8u
#define SPLIT_LANES 8u
#define NAME(x) x##_64
#include "host/words_vectors_template.h"
#undef WORD
#undef LANES
#undef SPLIT_LANES
#undef NAME

static const struct cls_words CODE = {summarise_32, summarise_64, sort_32, sort_64};

const struct cls_words *cls_words_avx512(void)
{
    const bool is_supported =
        __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("popcnt");
    return is_supported ? &CODE : NULL;
}

#else

const struct cls_words *cls_words_avx512(void)
{
    return NULL;
}

#endif
