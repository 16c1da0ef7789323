/* 06_top_k.c - find the ten best of many scores, and the median, without a sort of all */
#include "need.h"

enum { COUNT = 1000000, BEST = 10 };

/* Fills the scores with pseudo-random numbers from 0 to 100. */
static void fill(float *scores)
{
    uint32_t state = 1;
    for (size_t i = 0; i < COUNT; i++) {
        state = state * 1664525u + 1013904223u;
        scores[i] = (float)(state >> 8) / (float)(1 << 24) * 100;
    }
}

/* Returns the median: the key that would be in the middle of the sorted scores. */
static float median(const float *scores)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    float found;
    desc.key = CLSORT_F32;
    desc.operation = CLSORT_NTH;
    /* Without an engine, the calling thread finds it. */
    need(clsort_host_select(NULL, NULL, &desc, COUNT, scores, NULL, COUNT / 2, &found, NULL, NULL),
         "clsort_host_select");
    return found;
}

int main(void)
{
    float *scores = malloc(COUNT * sizeof *scores);
    float best[BEST];
    size_t winners[BEST];
    if (!scores)
        return EXIT_FAILURE;
    fill(scores);

    /* The largest scores, the largest first, and their indexes. */
    need(clsort_array_top(CLSORT_F32, CLSORT_DESCENDING, COUNT, scores, NULL, 0, BEST, best, NULL,
                          winners),
         "clsort_array_top");
    for (size_t i = 0; i < BEST; i++)
        printf("%2zu. score %9.5f of competitor %zu\n", i + 1, (double)best[i], winners[i]);
    printf("median %.5f\n", (double)median(scores));

    /* No score is better than the last of the winners, unless it is among them. */
    size_t better = 0;
    for (size_t i = 0; i < COUNT; i++)
        better += scores[i] > best[BEST - 1];
    const int is_right = better < BEST && scores[winners[0]] == best[0];
    free(scores);
    return is_right ? EXIT_SUCCESS : EXIT_FAILURE;
}
