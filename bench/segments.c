/* segments.c - the segments of --op segments */
#include "segments.h"

#include "bits.h"

#include <stdlib.h>
#include <string.h>

static const char *const NAMES[] = {"equal", "uniform", "zipf"};

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
static void make_zipf(size_t count, size_t number, uint64_t *lengths)
{
    double sum = 0;
    uint64_t random = 1;
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

uint64_t *segments_make(enum segments_dist dist, size_t length, size_t count, size_t *number)
{
    const size_t max = count / length + (count % length != 0);
    uint64_t *offsets = malloc((max + 1) * sizeof *offsets);
    uint64_t random = 2, at = 0;
    *number = max;
    if (!offsets)
        return NULL;
    if (dist == SEGMENTS_ZIPF)
        make_zipf(count, max, offsets);
    for (size_t i = 0; i < max; i++) {
        const uint64_t own = dist == SEGMENTS_EQUAL ? length
                             : dist == SEGMENTS_ZIPF
                                 ? offsets[i]
                                 : bits_mix(random += BITS_GAMMA) % (2 * (uint64_t)length + 1);
        offsets[i] = at;
        at = own < count - at ? at + own : count;
    }
    offsets[max] = count; /* the last segment has what is left */
    return offsets;
}
