/* host_segments.c - clsort_host_segments: sorts segments of arrays in host memory */
#include "api/host_segments.h"

#include "api/engine.h"
#include "api/piece.h"
#include "api/pieces.h"
#include "api/segment_pieces.h"
#include "base/arithmetic.h"
#include "base/error.h"

/* -- arguments --------------------------------------------------------------------------------- */

/* Fails if an array of the segments is missing or superfluous. */
static clsort_status check_segments(const struct cls_request *request, size_t count,
                                    const struct cls_host_segments *segments)
{
    const uint32_t form = request->spec.segments;
    const bool has_offsets = form != CLSORT_ROWS, has_ends = form == CLSORT_BEGIN_END;
    if (form == CLSORT_WHOLE)
        return cls_fail(CLSORT_E_SEGMENTS,
                        "clsort_desc.segments is 0: clsort_host sorts whole arrays");
    if (form == CLSORT_ROWS && (segments->count == 0 ? count > 0 : count % segments->count != 0))
        return cls_fail(CLSORT_E_SEGMENTS,
                        "segment_count is %zu: it must divide count, which is %zu", segments->count,
                        count);
    if ((segments->offsets && !has_offsets) || (segments->ends && !has_ends))
        return cls_fail(CLSORT_E_SEGMENTS, "%s is not NULL, but clsort_desc.segments is %u",
                        segments->offsets && !has_offsets ? "offsets" : "ends", form);
    if (segments->count > 0 &&
        ((!segments->offsets && has_offsets) || (!segments->ends && has_ends)))
        return cls_fail(CLSORT_E_ARGUMENT, "%s is NULL", segments->offsets ? "ends" : "offsets");
    if (has_offsets && segments->count >= SIZE_MAX / 2 / segments->offset_bytes)
        return cls_fail(CLSORT_E_COUNT, "%zu segments exceed the address space", segments->count);
    return request->max_segments > 0 && segments->count > request->max_segments
               ? cls_fail(CLSORT_E_COUNT,
                          "segment_count is %zu: at most clsort_desc.max_segments, which is %llu",
                          segments->count, (unsigned long long)request->max_segments)
               : CLSORT_OK;
}

/* Returns CLSORT_E_OVERLAP if the offsets or ends overlap an array that is written. */
static clsort_status check_overlap(const struct cls_spec *spec, size_t count, const void *keys,
                                   const void *values, const struct cls_host_segments *segments)
{
    const size_t offset = segments->offset_bytes, offsets = segments->count * offset,
                 last = spec->segments == CLSORT_OFFSETS ? offset : 0;
    const struct cls_host_span spans[] = {
        {"values", values, count * spec->value_bytes},
        {"keys", spec->value_is_index ? NULL : keys, count * spec->key_bytes},
        {"offsets", segments->offsets, offsets + last},
        {"ends", segments->ends, offsets},
    };
    return cls_check_host_overlap(spans, 2, 4);
}

/* -- the device -------------------------------------------------------------------------------- */

bool cls_host_segments_fit(const clsort_engine *engine, const struct cls_request *request,
                           size_t count)
{
    const struct cls_caps *caps = &engine->device->caps;
    return count <= cls_max_piece(caps, &request->spec) &&
           (request->index_bytes == 0 ||
            request->max_segments < caps->max_alloc / request->index_bytes);
}

clsort_status cls_host_segments_plan(clsort_engine *engine, const struct cls_request *request,
                                     size_t count, struct clsort_plan **plan)
{
    struct cls_request exact = *request;
    exact.max_count = count;
    return cls_plan_create(engine->device, &engine->ladders, &exact, plan);
}

/* Sorts on the device, or in the calling thread if the device cannot. */
static clsort_status sort_on_device(clsort_engine *engine, cl_command_queue queue,
                                    const struct cls_request *request, size_t count, void *keys,
                                    void *values, const struct cls_host_segments *segments,
                                    uint64_t *clamped)
{
    const struct cls_host_elements at = {keys, values};
    struct cls_request exact = *request;
    struct clsort_plan *plan = NULL;
    cl_command_queue used;
    if (request->spec.segments != CLSORT_ROWS)
        exact.max_segments = segments->count;
    const bool fits = cls_host_segments_fit(engine, &exact, count);
    if (!fits && !cls_host_can_sort(request))
        return cls_host_exceeds_buffer(engine, count);
    clsort_status status = fits ? cls_host_segments_plan(engine, &exact, count, &plan)
                                : cls_segment_pieces_plan(engine, request, segments->count, &plan);
    if (cls_falls_back_to_host(request, status))
        return cls_sort_segments(&request->spec, segments, count, keys, values, clamped);
    if (status != CLSORT_OK)
        return status;
    status = cls_host_queue_open(engine->device, queue, &used);
    if (status == CLSORT_OK)
        status = fits ? cls_piece_sort_segments(plan, used, count, at, segments, clamped)
                      : cls_segment_pieces_sort(engine, plan, used, request, count, keys, values,
                                                segments, clamped);
    cls_host_queue_close(queue, used);
    cls_plan_destroy(plan);
    return status;
}

static clsort_status sort(clsort_engine *engine, cl_command_queue queue, const clsort_desc *desc,
                          size_t count, void *keys, void *values, size_t segment_count,
                          const void *offsets, const void *ends, uint64_t *clamped)
{
    struct cls_request request;
    bool on_host;
    if (!desc)
        return cls_fail(CLSORT_E_ARGUMENT, "desc is NULL");
    clsort_status status = cls_request_read(desc, &request);
    const struct cls_host_segments segments = {segment_count, request.index_bytes, offsets, ends};
    if (status == CLSORT_OK)
        status = cls_check_host_request(&request, count);
    if (status == CLSORT_OK)
        status = check_segments(&request, count, &segments);
    if (status == CLSORT_OK)
        status = cls_check_host_arrays(&request.spec, count, keys, values);
    if (status == CLSORT_OK)
        status = check_overlap(&request.spec, count, keys, values, &segments);
    if (status == CLSORT_OK)
        status =
            cls_host_choose_processor(engine, queue, &request, count, CLS_MAX_HOST_COUNT, &on_host);
    if (status != CLSORT_OK)
        return status;
    if (on_host || count == 0 || segment_count == 0)
        return cls_sort_segments(&request.spec, &segments, count, keys, values, clamped);
    return sort_on_device(engine, queue, &request, count, keys, values, &segments, clamped);
}

clsort_status clsort_host_segments(clsort_engine *engine, cl_command_queue queue,
                                   const clsort_desc *desc, size_t count, void *keys, void *values,
                                   size_t segment_count, const void *offsets, const void *ends,
                                   uint64_t *clamped)
{
    uint64_t number = 0;
    cls_engine_begin(engine);
    const clsort_status status =
        sort(engine, queue, desc, count, keys, values, segment_count, offsets, ends, &number);
    if (clamped)
        *clamped = status == CLSORT_OK ? number : 0;
    return cls_error_end(status);
}
