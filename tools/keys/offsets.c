/* offsets.c - offsets of generated segments */
#include "offsets.h"

#include "bits.h"

#include <stdlib.h>
#include <string.h>

static const char *const NAMES[] = {"equal", "uniform", "zipf", "mixed"};

const char *segments_dist_name(enum segments_dist dist)
{
    return NAMES[dist];
}

bool segments_dist_find(const char *name, enum segments_dist *dist)
{
    for (int i = 0; i < SEGMENTS_DIST_COUNT; i++)
        if (strcmp(name, NAMES[i]) == 0) {
            *dist = (enum segments_dist)i;
            return true;
        }
    return false;
}

/* Sets lengths[r] to that of the segment of rank r + 1, and shuffles them (Fisher and Yates). */
static void make_zipf(size_t count, size_t number, uint64_t random, uint64_t *lengths)
{
    double sum = 0;
    for (size_t r = 0; r < number; r++)
        sum += 1.0 / (double)(r + 1);
    for (size_t r = 0; r < number; r++)
        lengths[r] = (uint64_t)((double)count / sum / (double)(r + 1));
    for (size_t r = number; r > 1; r--) {
        const size_t other = (size_t)(bits_mix(random += BITS_GAMMA) % r);
        const uint64_t length = lengths[r - 1];
        lengths[r - 1] = lengths[other];
        lengths[other] = length;
    }
}

/* Returns the length of a segment of SEGMENTS_UNIFORM or SEGMENTS_MIXED, given random bits. */
static uint64_t random_length(enum segments_dist dist, uint64_t mean, uint64_t random)
{
    enum { TINY = 8, LONG = 26 };
    const uint64_t kind = random % 16, max = 2 * mean;
    if (dist == SEGMENTS_UNIFORM)
        return random % (max + 1);
    random /= 16;
    if (kind < 12)
        return random % ((max < TINY ? max : TINY) + 1);
    return random % ((kind < 15 ? max : LONG * mean) + 1);
}

uint64_t *segments_make(enum segments_dist dist, size_t length, uint64_t seed, size_t count,
                        size_t *number)
{
    const size_t max = count / length + (count % length != 0);
    uint64_t *offsets = malloc((max + 1) * sizeof *offsets);
    uint64_t random = bits_mix(seed), at = 0;
    *number = max;
    if (!offsets)
        return NULL;
    if (dist == SEGMENTS_ZIPF)
        make_zipf(count, max, random + 1, offsets);
    random += 2;
    for (size_t i = 0; i < max; i++) {
        const uint64_t own = dist == SEGMENTS_EQUAL ? length
                             : dist == SEGMENTS_ZIPF
                                 ? offsets[i]
                                 : random_length(dist, length, bits_mix(random += BITS_GAMMA));
        offsets[i] = at;
        at = own < count - at ? at + own : count;
    }
    offsets[max] = count; /* the last segment has what is left */
    return offsets;
}
