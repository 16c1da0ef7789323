/* stable.h - the library clsort-keys: which of clsort's algorithms are stable */
#ifndef CLSORT_TOOLS_STABLE_H
#define CLSORT_TOOLS_STABLE_H

#include <stdbool.h>
#include <string.h>

/* Returns whether the algorithm keeps the order of equal keys. algorithm: as in clsort_desc, with
 * or without parameters. */
static inline bool stable_by_name(const char *algorithm)
{
    static const char unstable[] = "bitonic";
    return !algorithm || strncmp(algorithm, unstable, strlen(unstable)) != 0;
}

#endif
