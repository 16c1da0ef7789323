/* measure.c - the time of each algorithm at each count, for one kind of sort */
#include "measure.h"

#include "clock.h"
#include "data.h"
#include "number.h"
#include "print.h"
#include "stable.h"

#include <math.h>
#include <stdlib.h>

enum {
    MIN_ROUNDS = 3, /* per count */
    MAX_ROUNDS = 25,
    SUFFICIENT_POWER = 22, /* from this count on, the fastest algorithm rarely changes */
    SMALL_COUNT = 1 << 16  /* up to this count, results are verified and slow algorithms are kept */
};

static const double ROUNDS_S = 0.1;   /* time for the rounds of a count, beyond MIN_ROUNDS */
static const double MAX_SLOWDOWN = 8; /* slower algorithms are not measured with larger counts */

/* The arrays, which serve all counts, and a plan for each algorithm. */
struct set_up {
    const struct device *device;
    const struct sort_kind *kind;
    const struct data_type *type;
    cl_command_queue queue;
    unsigned max_power;
    cl_mem keys, values, keys_out, values_out;
    void *host;
    clsort_plan *plans[MAX_ALGORITHMS];
    size_t max_counts[MAX_ALGORITHMS]; /* of the plans */
    cl_mem scratch;                    /* large enough for every plan */
};

/* -- set-up ------------------------------------------------------------------------------------ */

/* Returns log2 of the maximum count: the arrays and their scratch take at most an eighth of the
 * device's memory, and each fits in one buffer. */
static unsigned find_max_power(const struct device *device, size_t element)
{
    cl_ulong memory = 0, largest = 0;
    unsigned power = MAX_POWER;
    clGetDeviceInfo(device->id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL);
    clGetDeviceInfo(device->id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest, NULL);
    /* The library has the same limit, for tests. */
    const char *text = getenv("CLSORT_MAX_ALLOC");
    uint64_t limit;
    if (text && number_parse(text, &limit) && limit < largest)
        largest = limit;
    while (power > MIN_POWER &&
           (element << power > memory / 8 / 3 || (element << power) + (32 << 20) > largest))
        power--;
    return power;
}

/* Returns NULL without an error if size is 0. */
static cl_mem make_buffer(const struct set_up *set_up, size_t size, void *data, cl_int *status)
{
    if (*status != CL_SUCCESS || size == 0)
        return NULL;
    const cl_mem_flags flags = CL_MEM_READ_WRITE | (data ? CL_MEM_COPY_HOST_PTR : 0);
    return clCreateBuffer(set_up->device->context, flags, size, data, status);
}

static clsort_status open_arrays(struct set_up *set_up)
{
    const size_t n = (size_t)1 << set_up->max_power, value_size = set_up->kind->value_size;
    cl_int status;
    set_up->host = malloc(n * set_up->type->size);
    if (!set_up->host)
        return CLSORT_E_MEMORY;
    if (!data_fill(set_up->type, DATA_UNIFORM, 1, set_up->host, n))
        return CLSORT_E_ARGUMENT;
    set_up->queue = clCreateCommandQueue(set_up->device->context, set_up->device->id, 0, &status);
    set_up->keys = make_buffer(set_up, n * set_up->type->size, set_up->host, &status);
    set_up->keys_out = make_buffer(set_up, n * set_up->type->size, NULL, &status);
    set_up->values = make_buffer(set_up, n * value_size, NULL, &status);
    set_up->values_out = make_buffer(set_up, n * value_size, NULL, &status);
    return status;
}

/* Creates a plan. If the algorithm does not support the maximum count, halves it until it does. */
static clsort_status open_plan(struct set_up *set_up, const char *name, size_t algorithm)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    clsort_status status;
    desc.key = set_up->kind->key;
    desc.value_size = set_up->kind->value_size;
    desc.algorithm = name;
    desc.max_count = (size_t)1 << set_up->max_power;
    do {
        set_up->max_counts[algorithm] = desc.max_count;
        status = clsort_plan_create(set_up->device->engine, &desc, &set_up->plans[algorithm]);
    } while (status == CLSORT_E_UNSUPPORTED && (desc.max_count /= 2) > 0);
    return status;
}

/* Creates a plan for each algorithm until the deadline, at least one. This compiles programs that
 * are not in the cache. */
static clsort_status open_plans(struct set_up *set_up, double deadline,
                                struct measurement *measurement)
{
    size_t max_bytes = 0;
    const char *name;
    for (size_t i = 0;
         (name = clsort_algorithm_name(i)) && measurement->algorithm_count < MAX_ALGORITHMS &&
         (measurement->algorithm_count == 0 || clock_now() < deadline);
         i++) {
        size_t bytes = 0;
        /* The kinds of sorts with values are stable sorts. */
        if ((set_up->kind->value_size > 0 && !stable_by_name(name)) ||
            open_plan(set_up, name, measurement->algorithm_count) != CLSORT_OK)
            continue;
        const clsort_status status =
            clsort_scratch_size(set_up->plans[measurement->algorithm_count],
                                set_up->max_counts[measurement->algorithm_count], &bytes);
        measurement->algorithms[measurement->algorithm_count++] = name;
        if (status != CLSORT_OK)
            return status;
        max_bytes = bytes > max_bytes ? bytes : max_bytes;
    }
    cl_int status = measurement->algorithm_count == 0 ? CLSORT_E_UNSUPPORTED : CLSORT_OK;
    set_up->scratch = make_buffer(set_up, max_bytes, NULL, &status);
    return status;
}

static void close_set_up(struct set_up *set_up)
{
    const cl_mem buffers[] = {set_up->keys, set_up->values, set_up->keys_out, set_up->values_out,
                              set_up->scratch};
    for (size_t i = 0; i < MAX_ALGORITHMS; i++)
        clsort_plan_destroy(set_up->plans[i]);
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        if (buffers[i])
            clReleaseMemObject(buffers[i]);
    if (set_up->queue)
        clReleaseCommandQueue(set_up->queue);
    free(set_up->host);
}

/* -- measuring --------------------------------------------------------------------------------- */

static clsort_status sort(struct set_up *set_up, size_t algorithm, size_t count, double *seconds)
{
    clsort_io io = CLSORT_IO_INIT;
    io.count = count;
    io.keys.mem = set_up->keys;
    io.values.mem = set_up->values;
    io.keys_out.mem = set_up->keys_out;
    io.values_out.mem = set_up->values_out;
    io.scratch.mem = set_up->scratch;
    const double start = clock_now();
    clsort_status status =
        clsort_enqueue(set_up->plans[algorithm], set_up->queue, &io, 0, NULL, NULL);
    if (status == CLSORT_OK)
        status = clFinish(set_up->queue);
    *seconds = clock_now() - start;
    return status;
}

/* Sorts once before the measurement and verifies the result of small counts. */
static clsort_status warm_up(struct set_up *set_up, size_t algorithm, size_t count)
{
    double seconds;
    clsort_status status = sort(set_up, algorithm, count, &seconds);
    if (status == CLSORT_OK && count <= SMALL_COUNT)
        status = clEnqueueReadBuffer(set_up->queue, set_up->keys_out, CL_TRUE, 0,
                                     count * set_up->type->size, set_up->host, 0, NULL, NULL);
    if (status == CLSORT_OK && count <= SMALL_COUNT &&
        data_disorder(set_up->type, 0, set_up->host, count) < count)
        status = CLSORT_E_SELF_TEST;
    return status;
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Measures one count. Algorithms whose seconds are 0 sort in turn; their seconds become the
 * medians, or HUGE_VAL after a failure. Returns the status of the last failure. */
static clsort_status measure_count(struct set_up *set_up, size_t algorithm_count, size_t count,
                                   double *seconds)
{
    double times[MAX_ALGORITHMS][MAX_ROUNDS];
    clsort_status failure = CLSORT_OK;
    size_t rounds = 0;
    for (size_t i = 0; i < algorithm_count; i++) {
        const clsort_status status = seconds[i] == 0 ? warm_up(set_up, i, count) : CLSORT_OK;
        if (status != CLSORT_OK) {
            failure = status;
            seconds[i] = HUGE_VAL;
        }
    }
    const double start = clock_now();
    while (rounds < MAX_ROUNDS && (rounds < MIN_ROUNDS || clock_now() - start < ROUNDS_S)) {
        for (size_t i = 0; i < algorithm_count; i++) {
            const clsort_status status =
                seconds[i] == 0 ? sort(set_up, i, count, &times[i][rounds]) : CLSORT_OK;
            if (status != CLSORT_OK) {
                failure = status;
                seconds[i] = HUGE_VAL;
            }
        }
        rounds++;
    }
    for (size_t i = 0; i < algorithm_count; i++)
        if (seconds[i] == 0) {
            qsort(times[i], rounds, sizeof times[i][0], compare_doubles);
            seconds[i] = times[i][rounds / 2];
        }
    return failure;
}

static double fastest(const double *seconds, size_t algorithm_count)
{
    double min = HUGE_VAL;
    for (size_t i = 0; i < algorithm_count; i++)
        min = seconds[i] < min ? seconds[i] : min;
    return min;
}

/* Sets the seconds of the algorithms to measure to 0, of others to HUGE_VAL. Returns the number of
 * the former. */
static size_t select_algorithms(const struct set_up *set_up, struct measurement *measurement,
                                size_t count)
{
    double *seconds = measurement->seconds[measurement->count_count];
    const double *before =
        measurement->count_count > 0 ? measurement->seconds[measurement->count_count - 1] : NULL;
    const double limit = before && count > SMALL_COUNT
                             ? MAX_SLOWDOWN * fastest(before, measurement->algorithm_count)
                             : HUGE_VAL;
    size_t selected = 0;
    for (size_t i = 0; i < measurement->algorithm_count; i++) {
        const bool is_selected = count <= set_up->max_counts[i] && !(before && before[i] > limit);
        seconds[i] = is_selected ? 0 : HUGE_VAL;
        selected += is_selected;
    }
    return selected;
}

/* Estimates the seconds that the counts not yet measured need. duration: those of the last one. */
static double estimate_counts(const struct set_up *set_up, const struct measurement *measurement,
                              double duration)
{
    double seconds = 0;
    for (unsigned power = MIN_POWER + (unsigned)measurement->count_count;
         power <= SUFFICIENT_POWER && power <= set_up->max_power; power++) {
        duration *= 2;
        seconds += duration > ROUNDS_S ? duration : ROUNDS_S;
    }
    return seconds;
}

/* Estimates the seconds that all plans need from those that the opened ones took. */
static double estimate_plans(const struct measurement *measurement, double seconds)
{
    size_t algorithms = 0;
    while (clsort_algorithm_name(algorithms))
        algorithms++;
    return seconds * (double)algorithms / (double)measurement->algorithm_count;
}

/* Sets *needed_s to the seconds that the counts of a sufficient measurement need. */
static clsort_status measure_counts(struct set_up *set_up, struct deadlines deadlines,
                                    measure_progress *progress, struct measurement *measurement,
                                    double *needed_s)
{
    const double begin = clock_now();
    double end = begin, duration = 0;
    *needed_s = 0;
    for (unsigned power = MIN_POWER; power <= set_up->max_power; power++) {
        const size_t count = (size_t)1 << power;
        const double deadline = measurement->is_sufficient ? deadlines.sufficient : deadlines.last;
        /* The next count takes little more than twice as long as this one. */
        if (end + 2 * duration >= deadline || select_algorithms(set_up, measurement, count) == 0)
            break;
        progress(measurement->kind, power);
        double *seconds = measurement->seconds[measurement->count_count];
        const clsort_status status =
            measure_count(set_up, measurement->algorithm_count, count, seconds);
        if (isinf(fastest(seconds, measurement->algorithm_count)))
            return status;
        duration = clock_now() - end;
        end += duration;
        if (!measurement->is_sufficient)
            *needed_s = end - begin;
        measurement->count_count++;
        measurement->is_sufficient = power >= SUFFICIENT_POWER || power == set_up->max_power;
    }
    if (!measurement->is_sufficient)
        *needed_s += estimate_counts(set_up, measurement, duration);
    return CLSORT_OK;
}

bool measure_kind(const struct device *device, const struct sort_kind *kind,
                  struct deadlines deadlines, measure_progress *progress,
                  struct measurement *measurement)
{
    struct set_up set_up = {.device = device, .kind = kind, .type = data_type_of(kind->key)};
    double needed_s = 0;
    *measurement = (struct measurement){.kind = kind};
    const double start = clock_now();
    if (start >= deadlines.last)
        return true;
    set_up.max_power = find_max_power(device, set_up.type->size + kind->value_size);
    clsort_status status = open_arrays(&set_up);
    if (status == CLSORT_OK)
        status = open_plans(&set_up, deadlines.last, measurement);
    const double opened_s = clock_now() - start;
    if (status == CLSORT_OK)
        status = measure_counts(&set_up, deadlines, progress, measurement, &needed_s);
    if (status == CLSORT_OK)
        measurement->needed_s =
            needed_s +
            (measurement->is_sufficient ? opened_s : estimate_plans(measurement, opened_s));
    close_set_up(&set_up);
    if (status != CLSORT_OK)
        device_print_error(kind->name, status);
    return status == CLSORT_OK;
}
