/* inputs.h - the list of the input files of a run, if there are several */
#ifndef CLSORT_TOOLS_INPUTS_H
#define CLSORT_TOOLS_INPUTS_H

#include "job.h"

/* All functions that return bool print an error and return false on failure. */

/* Determines the names of the inputs: operands, or what the file of --files0-from lists. The caller calls inputs_close
 * in either case. */
bool inputs_list(struct job *job);

/* Opens the inputs after the first one, which is open, and checks that all have elements of the same type. */
bool inputs_open_others(struct job *job, const struct data_type *type, bool force);

/* Counts the elements of all inputs, and describes these for the engine of external sorts. */
bool inputs_count(struct job *job);

/* Returns the number of counted inputs that have elements. */
size_t inputs_filled(const struct job *job);

void inputs_close(struct job *job);

#endif
