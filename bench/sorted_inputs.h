/* sorted_inputs.h - sorts the inputs of operations that need them in order */
#ifndef CLSORT_BENCH_SORTED_INPUTS_H
#define CLSORT_BENCH_SORTED_INPUTS_H

#include "job.h"

/* Sorts the keys of each input, of which there may be only one. Values keep their place, so that their
 * indexes ascend in the first input and then in the second: the verification of stable sorts is right
 * for merges, too. Prints an error and returns false on failure. */
bool sorted_inputs_make(const struct job *job);

#endif
