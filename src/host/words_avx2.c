/* words_avx2.c - sorts unsigned words in host memory with AVX2, in the calling thread
 *
 * A vectorised quicksort: ranges are partitioned until few words are left, and these are sorted by
 * networks in registers. Bramas, "A novel hybrid quicksort algorithm vectorized using AVX-512 on
 * Intel Skylake", 2017, describes this combination; words_avx2_template.h explains both parts.
 *
 * The functions are compiled for AVX2 whatever the options of the compiler are. They must run only
 * if the processor supports it. */
#include "host/words.h"

/* GCC for Windows does not align vectors on the stack (its bug 54412). */
#if defined(__x86_64__) && (defined(__clang__) || (defined(__GNUC__) && !defined(_WIN32)))

#include "base/arithmetic.h"

#include <immintrin.h>
#include <string.h>

#define AVX2 __attribute__((target("avx2,popcnt")))
#define AVX2_INLINE inline AVX2 __attribute__((always_inline))

enum {
    BLOCK = 8,        /* vectors that a network sorts in registers */
    MAX_VECTORS = 64, /* vectors that networks sort; more are partitioned (measured) */
    LARGE_SAMPLE = 64,
    SMALL_SAMPLE = 16,
    MIN_COUNT_FOR_LARGE_SAMPLE = 4096 /* whose sample then takes little time (measured) */
};

/* The order of 32-bit lanes that moves the words selected by a mask to the front and keeps the
 * others behind them: 4 bits per lane, the first lane in the lowest bits. Bit i of the mask selects
 * word i. The macros prepend word i of a vector to the selected ones, s, which occupy n bits, or to
 * the others, o; thus they begin with the last word. */
#define ORDER(s, n, o) (uint32_t)((s) | (uint64_t)(o) << (n))
#define WORD32_0(s, n, o) ORDER(s, n, (o) << 4), ORDER((s) << 4, (n) + 4, o)
#define WORD32_1(s, n, o) WORD32_0(s, n, (o) << 4 | 1u), WORD32_0((s) << 4 | 1u, (n) + 4, o)
#define WORD32_2(s, n, o) WORD32_1(s, n, (o) << 4 | 2u), WORD32_1((s) << 4 | 2u, (n) + 4, o)
#define WORD32_3(s, n, o) WORD32_2(s, n, (o) << 4 | 3u), WORD32_2((s) << 4 | 3u, (n) + 4, o)
#define WORD32_4(s, n, o) WORD32_3(s, n, (o) << 4 | 4u), WORD32_3((s) << 4 | 4u, (n) + 4, o)
#define WORD32_5(s, n, o) WORD32_4(s, n, (o) << 4 | 5u), WORD32_4((s) << 4 | 5u, (n) + 4, o)
#define WORD32_6(s, n, o) WORD32_5(s, n, (o) << 4 | 6u), WORD32_5((s) << 4 | 6u, (n) + 4, o)
#define WORD32_7(s, n, o) WORD32_6(s, n, (o) << 4 | 7u), WORD32_6((s) << 4 | 7u, (n) + 4, o)
#define WORD64_0(s, n, o) ORDER(s, n, (o) << 8 | 0x10u), ORDER((s) << 8 | 0x10u, (n) + 8, o)
#define WORD64_1(s, n, o) WORD64_0(s, n, (o) << 8 | 0x32u), WORD64_0((s) << 8 | 0x32u, (n) + 8, o)
#define WORD64_2(s, n, o) WORD64_1(s, n, (o) << 8 | 0x54u), WORD64_1((s) << 8 | 0x54u, (n) + 8, o)
#define WORD64_3(s, n, o) WORD64_2(s, n, (o) << 8 | 0x76u), WORD64_2((s) << 8 | 0x76u, (n) + 8, o)

static const uint32_t ORDERS_32[1 << 8] = {WORD32_7(0u, 0, 0u)};
static const uint32_t ORDERS_64[1 << 4] = {WORD64_3(0u, 0, 0u)};

/* Moves 32-bit lanes; order is as above. */
static AVX2_INLINE __m256i move_lanes(__m256i v, uint32_t order)
{
    const __m256i shifts = _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28);
    return _mm256_permutevar8x32_epi32(v, _mm256_srlv_epi32(_mm256_set1_epi32((int)order), shifts));
}

/* Vectors of 8 words of 32 bits. Functions of the same names for 64 bits follow below. */

/* Words in an order in which vectors can be compared; its own inverse. */
static AVX2_INLINE __m256i ordered_32(__m256i v)
{
    return v;
}

static AVX2_INLINE __m256i load_32(const uint32_t *words)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)words);
}

static AVX2_INLINE void store_32(uint32_t *words, __m256i v)
{
    _mm256_storeu_si256((__m256i *)(void *)words, v);
}

static AVX2_INLINE __m256i broadcast_32(uint32_t word)
{
    return _mm256_set1_epi32((int)word);
}

/* Returns a mask of the first n words, for load_first and store_first. */
static AVX2_INLINE __m256i first_32(size_t n)
{
    const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)n), lanes);
}

/* Loads the first n words. The others are maximal. */
static AVX2_INLINE __m256i load_first_32(const uint32_t *words, size_t n)
{
    const __m256i first = first_32(n);
    const __m256i v = _mm256_maskload_epi32((const int *)(const void *)words, first);
    return _mm256_or_si256(v, _mm256_xor_si256(first, _mm256_set1_epi32(-1)));
}

static AVX2_INLINE void store_first_32(uint32_t *words, size_t n, __m256i v)
{
    _mm256_maskstore_epi32((int *)(void *)words, first_32(n), v);
}

/* Puts the minima into *low and the maxima into *high. */
static AVX2_INLINE void exchange_32(__m256i *low, __m256i *high)
{
    const __m256i min = _mm256_min_epu32(*low, *high);
    *high = _mm256_max_epu32(*low, *high);
    *low = min;
}

/* Exchanges words of v with those of the same lanes of partner, which is a permutation of v: lanes
 * in `high`, a constant, get the maxima, the others the minima. */
#define EXCHANGE_LANES_32(v, partner, high)                                                        \
    _mm256_blend_epi32(_mm256_min_epu32(v, partner), _mm256_max_epu32(v, partner), high)

static AVX2_INLINE __m256i reverse_32(__m256i v)
{
    return _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0));
}

/* Sorts the words of a vector that is bitonic: half-cleaners of distances 4, 2 and 1. */
static AVX2_INLINE __m256i clean_lanes_32(__m256i v)
{
    v = EXCHANGE_LANES_32(v, _mm256_permute4x64_epi64(v, 0x4e), 0xf0);
    v = EXCHANGE_LANES_32(v, _mm256_shuffle_epi32(v, 0x4e), 0xcc);
    return EXCHANGE_LANES_32(v, _mm256_shuffle_epi32(v, 0xb1), 0xaa);
}

/* Sorts the words of a vector, by a bitonic network. */
static AVX2_INLINE __m256i sort_lanes_32(__m256i v)
{
    v = EXCHANGE_LANES_32(v, _mm256_shuffle_epi32(v, 0xb1), 0xaa);
    v = EXCHANGE_LANES_32(v, _mm256_shuffle_epi32(v, 0x1b), 0xcc);
    v = EXCHANGE_LANES_32(v, _mm256_shuffle_epi32(v, 0xb1), 0xaa);
    v = EXCHANGE_LANES_32(v, reverse_32(v), 0xf0);
    v = EXCHANGE_LANES_32(v, _mm256_shuffle_epi32(v, 0x4e), 0xcc);
    return EXCHANGE_LANES_32(v, _mm256_shuffle_epi32(v, 0xb1), 0xaa);
}

/* Returns the mask of the words that are at most those of pivots. */
static AVX2_INLINE unsigned mask_at_most_32(__m256i v, __m256i pivots)
{
    const __m256i is = _mm256_cmpeq_epi32(_mm256_min_epu32(v, pivots), v);
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(is));
}

/* Transposes 4 x 4 words in each half of 4 vectors. */
static AVX2_INLINE void transpose_halves_32(__m256i *v)
{
    const __m256i a = _mm256_unpacklo_epi32(v[0], v[1]), b = _mm256_unpackhi_epi32(v[0], v[1]);
    const __m256i c = _mm256_unpacklo_epi32(v[2], v[3]), d = _mm256_unpackhi_epi32(v[2], v[3]);
    v[0] = _mm256_unpacklo_epi64(a, c);
    v[1] = _mm256_unpackhi_epi64(a, c);
    v[2] = _mm256_unpacklo_epi64(b, d);
    v[3] = _mm256_unpackhi_epi64(b, d);
}

/* Swaps the high half of *a and the low half of *b. */
static AVX2_INLINE void swap_halves(__m256i *a, __m256i *b)
{
    const __m256i low = _mm256_permute2x128_si256(*a, *b, 0x20);
    *b = _mm256_permute2x128_si256(*a, *b, 0x31);
    *a = low;
}

/* Moves the words of column c of a block to row c. */
static AVX2_INLINE void transpose_32(__m256i *v)
{
    transpose_halves_32(v);
    transpose_halves_32(v + 4);
    swap_halves(&v[0], &v[4]);
    swap_halves(&v[1], &v[5]);
    swap_halves(&v[2], &v[6]);
    swap_halves(&v[3], &v[7]);
}

/* Vectors of 4 words of 64 bits, which AVX2 compares as signed ones only. */

static AVX2_INLINE __m256i ordered_64(__m256i v)
{
    return _mm256_xor_si256(v, _mm256_set1_epi64x(INT64_MIN));
}

static AVX2_INLINE __m256i load_64(const uint64_t *words)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)words);
}

static AVX2_INLINE void store_64(uint64_t *words, __m256i v)
{
    _mm256_storeu_si256((__m256i *)(void *)words, v);
}

static AVX2_INLINE __m256i broadcast_64(uint64_t word)
{
    return _mm256_set1_epi64x((long long)word);
}

static AVX2_INLINE __m256i first_64(size_t n)
{
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)n), _mm256_setr_epi64x(0, 1, 2, 3));
}

static AVX2_INLINE __m256i load_first_64(const uint64_t *words, size_t n)
{
    const __m256i first = first_64(n);
    const __m256i v = _mm256_maskload_epi64((const long long *)(const void *)words, first);
    return _mm256_or_si256(v, _mm256_xor_si256(first, _mm256_set1_epi32(-1)));
}

static AVX2_INLINE void store_first_64(uint64_t *words, size_t n, __m256i v)
{
    _mm256_maskstore_epi64((long long *)(void *)words, first_64(n), v);
}

static AVX2_INLINE __m256i select_64(__m256i mask, __m256i if_set, __m256i if_clear)
{
    return _mm256_blendv_epi8(if_clear, if_set, mask);
}

static AVX2_INLINE void exchange_64(__m256i *low, __m256i *high)
{
    const __m256i swap = _mm256_cmpgt_epi64(*low, *high);
    const __m256i min = select_64(swap, *high, *low);
    *high = select_64(swap, *low, *high);
    *low = min;
}

/* `high` is a mask here. */
static AVX2_INLINE __m256i exchange_lanes_64(__m256i v, __m256i partner, __m256i high)
{
    const __m256i is_greater = _mm256_cmpgt_epi64(v, partner);
    return select_64(_mm256_xor_si256(is_greater, high), partner, v);
}

static AVX2_INLINE __m256i exchange_halves_64(__m256i v, __m256i partner)
{
    return exchange_lanes_64(v, partner, _mm256_setr_epi64x(0, 0, -1, -1));
}

static AVX2_INLINE __m256i exchange_neighbours_64(__m256i v)
{
    return exchange_lanes_64(v, _mm256_shuffle_epi32(v, 0x4e), _mm256_setr_epi64x(0, -1, 0, -1));
}

static AVX2_INLINE __m256i reverse_64(__m256i v)
{
    return _mm256_permute4x64_epi64(v, 0x1b);
}

static AVX2_INLINE __m256i clean_lanes_64(__m256i v)
{
    return exchange_neighbours_64(exchange_halves_64(v, _mm256_permute4x64_epi64(v, 0x4e)));
}

static AVX2_INLINE __m256i sort_lanes_64(__m256i v)
{
    v = exchange_neighbours_64(v);
    return exchange_neighbours_64(exchange_halves_64(v, reverse_64(v)));
}

static AVX2_INLINE unsigned mask_at_most_64(__m256i v, __m256i pivots)
{
    const __m256i is_greater = _mm256_cmpgt_epi64(v, pivots);
    return 0xfu ^ (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(is_greater));
}

/* Moves the words of column c of a block to rows 2c and 2c + 1. */
static AVX2_INLINE void transpose_64(__m256i *v)
{
    __m256i low[BLOCK], high[BLOCK];
    for (unsigned i = 0; i < BLOCK; i += 2) {
        low[i / 2] = _mm256_unpacklo_epi64(v[i], v[i + 1]);
        high[i / 2] = _mm256_unpackhi_epi64(v[i], v[i + 1]);
    }
    for (unsigned i = 0; i < 2; i++) {
        v[i] = _mm256_permute2x128_si256(low[2 * i], low[2 * i + 1], 0x20);
        v[i + 2] = _mm256_permute2x128_si256(high[2 * i], high[2 * i + 1], 0x20);
        v[i + 4] = _mm256_permute2x128_si256(low[2 * i], low[2 * i + 1], 0x31);
        v[i + 6] = _mm256_permute2x128_si256(high[2 * i], high[2 * i + 1], 0x31);
    }
}

#define WORD uint32_t
#define LANES 8u
#define NAME(x) x##_32
#include "host/words_avx2_template.h"
#undef WORD
#undef LANES
#undef NAME

#define WORD uint64_t
#define LANES 4u
#define NAME(x) x##_64
#include "host/words_avx2_template.h"
#undef WORD
#undef LANES
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
