/* devices.h - clsort --devices: sorts on several devices */
#ifndef CLSORT_TOOLS_DEVICES_H
#define CLSORT_TOOLS_DEVICES_H

#include "job.h"

/* All functions that return bool print an error and return false on failure. Without --devices they do nothing. */

/* Creates a group of the devices; job->device is open, and is the first of them. */
bool devices_open(struct job *job);

/* Checks that the input, which is sorted in runs if is_large, or else has been read, is one array in memory. */
bool devices_support(const struct job *job, bool is_large);

/* Prints once for each device that it has failed in the last sort, where others have done its work. */
void devices_print_failures(struct job *job);

/* Returns the name of the device or, of several ones, that of the first one and the number of others. The caller frees
 * it. NULL if memory is short or there is no device. */
char *devices_title(const struct job *job);

#endif
