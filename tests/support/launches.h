/* launches.h - a clEnqueueNDRangeKernel that goes before the loader's: it counts, and refuses what some devices
 * refuse
 *
 * Only in programs that are linked with clsort-test-launches. A launch of no work-items is refused in all of
 * them. Whoever relies on a refusal checks that launches were counted: else nothing could have been refused. */
#ifndef CLSORT_TESTS_LAUNCHES_H
#define CLSORT_TESTS_LAUNCHES_H

#include <stddef.h>

extern size_t launches_counted;       /* so far, those refused too */
extern size_t launches_largest_group; /* work-items; larger groups are refused. SIZE_MAX at first */

#endif
