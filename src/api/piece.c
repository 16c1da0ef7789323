/* piece.c - sorts host arrays on the device that fit in its buffers, in segments, merges them, or selects from them
 *
 * The buffers use the memory of the arrays or, if the device cannot, are copies in memory that the
 * engine keeps between sorts. */
#include "api/piece.h"

#include "api/transfer.h"
#include "base/arithmetic.h"
#include "base/error.h"

/* An array in host memory, which is sorted to `to`, and its buffers on the device. */
struct array {
    void *host, *to;          /* equal if the array is sorted in place */
    size_t bytes;             /* 0: the array is absent */
    bool is_input, is_output; /* at least one of them */
    bool is_shared; /* the buffers use the memory of the arrays; otherwise there is one, a copy */
    clsort_buffer buffer, sorted; /* equal if the buffer is sorted in place */
};

/* The arrays of a piece. VALUES are the indexes if the operation writes any. The keys of a selection are
 * only read, and both of its outputs, KEYS_OUT and VALUES, may be absent. Merges have a second input and
 * VALUES_OUT, and segmented sorts have the last three. */
enum {
    KEYS,
    VALUES,
    KEYS_OUT,
    VALUES_OUT,
    SECOND_KEYS,
    SECOND_VALUES,
    OFFSETS,
    ENDS,
    RESULT,
    ARRAYS
};

/* The arrays, and memory of the device. */
struct piece {
    size_t count, k, segment_count; /* k: of a selection */
    size_t second_count;            /* of a merge */
    struct array arrays[ARRAYS];
    struct cls_scratch kept; /* memory for copies of the arrays, then scratch memory */
    clsort_buffer scratch;
};

enum { BUFFER_ALIGN = 256 }; /* of the parts of kept memory */

static struct array array_of(const struct cls_caps *caps, void *host, void *to, size_t count,
                             size_t element_bytes)
{
    const size_t alignment = cls_alignment(element_bytes);
    const bool is_aligned = (uintptr_t)host % alignment == 0 && (uintptr_t)to % alignment == 0;
    return (struct array){.host = host,
                          .to = to,
                          .bytes = count * element_bytes,
                          .is_input = true,
                          .is_output = true,
                          .is_shared = caps->shares_memory && is_aligned};
}

static struct piece piece_of(const struct clsort_plan *plan, size_t count,
                             struct cls_host_elements from, struct cls_host_elements to)
{
    const struct cls_caps *caps = &plan->device->caps;
    const struct cls_spec *spec = &plan->request.spec;
    struct piece piece = {.count = count};
    struct array *const keys = &piece.arrays[KEYS], *const values = &piece.arrays[VALUES];
    *keys = array_of(caps, from.keys, to.keys, count, spec->key_bytes);
    *values = array_of(caps, from.values, to.values, count, spec->value_bytes);
    /* Copies are sorted in place. Keys and values must not be treated differently. */
    if (from.keys != to.keys && spec->value_bytes > 0)
        keys->is_shared = values->is_shared = keys->is_shared && values->is_shared;
    if (spec->value_is_index)
        keys->is_output = values->is_input = false;
    return piece;
}

static struct piece piece_of_merge(const struct clsort_plan *plan, size_t count,
                                   struct cls_host_elements from, size_t second_count,
                                   struct cls_host_elements second, struct cls_host_elements to)
{
    const struct cls_caps *caps = &plan->device->caps;
    const size_t key = plan->request.spec.key_bytes, value = plan->request.spec.value_bytes;
    const size_t all = count + second_count;
    struct piece piece = {.count = count, .second_count = second_count};
    struct array *const arrays = piece.arrays;
    arrays[KEYS] = array_of(caps, from.keys, from.keys, count, key);
    arrays[VALUES] = array_of(caps, from.values, from.values, count, value);
    arrays[SECOND_KEYS] = array_of(caps, second.keys, second.keys, second_count, key);
    arrays[SECOND_VALUES] = array_of(caps, second.values, second.values, second_count, value);
    arrays[KEYS_OUT] = array_of(caps, to.keys, to.keys, all, key);
    arrays[VALUES_OUT] = array_of(caps, to.values, to.values, all, value);
    arrays[KEYS].is_output = arrays[VALUES].is_output = false;
    arrays[SECOND_KEYS].is_output = arrays[SECOND_VALUES].is_output = false;
    arrays[KEYS_OUT].is_input = arrays[VALUES_OUT].is_input = false;
    return piece;
}

static struct piece piece_of_segments(const struct clsort_plan *plan, size_t count,
                                      struct cls_host_elements at,
                                      const struct cls_host_segments *segments, uint64_t *clamped)
{
    const struct cls_caps *caps = &plan->device->caps;
    const uint32_t form = plan->request.spec.segments;
    const size_t ends = segments->count;
    struct piece piece = piece_of(plan, count, at, at);
    piece.segment_count = segments->count;
    if (form == CLSORT_OFFSETS || form == CLSORT_BEGIN_END) {
        void *const offsets = (void *)segments->offsets; /* is only read */
        piece.arrays[OFFSETS] = array_of(caps, offsets, offsets, ends + (form == CLSORT_OFFSETS),
                                         segments->offset_bytes);
        piece.arrays[VALUES].is_input = true; /* elements in no segment must not change */
    }
    if (form == CLSORT_BEGIN_END) {
        void *const at_ends = (void *)segments->ends;
        piece.arrays[ENDS] = array_of(caps, at_ends, at_ends, ends, segments->offset_bytes);
    }
    piece.arrays[OFFSETS].is_output = piece.arrays[ENDS].is_output = false;
    piece.arrays[RESULT] = array_of(caps, clamped, clamped, 1, sizeof *clamped);
    piece.arrays[RESULT].is_input = false;
    return piece;
}

static struct piece piece_of_selection(const struct clsort_plan *plan,
                                       const struct cls_host_selection *selection)
{
    const struct cls_caps *caps = &plan->device->caps;
    const size_t selected = cls_host_selected(selection);
    void *const keys = (void *)selection->keys; /* is only read */
    struct piece piece = {.count = selection->count, .k = selection->k};
    piece.arrays[KEYS] = array_of(caps, keys, keys, selection->count, plan->request.spec.key_bytes);
    piece.arrays[KEYS].is_output = false;
    if (selection->keys_out)
        piece.arrays[KEYS_OUT] = array_of(caps, selection->keys_out, selection->keys_out, selected,
                                          plan->request.spec.key_bytes);
    if (selection->index_out)
        piece.arrays[VALUES] = array_of(caps, selection->index_out, selection->index_out, selected,
                                        selection->index_bytes);
    piece.arrays[KEYS_OUT].is_input = piece.arrays[VALUES].is_input = false;
    return piece;
}

/* Returns the bytes of the copy of an array in kept memory. */
static uint64_t copy_bytes(const struct array *array)
{
    return array->is_shared ? 0 : cls_round_up(array->bytes, BUFFER_ALIGN);
}

/* Takes kept memory for the copies and for scratch. If it exceeds the device's largest buffer,
 * releases what is kept: the copies get buffers of their own, and clsort_enqueue allocates scratch
 * memory. */
static cl_int take_kept(struct clsort_plan *plan, struct piece *piece)
{
    struct array *const arrays = piece->arrays;
    uint64_t copies = 0, end = 0;
    for (size_t i = 0; i < ARRAYS; i++)
        copies += copy_bytes(&arrays[i]);
    const uint64_t bytes =
        copies + cls_plan_scratch_bytes(plan, piece->count + piece->second_count);
    if (bytes > plan->device->caps.max_alloc)
        cls_scratch_trim(plan->device, 0);
    if (bytes == 0 || bytes > plan->device->caps.max_alloc)
        return CL_SUCCESS;
    const cl_int status = cls_scratch_take(plan->device, bytes, &piece->kept);
    const cl_mem mem = piece->kept.mem;
    if (status != CL_SUCCESS)
        return status;
    for (size_t i = 0; i < ARRAYS; i++) {
        if (copy_bytes(&arrays[i]) > 0)
            arrays[i].buffer = (clsort_buffer){mem, (size_t)end};
        end += copy_bytes(&arrays[i]);
    }
    if (bytes > copies)
        piece->scratch = (clsort_buffer){mem, (size_t)copies};
    return CL_SUCCESS;
}

/* Memory that is only read may be read-only for the process, too. */
static cl_mem create_buffer(const struct cls_device *device, void *host, size_t bytes,
                            bool is_written, cl_int *status)
{
    const cl_mem_flags flags =
        (is_written ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY) | (host ? CL_MEM_USE_HOST_PTR : 0);
    const cl_mem mem = clCreateBuffer(device->context, flags, bytes, host, status);
    cls_called("clCreateBuffer", *status);
    return mem;
}

/* Creates the buffers of an array, unless kept memory holds its copy. Copies the array there if it
 * is not shared, as cls_transfer_write does. */
static cl_int upload(struct cls_device *device, cl_command_queue queue, struct array *array)
{
    cl_int status = CL_SUCCESS;
    if (array->bytes == 0)
        return CL_SUCCESS;
    if (!array->buffer.mem)
        array->buffer.mem =
            create_buffer(device, array->is_shared ? array->host : NULL, array->bytes,
                          array->is_output || !array->is_shared, &status);
    array->sorted = array->buffer;
    if (status == CL_SUCCESS && !array->is_shared && array->is_input)
        return cls_transfer_write(device, queue, array->buffer, array->host, array->bytes);
    if (status == CL_SUCCESS && array->is_shared && array->to != array->host)
        array->sorted.mem = create_buffer(device, array->to, array->bytes, true, &status);
    return status;
}

static cl_int wait_for(cl_event event)
{
    return cls_called("clWaitForEvents", clWaitForEvents(1, &event));
}

/* Maps a shared array, which makes the device's writes visible in it (OpenCL 1.2, section 5.2.1). The
 * call waits, since rusticl refuses to unmap what is not mapped yet. */
static cl_int make_visible(cl_command_queue queue, const struct array *array, cl_event sorted)
{
    cl_int status;
    void *mapped = clEnqueueMapBuffer(queue, array->sorted.mem, CL_TRUE, CL_MAP_READ, 0,
                                      array->bytes, 1, &sorted, NULL, &status);
    return status == CL_SUCCESS ? cls_called("clEnqueueUnmapMemObject",
                                             clEnqueueUnmapMemObject(queue, array->sorted.mem,
                                                                     mapped, 0, NULL, NULL))
                                : cls_called("clEnqueueMapBuffer", status);
}

/* Returns a sorted array to the host. The caller finishes the queue. */
static cl_int download(struct cls_device *device, cl_command_queue queue, const struct array *array,
                       cl_event sorted)
{
    if (array->bytes == 0 || !array->is_output)
        return CL_SUCCESS;
    if (array->is_shared)
        return make_visible(queue, array, sorted);
    const cl_int status = wait_for(sorted);
    return status == CL_SUCCESS
               ? cls_transfer_read(device, queue, array->sorted, array->to, array->bytes)
               : status;
}

/* Returns the arrays of a piece as clsort_enqueue takes them. */
static clsort_io io_of(const struct clsort_plan *plan, const struct piece *piece)
{
    const struct array *arrays = piece->arrays, *keys = &arrays[KEYS], *values = &arrays[VALUES];
    const bool merges = plan->request.spec.operation == CLSORT_MERGE_SORTED;
    clsort_io io = CLSORT_IO_INIT;
    io.count = piece->count;
    io.k = piece->k;
    io.segment_count = piece->segment_count;
    io.scratch = piece->scratch;
    io.keys = keys->buffer;
    /* A shared array of keys that is only read gets no output. */
    if (plan->selection || merges)
        io.keys_out = arrays[KEYS_OUT].sorted;
    else if (keys->is_output || (!keys->is_shared && !plan->columns))
        io.keys_out = keys->sorted;
    if (plan->selection || plan->request.spec.value_is_index)
        io.index_out = values->sorted;
    else {
        io.values = values->buffer;
        io.values_out = merges ? arrays[VALUES_OUT].sorted : values->sorted;
    }
    io.second_count = piece->second_count;
    io.second_keys = arrays[SECOND_KEYS].buffer;
    io.second_values = arrays[SECOND_VALUES].buffer;
    io.offsets = arrays[OFFSETS].buffer;
    io.ends = arrays[ENDS].buffer;
    io.result = arrays[RESULT].sorted;
    return io;
}

/* Enqueues the operation on the buffers of a piece. */
static cl_int enqueue_sort(struct clsort_plan *plan, cl_command_queue queue,
                           const struct piece *piece, cl_event *sorted)
{
    const clsort_io io = io_of(plan, piece);
    uint64_t copies = 0;
    cl_event uploaded = NULL;
    for (size_t i = 0; i < ARRAYS; i++)
        copies += copy_bytes(&piece->arrays[i]);
    const bool has_copy = copies > 0;
    if (has_copy) { /* the queue may be out-of-order, so the sort waits for the copies by an event */
        const cl_int status = cls_called("clEnqueueMarkerWithWaitList",
                                         clEnqueueMarkerWithWaitList(queue, 0, NULL, &uploaded));
        if (status != CL_SUCCESS)
            return status;
    }
    const cl_int status =
        clsort_enqueue(plan, queue, &io, has_copy, has_copy ? &uploaded : NULL, sorted);
    if (has_copy)
        clReleaseEvent(uploaded);
    return status;
}

/* Runs the operation on the buffers of a piece and returns the arrays. The caller finishes the queue, and then
 * releases *sorted if there is one: the event of the sort, which may have failed. */
static cl_int sort_and_download(struct clsort_plan *plan, cl_command_queue queue,
                                const struct piece *piece, cl_event *sorted)
{
    cl_int status = enqueue_sort(plan, queue, piece, sorted);
    for (size_t i = 0; i < ARRAYS && status == CL_SUCCESS; i++)
        status = download(plan->device, queue, &piece->arrays[i], *sorted);
    return status;
}

static void release_buffers(const struct array *array, cl_mem kept)
{
    if (array->sorted.mem && array->sorted.mem != array->buffer.mem)
        clReleaseMemObject(array->sorted.mem);
    if (array->buffer.mem && array->buffer.mem != kept)
        clReleaseMemObject(array->buffer.mem);
}

/* Runs the operation on the arrays of a piece and waits until it is done. */
static cl_int run(struct clsort_plan *plan, cl_command_queue queue, struct piece *piece)
{
    struct cls_device *device = plan->device;
    cl_int status = take_kept(plan, piece);
    for (size_t i = 0; i < ARRAYS && status == CL_SUCCESS; i++)
        status = upload(device, queue, &piece->arrays[i]);
    cl_event sorted = NULL;
    if (status == CL_SUCCESS)
        status = sort_and_download(plan, queue, piece, &sorted);
    const cl_int finished = clFinish(queue);
    for (size_t i = 0; i < ARRAYS; i++)
        release_buffers(&piece->arrays[i], piece->kept.mem);
    if (status == CL_SUCCESS)
        status = cls_called("clFinish", finished);
    if (status == CL_SUCCESS)
        status = wait_for(sorted); /* fails if the sort has failed */
    if (sorted)
        clReleaseEvent(sorted);
    if (status == CL_SUCCESS)
        cls_scratch_give(device, piece->kept);
    else if (piece->kept.mem) /* commands may still use it */
        clReleaseMemObject(piece->kept.mem);
    return status;
}

cl_int cls_piece_sort(struct clsort_plan *plan, cl_command_queue queue, size_t count,
                      struct cls_host_elements from, struct cls_host_elements to)
{
    struct piece piece = piece_of(plan, count, from, to);
    return run(plan, queue, &piece);
}

cl_int cls_piece_merge(struct clsort_plan *plan, cl_command_queue queue, size_t count,
                       struct cls_host_elements from, size_t second_count,
                       struct cls_host_elements second, struct cls_host_elements to)
{
    struct piece piece = piece_of_merge(plan, count, from, second_count, second, to);
    return run(plan, queue, &piece);
}

cl_int cls_piece_sort_segments(struct clsort_plan *plan, cl_command_queue queue, size_t count,
                               struct cls_host_elements at,
                               const struct cls_host_segments *segments, uint64_t *clamped)
{
    struct piece piece = piece_of_segments(plan, count, at, segments, clamped);
    return run(plan, queue, &piece);
}

cl_int cls_piece_select(struct clsort_plan *plan, cl_command_queue queue,
                        const struct cls_host_selection *selection)
{
    struct piece piece = piece_of_selection(plan, selection);
    return run(plan, queue, &piece);
}
