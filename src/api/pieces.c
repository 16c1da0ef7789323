/* pieces.c - sorts host arrays of any size on the device: in pieces, if a buffer cannot hold them
 *
 * The host divides the elements into ranges of keys that fit in a buffer, and the device sorts each
 * range (sample sort: Frazer and McKellar, "Samplesort", JACM 17(3), 1970). The partition moves them
 * to additional memory, and the sorts move them back. */
#include "api/pieces.h"

#include "api/engine.h"
#include "api/host_records.h"
#include "api/piece.h"
#include "base/arithmetic.h"
#include "base/error.h"
#include "base/index.h"
#include "base/platform.h"
#include "device/scratch.h"
#include "host/threads.h"
#include "plan/plan.h"

/* Sorts elements of any number at `at`; `other` has memory for as many. */
static cl_int sort_any(struct clsort_plan *plan, cl_command_queue queue, size_t count,
                       struct cls_host_elements at, struct cls_host_elements other)
{
    const struct cls_spec *spec = &plan->request.spec;
    const size_t max = (size_t)plan->max_count;
    struct cls_splitters splitters;
    size_t end[CLS_MAX_SPLITTERS + 1];
    if (count <= max)
        return cls_piece_sort(plan, queue, count, at, at);
    if (cls_host_is_sorted(spec, at.keys, count, cls_host_threads(count)))
        return CL_SUCCESS;
    cl_int status = cls_host_choose_splitters(spec, at.keys, count, max, &splitters);
    if (status != CLSORT_OK)
        return status;
    cls_host_partition(spec, &splitters, count, at, other, end);
    for (size_t i = 0, first = 0; i <= splitters.count; first = end[i++]) {
        const size_t piece = end[i] - first;
        const struct cls_host_elements from = cls_host_elements_at(spec, other, first),
                                       to = cls_host_elements_at(spec, at, first);
        const bool is_equal = piece <= 1 || splitters.is_equal[i];
        bool is_sorted = false;
        if (status == CL_SUCCESS && !is_equal && piece <= max) {
            status = cls_piece_sort(plan, queue, piece, from, to);
            is_sorted = status == CL_SUCCESS;
        }
        if (!is_sorted) /* also after an error, so that no element is lost */
            cls_host_copy(spec, from, to, piece);
        if (status == CL_SUCCESS && !is_equal && piece > max)
            status = sort_any(plan, queue, piece, to, from);
    }
    return status;
}

/* Sorts a copy of the keys with their indexes. */
static cl_int argsort_pairs(struct clsort_plan *pairs, cl_command_queue queue, size_t count,
                            const void *keys, void *indexes)
{
    const struct cls_spec *spec = &pairs->request.spec;
    const size_t bytes = count * spec->key_bytes;
    const struct cls_block copy = cls_block_take(pairs->device, bytes);
    if (!copy.at)
        return CLSORT_E_MEMORY;
    memcpy(copy.at, keys, bytes);
    cls_number_elements(spec->value_bytes, count, indexes);
    const cl_int status = cls_pieces_sort(pairs, queue, count, copy.at, indexes);
    cls_block_give(pairs->device, copy);
    return status;
}

cl_int cls_pieces_argsort(struct clsort_plan *plan, cl_command_queue queue, size_t count,
                          void *keys, void *indexes)
{
    const struct cls_host_elements arrays = {keys, indexes};
    if (plan->columns)
        return cls_host_records_sort_by_plan(plan, queue, count, keys, indexes);
    return plan->request.spec.value_is_index ? cls_piece_sort(plan, queue, count, arrays, arrays)
                                             : argsort_pairs(plan, queue, count, keys, indexes);
}

cl_int cls_pieces_sort(struct clsort_plan *plan, cl_command_queue queue, size_t count, void *keys,
                       void *values)
{
    const struct cls_spec *spec = &plan->request.spec;
    const struct cls_host_elements arrays = {keys, values};
    if (plan->columns)
        return cls_host_records_sort_by_plan(plan, queue, count, keys, values);
    if (count <= plan->max_count)
        return cls_piece_sort(plan, queue, count, arrays, arrays);
    const uint64_t key_bytes = cls_round_up(count * spec->key_bytes, 8);
    const struct cls_block block =
        cls_block_take(plan->device, key_bytes + count * spec->value_bytes);
    if (!block.at)
        return CLSORT_E_MEMORY;
    const struct cls_host_elements other = {block.at, block.at + key_bytes};
    const cl_int status = sort_any(plan, queue, count, arrays, other);
    cls_block_give(plan->device, block);
    return status;
}

size_t cls_max_piece(const struct cls_caps *caps, const struct cls_spec *spec)
{
    const size_t widest = spec->value_bytes > spec->key_bytes ? spec->value_bytes : spec->key_bytes;
    const uint64_t max = caps->max_alloc / widest;
    return max < SIZE_MAX ? (size_t)max : SIZE_MAX;
}

struct cls_request cls_pieces_request(const struct cls_caps *caps,
                                      const struct cls_request *request, size_t count)
{
    if (request->columns.count > 0)
        return cls_host_records_request(caps, request, count);
    const size_t max = cls_max_piece(caps, &request->spec);
    struct cls_request piece = *request;
    piece.max_count = count < max ? count : max;
    piece.min_count = count <= max ? count : 1; /* a range may be small */
    if (count > max &&
        request->spec.value_is_index) { /* a range has other indexes than from 0 on */
        piece.spec.operation = CLSORT_SORT;
        piece.spec.value_is_index = false;
    }
    return piece;
}

clsort_status cls_pieces_plan(clsort_engine *engine, const struct cls_request *request,
                              size_t count, struct clsort_plan **plan)
{
    const struct cls_request piece = cls_pieces_request(&engine->device->caps, request, count);
    if (piece.max_count < count && request->spec.order == CLS_ORDER_CUSTOM)
        return cls_fail(CLSORT_E_COUNT, /* the host cannot call less */
                        "count is %zu: at most %zu with a custom order, so that each array fits in "
                        "one buffer of the device",
                        count, (size_t)piece.max_count);
    return cls_plan_create(engine->device, &engine->ladders, &piece, plan);
}

void cls_pieces_describe(const struct clsort_plan *plan, size_t count, struct cls_text *text)
{
    const size_t max = (size_t)plan->max_count;
    if (count <= max) {
        cls_plan_describe(plan, count, text);
        return;
    }
    cls_plan_describe(plan, max, text);
    if (plan->columns)
        cls_text_add(text,
                     "; in %zu pieces, merged on the host: the device's buffers are too small",
                     (size_t)cls_divide_up(count, max));
    else
        cls_text_add(text,
                     "; in %zu pieces, divided on the host: the device's buffers are too small",
                     cls_host_ranges(count, max));
}
