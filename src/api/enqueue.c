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

/* Whether there is an array exactly where there has to be. */
static bool has_arrays(clsort_buffer keys, clsort_buffer values, bool has_values)
{
    return keys.mem && has_values == (values.mem != NULL);
}

/* An input of no elements may have no arrays: what is left becomes both inputs. */
static clsort_status read_second(const clsort_io *io, bool has_values, struct cls_places *places)
{
    if (!io->keys_out.mem ||
        (io->second_count > 0 && !has_arrays(io->second_keys, io->second_values, has_values)))
        return CLSORT_E_ARGUMENT;
    places->in_place = false; /* an output that is an input overlaps it */
    places->second_count = io->count > 0 ? io->second_count : 0;
    places->second_keys = io->second_count > 0 ? io->second_keys : io->keys;
    places->second_values = io->second_count > 0 ? io->second_values : io->values;
    if (io->count == 0) {
        places->keys_in = io->second_keys;
        places->values_in = io->second_values;
    }
    return CLSORT_OK;
}

/* Reads io, of which there are count elements in all, into places. */
static clsort_status read_places(const clsort_io *io, const struct cls_shape *shape, size_t count,
                                 struct cls_places *places)
{
    const bool has_values = shape->value_bytes > 0;
    if (io->count > 0 && !has_arrays(io->keys, io->values, has_values))
        return CLSORT_E_ARGUMENT;
    if (io->keys_out.mem ? !has_arrays(io->keys_out, io->values_out, has_values)
                         : io->values_out.mem != NULL)
        return CLSORT_E_ARGUMENT;
    *places = (struct cls_places){.count = count,
                                  .keys_in = io->keys,
                                  .values_in = io->values,
                                  .keys_out = io->keys_out,
                                  .values_out = io->values_out};
    places->in_place = !io->keys_out.mem || (same_place(io->keys, io->keys_out) &&
                                             same_place(io->values, io->values_out));
    if (places->in_place) {
        places->keys_out = io->keys;
        places->values_out = io->values;
    }
    if (shape->operation == CLS_MERGE_SORTED)
        return read_second(io, has_values, places);
    return io->second_count == 0 && !io->second_keys.mem && !io->second_values.mem
               ? CLSORT_OK
               : CLSORT_E_OPERATION;
}

static cl_int check_places(const struct clsort_plan *plan, const struct cls_places *places,
                           clsort_buffer scratch)
{
    enum { KEYS_OUT, VALUES_OUT, SCRATCH, KEYS_IN, VALUES_IN, SECOND_KEYS, SECOND_VALUES, ALL };
    const struct cls_shape *shape = &plan->request.shape;
    if (!cls_count_fits(shape, places->count))
        return CLSORT_E_COUNT;
    const uint64_t first = places->count - places->second_count;
    const size_t key = shape->key_bytes, value = shape->value_bytes;
    const size_t key_unit = cls_unit(key), value_unit = cls_unit(value);
    const clsort_status small = CLSORT_E_BUFFER_SIZE;
    const struct need needs[ALL] = {
        [KEYS_OUT] = {places->keys_out, places->count * key, key_unit, true, small},
        [VALUES_OUT] = {places->values_out, places->count * value, value_unit, true, small},
        [SCRATCH] = {scratch, cls_plan_scratch_bytes(plan, places->count), 8, true,
                     CLSORT_E_SCRATCH_SIZE},
        [KEYS_IN] = {places->keys_in, first * key, key_unit, false, small},
        [VALUES_IN] = {places->values_in, first * value, value_unit, false, small},
        [SECOND_KEYS] = {places->second_keys, places->second_count * key, key_unit, false, small},
        [SECOND_VALUES] = {places->second_values, places->second_count * value, value_unit, false,
                           small},
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
    if (own.count > plan->max_count || own.second_count > plan->max_count - own.count)
        return CLSORT_E_COUNT;
    const size_t count = own.count + own.second_count;
    if (count > 0) {
        status = read_places(&own, &plan->request.shape, count, &places);
        if (status == CL_SUCCESS)
            status = check_places(plan, &places, own.scratch);
    }
    if (status == CL_SUCCESS)
        status = cls_chain_begin(&chain, queue, wait_count, wait_list, event != NULL);
    if (status != CL_SUCCESS)
        return status;
    if (count > 0)
        status = cls_plan_enqueue(plan, &places, own.scratch, &chain);
    return cls_chain_end(&chain, status, event);
}
