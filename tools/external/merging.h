/* merging.h - clsort-external: inputs that are in order become the runs of a merge */
#ifndef CLSORT_EXTERNAL_MERGING_H
#define CLSORT_EXTERNAL_MERGING_H

#include "external.h"
#include "io.h"
#include "runs.h"

/* Makes each input that has elements a run, of whose blocks only the last elements are read. Prints an error and
 * returns false on failure. */
bool merging_list_runs(const struct external *external, struct io *io, struct runs *runs);

#endif
