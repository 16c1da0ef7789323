/* need.h - error handling of the examples: prints the call that failed and why, and exits */
#ifndef CLSORT_EXAMPLES_NEED_H
#define CLSORT_EXAMPLES_NEED_H

#include <clsort.h>
#include <stdio.h>
#include <stdlib.h>

/* Error codes of OpenCL are also values of clsort_status, so that this works for calls of both libraries. */
static inline void need(clsort_status status, const char *call)
{
    char text[4096] = "";

    if (status == CLSORT_OK)
        return;
    clsort_last_error(NULL, sizeof text, text, NULL); /* empty after a failure of OpenCL */
    fprintf(stderr, "%s: %s\n", call, *text ? text : clsort_status_string(status));
    exit(EXIT_FAILURE);
}

#endif
