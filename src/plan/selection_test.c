/* selection_test.c - tests whether the kernels of a selection select correctly on this device */
#include "plan/selection_test.h"

#include "algo/common/programs.h"
#include "base/arithmetic.h"
#include "base/error.h"
#include "base/index.h"
#include "host/key.h"
#include "host/sort.h"
#include "plan/self_test_data.h"
#include "plan/test_buffers.h"

#include <stdlib.h>
#include <string.h>

/* The version of the tests below: stored verdicts of other versions are not used. */
enum { SELECTION_TEST_VERSION = 5, COUNT = 40000 };

enum { KEYS, KEYS_OUT, INDEXES, DEVICE_COUNT, SCRATCH, BUFFERS };

/* A test that is running. */
struct run {
    const struct cls_device *device;
    const cl_kernel *kernels;
    struct cls_select select; /* compares all bits, on which the program does not depend */
    uint64_t count;
    uint64_t bound;                   /* of a count in device memory; otherwise the count */
    const struct cls_test_data *data; /* its expected values are the permutation */
    cl_command_queue queue;
    cl_mem buffer[BUFFERS];
};

/* Creates the buffers. `keys` has space for as many keys as the bound: those behind the count repeat the first
 * ones, so that some would be selected. */
static cl_int create_buffers(struct run *run, char *keys)
{
    const struct cls_spec *spec = &run->select.spec;
    char device_count[sizeof(uint64_t)];
    const struct {
        size_t bytes;
        void *data;
    } sources[BUFFERS] = {
        [KEYS] = {(size_t)run->bound * spec->key_bytes, keys},
        [KEYS_OUT] = {run->data->key_bytes, NULL},
        [INDEXES] = {(size_t)run->count * spec->value_bytes, NULL},
        [DEVICE_COUNT] = {spec->count_bytes, device_count},
        [SCRATCH] = {(size_t)cls_select_scratch(&run->select, run->bound, run->bound), NULL}};
    cl_int status = CL_SUCCESS;
    memcpy(keys, run->data->keys, run->data->key_bytes);
    memcpy(keys + run->data->key_bytes, run->data->keys,
           (size_t)(run->bound - run->count) * spec->key_bytes);
    if (spec->count_bytes > 0)
        cls_store_index(run->count, spec->count_bytes, device_count);
    for (size_t i = 0; i < BUFFERS; i++)
        run->buffer[i] =
            cls_test_buffer_create(run->device, sources[i].bytes, sources[i].data, &status);
    return status;
}

/* A selection of the test. */
struct selection {
    uint64_t k;
    bool is_nth, partitions;
    enum cls_select_obstacle obstacle;
};

/* Selects on the device, and reads the result to the found arrays of the data. */
static cl_int select_on_device(const struct run *run, const struct selection *selection)
{
    const struct cls_spec *spec = &run->select.spec;
    const size_t selected = selection->is_nth       ? 1
                            : selection->partitions ? (size_t)run->count
                                                    : (size_t)selection->k;
    const struct cls_select_job job = {.count = run->bound,
                                       .k = selection->k,
                                       .count_buffer = {run->buffer[DEVICE_COUNT], 0},
                                       .is_nth = selection->is_nth,
                                       .partitions = selection->partitions,
                                       .obstacle = selection->obstacle,
                                       .keys_in = {run->buffer[KEYS], 0},
                                       .keys_out = {run->buffer[KEYS_OUT], 0},
                                       .indexes_out = {run->buffer[INDEXES], 0},
                                       .scratch = {run->buffer[SCRATCH], 0}};
    struct cls_chain chain;
    cl_int status = cls_chain_begin(&chain, run->queue, 0, NULL, false);
    if (status != CL_SUCCESS)
        return status;
    status = cls_select_enqueue(run->kernels, &run->select, &job, &chain);
    status = cls_chain_end(&chain, status, NULL);
    if (status == CL_SUCCESS)
        status = cls_test_buffer_read(run->queue, run->buffer[KEYS_OUT], selected * spec->key_bytes,
                                      run->data->found_keys);
    if (status == CL_SUCCESS)
        status = cls_test_buffer_read(run->queue, run->buffer[INDEXES],
                                      selected * spec->value_bytes, run->data->found_values);
    return status;
}

/* Returns the index of the i-th element in the order. */
static uint64_t index_of(const struct run *run, uint64_t i)
{
    const size_t bytes = run->select.spec.value_bytes;
    return cls_load_index(run->data->expected_values + i * bytes, bytes);
}

/* Returns whether found element i is element `index` of the input. */
static bool is_found(const struct run *run, uint64_t i, uint64_t index)
{
    const struct cls_spec *spec = &run->select.spec;
    const size_t key = spec->key_bytes, value = spec->value_bytes;
    return cls_load_index(run->data->found_values + i * value, value) == index &&
           memcmp(run->data->found_keys + i * key, run->data->keys + index * key, key) == 0;
}

/* Compares the found elements with the first k, in the order of the input. */
static bool are_found(const struct run *run, uint64_t k, bool *is_selected)
{
    uint64_t found = 0;
    memset(is_selected, 0, run->count * sizeof *is_selected);
    for (uint64_t i = 0; i < k; i++)
        is_selected[index_of(run, i)] = true;
    for (uint64_t i = 0; i < run->count; i++)
        if (is_selected[i] && !is_found(run, found++, i))
            return false;
    return true;
}

/* Compares the found elements with the parts of a partition by the k-th element. */
static bool are_partitioned(const struct run *run, uint64_t k)
{
    const struct cls_spec *spec = &run->select.spec;
    const char *keys = run->data->keys;
    const uint64_t threshold =
        cls_host_ordered_key(spec, keys + index_of(run, k - 1) * spec->key_bytes);
    uint64_t found = 0;
    for (int part = 0; part < 3; part++)
        for (uint64_t i = 0; i < run->count; i++) {
            const uint64_t key = cls_host_ordered_key(spec, keys + i * spec->key_bytes);
            const int its_part = key < threshold ? 0 : key == threshold ? 1 : 2;
            if (its_part == part && !is_found(run, found++, i))
                return false;
        }
    return true;
}

/* Compares the found elements with the expected ones. `is_selected` has space for all elements. */
static bool is_right(const struct run *run, const struct selection *selection, bool *is_selected)
{
    const uint64_t k = selection->k;
    return selection->is_nth       ? is_found(run, 0, index_of(run, k - 1))
           : selection->partitions ? are_partitioned(run, k)
                                   : are_found(run, k, is_selected);
}

static clsort_status run_selections(const struct run *run, struct cls_text *finding)
{
    /* Few elements are among the candidates of the first read; a third of them needs another. */
    const uint64_t count = run->count;
    const struct selection tests[] = {
        {.k = 33},
        {.k = count / 3 + 1},
        {.k = count / 2 + 1, .is_nth = true},
        {.k = count / 4 + 1, .partitions = true},
        {.k = count / 5 + 1, .obstacle = CLS_SELECT_BAD_BRACKET},
        {.k = count / 2 + 1, .obstacle = CLS_SELECT_FEW_BLOCKS},
    };
    bool *is_selected = malloc(run->count * sizeof *is_selected);
    clsort_status status = is_selected ? CLSORT_OK : CLSORT_E_MEMORY;
    for (size_t i = 0; i < sizeof tests / sizeof *tests && status == CLSORT_OK; i++) {
        struct selection selection = tests[i];
        selection.k = cls_min(selection.k, count);
        status = select_on_device(run, &selection);
        if (status != CL_SUCCESS || is_right(run, &selection, is_selected))
            continue;
        cls_text_add(finding, "the selection of %llu of %llu elements is wrong",
                     (unsigned long long)selection.k, (unsigned long long)count);
        status = CLSORT_E_SELF_TEST;
    }
    free(is_selected);
    return status;
}

/* Selects from random or clustered keys. */
static clsort_status run_test(struct run *run, bool clusters, struct cls_text *finding)
{
    const struct cls_test_pattern pattern = {.clusters = clusters};
    struct cls_spec pairs = run->select.spec;
    struct cls_test_data data;
    pairs.operation = CLSORT_ARGSORT; /* the expected values are the permutation */
    clsort_status status = cls_test_data_create(&pairs, run->count, &pattern, &data);
    char *keys = malloc((size_t)run->bound * pairs.key_bytes);
    run->data = &data;
    if (status == CLSORT_OK)
        status = keys ? create_buffers(run, keys) : CLSORT_E_MEMORY;
    if (status == CLSORT_OK)
        status = run_selections(run, finding);
    cls_test_buffers_release(run->buffer, BUFFERS);
    cls_test_data_destroy(&data);
    free(keys);
    return status;
}

/* -- the table --------------------------------------------------------------------------------- */

static unsigned group_size(const void *selection)
{
    return ((const struct cls_selection *)selection)->select.group_size;
}

static const struct cls_spec *spec_of(const void *selection)
{
    return &((const struct cls_selection *)selection)->select.spec;
}

static size_t describe_programs(const void *selection, struct cls_program_spec *programs)
{
    cls_select_program(&((const struct cls_selection *)selection)->select, programs);
    return 1;
}

static clsort_status compile(struct cls_device *device, const struct cls_program_spec *programs,
                             size_t count, void *selection)
{
    return cls_kernels_create(device, programs, count, NULL,
                              ((struct cls_selection *)selection)->parts.kernels);
}

static void release(void *selection)
{
    cls_kernels_release(((struct cls_selection *)selection)->parts.kernels);
}

static uint64_t test_count(const void *selection)
{
    return cls_min(COUNT, ((const struct cls_selection *)selection)->parts.max_count);
}

static clsort_status test(const struct cls_device *device, cl_command_queue queue, const void *plan,
                          int round, struct cls_text *finding)
{
    const struct cls_selection *selection = plan;
    struct run run = {.device = device,
                      .kernels = selection->parts.kernels,
                      .select = selection->select,
                      .count = test_count(selection),
                      .queue = queue};
    run.bound = run.count;
    if (run.select.spec.count_bytes > 0)
        run.count -= run.count / 4;
    run.select.spec.begin_bit = 0;
    run.select.spec.end_bit = 8 * run.select.spec.key_bytes;
    return run_test(&run, round > 0, finding);
}

const struct cls_tested cls_selection_tested = {.name = "selection",
                                                .version = SELECTION_TEST_VERSION,
                                                .choose = cls_selection_choose,
                                                .group_size = group_size,
                                                .spec = spec_of,
                                                .programs = describe_programs,
                                                .compile = compile,
                                                .release = release,
                                                .test_count = test_count,
                                                .test = test};
