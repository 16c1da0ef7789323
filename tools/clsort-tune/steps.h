/* steps.h - a ladder from a race: which algorithm up to how many elements */
#ifndef CLSORT_TOOLS_STEPS_H
#define CLSORT_TOOLS_STEPS_H

#include "race.h"

#include <stdio.h>

/* Prints the ladder as the library reads it, "bitonic 4096; merge". At least one size has been measured. */
void steps_print(const struct race *race, FILE *stream);

#endif
