/* segment_selection_test.c - tests whether the kernels of a selection from segments are correct on this device */
#include "plan/segment_selection_test.h"

#include "algo/common/programs.h"
#include "base/arithmetic.h"
#include "base/error.h"
#include "base/index.h"
#include "host/sort.h"
#include "plan/self_test_data.h"
#include "plan/test_buffers.h"

#include <stdlib.h>
#include <string.h>

enum {
    SEGMENT_SELECTION_TEST_VERSION = 2, /* stored verdicts of other versions are not used */
    COUNT = 12000,
    SEGMENTS = 40,
    K = 33,
    BEHIND = 3,     /* segments behind a count in device memory */
    WIDE_KEY = 128, /* represents all wider keys, which are only copied */
    FILL = 0x5a     /* the bytes of the outputs before the selection */
};

enum {
    KEYS,
    OFFSETS,
    KS,
    DEVICE_COUNT,
    SORTED,
    RESULT,
    KEYS_OUT,
    INDEXES,
    COPY,
    CONTROL,
    ROWS,
    BUFFERS
};

/* A test that is running. */
struct run {
    const struct cls_device *device;
    const cl_kernel *kernels;
    struct cls_segments_select select; /* from segments with offsets; compares all bits */
    bool is_nth;
    uint64_t count, places;
    uint64_t offsets[SEGMENTS + 1], ks[SEGMENTS];
    const struct cls_test_data *data; /* its values are the indexes */
    cl_command_queue queue;
    cl_mem buffer[BUFFERS];
};

/* Makes segments of many lengths, each with a k, and a last one that ends after the array. */
static void make_segments(struct run *run)
{
    static const unsigned lengths[] = {0, 1, 2, 40, 300, 7, 100, 33, 900, 0, 34};
    uint64_t at = 3;
    for (size_t i = 0; i < SEGMENTS; i++) {
        run->offsets[i] = cls_min(at, run->count);
        run->ks[i] = i % 3 == 0 ? K + 1 : i * 7 % (K + 1);
        at += i == 20 ? 2 * run->count / 5 : lengths[i % (sizeof lengths / sizeof *lengths)];
    }
    run->offsets[SEGMENTS] = run->count + 9;
}

/* -- the device -------------------------------------------------------------------------------- */

static void store_indexes(const struct run *run, const uint64_t *from, size_t count, char *to)
{
    const size_t bytes = run->select.spec.value_bytes;
    for (size_t i = 0; i < count; i++)
        cls_store_index(from[i], bytes, to + i * bytes);
}

/* Returns the element that the sorted segments have at this place, if the test makes them: the elements of each
 * segment in descending order of their indexes. */
static uint64_t sorted_at(const struct run *run, uint64_t place)
{
    size_t i = 0;
    while (i < SEGMENTS && cls_min(run->offsets[i + 1], run->count) <= place)
        i++;
    if (i == SEGMENTS || place < run->offsets[i])
        return 0;
    return run->offsets[i] + cls_min(run->offsets[i + 1], run->count) - 1 - place;
}

/* Returns the number of segments from which is selected. */
static size_t number_of(const struct run *run)
{
    return SEGMENTS - (run->select.spec.count_bytes > 0 ? BEHIND : 0);
}

static cl_int create_buffers(struct run *run, char *sorted, char *outputs)
{
    const struct cls_spec *spec = &run->select.spec;
    char offsets[(SEGMENTS + 1) * sizeof(uint64_t)], ks[SEGMENTS * sizeof(uint64_t)],
        device_count[sizeof(uint64_t)];
    const size_t places = SEGMENTS * (size_t)run->places;
    const struct {
        void *data;
        size_t bytes;
    } sources[BUFFERS] = {
        [KEYS] = {run->data->keys, run->data->key_bytes},
        [OFFSETS] = {offsets, (SEGMENTS + 1) * spec->value_bytes},
        [KS] = {ks, SEGMENTS * spec->value_bytes},
        [DEVICE_COUNT] = {device_count, spec->count_bytes},
        [SORTED] = {sorted, (size_t)run->count * spec->value_bytes},
        [RESULT] = {outputs, sizeof(uint64_t)},
        [KEYS_OUT] = {outputs, places * spec->key_bytes},
        [INDEXES] = {outputs, places * spec->value_bytes},
        [COPY] = {outputs, places * spec->key_bytes},
        [CONTROL] = {outputs, CLS_SEGMENTS_SELECT_CONTROL},
        [ROWS] = {outputs, (size_t)cls_segments_select_rows(SEGMENTS)},
    };
    cl_int status = CL_SUCCESS;
    store_indexes(run, run->offsets, SEGMENTS + 1, offsets);
    store_indexes(run, run->ks, SEGMENTS, ks);
    if (spec->count_bytes > 0)
        cls_store_index(number_of(run), spec->count_bytes, device_count);
    for (uint64_t i = 0; i < run->count; i++)
        cls_store_index(sorted_at(run, i), spec->value_bytes, sorted + i * spec->value_bytes);
    for (size_t i = 0; i < BUFFERS; i++)
        run->buffer[i] =
            cls_test_buffer_create(run->device, sources[i].bytes, sources[i].data, &status);
    return status;
}

static cl_int select_on_device(const struct run *run)
{
    const bool takes_sorted = run->select.takes_sorted;
    const struct cls_segments_select_job job = {
        .count = run->count,
        .segment_count = SEGMENTS,
        .k = K,
        .places = run->places,
        .is_nth = run->is_nth,
        .keys_in = {run->buffer[KEYS], 0},
        .offsets = {run->buffer[OFFSETS], 0},
        .ks = {run->buffer[KS], 0},
        .result = {run->buffer[RESULT], 0},
        .count_buffer = {run->buffer[DEVICE_COUNT], 0},
        .keys_out = {takes_sorted ? NULL : run->buffer[KEYS_OUT], 0},
        .indexes_out = {run->buffer[INDEXES], 0},
        .sorted = {run->buffer[SORTED], 0},
        .control = {run->buffer[CONTROL], 0},
        .rows = {run->buffer[ROWS], 0}};
    struct cls_chain chain;
    cl_int status = cls_chain_begin(&chain, run->queue, 0, NULL, false);
    if (status != CL_SUCCESS)
        return status;
    status = cls_segments_select_enqueue(run->kernels, &run->select, &job, &chain);
    if (status == CL_SUCCESS)
        status = cls_segments_select_copy(
            run->kernels, &run->select, &job, run->select.spec.key_bytes,
            (clsort_buffer){run->buffer[KEYS], 0}, (clsort_buffer){run->buffer[COPY], 0}, &chain);
    return cls_chain_end(&chain, status, NULL);
}

/* -- the expected output ----------------------------------------------------------------------- */

/* Sets order[] to the indexes of the elements of segment i in the order of the segment. */
static clsort_status order_segment(const struct run *run, uint64_t begin, uint64_t end, char *keys,
                                   char *indexes, uint64_t *order)
{
    const struct cls_spec *spec = &run->select.spec;
    const size_t value = spec->value_bytes, count = (size_t)(end - begin);
    struct cls_spec pairs = *spec;
    clsort_status status = CLSORT_OK;
    pairs.operation = CLSORT_SORT;
    pairs.value_is_index = false;
    memcpy(keys, run->data->keys + begin * spec->key_bytes, count * spec->key_bytes);
    for (size_t i = 0; i < count; i++)
        cls_store_index(begin + i, value, indexes + i * value);
    if (!run->select.takes_sorted)
        status = cls_host_sort(&pairs, count, keys, indexes);
    for (size_t i = 0; i < count; i++)
        order[i] = run->select.takes_sorted ? sorted_at(run, begin + i)
                                            : cls_load_index(indexes + i * value, value);
    return status;
}

static int compare_indexes(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The outputs of the device, and those that are expected. */
struct outputs {
    char *keys, *indexes, *copy;
    uint64_t result;
};

static void expect_element(const struct run *run, size_t place, uint64_t index,
                           const struct outputs *expected)
{
    const struct cls_spec *spec = &run->select.spec;
    const char *key = run->data->keys + index * spec->key_bytes;
    cls_store_index(index, spec->value_bytes, expected->indexes + place * spec->value_bytes);
    memcpy(expected->copy + place * spec->key_bytes, key, spec->key_bytes);
    if (!run->select.takes_sorted)
        memcpy(expected->keys + place * spec->key_bytes, key, spec->key_bytes);
}

/* Sets the expected outputs of segment i. `order` has space for its elements. */
static void expect_segment(const struct run *run, size_t i, uint64_t *order,
                           struct outputs *expected)
{
    const uint64_t end = cls_min(run->offsets[i + 1], run->count), length = end - run->offsets[i];
    const uint64_t k = run->ks[i], selected = cls_min(cls_min(k, K), length);
    bool is_counted = run->offsets[i + 1] > run->count;
    if (run->is_nth) {
        if (k < length)
            expect_element(run, i, order[k], expected);
        is_counted |= k >= length;
    } else {
        if (!run->select.takes_sorted)
            qsort(order, (size_t)selected, sizeof *order, compare_indexes);
        for (uint64_t j = 0; j < selected; j++)
            expect_element(run, (size_t)(i * run->places + j), order[j], expected);
        is_counted |= k > K;
    }
    expected->result += is_counted;
}

static clsort_status expect(const struct run *run, char *keys, char *indexes, uint64_t *order,
                            struct outputs *expected)
{
    clsort_status status = CLSORT_OK;
    for (size_t i = 0; i < number_of(run) && status == CLSORT_OK; i++) {
        status = order_segment(run, run->offsets[i], cls_min(run->offsets[i + 1], run->count), keys,
                               indexes, order);
        expect_segment(run, i, order, expected);
    }
    return status;
}

/* -- comparison -------------------------------------------------------------------------------- */

static cl_int read_outputs(const struct run *run, struct outputs *found)
{
    const struct cls_spec *spec = &run->select.spec;
    const size_t places = SEGMENTS * (size_t)run->places;
    const struct {
        size_t buffer, bytes;
        void *to;
    } outputs[] = {{KEYS_OUT, places * spec->key_bytes, found->keys},
                   {INDEXES, places * spec->value_bytes, found->indexes},
                   {COPY, places * spec->key_bytes, found->copy},
                   {RESULT, sizeof found->result, &found->result}};
    cl_int status = CL_SUCCESS;
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs && status == CL_SUCCESS; i++)
        status = cls_test_buffer_read(run->queue, run->buffer[outputs[i].buffer], outputs[i].bytes,
                                      outputs[i].to);
    return status;
}

static clsort_status compare(const struct run *run, const struct outputs *found,
                             const struct outputs *expected, struct cls_text *finding)
{
    const struct cls_spec *spec = &run->select.spec;
    const size_t places = SEGMENTS * (size_t)run->places;
    const char *wrong = memcmp(found->indexes, expected->indexes, places * spec->value_bytes) != 0
                            ? "indexes"
                        : memcmp(found->keys, expected->keys, places * spec->key_bytes) != 0 ||
                                memcmp(found->copy, expected->copy, places * spec->key_bytes) != 0
                            ? "keys"
                        : found->result != expected->result ? "number of clamped segments"
                                                            : NULL;
    if (!wrong)
        return CLSORT_OK;
    cls_text_add(finding, "the selection from segments of %llu elements has wrong %s",
                 (unsigned long long)run->count, wrong);
    return CLSORT_E_SELF_TEST;
}

/* Runs the test in memory of three times the size of the outputs, and some arrays of all elements. */
static clsort_status run_in(struct run *run, char *outputs, char *arrays, struct cls_text *finding)
{
    const struct cls_spec *spec = &run->select.spec;
    const size_t key = SEGMENTS * K * spec->key_bytes, index = SEGMENTS * K * spec->value_bytes;
    const size_t one = 2 * key + index, count = (size_t)run->count;
    struct outputs found = {outputs + one, outputs + one + 2 * key, outputs + one + key, 0};
    struct outputs expected = {outputs + 2 * one, outputs + 2 * one + 2 * key,
                               outputs + 2 * one + key, 0};
    uint64_t *order = (uint64_t *)(void *)arrays;
    char *indexes = arrays + count * sizeof *order, *keys = indexes + count * spec->value_bytes;
    memset(outputs, FILL, 3 * one);
    clsort_status status = create_buffers(run, indexes, outputs);
    if (status == CLSORT_OK)
        status = select_on_device(run);
    if (status == CLSORT_OK)
        status = read_outputs(run, &found);
    if (status == CLSORT_OK)
        status = expect(run, keys, indexes, order, &expected);
    return status == CLSORT_OK ? compare(run, &found, &expected, finding) : status;
}

static clsort_status run_test(struct run *run, struct cls_text *finding)
{
    const struct cls_test_pattern pattern = {.clusters = run->is_nth};
    const struct cls_spec *spec = &run->select.spec;
    struct cls_spec keys = *spec;
    struct cls_test_data data;
    uint64_t count = run->count;
    keys.operation = CLSORT_SORT;
    keys.value_bytes = 0;
    keys.value_is_index = false;
    /* Keys that are only copied may be longer than those that the host can sort. */
    if (run->select.takes_sorted) {
        count *= keys.key_bytes;
        keys.key_bytes = 1;
        keys.end_bit = 8;
    }
    char *outputs = malloc(3 * SEGMENTS * K * (2 * spec->key_bytes + spec->value_bytes) +
                           cls_segments_select_rows(SEGMENTS));
    char *arrays =
        malloc((size_t)run->count * (sizeof(uint64_t) + spec->value_bytes + spec->key_bytes));
    clsort_status status = cls_test_data_create(&keys, count, &pattern, &data);
    run->data = &data;
    if (status == CLSORT_OK && (!outputs || !arrays))
        status = CLSORT_E_MEMORY;
    if (status == CLSORT_OK)
        status = run_in(run, outputs, arrays, finding);
    cls_test_buffers_release(run->buffer, BUFFERS);
    cls_test_data_destroy(&data);
    free(outputs);
    free(arrays);
    return status;
}

/* -- the table --------------------------------------------------------------------------------- */

static unsigned group_size(const void *selection)
{
    return ((const struct cls_segment_selection *)selection)->select.group_size;
}

static const struct cls_spec *spec_of(const void *selection)
{
    return &((const struct cls_segment_selection *)selection)->select.spec;
}

static size_t describe_programs(const void *selection, struct cls_program_spec *programs)
{
    return cls_segments_select_programs(&((const struct cls_segment_selection *)selection)->select,
                                        programs);
}

static clsort_status compile(struct cls_device *device, const struct cls_program_spec *programs,
                             size_t count, void *plan)
{
    struct cls_segment_selection *selection = plan;
    return cls_kernels_create(device, programs, count, NULL, selection->parts.kernels);
}

static void release(void *selection)
{
    cls_kernels_release(((struct cls_segment_selection *)selection)->parts.kernels);
}

/* Returns the number of elements to test. It is rounded up, so that plans for similar counts share a verdict. */
static uint64_t test_count(const void *selection)
{
    const uint64_t max = ((const struct cls_segment_selection *)selection)->parts.max_count;
    uint64_t count = 128;
    while (count < max && count < COUNT)
        count *= 2;
    return cls_min(count, COUNT);
}

static clsort_status test(const struct cls_device *device, cl_command_queue queue, const void *plan,
                          int round, struct cls_text *finding)
{
    const struct cls_segment_selection *selection = plan;
    struct run run = {.device = device,
                      .kernels = selection->parts.kernels,
                      .select = selection->select,
                      .is_nth = round > 0,
                      .count = test_count(selection),
                      .places = round > 0 ? 1 : K,
                      .queue = queue};
    run.select.spec.segments = CLSORT_OFFSETS;
    run.select.spec.key_bytes = (unsigned)cls_min(run.select.spec.key_bytes, WIDE_KEY);
    run.select.spec.begin_bit = 0;
    run.select.spec.end_bit = 8 * run.select.spec.key_bytes;
    make_segments(&run);
    return run_test(&run, finding);
}

const struct cls_tested cls_segment_selection_tested = {.name = "selection from segments",
                                                        .version = SEGMENT_SELECTION_TEST_VERSION,
                                                        .choose = cls_segment_selection_choose,
                                                        .group_size = group_size,
                                                        .spec = spec_of,
                                                        .programs = describe_programs,
                                                        .compile = compile,
                                                        .release = release,
                                                        .test_count = test_count,
                                                        .test = test};
