/* words.c - sorts unsigned words in host memory, in the calling thread: portable code
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

const struct cls_words cls_words_portable = {summarise_32, summarise_64, sort_32, sort_64};

const struct cls_words *cls_words_best(void)
{
    const struct cls_words *avx512 = cls_words_avx512(), *avx2 = cls_words_avx2();
    return avx512 ? avx512 : avx2 ? avx2 : &cls_words_portable;
}
