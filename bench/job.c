/* job.c - the one sort that all contestants do: its shape, its input and room for the result */
#include "job.h"

#include "host_array.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>

#define SEED 1

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The first word of a value is the index of its key; each further word differs, so that a value put
 * together from two others is noticed. */
static void fill_values(const struct job *job)
{
    size_t size = job->shape.value_size;
    unsigned char *value = job->values;
    for (size_t i = 0; i < job->count; i++, value += size) {
        uint64_t word = i;
        for (size_t at = 0; at < size; at += sizeof word) {
            memcpy(value + at, &word, smaller(sizeof word, size - at));
            word += UINT64_C(0x9e3779b97f4a7c15);
        }
    }
}

/* NULL is right for size 0 and means trouble for any other. */
static bool allocate(size_t count, size_t size, void **memory)
{
    *memory = size ? calloc(count, size) : NULL;
    return *memory || size == 0;
}

bool job_create(const struct shape *shape, enum data_dist dist, size_t count,
                const struct target *target, struct job *job)
{
    *job = (struct job){.shape = *shape, .count = count, .target = target};
    size_t key_size = shape->type->size, value_size = shape->value_size;
    if (!allocate(count, key_size, &job->keys) || !allocate(count, key_size, &job->keys_out) ||
        !allocate(count, value_size, &job->values) ||
        !allocate(count, value_size, &job->values_out) ||
        !allocate(count, host_array_record_size(shape), &job->records) ||
        !data_fill(shape->type, dist, SEED, job->keys, count)) {
        warnx("n = %zu: out of memory", count);
        job_destroy(job);
        return false;
    }
    fill_values(job);
    return true;
}

void job_destroy(struct job *job)
{
    free(job->keys);
    free(job->values);
    free(job->keys_out);
    free(job->values_out);
    free(job->records);
}

bool job_has_indices(const struct job *job)
{
    size_t size = job->shape.value_size;
    return size >= sizeof(uint64_t) || (job->count - 1) >> (8 * size) == 0;
}

uint64_t job_value_index(const struct job *job, const void *value)
{
    uint64_t index = 0;
    memcpy(&index, value, smaller(sizeof index, job->shape.value_size));
    return index;
}
