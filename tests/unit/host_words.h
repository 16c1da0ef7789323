/* host_words.h - the vectorised quicksorts, for a test of their fallback */
#ifndef HOST_WORDS_H
#define HOST_WORDS_H

#include <stddef.h>
#include <stdint.h>

/* Sort count words into a; b is work space. The members are NULL if the compiler does not support the
 * instruction set. The processor must support it. */
struct quicksorts {
    void (*sort_32)(uint32_t *a, uint32_t *b, size_t count, unsigned max_depth);
    void (*sort_64)(uint64_t *a, uint64_t *b, size_t count, unsigned max_depth);
};

extern const struct quicksorts quicksorts_avx2, quicksorts_avx512;

#endif
