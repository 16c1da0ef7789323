/* alloc.h - the allocators under the objects that are linked with --wrap (see fault_wraps in CMakeLists.txt)
 *
 * What the driver and the C library allocate for themselves is neither counted nor failed. Programs that
 * know nothing of faults are told by CLSORT_FAULT_ALLOC, in the manner of point.h. */
#ifndef CLSORT_TESTS_FAULT_ALLOC_H
#define CLSORT_TESTS_FAULT_ALLOC_H

#include "point.h"

struct fault_point *fault_alloc(void);

/* Blocks of memory, mutexes and mappings that are held. */
long fault_alloc_live(void);

#endif
