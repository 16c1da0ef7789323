/* forming.h - clsort-external: the first pass: reads the inputs, and sorts them in runs */
#ifndef CLSORT_EXTERNAL_FORMING_H
#define CLSORT_EXTERNAL_FORMING_H

#include "external.h"
#include "io.h"
#include "runs.h"
#include "store.h"

/* Forms the runs, and opens the store if there is more than one. Elements that fit in one run, or that are in order
 * throughout, are written to the output instead; *is_done then becomes true. Prints an error and returns false on
 * failure. */
bool forming_run(struct external *external, struct io *io, struct store *store, struct runs *runs,
                 bool *is_done);

#endif
