/* explain.h - lines of --explain */
#ifndef CLSORT_TOOLS_EXPLAIN_H
#define CLSORT_TOOLS_EXPLAIN_H

#include "job.h"

/* Prints what the input has, and what the output will have if that is not the same. */
void explain_elements(const struct job *job);

#endif
