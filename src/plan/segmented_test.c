/* segmented_test.c - tests whether the kernels of a segmented sort are correct on this device */
#include "plan/segmented_test.h"

#include "algo/common/programs.h"
#include "base/arithmetic.h"
#include "base/error.h"
#include "base/index.h"
#include "cl/segments/layout.h"
#include "host/sort.h"
#include "plan/self_test_data.h"
#include "plan/test_buffers.h"

#include <stdlib.h>
#include <string.h>

enum {
    SEGMENTED_TEST_VERSION = 3, /* stored verdicts of other versions are not used */
    MAX_TILE = 8192,            /* elements in a tile for cores, so that few elements suffice */
    TILES = 6,
    MIN_COUNT = 128,
    WIDE_VALUE = 128, /* represents all wide values with its alignment */
    SEGMENTS = 400,
    GAP = 5 /* elements before the first segment */
};

/* A test that is running. */
struct run {
    const struct cls_device *device;
    struct cls_segmented segmented; /* with a small tile, and values that are not too wide */
    struct cls_spec spec;           /* with the values of the caller */
    uint64_t count;
    /* The segments are those between the first number + 1 offsets; the caller states the bound. */
    uint64_t offsets[SEGMENTS + 1];
    size_t number, bound;
    uint64_t device_count; /* what the count in device memory says */
    uint64_t result;       /* segments that are not as the offsets say, and whether the count is */
    const struct cls_test_data *data;
    cl_command_queue queue;
};

/* -- data -------------------------------------------------------------------------------------- */

/* Makes offsets of segments of many lengths, up to three tiles, a few of them wrong. */
static void make_offsets(struct run *run)
{
    static const unsigned lengths[] = {1, 0, 2, 40, 3, 300, 7, 17, 0, 100, 30, 600, 5};
    const uint64_t tile = cls_segments_tile(&run->segmented.segments, 0);
    uint64_t at = GAP;
    for (size_t i = 0; i < SEGMENTS; i++) {
        run->offsets[i] = at;
        at += i == 20    ? 3 * tile
              : i == 60  ? 2 * tile + 3
              : i == 100 ? tile / 2
                         : lengths[i % (sizeof lengths / sizeof *lengths)];
        at = cls_min(at, run->count);
    }
    run->offsets[SEGMENTS] = run->count + 9;
    run->offsets[11] = run->offsets[9];
    run->number = run->bound = SEGMENTS;
}

/* Lets the device read the number of segments or, without segments, the number of elements, so that they
 * are fewer than the host states, or not more although the device reads so. */
static void make_device_count(struct run *run, bool exceeds)
{
    if (run->segmented.segments.spec.segments == CLSORT_WHOLE) {
        run->number = run->bound = 1;
        run->offsets[0] = 0;
        run->offsets[1] = exceeds ? run->count : run->count - run->count / 4;
        run->device_count = exceeds ? run->count + 1 : run->offsets[1];
    } else {
        run->number = exceeds ? SEGMENTS : SEGMENTS / 2;
        run->device_count = exceeds ? SEGMENTS + 1 : run->number;
    }
}

/* Returns whether the segment that ends at offset i, and really begins at `begin`, is not as its offsets
 * say. */
static bool is_clamped(const struct run *run, size_t i, uint64_t begin)
{
    const uint64_t first = run->offsets[i - 1], last = run->offsets[i];
    return first > last || last > run->count || (first < last && first != begin);
}

/* Sorts the segments of the expected output on the host. With a custom order all keys are equal, so
 * that the output is the input. */
static clsort_status make_expected(struct run *run, const struct cls_test_data *data, bool exceeds)
{
    struct cls_spec pairs = run->spec;
    clsort_status status = CLSORT_OK;
    uint64_t begin = 0;
    pairs.value_is_index = false;
    run->result = exceeds ? CLSORT_COUNT_EXCEEDED : 0;
    memcpy(data->expected_keys, data->keys, data->key_bytes);
    memcpy(data->expected_values, data->values, data->value_bytes);
    for (size_t i = 0; i <= run->number && status == CLSORT_OK; i++) {
        const uint64_t end = cls_max(cls_min(run->offsets[i], run->count), begin);
        if (i > 0 && run->spec.order != CLS_ORDER_CUSTOM)
            status = cls_host_sort(&pairs, (size_t)(end - begin),
                                   data->expected_keys + begin * pairs.key_bytes,
                                   data->expected_values + begin * pairs.value_bytes);
        if (i > 0)
            run->result += is_clamped(run, i, begin);
        begin = end;
    }
    return status;
}

/* -- sorts on the device ----------------------------------------------------------------------- */

enum { KEYS, VALUES, KEYS_OUT, VALUES_OUT, OFFSETS, COUNT, RESULT, BUFFERS };

/* Creates the buffers. Outputs begin as copies of the input, which elements in no segment must
 * remain. */
static cl_int create_buffers(const struct run *run, bool in_place, cl_mem *buffer)
{
    const struct cls_test_data *data = run->data;
    char offsets[(SEGMENTS + 1) * sizeof(uint64_t)], device_count[sizeof(uint64_t)];
    uint64_t result = 0;
    const size_t count_bytes = run->spec.count_bytes;
    const size_t offset = run->segmented.segments.offset_bytes;
    const struct {
        void *at;
        size_t bytes;
    } sources[BUFFERS] = {{data->keys, data->key_bytes},
                          {data->values, data->value_bytes},
                          {data->keys, data->key_bytes},
                          {data->values, data->value_bytes},
                          {offsets, (SEGMENTS + 1) * offset},
                          {device_count, count_bytes},
                          {&result, sizeof result}};
    cl_int status = CL_SUCCESS;
    if (count_bytes > 0)
        cls_store_index(run->device_count, count_bytes, device_count);
    for (size_t i = 0; i <= SEGMENTS; i++)
        cls_store_index(run->offsets[i], offset, offsets + i * offset);
    for (size_t i = 0; i < BUFFERS && status == CL_SUCCESS; i++) {
        if (in_place && (i == KEYS_OUT || i == VALUES_OUT))
            continue;
        buffer[i] = cls_test_buffer_create(run->device, sources[i].bytes, sources[i].at, &status);
    }
    return status;
}

/* Sorts on the device, and reads the output to the found arrays. */
static cl_int sort_on_device(const struct run *run, bool in_place, uint64_t *result)
{
    cl_mem buffer[BUFFERS] = {NULL};
    cl_int status = create_buffers(run, in_place, buffer);
    const cl_mem keys_out = buffer[in_place ? KEYS : KEYS_OUT],
                 values_out = buffer[in_place ? VALUES : VALUES_OUT];
    const struct cls_arrays arrays = {
        .count = run->count,
        .in_place = in_place,
        .keys_in = {buffer[KEYS], 0},
        .values_in = {run->spec.value_is_index ? NULL : buffer[VALUES], 0},
        .keys_out = {keys_out, 0},
        .values_out = {values_out, 0},
        .segment_count = run->bound,
        .offsets = {buffer[OFFSETS], 0},
        .count_buffer = {buffer[COUNT], 0},
        .result = {buffer[RESULT], 0}};
    struct cls_chain chain;
    if (status == CL_SUCCESS)
        status = cls_chain_begin(&chain, run->queue, 0, NULL, false);
    if (status == CL_SUCCESS)
        status = cls_chain_end(&chain,
                               cls_segmented_enqueue(run->device, &run->segmented, &arrays,
                                                     (clsort_buffer){NULL, 0}, &chain),
                               NULL);
    if (status == CL_SUCCESS)
        status =
            cls_test_buffer_read(run->queue, keys_out, run->data->key_bytes, run->data->found_keys);
    if (status == CL_SUCCESS)
        status = cls_test_buffer_read(run->queue, values_out, run->data->value_bytes,
                                      run->data->found_values);
    if (status == CL_SUCCESS)
        status = cls_test_buffer_read(run->queue, buffer[RESULT], sizeof *result, result);
    cls_test_buffers_release(buffer, BUFFERS);
    return status;
}

/* Returns a checksum of the values [begin, end) that does not depend on their order. */
static uint64_t checksum(const struct run *run, const char *values, uint64_t begin, uint64_t end)
{
    const size_t bytes = run->spec.value_bytes;
    uint64_t sum = 0;
    for (uint64_t i = begin; i < end; i++)
        sum += cls_hash(CLS_HASH_START, values + i * bytes, bytes);
    return sum;
}

/* Returns whether the values are right. The host cannot check a custom order, in which all keys may
 * precede each other: values may then be in any order within their segment. */
static bool values_are_right(const struct run *run)
{
    const struct cls_test_data *data = run->data;
    uint64_t begin = 0;
    if (run->spec.order != CLS_ORDER_CUSTOM)
        return memcmp(data->found_values, data->expected_values, data->value_bytes) == 0;
    for (size_t i = 0; i <= run->number; i++) {
        const uint64_t end = cls_max(cls_min(run->offsets[i], run->count), begin);
        if (checksum(run, data->found_values, begin, end) !=
            checksum(run, data->expected_values, begin, end))
            return false;
        begin = end;
    }
    return true;
}

static clsort_status compare(const struct run *run, uint64_t result, struct cls_text *finding)
{
    const struct cls_test_data *data = run->data;
    const bool keys = memcmp(data->found_keys, data->expected_keys, data->key_bytes) == 0;
    if (keys && result == run->result && values_are_right(run))
        return CLSORT_OK;
    cls_text_add(finding, "the %s of %llu elements in segments %s wrong",
                 !keys                   ? "keys"
                 : result != run->result ? "result"
                                         : "values",
                 (unsigned long long)data->count, !keys || result == run->result ? "are" : "is");
    return CLSORT_E_SELF_TEST;
}

static clsort_status run_test(struct run *run, bool in_place, struct cls_text *finding)
{
    const struct cls_test_pattern pattern = {.clusters = in_place};
    struct cls_spec spec = run->spec;
    struct cls_test_data data;
    uint64_t result = 0;
    spec.operation = CLSORT_SORT;
    clsort_status status = cls_test_data_create(&spec, run->count, &pattern, &data);
    run->data = &data;
    if (status == CLSORT_OK && run->spec.value_is_index)
        cls_number_elements(spec.value_bytes, run->count, data.values);
    if (status == CLSORT_OK)
        status = make_expected(run, &data, run->spec.count_bytes > 0 && in_place);
    if (status == CLSORT_OK)
        status = sort_on_device(run, in_place, &result);
    if (status == CLSORT_OK)
        status = compare(run, result, finding);
    cls_test_data_destroy(&data);
    return status;
}

static uint64_t test_tile(const struct cls_segmented *segmented)
{
    return cls_min(cls_segments_tile(&segmented->segments, 0), MAX_TILE);
}

/* Returns the number of elements to test: several tiles, unless the plan sorts fewer. It is rounded up, so
 * that plans for similar counts share a verdict. */
static uint64_t test_count(const void *plan)
{
    const struct cls_segmented *segmented = plan;
    uint64_t max = MIN_COUNT;
    while (max < segmented->max_count && max < TILES * (uint64_t)MAX_TILE)
        max *= 2;
    return cls_min(max, TILES * test_tile(segmented) + 1);
}

/* Sets the sort that represents all sorts which run the same programs. */
static void set_up(const struct cls_device *device, const struct cls_segmented *segmented,
                   struct run *run)
{
    *run = (struct run){.device = device, .segmented = *segmented};
    struct cls_segments *s = &run->segmented.segments;
    s->min_tile = s->max_tile = test_tile(segmented);
    s->spec.segments = CLSORT_OFFSETS;
    s->spec.begin_bit = 0;
    s->spec.end_bit = 8 * s->spec.key_bytes;
    s->msd.msd.units = 1;
    s->msd.msd.max_large_buckets = 1; /* so that there is an oversized bucket */
    run->segmented.order = NULL;
    run->segmented.may_omit_keys_out = false;
    run->spec = s->spec;
    if (segmented->gathers) {
        run->spec.value_is_index = false;
        run->spec.value_bytes = WIDE_VALUE + cls_alignment(segmented->gather.value_bytes);
        run->segmented.gather.value_bytes = run->spec.value_bytes;
    }
    run->count = test_count(segmented);
    make_offsets(run);
}

/* -- the table --------------------------------------------------------------------------------- */

static unsigned group_size(const void *segmented)
{
    return ((const struct cls_segmented *)segmented)->segments.group_size;
}

static const struct cls_spec *spec_of(const void *segmented)
{
    return &((const struct cls_segmented *)segmented)->segments.spec;
}

static size_t describe_programs(const void *plan, struct cls_program_spec *programs)
{
    const struct cls_segmented *segmented = plan;
    const size_t count = cls_segments_programs(&segmented->segments, programs);
    if (segmented->gathers)
        cls_gather_program(&segmented->gather, &programs[count]);
    return count + segmented->gathers;
}

static clsort_status compile(struct cls_device *device, const struct cls_program_spec *programs,
                             size_t count, void *plan)
{
    struct cls_segmented *segmented = plan;
    const struct cls_spec *spec = &segmented->segments.spec;
    const size_t own = count - segmented->gathers;
    const clsort_status status = cls_kernels_create(
        device, programs, own, spec->order == CLS_ORDER_CUSTOM ? &spec->custom : NULL,
        segmented->kernels);
    return status == CLSORT_OK && segmented->gathers
               ? cls_kernels_create(device, &programs[own], 1, NULL, segmented->gather_kernels)
               : status;
}

static void release(void *plan)
{
    struct cls_segmented *segmented = plan;
    cls_kernels_release(segmented->kernels);
    cls_kernels_release(segmented->gather_kernels);
}

static clsort_status test(const struct cls_device *device, cl_command_queue queue,
                          const void *segmented, int round, struct cls_text *finding)
{
    struct run run;
    set_up(device, segmented, &run);
    run.queue = queue;
    if (run.spec.count_bytes == 0)
        return run_test(&run, round > 0, finding);
    make_device_count(&run, round > 0);
    const clsort_status status = run_test(&run, round > 0, finding);
    if (status != CLSORT_OK)
        return status;
    /* With a count in device memory, the programs also sort whole arrays. */
    run.segmented.segments.spec.segments = CLSORT_WHOLE;
    make_device_count(&run, round > 0);
    return run_test(&run, round > 0, finding);
}

const struct cls_tested cls_segmented_tested = {.name = "segmented sort",
                                                .version = SEGMENTED_TEST_VERSION,
                                                .choose = cls_segmented_choose,
                                                .group_size = group_size,
                                                .spec = spec_of,
                                                .programs = describe_programs,
                                                .compile = compile,
                                                .release = release,
                                                .test_count = test_count,
                                                .test = test};
