/* selecting.h - clsort-external: selections of few elements, in one read */
#ifndef CLSORT_EXTERNAL_SELECTING_H
#define CLSORT_EXTERNAL_SELECTING_H

#include "external.h"
#include "io.h"

/* Writes the selection of the plan, whose `candidates` are not 0, to the output. Nothing is written if the inputs
 * have fewer elements, which is possible for streams only; external->count is their number. Prints an error and returns
 * false on failure. */
bool selecting_run(struct external *external, struct io *io);

#endif
