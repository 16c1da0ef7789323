/* verify.c - is a result the sorted input? */
#include "verify.h"

#include "order.h"

#include <string.h>

static uint64_t pair_sum(const struct shape *shape, const unsigned char *key,
                         const unsigned char *value)
{
    uint64_t sum = data_checksum(key, shape->type->size, 1);
    for (size_t at = 0; at < shape->value_size; at += sizeof sum) {
        size_t left = shape->value_size - at;
        uint64_t word = 0;
        memcpy(&word, value + at, left < sizeof word ? left : sizeof word);
        word ^= sum;
        sum = data_checksum(&word, sizeof word, 1);
    }
    return sum;
}

uint64_t verify_sum(const struct job *job, const void *keys, const void *values)
{
    const struct shape *shape = &job->shape;
    if (shape->value_size == 0)
        return data_checksum(keys, shape->type->size, job->count);

    const unsigned char *key = keys, *value = values;
    uint64_t sum = 0;
    for (size_t i = 0; i < job->count; i++)
        sum += pair_sum(shape, key + i * shape->type->size, value + i * shape->value_size);
    return sum;
}

/* Keys that are equal are equal bit for bit: they are in total order. */
static bool is_stable(const struct job *job)
{
    size_t key_size = job->shape.type->size, value_size = job->shape.value_size;
    const unsigned char *key = job->keys_out, *value = job->values_out;
    for (size_t i = 1; i < job->count; i++, key += key_size, value += value_size)
        if (memcmp(key, key + key_size, key_size) == 0 &&
            job_value_index(job, value) >= job_value_index(job, value + value_size))
            return false;
    return true;
}

/* The index of the first key that is out of order with the one before it, or count when none is. */
static size_t disorder(const struct job *job)
{
    const uint64_t *keys = job->keys_out;
    if (!job->shape.custom || job->shape.type->key != CLSORT_U64)
        return data_disorder(job->shape.type, false, job->keys_out, job->count);
    for (size_t i = 1; i < job->count; i++)
        if (order_of_halves(keys[i - 1]) > order_of_halves(keys[i]))
            return i;
    return job->count;
}

const char *verify_result(const struct job *job, uint64_t sum, bool stable)
{
    if (disorder(job) != job->count)
        return "the keys are out of order";
    if (verify_sum(job, job->keys_out, job->values_out) != sum)
        return "the elements are not those of the input";
    if (stable && job->shape.value_size && job_has_indices(job) && !is_stable(job))
        return "elements with equal keys have changed places";
    return NULL;
}
