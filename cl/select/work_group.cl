// work_group.cl - the program of tiles.cl with a launch for each step
//
// all_rounds.cl is the program for devices on which groups may wait for each other.
#ifndef CLSORT_SELECT_WORK_GROUP_CL
#define CLSORT_SELECT_WORK_GROUP_CL

#include "select/tiles.cl"

#endif
