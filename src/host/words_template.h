/* words_template.h - the functions of words.c for one type of words
 *
 * The including file defines WORD, the type, and NAME(x), which appends the number of its bits. */

static struct cls_words_summary NAME(summarise)(const WORD *words, size_t count)
{
    /* All variables are words, so that compilers can vectorise the loop. */
    WORD any = words[0], all = words[0], any_descent = 0, any_ascent = 0, any_tie = 0;
    for (size_t i = 1; i < count; i++) {
        any |= words[i];
        all &= words[i];
        any_descent |= words[i] < words[i - 1];
        any_ascent |= words[i] > words[i - 1];
        any_tie |= words[i] == words[i - 1];
    }
    return (struct cls_words_summary){any ^ all, !any_descent, !any_ascent,
                                      !any_ascent && !any_tie};
}

/* Sorts by merge exchange, the sorting network of Batcher: which words are compared does not depend
 * on the data, so no branch is mispredicted. Knuth, The Art of Computer Programming, volume 3,
 * section 5.2.2, algorithm M. */
static void NAME(network)(WORD *words, size_t count)
{
    const size_t top = (size_t)1 << (cls_ceil_log2(count) - 1); /* count >= 2 */
    for (size_t p = top; p > 0; p /= 2) {
        size_t offset = 0, distance = p;
        for (size_t q = top; q >= p; q /= 2) {
            const size_t end = count - distance;
            for (size_t block = offset; block < end; block += 2 * p) {
                const size_t block_end = block + p < end ? block + p : end;
                for (size_t i = block; i < block_end; i++) {
                    const WORD a = words[i], b = words[i + distance];
                    words[i] = a < b ? a : b;
                    words[i + distance] = a < b ? b : a;
                }
            }
            offset = p;
            distance = q - p;
        }
    }
}

/* Digits without bits in mask need no pass. */
WORD *NAME(cls_radix_sort)(WORD *a, WORD *b, size_t count, WORD mask)
{
    const unsigned end_bit = cls_floor_log2(mask) + 1; /* mask > 0 */
    for (unsigned shift = 0; shift < end_bit; shift += DIGIT_BITS) {
        while ((mask >> shift & 1) == 0)
            shift++;
        const size_t bins = (size_t)1 << cls_min(end_bit - shift, DIGIT_BITS);
        size_t next[1 << DIGIT_BITS], sum = 0;
        memset(next, 0, bins * sizeof *next);
        for (size_t i = 0; i < count; i++)
            next[a[i] >> shift & (bins - 1)]++;
        for (size_t d = 0; d < bins; d++) {
            const size_t n = next[d];
            next[d] = sum;
            sum += n;
        }
        for (size_t i = 0; i < count; i++)
            b[next[a[i] >> shift & (bins - 1)]++] = a[i];
        WORD *const swap = a;
        a = b;
        b = swap;
    }
    return a;
}

/* Sorts words that are nearly in order. Returns false if too many words must move; the array then
 * is a permutation of what it was, in which the order of words equal in their high bits is kept. */
static bool NAME(insertion_sort)(WORD *words, size_t count)
{
    size_t moves = 0;
    for (size_t i = 1; i < count; i++) {
        const WORD word = words[i];
        size_t j = i;
        for (; j > 0 && words[j - 1] > word; j--)
            words[j] = words[j - 1];
        words[j] = word;
        moves += i - j;
        if (moves > count)
            return false;
    }
    return true;
}

static WORD *NAME(sort)(WORD *a, WORD *b, size_t count, uint64_t varying_bits)
{
    const WORD varying = (WORD)varying_bits;
    if (count <= MAX_NETWORK_COUNT) {
        NAME(network)(a, count);
        return a;
    }
    /* If the keys are spread evenly, their high bits determine the order of nearly all of them:
     * with log2(count) + 1 bits, less than a quarter of the words share these with another. */
    const unsigned digits = (unsigned)cls_divide_up(cls_ceil_log2(count) + 1, DIGIT_BITS);
    const unsigned end_bit = cls_floor_log2(varying) + 1;
    if (end_bit - cls_lowest_bit(varying) > digits * DIGIT_BITS) {
        const unsigned high = end_bit - digits * DIGIT_BITS;
        WORD *const from = a;
        a = NAME(cls_radix_sort)(a, b, count, varying >> high << high);
        b = a == from ? b : from;
        if (NAME(insertion_sort)(a, count))
            return a;
    }
    return NAME(cls_radix_sort)(a, b, count, varying);
}
