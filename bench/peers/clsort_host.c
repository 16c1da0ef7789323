/* clsort_host.c - clsort itself on host arrays, by clsort_host and clsort_group_host */
#include "clsort_adapter.h"

#include <stdlib.h>
#include <string.h>

/* -- with kept memory -------------------------------------------------------------------------- */

struct host_state {
    clsort_desc desc;
    clsort_engine *engine, *own_engine; /* the second is NULL, or the same */
};

static bool host_open(const struct job *job, const char *algorithm, void **state)
{
    struct host_state *self = calloc(1, sizeof *self);
    *state = self;
    if (self)
        *self =
            (struct host_state){clsort_peer_describe(job, algorithm), job->target->engine, NULL};
    return clsort_peer_check(job, "set-up", self ? CLSORT_OK : CL_OUT_OF_HOST_MEMORY);
}

static void host_close(void *state)
{
    struct host_state *self = state;
    clsort_engine_destroy(self->own_engine);
    free(self);
}

static bool host_algorithm(const struct job *job, void *state, size_t size, char *name)
{
    const struct host_state *self = state;
    return clsort_peer_keep_first_word(
        job, clsort_host_describe(self->engine, &self->desc, job->count, size, name, NULL), name);
}

/* The sort is in place, in the arrays of the result. */
static bool host_prepare(const struct job *job, void *state)
{
    (void)state;
    memcpy(job->keys_out, job->keys, job->count * job->spec.type->size);
    if (job->spec.value_size)
        memcpy(job->values_out, job->values, job->count * job->spec.value_size);
    return true;
}

static bool host_sort(const struct job *job, void *state)
{
    const struct host_state *self = state;
    return clsort_peer_check(
        job, "sort",
        clsort_host(self->engine, NULL, &self->desc, job->count, job->keys_out, job->values_out));
}

static bool host_finish(const struct job *job, void *state)
{
    (void)job;
    (void)state;
    return true;
}

const struct peer peer_clsort_host = {
    .name = "clsort_host",
    .stable = true,
    .open = host_open,
    .close = host_close,
    .algorithm = host_algorithm,
    .prepare = host_prepare,
    .sort = host_sort,
    .finish = host_finish,
};

/* -- without kept memory ----------------------------------------------------------------------- */

/* Has an engine of its own, so that the memory of the other one stays. */
static bool fresh_open(const struct job *job, const char *algorithm, void **state)
{
    if (!host_open(job, algorithm, state))
        return false;
    struct host_state *self = *state;
    const clsort_status status =
        clsort_engine_create(job->target->context, job->target->device, NULL, &self->own_engine);
    self->engine = self->own_engine;
    return clsort_peer_check(job, "set-up", status);
}

/* Each run finds no memory that the engine has kept. */
static bool fresh_prepare(const struct job *job, void *state)
{
    const struct host_state *self = state;
    return host_prepare(job, state) &&
           clsort_peer_check(job, "trim", clsort_engine_trim(self->engine, 0));
}

const struct peer peer_clsort_host_fresh = {
    .name = "clsort_host-fresh",
    .stable = true,
    .open = fresh_open,
    .close = host_close,
    .algorithm = host_algorithm,
    .prepare = fresh_prepare,
    .sort = host_sort,
    .finish = host_finish,
};

/* -- on a group of devices --------------------------------------------------------------------- */

static bool group_sort(const struct job *job, void *state)
{
    const struct host_state *self = state;
    return clsort_peer_check(job, "sort",
                             clsort_group_host(job->target->group, &self->desc, job->count,
                                               job->keys_out, job->values_out));
}

const struct peer peer_clsort_group = {
    .name = "clsort_group_host",
    .runs_on = "group",
    .stable = true,
    .open = host_open,
    .close = host_close,
    .prepare = host_prepare,
    .sort = group_sort,
    .finish = host_finish,
};
