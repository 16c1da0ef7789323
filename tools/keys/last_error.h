/* last_error.h - the text of a failure for an error message */
#ifndef CLSORT_TOOLS_LAST_ERROR_H
#define CLSORT_TOOLS_LAST_ERROR_H

#include <clsort.h>

enum { LAST_ERROR_SIZE = 4096 }; /* no text of the library is longer */

/* Returns the sentence of the library if its last call in this thread has failed. Otherwise an OpenCL
 * function that the program calls itself has returned the status: returns the name of the status. */
static inline const char *last_error(clsort_status status, char text[LAST_ERROR_SIZE])
{
    return clsort_last_error(NULL, LAST_ERROR_SIZE, text, NULL) == CLSORT_OK && *text
               ? text
               : clsort_status_string(status);
}

#endif
