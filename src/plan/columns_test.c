/* columns_test.c - tests whether the kernels of a sort by columns are correct on this device */
#include "plan/columns_test.h"

#include "algo/clamp/clamp.h"
#include "algo/common/programs.h"
#include "base/arithmetic.h"
#include "base/error.h"
#include "base/index.h"
#include "plan/columns_test_data.h"
#include "plan/plan.h"
#include "plan/segmented.h"
#include "plan/test_buffers.h"

#include <stdlib.h>

enum {
    COLUMNS_TEST_VERSION = 2, /* stored verdicts of other versions are not used */
    MAX_TILE = 1024,          /* elements in a tile for cores, so that few elements suffice */
    COUNT = 12289,            /* several tiles for cores and for work-groups */
    SEGMENTS = 40,
    GAP = 5 /* elements before the first segment */
};

enum { INPUTS, SORTED = CLS_TEST_COLUMNS, INDEXES, OFFSETS, NUMBER, BUFFERS };

/* A test that is running. */
struct run {
    const struct cls_device *device;
    cl_command_queue queue;
    struct cls_columns_sort sort; /* of cls_test_columns, with a small tile, with indexes */
    struct cls_test_records input;
    uint64_t sorted; /* number of elements that are sorted; the others stay where they are */
    bool in_place;
    /* With segments of the caller: */
    struct cls_segmented segmented; /* a copy, for segments by offsets */
    uint64_t offsets[SEGMENTS + 1];
    char *found;                    /* sorted records */
    char *expected, *found_indexes; /* indexes */
    cl_mem buffers[BUFFERS];
};

/* -- segments ---------------------------------------------------------------------------------- */

/* Makes offsets of segments of many lengths, with gaps before and, unless there are few elements, behind them. */
static void make_offsets(struct run *run)
{
    static const unsigned lengths[] = {1, 0, 2, 40, 3, 300, 7, 17, 0, 100, 30, 600, 5};
    const uint64_t count = run->input.count;
    uint64_t at = cls_min(GAP, count);
    for (size_t i = 0; i <= SEGMENTS; i++) {
        run->offsets[i] = at;
        at = cls_min(at + (i == 20 ? count / 3 : lengths[i % (sizeof lengths / sizeof *lengths)]),
                     count);
    }
}

/* Replaces the order of all elements by that in each segment. Elements in no segment stay where they are. */
static clsort_status divide_order(const struct run *run)
{
    const size_t index = run->sort.columns.spec.value_bytes, count = (size_t)run->input.count;
    char *order = malloc(count * index);
    uint64_t next[SEGMENTS]; /* where the next element of each segment goes */
    if (!order)
        return CLSORT_E_MEMORY;
    memcpy(order, run->expected, count * index);
    memcpy(next, run->offsets, sizeof next);
    cls_number_elements(index, count, run->expected);
    for (size_t i = 0; i < count; i++) {
        const uint64_t element = cls_load_index(order + i * index, index);
        size_t segment = 0;
        while (segment < SEGMENTS && run->offsets[segment + 1] <= element)
            segment++;
        if (segment < SEGMENTS && run->offsets[segment] <= element)
            cls_store_index(element, index, run->expected + next[segment]++ * index);
    }
    free(order);
    return CLSORT_OK;
}

static cl_int create_offsets(struct run *run)
{
    const size_t offset = run->segmented.segments.offset_bytes;
    char offsets[(SEGMENTS + 1) * sizeof(uint64_t)];
    cl_int status = CL_SUCCESS;
    for (size_t i = 0; i <= SEGMENTS; i++)
        cls_store_index(run->offsets[i], offset, offsets + i * offset);
    run->buffers[OFFSETS] =
        cls_test_buffer_create(run->device, (SEGMENTS + 1) * offset, offsets, &status);
    return status;
}

/* Lets the sort divide its input into segments by offsets, which its programs support whatever its form is. */
static void set_up_segments(struct run *run)
{
    struct cls_segments *segments = &run->segmented.segments;
    run->segmented = *run->sort.segmented;
    run->segmented.order = NULL;
    segments->spec.segments = CLSORT_OFFSETS;
    segments->min_tile = segments->max_tile = cls_min(cls_segments_tile(segments, 0), MAX_TILE);
    run->sort.segmented = &run->segmented;
    make_offsets(run);
}

/* -- counts in device memory ------------------------------------------------------------------- */

/* Creates the buffer of the count of segments or of elements, unless the host knows it. */
static cl_int create_number(struct run *run)
{
    const bool is_segmented = run->sort.segmented != NULL;
    const size_t bytes =
        is_segmented ? run->segmented.segments.spec.count_bytes : run->sort.count_bytes;
    char number[sizeof(uint64_t)];
    cl_int status = CL_SUCCESS;
    if (bytes == 0)
        return CL_SUCCESS;
    cls_store_index(is_segmented ? SEGMENTS : run->sorted, bytes, number);
    run->buffers[NUMBER] = cls_test_buffer_create(run->device, bytes, number, &status);
    return status;
}

/* -- the device -------------------------------------------------------------------------------- */

/* Creates the buffers. Outputs begin with all elements in the order of the input. */
static cl_int create_buffers(struct run *run)
{
    const bool has_buffers = run->sort.columns.has_buffers;
    const size_t count = (size_t)run->input.count, index = run->sort.columns.spec.value_bytes;
    cl_int status = cls_test_records_buffers(&run->input, has_buffers, &run->buffers[INPUTS]);
    cls_number_elements(index, count, run->found_indexes);
    run->buffers[INDEXES] =
        cls_test_buffer_create(run->device, count * index, run->found_indexes, &status);
    if (!has_buffers && !run->in_place)
        run->buffers[SORTED] = cls_test_buffer_create(run->device, count * run->input.record_bytes,
                                                      run->input.records, &status);
    if (status == CL_SUCCESS && run->sort.segmented)
        status = create_offsets(run);
    return status == CL_SUCCESS ? create_number(run) : status;
}

/* Sorts on the device, and reads the results. */
static cl_int sort_on_device(const struct run *run)
{
    clsort_buffer columns[CLS_TEST_COLUMNS];
    const clsort_buffer none = {NULL, 0};
    const size_t count = (size_t)run->input.count, index = run->sort.columns.spec.value_bytes;
    for (size_t i = 0; i < CLS_TEST_COLUMNS; i++)
        columns[i] = (clsort_buffer){run->buffers[INPUTS + i], 0};
    const bool has_buffers = run->sort.columns.has_buffers;
    const cl_mem sorted = run->buffers[run->in_place ? INPUTS : SORTED];
    const struct cls_arrays arrays = {.count = count,
                                      .in_place = run->in_place,
                                      .keys_in = has_buffers ? none : columns[0],
                                      .keys_out = {has_buffers ? NULL : sorted, 0},
                                      .values_out = {run->buffers[INDEXES], 0},
                                      .segment_count = run->sort.segmented ? SEGMENTS : 0,
                                      .offsets = {run->buffers[OFFSETS], 0},
                                      .count_buffer = {run->buffers[NUMBER], 0},
                                      .columns = columns};
    struct cls_chain chain;
    cl_int status = cls_chain_begin(&chain, run->queue, 0, NULL, false);
    if (status != CL_SUCCESS)
        return status;
    status = cls_columns_sort_enqueue(run->device, &run->sort, &arrays, none, &chain);
    status = cls_chain_end(&chain, status, NULL);
    if (status == CL_SUCCESS)
        status = cls_test_buffer_read(run->queue, run->buffers[INDEXES], count * index,
                                      run->found_indexes);
    return status == CL_SUCCESS && !has_buffers
               ? cls_test_buffer_read(run->queue, sorted, count * run->input.record_bytes,
                                      run->found)
               : status;
}

/* Sets the expected indexes. */
static clsort_status expect(struct run *run)
{
    const size_t index = run->sort.columns.spec.value_bytes;
    struct cls_test_records sorted = run->input;
    sorted.count = run->sorted;
    cls_number_elements(index, (size_t)run->input.count, run->expected);
    const clsort_status status = cls_test_records_order(&sorted, index, run->expected);
    return status == CLSORT_OK && run->sort.segmented ? divide_order(run) : status;
}

/* Compares the results with the expected indexes, and the records that these refer to. */
static clsort_status compare(const struct run *run, struct cls_text *finding)
{
    const size_t index = run->sort.columns.spec.value_bytes, record = run->input.record_bytes;
    for (uint64_t i = 0; i < run->input.count; i++) {
        const uint64_t expected = cls_load_index(run->expected + i * index, index);
        const bool is_right = cls_load_index(run->found_indexes + i * index, index) == expected;
        if (is_right &&
            (run->sort.columns.has_buffers ||
             memcmp(run->found + i * record, run->input.records + expected * record, record) == 0))
            continue;
        cls_text_add(finding, "%s %llu of %llu is wrong", is_right ? "record" : "index",
                     (unsigned long long)i, (unsigned long long)run->input.count);
        return CLSORT_E_SELF_TEST;
    }
    return CLSORT_OK;
}

static clsort_status run_test(struct run *run, int round, struct cls_text *finding)
{
    const size_t index = run->sort.columns.spec.value_bytes;
    const size_t records = (size_t)run->input.count * run->input.record_bytes;
    const size_t indexes = (size_t)run->input.count * index;
    run->input.records = malloc(2 * records + 2 * indexes);
    if (!run->input.records)
        return CLSORT_E_MEMORY;
    run->found = run->input.records + records;
    run->expected = run->found + records;
    run->found_indexes = run->expected + indexes;
    cls_test_records_fill(&run->input, round);
    clsort_status status = expect(run);
    if (status == CLSORT_OK)
        status = create_buffers(run);
    if (status == CLSORT_OK)
        status = sort_on_device(run);
    if (status == CLSORT_OK)
        status = compare(run, finding);
    cls_test_buffers_release(run->buffers, BUFFERS);
    free(run->input.records);
    return status;
}

/* -- the table --------------------------------------------------------------------------------- */

static unsigned group_size(const void *columns)
{
    return ((const struct cls_columns_sort *)columns)->columns.group_size;
}

static const struct cls_spec *spec_of(const void *columns)
{
    return &((const struct cls_columns_sort *)columns)->columns.spec;
}

static size_t describe_programs(const void *plan, struct cls_program_spec *programs)
{
    const struct cls_columns_sort *columns = plan;
    cls_columns_program(&columns->columns, programs);
    size_t count = 1 + cls_segments_programs(&columns->segments, &programs[1]);
    if (!columns->columns.has_buffers)
        cls_gather_program(&columns->gather, &programs[count++]);
    if (columns->count_bytes > 0)
        cls_clamp_program(columns->count_bytes, &programs[count++]);
    return count;
}

static clsort_status compile(struct cls_device *device, const struct cls_program_spec *programs,
                             size_t count, void *plan)
{
    struct cls_columns_sort *columns = plan;
    const bool gathers = !columns->columns.has_buffers, clamps = columns->count_bytes > 0;
    const size_t segments = count - 1 - gathers - clamps;
    const struct cls_program_spec *gather = &programs[1 + segments];
    clsort_status status = cls_kernels_create(device, programs, 1, NULL, columns->kernels);
    if (status == CLSORT_OK)
        status = cls_kernels_create(device, &programs[1], segments, NULL, columns->segment_kernels);
    if (status == CLSORT_OK && gathers)
        status = cls_kernels_create(device, gather, 1, NULL, columns->gather_kernels);
    return status == CLSORT_OK && clamps
               ? cls_kernels_create(device, &gather[gathers], 1, NULL, columns->clamp_kernels)
               : status;
}

static void release(void *plan)
{
    struct cls_columns_sort *columns = plan;
    cls_kernels_release(columns->kernels);
    cls_kernels_release(columns->segment_kernels);
    cls_kernels_release(columns->gather_kernels);
    cls_kernels_release(columns->clamp_kernels);
}

/* Returns the number of elements to test: fewer if the plan sorts fewer, so that its argsort can sort them. Plans for
 * similar counts share a verdict. */
static uint64_t test_count(const void *plan)
{
    const struct cls_columns_sort *columns = plan;
    return columns->max_count >= COUNT ? COUNT : cls_floor_power_of_two(columns->max_count);
}

static clsort_status test(const struct cls_device *device, cl_command_queue queue, const void *plan,
                          int round, struct cls_text *finding)
{
    struct run run = {
        .device = device, .queue = queue, .sort = *(const struct cls_columns_sort *)plan};
    struct cls_columns_sort *sort = &run.sort;
    const bool has_buffers = sort->columns.has_buffers;
    run.input = (struct cls_test_records){
        .device = device,
        .count =
            cls_min(test_count(plan), sort->segmented ? sort->max_count : sort->sort->max_count),
        .record_bytes =
            CLS_TEST_RECORD_BYTES + (has_buffers ? 0 : cls_alignment(sort->gather.value_bytes))};
    run.sorted = sort->count_bytes > 0 ? run.input.count - run.input.count / 4 : run.input.count;
    run.in_place = round > 0 && !has_buffers;
    sort->gather.value_bytes = run.input.record_bytes;
    sort->writes_indexes = true;
    sort->selects = false;
    sort->segments.min_tile = sort->segments.max_tile =
        cls_min(cls_segments_tile(&sort->segments, 0), MAX_TILE);
    if (sort->segmented)
        set_up_segments(&run);
    clsort_status status = cls_test_records_input(&run.input, has_buffers, &sort->input);
    sort->columns.words = sort->input.words;
    if (status == CLSORT_OK)
        status = run_test(&run, round, finding);
    cls_columns_input_release(&sort->input);
    return status;
}

const struct cls_tested cls_columns_tested = {.name = "sort by columns",
                                              .version = COLUMNS_TEST_VERSION,
                                              .choose = cls_columns_sort_choose,
                                              .group_size = group_size,
                                              .spec = spec_of,
                                              .programs = describe_programs,
                                              .compile = compile,
                                              .release = release,
                                              .test_count = test_count,
                                              .test = test};
