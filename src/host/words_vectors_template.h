/* words_vectors_template.h - a vectorised quicksort for one type of words and one instruction set
 *
 * Ranges are partitioned until few words are left, and these are sorted by networks in registers.
 * Bramas, "A novel hybrid quicksort algorithm vectorized using AVX-512 on Intel Skylake", 2017,
 * describes this combination; the networks are those of Wassenberg et al., "Vectorized and
 * performance-portable Quicksort", 2022.
 *
 * Networks: a block of up to BLOCK vectors is sorted by columns, and these are merged by bitonic
 * networks until one row-major sequence is left. Most comparators are then between vectors, and only
 * log2(LANES) steps of the last merge are within vectors. Blocks are merged in the same way. Lanes
 * that contain no word are maximal.
 *
 * Partitions: of each vector, one permutation moves the words that are at most the pivot to the
 * front. The vector is then stored twice, at the next free address on the left, and so that it ends
 * at the next free address on the right; whatever is not valid there is overwritten later. Vectors
 * are read from the side where fewer words are free, 8 of them at a time, so that the address of the
 * next ones is known early. No branch depends on the words.
 *
 * The including file defines TARGET, the attribute of functions that use the instruction set, INLINE,
 * the same for inlined ones, VECTOR, the type of vectors, BLOCK, and for each type of words WORD, the
 * type, LANES, the number of words in a vector, NAME(x), which appends the number of their bits,
 * NAME(part), the type of vectors in partitions, SPLIT_LANES, the number of words in these, and these
 * functions:
 *
 *   load, store, load_first, store_first, broadcast
 *   ordered          words in an order in which vectors are compared; its own inverse
 *   add_differences  bits in which vectors differ
 *   mask_at_most     the mask of the words that are at most those of another vector
 *   exchange         the comparators between two vectors
 *   flip             word i ^ x in lane i
 *   exchange_lanes   the comparators of lanes i and i ^ x
 *   load_part, split a step of partitions
 *
 * Cost on one core (AMD EPYC, Zen 5), in ns per word of 32 and of 64 bits: networks take 0.5 for 2^9
 * words and 0.6 for 2^7 words with AVX-512, and 0.9 and 2.4 for 2^8 words with AVX2, limited by the
 * number of vector operations. Each level of partitions with its choice of a pivot takes 0.12 and
 * 0.18 with AVX-512, and 0.15 and 0.3 with AVX2, limited by two streams of unaligned stores. AVX2 has
 * no minimum of words of 64 bits; it compares and selects. */

/* The summary of the words in pairs of vectors, of which the second contains the words that follow
 * those of the first. */
struct NAME(order) {
    VECTOR varying;
    unsigned ascending, descending; /* masks of words that are at most, or at least, the next */
    unsigned any_ascending;
};

static INLINE void NAME(compare)(VECTOR v, VECTOR next, struct NAME(order) * order)
{
    const VECTOR a = NAME(ordered)(v), b = NAME(ordered)(next);
    const unsigned ascending = NAME(mask_at_most)(a, b);
    order->varying = NAME(add_differences)(order->varying, v, next);
    order->ascending &= ascending;
    order->any_ascending |= ascending;
    order->descending &= NAME(mask_at_most)(b, a);
}

/* The bits that differ between neighbours are those that vary. */
static TARGET struct cls_words_summary NAME(summarise)(const WORD *words, size_t count)
{
    const unsigned all = (1u << LANES) - 1;
    struct NAME(order) order = {NAME(broadcast)(0), all, all, 0};
    if (count <= LANES) {
        /* The other lanes are equal. */
        NAME(compare)
        (NAME(load_first)(words, count - 1), NAME(load_first)(words + 1, count - 1), &order);
        order.any_ascending &= (1u << (count - 1)) - 1;
    } else {
        for (size_t i = 0; i + LANES < count - 1; i += LANES)
            NAME(compare)(NAME(load)(words + i), NAME(load)(words + i + 1), &order);
        const WORD *last = words + count - 1 - LANES; /* some words were compared before */
        NAME(compare)(NAME(load)(last), NAME(load)(last + 1), &order);
    }
    WORD differences[LANES], varying = 0;
    NAME(store)(differences, order.varying);
    for (size_t i = 0; i < LANES; i++)
        varying |= differences[i];
    return (struct cls_words_summary){varying, order.ascending == all, order.descending == all,
                                      order.any_ascending == 0};
}

/* Sort the columns of 1 to 16 vectors by the odd-even merge sort of Batcher. */
static INLINE void NAME(sort_columns_1)(VECTOR *v)
{
    (void)v;
}

static INLINE void NAME(sort_columns_2)(VECTOR *v)
{
    NAME(exchange)(&v[0], &v[1]);
}

static INLINE void NAME(sort_columns_4)(VECTOR *v)
{
    NAME(sort_columns_2)(v);
    NAME(sort_columns_2)(v + 2);
    NAME(exchange)(&v[0], &v[2]), NAME(exchange)(&v[1], &v[3]);
    NAME(exchange)(&v[1], &v[2]);
}

static INLINE void NAME(sort_columns_8)(VECTOR *v)
{
    NAME(sort_columns_4)(v);
    NAME(sort_columns_4)(v + 4);
    NAME(exchange)(&v[0], &v[4]), NAME(exchange)(&v[1], &v[5]);
    NAME(exchange)(&v[2], &v[6]), NAME(exchange)(&v[3], &v[7]);
    NAME(exchange)(&v[2], &v[4]), NAME(exchange)(&v[3], &v[5]);
    NAME(exchange)(&v[1], &v[2]), NAME(exchange)(&v[3], &v[4]), NAME(exchange)(&v[5], &v[6]);
}

static INLINE void NAME(sort_columns_16)(VECTOR *v)
{
    NAME(sort_columns_8)(v);
    NAME(sort_columns_8)(v + 8);
    NAME(exchange)(&v[0], &v[8]), NAME(exchange)(&v[1], &v[9]);
    NAME(exchange)(&v[2], &v[10]), NAME(exchange)(&v[3], &v[11]);
    NAME(exchange)(&v[4], &v[12]), NAME(exchange)(&v[5], &v[13]);
    NAME(exchange)(&v[6], &v[14]), NAME(exchange)(&v[7], &v[15]);
    NAME(exchange)(&v[4], &v[8]), NAME(exchange)(&v[5], &v[9]);
    NAME(exchange)(&v[6], &v[10]), NAME(exchange)(&v[7], &v[11]);
    NAME(exchange)(&v[2], &v[4]), NAME(exchange)(&v[3], &v[5]);
    NAME(exchange)(&v[6], &v[8]), NAME(exchange)(&v[7], &v[9]);
    NAME(exchange)(&v[10], &v[12]), NAME(exchange)(&v[11], &v[13]);
    NAME(exchange)(&v[1], &v[2]), NAME(exchange)(&v[3], &v[4]), NAME(exchange)(&v[5], &v[6]);
    NAME(exchange)(&v[7], &v[8]), NAME(exchange)(&v[9], &v[10]);
    NAME(exchange)(&v[11], &v[12]), NAME(exchange)(&v[13], &v[14]);
}

/* Merge the columns of 1 to 16 vectors: in each group of k lanes, the words of the first k/2 are in
 * row-major order, and so are those of the others. All of them then are. Each step compares the
 * words of a sequence with those of the other one in reverse order, so that both halves of the
 * vectors are bitonic. They then have the same form as before, with the second half flipped. */
static INLINE void NAME(merge_1)(VECTOR *v, unsigned k)
{
    v[0] = NAME(exchange_lanes)(v[0], k - 1, k / 2);
    if (k > 8)
        v[0] = NAME(exchange_lanes)(v[0], 4, 4);
    if (k > 4)
        v[0] = NAME(exchange_lanes)(v[0], 2, 2);
    if (k > 2)
        v[0] = NAME(exchange_lanes)(v[0], 1, 1);
}

static INLINE void NAME(merge_2)(VECTOR *v, unsigned k)
{
    v[1] = NAME(flip)(v[1], k - 1);
    NAME(exchange)(&v[0], &v[1]);
    NAME(merge_1)(v, k);
    NAME(merge_1)(v + 1, k);
}

/* Compares a[0] with b[1] and a[1] with b[0]. */
static INLINE void NAME(mirror_2)(VECTOR *a, VECTOR *b, unsigned k)
{
    b[0] = NAME(flip)(b[0], k - 1);
    b[1] = NAME(flip)(b[1], k - 1);
    NAME(exchange)(&a[0], &b[1]);
    NAME(exchange)(&a[1], &b[0]);
}

static INLINE void NAME(merge_4)(VECTOR *v, unsigned k)
{
    NAME(mirror_2)(v, v + 2, k);
    NAME(merge_2)(v, k);
    NAME(merge_2)(v + 2, k);
}

static INLINE void NAME(merge_8)(VECTOR *v, unsigned k)
{
    NAME(mirror_2)(v, v + 6, k);
    NAME(mirror_2)(v + 2, v + 4, k);
    NAME(merge_4)(v, k);
    NAME(merge_4)(v + 4, k);
}

static INLINE void NAME(merge_16)(VECTOR *v, unsigned k)
{
    NAME(mirror_2)(v, v + 14, k);
    NAME(mirror_2)(v + 2, v + 12, k);
    NAME(mirror_2)(v + 4, v + 10, k);
    NAME(mirror_2)(v + 6, v + 8, k);
    NAME(merge_8)(v, k);
    NAME(merge_8)(v + 8, k);
}

/* Sort 1 to 16 vectors whose words are bitonic, by half-cleaners of decreasing distance. */
static INLINE void NAME(clean_1)(VECTOR *v)
{
    if (LANES > 8)
        v[0] = NAME(exchange_lanes)(v[0], 8, 8);
    if (LANES > 4)
        v[0] = NAME(exchange_lanes)(v[0], 4, 4);
    v[0] = NAME(exchange_lanes)(v[0], 2, 2);
    v[0] = NAME(exchange_lanes)(v[0], 1, 1);
}

static INLINE void NAME(clean_2)(VECTOR *v)
{
    NAME(exchange)(&v[0], &v[1]);
    NAME(clean_1)(v);
    NAME(clean_1)(v + 1);
}

static INLINE void NAME(clean_4)(VECTOR *v)
{
    NAME(exchange)(&v[0], &v[2]);
    NAME(exchange)(&v[1], &v[3]);
    NAME(clean_2)(v);
    NAME(clean_2)(v + 2);
}

static INLINE void NAME(clean_8)(VECTOR *v)
{
    NAME(exchange)(&v[0], &v[4]), NAME(exchange)(&v[1], &v[5]);
    NAME(exchange)(&v[2], &v[6]), NAME(exchange)(&v[3], &v[7]);
    NAME(clean_4)(v);
    NAME(clean_4)(v + 4);
}

static INLINE void NAME(clean_16)(VECTOR *v)
{
    NAME(exchange)(&v[0], &v[8]), NAME(exchange)(&v[1], &v[9]);
    NAME(exchange)(&v[2], &v[10]), NAME(exchange)(&v[3], &v[11]);
    NAME(exchange)(&v[4], &v[12]), NAME(exchange)(&v[5], &v[13]);
    NAME(exchange)(&v[6], &v[14]), NAME(exchange)(&v[7], &v[15]);
    NAME(clean_8)(v);
    NAME(clean_8)(v + 8);
}

static INLINE void NAME(copy_1)(VECTOR *to, const VECTOR *from)
{
    to[0] = from[0];
}

static INLINE void NAME(copy_2)(VECTOR *to, const VECTOR *from)
{
    to[0] = from[0], to[1] = from[1];
}

static INLINE void NAME(copy_4)(VECTOR *to, const VECTOR *from)
{
    NAME(copy_2)(to, from);
    NAME(copy_2)(to + 2, from + 2);
}

static INLINE void NAME(copy_8)(VECTOR *to, const VECTOR *from)
{
    NAME(copy_4)(to, from);
    NAME(copy_4)(to + 4, from + 4);
}

static INLINE void NAME(copy_16)(VECTOR *to, const VECTOR *from)
{
    NAME(copy_8)(to, from);
    NAME(copy_8)(to + 8, from + 8);
}

/* Define functions that sort a block of n vectors in memory: of any words, and of bitonic ones. */
#define DEFINE_SORT(n)                                                                             \
    static TARGET void NAME(sort_##n)(VECTOR * block)                                              \
    {                                                                                              \
        VECTOR v[n];                                                                               \
        NAME(copy_##n)(v, block);                                                                  \
        NAME(sort_columns_##n)(v);                                                                 \
        NAME(merge_##n)(v, 2);                                                                     \
        NAME(merge_##n)(v, 4);                                                                     \
        if (LANES > 4)                                                                             \
            NAME(merge_##n)(v, 8);                                                                 \
        if (LANES > 8)                                                                             \
            NAME(merge_##n)(v, 16);                                                                \
        NAME(copy_##n)(block, v);                                                                  \
    }                                                                                              \
    static TARGET void NAME(sort_bitonic_##n)(VECTOR * block)                                      \
    {                                                                                              \
        VECTOR v[n];                                                                               \
        NAME(copy_##n)(v, block);                                                                  \
        NAME(clean_##n)(v);                                                                        \
        NAME(copy_##n)(block, v);                                                                  \
    }

DEFINE_SORT(1)
DEFINE_SORT(2)
DEFINE_SORT(4)
DEFINE_SORT(8)
#if BLOCK == 16
DEFINE_SORT(16)
#endif

/* Sorts a block of vectors, the number of which is a power of two. */
static TARGET void NAME(sort_block)(VECTOR *block, size_t vectors, bool is_bitonic)
{
    switch (vectors) {
    case 1:
        is_bitonic ? NAME(sort_bitonic_1)(block) : NAME(sort_1)(block);
        break;
    case 2:
        is_bitonic ? NAME(sort_bitonic_2)(block) : NAME(sort_2)(block);
        break;
    case 4:
        is_bitonic ? NAME(sort_bitonic_4)(block) : NAME(sort_4)(block);
        break;
    case 8:
        is_bitonic ? NAME(sort_bitonic_8)(block) : NAME(sort_8)(block);
        break;
#if BLOCK == 16
    default:
        is_bitonic ? NAME(sort_bitonic_16)(block) : NAME(sort_16)(block);
#endif
    }
}

static INLINE void NAME(sort_blocks)(VECTOR *v, size_t vectors, bool is_bitonic)
{
    for (size_t i = 0; i < vectors; i += BLOCK)
        NAME(sort_block)(v + i, vectors - i < BLOCK ? vectors - i : BLOCK, is_bitonic);
}

/* Merges adjacent runs of `run` vectors, a power of two that is at least BLOCK. Comparators whose
 * second vector is not there would compare with maximal words and change nothing. */
static INLINE void NAME(merge_runs)(VECTOR *v, size_t vectors, size_t run)
{
    for (size_t middle = run; middle < vectors; middle += 2 * run)
        for (size_t i = 0; i < run && middle + i < vectors; i++) {
            VECTOR reversed = NAME(flip)(v[middle - 1 - i], LANES - 1);
            NAME(exchange)(&reversed, &v[middle + i]);
            v[middle - 1 - i] = NAME(flip)(reversed, LANES - 1);
        }
    for (size_t distance = run / 2; distance >= BLOCK; distance /= 2)
        for (size_t i = 0; i + distance < vectors; i++)
            if ((i & distance) == 0)
                NAME(exchange)(&v[i], &v[i + distance]);
    NAME(sort_blocks)(v, vectors, true);
}

/* Sorts 0 < count <= MAX_VECTORS * LANES words. */
static TARGET void NAME(sort_few)(WORD *words, size_t count)
{
    VECTOR v[MAX_VECTORS];
    const size_t whole = count / LANES, rest = count % LANES;
    size_t vectors = whole + (rest > 0);
    for (size_t i = 0; i < whole; i++)
        v[i] = NAME(ordered)(NAME(load)(words + i * LANES));
    if (rest > 0)
        v[whole] = NAME(ordered)(NAME(load_first)(words + whole * LANES, rest));
    /* The number of vectors in the last block is a power of two. */
    for (size_t last = vectors % BLOCK; (last & (last - 1)) != 0 && last < BLOCK; last++)
        v[vectors++] = NAME(ordered)(NAME(broadcast)((WORD) ~(WORD)0));
    NAME(sort_blocks)(v, vectors, false);
    for (size_t run = BLOCK; run < vectors; run *= 2)
        NAME(merge_runs)(v, vectors, run);
    for (size_t i = 0; i < whole; i++)
        NAME(store)(words + i * LANES, NAME(ordered)(v[i]));
    if (rest > 0)
        NAME(store_first)(words + whole * LANES, rest, NAME(ordered)(v[whole]));
}

/* Copies words that are at most the pivot to the front of `to`, and the others behind them. Returns
 * the number of the former. count >= SPLIT_LANES. */
static INLINE size_t NAME(partition_copy)(const WORD *from, WORD *to, size_t count, WORD pivot)
{
    const unsigned all = (1u << SPLIT_LANES) - 1, rest = count % SPLIT_LANES;
    const unsigned rest_mask = all >> (SPLIT_LANES - rest) << (SPLIT_LANES - rest);
    size_t left = 0;
    /* The last `rest` words come first. The free words of `to`, which are as many as the unread
     * ones, are then a multiple of SPLIT_LANES. Thus no store reaches valid words, not even those
     * that the other store of the same vector has written. */
    if (rest > 0) {
        const NAME(part) v = NAME(load_part)(from + count - SPLIT_LANES);
        left = NAME(split)(v, to, to + count, pivot, rest_mask);
    }
    for (size_t unread = count - rest; unread > 0; unread -= SPLIT_LANES) {
        const NAME(part) v = NAME(load_part)(from);
        left += NAME(split)(v, to + left, to + left + unread, pivot, all);
        from += SPLIT_LANES;
    }
    return left;
}

/* Moves words that are at most the pivot to the front. Returns their number. count >= SPLIT_LANES.
 *
 * Some words are copied from both ends first, so that at least GROUP words are free on each side.
 * Then each group is read from the side with fewer free words, which again has GROUP of them. */
static TARGET size_t NAME(partition)(WORD *words, size_t count, WORD pivot)
{
    enum { GROUP = 8 * SPLIT_LANES };
    const unsigned all = (1u << SPLIT_LANES) - 1;
    const size_t tail = count < 2 * GROUP ? 0 : GROUP;
    const size_t head = count < 2 * GROUP ? count : GROUP + count % GROUP;
    WORD copy[3 * GROUP];
    memcpy(copy, words, head * sizeof *words);
    memcpy(copy + head, words + count - tail, tail * sizeof *words);
    const WORD *first = words + head, *last = words + count - tail; /* the unread words */
    WORD *left = words, *right = words + count;                     /* the free words */
    while (first < last) {
        const bool is_left = first - left <= right - last;
        const WORD *const from = is_left ? first : last - GROUP;
        first += is_left ? GROUP : 0;
        last -= is_left ? 0 : GROUP;
        NAME(part) v[8];
        for (unsigned i = 0; i < 8; i++)
            v[i] = NAME(load_part)(from + i * SPLIT_LANES);
        for (unsigned i = 0; i < 8; i++) {
            const unsigned n = NAME(split)(v[i], left, right, pivot, all);
            left += n;
            right -= SPLIT_LANES - n;
        }
    }
    return (size_t)(left - words) + NAME(partition_copy)(copy, left, head + tail, pivot);
}

/* Returns a sorted sample of the words: at multiples of the golden ratio, modulo 1, which are
 * spread evenly but not periodically. */
static TARGET void NAME(take_sample)(const WORD *words, size_t count, WORD *sample, size_t size)
{
    const uint64_t range = cls_min(count, UINT32_MAX);
    for (size_t i = 0; i < size; i++)
        sample[i] = words[((uint32_t)(i + 1) * UINT32_C(0x9e3779b9)) * range >> 32];
    NAME(sort_few)(sample, size);
}

/* Chooses a pivot that some words exceed, unless all samples are equal; *is_equal is then set. */
static TARGET WORD NAME(choose_pivot)(const WORD *words, size_t count, bool *is_equal)
{
    WORD sample[LARGE_SAMPLE];
    const size_t size = count < MIN_COUNT_FOR_LARGE_SAMPLE ? SMALL_SAMPLE : LARGE_SAMPLE;
    NAME(take_sample)(words, count, sample, size);
    size_t middle = size / 2;
    while (middle > 0 && sample[middle] == sample[size - 1])
        middle--;
    *is_equal = sample[middle] == sample[size - 1];
    return sample[middle];
}

/* Sorts in place. After max_depth partitions, LSD passes sort the rest, so that the time is bounded.
 * b is work space for count words. */
static TARGET void NAME(quicksort)(WORD *words, WORD *b, size_t count, unsigned max_depth)
{
    while (count > MAX_VECTORS * LANES && max_depth > 0) {
        bool is_equal;
        const WORD pivot = NAME(choose_pivot)(words, count, &is_equal);
        const size_t left = NAME(partition)(words, count, pivot);
        max_depth--;
        NAME(quicksort)(words + left, b, count - left, max_depth);
        count = left;
        if (is_equal) {
            /* Many words are equal to the pivot. They need no more comparisons. */
            count = pivot > 0 ? NAME(partition)(words, left, pivot - 1) : 0;
            for (size_t i = count; i < left; i++)
                words[i] = pivot;
        }
    }
    if (count > MAX_VECTORS * LANES) {
        const WORD *sorted = NAME(cls_radix_sort)(words, b, count, (WORD) ~(WORD)0);
        if (sorted != words)
            memcpy(words, sorted, count * sizeof *words);
    } else if (count > 0) {
        NAME(sort_few)(words, count);
    }
}

static TARGET WORD *NAME(sort)(WORD *a, WORD *b, size_t count, uint64_t varying)
{
    (void)varying; /* all bits are compared at once */
    NAME(quicksort)(a, b, count, 2 * cls_ceil_log2(count));
    return a;
}
