/* segment_pieces.c - sorts segments of host arrays on the device that exceed its largest buffer
 *
 * Consecutive segments are sorted together, as long as the part of the array from the first to the last of them
 * fits in a buffer. A segment that does not fit on its own is divided into ranges of keys (pieces.c). */
#include "api/segment_pieces.h"

#include "api/engine.h"
#include "api/host.h"
#include "api/piece.h"
#include "api/pieces.h"
#include "base/arithmetic.h"
#include "base/index.h"
#include "host/sort.h"

#include <stdlib.h>

enum {
    SEGMENT_SCRATCH = 32
}; /* at least the bytes of a segment in any array of a segmented sort */

clsort_status cls_segment_pieces_plan(clsort_engine *engine, const struct cls_request *request,
                                      size_t number, struct clsort_plan **plan)
{
    const uint64_t max = engine->device->caps.max_alloc;
    struct cls_request batch = *request;
    batch.spec.segments = CLSORT_BEGIN_END;
    batch.segments_in_order = true;
    if (batch.index_bytes == 0)
        batch.index_bytes = sizeof(uint64_t);
    batch.max_count = max / cls_max(request->spec.key_bytes, request->spec.value_bytes);
    batch.max_segments =
        cls_max(cls_min(cls_min(batch.max_count, number), max / SEGMENT_SCRATCH), 1);
    return cls_plan_create(engine->device, &engine->ladders, &batch, plan);
}

void cls_segment_pieces_describe(const struct clsort_plan *batch, struct cls_text *text)
{
    cls_plan_describe(batch, batch->max_count, text);
    cls_text_add(text,
                 "; in batches of segments, and longer segments in pieces: the device's "
                 "buffers are too small");
}

/* A sort that is running. */
struct sort {
    clsort_engine *engine;
    cl_command_queue queue;
    const struct cls_request *request;
    struct clsort_plan *batch,
        *whole; /* whole: of segments that exceed a buffer; NULL until there is one */
    struct cls_host_elements at;
    /* The batch: the part of the array that it covers, and its segments, which count from its begin. */
    struct cls_host_range part;
    size_t number;
    char *begins, *ends;
};

static size_t max_number(const struct sort *sort)
{
    return (size_t)sort->batch->request.max_segments;
}

/* Sorts the segments of the batch. */
static clsort_status sort_batch(struct sort *sort)
{
    const struct cls_spec *spec = &sort->batch->request.spec;
    const size_t offset = sort->batch->request.index_bytes;
    const struct cls_host_segments segments = {sort->number, offset, sort->begins, sort->ends};
    const struct cls_host_elements at =
        cls_host_elements_at(spec, sort->at, (size_t)sort->part.begin);
    uint64_t clamped;
    if (sort->number == 0)
        return CLSORT_OK;
    const clsort_status status = cls_piece_sort_segments(
        sort->batch, sort->queue, (size_t)(sort->part.end - sort->part.begin), at, &segments,
        &clamped);
    for (size_t i = 0; i < sort->number && status == CLSORT_OK && spec->value_is_index; i++) {
        const struct cls_host_range range = {cls_load_index(sort->begins + i * offset, offset),
                                             cls_load_index(sort->ends + i * offset, offset)};
        cls_segment_index_from(spec, range, sort->part.begin, at.values);
    }
    sort->number = 0;
    return status;
}

/* Adds a segment to the batch, which is sorted before if it would exceed a buffer. */
static clsort_status add_to_batch(struct sort *sort, struct cls_host_range range)
{
    const size_t offset = sort->batch->request.index_bytes;
    clsort_status status = CLSORT_OK;
    if (sort->number == max_number(sort) ||
        (sort->number > 0 && range.end - sort->part.begin > sort->batch->max_count))
        status = sort_batch(sort);
    if (sort->number == 0)
        sort->part.begin = range.begin;
    sort->part.end = range.end;
    cls_store_index(range.begin - sort->part.begin, offset, sort->begins + sort->number * offset);
    cls_store_index(range.end - sort->part.begin, offset, sort->ends + sort->number * offset);
    sort->number++;
    return status;
}

/* Sorts a segment that exceeds a buffer. */
static clsort_status sort_long(struct sort *sort, struct cls_host_range range)
{
    const struct cls_spec *spec = &sort->request->spec;
    const size_t count = (size_t)(range.end - range.begin);
    const struct cls_host_elements at = cls_host_elements_at(spec, sort->at, (size_t)range.begin);
    struct cls_request whole = *sort->request;
    clsort_status status = CLSORT_OK;
    whole.spec.segments = CLSORT_WHOLE;
    whole.max_segments = 0;
    if (!sort->whole)
        status = cls_pieces_plan(sort->engine, &whole, count, &sort->whole);
    if (cls_falls_back_to_host(&whole, status))
        status = cls_host_sort(spec, count, at.keys, at.values);
    else if (status == CLSORT_OK && spec->value_is_index)
        status = cls_pieces_argsort(sort->whole, sort->queue, count, at.keys, at.values);
    else if (status == CLSORT_OK)
        status = cls_pieces_sort(sort->whole, sort->queue, count, at.keys, at.values);
    if (status == CLSORT_OK && spec->value_is_index)
        cls_segment_index_from(spec, range, range.begin, sort->at.values);
    return status;
}

clsort_status cls_segment_pieces_sort(clsort_engine *engine, struct clsort_plan *batch,
                                      cl_command_queue queue, const struct cls_request *request,
                                      size_t count, void *keys, void *values,
                                      const struct cls_host_segments *segments, uint64_t *clamped)
{
    struct sort sort = {
        .engine = engine, .queue = queue, .request = request, .batch = batch, .at = {keys, values}};
    const size_t bytes = max_number(&sort) * batch->request.index_bytes;
    struct cls_segment_walk walk;
    struct cls_host_range range;
    sort.begins = malloc(2 * bytes);
    clsort_status status = sort.begins
                               ? cls_segment_walk_open(&walk, &request->spec, segments, count)
                               : CLSORT_E_MEMORY;
    if (status != CLSORT_OK) {
        free(sort.begins);
        return status;
    }
    sort.ends = sort.begins + bytes;
    while (status == CLSORT_OK && cls_segment_walk_next(&walk, &range))
        status = range.end - range.begin > batch->max_count ? sort_long(&sort, range)
                                                            : add_to_batch(&sort, range);
    if (status == CLSORT_OK)
        status = sort_batch(&sort);
    *clamped = walk.clamped;
    cls_segment_walk_close(&walk);
    if (sort.whole)
        cls_plan_destroy(sort.whole);
    free(sort.begins);
    return status;
}
