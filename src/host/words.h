/* words.h - sorts unsigned words in host memory, in the calling thread */
#ifndef CLSORT_HOST_WORDS_H
#define CLSORT_HOST_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cls_words_summary {
    uint64_t varying;                 /* bits that are not the same in all words */
    bool is_ascending, is_descending; /* equal words are in both orders */
    bool is_strictly_descending;
};

/* One of several implementations. */
struct cls_words {
    /* The summary of count words (count > 0). */
    struct cls_words_summary (*summarise_32)(const uint32_t *words, size_t count);
    struct cls_words_summary (*summarise_64)(const uint64_t *words, size_t count);
    /* Sort count words, of which some differ. `varying` may lack low bits that ascend among words
     * with the same high bits, such as an index. b is work space for count words. They return the
     * array that holds the result: a or b. */
    uint32_t *(*sort_32)(uint32_t *a, uint32_t *b, size_t count, uint64_t varying);
    uint64_t *(*sort_64)(uint64_t *a, uint64_t *b, size_t count, uint64_t varying);
};

extern const struct cls_words cls_words_portable;

/* Return the implementation with AVX2 or AVX-512, or NULL if the processor or the compiler does not
 * support it. */
const struct cls_words *cls_words_avx2(void);
const struct cls_words *cls_words_avx512(void);

/* Returns the fastest implementation that the processor supports. */
const struct cls_words *cls_words_best(void);

/* Sort count words by the bits in mask, which is not 0, by LSD passes; stable. b and the result are
 * as above. */
uint32_t *cls_radix_sort_32(uint32_t *a, uint32_t *b, size_t count, uint32_t mask);
uint64_t *cls_radix_sort_64(uint64_t *a, uint64_t *b, size_t count, uint64_t mask);

#endif
