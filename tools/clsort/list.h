/* list.h - clsort --list-devices */
#ifndef CLSORT_TOOLS_LIST_H
#define CLSORT_TOOLS_LIST_H

#include <stdbool.h>

/* Prints all OpenCL devices in the order of the indexes of clsort_find_device, each with its
 * self-test. Prints an error and returns false on failure. */
bool list_devices(void);

#endif
