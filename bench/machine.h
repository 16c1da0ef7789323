/* machine.h - what has to be known of a machine to read figures from it */
#ifndef CLSORT_BENCH_MACHINE_H
#define CLSORT_BENCH_MACHINE_H

#include "target.h"

#include <cjson/cJSON.h>

/* {"machine": {...}}: hardware, system, driver, versions of whatever is measured, and the date. NULL: out of memory. */
cJSON *machine_describe(const struct target *target);

#endif
