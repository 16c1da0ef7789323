/* counting.h - clsort-external: keys of 8 or 16 bits are counted, in one read and one write */
#ifndef CLSORT_EXTERNAL_COUNTING_H
#define CLSORT_EXTERNAL_COUNTING_H

#include "external.h"
#include "io.h"

/* Counts the keys of the inputs, and writes as many to the output. Equal keys must be identical. Prints an error and
 * returns false on failure. */
bool counting_sort(struct external *external, struct io *io);

#endif
