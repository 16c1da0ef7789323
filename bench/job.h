/* job.h - the one sort that all contestants do: its shape, its input and room for the result */
#ifndef CLSORT_BENCH_JOB_H
#define CLSORT_BENCH_JOB_H

#include "data.h"
#include "target.h"

struct shape {
    const struct data_type *type;
    size_t value_size; /* bytes; 0: keys alone */
    bool custom;       /* clsort compares by a custom order; see order.h */
    bool unstable;     /* clsort may let equal keys change places */
};

struct job {
    struct shape shape;
    size_t count;
    const struct target *target;
    void *keys, *values;         /* the input, never written after job_create; values may be NULL */
    void *keys_out, *values_out; /* the result of whoever sorted last */
    void *records;               /* host_array.h: room for pairs as an array of structs, or NULL */
    size_t batch;     /* sorts of a run, of those who can enqueue them in a row; 1 or more */
    bool device_time; /* whether runs are timed by the device's clock too */
};

/* Makes a job with an input of the distribution, for runs of one sort, not timed by the device. Values carry the index
 * of their key, see job_value_index. On failure says why and returns false. */
bool job_create(const struct shape *shape, enum data_dist dist, size_t count,
                const struct target *target, struct job *job);

void job_destroy(struct job *job);

/* Whether values are wide enough to carry every index, and the index that such a value carries. */
bool job_has_indices(const struct job *job);
uint64_t job_value_index(const struct job *job, const void *value);

#endif
