/* job.h - the sort of a contest: its sort spec, its input, and memory for the result */
#ifndef CLSORT_BENCH_JOB_H
#define CLSORT_BENCH_JOB_H

#include "data.h"
#include "target.h"

/* What is sorted. */
struct spec {
    const struct data_type *type;
    size_t value_size; /* in bytes; 0: no values */
    bool custom;       /* the custom order of order.h */
    bool unstable;     /* clsort may change the order of equal keys */
};

struct job {
    struct spec spec;
    size_t count;
    const struct target *target;
    void *keys, *values;         /* the input, constant after job_create; values may be NULL */
    void *keys_out, *values_out; /* the result of the last sort */
    void *records;    /* memory for pairs as an array of structs (host_array.h), or NULL */
    size_t batch;     /* number of sorts per run, for peers that enqueue; at least 1 */
    bool device_time; /* also measure by the clock of the device */
};

/* Creates a job and generates its input. The batch is 1, without device time; the caller may change
 * both. Values contain the index of their key (job_value_index). Prints an error and returns false
 * on failure. */
bool job_create(const struct spec *spec, enum data_dist dist, size_t count,
                const struct target *target, struct job *job);

void job_destroy(struct job *job);

/* Returns whether values are wide enough to contain the index of their key. */
bool job_has_indices(const struct job *job);

/* Returns the index that a value contains. */
uint64_t job_value_index(const struct job *job, const void *value);

#endif
