/* stage.h - the part of a plan that sorts a range of counts: a chosen algorithm with its kernels */
#ifndef CLSORT_PLAN_STAGE_H
#define CLSORT_PLAN_STAGE_H

#include "plan/choose.h"

struct cls_stage {
    struct cls_choice choice;
    cl_kernel kernels[CLS_MAX_KERNELS];
    cl_kernel gather_kernels[CLS_MAX_KERNELS];
    cl_kernel clamp_kernels[CLS_MAX_KERNELS]; /* if the count is in device memory */
    uint64_t max_scratch_bytes;               /* scratch for any count up to choice.max_count */
    char excluded[256]; /* preferred algorithms that failed: "cpu: key 7 of 33 is wrong" */
};

enum { CLS_MAX_STAGE_REGIONS = CLS_MAX_REGIONS + 2 };

/* The schedule of a sort and its regions of scratch, computed once for each sort. */
struct cls_layout {
    struct cls_schedule schedule;
    /* Those of the algorithm; the clamped count, if the count is in device memory; then the indexes if wide
     * values are gathered, or the sorted keys if the caller may omit them. */
    size_t regions;
    uint64_t region_bytes[CLS_MAX_STAGE_REGIONS]; /* multiples of CLS_REGION_ALIGNMENT */
    uint64_t total;                               /* bytes */
};

enum { CLS_MAX_STAGE_PROGRAMS = CLS_MAX_PROGRAMS + 2 };

/* Describes the programs of a choice: those of the algorithm, of the gather if it gathers, and of the clamp
 * if the count is in device memory. Returns their number. Pure. */
size_t cls_stage_programs(const struct cls_caps *caps, const struct cls_choice *choice,
                          struct cls_program_spec *programs);

/* Compiles the programs of stage->choice, which was chosen for caps, and creates their kernels. On
 * failure nothing has to be released. */
cl_int cls_stage_prepare(struct cls_device *device, const struct cls_caps *caps,
                         struct cls_stage *stage);
void cls_stage_release(struct cls_stage *stage);

/* Returns the schedule and the scratch layout for count elements; for none, there is no schedule if the
 * count is in device memory. Pure. */
struct cls_layout cls_stage_layout(const struct cls_stage *stage, uint64_t count);

/* Returns the bytes per element that an out-of-place sort of count elements reads and writes, by
 * the cost models of the algorithm and the gather. Pure. */
uint64_t cls_stage_bytes_per_element(const struct cls_stage *stage, uint64_t count);

/* Enqueues a sort; layout is that of arrays->count. If scratch.mem is NULL, scratch is allocated
 * for this sort. */
cl_int cls_stage_enqueue(const struct cls_device *device, const struct cls_stage *stage,
                         const struct cls_layout *layout, const struct cls_arrays *arrays,
                         clsort_buffer scratch, struct cls_chain *chain);

#endif
