/* need.h - error handling of the examples: prints the call that failed and its status, and exits */
#ifndef CLSORT_EXAMPLES_NEED_H
#define CLSORT_EXAMPLES_NEED_H

#include <clsort.h>
#include <stdio.h>
#include <stdlib.h>

/* Error codes of OpenCL are also values of clsort_status, so that this works for calls of both libraries. */
static inline void need(clsort_status status, const char *call)
{
    if (status == CLSORT_OK)
        return;
    fprintf(stderr, "%s: %s\n", call, clsort_status_string(status));
    exit(EXIT_FAILURE);
}

#endif
