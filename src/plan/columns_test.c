/* columns_test.c - tests whether the kernels of a sort by columns are correct on this device */
#include "plan/columns_test.h"

#include "algo/common/programs.h"
#include "base/arithmetic.h"
#include "base/error.h"
#include "base/index.h"
#include "host/sort.h"
#include "plan/plan.h"

#include <stdlib.h>

enum {
    COLUMNS_TEST_VERSION = 1, /* stored verdicts of other versions are not used */
    MAX_TILE = 1024,          /* elements in a tile for cores, so that few elements suffice */
    COUNT = 12289,            /* several tiles for cores and for work-groups */
    COLUMNS = 4,
    STRING_END = 24,   /* of the byte string in a record */
    FIELDS_BYTES = 28, /* of a record; the remaining bytes do not affect the order */
    RECORD_BYTES =
        40, /* and an alignment of the plan's records, so that the same program moves them */
    KEY_BYTES = 32, /* four words */
    POOL = 8
};

/* Unaligned columns of all kinds, whose words have parts of several of them. */
static const struct cls_column TEST_COLUMNS[COLUMNS] = {
    {1, 2, CLSORT_U16, CLSORT_DESCENDING},
    {3, 8, CLSORT_F64, CLSORT_FLOAT_NUMERIC | CLSORT_BIG_ENDIAN},
    {11, 13, CLSORT_BYTES, 0},
    {24, 4, CLSORT_I32, 0},
};

/* A test that is running. */
struct run {
    const struct cls_device *device;
    cl_command_queue queue;
    struct cls_columns_sort sort; /* of the columns above, with a small tile, with indexes */
    uint64_t count;
    size_t record_bytes;
    bool in_place;
    char *records, *found;          /* found: then the sorted records */
    char *expected, *found_indexes; /* indexes */
    cl_mem inputs[COLUMNS], sorted, indexes;
};

/* -- data -------------------------------------------------------------------------------------- */

static uint64_t next_random(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15;
    uint64_t x = *state;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    return x ^ (x >> 31);
}

/* Makes records whose columns have few values, of random bits. Columns that vary little leave long and short runs
 * of elements that are equal in several words. In round 1, most elements agree in the first two columns, so that a
 * sample misses the others. */
static void make_records(const struct run *run, int round)
{
    static const unsigned values[2][COLUMNS] = {{5, 3, 7, POOL}, {2, 2, 2, POOL}};
    uint64_t random = 1 + (uint64_t)round;
    char pool[POOL][FIELDS_BYTES];
    for (size_t i = 0; i < sizeof pool; i++)
        ((char *)pool)[i] = (char)next_random(&random);
    for (uint64_t i = 0; i < run->count; i++) {
        char *record = run->records + i * run->record_bytes;
        for (size_t byte = 0; byte < run->record_bytes; byte++)
            record[byte] = (char)next_random(&random);
        for (size_t c = 0; c < COLUMNS; c++) {
            const struct cls_column *column = &TEST_COLUMNS[c];
            unsigned value = (unsigned)(next_random(&random) % values[round][c]);
            if (round > 0 && c < 2)
                value = next_random(&random) % 1024 == 0;
            memcpy(record + column->offset, pool[value] + column->offset, column->bytes);
        }
        if (i % 4 ==
            0) /* some strings differ in their last byte only, which is in the third word */
            record[STRING_END - 1] = (char)next_random(&random);
    }
}

/* Returns the number of a column in the byte order of the device. */
static uint64_t load_number(const struct run *run, const struct cls_column *column, const char *at)
{
    cl_bool is_little = CL_TRUE;
    uint64_t number = 0;
    clGetDeviceInfo(run->device->id, CL_DEVICE_ENDIAN_LITTLE, sizeof is_little, &is_little, NULL);
    const bool is_little_endian = is_little && !(column->flags & CLSORT_BIG_ENDIAN);
    for (unsigned i = 0; i < column->bytes; i++) {
        const unsigned byte = is_little_endian ? column->bytes - 1 - i : i;
        number = number << 8 | (unsigned char)at[byte];
    }
    return number;
}

/* Sets the bytes of all columns of a record, which memcmp orders. */
static void make_key(const struct run *run, const char *record, unsigned char key[KEY_BYTES])
{
    size_t length = 0;
    memset(key, 0, KEY_BYTES);
    for (size_t c = 0; c < COLUMNS; c++) {
        const struct cls_column *column = &TEST_COLUMNS[c];
        struct cls_spec spec;
        if (cls_key_spec(column->key, column->flags, &spec)) {
            const uint64_t number =
                cls_ordered(&spec, load_number(run, column, record + column->offset));
            for (unsigned i = 0; i < column->bytes; i++)
                key[length + i] = (unsigned char)(number >> 8 * (column->bytes - 1 - i));
        } else
            memcpy(key + length, record + column->offset, column->bytes);
        length += column->bytes;
    }
}

/* Sets the expected indexes: sorts by the last word first, each time keeping the order of equal elements. */
static clsort_status make_expected(const struct run *run)
{
    const size_t index = run->sort.columns.spec.value_bytes, count = (size_t)run->count;
    const struct cls_spec pairs = {.key_bytes = sizeof(uint64_t),
                                   .order = CLS_ORDER_INTEGER,
                                   .stable = true,
                                   .end_bit = 64,
                                   .value_bytes = index};
    uint64_t *words = malloc(count * sizeof *words);
    clsort_status status = words ? CLSORT_OK : CLSORT_E_MEMORY;
    cls_number_elements(index, count, run->expected);
    for (size_t at = KEY_BYTES; at > 0 && status == CLSORT_OK; at -= sizeof *words) {
        for (size_t i = 0; i < count; i++) {
            unsigned char key[KEY_BYTES];
            const uint64_t element = cls_load_index(run->expected + i * index, index);
            make_key(run, run->records + element * run->record_bytes, key);
            words[i] = 0;
            for (size_t byte = at - sizeof *words; byte < at; byte++)
                words[i] = words[i] << 8 | key[byte];
        }
        status = cls_host_sort(&pairs, count, words, run->expected);
    }
    free(words);
    return status;
}

/* -- the device -------------------------------------------------------------------------------- */

/* Creates a buffer of records or, if `column` is not NULL, of a column of them. */
static cl_int create_input(struct run *run, const struct cls_column *column, cl_mem *mem)
{
    const size_t bytes = column ? column->bytes : run->record_bytes;
    const size_t offset = column ? column->offset : 0;
    cl_int status;
    for (uint64_t i = 0; i < run->count; i++)
        memcpy(run->found + i * bytes, run->records + i * run->record_bytes + offset, bytes);
    *mem = clCreateBuffer(run->device->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                          run->count * bytes, run->found, &status);
    return cls_called("clCreateBuffer", status);
}

static cl_int create_output(const struct run *run, size_t bytes, cl_mem *mem)
{
    cl_int status;
    *mem =
        clCreateBuffer(run->device->context, CL_MEM_READ_WRITE, run->count * bytes, NULL, &status);
    return cls_called("clCreateBuffer", status);
}

static cl_int create_buffers(struct run *run)
{
    const bool has_buffers = run->sort.columns.has_buffers;
    cl_int status = create_output(run, run->sort.columns.spec.value_bytes, &run->indexes);
    for (size_t i = 0; i < run->sort.input.buffers && status == CL_SUCCESS; i++)
        status = create_input(run, has_buffers ? &TEST_COLUMNS[i] : NULL, &run->inputs[i]);
    return status == CL_SUCCESS && !has_buffers && !run->in_place
               ? create_output(run, run->record_bytes, &run->sorted)
               : status;
}

static void release_buffers(const struct run *run)
{
    const cl_mem buffers[] = {run->inputs[0], run->inputs[1], run->inputs[2],
                              run->inputs[3], run->sorted,    run->indexes};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        if (buffers[i])
            clReleaseMemObject(buffers[i]);
}

static cl_int read_buffer(const struct run *run, cl_mem mem, size_t bytes, void *to)
{
    return cls_called(
        "clEnqueueReadBuffer",
        clEnqueueReadBuffer(run->queue, mem, CL_TRUE, 0, run->count * bytes, to, 0, NULL, NULL));
}

/* Sorts on the device, and reads the results. */
static cl_int sort_on_device(const struct run *run)
{
    clsort_buffer columns[COLUMNS];
    const clsort_buffer none = {NULL, 0};
    for (size_t i = 0; i < COLUMNS; i++)
        columns[i] = (clsort_buffer){run->inputs[i], 0};
    const bool has_buffers = run->sort.columns.has_buffers;
    const cl_mem sorted = run->in_place ? run->inputs[0] : run->sorted;
    const struct cls_arrays arrays = {.count = run->count,
                                      .in_place = run->in_place,
                                      .keys_in = has_buffers ? none : columns[0],
                                      .keys_out = {has_buffers ? NULL : sorted, 0},
                                      .values_out = {run->indexes, 0},
                                      .columns = columns};
    struct cls_chain chain;
    cl_int status = cls_chain_begin(&chain, run->queue, 0, NULL, false);
    if (status != CL_SUCCESS)
        return status;
    status = cls_columns_sort_enqueue(run->device, &run->sort, &arrays, none, &chain);
    status = cls_chain_end(&chain, status, NULL);
    if (status == CL_SUCCESS)
        status =
            read_buffer(run, run->indexes, run->sort.columns.spec.value_bytes, run->found_indexes);
    return status == CL_SUCCESS && !has_buffers
               ? read_buffer(run, sorted, run->record_bytes, run->found)
               : status;
}

/* Compares the results with the expected indexes, and the records that these refer to. */
static clsort_status compare(const struct run *run, struct cls_text *finding)
{
    const size_t index = run->sort.columns.spec.value_bytes, record = run->record_bytes;
    for (uint64_t i = 0; i < run->count; i++) {
        const uint64_t expected = cls_load_index(run->expected + i * index, index);
        const bool is_right = cls_load_index(run->found_indexes + i * index, index) == expected;
        if (is_right &&
            (run->sort.columns.has_buffers ||
             memcmp(run->found + i * record, run->records + expected * record, record) == 0))
            continue;
        cls_text_add(finding, "%s %llu of %llu is wrong", is_right ? "record" : "index",
                     (unsigned long long)i, (unsigned long long)run->count);
        return CLSORT_E_SELF_TEST;
    }
    return CLSORT_OK;
}

static clsort_status run_test(struct run *run, int round, struct cls_text *finding)
{
    const size_t records = (size_t)run->count * run->record_bytes;
    const size_t indexes = (size_t)run->count * run->sort.columns.spec.value_bytes;
    run->records = malloc(2 * records + 2 * indexes);
    if (!run->records)
        return CLSORT_E_MEMORY;
    run->found = run->records + records;
    run->expected = run->found + records;
    run->found_indexes = run->expected + indexes;
    make_records(run, round);
    clsort_status status = make_expected(run);
    if (status == CLSORT_OK)
        status = create_buffers(run);
    if (status == CLSORT_OK)
        status = sort_on_device(run);
    if (status == CLSORT_OK)
        status = compare(run, finding);
    release_buffers(run);
    free(run->records);
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
    const size_t count = 1 + cls_segments_programs(&columns->segments, &programs[1]);
    if (columns->columns.has_buffers)
        return count;
    cls_gather_program(&columns->gather, &programs[count]);
    return count + 1;
}

static clsort_status compile(struct cls_device *device, const struct cls_program_spec *programs,
                             size_t count, void *plan)
{
    struct cls_columns_sort *columns = plan;
    const bool gathers = !columns->columns.has_buffers;
    clsort_status status = cls_kernels_create(device, programs, 1, NULL, columns->kernels);
    if (status == CLSORT_OK)
        status = cls_kernels_create(device, &programs[1], count - 1 - gathers, NULL,
                                    columns->segment_kernels);
    return status == CLSORT_OK && gathers
               ? cls_kernels_create(device, &programs[count - 1], 1, NULL, columns->gather_kernels)
               : status;
}

static void release(void *plan)
{
    struct cls_columns_sort *columns = plan;
    cls_kernels_release(columns->kernels);
    cls_kernels_release(columns->segment_kernels);
    cls_kernels_release(columns->gather_kernels);
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
    struct cls_columns columns = {.count = COLUMNS};
    memcpy(columns.column, TEST_COLUMNS, sizeof TEST_COLUMNS);
    run.count = cls_min(test_count(plan), sort->sort->max_count);
    run.in_place = round > 0 && !sort->columns.has_buffers;
    run.record_bytes = RECORD_BYTES + cls_alignment(sort->gather.value_bytes);
    if (sort->columns.has_buffers)
        run.record_bytes = RECORD_BYTES;
    else
        columns.record_bytes = (uint32_t)run.record_bytes;
    sort->gather.value_bytes = run.record_bytes;
    sort->writes_indexes = true;
    sort->segments.min_tile = sort->segments.max_tile =
        cls_min(cls_segments_tile(&sort->segments, 0), MAX_TILE);
    clsort_status status = cls_columns_input_create(device, &columns, &sort->input);
    sort->columns.words = sort->input.words;
    if (status == CLSORT_OK)
        status = run_test(&run, round, finding);
    if (sort->input.table)
        clReleaseMemObject(sort->input.table);
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
