/* host_records.c - sorts of records and byte strings in host memory, for clsort_host
 *
 * Keys of several columns have no splitters of a word, so that records are not divided into ranges of
 * keys, as api/pieces.c does. The device sorts pieces of them, which the host merges. */
#include "api/host_records.h"

#include "api/piece.h"
#include "api/pieces.h"
#include "base/arithmetic.h"
#include "base/platform.h"
#include "plan/columns.h"

enum {
    WORD_BYTES = 8,
    MAX_SLICE = 16 /* bytes; larger records move several times as fast out of place */
};

struct cls_host_records cls_host_records_of(const struct cls_request *request)
{
    const struct cls_columns *columns = &request->columns;
    struct cls_host_records records = {.record_bytes = columns->record_bytes,
                                       .columns = columns->count};
    unsigned bytes = 0;
    for (unsigned i = 0; i < columns->count; i++) {
        struct cls_host_column *column = &records.column[i];
        column->column = columns->column[i];
        cls_key_spec(column->column.key, column->column.flags, &column->spec);
        bytes += column->column.bytes;
    }
    records.words = (unsigned)cls_divide_up(bytes, WORD_BYTES);
    return records;
}

clsort_status cls_host_records_sort(const struct cls_request *request, size_t count, void *records,
                                    void *indexes)
{
    const struct cls_host_records by = cls_host_records_of(request);
    return cls_host_sort_records(&by, count, records, indexes, request->spec.value_bytes);
}

struct cls_request cls_host_records_request(const struct cls_caps *caps,
                                            const struct cls_request *request, size_t count)
{
    /* Of scratch memory, one region is the largest: the pairs of words and indexes, twice, and tables. */
    const uint64_t index =
        request->spec.value_is_index ? request->spec.value_bytes : sizeof(uint64_t);
    const uint64_t scratch = 2 * (WORD_BYTES + index), region = scratch + scratch / 16 + 1;
    const uint64_t max = caps->max_alloc / cls_max(request->spec.key_bytes, region);
    struct cls_request piece = *request;
    piece.max_count = cls_min(count, cls_max(max, 1));
    piece.min_count = count <= max ? count : 1; /* the last piece may be small */
    return piece;
}

/* Sorts pieces of records to `to`, which may be the records, or sets the permutation of each one. */
static clsort_status sort_pieces(struct clsort_plan *plan, cl_command_queue queue, size_t count,
                                 struct cls_host_elements from, struct cls_host_elements to)
{
    const struct cls_spec *spec = &plan->request.spec;
    clsort_status status = CLSORT_OK;
    for (size_t first = 0; first < count && status == CLSORT_OK;) {
        const size_t piece = (size_t)cls_min(plan->max_count, count - first);
        status = cls_piece_sort(plan, queue, piece, cls_host_elements_at(spec, from, first),
                                cls_host_elements_at(spec, to, first));
        first += piece;
    }
    return status;
}

/* Sorts pieces and merges them. `other` has memory for the records or, if the permutation is wanted, for
 * the indexes. */
static clsort_status sort_and_merge(struct clsort_plan *plan, cl_command_queue queue, size_t count,
                                    struct cls_host_elements at, char *other)
{
    const bool has_indexes = plan->request.spec.value_is_index;
    const size_t index_bytes = has_indexes ? plan->request.spec.value_bytes : 0;
    const struct cls_host_records by = cls_host_records_of(&plan->request);
    const struct cls_host_elements sorted = {has_indexes ? at.keys : other, at.values};
    const struct cls_host_merge merge = {.count = count,
                                         .piece = (size_t)plan->max_count,
                                         .from = sorted.keys,
                                         .indexes = has_indexes ? at.values : NULL,
                                         .index_bytes = index_bytes,
                                         .to = has_indexes ? other : at.keys};
    clsort_status status = sort_pieces(plan, queue, count, at, sorted);
    if (status == CLSORT_OK)
        status = cls_host_merge_records(&by, &merge);
    if (status == CLSORT_OK && has_indexes)
        memcpy(at.values, other, count * index_bytes);
    return status;
}

clsort_status cls_host_records_sort_by_plan(struct clsort_plan *plan, cl_command_queue queue,
                                            size_t count, void *records, void *indexes)
{
    const struct cls_spec *spec = &plan->request.spec;
    const bool has_pieces = count > plan->max_count;
    const struct cls_host_elements at = {records, indexes};
    const bool moves_wide = !spec->value_is_index && spec->key_bytes > MAX_SLICE;
    const size_t bytes = count * (spec->value_is_index ? spec->value_bytes : spec->key_bytes);
    if (!has_pieces && !(moves_wide && plan->device->caps.shares_memory))
        return cls_piece_sort(plan, queue, count, at, at);
    const struct cls_block other = cls_block_take(plan->device, bytes);
    if (!other.at)
        return has_pieces ? CLSORT_E_MEMORY : cls_piece_sort(plan, queue, count, at, at);
    const struct cls_host_elements to = {other.at, NULL};
    clsort_status status = has_pieces ? sort_and_merge(plan, queue, count, at, other.at)
                                      : cls_piece_sort(plan, queue, count, at, to);
    if (status == CLSORT_OK && !has_pieces)
        cls_host_copy(spec, to, at, count);
    cls_block_give(plan->device, other);
    return status;
}
