/* list.h - the OpenCL devices, in words */
#ifndef CLSORT_TOOLS_LIST_H
#define CLSORT_TOOLS_LIST_H

#include <stdbool.h>

/* Prints all devices in the order in which clsort_find_device counts. Reports its own trouble. */
bool list_devices(void);

#endif
