/* launches.h - replaces the loader's clEnqueueNDRangeKernel, to count launches and refuse what some devices refuse
 *
 * It is in effect in programs that link clsort-test-launches. Launches of no work-items always fail there. Tests
 * that rely on a refusal must check that launches_counted increases: otherwise the replacement is not in effect. */
#ifndef CLSORT_TESTS_LAUNCHES_H
#define CLSORT_TESTS_LAUNCHES_H

#include <clsort.h>
#include <stddef.h>

/* The number of launches, including refused ones. */
extern size_t launches_counted;

/* Launches of larger work-groups are refused. Initially SIZE_MAX. */
extern size_t launches_max_group;

/* What the launches from this number on fail with. Initially CL_SUCCESS: they do not fail. */
extern cl_int launches_error;
extern size_t launches_first_error;     /* counted by launches_counted, from 1 */
extern void (*launches_on_error)(void); /* called before such a launch returns, unless NULL */

#endif
