/* selection.h - --top, --bottom and --nth: selects the first elements of each row or segment, or one of them */
#ifndef CLSORT_TOOLS_SELECTION_H
#define CLSORT_TOOLS_SELECTION_H

#include "job.h"

/* All functions that return bool print an error and return false on failure. */

/* Checks that each row of the open input has as many keys as the option wants, and each segment the key of
 * --nth. */
bool selection_is_possible(const struct job *job);

/* Returns the bytes of the keys or indexes of all rows of the output. */
size_t selection_size(const struct job *job);

/* Allocates job->selected for the keys or indexes of all rows. */
bool selection_allocate(struct job *job);
void selection_free(struct job *job);

/* Selects from all rows. */
bool selection_run(struct job *job);

/* Returns the array of the output, with the type of the keys. */
struct npy_array selection_array(const struct job *job);

/* Prints what --explain says about the output. */
void selection_explain(const struct job *job);

#endif
