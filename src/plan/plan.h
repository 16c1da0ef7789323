/* plan.h - a compiled plan: stages that each sort a range of counts */
#ifndef CLSORT_PLAN_PLAN_H
#define CLSORT_PLAN_PLAN_H

#include "plan/columns_input.h"
#include "plan/stage.h"

/* At most: one stage per ladder step, plus two for replacements; all again with 64-bit indexes. */
enum { CLS_MAX_STAGES = 2 * (CLS_MAX_STEPS + 2) };

struct clsort_plan {
    struct cls_device *device; /* a reference of the plan */
    struct cls_request request;
    uint64_t max_count;  /* maximum number of elements */
    uint64_t max_k;      /* of clsort_io.k; UINT64_MAX: no limit */
    uint64_t max_output; /* of elements in the outputs of selections; UINT64_MAX: no limit */
    /* The kind of a plan without stages, and what it consists of; otherwise NULL. */
    const struct cls_unstaged *unstaged;
    struct cls_selection *selection;                 /* CLSORT_SELECT and CLSORT_NTH */
    struct cls_segment_selection *segment_selection; /* the same, from segments */
    struct cls_segmented *segmented;                 /* segmented sorts */
    struct cls_columns_sort *columns;                /* sorts and selections by columns */
    struct cls_value_sort *value_sort;               /* sorts with several arrays of values */
    struct cls_columns_input columns_input;          /* of stages in an order of columns */
    size_t stages;
    /* Each sorts the counts up to its choice.max_count that are too large for the preceding one. */
    struct cls_stage stage[CLS_MAX_STAGES];
};

/* Creates a plan with the properties that clsort_plan_create documents, and its errors. The plan
 * retains the device. */
clsort_status cls_plan_create(struct cls_device *device, const struct cls_ladders *ladders,
                              const struct cls_request *request, struct clsort_plan **plan);
void cls_plan_destroy(struct clsort_plan *plan);

/* Returns an upper bound for the number of elements on the device: their keys alone, or their values
 * alone, would fill its memory. */
uint64_t cls_max_device_count(const struct cls_caps *caps, const struct cls_spec *spec);

/* Appends plan->stage[plan->stages], which the caller has prepared, to the stages in use. Outside
 * plan.c only tests call it. */
void cls_plan_append_stage(struct clsort_plan *plan);

/* Everything that depends on the count of a sort. It is computed once per sort. */
struct cls_sized_stage {
    const struct cls_stage *stage;
    struct cls_layout layout;
    uint64_t scratch_bytes; /* at least layout.total; monotonic in the count */
};

/* Returns the maximum number of segments of count elements. UINT64_MAX: there is no limit, or there are no segments. */
uint64_t cls_plan_max_segments(const struct clsort_plan *plan, uint64_t count);

/* Returns the size of scratch of a sort for count elements in a number of segments, or of the whole array. */
uint64_t cls_plan_segments_scratch_bytes(const struct clsort_plan *plan, uint64_t count,
                                         uint64_t number);

/* Enqueues the operation of a plan. If scratch.mem is NULL, scratch is allocated for this call. */
cl_int cls_plan_enqueue(const struct clsort_plan *plan, const struct cls_arrays *arrays,
                        clsort_buffer scratch, struct cls_chain *chain);

/* Returns the stage, layout and scratch size for a count from 0 to plan->max_count. The plan has
 * stages. Pure. */
struct cls_sized_stage cls_plan_sized_stage(const struct clsort_plan *plan, uint64_t count);

/* The results of clsort_scratch_size, clsort_cost_bytes and clsort_plan_describe, for a count of at
 * most plan->max_count. */
uint64_t cls_plan_scratch_bytes(const struct clsort_plan *plan, uint64_t count);
uint64_t cls_plan_cost_bytes(const struct clsort_plan *plan, uint64_t count);
void cls_plan_describe(const struct clsort_plan *plan, uint64_t count, struct cls_text *text);

#endif
