/* need.h - the examples' way with errors: say which call failed and how, and give up */
#ifndef CLSORT_EXAMPLES_NEED_H
#define CLSORT_EXAMPLES_NEED_H

#include <clsort.h>
#include <stdio.h>
#include <stdlib.h>

/* OpenCL's codes are clsort_status values too, so this serves for both kinds of call. */
static inline void need(clsort_status status, const char *call)
{
    if (status == CLSORT_OK)
        return;
    fprintf(stderr, "%s: %s\n", call, clsort_status_string(status));
    exit(EXIT_FAILURE);
}

#endif
