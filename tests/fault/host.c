/* host.c - the functions that sort host arrays, and clsort_host_describe, under faults */
#include "api/engine.h"
#include "base/platform.h"
#include "device/scratch.h"
#include "layer.h"
#include "sample.h"

#include <stdlib.h>
#include <string.h>

struct sort {
    const char *algorithm; /* NULL: auto */
    clsort_key key;
    size_t value_size, count;
    size_t shift; /* of misaligned arrays, whose memory no buffer can use, in bytes */
    enum { NO_QUEUE, IN_ORDER, OUT_OF_ORDER } queue;
    bool by_columns; /* the keys are records of one column */
};

static const clsort_column COLUMN = {CLSORT_U32, 0, 0, 0};

static clsort_desc desc_of(const struct sort *sort)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    if (sort->by_columns) {
        desc.columns = &COLUMN;
        desc.column_count = 1;
        desc.record_size = sizeof(uint32_t);
        return desc;
    }
    desc.key = sort->key;
    desc.value_size = sort->value_size;
    desc.algorithm = sort->algorithm;
    return desc;
}

/* -- clsort_host ---------------------------------------------------------------------------------- */

/* Returns whether the keys have the same sum. */
static bool same_sum(const struct elements *a, const struct elements *b)
{
    const unsigned char *x = a->keys, *y = b->keys;
    size_t difference = 0;
    for (size_t i = 0; i < a->key_bytes; i++)
        difference += (size_t)x[i] - y[i];
    return difference == 0;
}

/* Returns whether a call has succeeded, which it must without a fault. */
static bool judge(struct sweep *sweep, bool faulty, clsort_status status)
{
    if (faulty)
        return sweep_judge(sweep, status);
    SWEEP_OK(sweep, status);
    return true;
}

static void sort_once(struct sweep *sweep, const struct sort *sort, const struct sample *sample,
                      bool faulty)
{
    const clsort_desc desc = desc_of(sort);
    struct elements data = elements_copy(sweep, &sample->input, sort->shift);
    const cl_command_queue queue = sort->queue == NO_QUEUE   ? NULL
                                   : sort->queue == IN_ORDER ? sweep->env.queue
                                                             : sweep->env.out_of_order;
    if (faulty)
        sweep_arm(sweep);
    const clsort_status status =
        clsort_host(sweep->env.engine, queue, &desc, sort->count, data.keys, data.values);
    /* No command may still use the arrays after the call, even if it failed. */
    SWEEP_CHECK(sweep, fault_layer_unfinished() == 0);
    const bool sorted = judge(sweep, faulty, status);
    SWEEP_CHECK(sweep, elements_guarded(&data, sort->shift));
    /* Pieces are sorted out of place, and a failure loses no element. */
    if (strcmp(sweep->scenario->name, "pieces") == 0)
        SWEEP_CHECK(sweep, same_sum(&data, &sample->input));
    SWEEP_CHECK(sweep, !sorted || elements_equal(&data, &sample->sorted));
    elements_free(&data, sort->shift);
}

/* Calls a function with a sample of the input, first with a fault and then without one. */
static void call_twice(struct sweep *sweep, void (*call)(struct sweep *, const struct sort *,
                                                         const struct sample *, bool faulty))
{
    const struct sort *sort = sweep->scenario->data;
    struct sample sample = sample_make(sweep, sort->key, sort->value_size, sort->count, 0);
    SWEEP_OK(sweep, clFinish(sweep->env.queue)); /* the layer counts commands from here on */
    call(sweep, sort, &sample, true);
    call(sweep, sort, &sample, false);
    sample_free(&sample);
}

static void host(struct sweep *sweep)
{
    call_twice(sweep, sort_once);
}

/* Sorts the whole array as one segment, by begins and ends in an order that is not ascending. */
static void sort_segments_once(struct sweep *sweep, const struct sort *sort,
                               const struct sample *sample, bool faulty)
{
    const uint64_t begins[] = {sort->count, 0}, ends[] = {sort->count, sort->count};
    uint64_t clamped = 1;
    clsort_desc desc = desc_of(sort);
    struct elements data = elements_copy(sweep, &sample->input, sort->shift);
    desc.segments = CLSORT_BEGIN_END;
    if (faulty)
        sweep_arm(sweep);
    const clsort_status status = clsort_host_segments(
        sweep->env.engine, sort->queue == NO_QUEUE ? NULL : sweep->env.out_of_order, &desc,
        sort->count, data.keys, data.values, 2, begins, ends, &clamped);
    SWEEP_CHECK(sweep, fault_layer_unfinished() == 0);
    const bool sorted = judge(sweep, faulty, status);
    SWEEP_CHECK(sweep, elements_guarded(&data, sort->shift));
    SWEEP_CHECK(sweep, !sorted || (clamped == 0 && elements_equal(&data, &sample->sorted)));
    elements_free(&data, sort->shift);
}

static void host_segments(struct sweep *sweep)
{
    call_twice(sweep, sort_segments_once);
}

/* Selects the first fifth of the elements. */
static void select_once(struct sweep *sweep, const struct sort *sort, const struct sample *sample,
                        bool faulty)
{
    clsort_desc desc = desc_of(sort);
    struct elements data = elements_copy(sweep, &sample->input, sort->shift);
    const size_t k = sort->count / 5, key_bytes = data.key_bytes / 5,
                 value_bytes = k * sort->value_size;
    unsigned char *keys_out = malloc(key_bytes), *values_out = malloc(value_bytes + 1);
    SWEEP_CHECK(sweep, keys_out && values_out);
    desc.operation = CLSORT_SELECT;
    if (faulty)
        sweep_arm(sweep);
    const clsort_status status = clsort_host_select(
        sweep->env.engine, sort->queue == NO_QUEUE ? NULL : sweep->env.out_of_order, &desc,
        sort->count, data.keys, data.values, k, keys_out, data.values ? values_out : NULL, NULL);
    SWEEP_CHECK(sweep, fault_layer_unfinished() == 0);
    const bool selected = judge(sweep, faulty, status);
    SWEEP_CHECK(sweep, elements_guarded(&data, sort->shift));
    SWEEP_CHECK(sweep, elements_equal(&data, &sample->input));
    SWEEP_CHECK(sweep, !selected || (memcmp(keys_out, sample->sorted.keys, key_bytes) == 0 &&
                                     (!data.values || memcmp(values_out, sample->sorted.values,
                                                             value_bytes) == 0)));
    free(keys_out);
    free(values_out);
    elements_free(&data, sort->shift);
}

static void host_select(struct sweep *sweep)
{
    call_twice(sweep, select_once);
}

/* Scratch memory in large pages: sorts that need so much of it would take too long here. */
static void large_scratch(struct sweep *sweep)
{
    struct cls_device *device = sweep->env.engine->device;
    struct cls_scratch scratch;
    sweep_arm(sweep);
    cls_engine_begin(sweep->env.engine);
    const clsort_status status =
        cls_error_end(cls_scratch_take(device, CLS_MIN_PAGES_BYTES, &scratch));
    const bool taken = sweep_judge(sweep, status);
    SWEEP_CHECK(sweep, taken == (scratch.bytes > 0));
    cls_scratch_give(device, scratch);
    SWEEP_CHECK(sweep, cls_scratch_kept(device) == scratch.bytes);
    cls_scratch_trim(device, 0);
}

/* -- clsort_group_host ----------------------------------------------------------------------------- */

static void sort_in_group(struct sweep *sweep, clsort_group *group, const struct sample *sample,
                          bool faulty)
{
    const struct sort *sort = sweep->scenario->data;
    const clsort_desc desc = desc_of(sort);
    struct elements data = elements_copy(sweep, &sample->input, sort->shift);
    if (faulty)
        sweep_arm(sweep);
    const clsort_status status =
        clsort_group_host(group, &desc, sort->count, data.keys, data.values);
    SWEEP_CHECK(sweep, fault_layer_unfinished() == 0);
    const bool sorted = judge(sweep, faulty, status);
    SWEEP_CHECK(sweep, elements_guarded(&data, sort->shift));
    SWEEP_CHECK(sweep, same_sum(&data, &sample->input)); /* no failure loses an element */
    SWEEP_CHECK(sweep, !sorted || elements_equal(&data, &sample->sorted));
    elements_free(&data, sort->shift);
}

/* Sorts on the device twice, first without a fault, so that the kernels are compiled. */
static void group(struct sweep *sweep)
{
    const struct sort *sort = sweep->scenario->data;
    const cl_device_id devices[] = {sweep->env.device, sweep->env.device};
    struct sample sample = sample_make(sweep, sort->key, sort->value_size, sort->count, 0);
    clsort_group *opened = NULL;
    SWEEP_OK(sweep, clsort_group_create(devices, 2, NULL, &opened));
    sort_in_group(sweep, opened, &sample, false);
    sort_in_group(sweep, opened, &sample, true);
    sort_in_group(sweep, opened, &sample, false);
    clsort_group_destroy(opened);
    sample_free(&sample);
}

static void group_create(struct sweep *sweep)
{
    const cl_device_id devices[] = {sweep->env.device, sweep->env.device};
    clsort_group *opened = NULL;
    sweep_arm(sweep);
    const clsort_status status = clsort_group_create(devices, 2, NULL, &opened);
    sweep_judge_object(sweep, status, opened);
    clsort_group_destroy(opened);
}

/* -- clsort_host_describe ------------------------------------------------------------------------- */

/* A fault can lead to another choice of algorithm, but only in the same call: the next description must equal the one
 * without a fault. */
static void describe(struct sweep *sweep)
{
    static char without_faults[256];
    const struct sort *sort = sweep->scenario->data;
    const clsort_desc desc = desc_of(sort);
    char text[256] = "";
    size_t size = 1;
    sweep_arm(sweep);
    clsort_status status =
        clsort_host_describe(sweep->env.engine, &desc, sort->count, sizeof text, text, &size);
    const bool described = sweep_judge(sweep, status);
    SWEEP_CHECK(sweep, described == (size > 0));
    if (sweep->at < 0)
        memcpy(without_faults, text, sizeof text);
    status = clsort_host_describe(sweep->env.engine, &desc, sort->count, sizeof text, text, NULL);
    SWEEP_OK(sweep, status);
    SWEEP_CHECK(sweep, strcmp(text, without_faults) == 0);
}

/* -- clsort_array --------------------------------------------------------------------------------- */

/* Sorts the 2^20 elements after which clsort_array uses a device. */
static void sort_until_device(const struct sweep *sweep)
{
    const size_t count = (size_t)1 << 20;
    uint32_t *zeros = calloc(count, sizeof *zeros);
    SWEEP_CHECK(sweep, zeros != NULL);
    SWEEP_OK(sweep, clsort_array(CLSORT_U32, zeros, count));
    free(zeros);
}

/* The call creates the default engine. If that fails, the next call creates it. */
static void array(struct sweep *sweep)
{
    const struct sort *sort = sweep->scenario->data;
    sort_until_device(sweep);
    struct sample sample = sample_make(sweep, sort->key, 0, sort->count, 0);
    struct elements data = elements_copy(sweep, &sample.input, 0);
    sweep_arm(sweep);
    clsort_status status = clsort_array(sort->key, data.keys, sort->count);
    if (sweep_judge(sweep, status))
        SWEEP_CHECK(sweep, elements_equal(&data, &sample.sorted));
    SWEEP_CHECK(sweep, elements_guarded(&data, 0));

    memcpy(data.keys, sample.input.keys, data.key_bytes);
    status = clsort_array(sort->key, data.keys, sort->count);
    SWEEP_OK(sweep, status);
    SWEEP_CHECK(sweep, elements_equal(&data, &sample.sorted));
    SWEEP_OK(sweep, clsort_engine_trim(NULL, 0)); /* else it counts as a leak */
    elements_free(&data, 0);
    sample_free(&sample);
}

const struct scenario sweep_host[] = {
#define SORT(...) &(const struct sort){__VA_ARGS__, false}, 0, false
#define RECORDS(...) &(const struct sort){NULL, CLSORT_U32, 0, __VA_ARGS__, true}, 0, false
    {"host few", host, SORT(NULL, CLSORT_U32, 0, 1000, 0, NO_QUEUE)},
    {"host few wide", host, SORT(NULL, CLSORT_F64, 24, 1000, 0, IN_ORDER)},
    {"host keys", host, SORT("radix", CLSORT_I8, 0, 500, 0, NO_QUEUE)},
    {"host pairs", host, SORT("local", CLSORT_U32, 4, 60, 0, OUT_OF_ORDER)},
    {"host unaligned", host, SORT("local", CLSORT_U16, 8, 60, 1, OUT_OF_ORDER)},
    {"host wide", host, SORT("local", CLSORT_F32, 40, 60, 0, IN_ORDER)},
    {"host many", host, SORT("cpu", CLSORT_I32, 4, 70000, 0, NO_QUEUE)},
    {"host records few", host, RECORDS(1000, 0, NO_QUEUE)},
    {"host records", host, RECORDS(40000, 0, OUT_OF_ORDER)},
    {"host select few", host_select, SORT(NULL, CLSORT_U32, 4, 1000, 0, NO_QUEUE)},
    {"host select", host_select, SORT("local", CLSORT_U32, 4, 500, 0, OUT_OF_ORDER)},
    {"host select unaligned", host_select, SORT("local", CLSORT_F32, 24, 500, 1, NO_QUEUE)},
    {"host segments few", host_segments, SORT(NULL, CLSORT_U32, 4, 1000, 0, NO_QUEUE)},
    {"host segments", host_segments, SORT(NULL, CLSORT_U32, 4, 40000, 0, NO_QUEUE)},
    {"host segments unaligned", host_segments, SORT(NULL, CLSORT_I16, 8, 500, 1, OUT_OF_ORDER)},
    {"host scratch", large_scratch, NULL, 0, false},
    {"transfer", host, SORT("radix", CLSORT_U32, 4, 1 << 17, 0, NO_QUEUE)},
    {"pieces", host, SORT("local", CLSORT_U32, 4, 60, 0, NO_QUEUE)},
    {"group", group, SORT("cpu", CLSORT_U32, 4, 66000, 0, NO_QUEUE)},
    {"group create", group_create, NULL, 0, false},
    {"describe few", describe, SORT(NULL, CLSORT_U32, 0, 1000, 0, NO_QUEUE)},
    {"describe device", describe, SORT("radix", CLSORT_U32, 24, 1000, 0, NO_QUEUE)},
    {"describe many", describe, SORT(NULL, CLSORT_F32, 4, 100000, 0, NO_QUEUE)},
#define ARRAY(...) &(const struct sort){__VA_ARGS__, false}, 0, true
    {"array few", array, ARRAY(NULL, CLSORT_U32, 0, 1000, 0, NO_QUEUE)},
    {"array many", array, ARRAY(NULL, CLSORT_U32, 0, 40000, 0, NO_QUEUE)},
    {NULL, NULL, NULL, 0, false},
};
