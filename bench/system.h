/* system.h - the facts about a machine that the JSON results of all benchmarks have */
#ifndef CLSORT_BENCH_SYSTEM_H
#define CLSORT_BENCH_SYSTEM_H

#include <cjson/cJSON.h>
#include <stdbool.h>

/* Adds the date, the processor, its cores, the kernel, the version of clsort and the compiler. Returns false if memory
 * runs out. */
bool system_describe(cJSON *facts);

#endif
