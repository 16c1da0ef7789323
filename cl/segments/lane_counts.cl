// lane_counts.cl - the results of comparisons as numbers, to count keys in each lane of a vector
#ifndef CLSORT_SEGMENTS_LANE_COUNTS_CL
#define CLSORT_SEGMENTS_LANE_COUNTS_CL

#include "common/types.cl"

// A comparison of vectors is -1 in the lanes where it is true, and 0 elsewhere. (Oclgrind converts the
// results of such comparisons correctly only if they are signed, so that they have to be added.)
#if KEY_BYTES == 1
#define AS_LANE_COUNTS as_uchar16
#elif KEY_BYTES == 2
#define AS_LANE_COUNTS as_ushort16
#elif KEY_BYTES == 4
#define AS_LANE_COUNTS as_uint16
#else
#define AS_LANE_COUNTS as_ulong16
#endif

#endif
