/* stage.h - one algorithm's compiled kernels with the gather behind them: what sorts one range of counts */
#ifndef CLSORT_PLAN_STAGE_H
#define CLSORT_PLAN_STAGE_H

#include "algo/gather.h"
#include "plan/choose.h"

struct cls_stage {
    struct cls_choice choice;
    struct cls_gather gather;
    cl_kernel kernels[CLS_MOST_KERNELS];
    cl_kernel gather_kernels[CLS_MOST_KERNELS];
    char passed_over[256]; /* what would be better and fails here: "cpu: key 7 of 33 is wrong" */
};

/* Compiles what stage->choice names, for the limits in caps. On failure there is nothing to release. */
cl_int cls_stage_prepare(struct cls_device *device, const struct cls_caps *caps, size_t value_bytes,
                         struct cls_stage *stage);
void cls_stage_release(struct cls_stage *stage);

uint64_t cls_stage_scratch_bytes(const struct cls_stage *stage, uint64_t count);
/* For each of count elements, out of place. */
uint64_t cls_stage_traffic(const struct cls_stage *stage, uint64_t count);
/* scratch.mem NULL: to be made for this sort. */
cl_int cls_stage_enqueue(const struct cls_device *device, const struct cls_stage *stage,
                         const struct cls_places *places, clsort_buffer scratch,
                         struct cls_chain *chain);

#endif
