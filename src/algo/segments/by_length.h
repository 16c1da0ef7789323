/* by_length.h - segmented sorts on GPUs that sort short and long segments in different ways: tiny ones
 * in registers (cl/segments/tiny.cl), all others as buckets of MSD radix sort (cl/segments/long.cl) */
#ifndef CLSORT_ALGO_SEGMENTS_BY_LENGTH_H
#define CLSORT_ALGO_SEGMENTS_BY_LENGTH_H

#include "algo/segments/segments.h"

/* Sets segments->by_length, and returns true, if the device supports this for `wanted` elements. Then
 * segments->max_count may become smaller. */
bool cls_segments_by_length_for(const struct cls_caps *caps, uint64_t wanted,
                                struct cls_segments *segments);

/* Returns the number of elements of a tile. */
uint64_t cls_segments_by_length_tile(void);

/* Sets the sizes of the regions CLS_SEGMENTS_FIRSTS, CLS_SEGMENTS_MSD_CONTROL and
 * CLS_SEGMENTS_MSD_TABLES. */
void cls_segments_by_length_scratch(const struct cls_segments *segments, uint64_t count,
                                    uint64_t *region_bytes);

/* Describes the programs, and returns their number. */
size_t cls_segments_by_length_programs(const struct cls_segments *segments,
                                       struct cls_program_spec *programs);

/* Sorts the segments of the list, or rows of `row` elements. */
cl_int cls_segments_by_length_enqueue(const cl_kernel *kernels, const struct cls_segments *segments,
                                      const struct cls_segments_job *job, uint64_t row,
                                      struct cls_chain *chain);

#endif
