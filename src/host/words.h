/* words.h - sorts unsigned words in host memory, in the calling thread */
#ifndef CLSORT_HOST_WORDS_H
#define CLSORT_HOST_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cls_words_summary {
    uint64_t varying; /* bits that are not the same in all words */
    bool is_ascending, is_strictly_descending;
};

/* The summary of count words (count > 0). */
struct cls_words_summary cls_summarise_words32(const uint32_t *words, size_t count);
struct cls_words_summary cls_summarise_words64(const uint64_t *words, size_t count);

/* Sort count words, which are not ascending. `varying` may lack low bits that ascend among words
 * with the same high bits, such as an index. b is work space for count words. They return the array
 * that holds the result: a or b. */
uint32_t *cls_sort_words32(uint32_t *a, uint32_t *b, size_t count,
                           const struct cls_words_summary *summary);
uint64_t *cls_sort_words64(uint64_t *a, uint64_t *b, size_t count,
                           const struct cls_words_summary *summary);

/* Sorts count words by the bits in mask, which is not 0; stable. b and the result are as above. */
uint64_t *cls_sort_words64_by(uint64_t *a, uint64_t *b, size_t count, uint64_t mask);

#endif
