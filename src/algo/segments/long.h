/* long.h - how long segments are sorted on GPUs: as buckets of MSD radix sort (cl/segments/long.cl) */
#ifndef CLSORT_ALGO_SEGMENTS_LONG_H
#define CLSORT_ALGO_SEGMENTS_LONG_H

#include "algo/segments/segments.h"

/* Sets segments->msd, and returns true, if MSD radix sort can sort segments of more than
 * segments->max_short elements on this device. */
bool cls_long_segments_for(const struct cls_caps *caps, struct cls_segments *segments);

/* Sets the sizes of the regions CLS_SEGMENTS_MSD_CONTROL and CLS_SEGMENTS_MSD_TABLES. */
void cls_long_segments_scratch(const struct cls_segments *segments, uint64_t count,
                               uint64_t *region_bytes);

/* Describes the programs, and returns their number. */
size_t cls_long_segments_programs(const struct cls_segments *segments,
                                  struct cls_program_spec *programs);

/* Sorts the long ones of the segments in the list, or of the rows of this length. */
cl_int cls_long_segments_enqueue(const cl_kernel *kernels, const struct cls_segments *segments,
                                 const struct cls_segments_job *job, uint64_t row,
                                 struct cls_chain *chain);

#endif
