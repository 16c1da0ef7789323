/* enqueue.c - checks a sort's queue and buffers, then hands it to the plan */
#include "api/check_queue.h"
#include "plan/plan.h"

/* Where a place is in memory: sub-buffers are looked up in the buffer that they are part of. */
struct extent {
    cl_mem root;
    size_t begin, end; /* bytes */
};

/* Some drivers take events of another context, and then wait for ever. */
static cl_int check_waits(const struct cls_device *device, cl_uint count, const cl_event *list)
{
    if ((count == 0) != (list == NULL))
        return CL_INVALID_EVENT_WAIT_LIST;
    for (cl_uint i = 0; i < count; i++) {
        cl_context context;
        if (!list[i])
            return CL_INVALID_EVENT_WAIT_LIST;
        const cl_int status =
            clGetEventInfo(list[i], CL_EVENT_CONTEXT, sizeof context, &context, NULL);
        if (status != CL_SUCCESS)
            return status == CL_INVALID_EVENT ? CL_INVALID_EVENT_WAIT_LIST : status;
        if (context != device->context)
            return CL_INVALID_CONTEXT;
    }
    return CL_SUCCESS;
}

/* What must hold of one buffer. */
struct need {
    clsort_buffer buffer;
    uint64_t bytes;
    size_t alignment;
    bool written;
    clsort_status too_small;
};

static cl_int check_buffer(const struct cls_device *device, const struct need *need,
                           struct extent *extent)
{
    size_t size = 0, root_offset = 0;
    cl_context context = NULL;
    cl_mem_flags flags = 0;
    cl_mem_object_type type = 0;
    cl_mem root = NULL;
    const cl_mem mem = need->buffer.mem;
    cl_int status = clGetMemObjectInfo(mem, CL_MEM_TYPE, sizeof type, &type, NULL);
    if (status == CL_SUCCESS && type != CL_MEM_OBJECT_BUFFER)
        return CL_INVALID_MEM_OBJECT;
    if (status == CL_SUCCESS)
        status = clGetMemObjectInfo(mem, CL_MEM_SIZE, sizeof size, &size, NULL);
    if (status == CL_SUCCESS)
        status = clGetMemObjectInfo(mem, CL_MEM_CONTEXT, sizeof context, &context, NULL);
    if (status == CL_SUCCESS)
        status = clGetMemObjectInfo(mem, CL_MEM_FLAGS, sizeof flags, &flags, NULL);
    if (status == CL_SUCCESS)
        status = clGetMemObjectInfo(mem, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof root, &root, NULL);
    if (status == CL_SUCCESS && root)
        status = clGetMemObjectInfo(mem, CL_MEM_OFFSET, sizeof root_offset, &root_offset, NULL);
    if (status != CL_SUCCESS)
        return status;
    if (context != device->context)
        return CL_INVALID_CONTEXT;
    if (need->buffer.offset % need->alignment != 0)
        return CLSORT_E_ALIGNMENT;
    if (need->buffer.offset > size || need->bytes > size - need->buffer.offset)
        return need->too_small;
    if (need->written && flags & CL_MEM_READ_ONLY)
        return CLSORT_E_READ_ONLY;
    extent->root = root ? root : mem;
    extent->begin = root_offset + need->buffer.offset;
    extent->end = extent->begin + (size_t)need->bytes;
    return CL_SUCCESS;
}

static bool overlap(const struct extent *a, const struct extent *b)
{
    return a->root && a->root == b->root && a->begin < b->end && b->begin < a->end;
}

static bool same_place(clsort_buffer a, clsort_buffer b)
{
    return a.mem == b.mem && a.offset == b.offset;
}

/* Reads io into places; *in_place as the caller meant it. */
static clsort_status read_places(const clsort_io *io, bool has_values, struct cls_places *places)
{
    if (!io->keys.mem || has_values != (io->values.mem != NULL))
        return CLSORT_E_ARGUMENT;
    if (io->keys_out.mem && has_values != (io->values_out.mem != NULL))
        return CLSORT_E_ARGUMENT;
    if (!io->keys_out.mem && io->values_out.mem)
        return CLSORT_E_ARGUMENT;
    *places = (struct cls_places){.count = io->count,
                                  .keys_in = io->keys,
                                  .values_in = io->values,
                                  .keys_out = io->keys_out,
                                  .values_out = io->values_out,
                                  .scratch = io->scratch};
    places->in_place = !io->keys_out.mem || (same_place(io->keys, io->keys_out) &&
                                             same_place(io->values, io->values_out));
    if (places->in_place) {
        places->keys_out = io->keys;
        places->values_out = io->values;
    }
    return CLSORT_OK;
}

static cl_int check_places(const struct clsort_plan *plan, const struct cls_places *places)
{
    enum { KEYS_OUT, VALUES_OUT, SCRATCH, KEYS_IN, VALUES_IN, ALL };
    const struct cls_shape *shape = &plan->request.shape;
    if (!cls_count_fits(shape, places->count))
        return CLSORT_E_COUNT;
    const uint64_t keys = places->count * shape->key_bytes;
    const uint64_t values = places->count * shape->value_bytes;
    const size_t unit = cls_unit(shape->value_bytes);
    const struct need needs[ALL] = {
        [KEYS_OUT] = {places->keys_out, keys, shape->key_bytes, true, CLSORT_E_BUFFER_SIZE},
        [VALUES_OUT] = {places->values_out, values, unit, true, CLSORT_E_BUFFER_SIZE},
        [SCRATCH] = {places->scratch, cls_plan_scratch_bytes(plan, places->count), 8, true,
                     CLSORT_E_SCRATCH_SIZE},
        [KEYS_IN] = {places->keys_in, keys, shape->key_bytes, false, CLSORT_E_BUFFER_SIZE},
        [VALUES_IN] = {places->values_in, values, unit, false, CLSORT_E_BUFFER_SIZE},
    };
    struct extent extents[ALL] = {{NULL, 0, 0}};
    for (size_t i = 0; i < (places->in_place ? KEYS_IN : ALL); i++) {
        const cl_int status =
            needs[i].buffer.mem ? check_buffer(plan->device, &needs[i], &extents[i]) : CL_SUCCESS;
        if (status != CL_SUCCESS)
            return status;
    }
    /* What is written must overlap nothing; the inputs may overlap each other. */
    for (size_t i = 0; i < KEYS_IN; i++)
        for (size_t j = i + 1; j < ALL; j++)
            if (overlap(&extents[i], &extents[j]))
                return CLSORT_E_OVERLAP;
    return CL_SUCCESS;
}

clsort_status clsort_enqueue(clsort_plan *plan, cl_command_queue queue, const clsort_io *io,
                             cl_uint wait_count, const cl_event *wait_list, cl_event *event)
{
    clsort_io own;
    struct cls_places places = {0};
    struct cls_chain chain;
    if (event)
        *event = NULL;
    if (!plan || !io)
        return CLSORT_E_ARGUMENT;
    cl_int status = cls_versioned_copy(io, &own, sizeof own);
    if (status == CL_SUCCESS)
        status = cls_check_queue(plan->device, queue);
    if (status == CL_SUCCESS)
        status = check_waits(plan->device, wait_count, wait_list);
    if (status != CL_SUCCESS)
        return status;
    if (own.count > plan->max_count)
        return CLSORT_E_COUNT;
    if (own.count > 0) {
        status = read_places(&own, plan->request.shape.value_bytes > 0, &places);
        if (status == CL_SUCCESS)
            status = check_places(plan, &places);
    }
    if (status == CL_SUCCESS)
        status = cls_chain_begin(&chain, queue, wait_count, wait_list, event != NULL);
    if (status != CL_SUCCESS)
        return status;
    if (own.count > 0)
        status = cls_plan_enqueue(plan, &places, &chain);
    return cls_chain_end(&chain, status, event);
}
