/* buffers.c - clsort_mpi_buffers: sorts device buffers over all ranks
 *
 * The device sorts to another buffer, which is read to host memory. The output is exchanged and merged there, and then
 * written to the device. */
#include "base/arithmetic.h"
#include "base/error.h"
#include "base/platform.h"
#include "base/versioned.h"
#include "mpi/local.h"
#include "mpi/sort.h"

struct job {
    struct cls_mpi_sort sort;
    cl_command_queue queue;
    clsort_io io;
};

/* -- arguments --------------------------------------------------------------------------------- */

/* Copies the members that are used. Returns CLSORT_E_OPERATION if others are set. */
static clsort_status read_io(const clsort_io *from, clsort_io *io)
{
    static const clsort_io EMPTY = CLSORT_IO_INIT;
    clsort_io rest;
    if (!from)
        return cls_fail(CLSORT_E_ARGUMENT, "io is NULL");
    const clsort_status status =
        cls_versioned_copy(from, io, sizeof *io, "clsort_io", "CLSORT_IO_INIT");
    if (status != CLSORT_OK)
        return status;
    rest = *io;
    rest.struct_size = EMPTY.struct_size;
    rest.count = 0;
    rest.keys = rest.values = rest.keys_out = rest.values_out = EMPTY.keys;
    return memcmp(&rest, &EMPTY, sizeof rest) == 0
               ? CLSORT_OK
               : cls_fail(CLSORT_E_OPERATION,
                          "clsort_io has members other than count, keys, values, keys_out and "
                          "values_out: clsort_mpi_buffers does not use them");
}

/* Returns CLSORT_E_BUFFER_SIZE if a buffer is too small for this number of bytes. */
static clsort_status check_size(const char *name, clsort_buffer buffer, uint64_t bytes)
{
    size_t size = 0;
    if (bytes == 0)
        return CLSORT_OK;
    const cl_int status = clGetMemObjectInfo(buffer.mem, CL_MEM_SIZE, sizeof size, &size, NULL);
    if (status != CL_SUCCESS)
        return cls_called("clGetMemObjectInfo", status);
    return buffer.offset <= size && bytes <= size - buffer.offset
               ? CLSORT_OK
               : cls_fail(
                     CLSORT_E_BUFFER_SIZE,
                     "clsort_io.%s: the buffer has %zu bytes from its offset on, but needs %llu",
                     name, buffer.offset <= size ? size - buffer.offset : 0,
                     (unsigned long long)bytes);
}

static bool do_overlap(clsort_buffer a, uint64_t a_bytes, clsort_buffer b, uint64_t b_bytes)
{
    return a.mem == b.mem && a_bytes > 0 && b_bytes > 0 && a.offset < b.offset + b_bytes &&
           b.offset < a.offset + a_bytes;
}

/* Checks the sizes of the buffers, and that no output overlaps another buffer. */
static clsort_status check_buffers(const struct job *job)
{
    static const char *const names[] = {"keys", "values", "keys_out", "values_out"};
    const struct cls_mpi_elements *elements = &job->sort.elements;
    const clsort_buffer buffers[] = {job->io.keys, job->io.values, job->io.keys_out,
                                     job->io.values_out};
    const uint64_t bytes[] = {
        job->sort.count * elements->key_bytes, job->sort.count * elements->value_bytes,
        job->sort.out_count * elements->key_bytes, job->sort.out_count * elements->value_bytes};
    for (int i = 0; i < 4; i++) {
        const clsort_status status = check_size(names[i], buffers[i], bytes[i]);
        if (status != CLSORT_OK)
            return status;
        for (int j = 2; j < 4; j++)
            if (i < j && do_overlap(buffers[i], bytes[i], buffers[j], bytes[j]))
                return cls_fail(CLSORT_E_OVERLAP, "clsort_io.%s overlaps clsort_io.%s", names[j],
                                names[i]);
    }
    return CLSORT_OK;
}

static clsort_status read_arguments(struct job *job, const clsort_desc *desc, const clsort_io *io)
{
    struct cls_mpi_sort *sort = &job->sort;
    struct cls_mpi_elements *elements = &sort->elements;
    if (!sort->mpi->engine || !job->queue)
        return cls_fail(CLSORT_E_ARGUMENT, "%s is NULL",
                        job->queue ? "the engine of the clsort_mpi" : "queue");
    clsort_status status = read_io(io, &job->io);
    sort->count = job->io.count;
    if (status == CLSORT_OK)
        status = cls_elements_read(desc, sort->mpi->engine, elements);
    if (status == CLSORT_OK)
        status = cls_arrays_check(elements, sort->count, job->io.keys.mem, job->io.values.mem,
                                  "clsort_io.keys", "clsort_io.values");
    if (status == CLSORT_OK)
        status =
            cls_arrays_check(elements, sort->out_count, job->io.keys_out.mem,
                             job->io.values_out.mem, "clsort_io.keys_out", "clsort_io.values_out");
    if (status == CLSORT_OK)
        status = check_buffers(job);
    return status == CLSORT_OK ? cls_called("clFinish", clFinish(job->queue)) : status;
}

/* -- input ------------------------------------------------------------------------------------- */

/* Copies elements from buffers to host memory. */
static clsort_status read_buffers(const struct job *job, clsort_buffer keys, clsort_buffer values,
                                  struct cls_mpi_arrays to)
{
    const size_t count = (size_t)job->sort.count;
    cl_int status =
        clEnqueueReadBuffer(job->queue, keys.mem, CL_TRUE, keys.offset,
                            count * job->sort.elements.key_bytes, to.keys, 0, NULL, NULL);
    if (status == CL_SUCCESS && job->sort.elements.value_bytes > 0)
        status =
            clEnqueueReadBuffer(job->queue, values.mem, CL_TRUE, values.offset,
                                count * job->sort.elements.value_bytes, to.values, 0, NULL, NULL);
    return cls_called("clEnqueueReadBuffer", status);
}

/* Creates a buffer in the context of the queue. NULL: no bytes, or a failure. */
static cl_mem create_buffer(const struct job *job, size_t bytes, cl_int *status)
{
    cl_context context = NULL;
    if (*status == CL_SUCCESS)
        *status =
            clGetCommandQueueInfo(job->queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
    return *status == CL_SUCCESS && bytes > 0
               ? clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, status)
               : NULL;
}

/* Sorts on the device to these buffers, and reads them. */
static clsort_status sort_to(struct job *job, clsort_buffer keys, clsort_buffer values)
{
    clsort_plan *plan;
    clsort_io io = CLSORT_IO_INIT;
    io.count = (size_t)job->sort.count;
    io.keys = job->io.keys;
    io.values = job->io.values;
    io.keys_out = keys;
    io.values_out = values;
    clsort_status status =
        clsort_plan_create(job->sort.mpi->engine, &job->sort.elements.desc, &plan);
    if (status == CLSORT_OK)
        status = clsort_enqueue(plan, job->queue, &io, 0, NULL, NULL);
    if (status != CLSORT_OK)
        cls_library_failed(status);
    const cl_int finished = clFinish(job->queue);
    clsort_plan_destroy(plan);
    if (status == CLSORT_OK)
        status = cls_called("clFinish", finished);
    return status == CLSORT_OK ? read_buffers(job, keys, values, job->sort.sorted) : status;
}

static clsort_status sort_on_device(struct job *job)
{
    cl_int status = CL_SUCCESS;
    const struct cls_mpi_elements *elements = &job->sort.elements;
    const size_t count = (size_t)job->sort.count;
    const clsort_buffer keys = {create_buffer(job, count * elements->key_bytes, &status), 0};
    const clsort_buffer values = {create_buffer(job, count * elements->value_bytes, &status), 0};
    status =
        status == CL_SUCCESS ? sort_to(job, keys, values) : cls_called("clCreateBuffer", status);
    if (keys.mem)
        clReleaseMemObject(keys.mem);
    if (values.mem)
        clReleaseMemObject(values.mem);
    return status;
}

/* Sorts to job->sort.sorted. If the device fails, but still copies its buffers, the calling thread sorts. */
static clsort_status sort_input(struct job *job)
{
    struct cls_mpi_sort *sort = &job->sort;
    if (sort->count == 0)
        return CLSORT_OK;
    const clsort_status status = sort_on_device(job);
    if (status == CLSORT_OK || sort->elements.desc.key == CLSORT_CUSTOM)
        return status;
    clsort_desc desc = sort->elements.desc;
    desc.algorithm = NULL;
    return read_buffers(job, job->io.keys, job->io.values, sort->sorted) == CLSORT_OK &&
                   clsort_host(NULL, NULL, &desc, (size_t)sort->count, sort->sorted.keys,
                               sort->sorted.values) == CLSORT_OK
               ? CLSORT_OK
               : status;
}

/* -- output ------------------------------------------------------------------------------------ */

static clsort_status write_buffers(const struct job *job)
{
    const struct cls_mpi_sort *sort = &job->sort;
    const size_t count = (size_t)sort->out_count;
    if (count == 0)
        return CLSORT_OK;
    cl_int status =
        clEnqueueWriteBuffer(job->queue, job->io.keys_out.mem, CL_TRUE, job->io.keys_out.offset,
                             count * sort->elements.key_bytes, sort->out.keys, 0, NULL, NULL);
    if (status == CL_SUCCESS && sort->elements.value_bytes > 0)
        status = clEnqueueWriteBuffer(job->queue, job->io.values_out.mem, CL_TRUE,
                                      job->io.values_out.offset, count * sort->elements.value_bytes,
                                      sort->out.values, 0, NULL, NULL);
    return cls_called("clEnqueueWriteBuffer", status);
}

/* Takes memory for the output of the merge. */
static char *take_output(struct cls_mpi_sort *sort)
{
    const struct cls_mpi_elements *elements = &sort->elements;
    const uint64_t key_bytes = cls_round_up(sort->out_count * elements->key_bytes, 64);
    const uint64_t bytes = key_bytes + sort->out_count * elements->value_bytes;
    char *block = cls_pages_alloc((size_t)cls_max(bytes, CLS_MIN_PAGES_BYTES));
    sort->out = (struct cls_mpi_arrays){
        block, block && elements->value_bytes > 0 ? block + key_bytes : NULL};
    return block;
}

static clsort_status sort_buffers(struct job *job, const clsort_desc *desc, const clsort_io *io)
{
    struct cls_mpi_sort *sort = &job->sort;
    uint64_t total;
    if (!sort->mpi)
        return cls_fail(CLSORT_E_ARGUMENT, "mpi is NULL");
    clsort_status status = read_arguments(job, desc, io);
    status =
        cls_mpi_begin(sort->mpi, status, sort->elements.hash, sort->count, sort->out_count, &total);
    if (status != CLSORT_OK)
        return status;
    char *const block = take_output(sort);
    status = block ? cls_sort_take_memory(sort) : CLSORT_E_MEMORY;
    if (status == CLSORT_OK)
        status = sort_input(job);
    status = cls_sort_divide(sort, status);
    if (status == CLSORT_OK) {
        status = cls_sort_output(sort);
        if (status == CLSORT_OK)
            status = write_buffers(job);
        status = cls_ranks_conclude(&sort->mpi->ranks, status);
    }
    cls_pages_free(block);
    return status;
}

clsort_status clsort_mpi_buffers(clsort_mpi *mpi, cl_command_queue queue, const clsort_desc *desc,
                                 const clsort_io *io, uint64_t out_count)
{
    struct job job = {.sort = {.mpi = mpi, .out_count = out_count}, .queue = queue};
    cls_error_begin(0);
    return cls_error_end(sort_buffers(&job, desc, io));
}
