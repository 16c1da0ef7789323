/* plan.c - a compiled plan: for each range of counts the chosen algorithm with its kernels */
#include "plan/plan.h"

#include <stdlib.h>

/* More than any device holds, so that sums of sizes cannot overflow. */
#define MOST_BYTES (UINT64_MAX >> 8)

static uint64_t device_holds(const struct cls_caps *caps, const struct cls_shape *shape)
{
    const uint64_t widest =
        shape->value_bytes > shape->key_bytes ? shape->value_bytes : shape->key_bytes;
    const uint64_t bytes =
        caps->global_bytes > caps->max_alloc ? caps->global_bytes : caps->max_alloc;
    return (bytes < MOST_BYTES ? bytes : MOST_BYTES) / widest + 1;
}

static cl_int prepare(struct cls_device *device, size_t value_bytes, struct cls_stage *stage)
{
    const struct cls_choice *choice = &stage->choice;
    cl_int status = choice->algo->prepare(device, &choice->tuning, &choice->shape, stage->kernels);
    if (status == CL_SUCCESS && choice->gathers) {
        stage->gather = cls_gather_for(&device->caps, &choice->shape, value_bytes);
        status = cls_gather_prepare(device, &stage->gather, stage->gather_kernels);
    }
    return status;
}

static clsort_status add_stages(struct clsort_plan *plan)
{
    const struct cls_request *request = &plan->request;
    const struct cls_caps *caps = &plan->device->caps;
    const uint64_t wanted =
        request->max_count ? request->max_count : device_holds(caps, &request->shape);
    for (uint64_t done = 0; done < wanted; done = plan->max_count) {
        struct cls_stage *stage = &plan->stage[plan->stages];
        if (plan->stages == CLS_MOST_STAGES || !cls_choose(caps, request, done + 1, &stage->choice))
            /* Without a max_count the plan serves what its algorithm can do. */
            return done > 0 && request->max_count == 0 ? CLSORT_OK : CLSORT_E_UNSUPPORTED;
        plan->stages++;
        const clsort_status status = prepare(plan->device, request->shape.value_bytes, stage);
        if (status != CLSORT_OK)
            return status;
        plan->max_count = stage->choice.most_items;
    }
    plan->max_count = wanted;
    return CLSORT_OK;
}

clsort_status cls_plan_create(struct cls_device *device, const struct cls_request *request,
                              struct clsort_plan **created)
{
    struct clsort_plan *plan = calloc(1, sizeof *plan);
    if (!plan)
        return CLSORT_E_MEMORY;
    cls_device_hold(device);
    plan->device = device;
    plan->request = *request;
    const clsort_status status = add_stages(plan);
    if (status != CLSORT_OK) {
        cls_plan_destroy(plan);
        return status;
    }
    *created = plan;
    return CLSORT_OK;
}

void cls_plan_destroy(struct clsort_plan *plan)
{
    for (size_t i = 0; i < plan->stages; i++) {
        cls_kernels_release(plan->stage[i].kernels);
        cls_kernels_release(plan->stage[i].gather_kernels);
    }
    cls_device_let_go(plan->device);
    free(plan);
}

static const struct cls_stage *stage_for(const struct clsort_plan *plan, uint64_t count)
{
    const struct cls_stage *stage = plan->stage;
    while (stage->choice.most_items < count)
        stage++;
    return stage;
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

uint64_t cls_plan_scratch_bytes(const struct clsort_plan *plan, uint64_t count)
{
    return count == 0 ? 0 : layout_of(stage_for(plan, count), count).total;
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

static cl_int enqueue_stage(const struct cls_stage *stage, const struct cls_places *places,
                            const struct layout *layout, const clsort_buffer *region,
                            struct cls_chain *chain)
{
    const struct cls_choice *choice = &stage->choice;
    struct cls_job job = {.count = places->count,
                          .in_place = places->in_place,
                          .keys_in = places->keys_in,
                          .keys_out = places->keys_out,
                          .values_in = places->values_in,
                          .values_out = places->values_out};
    const clsort_buffer index = region[layout->regions - 1];
    if (choice->gathers)
        job.values_out = index;
    for (size_t i = 0; i < layout->regions && i < CLS_MOST_REGIONS; i++)
        job.scratch[i] = region[i];
    const cl_int status =
        choice->algo->enqueue(stage->kernels, &choice->tuning, &choice->shape, &job, chain);
    if (status != CL_SUCCESS || !choice->gathers)
        return status;
    const struct cls_gather_job gather = {.count = places->count,
                                          .in_place = places->in_place,
                                          .control = region[CLS_CONTROL],
                                          .index = index,
                                          .values_in = places->values_in,
                                          .values_out = places->values_out,
                                          .slice = region[CLS_KEYS]};
    return cls_gather_enqueue(stage->gather_kernels, &stage->gather, &gather, chain);
}

cl_int cls_plan_enqueue(struct clsort_plan *plan, const struct cls_places *places,
                        struct cls_chain *chain)
{
    const struct cls_stage *stage = stage_for(plan, places->count);
    const struct layout layout = layout_of(stage, places->count);
    clsort_buffer region[CLS_MOST_REGIONS + 1] = {{NULL, 0}};
    if (places->scratch.mem) {
        place_regions(&layout, places->scratch, region);
        return enqueue_stage(stage, places, &layout, region, chain);
    }
    cl_int status = make_regions(plan->device, &layout, region);
    if (status == CL_SUCCESS)
        status = enqueue_stage(stage, places, &layout, region, chain);
    release_regions(&layout, region);
    return status;
}

void cls_request_describe(const struct cls_request *request, struct cls_text *text)
{
    const struct cls_shape *shape = &request->shape;
    cls_text_add(text, "%s %s", shape->key_name, shape->descending ? "desc" : "asc");
    if (shape->order == CLS_ORDER_NUMERIC)
        cls_text_add(text, " numeric");
    if (shape->end_bit - shape->begin_bit < 8 * shape->key_bytes)
        cls_text_add(text, " bits %u..%u", shape->begin_bit, shape->end_bit);
    if (shape->value_bytes > 0)
        cls_text_add(text, " + %zu bytes", shape->value_bytes);
}

void cls_plan_describe(const struct clsort_plan *plan, uint64_t count, struct cls_text *text)
{
    const struct cls_choice *choice = &stage_for(plan, count)->choice;
    cls_text_add(text, "%s ", choice->algo->name);
    cls_request_describe(&plan->request, text);
    cls_text_add(text, " ");
    choice->algo->describe(&choice->tuning, &choice->shape, count, text);
    if (choice->gathers)
        cls_text_add(text, ", values by permutation and gather");
    cls_text_add(text, ", %u-bit indexes: %s", choice->shape.index_bits, choice->reason);
}
