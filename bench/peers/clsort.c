/* clsort.c - clsort itself, between device buffers: all operations, out of place */
#include "clsort_adapter.h"
#include "device_clock.h"

#include <stdlib.h>

struct device_state {
    clsort_plan *plan;
    clsort_io io;
    clsort_buffer columns[ROWS_MAX_COLUMNS]; /* of io, if the rows have an array for each column */
    struct device_clock clock;
};

static void device_close(void *state)
{
    struct device_state *self = state;
    const clsort_io *io = &self->io;
    const cl_mem buffers[] = {io->keys.mem,        io->values.mem,        io->index.mem,
                              io->second_keys.mem, io->second_values.mem, io->keys_out.mem,
                              io->values_out.mem,  io->index_out.mem,     io->scratch.mem,
                              io->offsets.mem,     io->count_buffer.mem,  io->result.mem};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        if (buffers[i])
            clReleaseMemObject(buffers[i]);
    for (size_t i = 0; i < ROWS_MAX_COLUMNS; i++)
        if (self->columns[i].mem)
            clReleaseMemObject(self->columns[i].mem);
    device_clock_close(&self->clock);
    clsort_plan_destroy(self->plan);
    free(self);
}

/* Creates a buffer; none if size is 0. data: its contents, NULL for an output. */
static clsort_status make_buffer(const struct job *job, size_t size, void *data,
                                 clsort_buffer *buffer)
{
    clsort_status status = CLSORT_OK;
    cl_mem_flags flags = data ? CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR : CL_MEM_READ_WRITE;
    if (size)
        buffer->mem = clCreateBuffer(job->target->context, flags, size, data, &status);
    return status;
}

/* Creates the buffers of an array of the input: of the first input, and of the second if there is
 * one. data: NULL if there are no values. */
static clsort_status make_inputs(const struct job *job, size_t element_size, void *data,
                                 clsort_buffer *first, clsort_buffer *second)
{
    if (!data)
        return CLSORT_OK;
    const size_t first_size = job_first_count(job) * element_size;
    clsort_status status = make_buffer(job, first_size, data, first);
    if (status == CLSORT_OK)
        status = make_buffer(job, job->second_count * element_size,
                             (unsigned char *)data + first_size, second);
    return status;
}

/* Creates a buffer for each column of the rows. */
static clsort_status make_columns(const struct job *job, clsort_buffer *columns)
{
    const struct row_layout *layout = job->spec.rows;
    void *column = malloc(job->count * layout->type.size);
    clsort_status status = column ? CLSORT_OK : CL_OUT_OF_HOST_MEMORY;
    for (size_t i = 0; i < layout->column_count && status == CLSORT_OK; i++) {
        rows_copy_column(layout, i, job->keys, job->count, column);
        status = make_buffer(job, job->count * rows_column_bytes(layout, i), column, &columns[i]);
    }
    free(column);
    return status;
}

/* Creates the buffers of the keys of the input, or of the indexes by which it is gathered. */
static clsort_status make_keys(const struct job *job, struct device_state *self)
{
    clsort_io *io = &self->io;
    if (job->spec.rows && job->spec.rows->has_arrays) {
        io->columns = self->columns;
        return make_columns(job, self->columns);
    }
    return make_inputs(job, job->spec.type->size, job->keys,
                       operation_of(job->spec.op)->has_keys ? &io->keys : &io->index,
                       &io->second_keys);
}

/* Creates the buffers of the input and of the result. */
static clsort_status make_arrays(const struct job *job, struct device_state *self)
{
    clsort_io *io = &self->io;
    const struct operation_info *operation = operation_of(job->spec.op);
    const size_t key_size = job->spec.type->size, value_size = job->spec.value_size;
    clsort_status status = make_keys(job, self);
    if (status == CLSORT_OK && !operation->has_indexes)
        status = make_inputs(job, value_size, job->values, &io->values, &io->second_values);
    if (status == CLSORT_OK && job->offsets && !clsort_peer_has_rows(job))
        status = make_buffer(job, (job->segment_count + 1) * sizeof *job->offsets, job->offsets,
                             &io->offsets);
    if (status == CLSORT_OK && operation->has_keys_out)
        status = make_buffer(job, job->result_count * key_size, NULL, &io->keys_out);
    if (status == CLSORT_OK && operation->has_number)
        status = make_buffer(job, sizeof *job->number, NULL, &io->result);
    if (status == CLSORT_OK)
        status = make_buffer(job, job->result_count * value_size, NULL,
                             operation->has_indexes ? &io->index_out : &io->values_out);
    return status;
}

/* Creates the buffer of the count. */
static clsort_status make_count(const struct job *job, clsort_io *io)
{
    uint64_t count = job->device_count;
    return make_buffer(job, sizeof count, &count, &io->count_buffer);
}

/* The input is not overwritten, and scratch memory is allocated once. An application that repeats a
 * sort would do the same. */
static clsort_status device_setup(const struct job *job, const char *algorithm, bool is_counted,
                                  struct device_state *self)
{
    clsort_desc desc = clsort_peer_describe(job, algorithm);
    size_t scratch_size = 0;
    clsort_io *io = &self->io;
    *io = (clsort_io)CLSORT_IO_INIT;
    io->count = job_first_count(job);
    io->second_count = job->second_count;
    io->source_count = operation_of(job->spec.op)->has_keys ? 0 : job->count;
    io->k = job->k;
    io->segment_count = job->segment_count;
    desc.count_size = is_counted ? sizeof(uint64_t) : 0;
    clsort_status status = clsort_plan_create(job->target->engine, &desc, &self->plan);
    if (status == CLSORT_OK)
        status = clsort_scratch_size(self->plan, job->count, &scratch_size);
    if (status == CLSORT_OK)
        status = make_arrays(job, self);
    if (status == CLSORT_OK)
        status = make_buffer(job, scratch_size, NULL, &io->scratch);
    if (status == CLSORT_OK && is_counted)
        status = make_count(job, io);
    if (status == CLSORT_OK && job->device_time)
        status = device_clock_open(job->target, &self->clock);
    return status;
}

static bool open_buffers(const struct job *job, const char *algorithm, bool is_counted,
                         void **state)
{
    *state = calloc(1, sizeof(struct device_state));
    return clsort_peer_check(job, "set-up",
                             *state ? device_setup(job, algorithm, is_counted, *state)
                                    : CL_OUT_OF_HOST_MEMORY);
}

static bool device_open(const struct job *job, const char *algorithm, void **state)
{
    return open_buffers(job, algorithm, false, state);
}

static bool counted_open(const struct job *job, const char *algorithm, void **state)
{
    return open_buffers(job, algorithm, true, state);
}

static bool device_algorithm(const struct job *job, void *state, size_t size, char *name)
{
    const struct device_state *self = state;
    return clsort_peer_keep_first_word(
        job, clsort_plan_describe(self->plan, job->count, size, name, NULL), name);
}

static bool device_cost_bytes(const struct job *job, void *state, uint64_t *bytes)
{
    const struct device_state *self = state;
    return clsort_peer_check(job, "cost model", clsort_cost_bytes(self->plan, job->count, bytes));
}

static bool counted_cost_bytes(const struct job *job, void *state, uint64_t *bytes)
{
    const struct device_state *self = state;
    return clsort_peer_check(job, "cost model",
                             clsort_cost_bytes(self->plan, job->device_count, bytes));
}

/* Returns the buffer of the values or indexes of the result, or NULL if it has neither. */
static cl_mem values_of_result(const clsort_io *io)
{
    return io->index_out.mem ? io->index_out.mem : io->values_out.mem;
}

/* Clears a buffer. NVIDIA's driver hangs in fills of 2 GiB and more, and fails in buffers of more
 * than 4 GiB (seen with version 580; see https://github.com/inducer/pyopencl/issues/395). Buffers
 * of up to 2 GiB are therefore filled in parts, and larger ones are written. Writes are not used
 * for all, because kernels start 0.16 ms late after them. */
static clsort_status clear(const struct job *job, cl_mem buffer, size_t count, size_t element_size)
{
    static const unsigned char zeros[1 << 20];
    const size_t fill = (size_t)1 << 30, size = buffer ? count * element_size : 0;
    const bool fills = size <= 2 * fill;
    clsort_status status = CLSORT_OK;
    for (size_t at = 0, next; at < size && status == CLSORT_OK; at = next) {
        next = at + (fills ? fill : sizeof zeros);
        next = next < size ? next : size;
        status = fills ? clEnqueueFillBuffer(job->target->queue, buffer, zeros, 1, at, next - at, 0,
                                             NULL, NULL)
                       : clEnqueueWriteBuffer(job->target->queue, buffer, CL_FALSE, at, next - at,
                                              zeros, 0, NULL, NULL);
    }
    return status;
}

/* Clears the output, so that the result of the last run cannot pass for that of this one. */
static bool device_prepare(const struct job *job, void *state)
{
    const struct device_state *self = state;
    const size_t count = job->result_count;
    clsort_status status = clear(job, self->io.keys_out.mem, count, job->spec.type->size);
    if (status == CLSORT_OK)
        status = clear(job, values_of_result(&self->io), count, job->spec.value_size);
    if (status == CLSORT_OK)
        status = clear(job, self->io.result.mem, 1, sizeof *job->number);
    if (status == CLSORT_OK)
        status = clFinish(job->target->queue);
    return clsort_peer_check(job, "clearing the output", status);
}

static clsort_status enqueue_batch(const struct job *job, const struct device_state *self,
                                   cl_command_queue queue)
{
    clsort_status status = CLSORT_OK;
    for (size_t i = 0; i < job->batch && status == CLSORT_OK; i++)
        status = clsort_enqueue(self->plan, queue, &self->io, 0, NULL, NULL);
    return status;
}

static bool device_sort(const struct job *job, void *state)
{
    clsort_status status = enqueue_batch(job, state, job->target->queue);
    if (status == CLSORT_OK)
        status = clFinish(job->target->queue);
    return clsort_peer_check(job, "sort", status);
}

static bool device_timed_sort(const struct job *job, void *state, double *seconds)
{
    struct device_state *self = state;
    clsort_status status = device_clock_start(&self->clock);
    if (status == CLSORT_OK)
        status = enqueue_batch(job, self, self->clock.queue);
    if (status == CLSORT_OK)
        status = device_clock_stop(&self->clock, seconds);
    return clsort_peer_check(job, "sort timed by the device", status);
}

static clsort_status read_back(const struct job *job, cl_mem buffer, size_t count,
                               size_t element_size, void *data)
{
    if (!buffer)
        return CLSORT_OK;
    return clEnqueueReadBuffer(job->target->queue, buffer, CL_TRUE, 0, count * element_size, data,
                               0, NULL, NULL);
}

static bool device_finish(const struct job *job, void *state)
{
    const struct device_state *self = state;
    const size_t count = job->result_count;
    clsort_status status =
        read_back(job, self->io.keys_out.mem, count, job->spec.type->size, job->keys_out);
    if (status == CLSORT_OK)
        status = read_back(job, values_of_result(&self->io), count, job->spec.value_size,
                           job->values_out);
    if (status == CLSORT_OK)
        status = read_back(job, self->io.result.mem, 1, sizeof *job->number, job->number);
    return clsort_peer_check(job, "reading the result", status);
}

const struct peer peer_clsort_device = {
    .name = "clsort",
    .stable = true,
    .open = device_open,
    .close = device_close,
    .algorithm = device_algorithm,
    .cost_bytes = device_cost_bytes,
    .batches = true,
    .prepare = device_prepare,
    .sort = device_sort,
    .finish = device_finish,
    .timed_sort = device_timed_sort,
};

const struct peer peer_clsort_counted = {
    .name = "clsort-counted",
    .stable = true,
    .is_counted = true,
    .open = counted_open,
    .close = device_close,
    .algorithm = device_algorithm,
    .cost_bytes = counted_cost_bytes,
    .batches = true,
    .prepare = device_prepare,
    .sort = device_sort,
    .finish = device_finish,
    .timed_sort = device_timed_sort,
};
