/* rows_test.c - the self-test of algorithms that compare elements by columns where they are */
#include "plan/rows_test.h"

#include "base/error.h"
#include "base/index.h"
#include "plan/columns_test_data.h"
#include "plan/operation.h"
#include "plan/test_buffers.h"

#include <stdlib.h>

/* The input of a round, unless inputs are merged. */
enum { VIOLATED, SORTED, UNSORTED, ROUNDS };

enum { INPUTS, RECORDS_OUT = CLS_TEST_COLUMNS, INDEX_OUT, COUNT, RESULT, BUFFERS };

/* A test that is running. */
struct run {
    const struct cls_self_test *test;
    const struct cls_stage *stage; /* has the choice of the test */
    cl_command_queue queue;
    struct cls_test_records input;
    uint64_t second_count; /* elements at the end that are the second input of a merge; else 0 */
    uint64_t compared;     /* elements, by the count in device memory */
    bool exceeds;          /* that count exceeds its maximum */
    struct cls_columns_input columns;
    cl_mem buffers[BUFFERS];
    struct cls_text *finding;
};

void cls_rows_test_prepare(struct cls_self_test *test)
{
    struct cls_spec *specs[] = {&test->spec, &test->choice.spec};
    for (size_t i = 0; i < 2; i++) {
        const bool has_buffers = specs[i]->column_buffers > 0;
        specs[i]->key_bytes = CLS_TEST_RECORD_BYTES +
                              (has_buffers ? 0u : (unsigned)cls_alignment(specs[i]->key_bytes));
        specs[i]->column_words = CLS_TEST_WORDS;
        specs[i]->column_buffers = has_buffers ? CLS_TEST_COLUMNS : 0;
    }
}

static bool has_buffers(const struct run *run)
{
    return run->test->spec.column_buffers > 0;
}

static bool is_unique(const struct run *run)
{
    return run->test->spec.operation == CLSORT_UNIQUE;
}

static bool merges(const struct run *run)
{
    return run->test->spec.operation == CLSORT_MERGE_SORTED;
}

/* -- the host ---------------------------------------------------------------------------------- */

/* Puts the records in order. */
static clsort_status sort_records(struct cls_test_records *records)
{
    const size_t index = sizeof(uint64_t), count = (size_t)records->count;
    const size_t bytes = count * records->record_bytes;
    char *indexes = malloc(count * index + bytes + 1);
    if (!indexes)
        return CLSORT_E_MEMORY;
    char *copy = indexes + count * index;
    const clsort_status status = cls_test_records_order(records, index, indexes);
    memcpy(copy, records->records, bytes);
    for (size_t i = 0; i < count; i++)
        memcpy(records->records + i * records->record_bytes,
               copy + cls_load_index(indexes + i * index, index) * records->record_bytes,
               records->record_bytes);
    free(indexes);
    return status;
}

/* Returns how many bytes of the keys of records i - 1 and i are equal. */
static size_t common_bytes(const struct cls_test_records *records, uint64_t i)
{
    unsigned char key[CLS_TEST_KEY_BYTES], before[CLS_TEST_KEY_BYTES];
    size_t bytes = 0;
    cls_test_record_key(records, i, key);
    cls_test_record_key(records, i - 1, before);
    while (bytes < sizeof key && key[bytes] == before[bytes])
        bytes++;
    return bytes;
}

/* Swaps two neighbours in the last third, of those that differ the ones with the longest common prefix. */
static void swap_neighbours(struct cls_test_records *records)
{
    const size_t bytes = records->record_bytes;
    uint64_t at = 0;
    size_t longest = 0;
    for (uint64_t i = records->count - records->count / 3; i < records->count && i > 0; i++) {
        const size_t common = common_bytes(records, i);
        if (common < CLS_TEST_KEY_BYTES && common >= longest) {
            longest = common;
            at = i;
        }
    }
    for (size_t byte = 0; at > 0 && byte < bytes; byte++) {
        char *const second = records->records + at * bytes + byte, *const first = second - bytes;
        const char kept = *first;
        *first = *second;
        *second = kept;
    }
}

/* Makes two inputs, each of which is in order. In the last round, their elements agree in most columns. */
static clsort_status make_two_inputs(struct run *run, int round)
{
    struct cls_test_records part = run->input;
    cls_test_records_fill(&run->input, round + 1 == ROUNDS);
    run->second_count = run->input.count / (2 + (unsigned)round);
    part.count -= run->second_count;
    clsort_status status = sort_records(&part);
    part.records += part.count * part.record_bytes;
    part.count = run->second_count;
    if (status == CLSORT_OK)
        status = sort_records(&part);
    return status;
}

static clsort_status make_input(struct run *run, int round)
{
    if (merges(run))
        return make_two_inputs(run, round);
    const bool is_counted = run->test->spec.count_bytes > 0;
    cls_test_records_fill(&run->input, 0);
    run->compared = run->input.count - (is_counted && round == SORTED ? run->input.count / 3 : 0);
    run->exceeds = is_counted && round == UNSORTED;
    const clsort_status status = round == UNSORTED ? CLSORT_OK : sort_records(&run->input);
    if (round == VIOLATED)
        swap_neighbours(&run->input);
    return status;
}

/* Compares record i, which is not the first one, with the one before it. */
static int compare_with_neighbour(const struct run *run, uint64_t i)
{
    unsigned char key[CLS_TEST_KEY_BYTES], before[CLS_TEST_KEY_BYTES];
    cls_test_record_key(&run->input, i, key);
    cls_test_record_key(&run->input, i - 1, before);
    return memcmp(key, before, sizeof key);
}

static uint64_t first_violation(const struct run *run)
{
    for (uint64_t i = 1; i < run->compared; i++)
        if (compare_with_neighbour(run, i) < 0)
            return i;
    return run->compared;
}

/* -- the device -------------------------------------------------------------------------------- */

static cl_int create_buffers(struct run *run)
{
    const struct cls_spec *spec = &run->test->spec;
    const struct cls_device *device = run->input.device;
    const size_t count = (size_t)run->input.count;
    char on_device[sizeof(uint64_t)];
    cl_int status = cls_test_records_buffers(&run->input, has_buffers(run), &run->buffers[INPUTS]);
    if ((is_unique(run) || merges(run)) && !has_buffers(run))
        run->buffers[RECORDS_OUT] =
            cls_test_buffer_create(device, count * run->input.record_bytes, NULL, &status);
    run->buffers[INDEX_OUT] =
        cls_test_buffer_create(device, count * spec->index_bytes, NULL, &status);
    cls_store_index(run->compared + run->exceeds, spec->count_bytes, on_device);
    run->buffers[COUNT] = cls_test_buffer_create(device, spec->count_bytes, on_device, &status);
    run->buffers[RESULT] = cls_test_buffer_create(device, sizeof(uint64_t), NULL, &status);
    return status;
}

static clsort_status enqueue(const struct run *run)
{
    const struct cls_layout layout = cls_stage_layout(run->stage, run->input.count);
    const clsort_buffer no_scratch = {NULL, 0};
    clsort_buffer columns[CLS_TEST_COLUMNS];
    struct cls_arrays arrays;
    struct cls_chain chain;
    clsort_io io = CLSORT_IO_INIT;
    for (size_t i = 0; i < CLS_TEST_COLUMNS; i++)
        columns[i] = (clsort_buffer){run->buffers[INPUTS + i], 0};
    io.second_count = (size_t)run->second_count;
    io.count = (size_t)run->input.count - io.second_count;
    if (has_buffers(run))
        io.columns = columns;
    else
        io.keys = columns[0];
    if (io.keys.mem && merges(run))
        io.second_keys = (clsort_buffer){io.keys.mem, io.count * run->input.record_bytes};
    io.keys_out.mem = run->buffers[RECORDS_OUT];
    io.index_out.mem = run->buffers[INDEX_OUT];
    io.count_buffer.mem = run->buffers[COUNT];
    if (!merges(run))
        io.result.mem = run->buffers[RESULT];
    clsort_status status =
        cls_operation_of(&run->test->spec)->read_io(&io, &run->test->spec, &arrays);
    cls_columns_input_set(&run->columns, &arrays);
    if (status == CLSORT_OK)
        status = cls_chain_begin(&chain, run->queue, 0, NULL, false);
    if (status != CLSORT_OK)
        return status;
    status = cls_stage_enqueue(run->input.device, run->stage, &layout, &arrays, no_scratch, &chain);
    return cls_chain_end(&chain, status, NULL);
}

/* -- results ----------------------------------------------------------------------------------- */

static clsort_status fail(const struct run *run, const char *name, uint64_t i)
{
    cls_text_add(run->finding, "%s %llu of %llu is wrong", name, (unsigned long long)i,
                 (unsigned long long)run->input.count);
    return CLSORT_E_SELF_TEST;
}

/* Compares what CLSORT_UNIQUE has found with the records that begin runs. */
static clsort_status compare_runs(const struct run *run, const char *records, const char *indexes,
                                  uint64_t result)
{
    const size_t index = run->test->spec.index_bytes, record = run->input.record_bytes;
    uint64_t runs = 0;
    for (uint64_t i = 0; i < run->compared; i++) {
        if (i > 0 && compare_with_neighbour(run, i) == 0)
            continue;
        if (cls_load_index(indexes + runs * index, index) != i)
            return fail(run, "index", runs);
        if (!has_buffers(run) &&
            memcmp(records + runs * record, run->input.records + i * record, record) != 0)
            return fail(run, "record", runs);
        runs++;
    }
    return result == runs ? CLSORT_OK : fail(run, "the result", result);
}

/* Compares the merged records, or their indexes, with the order of all records. */
static clsort_status compare_merged(const struct run *run, const char *records, const char *indexes)
{
    const size_t index = sizeof(uint64_t), index_out = run->test->spec.index_bytes;
    const size_t record = run->input.record_bytes;
    char *order = malloc((size_t)run->input.count * index);
    clsort_status status =
        order ? cls_test_records_order(&run->input, index, order) : CLSORT_E_MEMORY;
    for (uint64_t i = 0; i < run->input.count && status == CLSORT_OK; i++) {
        const uint64_t from = cls_load_index(order + i * index, index);
        if (has_buffers(run)
                ? cls_load_index(indexes + i * index_out, (unsigned)index_out) != from
                : memcmp(records + i * record, run->input.records + from * record, record) != 0)
            status = fail(run, has_buffers(run) ? "index" : "record", i);
    }
    free(order);
    return status;
}

static clsort_status check_outputs(const struct run *run)
{
    const size_t count = (size_t)run->input.count, index = run->test->spec.index_bytes;
    const size_t records = run->buffers[RECORDS_OUT] ? count * run->input.record_bytes : 0;
    char *found = malloc(records + count * index + 1);
    uint64_t result = 0;
    const uint64_t flag = run->exceeds ? CLSORT_COUNT_EXCEEDED : 0;
    clsort_status status = found ? CLSORT_OK : CLSORT_E_MEMORY;
    if (status == CLSORT_OK)
        status = cls_test_buffer_read(run->queue, run->buffers[RESULT], sizeof result, &result);
    if (status == CLSORT_OK)
        status = cls_test_buffer_read(run->queue, run->buffers[RECORDS_OUT], records, found);
    if (status == CLSORT_OK)
        status = cls_test_buffer_read(run->queue, run->buffers[INDEX_OUT], count * index,
                                      found + records);
    if (status == CLSORT_OK && merges(run))
        status = compare_merged(run, found, found + records);
    else if (status == CLSORT_OK && is_unique(run))
        status = compare_runs(run, found, found + records, result ^ flag);
    else if (status == CLSORT_OK && (result ^ flag) != first_violation(run))
        status = fail(run, "the result", result);
    free(found);
    return status;
}

static clsort_status run_round(struct run *run, int round)
{
    clsort_status status = make_input(run, round);
    if (status == CLSORT_OK)
        status = create_buffers(run);
    if (status == CLSORT_OK)
        status = enqueue(run);
    if (status == CLSORT_OK)
        status = check_outputs(run);
    cls_test_buffers_release(run->buffers, BUFFERS);
    return status;
}

clsort_status cls_rows_test_run(const struct cls_device *device, cl_command_queue queue,
                                const struct cls_self_test *test, const struct cls_stage *stage,
                                struct cls_text *finding)
{
    struct run run = {
        .test = test,
        .stage = stage,
        .queue = queue,
        .input = {.device = device, .count = test->count, .record_bytes = test->spec.key_bytes},
        .finding = finding};
    run.input.records = malloc((size_t)run.input.count * run.input.record_bytes);
    clsort_status status = run.input.records
                               ? cls_test_records_input(&run.input, has_buffers(&run), &run.columns)
                               : CLSORT_E_MEMORY;
    for (int round = 0; round < ROUNDS && status == CLSORT_OK; round++)
        status = run_round(&run, round);
    cls_columns_input_release(&run.columns);
    free(run.input.records);
    return status;
}
