/* machine.h - the description of the machine in the JSON results */
#ifndef CLSORT_BENCH_MACHINE_H
#define CLSORT_BENCH_MACHINE_H

#include "target.h"

#include <cjson/cJSON.h>

/* Returns {"machine": {...}} with hardware, system, driver, date, and the versions of all
 * contestants; the caller deletes it. NULL: out of memory. */
cJSON *machine_describe(const struct target *target);

#endif
