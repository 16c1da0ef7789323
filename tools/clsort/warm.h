/* warm.h - clsort --warm */
#ifndef CLSORT_TOOLS_WARM_H
#define CLSORT_TOOLS_WARM_H

#include <clsort.h>

/* Compiles, or loads, and tests the programs of clsort_host for a sort on arrays of every size that
 * the device can hold. */
clsort_status warm(clsort_engine *engine, cl_device_id device, const clsort_desc *desc,
                   size_t key_size);

#endif
