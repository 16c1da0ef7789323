/* columns.h - the kernels of sorts by several columns or by byte strings (cl/columns)
 *
 * This is not an algorithm that a plan can name. plan/columns.h runs its steps, with those of other plans and
 * kernels between them. The host does not wait for the device. */
#ifndef CLSORT_ALGO_COLUMNS_COLUMNS_H
#define CLSORT_ALGO_COLUMNS_COLUMNS_H

#include "algo/common/arguments.h"

struct cls_column_kernels {
    struct cls_spec
        spec; /* value_bytes is the size of an index; count_bytes that of the clamped count of elements */
    bool has_buffers;  /* columns have a buffer each */
    bool is_segmented; /* the elements are in segments of the caller */
    unsigned words;    /* of an element */
    unsigned group_size, units;
    uint64_t max_chunk; /* elements that a work-group may process in a launch */
    uint64_t max_count;
    bool is_for_cores;
};

/* Where a sort is. */
struct cls_columns_job {
    uint64_t count;             /* of elements, or its maximum */
    clsort_buffer count_buffer; /* the clamped count, if the kernels read it */
    struct cls_elements elements;
    clsort_buffer control, chunks, flags, packed;
    clsort_buffer indexes; /* those of the argsort of the packed words, which become the result */
    clsort_buffer segments, list; /* the control block and the list of the sort of segments */
};

/* Where the segments of the caller are, before a sort of them. */
struct cls_columns_segments {
    clsort_buffer control, list; /* of the sort of segments */
    uint64_t row;                /* elements of each row; 0: the segments are in the list */
};

/* Sizes of the regions of scratch. */
struct cls_columns_scratch {
    uint64_t control, chunks, flags, packed;
    uint64_t max_runs; /* maximum number of long runs, which are the segments */
};

/* Returns the kernels for elements of this number of words. Pure. */
struct cls_column_kernels cls_columns_for(const struct cls_caps *caps, const struct cls_spec *spec,
                                          bool has_buffers, unsigned words);

/* Returns the sizes for count elements, which are monotonic in it. Pure. */
struct cls_columns_scratch cls_columns_scratch(uint64_t count);

void cls_columns_program(const struct cls_column_kernels *columns,
                         struct cls_program_spec *program);

/* is_segmented: enqueues the kernel that makes the indexes and marks the borders of segments, which precedes the other
 * steps; and the one that copies the indexes of elements in segments to an output behind them. */
cl_int cls_columns_enter_segments(const cl_kernel *kernels,
                                  const struct cls_column_kernels *columns,
                                  const struct cls_columns_job *job,
                                  const struct cls_columns_segments *segments,
                                  struct cls_chain *chain);
cl_int cls_columns_write_indexes(const cl_kernel *kernels, const struct cls_column_kernels *columns,
                                 const struct cls_columns_job *job, clsort_buffer index_out,
                                 struct cls_chain *chain);

/* Enqueue the steps of a sort: first the packed words, which the caller sorts. Then, from level 0 on for each word
 * but the first, the runs of equal elements and their next words, by which the caller sorts the segments; without long
 * runs, there are no such levels. Last, with the number of levels, the short runs. */
cl_int cls_columns_encode(const cl_kernel *kernels, const struct cls_column_kernels *columns,
                          const struct cls_columns_job *job, struct cls_chain *chain);
cl_int cls_columns_find_runs(const cl_kernel *kernels, const struct cls_column_kernels *columns,
                             const struct cls_columns_job *job, unsigned level,
                             struct cls_chain *chain);
cl_int cls_columns_finish(const cl_kernel *kernels, const struct cls_column_kernels *columns,
                          const struct cls_columns_job *job, unsigned level,
                          struct cls_chain *chain);

#endif
