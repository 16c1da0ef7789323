/* group.h - the group of devices that takes part in sorts of host arrays */
#ifndef CLSORT_BENCH_GROUP_H
#define CLSORT_BENCH_GROUP_H

#include "options.h"

/* Creates target->group: of the devices of options->group or, if options->sub_devices is not 0, of this number of
 * sub-devices of the target's device. Without either it does nothing. Prints an error and returns false on failure.
 * group_close is called in either case, before target_close. */
bool group_open(const struct options *options, struct target *target);
void group_close(struct target *target);

#endif
