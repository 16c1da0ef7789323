/* loop.c - peer: a gather by a loop on one core */
#include "peers.h"

#include <string.h>

/* Values of size bytes. Calls with a constant size are compiled to loads and stores. */
#define GATHER(index_type)                                                                         \
    static inline void gather_##index_type(const struct job *job, size_t size)                     \
    {                                                                                              \
        const index_type *index = job->keys;                                                       \
        const unsigned char *values = job->values;                                                 \
        unsigned char *out = job->values_out;                                                      \
        for (size_t i = 0; i < job->count; i++)                                                    \
            memcpy(out + i * size, values + index[i] * size, size);                                \
    }

GATHER(uint32_t)
GATHER(uint64_t)

static inline void gather(const struct job *job, size_t size)
{
    if (job->spec.type->key == CLSORT_U32)
        gather_uint32_t(job, size);
    else
        gather_uint64_t(job, size);
}

static bool gather_values(const struct job *job, void *state)
{
    (void)state;
    switch (job->spec.value_size) {
    case 1:
        gather(job, 1);
        break;
    case 2:
        gather(job, 2);
        break;
    case 4:
        gather(job, 4);
        break;
    case 8:
        gather(job, 8);
        break;
    case 16:
        gather(job, 16);
        break;
    default:
        gather(job, job->spec.value_size);
    }
    return true;
}

/* Clears the output, so that the result of the last run cannot pass for that of this one. */
static bool prepare(const struct job *job, void *state)
{
    (void)state;
    memset(job->values_out, 0, job->count * job->spec.value_size);
    return true;
}

static bool finish(const struct job *job, void *state)
{
    (void)job;
    (void)state;
    return true;
}

const struct peer peer_loop = {
    .name = "loop",
    .runs_on = "one core",
    .operations = PEER_HAS(OP_GATHER),
    .version = "C, " __VERSION__,
    .prepare = prepare,
    .sort = gather_values,
    .finish = finish,
};
