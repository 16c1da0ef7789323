/* stable.h - the library clsort-keys: which of clsort's algorithms are stable */
#ifndef CLSORT_TOOLS_STABLE_H
#define CLSORT_TOOLS_STABLE_H

#include <stdbool.h>
#include <string.h>

/* Returns whether the algorithm keeps the order of equal keys. algorithm: as in clsort_desc, with
 * or without parameters. */
static inline bool stable_by_name(const char *algorithm)
{
    static const char *const unstable[] = {"bitonic", "quick"};
    for (size_t i = 0; algorithm && i < sizeof unstable / sizeof *unstable; i++)
        if (strncmp(algorithm, unstable[i], strlen(unstable[i])) == 0)
            return false;
    return true;
}

#endif
