/* enqueue.c - clsort_enqueue: checks its arguments, then runs the plan */
#include "api/check_queue.h"
#include "base/error.h"
#include "base/versioned.h"
#include "device/process.h"
#include "plan/operation.h"
#include "plan/plan.h"
#include "plan/value_arrays.h"

#include <stdio.h>

/* The part of a buffer that an array takes. */
struct extent {
    cl_mem root;       /* the buffer, or the one that it is a sub-buffer of */
    size_t begin, end; /* bytes */
};

/* Checks the wait list, since some drivers accept events of another context and then wait
 * forever. */
static cl_int check_waits(const struct cls_device *device, cl_uint count, const cl_event *list)
{
    if ((count == 0) != (list == NULL))
        return cls_fail(CL_INVALID_EVENT_WAIT_LIST, "wait_count is %u, but wait_list is %sNULL",
                        count, list ? "not " : "");
    for (cl_uint i = 0; i < count; i++) {
        cl_context context;
        if (!list[i])
            return cls_fail(CL_INVALID_EVENT_WAIT_LIST, "wait_list[%u] is NULL", i);
        const cl_int status =
            clGetEventInfo(list[i], CL_EVENT_CONTEXT, sizeof context, &context, NULL);
        if (status != CL_SUCCESS)
            return cls_fail(status == CL_INVALID_EVENT ? CL_INVALID_EVENT_WAIT_LIST : status,
                            "wait_list[%u]: clGetEventInfo returned %s", i,
                            clsort_status_string(status));
        if (context != device->context)
            return cls_fail(CL_INVALID_CONTEXT,
                            "wait_list[%u] belongs to another context than the engine", i);
    }
    return CL_SUCCESS;
}

/* What one array requires of its buffer. */
struct requirement {
    const char *name; /* of the member of clsort_io */
    clsort_buffer buffer;
    uint64_t bytes;
    size_t alignment;
    bool is_written;
    clsort_status too_small; /* the error if the buffer is too small */
    unsigned element;        /* from 1, of a member that points to several buffers; else 0 */
};

enum { NAME_BYTES = 32 };

/* Writes the name of the array to text, and returns it. */
static const char *name_of(const struct requirement *required, char text[NAME_BYTES])
{
    if (required->element == 0)
        return required->name;
    snprintf(text, NAME_BYTES, "%s[%u]", required->name, required->element - 1);
    return text;
}

struct buffer_info {
    size_t size;
    cl_context context;
    cl_mem_flags flags;
    cl_mem root;        /* the buffer, or the one that it is a sub-buffer of */
    size_t root_offset; /* of the buffer in root */
};

/* Returns CL_INVALID_MEM_OBJECT if mem is not a buffer. */
static cl_int query_buffer(cl_mem mem, struct buffer_info *info)
{
    cl_mem_object_type type = 0;
    *info = (struct buffer_info){0};
    cl_int status = clGetMemObjectInfo(mem, CL_MEM_TYPE, sizeof type, &type, NULL);
    if (status == CL_SUCCESS && type != CL_MEM_OBJECT_BUFFER)
        return CL_INVALID_MEM_OBJECT;
    if (status == CL_SUCCESS)
        status = clGetMemObjectInfo(mem, CL_MEM_SIZE, sizeof info->size, &info->size, NULL);
    if (status == CL_SUCCESS)
        status =
            clGetMemObjectInfo(mem, CL_MEM_CONTEXT, sizeof info->context, &info->context, NULL);
    if (status == CL_SUCCESS)
        status = clGetMemObjectInfo(mem, CL_MEM_FLAGS, sizeof info->flags, &info->flags, NULL);
    if (status == CL_SUCCESS)
        status = clGetMemObjectInfo(mem, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof info->root,
                                    &info->root, NULL);
    if (status != CL_SUCCESS)
        return status;
    if (info->root)
        return clGetMemObjectInfo(mem, CL_MEM_OFFSET, sizeof info->root_offset, &info->root_offset,
                                  NULL);
    info->root = mem;
    return CL_SUCCESS;
}

/* Checks a buffer and sets *extent to the memory of its array. */
static cl_int check_buffer(const struct cls_device *device, const struct requirement *required,
                           struct extent *extent)
{
    char name[NAME_BYTES];
    struct buffer_info info;
    const size_t offset = required->buffer.offset;
    const cl_int status = query_buffer(required->buffer.mem, &info);
    if (status != CL_SUCCESS)
        return cls_fail(status, "%s.mem is not a valid buffer: %s", name_of(required, name),
                        clsort_status_string(status));
    if (info.context != device->context)
        return cls_fail(CL_INVALID_CONTEXT, "%s belongs to another context than the engine",
                        name_of(required, name));
    if (offset % required->alignment != 0)
        return cls_fail(CLSORT_E_ALIGNMENT, "%s.offset is %zu: a multiple of %zu is required",
                        name_of(required, name), offset, required->alignment);
    if (offset > info.size || required->bytes > info.size - offset)
        return cls_fail(
            required->too_small, "%s is too small: needs %llu bytes at offset %zu, has %zu",
            name_of(required, name), (unsigned long long)required->bytes, offset, info.size);
    if (required->is_written && info.flags & CL_MEM_READ_ONLY)
        return cls_fail(CLSORT_E_READ_ONLY,
                        "%s was created with CL_MEM_READ_ONLY, but the sort writes to it",
                        name_of(required, name));
    extent->root = info.root;
    extent->begin = info.root_offset + offset;
    extent->end = extent->begin + (size_t)required->bytes;
    return CL_SUCCESS;
}

static bool overlap(const struct extent *a, const struct extent *b)
{
    return a->root == b->root && a->begin < b->end && b->begin < a->end && a->begin < a->end &&
           b->begin < b->end;
}

enum {
    KEYS_OUT,
    VALUES_OUT,
    INDEX_OUT,
    RESULT,
    SCRATCH,
    ARRAYS_OUT, /* clsort_io.value_arrays_out */
    KEYS_IN = ARRAYS_OUT + CLSORT_MAX_VALUES,
    VALUES_IN,
    SECOND_KEYS,
    SECOND_VALUES,
    OFFSETS,
    ENDS,
    KS,
    COUNT_BUFFER,
    ARRAYS_IN, /* clsort_io.value_arrays */
    COLUMNS = ARRAYS_IN + CLSORT_MAX_VALUES,
    ALL = COLUMNS + CLSORT_MAX_COLUMNS
};

/* Returns whether the array i, which overlaps j, is the output that replaces j in place. */
static bool is_in_place(size_t i, size_t j, const struct extent *extents)
{
    return ((i == KEYS_OUT && j == KEYS_IN) || (i == VALUES_OUT && j == VALUES_IN)) &&
           extents[i].begin == extents[j].begin;
}

/* Returns whether the written array i may overlap j: values in place are written when the columns have been read. */
static bool may_overlap(size_t i, size_t j, const struct cls_arrays *arrays)
{
    return i >= ARRAYS_OUT && j >= COLUMNS &&
           cls_value_array_is_in_place(arrays, (unsigned)(i - ARRAYS_OUT));
}

/* Checks that written arrays overlap no other; inputs may overlap each other. */
static clsort_status check_overlap(const struct requirement *required, const struct extent *extents,
                                   size_t count, const struct cls_arrays *arrays,
                                   bool may_be_in_place)
{
    char names[2][NAME_BYTES];
    for (size_t i = 0; i < KEYS_IN; i++)
        for (size_t j = i + 1; extents[i].root && j < count; j++)
            if (overlap(&extents[i], &extents[j]) && !may_overlap(i, j, arrays))
                return cls_fail(CLSORT_E_OVERLAP, "%s overlaps %s: the sort writes to %s%s",
                                name_of(&required[i], names[0]), name_of(&required[j], names[1]),
                                name_of(&required[i], names[0]),
                                may_be_in_place && is_in_place(i, j, extents)
                                    ? "; to sort in place, set the outputs to the buffers and "
                                      "offsets of the inputs"
                                    : "");
    return CLSORT_OK;
}

/* Sets what each column requires of its buffer. */
static void require_columns(const struct clsort_plan *plan, const struct cls_arrays *arrays,
                            struct requirement *required)
{
    for (unsigned i = 0; arrays->columns && i < plan->request.spec.column_buffers; i++) {
        const size_t size = plan->request.columns.column[i].bytes;
        required[i] = (struct requirement){"columns",
                                           arrays->columns[i],
                                           arrays->count * size,
                                           cls_alignment(size),
                                           false,
                                           CLSORT_E_BUFFER_SIZE,
                                           i + 1};
    }
}

/* Sets what each array of values requires of its buffers: in place, of the output only. */
static void require_values(const struct clsort_plan *plan, const struct cls_arrays *arrays,
                           struct requirement *out, struct requirement *in)
{
    for (unsigned i = 0; arrays->value_arrays && i < plan->request.value_count; i++) {
        const size_t size = plan->request.value_sizes[i];
        out[i] = (struct requirement){"value_arrays",
                                      arrays->value_arrays[i],
                                      arrays->count * size,
                                      cls_alignment(size),
                                      false,
                                      CLSORT_E_BUFFER_SIZE,
                                      i + 1};
        if (!cls_value_array_is_in_place(arrays, i)) {
            in[i] = out[i];
            out[i].name = "value_arrays_out";
            out[i].buffer = arrays->value_arrays_out[i];
        }
        out[i].is_written = true;
    }
}

/* Checks every buffer of a sort, and that no written array overlaps another. */
static cl_int check_arrays(const struct clsort_plan *plan, const struct cls_arrays *arrays,
                           const clsort_io *io, uint64_t scratch_bytes)
{
    const struct cls_spec *spec = &plan->request.spec;
    const struct cls_operation_info *operation = cls_operation_of(spec);
    const bool in_place = arrays->in_place;
    const bool has_first = io->count > 0; /* otherwise the second input replaces the first */
    const uint64_t first = arrays->count - arrays->second_count;
    const uint64_t out = operation->selects ? arrays->out_count : arrays->count;
    const size_t index = plan->request.index_bytes, offset = index > 0 ? index : 1;
    const size_t count = spec->count_bytes;
    const uint64_t values_in = spec->operation == CLSORT_GATHER ? arrays->source_count : first;
    const size_t key = spec->key_bytes, value = spec->value_bytes;
    const size_t key_alignment = cls_alignment(key), value_alignment = cls_alignment(value);
    const clsort_status too_small = CLSORT_E_BUFFER_SIZE;
    const size_t all = COLUMNS + spec->column_buffers;
    struct requirement required[ALL] = {
        [KEYS_OUT] = {in_place ? "keys" : "keys_out", arrays->keys_out, out * key, key_alignment,
                      true, too_small, 0},
        [VALUES_OUT] = {in_place && arrays->values_in.mem ? "values" : operation->values_out,
                        arrays->values_out, out * value, value_alignment, true, too_small, 0},
        [INDEX_OUT] = {"index_out", arrays->index_out, out * index, index, true, too_small, 0},
        [RESULT] = {"result", arrays->result, sizeof(cl_ulong), sizeof(cl_ulong), true, too_small,
                    0},
        [SCRATCH] = {"scratch", io->scratch, scratch_bytes, 8, true, CLSORT_E_SCRATCH_SIZE, 0},
        [KEYS_IN] = {has_first ? operation->keys_in : "second_keys", arrays->keys_in, first * key,
                     key_alignment, false, too_small, 0},
        [VALUES_IN] = {has_first ? "values" : "second_values", arrays->values_in, values_in * value,
                       value_alignment, false, too_small, 0},
        [SECOND_KEYS] = {"second_keys", arrays->second_keys, arrays->second_count * key,
                         key_alignment, false, too_small, 0},
        [SECOND_VALUES] = {"second_values", arrays->second_values, arrays->second_count * value,
                           value_alignment, false, too_small, 0},
        [OFFSETS] = {"offsets", arrays->offsets,
                     (arrays->segment_count + (spec->segments == CLSORT_OFFSETS)) * index, offset,
                     false, too_small, 0},
        [ENDS] = {"ends", arrays->ends, arrays->segment_count * index, offset, false, too_small, 0},
        [KS] = {"ks", arrays->ks, arrays->segment_count * index, offset, false, too_small, 0},
        [COUNT_BUFFER] = {"count_buffer", arrays->count_buffer, count, count, false, too_small, 0},
    };
    struct extent extents[ALL] = {{NULL, 0, 0}};
    require_columns(plan, arrays, &required[COLUMNS]);
    require_values(plan, arrays, &required[ARRAYS_OUT], &required[ARRAYS_IN]);
    for (size_t i = 0; i < all; i++) {
        const bool is_checked = in_place && (i == KEYS_IN || i == VALUES_IN); /* as the output */
        const cl_int status = required[i].buffer.mem && !is_checked
                                  ? check_buffer(plan->device, &required[i], &extents[i])
                                  : CL_SUCCESS;
        if (status != CL_SUCCESS)
            return status;
    }
    return check_overlap(required, extents, all, arrays, operation->in_place);
}

/* Checks and enqueues a sort of at least one element, or an operation that also has a result. */
static cl_int enqueue_sort(const struct clsort_plan *plan, const clsort_io *io,
                           struct cls_chain *chain)
{
    const struct cls_spec *spec = &plan->request.spec;
    struct cls_arrays arrays;
    cl_int status = cls_operation_of(spec)->read_io(io, spec, &arrays);
    if (status == CLSORT_OK)
        status = cls_value_arrays_read_io(io, &plan->request, &arrays);
    if (status == CLSORT_OK && !cls_count_fits(spec, arrays.count))
        status = cls_fail(CLSORT_E_COUNT, "%llu elements exceed the address space",
                          (unsigned long long)arrays.count);
    if (status != CLSORT_OK)
        return status;
    if (arrays.out_count > plan->max_output)
        return cls_fail(CLSORT_E_COUNT, "%zu segments have %llu output elements: at most %llu",
                        io->segment_count, (unsigned long long)arrays.out_count,
                        (unsigned long long)plan->max_output);
    if (plan->unstaged) {
        status = check_arrays(plan, &arrays, io, cls_plan_scratch_bytes(plan, arrays.count));
        return status == CL_SUCCESS ? cls_plan_enqueue(plan, &arrays, io->scratch, chain) : status;
    }
    const struct cls_sized_stage sized = cls_plan_sized_stage(plan, arrays.count);
    cls_columns_input_set(&plan->columns_input, &arrays);
    status = check_arrays(plan, &arrays, io, sized.scratch_bytes);
    return status == CL_SUCCESS ? cls_stage_enqueue(plan->device, sized.stage, &sized.layout,
                                                    &arrays, io->scratch, chain)
                                : status;
}

static clsort_status check_counts(const struct clsort_plan *plan, const clsort_io *io)
{
    const unsigned long long max = plan->max_count;
    if (io->count > max)
        return cls_fail(CLSORT_E_COUNT, "count is %zu: at most the plan's max_count, which is %llu",
                        io->count, max);
    if (io->second_count > max - io->count)
        return cls_fail(CLSORT_E_COUNT,
                        "count is %zu and second_count is %zu: together at most the plan's "
                        "max_count, which is %llu",
                        io->count, io->second_count, max);
    if (io->k > plan->max_k)
        return cls_fail(CLSORT_E_COUNT, "k is %zu: at most the plan's max_k, which is %llu", io->k,
                        (unsigned long long)plan->max_k);
    const uint64_t max_segments = cls_plan_max_segments(plan, io->count);
    if (io->segment_count > max_segments)
        return cls_fail(CLSORT_E_COUNT,
                        "segment_count is %zu: at most %llu segments; clsort_desc.max_segments is "
                        "0 or the maximum number",
                        io->segment_count, (unsigned long long)max_segments);
    return CLSORT_OK;
}

static cl_int enqueue(struct clsort_plan *plan, cl_command_queue queue, const clsort_io *io,
                      cl_uint wait_count, const cl_event *wait_list, cl_event *event)
{
    clsort_io own;
    struct cls_chain chain;
    if (!plan || !io)
        return cls_fail(CLSORT_E_ARGUMENT, "%s is NULL", plan ? "io" : "plan");
    cl_int status = cls_check_process();
    if (status == CL_SUCCESS)
        status = cls_versioned_copy(io, &own, sizeof own, "clsort_io", "CLSORT_IO_INIT");
    if (status == CL_SUCCESS)
        status = cls_check_queue(plan->device, queue);
    if (status == CL_SUCCESS)
        status = check_waits(plan->device, wait_count, wait_list);
    if (status == CL_SUCCESS)
        status = check_counts(plan, &own);
    if (status == CL_SUCCESS)
        status = cls_chain_begin(&chain, queue, wait_count, wait_list, event != NULL);
    if (status != CL_SUCCESS)
        return status;
    if (own.count + own.second_count > 0 || own.result.mem || plan->unstaged)
        status = enqueue_sort(plan, &own, &chain);
    return cls_chain_end(&chain, status, event);
}

clsort_status clsort_enqueue(clsort_plan *plan, cl_command_queue queue, const clsort_io *io,
                             cl_uint wait_count, const cl_event *wait_list, cl_event *event)
{
    cls_error_begin(plan ? plan->device->number : 0);
    if (event)
        *event = NULL;
    return cls_error_end(enqueue(plan, queue, io, wait_count, wait_list, event));
}
