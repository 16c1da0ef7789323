/* header.h - the header of the output, if the input has one */
#ifndef CLSORT_TOOLS_HEADER_H
#define CLSORT_TOOLS_HEADER_H

#include "job.h"

/* Returns the header of the output, which is formatted in `text` unless it is that of the input. kept: with --unique,
 * the number of keys of the output. NULL: none. */
const void *header_of_output(const struct job *job, uint64_t kept, char text[NPY_MAX_HEADER_SIZE],
                             size_t *size);

#endif
