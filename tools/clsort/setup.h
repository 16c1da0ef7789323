/* setup.h - whether to wait until programs are compiled, and how long set-up has taken */
#ifndef CLSORT_TOOLS_SETUP_H
#define CLSORT_TOOLS_SETUP_H

#include "device.h"
#include "stats.h"

/* Keys of a row that the calling thread sorts in any case, as in clsort_host.h. */
enum { SETUP_MAX_HOST_COUNT = 1 << 15 };

/* Closes the device and lets the host sort if that is done sooner than the programs for rows of up to
 * max_length of all count keys are compiled, unless the device has no engine, is named, or an algorithm
 * is. Adds the times to stats. */
void setup_host_first(struct device *device, const char *name, const clsort_desc *desc,
                      size_t max_length, size_t count, struct stats *stats);

/* Adds the time that the engine has spent on programs and self-tests to stats. */
void setup_add_times(const struct device *device, struct stats *stats);

#endif
