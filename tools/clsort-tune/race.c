/* race.c - how long each algorithm takes for each size of one kind of sort */
#include "race.h"

#include "data.h"
#include "say.h"
#include "stable.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum {
    MIN_ROUNDS = 3, /* of each size */
    MAX_ROUNDS = 25,
    ENOUGH_POWER = 22,
    MANY = 1 << 16 /* from here on, who is far behind is left behind */
};

static const double ENOUGH_S = 0.1; /* of rounds */
static const double FAR_BEHIND = 8;

/* Arrays for all sizes, filled once, and a plan for each runner. */
struct track {
    const struct device *device;
    const struct race_kind *kind;
    const struct data_type *type;
    cl_command_queue queue;
    unsigned most_power;
    cl_mem keys, values, keys_out, values_out;
    void *host;
    clsort_plan *plan[RACE_RUNNERS];
    size_t max[RACE_RUNNERS]; /* elements that the plan serves */
    cl_mem scratch;           /* for every plan */
};

double race_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* -- set-up -------------------------------------------------------------------------------------- */

/* The arrays with their scratch take no more than an eighth of the device's memory. */
static unsigned find_most_power(const struct device *device, size_t element)
{
    cl_ulong memory = 0, largest = 0;
    unsigned power = RACE_MAX;
    clGetDeviceInfo(device->id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL);
    clGetDeviceInfo(device->id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest, NULL);
    while (power > RACE_LEAST &&
           (element << power > memory / 8 / 3 || (element << power) + (32 << 20) > largest))
        power--;
    return power;
}

/* None for size 0. */
static cl_mem make_buffer(const struct track *track, size_t size, void *data, cl_int *status)
{
    if (*status != CL_SUCCESS || size == 0)
        return NULL;
    const cl_mem_flags flags = CL_MEM_READ_WRITE | (data ? CL_MEM_COPY_HOST_PTR : 0);
    return clCreateBuffer(track->device->context, flags, size, data, status);
}

static clsort_status open_arrays(struct track *track)
{
    const size_t n = (size_t)1 << track->most_power, value_size = track->kind->value_size;
    cl_int status;
    track->host = malloc(n * track->type->size);
    if (!track->host)
        return CLSORT_E_MEMORY;
    if (!data_fill(track->type, DATA_UNIFORM, 1, track->host, n))
        return CLSORT_E_ARGUMENT;
    track->queue = clCreateCommandQueue(track->device->context, track->device->id, 0, &status);
    track->keys = make_buffer(track, n * track->type->size, track->host, &status);
    track->keys_out = make_buffer(track, n * track->type->size, NULL, &status);
    track->values = make_buffer(track, n * value_size, NULL, &status);
    track->values_out = make_buffer(track, n * value_size, NULL, &status);
    return status;
}

/* A plan for as many elements as the algorithm can sort. */
static clsort_status open_plan(struct track *track, const char *algorithm, size_t runner)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    clsort_status status;
    desc.key = track->kind->key;
    desc.value_size = track->kind->value_size;
    desc.algorithm = algorithm;
    desc.max_count = (size_t)1 << track->most_power;
    do {
        track->max[runner] = desc.max_count;
        status = clsort_plan_create(track->device->engine, &desc, &track->plan[runner]);
    } while (status == CLSORT_E_UNSUPPORTED && (desc.max_count /= 2) > 0);
    return status;
}

/* Compiles what was not compiled before, until the deadline. */
static clsort_status open_plans(struct track *track, double deadline, struct race *race)
{
    size_t most_bytes = 0;
    const char *name;
    for (size_t i = 0;
         (name = clsort_algorithm_name(i)) && race->runners < RACE_RUNNERS && race_now() < deadline;
         i++) {
        size_t bytes = 0;
        /* Of unstable pairs there is no kind. */
        if ((track->kind->value_size > 0 && !stable_by_name(name)) ||
            open_plan(track, name, race->runners) != CLSORT_OK)
            continue;
        const clsort_status status =
            clsort_scratch_size(track->plan[race->runners], track->max[race->runners], &bytes);
        race->algorithm[race->runners++] = name;
        if (status != CLSORT_OK)
            return status;
        most_bytes = bytes > most_bytes ? bytes : most_bytes;
    }
    cl_int status = race->runners == 0 && race_now() < deadline ? CLSORT_E_UNSUPPORTED : CLSORT_OK;
    track->scratch = make_buffer(track, most_bytes, NULL, &status);
    return status;
}

static void close_track(struct track *track)
{
    const cl_mem buffers[] = {track->keys, track->values, track->keys_out, track->values_out,
                              track->scratch};
    for (size_t i = 0; i < RACE_RUNNERS; i++)
        clsort_plan_destroy(track->plan[i]);
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        if (buffers[i])
            clReleaseMemObject(buffers[i]);
    if (track->queue)
        clReleaseCommandQueue(track->queue);
    free(track->host);
}

/* -- races --------------------------------------------------------------------------------------- */

static clsort_status sort(struct track *track, size_t runner, size_t count, double *seconds)
{
    clsort_io io = CLSORT_IO_INIT;
    io.count = count;
    io.keys.mem = track->keys;
    io.values.mem = track->values;
    io.keys_out.mem = track->keys_out;
    io.values_out.mem = track->values_out;
    io.scratch.mem = track->scratch;
    const double start = race_now();
    clsort_status status = clsort_enqueue(track->plan[runner], track->queue, &io, 0, NULL, NULL);
    if (status == CLSORT_OK)
        status = clFinish(track->queue);
    *seconds = race_now() - start;
    return status;
}

/* The first sort of a size, which counts for nothing but has to be right. */
static clsort_status warm_up(struct track *track, size_t runner, size_t count)
{
    double seconds;
    clsort_status status = sort(track, runner, count, &seconds);
    if (status == CLSORT_OK && count <= MANY)
        status = clEnqueueReadBuffer(track->queue, track->keys_out, CL_TRUE, 0,
                                     count * track->type->size, track->host, 0, NULL, NULL);
    if (status == CLSORT_OK && count <= MANY &&
        data_disorder(track->type, 0, track->host, count) < count)
        status = CLSORT_E_SELF_TEST;
    return status;
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The runners whose seconds are 0 take turns, and their medians become their seconds. Who fails is out; the status
 * is that of the last who did. */
static clsort_status run_size(struct track *track, size_t runners, size_t count, double *seconds)
{
    double times[RACE_RUNNERS][MAX_ROUNDS];
    clsort_status failure = CLSORT_OK;
    size_t rounds = 0;
    for (size_t i = 0; i < runners; i++) {
        const clsort_status status = seconds[i] == 0 ? warm_up(track, i, count) : CLSORT_OK;
        if (status != CLSORT_OK) {
            failure = status;
            seconds[i] = HUGE_VAL;
        }
    }
    const double start = race_now();
    while (rounds < MAX_ROUNDS && (rounds < MIN_ROUNDS || race_now() - start < ENOUGH_S)) {
        for (size_t i = 0; i < runners; i++) {
            const clsort_status status =
                seconds[i] == 0 ? sort(track, i, count, &times[i][rounds]) : CLSORT_OK;
            if (status != CLSORT_OK) {
                failure = status;
                seconds[i] = HUGE_VAL;
            }
        }
        rounds++;
    }
    for (size_t i = 0; i < runners; i++)
        if (seconds[i] == 0) {
            qsort(times[i], rounds, sizeof times[i][0], compare_doubles);
            seconds[i] = times[i][rounds / 2];
        }
    return failure;
}

static double fastest(const double *seconds, size_t runners)
{
    double least = HUGE_VAL;
    for (size_t i = 0; i < runners; i++)
        least = seconds[i] < least ? seconds[i] : least;
    return least;
}

/* Marks with 0 who takes part. Returns how many do. */
static size_t line_up(const struct track *track, struct race *race, size_t count)
{
    double *seconds = race->seconds[race->sizes];
    const double *before = race->sizes > 0 ? race->seconds[race->sizes - 1] : NULL;
    const double limit =
        before && count > MANY ? FAR_BEHIND * fastest(before, race->runners) : HUGE_VAL;
    size_t parts = 0;
    for (size_t i = 0; i < race->runners; i++) {
        const bool can = count <= track->max[i] && !(before && before[i] > limit);
        seconds[i] = can ? 0 : HUGE_VAL;
        parts += can;
    }
    return parts;
}

static clsort_status run_sizes(struct track *track, double deadline,
                               void (*progress)(const struct race_kind *kind, unsigned power),
                               struct race *race)
{
    double lap = 0;
    for (unsigned power = RACE_LEAST; power <= track->most_power; power++) {
        const double start = race_now();
        const size_t count = (size_t)1 << power;
        /* The next size takes at most a little more than twice as long. */
        if (start + 2 * lap >= deadline || line_up(track, race, count) == 0)
            break;
        progress(race->kind, power);
        double *seconds = race->seconds[race->sizes];
        const clsort_status status = run_size(track, race->runners, count, seconds);
        if (isinf(fastest(seconds, race->runners)))
            return status;
        race->sizes++;
        race->is_enough = power >= ENOUGH_POWER || power == track->most_power;
        lap = race_now() - start;
    }
    return CLSORT_OK;
}

bool race_run(const struct device *device, const struct race_kind *kind, double deadline,
              void (*progress)(const struct race_kind *kind, unsigned power), struct race *race)
{
    struct track track = {.device = device, .kind = kind, .type = data_type_of(kind->key)};
    *race = (struct race){.kind = kind};
    if (race_now() >= deadline)
        return true;
    track.most_power = find_most_power(device, track.type->size + kind->value_size);
    clsort_status status = open_arrays(&track);
    if (status == CLSORT_OK)
        status = open_plans(&track, deadline, race);
    if (status == CLSORT_OK)
        status = run_sizes(&track, deadline, progress, race);
    close_track(&track);
    if (status != CLSORT_OK)
        say_trouble(kind->name, "%s", clsort_status_string(status));
    return status == CLSORT_OK;
}
