/* prepare.h - what precedes a sort: opens the device, reads the input and chooses the pieces */
#ifndef CLSORT_TOOLS_PREPARE_H
#define CLSORT_TOOLS_PREPARE_H

#include "job.h"
#include "stats.h"

/* Prepares the sort of the open input: sets the members of the job from count on, and device. Sets
 * setup_s and read_s of the stats. Prints an error and returns false on failure. */
bool prepare(struct job *job, struct stats *stats);

/* Opens the device unless the host sorts, which cannot evaluate the expression of --less. Prints an error and returns
 * false on failure. */
bool prepare_open_device(struct job *job);

/* Describes the sort of a piece in job->plan, which compiles its programs. Prints an error and returns false on
 * failure. */
bool prepare_describe(struct job *job);

#endif
