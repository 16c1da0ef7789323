/* stage.c - the part of a plan that sorts a range of counts: a chosen algorithm with its kernels */
#include "plan/stage.h"

#include "algo/clamp/clamp.h"
#include "algo/common/programs.h"
#include "base/arithmetic.h"
#include "base/error.h"
#include "plan/operation.h"
#include "plan/regions.h"

size_t cls_stage_programs(const struct cls_caps *caps, const struct cls_choice *choice,
                          struct cls_program_spec *programs)
{
    size_t count = choice->algo->programs(caps, &choice->tuning, &choice->spec, programs);
    if (choice->gathers)
        cls_gather_program(&choice->gather, &programs[count++]);
    if (choice->count_bytes > 0)
        cls_clamp_program(choice->count_bytes, &programs[count++]);
    return count;
}

cl_int cls_stage_prepare(struct cls_device *device, const struct cls_caps *caps,
                         struct cls_stage *stage)
{
    struct cls_program_spec programs[CLS_MAX_STAGE_PROGRAMS];
    const struct cls_choice *choice = &stage->choice;
    const struct cls_custom *custom =
        choice->spec.order == CLS_ORDER_CUSTOM ? &choice->spec.custom : NULL;
    const bool clamps = choice->count_bytes > 0;
    const size_t count = cls_stage_programs(caps, choice, programs);
    const size_t own = count - choice->gathers - clamps;
    cl_int status = cls_kernels_create(device, programs, own, custom, stage->kernels);
    if (status == CL_SUCCESS && choice->gathers)
        status = cls_kernels_create(device, &programs[own], 1, NULL, stage->gather_kernels);
    if (status == CL_SUCCESS && clamps)
        status = cls_kernels_create(device, &programs[count - 1], 1, NULL, stage->clamp_kernels);
    if (status != CL_SUCCESS)
        cls_stage_release(stage);
    return status;
}

void cls_stage_release(struct cls_stage *stage)
{
    cls_kernels_release(stage->kernels);
    cls_kernels_release(stage->gather_kernels);
    cls_kernels_release(stage->clamp_kernels);
}

uint64_t cls_stage_bytes_per_element(const struct cls_stage *stage, uint64_t count)
{
    const struct cls_choice *choice = &stage->choice;
    return choice->algo->bytes_per_element(&choice->tuning, &choice->spec, count) +
           (choice->gathers ? cls_gather_bytes_per_element(&choice->gather) : 0);
}

/* -- scratch ----------------------------------------------------------------------------------- */

/* Returns whether the last region is for sorted keys that the caller may omit. */
static bool has_region_of_keys_out(const struct cls_choice *choice)
{
    return !choice->gathers && cls_operation_of(&choice->spec)->may_omit_keys_out;
}

struct cls_layout cls_stage_layout(const struct cls_stage *stage, uint64_t count)
{
    struct cls_layout layout = {.total = 0};
    const struct cls_choice *choice = &stage->choice;
    if (count == 0 && choice->count_bytes > 0)
        return layout;
    choice->algo->schedule(&choice->tuning, &choice->spec, count, &layout.schedule);
    layout.regions = layout.schedule.regions;
    for (size_t i = 0; i < layout.regions; i++)
        layout.region_bytes[i] = layout.schedule.region_bytes[i];
    if (choice->count_bytes > 0)
        layout.region_bytes[layout.regions++] = CLS_CLAMPED_BYTES;
    if (choice->gathers) {
        cls_gather_lay_out(&choice->gather, count, layout.region_bytes);
        layout.region_bytes[layout.regions++] = count * (choice->spec.index_bits / 8);
    } else if (has_region_of_keys_out(choice)) {
        layout.region_bytes[layout.regions++] = count * choice->spec.key_bytes;
    }
    layout.total = cls_regions_round(layout.region_bytes, layout.regions);
    return layout;
}

/* -- enqueue ----------------------------------------------------------------------------------- */

static const clsort_buffer NO_BUFFER = {NULL, 0};

/* Returns the region of the clamped count. */
static clsort_buffer clamped_count(const struct cls_layout *layout, const clsort_buffer *region)
{
    return region[layout->schedule.regions];
}

/* Enqueues the clamp of a count in device memory, the algorithm and, for wide values, the gather. */
static cl_int enqueue_in(const struct cls_stage *stage, const struct cls_layout *layout,
                         const struct cls_arrays *arrays, const clsort_buffer *region,
                         struct cls_chain *chain)
{
    const struct cls_choice *choice = &stage->choice;
    const clsort_buffer last = region[layout->regions - 1];
    clsort_buffer sort_region[CLS_MAX_STAGE_REGIONS];
    struct cls_arrays sorted = *arrays;
    if (choice->gathers) {
        sorted.values_out = last;
        cls_gather_place(&choice->gather, arrays->count, region, layout->regions, sort_region);
    } else if (has_region_of_keys_out(choice) && !sorted.keys_out.mem)
        sorted.keys_out = last;
    cl_int status = CL_SUCCESS;
    if (choice->count_bytes > 0) {
        sorted.count_buffer = clamped_count(layout, region);
        status = cls_clamp_enqueue(stage->clamp_kernels[0], arrays, sorted.count_buffer, chain);
    }
    const struct cls_sort sort = {.kernels = stage->kernels,
                                  .tuning = &choice->tuning,
                                  .spec = &choice->spec,
                                  .schedule = &layout->schedule,
                                  .arrays = &sorted,
                                  .scratch = choice->gathers ? sort_region : region,
                                  .chain = chain};
    if (status == CL_SUCCESS)
        status = choice->algo->enqueue(&sort);
    if (status != CL_SUCCESS || !choice->gathers)
        return status;
    const struct cls_gather_job gather = {.arrays = arrays,
                                          .control = region[CLS_CONTROL],
                                          .index = last,
                                          .count = sorted.count_buffer,
                                          .slice = region[CLS_KEYS]};
    return cls_gather_enqueue(stage->gather_kernels, &choice->gather, &gather, chain);
}

cl_int cls_stage_enqueue(const struct cls_device *device, const struct cls_stage *stage,
                         const struct cls_layout *layout, const struct cls_arrays *arrays,
                         clsort_buffer scratch, struct cls_chain *chain)
{
    clsort_buffer region[CLS_MAX_STAGE_REGIONS] = {{NULL, 0}};
    if (arrays->count == 0 && stage->choice.count_bytes > 0)
        return arrays->result.mem
                   ? cls_clamp_enqueue(stage->clamp_kernels[0], arrays, NO_BUFFER, chain)
                   : CL_SUCCESS;
    struct cls_layout needed = *layout;
    if (!scratch.mem && has_region_of_keys_out(&stage->choice) && arrays->keys_out.mem)
        needed.region_bytes[layout->regions - 1] = 0;
    cl_int status = cls_regions_open(device, needed.region_bytes, layout->regions, scratch, region);
    if (status == CL_SUCCESS)
        status = enqueue_in(stage, layout, arrays, region, chain);
    cls_regions_close(scratch, layout->regions, region);
    return status;
}
