/* columns.h - the plan of sorts, and of selections, by several columns and of byte strings
 *
 * It consists of the kernels of cl/columns, of a plan that sorts pairs of packed words and indexes, of the kernels of a
 * sort of segments (algo/segments/), by which long runs of elements that are equal in their packed words are sorted by
 * their further words, and of a gather of the records (algo/gather/). Selections sort the indexes of all elements, and
 * gather the selected ones. In segments of the caller, a plan of a segmented sort sorts the pairs. All kernels read a
 * count of elements from device memory, which is clamped before (algo/clamp/). */
#ifndef CLSORT_PLAN_COLUMNS_H
#define CLSORT_PLAN_COLUMNS_H

#include "algo/columns/columns.h"
#include "algo/gather/gather.h"
#include "algo/segments/segments.h"
#include "plan/columns_input.h"
#include "plan/ladder.h"
#include "plan/tested.h"

struct clsort_plan;
struct cls_segmented;

struct cls_columns_sort {
    struct cls_column_kernels columns;
    cl_kernel kernels[CLS_MAX_KERNELS];
    struct cls_segments segments; /* of packed words and indexes */
    cl_kernel segment_kernels[CLS_MAX_KERNELS];
    struct cls_gather gather; /* of records */
    cl_kernel gather_kernels[CLS_MAX_KERNELS];
    unsigned count_bytes; /* size of the count of elements in device memory; 0: the host knows it */
    cl_kernel clamp_kernels[CLS_MAX_KERNELS];
    struct clsort_plan *sort; /* the argsort of packed words; NULL with segments of the caller */
    struct cls_segmented *segmented; /* the sort of packed words in these; NULL without them */
    struct cls_columns_input input;
    uint64_t max_count;
    uint64_t max_k;      /* CLSORT_SELECT: maximum number of selected elements */
    bool writes_indexes; /* CLSORT_ARGSORT */
    bool selects;        /* the outputs have the first elements, or one element, in the order */
};

/* Creates the plan: compiles and tests its kernels. Errors as clsort_plan_create. */
clsort_status cls_columns_sort_create(struct cls_device *device, const struct cls_ladders *ladders,
                                      const struct cls_request *request,
                                      struct cls_columns_sort **columns);
void cls_columns_sort_destroy(struct cls_columns_sort *columns); /* NULL is allowed */

/* Returns the maximum number of segments of count elements. */
uint64_t cls_columns_sort_max_segments(const struct cls_columns_sort *columns, uint64_t count);

/* Returns the size of scratch for count elements in a number of segments. */
uint64_t cls_columns_sort_scratch_for(const struct cls_columns_sort *columns, uint64_t count,
                                      uint64_t number);

/* The results of clsort_scratch_size, clsort_cost_bytes and clsort_plan_describe. */
uint64_t cls_columns_sort_scratch_bytes(const struct cls_columns_sort *columns, uint64_t count);
uint64_t cls_columns_sort_cost_bytes(const struct cls_columns_sort *columns, uint64_t count);
void cls_columns_sort_describe(const struct cls_columns_sort *columns, uint64_t count,
                               struct cls_text *text);

/* Enqueues the sort. If scratch.mem is NULL, scratch is allocated for this call. */
cl_int cls_columns_sort_enqueue(const struct cls_device *device,
                                const struct cls_columns_sort *columns,
                                const struct cls_arrays *arrays, clsort_buffer scratch,
                                struct cls_chain *chain);

#endif
