/* segment_selection.c - the plan of CLSORT_SELECT and CLSORT_NTH of segments */
#include "plan/segment_selection.h"

#include "base/arithmetic.h"
#include "base/error.h"
#include "plan/plan.h"
#include "plan/regions.h"
#include "plan/segment_selection_test.h"

#include <stdlib.h>

/* -- creation ---------------------------------------------------------------------------------- */

/* Fails if the request names something that selections from segments do not have. */
static clsort_status check_request(const struct cls_request *request)
{
    if (request->algorithm.algo && request->spec.segments != CLSORT_WHOLE)
        return cls_fail(CLSORT_E_UNSUPPORTED,
                        "clsort_desc.algorithm is %s: selections from segments have algorithms of "
                        "their own",
                        request->algorithm.algo->name);
    return cls_selection_parts_check(request);
}

clsort_status cls_segment_selection_choose(const struct cls_caps *caps,
                                           const struct cls_request *request, void *plan)
{
    struct cls_segment_selection *selection = plan;
    uint64_t wanted;
    struct cls_spec spec = cls_selection_parts_spec(caps, request, &wanted);
    const bool has_ranges = spec.order != CLS_ORDER_CUSTOM && request->columns.count == 0;
    spec.custom = (struct cls_custom){NULL, NULL, NULL, 0};
    if (!has_ranges)
        spec.order = CLS_ORDER_INTEGER; /* no kernel of the selection compares keys */
    selection->select = cls_segments_select_for(caps, &spec);
    selection->select.takes_sorted =
        !has_ranges || (selection->select.max_count < wanted && !request->input_order);
    selection->value_bytes = request->spec.value_bytes;
    selection->max_segments = spec.segments == CLSORT_WHOLE ? 1 : request->max_segments;
    return cls_selection_parts_limit(
        request, wanted, selection->select.takes_sorted ? wanted : selection->select.max_count,
        &selection->parts);
}

/* Returns the largest number of places of some segments, each with at most max_k; at most max. */
static uint64_t places_of(const struct cls_segment_selection *selection, uint64_t segments,
                          uint64_t max)
{
    return segments == 0 || selection->parts.max_k <= max / segments
               ? segments * selection->parts.max_k
               : max;
}

/* Creates the plan that sorts the selected elements, and the one that sorts the segments before. */
static clsort_status create_plans(struct cls_device *device, const struct cls_ladders *ladders,
                                  const struct cls_request *request,
                                  struct cls_segment_selection *selection)
{
    struct cls_selection_parts *parts = &selection->parts;
    struct cls_request sort = *request;
    clsort_status status = CLSORT_OK;
    selection->max_places = cls_max_device_count(&device->caps, &selection->select.spec);
    if (selection->select.takes_sorted) {
        status = cls_selection_parts_argsort(
            device, ladders, request,
            request->spec.segments == CLSORT_ROWS ? 0 : request->max_segments, parts);
        if (status == CLSORT_OK)
            parts->max_count = cls_min(parts->max_count, parts->argsort->max_count);
        return status;
    }
    if (parts->is_nth || request->input_order)
        return CLSORT_OK;
    sort.spec.operation = CLSORT_SORT;
    sort.spec.segments = CLSORT_BEGIN_END;
    sort.spec.count_bytes = 0; /* segments behind the count have selected nothing */
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
    status = cls_plan_create(device, ladders, &sort, &parts->sort);
    if (status == CLSORT_OK)
        selection->max_places = parts->sort->max_count;
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
    cls_selection_parts_release(&selection->parts);
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
    if (selection->parts.argsort)
        max = cls_min(max, cls_plan_max_segments(selection->parts.argsort, count));
    return cls_min(selection->max_segments > 0 ? selection->max_segments : count, max);
}

/* Sets the size of each region for a number of segments and of places. Returns their sum. */
static uint64_t lay_out(const struct cls_segment_selection *selection, uint64_t count,
                        uint64_t segments, uint64_t places, uint64_t *bytes)
{
    const struct cls_spec *spec = &selection->select.spec;
    bytes[CONTROL] = CLS_SEGMENTS_SELECT_CONTROL;
    bytes[ROWS] = cls_segments_select_rows(segments);
    bytes[KEYS] = selection->parts.sort ? places * spec->key_bytes : 0;
    bytes[INDEXES] = places * spec->value_bytes;
    bytes[SORT_SCRATCH] =
        selection->parts.sort
            ? cls_plan_segments_scratch_bytes(selection->parts.sort, places, segments)
        : selection->parts.argsort
            ? cls_plan_segments_scratch_bytes(selection->parts.argsort, count, segments)
            : 0;
    bytes[SORTED] = selection->parts.argsort ? count * spec->value_bytes : 0;
    return cls_regions_round(bytes, REGIONS);
}

uint64_t cls_segment_selection_scratch_bytes(const struct cls_segment_selection *selection,
                                             uint64_t count)
{
    uint64_t bytes[REGIONS];
    const uint64_t segments = cls_segment_selection_max_segments(selection, count);
    const clsort_segments form = selection->select.spec.segments;
    const bool has_shorter = form != CLSORT_WHOLE && form != CLSORT_ROWS; /* than their places */
    const uint64_t max = has_shorter || selection->parts.is_nth
                             ? selection->max_places
                             : cls_min(count, selection->max_places);
    return lay_out(selection, count, segments, places_of(selection, segments, max), bytes);
}

uint64_t cls_segment_selection_cost_bytes(const struct cls_segment_selection *selection,
                                          uint64_t count)
{
    const struct cls_spec *spec = &selection->select.spec;
    return selection->parts.argsort ? cls_plan_cost_bytes(selection->parts.argsort, count)
                                    : count * spec->key_bytes;
}

void cls_segment_selection_describe(const struct cls_segment_selection *selection, uint64_t count,
                                    struct cls_text *text)
{
    if (selection->parts.argsort) {
        cls_text_add(text, selection->select.spec.segments == CLSORT_WHOLE
                               ? "by an argsort of all elements: "
                               : "by a sort of all segments: ");
        cls_plan_describe(selection->parts.argsort, count, text);
        return;
    }
    cls_text_add(text, "%s, indexes of %zu bytes",
                 selection->select.is_for_cores ? "for cores" : "for work-groups",
                 selection->select.spec.value_bytes);
    if (selection->value_bytes > 0)
        cls_text_add(text, ", values by indexes");
    if (selection->parts.sort) {
        cls_text_add(text, "; then ");
        cls_plan_describe(selection->parts.sort, cls_min(count, selection->max_places), text);
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
                                       .columns = arrays->columns,
                                       .values_out = region[SORTED],
                                       .segment_count = arrays->segment_count,
                                       .offsets = arrays->offsets,
                                       .ends = arrays->ends,
                                       .count_buffer = arrays->count_buffer};
    return cls_plan_enqueue(selection->parts.argsort, &argsort, region[SORT_SCRATCH], chain);
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
    return cls_plan_enqueue(selection->parts.sort, &pairs, region[SORT_SCRATCH], chain);
}

static cl_int enqueue_in(const struct cls_segment_selection *selection,
                         const struct cls_arrays *arrays, const clsort_buffer *region,
                         struct cls_chain *chain)
{
    const struct cls_segments_select *select = &selection->select;
    const bool takes_sorted = selection->parts.argsort != NULL;
    const clsort_buffer none = {NULL, 0};
    const struct cls_segments_select_job job = {
        .count = arrays->count,
        .segment_count = arrays->segment_count,
        .k = selection->parts.is_nth ? arrays->selected - 1 : arrays->selected,
        .places = arrays->segment_count > 0 ? arrays->out_count / arrays->segment_count : 0,
        .is_nth = selection->parts.is_nth,
        .keys_in = arrays->keys_in,
        .offsets = arrays->offsets,
        .ends = arrays->ends,
        .ks = arrays->ks,
        .result = arrays->result,
        .count_buffer = arrays->count_buffer,
        .keys_out = takes_sorted            ? none
                    : arrays->keys_out.mem  ? arrays->keys_out
                    : selection->parts.sort ? region[KEYS]
                                            : none,
        .indexes_out = arrays->index_out.mem ? arrays->index_out : region[INDEXES],
        .sorted = region[SORTED],
        .control = region[CONTROL],
        .rows = region[ROWS]};
    cl_int status = CL_SUCCESS;
    if (takes_sorted && arrays->out_count > 0)
        status = sort_segments(selection, arrays, region, chain);
    if (status == CL_SUCCESS)
        status = cls_segments_select_enqueue(selection->parts.kernels, select, &job, chain);
    if (status == CL_SUCCESS && selection->parts.sort && arrays->out_count > 0)
        status = sort_selected(selection, &job, region, chain);
    if (status != CL_SUCCESS || arrays->count == 0)
        return status;
    if (takes_sorted && arrays->keys_out.mem)
        status =
            cls_segments_select_copy(selection->parts.kernels, select, &job, select->spec.key_bytes,
                                     arrays->keys_in, arrays->keys_out, chain);
    if (status == CL_SUCCESS && arrays->values_out.mem)
        status =
            cls_segments_select_copy(selection->parts.kernels, select, &job, selection->value_bytes,
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
    cl_int status = cls_regions_open(device, bytes, REGIONS, scratch, region);
    if (status == CL_SUCCESS)
        status = enqueue_in(selection, arrays, region, chain);
    cls_regions_close(scratch, REGIONS, region);
    return status;
}
