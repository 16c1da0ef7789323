/* self_test.c - tests whether kernels, as compiled by this driver, sort correctly on this device */
#include "plan/self_test.h"

#include "algo/common/programs.h"
#include "algo/primitives/primitives.h"
#include "base/arithmetic.h"
#include "base/error.h"
#include "base/index.h"
#include "device/includes.h"
#include "device/verdicts.h"
#include "plan/operation.h"
#include "plan/rows_test.h"
#include "plan/self_test_data.h"
#include "plan/test_buffers.h"

#include <limits.h>

enum {
    SMALL_COUNT = 33, /* enough elements to be unsorted */
    /* Fits in one work-group, but exceeds the special cases of small inputs; for algorithms without another count for
     * this (cls_algo.one_tile_count). */
    MEDIUM_COUNT = 2000,
    /* Represents all wide values, whose kernels differ only in the alignment of the value
     * (cls_alignment). */
    WIDE_VALUE = 128,
    /* The version of the sorts below, their data and the comparison of results: stored verdicts of
     * other versions are not used. */
    SELF_TEST_VERSION = 7
};

/* One sort of the self-test. */
struct test_sort {
    uint64_t max_count; /* unless cls_self_test.is_large, the number of elements is limited to it */
    bool in_place;
    bool constant_digit, clusters, few_keys; /* of the keys: struct cls_test_pattern */
};

/* A skipped digit makes the other passes use other buffers. */
static const struct test_sort TEST_SORTS[] = {
    {.max_count = UINT64_MAX, .clusters = true},
    {.max_count = UINT64_MAX, .in_place = true, .constant_digit = true},
    {.max_count = MEDIUM_COUNT, .in_place = true, .clusters = true},
    {.max_count = SMALL_COUNT, .constant_digit = true},
    {.max_count = UINT64_MAX, .few_keys = true}, /* only for keys of cls_algo.few_keys_bytes */
};

/* A self-test that is running. */
struct run {
    const struct cls_device *device;
    const struct cls_self_test *test;
    struct cls_stage stage; /* has the choice of the test */
    cl_command_queue queue;
    struct cls_text *finding;
};

/* Returns whether values of equal keys may change places. Such sorts can run other programs than
 * stable ones. */
static bool is_unstable_with_values(const struct cls_spec *spec)
{
    return spec->value_bytes > 0 && !spec->stable;
}

static bool is_stable(const struct cls_self_test *test)
{
    return test->choice.algo->traits & CLS_STABLE && !is_unstable_with_values(&test->spec);
}

/* -- sorts on the device ----------------------------------------------------------------------- */

enum { KEYS, VALUES, KEYS_OUT, VALUES_OUT, INDEX_OUT, COUNT, RESULT, BUFFERS };

/* The count of a sort: what the caller states and, if it is in device memory, what the device reads. The
 * kernels must sort the elements of the data, which are fewer than the caller states, or not more although
 * the device reads so. */
struct count {
    uint64_t stated, on_device;
};

static bool reads_count(const struct run *run)
{
    return run->test->spec.count_bytes > 0;
}

static struct count make_count(const struct run *run, bool exceeds, uint64_t count)
{
    const uint64_t stated =
        reads_count(run) && !exceeds ? cls_min(2 * count, run->test->choice.max_count) : count;
    return (struct count){stated, exceeds ? count + 1 : count};
}

/* Creates the buffer of an array of which the data has `bytes` bytes. If the caller states more elements, it is
 * larger. */
static cl_mem create_array(const struct run *run, const struct cls_test_data *data,
                           const struct count *count, size_t bytes, char *input, cl_int *status)
{
    const size_t size = bytes / (size_t)data->count * (size_t)count->stated;
    if (size == bytes || !input)
        return cls_test_buffer_create(run->device, size, input, status);
    const cl_mem buffer = cls_test_buffer_create(run->device, size, NULL, status);
    if (buffer)
        *status =
            cls_called("clEnqueueWriteBuffer", clEnqueueWriteBuffer(run->queue, buffer, CL_TRUE, 0,
                                                                    bytes, input, 0, NULL, NULL));
    return buffer;
}

/* Sets *arrays to the arrays of the sort, which the operation reads from the buffers as for a
 * caller of clsort_enqueue. */
static clsort_status read_arrays(const struct run *run, bool in_place, uint64_t sorted,
                                 uint64_t stated, const cl_mem *buffer, struct cls_arrays *arrays)
{
    const struct cls_spec *spec = &run->test->spec;
    const struct cls_operation_info *operation = cls_operation_of(spec);
    clsort_io io = CLSORT_IO_INIT;
    io.count = (size_t)stated;
    io.keys.mem = buffer[KEYS];
    io.values.mem = buffer[VALUES];
    io.count_buffer.mem = buffer[COUNT];
    io.index_out.mem = buffer[INDEX_OUT];
    io.result.mem = buffer[RESULT];
    if (!in_place) {
        io.keys_out.mem = buffer[KEYS_OUT];
        io.values_out.mem = buffer[VALUES_OUT];
    }
    if (operation->write_io)
        operation->write_io(&io, spec);
    if (spec->operation == CLSORT_GATHER)
        io.source_count = (size_t)sorted;
    return operation->read_io(&io, spec, arrays);
}

static cl_int enqueue(const struct run *run, const struct cls_arrays *arrays)
{
    const struct cls_layout layout = cls_stage_layout(&run->stage, arrays->count);
    const clsort_buffer no_scratch = {NULL, 0};
    struct cls_chain chain;
    cl_int status = cls_chain_begin(&chain, run->queue, 0, NULL, false);
    if (status != CL_SUCCESS)
        return status;
    status = cls_stage_enqueue(run->device, &run->stage, &layout, arrays, no_scratch, &chain);
    return cls_chain_end(&chain, status, NULL);
}

/* Compares the result of the operation, if it has one. */
static clsort_status check_result(const struct run *run, const struct cls_test_data *data,
                                  const struct count *count, cl_mem buffer)
{
    const struct cls_operation_info *operation = cls_operation_of(data->spec);
    uint64_t result, expected = 0;
    if (!buffer)
        return CLSORT_OK;
    const cl_int status = cls_test_buffer_read(run->queue, buffer, sizeof result, &result);
    if (status != CL_SUCCESS)
        return status;
    const uint64_t flag = count->on_device > count->stated ? CLSORT_COUNT_EXCEEDED : 0;
    if (operation->expected_result)
        expected = operation->expected_result(data->spec, data->count, data->keys);
    expected |= flag;
    /* The host cannot evaluate a custom order. All keys are equal: none or all of them begin runs. */
    if (result == expected || (data->spec->order == CLS_ORDER_CUSTOM &&
                               (result == (flag | 1) || result == (flag | data->count))))
        return CLSORT_OK;
    cls_text_add(run->finding, "the result is %llu instead of %llu", (unsigned long long)result,
                 (unsigned long long)expected);
    return CLSORT_E_SELF_TEST;
}

/* Sorts the input of data on the device and reads the result into the found arrays. */
static cl_int sort_on_device(const struct run *run, bool in_place, bool exceeds,
                             struct cls_test_data *data)
{
    const size_t bytes[] = {data->key_bytes, data->value_bytes};
    char *const input[] = {data->keys, data->values};
    const struct count count = make_count(run, exceeds, data->count);
    const size_t count_bytes = run->test->spec.count_bytes;
    char on_device[sizeof(uint64_t)];
    cl_mem buffer[BUFFERS] = {NULL};
    cl_int status = CL_SUCCESS;
    for (size_t i = 0; i < (in_place ? KEYS_OUT : INDEX_OUT); i++)
        buffer[i] =
            create_array(run, data, &count, bytes[i % 2], i < KEYS_OUT ? input[i] : NULL, &status);
    buffer[INDEX_OUT] = cls_test_buffer_create(run->device, data->index_bytes, NULL, &status);
    if (reads_count(run)) {
        cls_store_index(count.on_device, count_bytes, on_device);
        buffer[COUNT] = cls_test_buffer_create(run->device, count_bytes, on_device, &status);
    }
    if (reads_count(run) || cls_operation_of(data->spec)->expected_result)
        buffer[RESULT] = cls_test_buffer_create(run->device, sizeof(uint64_t), NULL, &status);
    struct cls_arrays arrays = {0};
    if (status == CL_SUCCESS)
        status = read_arrays(run, in_place, data->count, count.stated, buffer, &arrays);
    if (status == CL_SUCCESS)
        status = enqueue(run, &arrays);
    const cl_mem keys_out = arrays.keys_out.mem ? arrays.keys_out.mem : buffer[KEYS];
    if (status == CL_SUCCESS)
        status = cls_test_buffer_read(run->queue, keys_out, data->key_bytes, data->found_keys);
    if (status == CL_SUCCESS)
        status = cls_test_buffer_read(run->queue, arrays.values_out.mem, data->value_bytes,
                                      data->found_values);
    if (status == CL_SUCCESS)
        status = cls_test_buffer_read(run->queue, buffer[INDEX_OUT], data->index_bytes,
                                      data->found_indexes);
    if (status == CL_SUCCESS)
        status = check_result(run, data, &count, buffer[RESULT]);
    cls_test_buffers_release(buffer, BUFFERS);
    return status;
}

/* Returns the maximum number of elements of a sort. */
static uint64_t max_count_of(const struct cls_choice *choice, const struct test_sort *sort)
{
    const bool has_other = sort->max_count == MEDIUM_COUNT && choice->algo->one_tile_count;
    const uint64_t other = has_other ? choice->algo->one_tile_count(&choice->tuning) : 0;
    return other > 0 ? other : sort->max_count;
}

static clsort_status run_sort(const struct run *run, const struct test_sort *sort)
{
    const struct cls_self_test *test = run->test;
    const uint64_t count =
        test->is_large ? test->count : cls_min(test->count, max_count_of(&test->choice, sort));
    const struct cls_test_pattern pattern = {.has_one_result = !is_stable(run->test),
                                             .constant_digit = sort->constant_digit,
                                             .clusters = sort->clusters,
                                             .few_keys = sort->few_keys};
    const bool in_place = sort->in_place && cls_operation_of(&run->test->spec)->in_place;
    struct cls_test_data data;
    clsort_status status = cls_test_data_create(&run->test->spec, count, &pattern, &data);
    if (status == CLSORT_OK)
        status = sort_on_device(run, in_place, sort->in_place && reads_count(run), &data);
    if (status == CLSORT_OK)
        status = cls_test_data_compare(&data, run->finding);
    cls_test_data_destroy(&data);
    return status;
}

static bool is_wanted(const struct run *run, const struct test_sort *sort)
{
    return !sort->few_keys ||
           run->test->choice.algo->few_keys_bytes == run->test->choice.spec.key_bytes;
}

static clsort_status run_sorts(struct run *run)
{
    cl_int status;
    run->queue = clCreateCommandQueue(run->device->context, run->device->id, 0, &status);
    cls_called("clCreateCommandQueue", status);
    if (status == CL_SUCCESS && run->test->spec.order == CLS_ORDER_COLUMNS)
        status = cls_rows_test_run(run->device, run->queue, run->test, &run->stage, run->finding);
    else
        for (size_t i = 0; i < sizeof TEST_SORTS / sizeof *TEST_SORTS && status == CL_SUCCESS; i++)
            if (is_wanted(run, &TEST_SORTS[i]))
                status = run_sort(run, &TEST_SORTS[i]);
    if (run->queue)
        clReleaseCommandQueue(run->queue);
    return status;
}

/* Tests the primitives before the sorts, since wrong ranks would make these write out of bounds. */
static clsort_status test_primitives(struct cls_device *device, const struct cls_algo *algo,
                                     struct cls_text *finding)
{
    clsort_status status = CLSORT_OK;
    for (int primitive = 0; primitive < CLS_PRIMITIVE_COUNT && status == CLSORT_OK; primitive++) {
        if (!cls_primitive_is_of((enum cls_primitive)primitive, algo))
            continue;
        status = cls_primitive_test(device, (enum cls_primitive)primitive);
        if (status == CLSORT_E_SELF_TEST)
            cls_text_add(finding, "%s is wrong", cls_primitive_name((enum cls_primitive)primitive));
    }
    return status;
}

/* -- verdicts ---------------------------------------------------------------------------------- */

/* Returns the maximum count to test. A plan for few elements should not compile kernels that only
 * large sorts need. The maximum is rounded up, so that plans for similar counts share a verdict. */
static uint64_t max_test_count(const struct cls_request *request, const struct cls_choice *choice)
{
    uint64_t max = SMALL_COUNT;
    while (max < request->max_count)
        max *= 2;
    return request->max_count > 0 && max < choice->max_count ? max : choice->max_count;
}

/* Appends everything that a verdict depends on: the programs, the sorts, and the number of
 * elements. */
static void add_subject(const struct cls_caps *caps, const struct cls_self_test *test,
                        struct cls_text *subject)
{
    struct cls_program_spec programs[CLS_MAX_STAGE_PROGRAMS];
    const struct cls_spec *spec = &test->choice.spec;
    const size_t count = cls_stage_programs(caps, &test->choice, programs);
    uint64_t hash = CLS_HASH_START;
    for (size_t i = 0; i < count; i++)
        hash = cls_program_hash(hash, &programs[i]);
    if (spec->order == CLS_ORDER_CUSTOM)
        hash = cls_hash_number(hash, cls_custom_hash(&spec->custom));
    cls_text_add(subject, "%d %s, programs %016llx, operation %d%s, %s%llu elements",
                 SELF_TEST_VERSION, test->choice.algo->name, (unsigned long long)hash,
                 (int)spec->operation, is_unstable_with_values(spec) ? ", unstable" : "",
                 test->is_large ? "only " : "", (unsigned long long)test->count);
    if (spec->index_bytes > 0)
        cls_text_add(subject, ", indexes of %u bytes", spec->index_bytes);
}

struct cls_self_test cls_self_test_for(const struct cls_caps *caps,
                                       const struct cls_request *request,
                                       const struct cls_choice *choice)
{
    struct cls_self_test test = {.choice = *choice, .spec = request->spec};
    struct cls_spec *spec = &test.spec;
    if (choice->gathers)
        test.choice.gather.value_bytes = spec->value_bytes =
            WIDE_VALUE + cls_alignment(spec->value_bytes);
    const bool moves_any_value = choice->algo->max_value_bytes_once == UINT_MAX;
    if (moves_any_value && spec->value_bytes > WIDE_VALUE)
        test.choice.spec.value_bytes = spec->value_bytes =
            WIDE_VALUE + cls_alignment(spec->value_bytes);
    if (spec->operation == CLSORT_GATHER)
        test.choice.tuning.gather.value_bytes = spec->value_bytes;
    if (spec->order == CLS_ORDER_COLUMNS)
        cls_rows_test_prepare(&test);
    spec->begin_bit = test.choice.spec.begin_bit = 0;
    spec->end_bit = test.choice.spec.end_bit = 8 * spec->key_bytes;
    const uint64_t device_max = caps->max_alloc / cls_max(spec->key_bytes, spec->value_bytes);
    const uint64_t max = cls_min(device_max, max_test_count(request, choice));
    const uint64_t wanted = choice->algo->self_test_count(&test.choice.tuning);
    test.count = cls_min(wanted, cls_max(max, 1));
    test.is_large = request->min_count >= test.count;
    test.verdict_on_disk = spec->order != CLS_ORDER_CUSTOM || !cls_may_include(&spec->custom);
    struct cls_text subject = CLS_TEXT(test.subject);
    add_subject(caps, &test, &subject);
    return test;
}

/* Returns whether the test of all counts has passed, which includes the test of large ones. */
static bool whole_test_passed(struct cls_device *device, const struct cls_self_test *large)
{
    struct cls_self_test whole = *large;
    struct cls_text subject = CLS_TEXT(whole.subject);
    char line[256];
    struct cls_text finding = CLS_TEXT(line);
    whole.is_large = false;
    add_subject(&device->caps, &whole, &subject);
    return cls_verdict_find(device, whole.subject, whole.verdict_on_disk, &finding) &&
           finding.length == 0;
}

enum cls_self_test_state cls_self_test_lookup(struct cls_device *device,
                                              const struct cls_self_test *self_test,
                                              struct cls_text *finding)
{
    if (cls_verdict_find(device, self_test->subject, self_test->verdict_on_disk, finding))
        return finding->length > 0 ? CLS_FAILED : CLS_PASSED;
    if (!self_test->is_large || !whole_test_passed(device, self_test))
        return CLS_UNTESTED;
    cls_verdict_keep(device, self_test->subject, false, ""); /* the next search finds it */
    return CLS_PASSED;
}

clsort_status cls_self_test_run(struct cls_device *device, const struct cls_self_test *self_test,
                                const struct cls_stage *stage, struct cls_text *finding)
{
    struct run run = {.device = device, .test = self_test, .stage = *stage, .finding = finding};
    run.stage.choice = self_test->choice;
    const struct cls_self_test_timer timer = cls_self_test_begin(device);
    clsort_status status = test_primitives(device, stage->choice.algo, finding);
    if (status == CLSORT_OK)
        status = run_sorts(&run);
    cls_self_test_end(device, &timer);
    if (status == CLSORT_OK || status == CLSORT_E_SELF_TEST)
        cls_verdict_keep(device, self_test->subject, self_test->verdict_on_disk, finding->at);
    return status;
}
