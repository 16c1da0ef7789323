/* plan.h - a compiled plan: for each range of counts the chosen algorithm with its kernels */
#ifndef CLSORT_PLAN_PLAN_H
#define CLSORT_PLAN_PLAN_H

#include "plan/stage.h"

/* A ladder's steps, two algorithms for what they cannot do, one of which serves few elements only, and all of
 * them again with wider indexes. */
enum { CLS_MAX_STAGES = 2 * (CLS_MAX_STEPS + 2) };

struct clsort_plan {
    struct cls_device *device; /* a reference */
    struct cls_request request;
    uint64_t max_count; /* that it can sort */
    size_t stages;
    struct cls_stage stage[CLS_MAX_STAGES]; /* each for the counts up to choice.max_count that the
                                                one before does not serve */
};

clsort_status cls_plan_create(struct cls_device *device, const struct cls_ladders *ladders,
                              const struct cls_request *request, struct clsort_plan **plan);
void cls_plan_destroy(struct clsort_plan *plan);

/* The stage behind the last one is complete: the plan serves its counts, too. */
void cls_plan_append_stage(struct clsort_plan *plan);

/* What a sort of one count needs, computed once and handed down. */
struct cls_plan_step {
    const struct cls_stage *stage;
    struct cls_layout layout;
    uint64_t scratch_bytes; /* what clsort_scratch_size returns */
};

/* count is at least 1 and at most plan->max_count. */
struct cls_plan_step cls_plan_step(const struct clsort_plan *plan, uint64_t count);

/* count is at most plan->max_count in these. */
uint64_t cls_plan_scratch_bytes(const struct clsort_plan *plan, uint64_t count);
uint64_t cls_plan_cost_bytes(const struct clsort_plan *plan, uint64_t count);
void cls_plan_describe(const struct clsort_plan *plan, uint64_t count, struct cls_text *text);

/* Adds what is sorted: "u32 desc + 4 bytes". */
void cls_request_describe(const struct cls_request *request, struct cls_text *text);

#endif
