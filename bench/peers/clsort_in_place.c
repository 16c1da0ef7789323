/* clsort_in_place.c - clsort itself in place: in device buffers, and in buffers that use host arrays */
#include "clsort_adapter.h"

#include <stdlib.h>
#include <string.h>

struct in_place_state {
    clsort_plan *plan;
    clsort_io io; /* in place */
};

static void in_place_close(void *state)
{
    struct in_place_state *self = state;
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

/* uses_arrays: whether the buffers use the memory of the arrays of the result. */
static clsort_status in_place_setup(const struct job *job, const char *algorithm, bool uses_arrays,
                                    struct in_place_state *self)
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
        status = make_buffer(job, job->count * job->spec.type->size,
                             uses_arrays ? job->keys_out : NULL, &self->io.keys.mem);
    if (status == CLSORT_OK)
        status = make_buffer(job, job->count * job->spec.value_size,
                             uses_arrays ? job->values_out : NULL, &self->io.values.mem);
    return status;
}

static bool open_buffers(const struct job *job, const char *algorithm, bool uses_arrays,
                         void **state)
{
    *state = calloc(1, sizeof(struct in_place_state));
    return clsort_peer_check(job, "set-up",
                             *state ? in_place_setup(job, algorithm, uses_arrays, *state)
                                    : CL_OUT_OF_HOST_MEMORY);
}

static bool in_place_algorithm(const struct job *job, void *state, size_t size, char *name)
{
    const struct in_place_state *self = state;
    return clsort_peer_keep_first_word(
        job, clsort_plan_describe(self->plan, job->count, size, name, NULL), name);
}

/* The buffers are mapped, so that nothing is copied from a buffer to an array whose memory it uses. */
static void *map(const struct job *job, cl_mem mem, cl_map_flags flags, size_t size,
                 clsort_status *status)
{
    return clEnqueueMapBuffer(job->target->queue, mem, CL_TRUE, flags, 0, size, 0, NULL, NULL,
                              status);
}

/* Copies an array to a buffer, unless the latter is NULL. */
static clsort_status write_buffer(const struct job *job, cl_mem mem, size_t element_size,
                                  const void *array)
{
    const size_t size = job->count * element_size;
    clsort_status status = CLSORT_OK;
    if (!mem)
        return CLSORT_OK;
    void *mapped = map(job, mem, CL_MAP_WRITE, size, &status);
    if (status != CLSORT_OK)
        return status;
    memcpy(mapped, array, size);
    return clEnqueueUnmapMemObject(job->target->queue, mem, mapped, 0, NULL, NULL);
}

/* Copies a buffer to an array, unless the former is NULL. */
static clsort_status read_buffer(const struct job *job, cl_mem mem, size_t element_size,
                                 void *array)
{
    const size_t size = job->count * element_size;
    clsort_status status = CLSORT_OK;
    if (!mem)
        return CLSORT_OK;
    void *mapped = map(job, mem, CL_MAP_READ, size, &status);
    if (status != CLSORT_OK)
        return status;
    if (array != mapped)
        memcpy(array, mapped, size);
    return clEnqueueUnmapMemObject(job->target->queue, mem, mapped, 0, NULL, NULL);
}

static bool in_place_prepare(const struct job *job, void *state)
{
    const struct in_place_state *self = state;
    clsort_status status = write_buffer(job, self->io.keys.mem, job->spec.type->size, job->keys);
    if (status == CLSORT_OK)
        status = write_buffer(job, self->io.values.mem, job->spec.value_size, job->values);
    if (status == CLSORT_OK)
        status = clFinish(job->target->queue);
    return clsort_peer_check(job, "writing the input", status);
}

static bool in_place_sort(const struct job *job, void *state)
{
    const struct in_place_state *self = state;
    clsort_status status = clsort_enqueue(self->plan, job->target->queue, &self->io, 0, NULL, NULL);
    if (status == CLSORT_OK)
        status = clFinish(job->target->queue);
    return clsort_peer_check(job, "sort", status);
}

static bool in_place_finish(const struct job *job, void *state)
{
    const struct in_place_state *self = state;
    clsort_status status = read_buffer(job, self->io.keys.mem, job->spec.type->size, job->keys_out);
    if (status == CLSORT_OK)
        status = read_buffer(job, self->io.values.mem, job->spec.value_size, job->values_out);
    if (status == CLSORT_OK)
        status = clFinish(job->target->queue);
    return clsort_peer_check(job, "reading the result", status);
}

/* -- in device buffers ------------------------------------------------------------------------- */

static bool in_place_open(const struct job *job, const char *algorithm, void **state)
{
    return open_buffers(job, algorithm, false, state);
}

const struct peer peer_clsort_in_place = {
    .name = "clsort",
    .stable = true,
    .open = in_place_open,
    .close = in_place_close,
    .algorithm = in_place_algorithm,
    .prepare = in_place_prepare,
    .sort = in_place_sort,
    .finish = in_place_finish,
};

/* -- in buffers that use host arrays ----------------------------------------------------------- */

static bool arrays_open(const struct job *job, const char *algorithm, void **state)
{
    return open_buffers(job, algorithm, true, state);
}

const struct peer peer_clsort_buffers = {
    .name = "clsort_enqueue",
    .stable = true,
    .open = arrays_open,
    .close = in_place_close,
    .algorithm = in_place_algorithm,
    .prepare = in_place_prepare,
    .sort = in_place_sort,
    .finish = in_place_finish,
};
