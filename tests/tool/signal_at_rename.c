/* signal_at_rename.c - for LD_PRELOAD: rename of a temporary file first raises the signal
 * CLSORT_TEST_SIGNAL_AT_RENAME */
#include "next.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int rename(const char *from, const char *to)
{
    int (*next)(const char *, const char *);
    const char *number = getenv("CLSORT_TEST_SIGNAL_AT_RENAME");

    if (number != NULL && strstr(from, "/.clsort-") != NULL) /* drivers rename other files */
        raise(atoi(number));
    next_function("rename", &next);
    return next(from, to);
}
