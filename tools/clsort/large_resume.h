/* large_resume.h - which sort clsort --resume continues, and in how much memory */
#ifndef CLSORT_TOOLS_LARGE_RESUME_H
#define CLSORT_TOOLS_LARGE_RESUME_H

#include "job.h"

/* All functions do nothing without --resume. Those that return bool print an error and return false on failure. */

/* Opens the folder, and checks that an interrupted sort in it has the same options. */
bool large_resume_open(struct job *job);

/* Checks that an interrupted sort has the same inputs, and that the memory suffices for it. */
bool large_resume_check(struct job *job, uint64_t memory);

/* Returns the memory from which the sort is planned. */
uint64_t large_resume_memory(const struct job *job, uint64_t memory);

#endif
