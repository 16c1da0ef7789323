/* job.h - the operation of a contest: its spec, its input, and memory for the result */
#ifndef CLSORT_BENCH_JOB_H
#define CLSORT_BENCH_JOB_H

#include "offsets.h"
#include "operation.h"
#include "rows.h"
#include "target.h"

/* What is sorted, merged, gathered or selected. */
struct spec {
    enum operation op;
    const struct data_type *type;  /* if there are rows: that of their layout */
    const struct row_layout *rows; /* NULL: the elements are keys of the type */
    size_t value_size; /* in bytes, of a value or of an index that clsort makes; 0: no values */
    bool unstable;     /* clsort may change the order of equal keys */
    bool no_scratch;   /* clsort must not use memory besides its arrays */
    bool input_order;  /* OP_TOP: the result remains in the order of the input */
    bool no_indexes;   /* selections: the result has no indexes */
    bool has_k;        /* otherwise k is at most 100 for OP_TOP, and half of the count for OP_NTH */
    size_t k;          /* selections */
    enum segments_dist segments; /* OP_SEGMENTS, like segment_length, the mean of the lengths */
    size_t segment_length;
    size_t
        count_share; /* a count in device memory is this percentage of its maximum; 0: there is none */
};

struct job {
    struct spec spec;
    size_t count; /* of elements of the input, in merges of both inputs */
    size_t
        second_count; /* merges: of these, in the second input, which follows the first; else 0 */
    size_t k;         /* selections */
    size_t segment_count;
    size_t
        device_count;  /* of elements, for the contestant that reads it from device memory; or 0 */
    uint64_t *offsets; /* segment_count + 1 of them, or NULL */
    size_t result_count; /* of elements of the result: the count, except for selections */
    const struct target *target;
    void *keys, *values;         /* the input, constant after job_create; values may be NULL */
    void *keys_out, *values_out; /* the result of the last sort */
    uint64_t *number;            /* of the result: the number of its keys, or an index */
    void *records;    /* memory for pairs as an array of structs (host_array.h), or NULL */
    size_t batch;     /* number of sorts per run, for peers that enqueue; at least 1 */
    bool device_time; /* also measure by the clock of the device */
};

/* Numbers of elements. */
struct job_size {
    size_t first;
    size_t second; /* in the second input of a merge; else 0 */
};

/* Creates a job and generates its input. The keys of both inputs of a merge together have the
 * distribution; the inputs are then sorted (sorted_inputs.h). The batch is 1, without device time;
 * the caller may change both. Values contain the index of their key (job_value_index). The indexes
 * of a gather are a random permutation. Prints an error and returns false on failure. */
bool job_create(const struct spec *spec, enum data_dist dist, struct job_size size,
                const struct target *target, struct job *job);

void job_destroy(struct job *job);

/* Returns the number of elements of the first input, or of the only one. */
static inline size_t job_first_count(const struct job *job)
{
    return job->count - job->second_count;
}

/* Return the address of a key and of a value of an array of the job. */
static inline const void *job_key_at(const struct job *job, const void *keys, size_t index)
{
    return (const unsigned char *)keys + index * job->spec.type->size;
}

static inline const void *job_value_at(const struct job *job, const void *values, size_t index)
{
    return (const unsigned char *)values + index * job->spec.value_size;
}

/* Returns whether values are wide enough to contain the index of their key. */
bool job_has_indices(const struct job *job);

/* Returns the index that a value contains. */
uint64_t job_value_index(const struct job *job, const void *value);

#endif
