/* stage.c - one algorithm's compiled kernels with the gather behind them: what sorts one range of counts */
#include "plan/stage.h"

cl_int cls_stage_prepare(struct cls_device *device, const struct cls_caps *caps, size_t value_bytes,
                         struct cls_stage *stage)
{
    const struct cls_choice *choice = &stage->choice;
    cl_int status = choice->algo->prepare(device, &choice->tuning, &choice->shape, stage->kernels);
    if (status == CL_SUCCESS && choice->gathers) {
        stage->gather = cls_gather_for(caps, &choice->shape, value_bytes);
        status = cls_gather_prepare(device, &stage->gather, stage->gather_kernels);
        if (status != CL_SUCCESS)
            cls_kernels_release(stage->kernels);
    }
    return status;
}

void cls_stage_release(struct cls_stage *stage)
{
    cls_kernels_release(stage->kernels);
    cls_kernels_release(stage->gather_kernels);
}

uint64_t cls_stage_traffic(const struct cls_stage *stage, uint64_t count)
{
    const struct cls_choice *choice = &stage->choice;
    return choice->algo->traffic(&choice->tuning, &choice->shape, count) +
           (choice->gathers ? cls_gather_traffic(&stage->gather) : 0);
}

/* -- scratch ------------------------------------------------------------------------------------- */

/* The algorithm's regions, and the gather's index behind them. */
struct layout {
    size_t regions;
    uint64_t bytes[CLS_MOST_REGIONS + 1]; /* multiples of CLS_REGION_ALIGNMENT */
    uint64_t total;
};

static struct layout layout_of(const struct cls_stage *stage, uint64_t count)
{
    struct layout layout = {0};
    const struct cls_choice *choice = &stage->choice;
    layout.regions = choice->algo->scratch(&choice->tuning, &choice->shape, count, layout.bytes);
    if (choice->gathers) {
        /* By the time that values are gathered the keys are sorted: the slice takes their place. */
        const uint64_t slice = count * cls_gather_slice(&stage->gather);
        if (layout.bytes[CLS_KEYS] < slice)
            layout.bytes[CLS_KEYS] = slice;
        layout.bytes[layout.regions++] = count * (choice->shape.index_bits / 8);
    }
    for (size_t i = 0; i < layout.regions; i++) {
        layout.bytes[i] =
            cls_divide_up(layout.bytes[i], CLS_REGION_ALIGNMENT) * CLS_REGION_ALIGNMENT;
        layout.total += layout.bytes[i];
    }
    return layout;
}

uint64_t cls_stage_scratch_bytes(const struct cls_stage *stage, uint64_t count)
{
    return layout_of(stage, count).total;
}

/* Places all regions in one buffer. */
static void place_regions(const struct layout *layout, clsort_buffer scratch, clsort_buffer *region)
{
    for (size_t i = 0; i < layout->regions; i++) {
        region[i] = scratch;
        scratch.offset += layout->bytes[i];
    }
}

/* Makes the regions: in one buffer, or, where that is larger than the device allows, each in its own. */
static cl_int make_regions(const struct cls_device *device, const struct layout *layout,
                           clsort_buffer *region)
{
    cl_int status;
    if (layout->total <= device->caps.max_alloc) {
        const clsort_buffer scratch = {clCreateBuffer(device->context, CL_MEM_READ_WRITE,
                                                      (size_t)layout->total, NULL, &status),
                                       0};
        place_regions(layout, scratch, region);
        return status;
    }
    for (size_t i = 0; i < layout->regions; i++) {
        const size_t bytes = layout->bytes[i] ? (size_t)layout->bytes[i] : CLS_REGION_ALIGNMENT;
        region[i] = (clsort_buffer){
            clCreateBuffer(device->context, CL_MEM_READ_WRITE, bytes, NULL, &status), 0};
        if (status != CL_SUCCESS)
            return status;
    }
    return CL_SUCCESS;
}

/* The device keeps buffers until the commands that use them are done. */
static void release_regions(const struct layout *layout, const clsort_buffer *region)
{
    for (size_t i = 0; i < layout->regions; i++)
        if (region[i].mem && (i == 0 || region[i].mem != region[0].mem))
            clReleaseMemObject(region[i].mem);
}

/* -- enqueue ------------------------------------------------------------------------------------- */

static cl_int enqueue_in(const struct cls_stage *stage, const struct cls_places *places,
                         const struct layout *layout, const clsort_buffer *region,
                         struct cls_chain *chain)
{
    const struct cls_choice *choice = &stage->choice;
    struct cls_job job = {.places = *places};
    const clsort_buffer index = region[layout->regions - 1];
    if (choice->gathers)
        job.places.values_out = index;
    for (size_t i = 0; i < layout->regions && i < CLS_MOST_REGIONS; i++)
        job.scratch[i] = region[i];
    const cl_int status =
        choice->algo->enqueue(stage->kernels, &choice->tuning, &choice->shape, &job, chain);
    if (status != CL_SUCCESS || !choice->gathers)
        return status;
    const struct cls_gather_job gather = {.places = places,
                                          .control = region[CLS_CONTROL],
                                          .index = index,
                                          .slice = region[CLS_KEYS]};
    return cls_gather_enqueue(stage->gather_kernels, &stage->gather, &gather, chain);
}

cl_int cls_stage_enqueue(const struct cls_device *device, const struct cls_stage *stage,
                         const struct cls_places *places, clsort_buffer scratch,
                         struct cls_chain *chain)
{
    const struct layout layout = layout_of(stage, places->count);
    clsort_buffer region[CLS_MOST_REGIONS + 1] = {{NULL, 0}};
    if (scratch.mem || layout.total == 0) {
        place_regions(&layout, scratch, region);
        return enqueue_in(stage, places, &layout, region, chain);
    }
    cl_int status = make_regions(device, &layout, region);
    if (status == CL_SUCCESS)
        status = enqueue_in(stage, places, &layout, region, chain);
    release_regions(&layout, region);
    return status;
}
