/* phase_text.h - the name of a phase, for people and as JSON */
#ifndef CLSORT_TOOLS_PHASE_TEXT_H
#define CLSORT_TOOLS_PHASE_TEXT_H

#include "phase.h"

#include <cjson/cJSON.h>
#include <stdbool.h>

enum { PHASE_TITLE_SIZE = 48 };

/* Formats the name as "merging, pass 1 of 2". */
void phase_title(char title[PHASE_TITLE_SIZE], const struct phase *phase);

/* Creates an object with the members "phase" and, of several passes, "pass" and "passes". Returns NULL if memory runs
 * out. */
cJSON *phase_json(const struct phase *phase);

#endif
