/* ladder.h - the ladder of a kind of sort: which algorithm is used up to which count */
#ifndef CLSORT_TOOLS_LADDER_H
#define CLSORT_TOOLS_LADDER_H

#include "measure.h"

#include <stdio.h>

/* Prints the ladder in the format of the tune file, such as "bitonic 4096; merge". At least one
 * count must have been measured. */
void ladder_print(const struct measurement *measurement, FILE *stream);

#endif
