/* segment_selection.c - the plan of CLSORT_SELECT and CLSORT_NTH of segments */
#include "plan/segment_selection.h"

#include "algo/common/programs.h"
#include "base/arithmetic.h"
#include "base/error.h"
#include "plan/plan.h"
#include "plan/regions.h"
#include "plan/segment_selection_test.h"
#include "plan/segmented.h"

#include <stdlib.h>

/* -- creation ---------------------------------------------------------------------------------- */

/* Fails if the request names something that selections from segments do not have. */
static clsort_status check_request(const struct cls_request *request)
{
    if (request->algorithm.algo)
        return cls_fail(CLSORT_E_UNSUPPORTED,
                        "clsort_desc.algorithm is %s: selections from segments have algorithms of "
                        "their own",
                        request->algorithm.algo->name);
    if (request->no_scratch)
        return cls_fail(CLSORT_E_UNSUPPORTED,
                        "selections need scratch memory, which CLSORT_NO_SCRATCH forbids");
    if (request->spec.order == CLS_ORDER_CUSTOM && request->input_order)
        return cls_fail(CLSORT_E_UNSUPPORTED,
                        "selections by custom orders do not support CLSORT_INPUT_ORDER");
    return CLSORT_OK;
}

clsort_status cls_segment_selection_choose(const struct cls_caps *caps,
                                           const struct cls_request *request, void *plan)
{
    struct cls_segment_selection *selection = plan;
    struct cls_spec spec = request->spec;
    const bool is_custom = spec.order == CLS_ORDER_CUSTOM;
    const uint64_t max_index = request->index_bytes == 4 ? (uint64_t)1 << 32 : UINT64_MAX;
    const uint64_t fits = cls_min(cls_max_device_count(caps, &spec), max_index);
    const uint64_t wanted = request->max_count > 0 ? request->max_count : fits;
    spec.value_is_index = true;
    spec.value_bytes = request->index_bytes;
    spec.index_bits = wanted <= caps->index32_max ? 32 : 64;
    spec.custom = (struct cls_custom){NULL, NULL, NULL, 0};
    if (is_custom)
        spec.order = CLS_ORDER_INTEGER; /* no kernel of the selection compares keys */
    selection->select = cls_segments_select_for(caps, &spec);
    selection->select.takes_sorted =
        is_custom || (selection->select.max_count < wanted && !request->input_order);
    selection->is_nth = spec.operation == CLSORT_NTH;
    selection->value_bytes = request->spec.value_bytes;
    selection->max_segments = request->max_segments;
    selection->max_count =
        selection->select.takes_sorted ? wanted : cls_min(wanted, selection->select.max_count);
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

/* Returns the largest number of places of some segments, each with at most max_k; at most max. */
static uint64_t places_of(const struct cls_segment_selection *selection, uint64_t segments,
                          uint64_t max)
{
    return segments == 0 || selection->max_k <= max / segments ? segments * selection->max_k : max;
}

/* Creates the plan that sorts the selected elements, and the one that sorts the segments before. */
static clsort_status create_plans(struct cls_device *device, const struct cls_ladders *ladders,
                                  const struct cls_request *request,
                                  struct cls_segment_selection *selection)
{
    struct cls_request sort = *request, argsort = *request;
    clsort_status status = CLSORT_OK;
    selection->max_places = cls_max_device_count(&device->caps, &selection->select.spec);
    if (selection->select.takes_sorted) {
        argsort.spec.operation = CLSORT_ARGSORT;
        argsort.spec.value_bytes = request->index_bytes;
        argsort.spec.value_is_index = true;
        argsort.max_segments = request->spec.segments == CLSORT_ROWS ? 0 : request->max_segments;
        status = cls_plan_create(device, ladders, &argsort, &selection->argsort);
        if (status == CLSORT_OK)
            selection->max_count = cls_min(selection->max_count, selection->argsort->max_count);
        return status;
    }
    if (selection->is_nth || request->input_order)
        return CLSORT_OK;
    sort.spec.operation = CLSORT_SORT;
    sort.spec.segments = CLSORT_BEGIN_END;
    sort.spec.value_bytes = request->index_bytes;
    sort.index_bytes = sizeof(cl_ulong);
    sort.segments_in_order = true;
    sort.max_count =
        request->max_count == 0 ? 0
        : request->spec.segments == CLSORT_ROWS
            ? request->max_count
            : places_of(selection,
                        request->max_segments > 0 ? request->max_segments : request->max_count,
                        selection->max_places);
    status = cls_plan_create(device, ladders, &sort, &selection->sort);
    if (status == CLSORT_OK)
        selection->max_places = selection->sort->max_count;
    return status;
}

clsort_status cls_segment_selection_create(struct cls_device *device,
                                           const struct cls_ladders *ladders,
                                           const struct cls_request *request,
                                           struct cls_segment_selection **created)
{
    clsort_status status = check_request(request);
    if (status != CLSORT_OK)
        return status;
    struct cls_segment_selection *selection = calloc(1, sizeof *selection);
    if (!selection)
        return CLSORT_E_MEMORY;
    status = cls_tested_create(&cls_segment_selection_tested, device, request, selection);
    if (status == CLSORT_OK)
        status = create_plans(device, ladders, request, selection);
    if (status != CLSORT_OK) {
        cls_segment_selection_destroy(selection);
        return status;
    }
    *created = selection;
    return CLSORT_OK;
}

void cls_segment_selection_destroy(struct cls_segment_selection *selection)
{
    if (!selection)
        return;
    cls_kernels_release(selection->kernels);
    if (selection->sort)
        cls_plan_destroy(selection->sort);
    if (selection->argsort)
        cls_plan_destroy(selection->argsort);
    free(selection);
}

/* -- scratch ----------------------------------------------------------------------------------- */

/* Regions: the places of each segment, the selected keys and indexes where the caller does not want them, the
 * scratch of the plan that sorts, and the sorted indexes of all segments. */
enum { CONTROL, ROWS, KEYS, INDEXES, SORT_SCRATCH, SORTED, REGIONS };

uint64_t cls_segment_selection_max_segments(const struct cls_segment_selection *selection,
                                            uint64_t count)
{
    /* The result counts them with 32 bits. */
    uint64_t max = UINT32_MAX;
    if (selection->argsort)
        max = cls_min(max, cls_segmented_max_segments(selection->argsort->segmented, count));
    return cls_min(selection->max_segments > 0 ? selection->max_segments : count, max);
}

/* Sets the size of each region for a number of segments and of places. Returns their sum. */
static uint64_t lay_out(const struct cls_segment_selection *selection, uint64_t count,
                        uint64_t segments, uint64_t places, uint64_t *bytes)
{
    const struct cls_spec *spec = &selection->select.spec;
    uint64_t total = 0;
    bytes[CONTROL] = CLS_SEGMENTS_SELECT_CONTROL;
    bytes[ROWS] = cls_segments_select_rows(segments);
    bytes[KEYS] = selection->sort ? places * spec->key_bytes : 0;
    bytes[INDEXES] = places * spec->value_bytes;
    bytes[SORT_SCRATCH] =
        selection->sort ? cls_segmented_scratch_for(selection->sort->segmented, places, segments)
        : selection->argsort
            ? cls_segmented_scratch_for(selection->argsort->segmented, count, segments)
            : 0;
    bytes[SORTED] = selection->argsort ? count * spec->value_bytes : 0;
    for (size_t i = 0; i < REGIONS; i++) {
        bytes[i] = cls_round_up(bytes[i], CLS_REGION_ALIGNMENT);
        total += bytes[i];
    }
    return total;
}

uint64_t cls_segment_selection_scratch_bytes(const struct cls_segment_selection *selection,
                                             uint64_t count)
{
    uint64_t bytes[REGIONS];
    const uint64_t segments = cls_segment_selection_max_segments(selection, count);
    const uint64_t max = selection->select.spec.segments == CLSORT_ROWS && !selection->is_nth
                             ? cls_min(count, selection->max_places)
                             : selection->max_places;
    return lay_out(selection, count, segments, places_of(selection, segments, max), bytes);
}

uint64_t cls_segment_selection_cost_bytes(const struct cls_segment_selection *selection,
                                          uint64_t count)
{
    const struct cls_spec *spec = &selection->select.spec;
    return selection->argsort ? cls_plan_cost_bytes(selection->argsort, count)
                              : count * spec->key_bytes;
}

void cls_segment_selection_describe(const struct cls_segment_selection *selection, uint64_t count,
                                    struct cls_text *text)
{
    if (selection->argsort) {
        cls_text_add(text, "by a sort of all segments: ");
        cls_plan_describe(selection->argsort, count, text);
        return;
    }
    cls_text_add(text, "%s, indexes of %zu bytes",
                 selection->select.is_for_cores ? "for cores" : "for work-groups",
                 selection->select.spec.value_bytes);
    if (selection->value_bytes > 0)
        cls_text_add(text, ", values by indexes");
    if (selection->sort) {
        cls_text_add(text, "; then ");
        cls_plan_describe(selection->sort, cls_min(count, selection->max_places), text);
    } else
        cls_text_add(text, "; self-test passed");
}

/* -- enqueue ----------------------------------------------------------------------------------- */

/* Sorts the segments of the input before the elements are taken. */
static cl_int sort_segments(const struct cls_segment_selection *selection,
                            const struct cls_arrays *arrays, const clsort_buffer *region,
                            struct cls_chain *chain)
{
    const struct cls_arrays argsort = {.count = arrays->count,
                                       .keys_in = arrays->keys_in,
                                       .values_out = region[SORTED],
                                       .segment_count = arrays->segment_count,
                                       .offsets = arrays->offsets,
                                       .ends = arrays->ends};
    return cls_segmented_enqueue(selection->argsort->device, selection->argsort->segmented,
                                 &argsort, region[SORT_SCRATCH], chain);
}

/* Sorts the selected elements in their places. */
static cl_int sort_selected(const struct cls_segment_selection *selection,
                            const struct cls_segments_select_job *job, const clsort_buffer *region,
                            struct cls_chain *chain)
{
    const clsort_buffer ends = {
        job->rows.mem, job->rows.offset + (size_t)cls_segments_select_rows(job->segment_count) / 2};
    const struct cls_arrays pairs = {.count = job->segment_count * job->places,
                                     .in_place = true,
                                     .keys_in = job->keys_out,
                                     .values_in = job->indexes_out,
                                     .keys_out = job->keys_out,
                                     .values_out = job->indexes_out,
                                     .segment_count = job->segment_count,
                                     .offsets = job->rows,
                                     .ends = ends};
    return cls_segmented_enqueue(selection->sort->device, selection->sort->segmented, &pairs,
                                 region[SORT_SCRATCH], chain);
}

static cl_int enqueue_in(const struct cls_segment_selection *selection,
                         const struct cls_arrays *arrays, const clsort_buffer *region,
                         struct cls_chain *chain)
{
    const struct cls_segments_select *select = &selection->select;
    const bool takes_sorted = selection->argsort != NULL;
    const clsort_buffer none = {NULL, 0};
    const struct cls_segments_select_job job = {
        .count = arrays->count,
        .segment_count = arrays->segment_count,
        .k = selection->is_nth ? arrays->selected - 1 : arrays->selected,
        .places = arrays->segment_count > 0 ? arrays->out_count / arrays->segment_count : 0,
        .is_nth = selection->is_nth,
        .keys_in = arrays->keys_in,
        .offsets = arrays->offsets,
        .ends = arrays->ends,
        .ks = arrays->ks,
        .result = arrays->result,
        .keys_out = takes_sorted           ? none
                    : arrays->keys_out.mem ? arrays->keys_out
                    : selection->sort      ? region[KEYS]
                                           : none,
        .indexes_out = arrays->index_out.mem ? arrays->index_out : region[INDEXES],
        .sorted = region[SORTED],
        .control = region[CONTROL],
        .rows = region[ROWS]};
    cl_int status = CL_SUCCESS;
    if (takes_sorted)
        status = sort_segments(selection, arrays, region, chain);
    if (status == CL_SUCCESS)
        status = cls_segments_select_enqueue(selection->kernels, select, &job, chain);
    if (status == CL_SUCCESS && selection->sort && arrays->out_count > 0)
        status = sort_selected(selection, &job, region, chain);
    if (status != CL_SUCCESS || arrays->count == 0)
        return status;
    if (takes_sorted && arrays->keys_out.mem)
        status = cls_segments_select_copy(selection->kernels, select, &job, select->spec.key_bytes,
                                          arrays->keys_in, arrays->keys_out, chain);
    if (status == CL_SUCCESS && arrays->values_out.mem)
        status = cls_segments_select_copy(selection->kernels, select, &job, selection->value_bytes,
                                          arrays->values_in, arrays->values_out, chain);
    return status;
}

cl_int cls_segment_selection_enqueue(const struct cls_device *device,
                                     const struct cls_segment_selection *selection,
                                     const struct cls_arrays *arrays, clsort_buffer scratch,
                                     struct cls_chain *chain)
{
    uint64_t bytes[REGIONS];
    clsort_buffer region[REGIONS] = {{NULL, 0}};
    if (arrays->out_count == 0 && !arrays->result.mem)
        return CL_SUCCESS;
    lay_out(selection, arrays->count, arrays->segment_count, arrays->out_count, bytes);
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
