/* alloc.h - wrappers of the allocators, for objects that are linked with --wrap (fault_wraps in CMakeLists.txt)
 *
 * Allocations of the driver and the C library for themselves are neither counted nor made to fail. The variable
 * CLSORT_FAULT_ALLOC arms the point in programs that are not written for fault injection, as point.h explains. */
#ifndef CLSORT_TESTS_FAULT_ALLOC_H
#define CLSORT_TESTS_FAULT_ALLOC_H

#include "point.h"

struct fault_point *fault_alloc(void);

/* Returns the number of memory blocks, mutexes and mappings that have not been released. */
long fault_alloc_live(void);

#endif
