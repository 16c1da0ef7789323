/* host_words_avx512.c - calls the static functions of words_avx512.c */
#include "host/words_avx512.c"

#include "host_words.h"

#ifdef VECTOR

static void sort_to_depth_32(uint32_t *a, uint32_t *b, size_t count, unsigned max_depth)
{
    quicksort_32(a, b, count, max_depth);
}

static void sort_to_depth_64(uint64_t *a, uint64_t *b, size_t count, unsigned max_depth)
{
    quicksort_64(a, b, count, max_depth);
}

const struct quicksorts quicksorts_avx512 = {sort_to_depth_32, sort_to_depth_64};

#else

const struct quicksorts quicksorts_avx512 = {NULL, NULL};

#endif
