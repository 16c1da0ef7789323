/* words.c - sorts unsigned words in host memory, in the calling thread
 *
 * Few words are sorted by a network. More are sorted by their high bits with LSD passes and then by
 * insertion. If that would move too many words, LSD passes sort by all bits. */
#include "host/words.h"

#include "base/arithmetic.h"

#include <stdbool.h>
#include <string.h>

enum {
    DIGIT_BITS = 8,        /* the bins of a digit then fit in the L1 cache and the TLB */
    MAX_NETWORK_COUNT = 64 /* LSD passes are faster for more words (measured) */
};

#define WORD uint32_t
#define NAME(x) x##_32
#include "host/words_template.h"
#undef WORD
#undef NAME

#define WORD uint64_t
#define NAME(x) x##_64
#include "host/words_template.h"
#undef WORD
#undef NAME

struct cls_words_summary cls_summarise_words32(const uint32_t *words, size_t count)
{
    return summarise_32(words, count);
}

struct cls_words_summary cls_summarise_words64(const uint64_t *words, size_t count)
{
    return summarise_64(words, count);
}

uint32_t *cls_sort_words32(uint32_t *a, uint32_t *b, size_t count,
                           const struct cls_words_summary *summary)
{
    return sort_32(a, b, count, summary);
}

uint64_t *cls_sort_words64(uint64_t *a, uint64_t *b, size_t count,
                           const struct cls_words_summary *summary)
{
    return sort_64(a, b, count, summary);
}

uint64_t *cls_sort_words64_by(uint64_t *a, uint64_t *b, size_t count, uint64_t mask)
{
    return radix_sort_64(a, b, count, mask);
}
