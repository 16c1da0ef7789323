/* unstaged.h - plans without stages: a table of their kinds
 *
 * Such a plan consists of kernels of its own and of other plans. struct clsort_plan has a member for each kind, of
 * which at most one is not NULL. The functions of plan.h call those of the kind. */
#ifndef CLSORT_PLAN_UNSTAGED_H
#define CLSORT_PLAN_UNSTAGED_H

#include "plan/plan.h"

struct cls_unstaged {
    /* Sets the member of the plan and its maximum numbers. */
    clsort_status (*create)(struct clsort_plan *plan, const struct cls_ladders *ladders);
    void (*destroy)(struct clsort_plan *plan); /* also after create has failed */

    /* As the functions cls_plan_*. describe appends what follows the request. */
    uint64_t (*scratch_bytes)(const struct clsort_plan *plan, uint64_t count);
    uint64_t (*cost_bytes)(const struct clsort_plan *plan, uint64_t count);
    void (*describe)(const struct clsort_plan *plan, uint64_t count, struct cls_text *text);
    cl_int (*enqueue)(const struct clsort_plan *plan, const struct cls_arrays *arrays,
                      clsort_buffer scratch, struct cls_chain *chain);
    uint64_t (*max_segments)(const struct clsort_plan *plan, uint64_t count); /* NULL: no limit */
};

/* Segmented sorts, and sorts with a count in device memory that no algorithm reads. */
extern const struct cls_unstaged cls_unstaged_segmented;

/* Returns the kind of plans for a request. NULL: these have stages. */
const struct cls_unstaged *cls_unstaged_for(const struct cls_request *request);

#endif
