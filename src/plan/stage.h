/* stage.h - one algorithm's compiled kernels, and the gather after them: what sorts one range of counts */
#ifndef CLSORT_PLAN_STAGE_H
#define CLSORT_PLAN_STAGE_H

#include "algo/gather/gather.h"
#include "plan/choose.h"

struct cls_stage {
    struct cls_choice choice;
    struct cls_gather gather;
    cl_kernel kernels[CLS_MAX_KERNELS];
    cl_kernel gather_kernels[CLS_MAX_KERNELS];
    uint64_t
        scratch_of_fewer; /* bytes: the largest scratch of the counts that earlier stages serve */
    char rejected[256];   /* what would be faster and fails here: "cpu: key 7 of 33 is wrong" */
};

/* What one count needs, computed once per sort. */
struct cls_layout {
    struct cls_schedule schedule;
    size_t regions; /* the algorithm's, and the gather's index behind them */
    uint64_t region_bytes[CLS_MAX_REGIONS + 1]; /* multiples of CLS_REGION_ALIGNMENT */
    uint64_t total;                             /* bytes */
};

/* The programs that stage->choice needs, those of the gather last; returns how many. Pure. */
enum { CLS_MAX_STAGE_PROGRAMS = CLS_MAX_PROGRAMS + 1 };
size_t cls_stage_programs(const struct cls_caps *caps, const struct cls_choice *choice,
                          size_t value_bytes, struct cls_program_spec *programs);

/* Compiles what stage->choice names, within the limits of caps. On failure there is nothing to release. */
cl_int cls_stage_prepare(struct cls_device *device, const struct cls_caps *caps, size_t value_bytes,
                         struct cls_stage *stage);
void cls_stage_release(struct cls_stage *stage);

/* Lays out scratch for count elements. Pure. */
struct cls_layout cls_stage_layout(const struct cls_stage *stage, uint64_t count);

/* The cost model of a sort of count elements, out of place, per element. */
uint64_t cls_stage_bytes_per_element(const struct cls_stage *stage, uint64_t count);

/* Enqueues a sort; layout is that of arrays->count. scratch.mem NULL: a buffer is made for this sort. */
cl_int cls_stage_enqueue(const struct cls_device *device, const struct cls_stage *stage,
                         const struct cls_layout *layout, const struct cls_arrays *arrays,
                         clsort_buffer scratch, struct cls_chain *chain);

#endif
