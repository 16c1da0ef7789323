/* inputs.h - the input files of a run */
#ifndef CLSORT_TOOLS_INPUTS_H
#define CLSORT_TOOLS_INPUTS_H

#include "job.h"

/* All functions that return bool print an error and return false on failure. */

/* Opens the inputs, which are operands or listed by the file of --files0-from, and describes the sort by their type and
 * the options. The caller calls input_close for the first one and inputs_close, in either case. */
bool inputs_open(struct job *job);

/* Counts the elements of all inputs, and describes these for the engine of external sorts. */
bool inputs_count(struct job *job);

/* Returns the number of counted inputs that have elements. */
size_t inputs_filled(const struct job *job);

void inputs_close(struct job *job);

#endif
