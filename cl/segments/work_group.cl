// work_group.cl - the program of tiles.cl with a launch for each step
//
// all_rounds.cl is the program for devices on which groups may wait for each other.
#ifndef CLSORT_SEGMENTS_WORK_GROUP_CL
#define CLSORT_SEGMENTS_WORK_GROUP_CL

#include "segments/tiles.cl"

#endif
