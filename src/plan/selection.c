/* selection.c - the plan of CLSORT_SELECT and CLSORT_NTH */
#include "plan/selection.h"

#include "base/arithmetic.h"
#include "base/error.h"
#include "plan/plan.h"
#include "plan/regions.h"
#include "plan/selection_test.h"
#include "plan/self_test.h"

#include <stdlib.h>

/* -- creation ---------------------------------------------------------------------------------- */

/* Returns the size of the number of selected elements in device memory; 0: the host knows it. */
static unsigned written_bytes(const struct cls_request *request)
{
    return request->spec.count_bytes > 0 ? sizeof(cl_ulong) : 0;
}

/* Returns the request of a sort of the selected elements: pairs of keys and indexes. */
static struct cls_request sort_request(const struct cls_selection *selection,
                                       const struct cls_request *request)
{
    struct cls_request sort = *request;
    sort.spec.operation = CLSORT_SORT;
    sort.spec.value_bytes = request->index_bytes;
    sort.spec.count_bytes = written_bytes(request);
    sort.max_count = selection->parts.max_k;
    return sort;
}

/* With fewer elements, a sort without indexes gains less than the compilation of its kernels takes. */
enum { MIN_KEYS_ALONE = 1 << 18 };

/* Returns whether keys alone are sorted if the caller wants nothing else: equal keys must be the same bytes, so that
 * the result does not depend on their order. */
static bool sorts_keys_alone(const struct cls_selection *selection,
                             const struct cls_request *request)
{
    const struct cls_spec *spec = &request->spec;
    return selection->parts.sort && selection->parts.max_k >= MIN_KEYS_ALONE &&
           (spec->order == CLS_ORDER_INTEGER || spec->order == CLS_ORDER_FLOAT) &&
           spec->begin_bit == 0 && spec->end_bit == 8 * spec->key_bytes;
}

/* Returns the request of a gather of the values of the selected elements. */
static struct cls_request gather_request(const struct cls_selection *selection,
                                         const struct cls_request *request)
{
    struct cls_request gather = {.max_count = selection->parts.max_k};
    gather.spec = cls_gather_spec(request->index_bytes, request->spec.value_bytes);
    gather.spec.count_bytes = written_bytes(request);
    return gather;
}

clsort_status cls_selection_choose(const struct cls_caps *caps, const struct cls_request *request,
                                   void *plan)
{
    struct cls_selection *selection = plan;
    uint64_t wanted;
    const struct cls_spec spec = cls_selection_parts_spec(caps, request, &wanted);
    selection->select = cls_select_for(caps, &spec);
    selection->partitions = spec.partitions;
    return cls_selection_parts_limit(request, wanted, selection->select.max_count,
                                     &selection->parts);
}

bool cls_selection_is_untested(struct cls_device *device, const struct cls_request *request,
                               uint64_t count, char subject[CLS_TESTED_SUBJECT])
{
    struct cls_selection selection = {0};
    struct cls_request exact = *request;
    exact.max_count = count;
    exact.max_k = cls_min(exact.max_k, count);
    return cls_tested_is_untested(&cls_selection_tested, device, &exact, &selection, subject);
}

/* Creates the plans that sort the selected elements and gather their values. Without maximum numbers
 * in the request, as many elements can be selected as these support. */
static clsort_status create_plans(struct cls_device *device, const struct cls_ladders *ladders,
                                  const struct cls_request *request,
                                  struct cls_selection *selection)
{
    struct cls_request sort = sort_request(selection, request),
                       gather = gather_request(selection, request);
    clsort_status status = CLSORT_OK;
    if (request->max_count == 0 && request->max_k == 0 && !selection->parts.is_nth)
        sort.max_count = gather.max_count = 0;
    if (request->spec.operation == CLSORT_SELECT && !request->input_order &&
        !selection->parts.argsort)
        status = cls_plan_create(device, ladders, &sort, &selection->parts.sort);
    sort.spec.value_bytes = 0;
    if (status == CLSORT_OK && sorts_keys_alone(selection, request))
        status = cls_plan_create(device, ladders, &sort, &selection->key_sort);
    if (status == CLSORT_OK && request->spec.value_bytes > 0)
        status = cls_plan_create(device, ladders, &gather, &selection->gather);
    if (status == CLSORT_OK && selection->parts.sort)
        selection->parts.max_k = cls_min(selection->parts.max_k, selection->parts.sort->max_count);
    if (status == CLSORT_OK && selection->key_sort)
        selection->parts.max_k = cls_min(selection->parts.max_k, selection->key_sort->max_count);
    if (status == CLSORT_OK && selection->gather)
        selection->parts.max_k = cls_min(selection->parts.max_k, selection->gather->max_count);
    if (selection->partitions)
        selection->parts.max_count = cls_min(selection->parts.max_count, selection->parts.max_k);
    return status;
}

/* Creates the plan that sorts all elements by a custom order. */
static clsort_status create_argsort(struct cls_device *device, const struct cls_ladders *ladders,
                                    const struct cls_request *request,
                                    struct cls_selection *selection)
{
    struct cls_selection_parts *parts = &selection->parts;
    const clsort_status status =
        cls_selection_parts_argsort(device, ladders, request, request->max_segments, parts);
    if (status != CLSORT_OK)
        return status;
    selection->select.spec = parts->argsort->request.spec; /* for the sizes of elements */
    return cls_selection_parts_limit(request, parts->argsort->max_count, parts->argsort->max_count,
                                     parts);
}

clsort_status cls_selection_create(struct cls_device *device, const struct cls_ladders *ladders,
                                   const struct cls_request *request,
                                   struct cls_selection **created)
{
    clsort_status status = cls_selection_parts_check(request);
    if (status != CLSORT_OK)
        return status;
    struct cls_selection *selection = calloc(1, sizeof *selection);
    if (!selection)
        return CLSORT_E_MEMORY;
    status = request->spec.order == CLS_ORDER_CUSTOM
                 ? create_argsort(device, ladders, request, selection)
                 : cls_tested_create(&cls_selection_tested, device, request, selection);
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
    cls_selection_parts_release(&selection->parts);
    if (selection->key_sort)
        cls_plan_destroy(selection->key_sort);
    if (selection->gather)
        cls_plan_destroy(selection->gather);
    free(selection);
}

/* -- scratch ----------------------------------------------------------------------------------- */

/* Regions: the scratch of the selection and of the sort, and the selected keys and indexes where the
 * caller does not want them. For custom orders, the scratch of the argsort, and all keys and indexes
 * in order. */
enum { SELECT_SCRATCH, SORT_SCRATCH, KEYS, INDEXES, REGIONS };

/* Sets the size of each region for k of count elements. Returns their sum. */
static uint64_t lay_out(const struct cls_selection *selection, uint64_t count, uint64_t k,
                        uint64_t *bytes)
{
    const struct cls_spec *spec = &selection->select.spec;
    const bool sorts_all = selection->parts.argsort != NULL;
    /* The scratch of CLSORT_NTH must not depend on the element that is selected. */
    bytes[SELECT_SCRATCH] = sorts_all ? cls_plan_scratch_bytes(selection->parts.argsort, count)
                                      : cls_select_scratch(&selection->select, count,
                                                           selection->parts.is_nth ? count : k);
    bytes[SORT_SCRATCH] =
        selection->parts.sort ? cls_plan_scratch_bytes(selection->parts.sort, k) : 0;
    if (selection->key_sort)
        bytes[SORT_SCRATCH] =
            cls_max(bytes[SORT_SCRATCH], cls_plan_scratch_bytes(selection->key_sort, k));
    bytes[KEYS] = sorts_all               ? count * spec->key_bytes
                  : selection->parts.sort ? k * spec->key_bytes
                                          : 0;
    bytes[INDEXES] = (sorts_all ? count : k) * spec->value_bytes;
    return cls_regions_round(bytes, REGIONS);
}

uint64_t cls_selection_scratch_bytes(const struct cls_selection *selection, uint64_t count)
{
    uint64_t bytes[REGIONS];
    return count > 0 ? lay_out(selection, count, cls_min(selection->parts.max_k, count), bytes) : 0;
}

uint64_t cls_selection_cost_bytes(const struct cls_selection *selection, uint64_t count)
{
    const struct cls_spec *spec = &selection->select.spec;
    const uint64_t k = cls_min(selection->parts.max_k, count);
    uint64_t bytes = selection->parts.argsort
                         ? cls_plan_cost_bytes(selection->parts.argsort, count)
                         : count * cls_select_bytes_per_element(&selection->select, count, k);
    bytes += 2 * k * (spec->key_bytes + spec->value_bytes);
    if (selection->parts.sort)
        bytes += cls_plan_cost_bytes(selection->parts.sort, k);
    if (selection->gather)
        bytes += cls_plan_cost_bytes(selection->gather, k);
    return bytes;
}

void cls_selection_describe(const struct cls_selection *selection, uint64_t count,
                            struct cls_text *text)
{
    if (selection->parts.argsort) {
        cls_text_add(text, "by an argsort of all elements: ");
        cls_plan_describe(selection->parts.argsort, count, text);
        return;
    }
    cls_text_add(text, "%s, indexes of %zu bytes",
                 selection->select.is_for_cores ? "for cores" : "for work-groups",
                 selection->select.spec.value_bytes);
    if (selection->gather)
        cls_text_add(text, ", values by gather");
    if (selection->parts.sort) {
        cls_text_add(text, "; then ");
        cls_plan_describe(selection->parts.sort, cls_min(selection->parts.max_k, count), text);
    } else
        cls_text_add(text, "; self-test passed");
}

/* -- enqueue ----------------------------------------------------------------------------------- */

/* Sorts all elements, and copies the selected ones. */
static cl_int enqueue_argsort(const struct cls_selection *selection,
                              const struct cls_arrays *arrays, const clsort_buffer *region,
                              struct cls_chain *chain)
{
    const struct cls_spec *spec = &selection->select.spec;
    const uint64_t k = arrays->out_count, first = arrays->selected - k;
    const clsort_buffer none = {NULL, 0};
    const size_t key = spec->key_bytes, index = spec->value_bytes;
    const clsort_buffer keys = {region[KEYS].mem, region[KEYS].offset + (size_t)first * key},
                        indexes = {region[INDEXES].mem,
                                   region[INDEXES].offset + (size_t)first * index};
    const struct cls_arrays argsort = {.count = arrays->count,
                                       .keys_in = arrays->keys_in,
                                       .keys_out = region[KEYS],
                                       .values_out = region[INDEXES]};
    const struct cls_arrays gather = {.count = k,
                                      .keys_in = indexes,
                                      .values_in = arrays->values_in,
                                      .values_out = arrays->values_out,
                                      .source_count = arrays->count};
    cl_int status =
        cls_plan_enqueue(selection->parts.argsort, &argsort, region[SELECT_SCRATCH], chain);
    if (status == CL_SUCCESS && arrays->keys_out.mem)
        status = cls_copy_enqueue(chain, keys, arrays->keys_out, (size_t)k * key);
    if (status == CL_SUCCESS && arrays->index_out.mem)
        status = cls_copy_enqueue(chain, indexes, arrays->index_out, (size_t)k * index);
    if (status == CL_SUCCESS && arrays->values_out.mem)
        status = cls_plan_enqueue(selection->gather, &gather, none, chain);
    return status;
}

static cl_int enqueue_in(const struct cls_selection *selection, const struct cls_arrays *arrays,
                         const clsort_buffer *region, struct cls_chain *chain)
{
    const uint64_t k = arrays->out_count;
    const clsort_buffer none = {NULL, 0};
    const bool is_keys_alone = !arrays->index_out.mem && !arrays->values_out.mem;
    const struct clsort_plan *sort_plan =
        is_keys_alone && selection->key_sort ? selection->key_sort : selection->parts.sort;
    const bool needs_indexes = !is_keys_alone || (sort_plan && sort_plan != selection->key_sort);
    const clsort_buffer keys = arrays->keys_out.mem ? arrays->keys_out
                               : sort_plan          ? region[KEYS]
                                                    : none;
    const clsort_buffer indexes = arrays->index_out.mem ? arrays->index_out
                                  : needs_indexes       ? region[INDEXES]
                                                        : none;
    const struct cls_select_job job = {.count = arrays->count,
                                       .k = arrays->selected,
                                       .is_nth = selection->parts.is_nth,
                                       .partitions = selection->partitions,
                                       .count_buffer = arrays->count_buffer,
                                       .result = arrays->result,
                                       .keys_in = arrays->keys_in,
                                       .keys_out = keys,
                                       .indexes_out = indexes,
                                       .scratch = region[SELECT_SCRATCH]};
    const clsort_buffer written = cls_select_written(&job);
    const struct cls_arrays sort = {.count = k,
                                    .in_place = true,
                                    .keys_in = keys,
                                    .values_in = indexes,
                                    .keys_out = keys,
                                    .values_out = indexes,
                                    .segment_count = 1,
                                    .count_buffer = written};
    const struct cls_arrays gather = {.count = k,
                                      .keys_in = indexes,
                                      .values_in = arrays->values_in,
                                      .values_out = arrays->values_out,
                                      .source_count = arrays->count,
                                      .count_buffer = written};
    if (selection->parts.argsort)
        return enqueue_argsort(selection, arrays, region, chain);
    cl_int status = cls_select_enqueue(selection->parts.kernels, &selection->select, &job, chain);
    if (status == CL_SUCCESS && sort_plan)
        status = cls_plan_enqueue(sort_plan, &sort, region[SORT_SCRATCH], chain);
    if (status == CL_SUCCESS && arrays->values_out.mem)
        status = cls_plan_enqueue(selection->gather, &gather, none, chain);
    return status;
}

/* Writes the result of a selection of no elements. */
static cl_int enqueue_result(const struct cls_selection *selection, const struct cls_arrays *arrays,
                             struct cls_chain *chain)
{
    const struct cls_select_job job = {
        .count = arrays->count, .count_buffer = arrays->count_buffer, .result = arrays->result};
    return cls_select_enqueue(selection->parts.kernels, &selection->select, &job, chain);
}

cl_int cls_selection_enqueue(const struct cls_device *device, const struct cls_selection *selection,
                             const struct cls_arrays *arrays, clsort_buffer scratch,
                             struct cls_chain *chain)
{
    uint64_t bytes[REGIONS];
    clsort_buffer region[REGIONS] = {{NULL, 0}};
    if (arrays->out_count == 0)
        return arrays->result.mem ? enqueue_result(selection, arrays, chain) : CL_SUCCESS;
    lay_out(selection, arrays->count, arrays->out_count, bytes);
    cl_int status = cls_regions_open(device, bytes, REGIONS, scratch, region);
    if (status == CL_SUCCESS)
        status = enqueue_in(selection, arrays, region, chain);
    cls_regions_close(scratch, REGIONS, region);
    return status;
}
