/* clsort_host.c - clsort itself on host arrays: by clsort_host, and by clsort_enqueue in buffers that use the arrays */
#include "clsort_adapter.h"

#include <stdlib.h>
#include <string.h>

/* -- clsort_host ------------------------------------------------------------------------------- */

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

/* -- clsort_host without kept memory -------------------------------------------------------------- */

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

/* -- clsort_enqueue ------------------------------------------------------------------------------- */

struct buffers {
    clsort_plan *plan;
    clsort_io io; /* in place */
};

static void buffers_close(void *state)
{
    struct buffers *self = state;
    const cl_mem buffers[] = {self->io.keys.mem, self->io.values.mem, self->io.scratch.mem};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        if (buffers[i])
            clReleaseMemObject(buffers[i]);
    clsort_plan_destroy(self->plan);
    free(self);
}

/* Creates a buffer, in the memory of array unless that is NULL; none if size is 0. */
static clsort_status make_buffer(const struct job *job, size_t size, void *array, cl_mem *mem)
{
    clsort_status status = CLSORT_OK;
    if (size > 0)
        *mem = clCreateBuffer(job->target->context,
                              CL_MEM_READ_WRITE | (array ? CL_MEM_USE_HOST_PTR : 0), size, array,
                              &status);
    return status;
}

static clsort_status buffers_setup(const struct job *job, const char *algorithm,
                                   struct buffers *self)
{
    const clsort_desc desc = clsort_peer_describe(job, algorithm);
    size_t scratch = 0;
    self->io = (clsort_io)CLSORT_IO_INIT;
    self->io.count = job->count;
    clsort_status status = clsort_plan_create(job->target->engine, &desc, &self->plan);
    if (status == CLSORT_OK)
        status = clsort_scratch_size(self->plan, job->count, &scratch);
    if (status == CLSORT_OK)
        status = make_buffer(job, scratch, NULL, &self->io.scratch.mem);
    if (status == CLSORT_OK)
        status =
            make_buffer(job, job->count * job->spec.type->size, job->keys_out, &self->io.keys.mem);
    if (status == CLSORT_OK)
        status = make_buffer(job, job->count * job->spec.value_size, job->values_out,
                             &self->io.values.mem);
    return status;
}

static bool buffers_open(const struct job *job, const char *algorithm, void **state)
{
    *state = calloc(1, sizeof(struct buffers));
    return clsort_peer_check(
        job, "set-up", *state ? buffers_setup(job, algorithm, *state) : CL_OUT_OF_HOST_MEMORY);
}

static bool buffers_algorithm(const struct job *job, void *state, size_t size, char *name)
{
    const struct buffers *self = state;
    return clsort_peer_keep_first_word(
        job, clsort_plan_describe(self->plan, job->count, size, name, NULL), name);
}

/* Maps a buffer, copies `from` to it if that is not NULL, and unmaps it, so that the array and the
 * buffer have the same contents. */
static clsort_status map_buffer(const struct job *job, cl_mem mem, size_t element_size,
                                const void *from)
{
    const size_t size = job->count * element_size;
    clsort_status status = CLSORT_OK;
    if (!mem)
        return CLSORT_OK;
    void *mapped =
        clEnqueueMapBuffer(job->target->queue, mem, CL_TRUE, from ? CL_MAP_WRITE : CL_MAP_READ, 0,
                           size, 0, NULL, NULL, &status);
    if (status != CLSORT_OK)
        return status;
    if (from)
        memcpy(mapped, from, size);
    return clEnqueueUnmapMemObject(job->target->queue, mem, mapped, 0, NULL, NULL);
}

static bool buffers_prepare(const struct job *job, void *state)
{
    const struct buffers *self = state;
    clsort_status status = map_buffer(job, self->io.keys.mem, job->spec.type->size, job->keys);
    if (status == CLSORT_OK)
        status = map_buffer(job, self->io.values.mem, job->spec.value_size, job->values);
    if (status == CLSORT_OK)
        status = clFinish(job->target->queue);
    return clsort_peer_check(job, "writing the input", status);
}

static bool buffers_sort(const struct job *job, void *state)
{
    const struct buffers *self = state;
    clsort_status status = clsort_enqueue(self->plan, job->target->queue, &self->io, 0, NULL, NULL);
    if (status == CLSORT_OK)
        status = clFinish(job->target->queue);
    return clsort_peer_check(job, "sort", status);
}

static bool buffers_finish(const struct job *job, void *state)
{
    const struct buffers *self = state;
    clsort_status status = map_buffer(job, self->io.keys.mem, job->spec.type->size, NULL);
    if (status == CLSORT_OK)
        status = map_buffer(job, self->io.values.mem, job->spec.value_size, NULL);
    if (status == CLSORT_OK)
        status = clFinish(job->target->queue);
    return clsort_peer_check(job, "reading the result", status);
}

const struct peer peer_clsort_buffers = {
    .name = "clsort_enqueue",
    .stable = true,
    .open = buffers_open,
    .close = buffers_close,
    .algorithm = buffers_algorithm,
    .prepare = buffers_prepare,
    .sort = buffers_sort,
    .finish = buffers_finish,
};
