/* group_fixture.c - groups of devices for tests, and sorts whose results are compared with clsort_host */
#include "group_fixture.h"

#include "folder.h"
#include "next.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- launches that fail ---------------------------------------------------------------------------- */

static atomic_long launches_left =
    LONG_MAX; /* until one fails, and all that follow in its context */
static _Atomic(cl_context) failing;
static atomic_bool all_fail; /* in every context */
static atomic_long failures; /* launches that have failed */

cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel,
                                          cl_uint dimensions, const size_t *offset,
                                          const size_t *global, const size_t *local,
                                          cl_uint wait_count, const cl_event *wait_list,
                                          cl_event *event)
{
    cl_int(CL_API_CALL * enqueue)(cl_command_queue, cl_kernel, cl_uint, const size_t *,
                                  const size_t *, const size_t *, cl_uint, const cl_event *,
                                  cl_event *);
    cl_context context = NULL;
    next_function("clEnqueueNDRangeKernel", &enqueue);
    clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
    if (atomic_fetch_sub(&launches_left, 1) == 1)
        atomic_store(&failing, context);
    const cl_context failed = atomic_load(&failing);
    if (failed && (failed == context || atomic_load(&all_fail))) {
        atomic_fetch_add(&failures, 1);
        return CL_OUT_OF_RESOURCES;
    }
    return enqueue(queue, kernel, dimensions, offset, global, local, wait_count, wait_list, event);
}

void group_fail_after(long launches, bool all)
{
    atomic_store(&failing, NULL);
    atomic_store(&all_fail, all);
    atomic_store(&failures, 0);
    atomic_store(&launches_left, launches);
}

bool group_is_failing(void)
{
    return atomic_load(&failing) != NULL;
}

long group_failures(void)
{
    return atomic_load(&failures);
}

/* -- programs -------------------------------------------------------------------------------------- */

static pthread_t counting_thread;
static atomic_long programs, programs_of_others;

cl_program CL_API_CALL clCreateProgramWithSource(cl_context context, cl_uint count,
                                                 const char **strings, const size_t *lengths,
                                                 cl_int *status)
{
    cl_program(CL_API_CALL * create)(cl_context, cl_uint, const char **, const size_t *, cl_int *);
    next_function("clCreateProgramWithSource", &create);
    const bool is_other = !pthread_equal(pthread_self(), counting_thread);
    atomic_fetch_add(is_other ? &programs_of_others : &programs, 1);
    return create(context, count, strings, lengths, status);
}

void group_count_programs(void)
{
    counting_thread = pthread_self();
    atomic_store(&programs, 0);
    atomic_store(&programs_of_others, 0);
}

long group_programs(bool by_others)
{
    return atomic_load(by_others ? &programs_of_others : &programs);
}

/* -- groups ---------------------------------------------------------------------------------------- */

/* Divides the device into two sub-devices, if it supports that. */
static void divide(struct group_state *state)
{
    cl_uint units = 0, max_sub_devices = 0; /* 0 on rusticl, which has no clCreateSubDevices */
    clGetDeviceInfo(state->env.device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    clGetDeviceInfo(state->env.device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES, sizeof max_sub_devices,
                    &max_sub_devices, NULL);
    const cl_device_partition_property how[] = {CL_DEVICE_PARTITION_EQUALLY, units / 2, 0};
    if (units < 2 || max_sub_devices < 2 ||
        clCreateSubDevices(state->env.device, how, 2, state->halves, NULL) != CL_SUCCESS)
        state->halves[0] = state->halves[1] = NULL;
}

static clsort_group *create_group(const struct group_state *state, const cl_device_id *devices,
                                  size_t count)
{
    clsort_engine_options options = CLSORT_ENGINE_OPTIONS_INIT;
    clsort_group *group = NULL;
    options.cache_dir = state->cache; /* verdicts of one engine are those of all */
    assert_ok(clsort_group_create(devices, count, &options, &group));
    return group;
}

static void add_group(struct group_state *state, const cl_device_id *devices, size_t count)
{
    memcpy(state->members[state->count], devices, count * sizeof *devices);
    state->devices[state->count] = count;
    state->groups[state->count++] = create_group(state, devices, count);
}

clsort_group *group_of(const struct group_state *state, size_t count)
{
    cl_device_id devices[GROUP_MAX_DEVICES];
    for (size_t i = 0; i < count; i++)
        devices[i] = state->env.device;
    return create_group(state, devices, count);
}

clsort_group *group_again(const struct group_state *state, size_t g)
{
    return create_group(state, state->members[g], state->devices[g]);
}

/* Opens the environment. */
static bool begin(void **data)
{
    static struct group_state state = {.cache = "/tmp/clsort-group-XXXXXX"};
    *data = &state;
    return env_open(&state.env) == CLSORT_OK && mkdtemp(state.cache);
}

int group_set_up_all(void **data)
{
    cl_device_id devices[GROUP_MAX_DEVICES];
    char name[8] = "0";
    size_t count = 0;
    if (!begin(data))
        return -1;
    while (count < GROUP_MAX_DEVICES && clsort_find_device(name, &devices[count]) == CLSORT_OK)
        snprintf(name, sizeof name, "%zu", ++count);
    print_message("%zu devices\n", count);
    add_group(*data, devices, count);
    return 0;
}

/* Opens the environment, and lists its device several times. */
static bool begin_with(void **data, cl_device_id devices[GROUP_MAX_DEVICES])
{
    if (!begin(data))
        return false;
    struct group_state *const state = *data;
    for (size_t i = 0; i < GROUP_MAX_DEVICES; i++)
        devices[i] = state->env.device;
    return true;
}

int group_set_up_many(void **data)
{
    cl_device_id whole[GROUP_MAX_DEVICES];
    if (!begin_with(data, whole))
        return -1;
    add_group(*data, whole, GROUP_MAX_DEVICES);
    return 0;
}

int group_set_up(void **data)
{
    cl_device_id whole[GROUP_MAX_DEVICES];
    if (!begin_with(data, whole))
        return -1;
    struct group_state *const state = *data;
    divide(state);
    add_group(state, state->halves[0] ? state->halves : whole, 2);
    add_group(state, whole, 3);
    add_group(state, whole, 1);
    return 0;
}

int group_tear_down(void **data)
{
    struct group_state *state = *data;
    for (size_t i = 0; i < state->count; i++)
        clsort_group_destroy(state->groups[i]);
    for (size_t i = 0; i < 2 && state->halves[0]; i++)
        clReleaseDevice(state->halves[i]);
    folder_remove(state->cache);
    void *env = &state->env;
    return env_tear_down(&env);
}

/* -- sorts ----------------------------------------------------------------------------------------- */

struct group_arrays group_copy(const struct group_sort *sort)
{
    struct group_arrays arrays = {malloc(sort->count * sort->key_size + 1),
                                  calloc(sort->count * sort->value_size + 1, 1)};
    assert_non_null(arrays.keys);
    assert_non_null(arrays.values);
    memcpy(arrays.keys, sort->keys, sort->count * sort->key_size);
    for (size_t i = 0; i < sort->count; i++)
        reference_value(i, sort->value_size, arrays.values + i * sort->value_size);
    return arrays;
}

void group_drop(struct group_arrays arrays)
{
    free(arrays.keys);
    free(arrays.values);
}

clsort_status group_run(clsort_group *group, const struct group_sort *sort,
                        struct group_arrays arrays)
{
    return clsort_group_host(group, &sort->desc, sort->count, arrays.keys,
                             sort->value_size > 0 ? arrays.values : NULL);
}

bool group_are_equal(const struct group_sort *sort, struct group_arrays a, struct group_arrays b)
{
    return memcmp(a.keys, b.keys, sort->count * sort->key_size) == 0 &&
           memcmp(a.values, b.values, sort->count * sort->value_size) == 0;
}

struct group_arrays group_expected(const struct group_state *state, const struct group_sort *sort)
{
    const struct group_arrays arrays = group_copy(sort);
    clsort_desc desc = sort->desc;
    desc.algorithm = NULL;
    assert_ok(clsort_host(desc.key == CLSORT_CUSTOM ? state->env.engine : NULL, NULL, &desc,
                          sort->count, arrays.keys, sort->value_size > 0 ? arrays.values : NULL));
    return arrays;
}

size_t group_check_shares(clsort_group *group, size_t devices, const struct group_sort *sort)
{
    size_t sum = 0, failed = 0, sorting = 0;
    for (size_t i = 0; i < devices; i++) {
        size_t elements;
        clsort_status failure;
        assert_ok(clsort_group_share(group, i, &elements, &failure));
        sum += elements;
        sorting += elements > 0;
        failed += failure != CLSORT_OK;
    }
    if (devices > 1 && sort->count > MIN_SHARE) {
        assert_int_equal(sum, sort->count);
        assert_in_range(sorting, 1, sort->count / MIN_SHARE + 1);
    }
    return failed;
}

void group_check(const struct group_state *state, const struct group_sort *sort, const char *name)
{
    const struct group_arrays right = group_expected(state, sort);
    for (size_t i = 0; i < state->count; i++) {
        const size_t devices = state->devices[i];
        const struct group_arrays arrays = group_copy(sort);
        assert_ok(group_run(state->groups[i], sort, arrays));
        assert_int_equal(group_check_shares(state->groups[i], devices, sort), 0);
        if (!group_are_equal(sort, arrays, right))
            fail_msg("%s: %zu elements on %zu devices are wrong", name, sort->count, devices);
        group_drop(arrays);
    }
    group_drop(right);
}

/* -- keys of built-in types ------------------------------------------------------------------------ */

struct group_sort group_sort_of(const struct group_kind *kind, uint64_t seed)
{
    const struct data_type *type = data_type_of(kind->key);
    struct group_sort sort = {.desc = CLSORT_DESC_INIT,
                              .count = kind->count,
                              .key_size = type->size,
                              .value_size = kind->value_size + kind->index_size,
                              .keys = malloc(kind->count * type->size + 1)};
    assert_non_null(sort.keys);
    assert_true(data_fill(type, kind->dist, seed, sort.keys, kind->count));
    sort.desc.key = kind->key;
    sort.desc.flags = kind->flags;
    sort.desc.value_size = kind->value_size;
    if (kind->index_size > 0)
        sort.desc.operation = CLSORT_ARGSORT;
    sort.desc.index_size = kind->index_size;
    return sort;
}
