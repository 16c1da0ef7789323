/* selection.c - the plan of CLSORT_SELECT and CLSORT_NTH */
#include "plan/selection.h"

#include "algo/common/programs.h"
#include "base/arithmetic.h"
#include "base/error.h"
#include "plan/plan.h"
#include "plan/regions.h"
#include "plan/selection_test.h"

#include <stdlib.h>

/* -- creation ---------------------------------------------------------------------------------- */

/* Returns the request of a sort of the selected elements: pairs of keys and indexes. */
static struct cls_request sort_request(const struct cls_selection *selection,
                                       const struct cls_request *request)
{
    struct cls_request sort = *request;
    sort.spec.operation = CLSORT_SORT;
    sort.spec.value_bytes = request->index_bytes;
    sort.max_count = selection->max_k;
    return sort;
}

/* Returns the request of a gather of the values of the selected elements. */
static struct cls_request gather_request(const struct cls_selection *selection,
                                         const struct cls_request *request)
{
    struct cls_request gather = {.max_count = selection->max_k};
    gather.spec = cls_gather_spec(request->index_bytes, request->spec.value_bytes);
    return gather;
}

/* Sets the selection, and the maximum numbers of elements. */
static clsort_status choose(const struct cls_device *device, const struct cls_request *request,
                            struct cls_selection *selection)
{
    const struct cls_caps *caps = &device->caps;
    struct cls_spec spec = request->spec;
    const uint64_t max_index = request->index_bytes == 4 ? (uint64_t)1 << 32 : UINT64_MAX;
    const uint64_t fits = cls_min(cls_max_device_count(caps, &spec), max_index);
    const uint64_t wanted = request->max_count > 0 ? request->max_count : fits;
    spec.value_is_index = true;
    spec.value_bytes = request->index_bytes;
    spec.index_bits = wanted <= caps->index32_max ? 32 : 64;
    selection->select = cls_select_for(caps, &spec);
    selection->is_nth = request->spec.operation == CLSORT_NTH;
    selection->max_count = cls_min(wanted, selection->select.max_count);
    selection->max_k = selection->is_nth    ? 1
                       : request->max_k > 0 ? cls_min(request->max_k, selection->max_count)
                                            : selection->max_count;
    return selection->max_count == wanted || request->max_count == 0
               ? CLSORT_OK
               : cls_fail(CLSORT_E_UNSUPPORTED,
                          "clsort_desc.max_count is %llu: at most %llu elements can be selected "
                          "from on this device",
                          (unsigned long long)wanted, (unsigned long long)selection->max_count);
}

/* Compiles and tests the kernels of the selection. */
static clsort_status prepare(struct cls_device *device, struct cls_selection *selection)
{
    struct cls_program_spec program;
    cls_select_program(&selection->select, &program);
    const clsort_status status = cls_kernels_create(device, &program, 1, NULL, selection->kernels);
    return status == CLSORT_OK ? cls_selection_test(device, selection, &program) : status;
}

static clsort_status create_plans(struct cls_device *device, const struct cls_ladders *ladders,
                                  const struct cls_request *request,
                                  struct cls_selection *selection)
{
    const struct cls_request sort = sort_request(selection, request),
                             gather = gather_request(selection, request);
    clsort_status status = CLSORT_OK;
    if (!selection->is_nth && !request->input_order)
        status = cls_plan_create(device, ladders, &sort, &selection->sort);
    if (status == CLSORT_OK && request->spec.value_bytes > 0)
        status = cls_plan_create(device, ladders, &gather, &selection->gather);
    return status;
}

clsort_status cls_selection_create(struct cls_device *device, const struct cls_ladders *ladders,
                                   const struct cls_request *request,
                                   struct cls_selection **created)
{
    if (request->spec.order == CLS_ORDER_CUSTOM)
        return cls_fail(CLSORT_E_UNSUPPORTED,
                        "selections do not support custom orders: sort, and "
                        "use the first elements");
    if (request->no_scratch)
        return cls_fail(CLSORT_E_UNSUPPORTED,
                        "selections need scratch memory, which CLSORT_NO_SCRATCH forbids");
    struct cls_selection *selection = calloc(1, sizeof *selection);
    if (!selection)
        return CLSORT_E_MEMORY;
    clsort_status status = choose(device, request, selection);
    if (status == CLSORT_OK)
        status = prepare(device, selection);
    if (status == CLSORT_OK)
        status = create_plans(device, ladders, request, selection);
    if (status != CLSORT_OK) {
        cls_selection_destroy(selection);
        return status;
    }
    *created = selection;
    return CLSORT_OK;
}

void cls_selection_destroy(struct cls_selection *selection)
{
    if (!selection)
        return;
    cls_kernels_release(selection->kernels);
    if (selection->sort)
        cls_plan_destroy(selection->sort);
    if (selection->gather)
        cls_plan_destroy(selection->gather);
    free(selection);
}

/* -- scratch ----------------------------------------------------------------------------------- */

/* Regions: the scratch of the selection and of the sort, and the selected keys and indexes where the
 * caller does not want them. */
enum { SELECT_SCRATCH, SORT_SCRATCH, KEYS, INDEXES, REGIONS };

/* Sets the size of each region for k of count elements. Returns their sum. */
static uint64_t lay_out(const struct cls_selection *selection, uint64_t count, uint64_t k,
                        uint64_t *bytes)
{
    const struct cls_spec *spec = &selection->select.spec;
    uint64_t total = 0;
    /* The scratch of CLSORT_NTH must not depend on the element that is selected. */
    bytes[SELECT_SCRATCH] =
        cls_select_scratch(&selection->select, count, selection->is_nth ? count : k);
    bytes[SORT_SCRATCH] = selection->sort ? cls_plan_scratch_bytes(selection->sort, k) : 0;
    bytes[KEYS] = k * spec->key_bytes;
    bytes[INDEXES] = k * spec->value_bytes;
    for (size_t i = 0; i < REGIONS; i++) {
        bytes[i] = cls_round_up(bytes[i], CLS_REGION_ALIGNMENT);
        total += bytes[i];
    }
    return total;
}

uint64_t cls_selection_scratch_bytes(const struct cls_selection *selection, uint64_t count)
{
    uint64_t bytes[REGIONS];
    return count > 0 ? lay_out(selection, count, cls_min(selection->max_k, count), bytes) : 0;
}

uint64_t cls_selection_cost_bytes(const struct cls_selection *selection, uint64_t count)
{
    const uint64_t k = cls_min(selection->max_k, count);
    uint64_t bytes = count * cls_select_bytes_per_element(&selection->select, count, k);
    if (selection->sort)
        bytes += cls_plan_cost_bytes(selection->sort, k);
    if (selection->gather)
        bytes += cls_plan_cost_bytes(selection->gather, k);
    return bytes;
}

void cls_selection_describe(const struct cls_selection *selection, struct cls_text *text)
{
    cls_text_add(text, "%s, indexes of %zu bytes",
                 selection->select.is_for_cores ? "for cores" : "for work-groups",
                 selection->select.spec.value_bytes);
    if (selection->sort) {
        cls_text_add(text, "; then ");
        cls_plan_describe(selection->sort, selection->max_k, text);
    }
    if (selection->gather)
        cls_text_add(text, "; values by gather");
}

/* -- enqueue ----------------------------------------------------------------------------------- */

static cl_int enqueue_plan(const struct clsort_plan *plan, const struct cls_arrays *arrays,
                           clsort_buffer scratch, struct cls_chain *chain)
{
    const struct cls_sized_stage sized = cls_plan_sized_stage(plan, arrays->count);
    return cls_stage_enqueue(plan->device, sized.stage, &sized.layout, arrays, scratch, chain);
}

static cl_int enqueue_in(const struct cls_selection *selection, const struct cls_arrays *arrays,
                         const clsort_buffer *region, struct cls_chain *chain)
{
    const uint64_t k = selection->is_nth ? 1 : arrays->selected;
    const clsort_buffer none = {NULL, 0};
    const clsort_buffer keys = arrays->keys_out.mem ? arrays->keys_out
                               : selection->sort    ? region[KEYS]
                                                    : none;
    const clsort_buffer indexes = arrays->index_out.mem ? arrays->index_out : region[INDEXES];
    const struct cls_select_job job = {.count = arrays->count,
                                       .k = arrays->selected,
                                       .is_nth = selection->is_nth,
                                       .keys_in = arrays->keys_in,
                                       .keys_out = keys,
                                       .values_out = indexes,
                                       .scratch = region[SELECT_SCRATCH]};
    const struct cls_arrays sort = {.count = k,
                                    .in_place = true,
                                    .keys_in = keys,
                                    .values_in = indexes,
                                    .keys_out = keys,
                                    .values_out = indexes};
    const struct cls_arrays gather = {.count = k,
                                      .keys_in = indexes,
                                      .values_in = arrays->values_in,
                                      .values_out = arrays->values_out,
                                      .source_count = arrays->count};
    cl_int status = cls_select_enqueue(selection->kernels, &selection->select, &job, chain);
    if (status == CL_SUCCESS && selection->sort)
        status = enqueue_plan(selection->sort, &sort, region[SORT_SCRATCH], chain);
    if (status == CL_SUCCESS && arrays->values_out.mem)
        status = enqueue_plan(selection->gather, &gather, none, chain);
    return status;
}

cl_int cls_selection_enqueue(const struct cls_device *device, const struct cls_selection *selection,
                             const struct cls_arrays *arrays, clsort_buffer scratch,
                             struct cls_chain *chain)
{
    const uint64_t k = selection->is_nth ? 1 : arrays->selected;
    uint64_t bytes[REGIONS];
    clsort_buffer region[REGIONS] = {{NULL, 0}};
    if (arrays->selected == 0)
        return CL_SUCCESS;
    lay_out(selection, arrays->count, k, bytes);
    if (scratch.mem) {
        cls_regions_place(bytes, REGIONS, scratch, region);
        return enqueue_in(selection, arrays, region, chain);
    }
    cl_int status = cls_regions_allocate(device, bytes, REGIONS, region);
    if (status == CL_SUCCESS)
        status = enqueue_in(selection, arrays, region, chain);
    cls_regions_release(REGIONS, region);
    return status;
}
