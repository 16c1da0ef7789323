/* verify_neighbours.c - verification of operations that compare neighbouring keys */
#include "verify_neighbours.h"

#include <string.h>

/* Keys are equal in total order if their bits are. */
const char *verify_unique(const struct job *job)
{
    const size_t key = job->spec.type->size;
    size_t runs = 0;
    for (size_t i = 0; i < job->count; i++) {
        if (i > 0 &&
            memcmp(job_key_at(job, job->keys, i - 1), job_key_at(job, job->keys, i), key) == 0)
            continue;
        if (memcmp(job_key_at(job, job->keys_out, runs), job_key_at(job, job->keys, i), key) != 0)
            return "a key is not the first one of its run";
        runs++;
    }
    return *job->number == runs ? NULL : "the number of runs is wrong";
}

const char *verify_check(const struct job *job)
{
    return *job->number == data_disorder(job->spec.type, 0, job->keys, job->count)
               ? NULL
               : "the index is wrong";
}
