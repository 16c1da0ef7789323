/* segmented.c - the plan of segmented sorts */
#include "plan/segmented.h"

#include "algo/common/programs.h"
#include "algo/gather/rows.h"
#include "base/arithmetic.h"
#include "base/error.h"
#include "plan/operation.h"
#include "plan/plan.h"
#include "plan/regions.h"
#include "plan/segmented_test.h"

#include <stdlib.h>

/* Wider values are gathered once, after a sort that moves their indexes. */
enum { MAX_MOVED_VALUE_BYTES = 16, DEFAULT_OFFSET_BYTES = 4 };

/* -- creation ---------------------------------------------------------------------------------- */

clsort_status cls_segmented_check(const struct cls_request *request)
{
    const char *sorts = request->spec.segments != CLSORT_WHOLE
                            ? "segmented sorts"
                            : "sorts with a count in device memory";
    if (request->algorithm.algo)
        return cls_fail(CLSORT_E_UNSUPPORTED,
                        "clsort_desc.algorithm is %s: %s have algorithms of their own",
                        request->algorithm.algo->name, sorts);
    if (request->no_scratch)
        return cls_fail(CLSORT_E_UNSUPPORTED,
                        "%s need scratch memory, which CLSORT_NO_SCRATCH forbids", sorts);
    return CLSORT_OK;
}

clsort_status cls_segmented_choose(const struct cls_caps *caps, const struct cls_request *request,
                                   void *plan)
{
    struct cls_segmented *segmented = plan;
    struct cls_spec spec = request->spec;
    const uint64_t wanted = cls_tested_wanted(caps, request, spec.value_is_index);
    const char *why;
    spec.index_bits = wanted <= caps->index32_max ? 32 : 64;
    segmented->gather = cls_gather_rows_for(caps, &spec, spec.value_bytes);
    segmented->gather.count_bytes = 0; /* elements in no segment are known by their index */
    segmented->gathers = spec.value_bytes > MAX_MOVED_VALUE_BYTES;
    if (segmented->gathers) {
        spec.value_is_index = true;
        spec.value_bytes = spec.index_bits / 8;
    }
    if (!cls_segments_for(caps, &spec,
                          request->index_bytes > 0 ? request->index_bytes : DEFAULT_OFFSET_BYTES,
                          wanted, &segmented->segments, &why))
        return cls_fail(CLSORT_E_UNSUPPORTED, "%s", why);
    segmented->may_omit_keys_out = cls_operation_of(&spec)->may_omit_keys_out;
    segmented->max_segments = request->max_segments;
    segmented->max_count = cls_min(wanted, segmented->segments.max_count);
    return cls_tested_check_max(request, wanted, segmented->max_count, "sorted in segments");
}

bool cls_segmented_is_untested(struct cls_device *device, const struct cls_request *request,
                               uint64_t count, char subject[CLS_TESTED_SUBJECT])
{
    struct cls_segmented segmented = {.gathers = false};
    struct cls_request exact = *request;
    exact.max_count = count;
    return cls_tested_is_untested(&cls_segmented_tested, device, &exact, &segmented, subject);
}

struct cls_request cls_segmented_order_request(const struct cls_request *request,
                                               uint64_t max_count)
{
    struct cls_request order = {.spec = cls_gather_spec(request->index_bytes, request->index_bytes),
                                .max_count =
                                    request->max_segments > 0 ? request->max_segments : max_count,
                                .is_test = request->is_test};
    order.spec.operation = CLSORT_SORT;
    order.spec.stable = true;
    order.spec.count_bytes = request->spec.count_bytes;
    return order;
}

clsort_status cls_segmented_create(struct cls_device *device, const struct cls_ladders *ladders,
                                   const struct cls_request *request,
                                   struct cls_segmented **created)
{
    clsort_status status = cls_segmented_check(request);
    if (status != CLSORT_OK)
        return status;
    struct cls_segmented *segmented = calloc(1, sizeof *segmented);
    if (!segmented)
        return CLSORT_E_MEMORY;
    status = cls_tested_create(&cls_segmented_tested, device, request, segmented);
    if (status == CLSORT_OK && request->spec.segments == CLSORT_BEGIN_END &&
        !request->segments_in_order) {
        const struct cls_request order = cls_segmented_order_request(request, segmented->max_count);
        status = cls_plan_create(device, ladders, &order, &segmented->order);
    }
    if (status != CLSORT_OK) {
        cls_segmented_destroy(segmented);
        return status;
    }
    segmented->segments.spec.custom = (struct cls_custom){NULL, NULL, NULL, 0};
    *created = segmented;
    return CLSORT_OK;
}

void cls_segmented_destroy(struct cls_segmented *segmented)
{
    if (!segmented)
        return;
    cls_kernels_release(segmented->kernels);
    cls_kernels_release(segmented->gather_kernels);
    if (segmented->order)
        cls_plan_destroy(segmented->order);
    free(segmented);
}

/* -- scratch ----------------------------------------------------------------------------------- */

/* Regions, besides those of the sort: the sorted begins and ends, and the indexes of wide values or the
 * keys that the caller may omit. Begins and ends are sorted before the list is written, which therefore
 * shares its region with the scratch of that sort. */
enum { BEGINS = CLS_SEGMENTS_REGIONS, ENDS, EXTRA, REGIONS };

uint64_t cls_segmented_max_segments(const struct cls_segmented *segmented, uint64_t count)
{
    const uint64_t max =
        segmented->order ? cls_min(segmented->order->max_count, segmented->segments.max_segments)
                         : segmented->segments.max_segments;
    if (segmented->segments.spec.segments == CLSORT_ROWS)
        return UINT64_MAX;
    if (segmented->segments.spec.segments == CLSORT_WHOLE)
        return 1;
    return cls_min(segmented->max_segments > 0 ? segmented->max_segments : count, max);
}

/* Sets the size of each region. Returns their sum. */
static uint64_t lay_out(const struct cls_segmented *segmented, uint64_t count, uint64_t number,
                        uint64_t *bytes)
{
    const struct cls_spec *spec = &segmented->segments.spec;
    const uint64_t listed = spec->segments == CLSORT_ROWS ? 0 : number;
    const uint64_t pairs = segmented->order ? listed * segmented->segments.offset_bytes : 0;
    cls_segments_scratch(&segmented->segments, count, listed, bytes);
    bytes[BEGINS] = bytes[ENDS] = pairs;
    bytes[EXTRA] = segmented->gathers             ? count * spec->value_bytes
                   : segmented->may_omit_keys_out ? count * spec->key_bytes
                                                  : 0;
    if (segmented->order)
        bytes[CLS_SEGMENTS_LIST] =
            cls_max(bytes[CLS_SEGMENTS_LIST], cls_plan_scratch_bytes(segmented->order, listed));
    if (segmented->gathers)
        cls_gather_lay_out(&segmented->gather, count, bytes);
    return cls_regions_round(bytes, REGIONS);
}

uint64_t cls_segmented_scratch_for(const struct cls_segmented *segmented, uint64_t count,
                                   uint64_t number)
{
    uint64_t bytes[REGIONS];
    return lay_out(segmented, count, number, bytes);
}

uint64_t cls_segmented_scratch_bytes(const struct cls_segmented *segmented, uint64_t count)
{
    return cls_segmented_scratch_for(segmented, count,
                                     cls_segmented_max_segments(segmented, count));
}

uint64_t cls_segmented_cost_bytes(const struct cls_segmented *segmented, uint64_t count)
{
    const struct cls_spec *spec = &segmented->segments.spec;
    const uint64_t copy = 2 * (spec->key_bytes + (uint64_t)spec->value_bytes);
    return count *
           (copy + (segmented->gathers ? cls_gather_bytes_per_element(&segmented->gather) : 0));
}

void cls_segmented_describe(const struct cls_segmented *segmented, uint64_t count,
                            struct cls_text *text)
{
    const struct cls_segments *s = &segmented->segments;
    if (s->by_length)
        cls_text_add(text, "up to %u elements by sub-groups, more by MSD", s->max_tiny);
    else
        cls_text_add(text, "%s, tiles of %llu", s->is_for_cores ? "for cores" : "for work-groups",
                     (unsigned long long)cls_segments_tile(s, count));
    if (s->uses_quicksort)
        cls_text_add(text, ", vectorised quicksort");
    if (segmented->gathers)
        cls_text_add(text, ", values by permutation and gather");
    cls_text_add(text, ", %u-bit indexes", s->spec.index_bits);
    if (segmented->order) {
        cls_text_add(text, "; begins and ends by ");
        cls_plan_describe(segmented->order,
                          cls_max(cls_segmented_max_segments(segmented, count), 1), text);
    } else
        cls_text_add(text, "; self-test passed");
}

/* -- enqueue ----------------------------------------------------------------------------------- */

/* Sorts begins and ends by the begins, and lets *arrays have the result. */
static cl_int order_segments(const struct cls_segmented *segmented, const clsort_buffer *region,
                             struct cls_arrays *arrays, struct cls_chain *chain)
{
    if (!segmented->order || arrays->segment_count == 0)
        return CL_SUCCESS;
    const struct cls_arrays pairs = {.count = arrays->segment_count,
                                     .keys_in = arrays->offsets,
                                     .values_in = arrays->ends,
                                     .keys_out = region[BEGINS],
                                     .values_out = region[ENDS],
                                     .segment_count = 1,
                                     .count_buffer = arrays->count_buffer};
    arrays->offsets = region[BEGINS];
    arrays->ends = region[ENDS];
    return cls_plan_enqueue(segmented->order, &pairs, region[CLS_SEGMENTS_LIST], chain);
}

/* Returns whether there may be elements in no segment: rows are the whole array, unless the device knows
 * their number. */
static bool has_gaps(const struct cls_spec *spec)
{
    return spec->segments != CLSORT_ROWS || spec->count_bytes > 0;
}

static cl_int enqueue_in(const struct cls_segmented *segmented, const struct cls_arrays *arrays,
                         const clsort_buffer *region, struct cls_chain *chain)
{
    struct cls_arrays sorted = *arrays;
    const struct cls_gather_job gather = {.arrays = arrays,
                                          .control = region[CLS_CONTROL],
                                          .index = region[EXTRA],
                                          .has_gaps = has_gaps(&segmented->segments.spec),
                                          .slice = region[CLS_KEYS]};
    clsort_buffer sort_region[REGIONS];
    const struct cls_segments_job job = {.arrays = &sorted,
                                         .scratch = segmented->gathers ? sort_region : region};
    const bool gathers = segmented->gathers && arrays->count > 0 && arrays->segment_count > 0;
    if (segmented->gathers) {
        sorted.values_out = region[EXTRA];
        cls_gather_place(&segmented->gather, arrays->count, region, REGIONS, sort_region);
    } else if (segmented->may_omit_keys_out && !sorted.keys_out.mem)
        sorted.keys_out = region[EXTRA];
    cl_int status = order_segments(segmented, region, &sorted, chain);
    if (status == CL_SUCCESS && gathers && gather.has_gaps)
        status = cls_gather_clear(segmented->gather_kernels, &segmented->gather, &gather, chain);
    if (status == CL_SUCCESS)
        status = cls_segments_enqueue(segmented->kernels, &segmented->segments, &job, chain);
    return status == CL_SUCCESS && gathers
               ? cls_gather_enqueue(segmented->gather_kernels, &segmented->gather, &gather, chain)
               : status;
}

cl_int cls_segmented_enqueue(const struct cls_device *device, const struct cls_segmented *segmented,
                             const struct cls_arrays *arrays, clsort_buffer scratch,
                             struct cls_chain *chain)
{
    uint64_t bytes[REGIONS];
    clsort_buffer region[REGIONS] = {{NULL, 0}};
    if ((arrays->count == 0 || arrays->segment_count == 0) && !arrays->result.mem)
        return CL_SUCCESS;
    lay_out(segmented, arrays->count, arrays->segment_count, bytes);
    cl_int status = cls_regions_open(device, bytes, REGIONS, scratch, region);
    if (status == CL_SUCCESS)
        status = enqueue_in(segmented, arrays, region, chain);
    cls_regions_close(scratch, REGIONS, region);
    return status;
}

/* -- in two steps ------------------------------------------------------------------------------ */

cl_int cls_segmented_enqueue_list(const struct cls_device *device,
                                  const struct cls_segmented *segmented,
                                  const struct cls_arrays *arrays, clsort_buffer scratch,
                                  struct cls_chain *chain, struct cls_segmented_list *list)
{
    uint64_t bytes[REGIONS];
    clsort_buffer region[REGIONS] = {{NULL, 0}};
    struct cls_arrays ordered = *arrays;
    const struct cls_segments_job job = {.arrays = &ordered, .scratch = region};
    lay_out(segmented, arrays->count, arrays->segment_count, bytes);
    cl_int status = cls_regions_open(device, bytes, REGIONS, scratch, region);
    if (status == CL_SUCCESS)
        status = order_segments(segmented, region, &ordered, chain);
    if (status == CL_SUCCESS)
        status = cls_segments_enqueue_list(segmented->kernels, &segmented->segments, &job, chain);
    *list = (struct cls_segmented_list){
        region[CLS_CONTROL], region[CLS_SEGMENTS_LIST],
        arrays->segment_count > 0 ? cls_segments_row(&segmented->segments, arrays) : 0};
    return status;
}

cl_int cls_segmented_enqueue_listed(const struct cls_device *device,
                                    const struct cls_segmented *segmented,
                                    const struct cls_arrays *arrays, clsort_buffer scratch,
                                    struct cls_chain *chain)
{
    uint64_t bytes[REGIONS];
    clsort_buffer region[REGIONS] = {{NULL, 0}};
    const struct cls_segments_job job = {.arrays = arrays, .scratch = region, .has_list = true};
    lay_out(segmented, arrays->count, arrays->segment_count, bytes);
    const cl_int status = cls_regions_open(device, bytes, REGIONS, scratch, region);
    return status == CL_SUCCESS
               ? cls_segments_enqueue(segmented->kernels, &segmented->segments, &job, chain)
               : status;
}
