/* value_arrays.h - the plan of sorts with several arrays of values: an argsort, and a gather for each array */
#ifndef CLSORT_PLAN_VALUE_ARRAYS_H
#define CLSORT_PLAN_VALUE_ARRAYS_H

#include "plan/ladder.h"
#include "plan/value_gather.h"

struct cls_value_sort {
    bool writes_indexes; /* CLSORT_ARGSORT; else the indexes are scratch */
    bool has_gaps;       /* elements in no segment do not move, and have no index */
    unsigned index_bytes;
    unsigned count_bytes; /* size of the count of elements in device memory; 0: the host knows it */
    unsigned count;       /* number of arrays */
    uint64_t max_count;   /* maximum number of elements */
    struct clsort_plan *argsort;
    /* The gather of each array. Its kernels are those of `same`, an array whose values have the same units. */
    struct cls_value_gather gather[CLSORT_MAX_VALUES];
    unsigned same[CLSORT_MAX_VALUES];
    cl_kernel clamp_kernels[CLS_MAX_KERNELS]; /* if the count is in device memory */
    cl_mem control; /* a cls_control_head for the gathers, of input that is not in order */
};

/* Reads the members of a descriptor about arrays of values; the request has all others. */
clsort_status cls_value_arrays_read(const clsort_desc *desc, struct cls_request *request);

/* Appends the sizes of the values to a description of the elements. */
void cls_value_arrays_describe(const struct cls_request *request, struct cls_text *text);

/* Takes the arrays of values from clsort_io. */
clsort_status cls_value_arrays_read_io(const clsort_io *io, const struct cls_request *request,
                                       struct cls_arrays *arrays);

/* Returns whether the values of array i are replaced. */
bool cls_value_array_is_in_place(const struct cls_arrays *arrays, unsigned i);

clsort_status cls_value_sort_create(struct cls_device *device, const struct cls_ladders *ladders,
                                    const struct cls_request *request,
                                    struct cls_value_sort **created);
void cls_value_sort_destroy(struct cls_value_sort *sort);

/* Returns the maximum number of segments of count elements. */
uint64_t cls_value_sort_max_segments(const struct cls_value_sort *sort, uint64_t count);

/* As cls_plan_scratch_bytes(), cls_plan_cost_bytes(), cls_plan_describe() and cls_plan_enqueue(). */
uint64_t cls_value_sort_scratch_bytes(const struct cls_value_sort *sort, uint64_t count);
uint64_t cls_value_sort_cost_bytes(const struct cls_value_sort *sort, uint64_t count);
void cls_value_sort_describe(const struct cls_value_sort *sort, uint64_t count,
                             struct cls_text *text);
cl_int cls_value_sort_enqueue(const struct cls_device *device, const struct cls_value_sort *sort,
                              const struct cls_arrays *arrays, clsort_buffer scratch,
                              struct cls_chain *chain);

#endif
