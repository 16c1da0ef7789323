/* turns.h - limits how many devices of a group run kernels at the same time, for drivers with a race */
#ifndef CLSORT_GROUP_TURNS_H
#define CLSORT_GROUP_TURNS_H

#include "device/caps.h"

/* Waits until fewer than caps->max_working devices have a turn, and takes one; returns at once if max_working is 0.
 * All groups of the process share the turns. A thread that has a turn takes no other one. */
void cls_turn_begin(const struct cls_caps *caps);

/* Ends the turn of a device. */
void cls_turn_end(const struct cls_caps *caps);

#endif
