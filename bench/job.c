/* job.c - the operation of a contest: its spec, its input, and memory for the result */
#include "job.h"

#include "host_array.h"
#include "parallel.h"
#include "sorted_inputs.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>

#define SEED 1

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Returns this percentage of the count. */
static size_t share_of(size_t count, size_t percent)
{
    return count / 100 * percent + count % 100 * percent / 100;
}

/* The first word of a value is the index of its key. */
static void fill_values(const struct job *job, size_t first, size_t count)
{
    size_t size = job->spec.value_size;
    unsigned char *value = (unsigned char *)job->values + first * size;
    for (size_t i = first; i < first + count; i++, value += size)
        rows_fill_payload(i, value, size);
}

struct fill_task {
    const struct job *job;
    enum data_dist dist;
};

static void fill(void *context, size_t first, size_t count)
{
    const struct fill_task *task = context;
    const struct job *job = task->job;
    const struct data_type *type = job->spec.type;
    unsigned char *keys = (unsigned char *)job->keys + first * type->size;
    if (job->spec.rows)
        rows_fill(job->spec.rows, task->dist, SEED, job->count, first, keys, count);
    else
        data_fill_part(type, task->dist, SEED, job->count, first, keys, count);
    if (job->values)
        fill_values(job, first, count);
}

/* Allocates an array. If size is 0, *memory becomes NULL, which is no error. */
static bool allocate(size_t count, size_t size, void **memory)
{
    *memory = size ? calloc(count, size) : NULL;
    return *memory || size == 0;
}

/* Replaces random keys by a random permutation of the numbers below count: the shuffle of Fisher and
 * Yates from the inside out, which reads each random number before it is overwritten. */
#define SHUFFLE(type)                                                                              \
    static void shuffle_##type(type *keys, size_t count)                                           \
    {                                                                                              \
        for (size_t i = 0; i < count; i++) {                                                       \
            const size_t other = (size_t)(keys[i] % ((uint64_t)i + 1));                            \
            keys[i] = keys[other];                                                                 \
            keys[other] = (type)i;                                                                 \
        }                                                                                          \
    }

SHUFFLE(uint32_t)
SHUFFLE(uint64_t)

/* Generates keys or indexes, and values. */
static void fill_input(const struct job *job, enum data_dist dist)
{
    struct fill_task task = {job, dist};
    parallel_parts(job->count, fill, &task);
    if (operation_of(job->spec.op)->has_keys)
        return;
    if (job->spec.type->size == sizeof(uint32_t))
        shuffle_uint32_t(job->keys, job->count);
    else
        shuffle_uint64_t(job->keys, job->count);
}

static size_t choose_k(const struct spec *spec, size_t count)
{
    const size_t default_top = 100;
    return spec->has_k ? spec->k : spec->op == OP_TOP ? smaller(default_top, count) : count / 2;
}

static bool allocate_arrays(struct job *job)
{
    const struct spec *spec = &job->spec;
    const struct operation_info *operation = operation_of(spec->op);
    const size_t key_size = spec->type->size, value_size = spec->value_size;
    const bool has_pairs = operation->has_keys && !operation->selects && !operation->has_rows;
    return allocate(job->count, key_size, &job->keys) &&
           allocate(job->result_count, key_size, &job->keys_out) &&
           allocate(job->count, operation->selects ? 0 : value_size, &job->values) &&
           allocate(job->result_count, value_size, &job->values_out) &&
           (job->number = calloc(1, sizeof *job->number)) &&
           allocate(job->count, has_pairs ? host_array_record_size(spec) : 0, &job->records);
}

bool job_create(const struct spec *spec, enum data_dist dist, struct job_size size,
                const struct target *target, struct job *job)
{
    const size_t count = size.first + size.second;
    *job = (struct job){.spec = *spec,
                        .count = count,
                        .second_count = size.second,
                        .result_count = count,
                        .target = target,
                        .batch = 1};
    if (spec->count_share > 0)
        job->device_count = larger(share_of(count, spec->count_share), 1);
    if (operation_of(spec->op)->selects) {
        job->k = choose_k(spec, count);
        job->result_count = spec->op == OP_TOP ? job->k : 1;
    }
    if (operation_of(spec->op)->has_segments)
        job->offsets =
            segments_make(spec->segments, spec->segment_length, 0, count, &job->segment_count);
    if (count < size.first || !allocate_arrays(job) ||
        (operation_of(spec->op)->has_segments && !job->offsets)) {
        warnx("n = %zu: out of memory", count);
        job_destroy(job);
        return false;
    }
    fill_input(job, dist);
    if (!operation_of(spec->op)->is_sorted || sorted_inputs_make(job))
        return true;
    job_destroy(job);
    return false;
}

void job_destroy(struct job *job)
{
    free(job->keys);
    free(job->values);
    free(job->keys_out);
    free(job->values_out);
    free(job->number);
    free(job->records);
    free(job->offsets);
}

bool job_has_indices(const struct job *job)
{
    size_t size = job->spec.value_size;
    return size >= sizeof(uint64_t) || (job->count - 1) >> (8 * size) == 0;
}

uint64_t job_value_index(const struct job *job, const void *value)
{
    uint64_t index = 0;
    memcpy(&index, value, smaller(sizeof index, job->spec.value_size));
    return index;
}
