/* stable.h - which of clsort's algorithms keep the order of elements with equal keys */
#ifndef CLSORT_TOOLS_STABLE_H
#define CLSORT_TOOLS_STABLE_H

#include <stdbool.h>
#include <string.h>

/* algorithm: as in clsort_desc, with or without parameters. */
static inline bool stable_by_name(const char *algorithm)
{
    static const char unstable[] = "bitonic";
    return !algorithm || strncmp(algorithm, unstable, strlen(unstable)) != 0;
}

#endif
