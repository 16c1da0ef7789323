/* columns.c - the plan of sorts by several columns and of byte strings */
#include "plan/columns.h"

#include "algo/clamp/clamp.h"
#include "algo/common/programs.h"
#include "algo/gather/rows.h"
#include "base/arithmetic.h"
#include "base/error.h"
#include "plan/columns_test.h"
#include "plan/operation.h"
#include "plan/plan.h"
#include "plan/regions.h"
#include "plan/segmented.h"

#include <stdlib.h>

/* The maximum count of kernels with 32-bit indexes, and thus of indexes of 4 bytes. */
#define MAX_NARROW_COUNT (((uint64_t)1 << 32) - ((uint64_t)1 << 28))

enum { WORD_BYTES = 8 };

/* -- creation ---------------------------------------------------------------------------------- */

/* Returns the request of the argsort of packed words. */
static struct cls_request sort_request(const struct cls_columns_sort *columns,
                                       const struct cls_request *request)
{
    const unsigned index = (unsigned)columns->columns.spec.value_bytes;
    struct cls_request sort = {.spec = cls_gather_spec(WORD_BYTES, index),
                               .max_count = request->max_count,
                               .index_bytes = index,
                               .is_test = request->is_test};
    sort.spec.operation = CLSORT_ARGSORT;
    sort.spec.stable = true;
    sort.spec.value_is_index = true;
    sort.spec.count_bytes = columns->columns.spec.count_bytes;
    return sort;
}

/* Chooses the kernels for up to `wanted` elements. */
static clsort_status choose_kernels(const struct cls_caps *caps, const struct cls_request *request,
                                    const struct cls_spec *spec, uint64_t wanted,
                                    struct cls_columns_sort *columns)
{
    const uint64_t max_index = spec->value_bytes == 4 ? MAX_NARROW_COUNT : UINT64_MAX;
    const char *why;
    columns->columns = cls_columns_for(caps, spec, request->columns.record_bytes == 0,
                                       cls_columns_words(&request->columns));
    struct cls_spec records = *spec;
    records.index_bits = 8 * (unsigned)spec->value_bytes;
    columns->gather = cls_gather_rows_for(caps, &records, spec->key_bytes);
    columns->gather.max_slice = WORD_BYTES + spec->value_bytes;
    struct cls_spec pairs = cls_gather_spec(WORD_BYTES, spec->value_bytes);
    pairs.operation = CLSORT_SORT;
    pairs.stable = true;
    pairs.index_bits = spec->index_bits;
    pairs.segments = CLSORT_OFFSETS;
    if (!cls_segments_for(caps, &pairs, 4, cls_min(wanted, max_index), &columns->segments, &why))
        return cls_fail(CLSORT_E_UNSUPPORTED, "%s", why);
    columns->max_count = cls_min(cls_min(wanted, max_index),
                                 cls_min(columns->columns.max_count, columns->segments.max_count));
    return CLSORT_OK;
}

clsort_status cls_columns_sort_choose(const struct cls_caps *caps,
                                      const struct cls_request *request, void *plan)
{
    struct cls_columns_sort *columns = plan;
    struct cls_spec spec = request->spec;
    const uint64_t fits = cls_max_device_count(caps, &spec);
    const uint64_t wanted = request->max_count > 0 ? request->max_count : fits;
    const unsigned index = cls_operation_of(&spec)->has_indexes ? request->index_bytes : 0;
    columns->writes_indexes = spec.operation == CLSORT_ARGSORT;
    columns->selects = cls_operation_of(&spec)->selects;
    /* A count of segments is read when these are listed: elements in no segment are known by their index. */
    columns->count_bytes = spec.segments == CLSORT_WHOLE ? spec.count_bytes : 0;
    spec.count_bytes = columns->count_bytes > 0 ? CLS_CLAMPED_BYTES : 0;
    spec.index_bits = columns->segmented            ? columns->segmented->segments.spec.index_bits
                      : wanted <= caps->index32_max ? 32
                                                    : 64;
    spec.value_bytes = index > 0 ? index : wanted <= MAX_NARROW_COUNT ? 4 : 8;
    clsort_status status = choose_kernels(caps, request, &spec, wanted, columns);
    /* The sort in segments of the caller is created for max_count, and all kernels read one list: they have indexes of
     * the same size, also if the kernels are chosen again for smaller work-groups. */
    if (status == CLSORT_OK && spec.index_bits == 64 && columns->max_count <= caps->index32_max &&
        !columns->segmented) {
        spec.index_bits = 32;
        status = choose_kernels(caps, request, &spec, columns->max_count, columns);
    }
    if (status != CLSORT_OK)
        return status;
    return columns->max_count == wanted || request->max_count == 0
               ? CLSORT_OK
               : cls_fail(CLSORT_E_UNSUPPORTED,
                          "clsort_desc.max_count is %llu: at most %llu elements can be sorted by "
                          "columns on this device",
                          (unsigned long long)wanted, (unsigned long long)columns->max_count);
}

/* Returns the request of a sort of packed words and indexes in segments of some form. */
static struct cls_request segments_request(const struct cls_request *sort, unsigned form)
{
    struct cls_request segments = *sort;
    segments.spec.operation = CLSORT_SORT;
    segments.spec.value_is_index = false;
    segments.spec.segments = form;
    segments.spec.count_bytes = 0;
    segments.index_bytes = 0;
    return segments;
}

/* Creates the plan that sorts packed words in segments of the caller. It also tests the kernels that sort runs. */
static clsort_status create_segmented(struct cls_device *device, const struct cls_ladders *ladders,
                                      const struct cls_request *request,
                                      const struct cls_request *sort,
                                      struct cls_columns_sort *columns)
{
    struct cls_request segments = segments_request(sort, request->spec.segments);
    segments.spec.count_bytes = request->spec.count_bytes;
    segments.index_bytes = request->index_bytes;
    segments.max_count = columns->max_count;
    segments.max_segments = request->max_segments;
    return cls_segmented_create(device, ladders, &segments, &columns->segmented);
}

/* Tests the kernels that sort runs as segments, since indexes that they computed wrongly could be out of bounds. */
static clsort_status test_segments(struct cls_device *device, const struct cls_ladders *ladders,
                                   const struct cls_request *sort)
{
    struct cls_request segments = segments_request(sort, CLSORT_OFFSETS);
    struct cls_segmented *segmented = NULL;
    segments.is_test = true;
    const clsort_status status = cls_segmented_create(device, ladders, &segments, &segmented);
    cls_segmented_destroy(segmented);
    return status;
}

/* Creates the plans that sort packed words, and tests the kernels that sort runs. */
static clsort_status create_sorts(struct cls_device *device, const struct cls_ladders *ladders,
                                  const struct cls_request *request, const struct cls_request *sort,
                                  struct cls_columns_sort *columns)
{
    if (request->spec.segments != CLSORT_WHOLE)
        return create_segmented(device, ladders, request, sort, columns);
    clsort_status status = cls_plan_create(device, ladders, sort, &columns->sort);
    return status == CLSORT_OK ? test_segments(device, ladders, sort) : status;
}

clsort_status cls_columns_sort_create(struct cls_device *device, const struct cls_ladders *ladders,
                                      const struct cls_request *request,
                                      struct cls_columns_sort **created)
{
    if (request->no_scratch)
        return cls_fail(CLSORT_E_UNSUPPORTED,
                        "sorts by columns need scratch memory, which CLSORT_NO_SCRATCH forbids");
    struct cls_columns_sort *columns = calloc(1, sizeof *columns);
    if (!columns)
        return CLSORT_E_MEMORY;
    clsort_status status = cls_columns_sort_choose(&device->caps, request, columns);
    struct cls_request sort = sort_request(columns, request);
    /* The test of the kernels also runs the sort of packed words, which therefore has to be compiled. */
    struct cls_columns_sort tested = {0};
    char subject[CLS_TESTED_SUBJECT];
    if (cls_tested_is_untested(&cls_columns_tested, device, request, &tested, subject))
        sort.is_test = false;
    if (status == CLSORT_OK)
        status = create_sorts(device, ladders, request, &sort, columns);
    if (status == CLSORT_OK)
        status = cls_tested_create(&cls_columns_tested, device, request, columns);
    if (status == CLSORT_OK)
        status = cls_columns_input_create(device, &request->columns, &columns->input);
    if (status != CLSORT_OK) {
        cls_columns_sort_destroy(columns);
        return status;
    }
    if (columns->sort)
        columns->max_count = cls_min(columns->max_count, columns->sort->max_count);
    columns->max_k = request->max_k > 0 ? request->max_k : columns->max_count;
    *created = columns;
    return CLSORT_OK;
}

void cls_columns_sort_destroy(struct cls_columns_sort *columns)
{
    if (!columns)
        return;
    cls_kernels_release(columns->kernels);
    cls_kernels_release(columns->segment_kernels);
    cls_kernels_release(columns->gather_kernels);
    cls_kernels_release(columns->clamp_kernels);
    if (columns->sort)
        cls_plan_destroy(columns->sort);
    cls_segmented_destroy(columns->segmented);
    cls_columns_input_release(&columns->input);
    free(columns);
}

/* -- scratch ----------------------------------------------------------------------------------- */

/* Regions. The sorts of packed words and of runs, and the gather run one after the other, so that they share one. */
enum { COUNT, CONTROL, CHUNKS, FLAGS, PACKED, INDEXES, SHARED, REGIONS };

/* Returns the size of the last region of an argsort, for keys that the caller omits. Here it never does. */
static uint64_t omitted_bytes(uint64_t count)
{
    return cls_round_up(count * WORD_BYTES, CLS_REGION_ALIGNMENT);
}

/* Sets the sizes of the regions of the sort of runs. Returns their sum. */
static uint64_t lay_out_runs(const struct cls_columns_sort *columns, uint64_t count,
                             uint64_t *bytes)
{
    uint64_t total = 0;
    cls_segments_scratch(&columns->segments, count, cls_columns_scratch(count).max_runs, bytes);
    for (size_t i = 0; i < CLS_SEGMENTS_REGIONS; i++)
        total += bytes[i];
    return total;
}

/* Returns the size of scratch of the sort of packed words, in a number of segments of the caller if there are any. */
static uint64_t sort_bytes(const struct cls_columns_sort *columns, uint64_t count, uint64_t number)
{
    return columns->segmented ? cls_segmented_scratch_for(columns->segmented, count, number)
                              : cls_plan_scratch_bytes(columns->sort, count) - omitted_bytes(count);
}

/* Sets the size of each region. Returns their sum. Elements in no segment are known by indexes in scratch, also if the
 * caller wants the indexes. */
static uint64_t lay_out(const struct cls_columns_sort *columns, uint64_t count, uint64_t number,
                        uint64_t *bytes)
{
    const struct cls_columns_scratch scratch = cls_columns_scratch(count);
    const bool has_own_indexes = !columns->writes_indexes || columns->segmented;
    uint64_t segments[CLS_SEGMENTS_REGIONS], total = 0;
    const uint64_t sort = sort_bytes(columns, count, number);
    const uint64_t slice = columns->input.record_bytes > 0 && !columns->selects
                               ? count * cls_gather_slice(&columns->gather)
                               : 0;
    bytes[COUNT] = columns->count_bytes > 0 ? CLS_CLAMPED_BYTES : 0;
    bytes[CONTROL] = scratch.control;
    bytes[CHUNKS] = scratch.chunks;
    bytes[FLAGS] = scratch.flags;
    bytes[PACKED] = scratch.packed;
    bytes[INDEXES] = has_own_indexes ? count * columns->columns.spec.value_bytes : 0;
    bytes[SHARED] = cls_max(cls_max(sort, slice),
                            columns->input.words > 1 ? lay_out_runs(columns, count, segments) : 0);
    for (size_t i = 0; i < REGIONS; i++) {
        bytes[i] = cls_round_up(bytes[i], CLS_REGION_ALIGNMENT);
        total += bytes[i];
    }
    return total;
}

uint64_t cls_columns_sort_max_segments(const struct cls_columns_sort *columns, uint64_t count)
{
    return columns->segmented ? cls_segmented_max_segments(columns->segmented, count) : UINT64_MAX;
}

uint64_t cls_columns_sort_scratch_for(const struct cls_columns_sort *columns, uint64_t count,
                                      uint64_t number)
{
    uint64_t bytes[REGIONS];
    return count > 0 || columns->segmented ? lay_out(columns, count, number, bytes) : 0;
}

uint64_t cls_columns_sort_scratch_bytes(const struct cls_columns_sort *columns, uint64_t count)
{
    return cls_columns_sort_scratch_for(columns, count,
                                        cls_columns_sort_max_segments(columns, count));
}

uint64_t cls_columns_sort_cost_bytes(const struct cls_columns_sort *columns, uint64_t count)
{
    const uint64_t words = columns->input.words, word = WORD_BYTES;
    const uint64_t moves = columns->writes_indexes || columns->selects
                               ? 0
                               : cls_gather_bytes_per_element(&columns->gather);
    const uint64_t sort = columns->segmented ? cls_segmented_cost_bytes(columns->segmented, count)
                                             : cls_plan_cost_bytes(columns->sort, count);
    /* With segments, indexes are written before, read with the columns, and copied if they are wanted. */
    const uint64_t accesses = !columns->segmented ? 0 : columns->writes_indexes ? 4 : 2;
    const uint64_t indexes = accesses * columns->columns.spec.value_bytes;
    /* The columns are read and the packed words are written; then these are read for runs. */
    return sort + count * (words * word + word + (words > 1 ? word : 0) + indexes + moves);
}

void cls_columns_sort_describe(const struct cls_columns_sort *columns, uint64_t count,
                               struct cls_text *text)
{
    const unsigned words = columns->input.words;
    cls_text_add(text, "%s%u word%s%s; packed words by ",
                 columns->selects ? "by an argsort of all elements: " : "", words,
                 words > 1 ? "s" : "",
                 columns->input.record_bytes > 0 ? ", records by gather" : "");
    if (columns->segmented)
        cls_segmented_describe(columns->segmented, count, text);
    else
        cls_plan_describe(columns->sort, count, text);
}

/* -- enqueue ----------------------------------------------------------------------------------- */

/* Returns whether segments of the caller may have elements. */
static bool has_elements(const struct cls_arrays *arrays)
{
    return arrays->count > 0 && arrays->segment_count > 0;
}

/* Lists the segments of the caller, and marks them in the flags and indexes. */
static cl_int enter_segments(const struct cls_device *device,
                             const struct cls_columns_sort *columns,
                             const struct cls_arrays *arrays, const struct cls_columns_job *job,
                             clsort_buffer scratch, struct cls_chain *chain)
{
    struct cls_segmented_list list;
    const cl_int status =
        cls_segmented_enqueue_list(device, columns->segmented, arrays, scratch, chain, &list);
    const struct cls_columns_segments segments = {list.control, list.list, list.row};
    return status == CL_SUCCESS && has_elements(arrays)
               ? cls_columns_enter_segments(columns->kernels, &columns->columns, job, &segments,
                                            chain)
               : status;
}

/* Sorts the packed words and their indexes. */
static cl_int sort_packed(const struct cls_device *device, const struct cls_columns_sort *columns,
                          const struct cls_arrays *arrays, const struct cls_columns_job *job,
                          clsort_buffer scratch, struct cls_chain *chain)
{
    const struct cls_arrays pairs = {.count = job->count,
                                     .in_place = true,
                                     .keys_in = job->packed,
                                     .values_in = job->indexes,
                                     .keys_out = job->packed,
                                     .values_out = job->indexes,
                                     .segment_count =
                                         columns->segmented ? arrays->segment_count : 1,
                                     .count_buffer = job->count_buffer};
    if (columns->segmented)
        return cls_segmented_enqueue_listed(device, columns->segmented, &pairs, scratch, chain);
    if (columns->sort->unstaged)
        return cls_plan_enqueue(columns->sort, &pairs, scratch,
                                chain); /* accesses no last region */
    struct cls_sized_stage sized = cls_plan_sized_stage(columns->sort, job->count);
    sized.layout.region_bytes[sized.layout.regions - 1] = 0; /* omitted_bytes() */
    sized.layout.total -= omitted_bytes(job->count);
    return cls_stage_enqueue(columns->sort->device, sized.stage, &sized.layout, &pairs, scratch,
                             chain);
}

/* Sorts long runs by the words that follow the packed one, and then short runs. */
static cl_int sort_runs(const struct cls_columns_sort *columns, const struct cls_columns_job *job,
                        const clsort_buffer *region, struct cls_chain *chain)
{
    const struct cls_arrays pairs = {.count = job->count,
                                     .in_place = true,
                                     .keys_in = job->packed,
                                     .values_in = job->indexes,
                                     .keys_out = job->packed,
                                     .values_out = job->indexes,
                                     .segment_count = cls_columns_scratch(job->count).max_runs};
    const struct cls_segments_job segments = {
        .arrays = &pairs, .scratch = region, .has_list = true};
    const unsigned levels = pairs.segment_count > 0 ? columns->input.words - 1 : 0;
    cl_int status = CL_SUCCESS;
    for (unsigned level = 0; level < levels && status == CL_SUCCESS; level++) {
        status = cls_columns_find_runs(columns->kernels, &columns->columns, job, level, chain);
        if (status == CL_SUCCESS)
            status = cls_segments_enqueue(columns->segment_kernels, &columns->segments, &segments,
                                          chain);
    }
    return status == CL_SUCCESS
               ? cls_columns_finish(columns->kernels, &columns->columns, job, levels, chain)
               : status;
}

/* Moves the records that some of the indexes name, one for each element of the output. */
static cl_int move_records(const struct cls_columns_sort *columns, const struct cls_arrays *arrays,
                           uint64_t count, const struct cls_columns_job *job, clsort_buffer indexes,
                           clsort_buffer slice, struct cls_chain *chain)
{
    const struct cls_arrays records = {.count = count,
                                       .source_count = arrays->count,
                                       .in_place = arrays->in_place,
                                       .values_in = arrays->keys_in,
                                       .values_out = arrays->keys_out};
    const struct cls_gather_job gather = {.arrays = &records,
                                          .control = job->control,
                                          .index = indexes,
                                          .count = job->count_buffer,
                                          .has_gaps = columns->segmented,
                                          .slice = slice};
    return cls_gather_enqueue(columns->gather_kernels, &columns->gather, &gather, chain);
}

/* Writes the outputs, whose elements are some of the order: all, the first ones, or one. */
static cl_int write_outputs(const struct cls_columns_sort *columns, const struct cls_arrays *arrays,
                            const struct cls_columns_job *job, clsort_buffer slice,
                            struct cls_chain *chain)
{
    const uint64_t count = columns->selects ? arrays->out_count : arrays->count;
    const uint64_t first = columns->selects ? arrays->selected - count : 0;
    const size_t index = columns->columns.spec.value_bytes;
    const clsort_buffer indexes = {job->indexes.mem, job->indexes.offset + (size_t)first * index};
    cl_int status = CL_SUCCESS;
    if (columns->segmented && columns->writes_indexes)
        status = cls_columns_write_indexes(columns->kernels, &columns->columns, job,
                                           arrays->values_out, chain);
    if (arrays->index_out.mem)
        status = cls_copy_enqueue(chain, indexes, arrays->index_out, (size_t)count * index);
    return status == CL_SUCCESS && arrays->keys_out.mem
               ? move_records(columns, arrays, count, job, indexes, slice, chain)
               : status;
}

static cl_int enqueue_in(const struct cls_device *device, const struct cls_columns_sort *columns,
                         const struct cls_arrays *arrays, const clsort_buffer *region,
                         struct cls_chain *chain)
{
    const struct cls_columns_input *input = &columns->input;
    uint64_t bytes[CLS_SEGMENTS_REGIONS];
    clsort_buffer runs[CLS_SEGMENTS_REGIONS] = {{NULL, 0}};
    cl_int status = CL_SUCCESS;
    if (input->words > 1) {
        lay_out_runs(columns, arrays->count, bytes);
        status = cls_regions_open(device, bytes, CLS_SEGMENTS_REGIONS, region[SHARED], runs);
    }
    const struct cls_columns_job job = {
        .count = arrays->count,
        .count_buffer = region[COUNT],
        .elements = {.inputs = input->record_bytes > 0 ? &arrays->keys_in : arrays->columns,
                     .input_count = input->buffers,
                     .has_buffers = input->record_bytes == 0,
                     .parts = {input->table, 0},
                     .firsts = {input->table, input->firsts_offset}},
        .control = region[CONTROL],
        .chunks = region[CHUNKS],
        .flags = region[FLAGS],
        .packed = region[PACKED],
        .indexes =
            columns->writes_indexes && !columns->segmented ? arrays->values_out : region[INDEXES],
        .segments = runs[CLS_CONTROL],
        .list = runs[CLS_SEGMENTS_LIST]};
    if (status == CL_SUCCESS && columns->count_bytes > 0)
        status = cls_clamp_enqueue(columns->clamp_kernels[0], arrays, job.count_buffer, chain);
    if (status == CL_SUCCESS && columns->segmented)
        status = enter_segments(device, columns, arrays, &job, region[SHARED], chain);
    if (status != CL_SUCCESS || (columns->segmented && !has_elements(arrays)))
        return status;
    status = cls_columns_encode(columns->kernels, &columns->columns, &job, chain);
    if (status == CL_SUCCESS)
        status = sort_packed(device, columns, arrays, &job, region[SHARED], chain);
    if (status == CL_SUCCESS && input->words > 1)
        status = sort_runs(columns, &job, runs, chain);
    return status == CL_SUCCESS ? write_outputs(columns, arrays, &job, region[SHARED], chain)
                                : status;
}

cl_int cls_columns_sort_enqueue(const struct cls_device *device,
                                const struct cls_columns_sort *columns,
                                const struct cls_arrays *arrays, clsort_buffer scratch,
                                struct cls_chain *chain)
{
    uint64_t bytes[REGIONS];
    clsort_buffer region[REGIONS] = {{NULL, 0}};
    const clsort_buffer none = {NULL, 0};
    const bool is_empty = columns->segmented
                              ? !has_elements(arrays) && !arrays->result.mem
                              : arrays->count == 0 || (columns->selects && arrays->out_count == 0);
    if (is_empty)
        return columns->count_bytes > 0 && arrays->result.mem
                   ? cls_clamp_enqueue(columns->clamp_kernels[0], arrays, none, chain)
                   : CL_SUCCESS;
    lay_out(columns, arrays->count, arrays->segment_count, bytes);
    cl_int status = cls_regions_open(device, bytes, REGIONS, scratch, region);
    if (status == CL_SUCCESS)
        status = enqueue_in(device, columns, arrays, region, chain);
    cls_regions_close(scratch, REGIONS, region);
    return status;
}
