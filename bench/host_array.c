/* host_array.c - the array that host peers sort in place */
#include "host_array.h"

#include <string.h>

size_t host_array_record_size(const struct spec *spec)
{
    size_t value = spec->value_size;
    bool fits = value == 1 || value == 2 || value == 4 || value == 8 || value == 16;
    return fits ? RECORD_SIZE(spec->type->size, value) : 0;
}

void *host_array(const struct job *job)
{
    return job->records ? job->records : job->keys_out;
}

const char *host_array_unsupported(const struct spec *spec)
{
    if (spec->op == OP_STRINGS && spec->type->size != ROWS_STRING_BYTES)
        return "it is built for strings of 16 bytes";
    if (spec->value_size == 0 || host_array_record_size(spec))
        return NULL;
    return "on the host, it supports values of 1, 2, 4, 8 or 16 bytes only";
}

bool host_array_prepare(const struct job *job, void *state)
{
    (void)state;
    size_t key = job->spec.type->size, value = job->spec.value_size;
    if (!job->records) {
        memcpy(job->keys_out, job->keys, job->count * key);
        return true;
    }
    const unsigned char *keys = job->keys, *values = job->values;
    unsigned char *record = job->records;
    for (size_t i = 0; i < job->count; i++, record += RECORD_SIZE(key, value)) {
        memcpy(record, keys + i * key, key);
        memcpy(record + RECORD_VALUE_OFFSET(key, value), values + i * value, value);
    }
    return true;
}

bool host_array_finish(const struct job *job, void *state)
{
    (void)state;
    if (!job->records)
        return true;
    size_t key = job->spec.type->size, value = job->spec.value_size;
    unsigned char *keys = job->keys_out, *values = job->values_out;
    const unsigned char *record = job->records;
    for (size_t i = 0; i < job->count; i++, record += RECORD_SIZE(key, value)) {
        memcpy(keys + i * key, record, key);
        memcpy(values + i * value, record + RECORD_VALUE_OFFSET(key, value), value);
    }
    return true;
}
