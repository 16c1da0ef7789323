/* guarded.c - data in a device buffer between canaries */
#include "guarded.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CANARY_BYTES = 192 };

const char *guarded_memory_name(enum guarded_memory memory)
{
    static const char *const names[] = {"plain",  "narrow", "device", "host-ptr",
                                        "pinned", "sub",    "const"};
    return memory < GUARDED_MEMORY_COUNT ? names[memory] : NULL;
}

/* A canary depends on its position, so that canaries that were copied elsewhere are detected. */
static uint8_t canary(size_t position)
{
    return (uint8_t)(position * 37 + (position >> 8) + 0xa5);
}

static void write_canaries(uint8_t *bytes, size_t first, size_t end)
{
    enum { PERIOD = 1 << 16 }; /* of canary() */
    size_t i = first;
    for (; i < end && i < first + PERIOD; i++)
        bytes[i] = canary(i);
    for (size_t copied; i < end; i += copied) {
        copied = end - i < PERIOD ? end - i : PERIOD;
        memcpy(bytes + i, bytes + i - PERIOD, copied);
    }
}

/* bytes[0] is at position `first`. */
static bool has_canaries(const uint8_t *bytes, size_t first, size_t count)
{
    bool intact = true;
    for (size_t i = 0; i < count; i++)
        intact &= bytes[i] == canary(first + i);
    return intact;
}

static cl_mem_flags create_flags(enum guarded_memory memory, enum guarded_use use)
{
    static const cl_mem_flags narrow[] = {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE};
    switch (memory) {
    case GUARDED_NARROW:
        return narrow[use] | CL_MEM_COPY_HOST_PTR;
    case GUARDED_CONST:
        return (use == GUARDED_INPUT ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE) | CL_MEM_COPY_HOST_PTR;
    case GUARDED_DEVICE:
        return CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS | CL_MEM_COPY_HOST_PTR;
    case GUARDED_HOST_PTR:
        return CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR;
    case GUARDED_PINNED:
        return CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
    default:
        return CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
    }
}

/* *origin becomes the smallest offset but 0 at which a sub-buffer may begin. */
static cl_int sub_buffer_origin(const struct env *env, size_t *origin)
{
    cl_uint bits = 0;
    cl_int status =
        clGetDeviceInfo(env->device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof bits, &bits, NULL);
    *origin = bits / 8;
    return status;
}

cl_int guarded_create(struct guarded *guarded, const struct env *env, enum guarded_memory memory,
                      enum guarded_use use, size_t offset, size_t size, const void *data)
{
    memset(guarded, 0, sizeof *guarded);
    cl_int status = CL_SUCCESS;
    size_t origin = 0;
    if (memory == GUARDED_SUB)
        status = sub_buffer_origin(env, &origin);
    if (status)
        return status;

    guarded->memory = memory;
    guarded->start = origin + offset;
    guarded->size = size;
    guarded->whole_size = guarded->start + size + CANARY_BYTES;
    uint8_t *bytes = malloc(guarded->whole_size);
    if (!bytes)
        return CL_OUT_OF_HOST_MEMORY;
    write_canaries(bytes, 0, data ? guarded->start : guarded->start + size);
    write_canaries(bytes, guarded->start + size, guarded->whole_size);
    if (data && size)
        memcpy(bytes + guarded->start, data, size);

    guarded->whole = clCreateBuffer(env->context, create_flags(memory, use), guarded->whole_size,
                                    bytes, &status);
    if (memory == GUARDED_HOST_PTR)
        guarded->host = bytes;
    else
        free(bytes);
    if (!status && memory == GUARDED_SUB) {
        cl_buffer_region region = {origin, guarded->whole_size - origin};
        guarded->buffer.mem = clCreateSubBuffer(guarded->whole, CL_MEM_READ_WRITE,
                                                CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
    } else if (!status) {
        status = clRetainMemObject(guarded->whole);
        guarded->buffer.mem = guarded->whole;
    }
    guarded->buffer.offset = offset;
    if (status)
        guarded_release(guarded);
    return status;
}

/* Returns a buffer with the same contents that the host may read. */
static cl_mem readable(const struct guarded *guarded, const struct env *env, cl_int *status)
{
    *status = CL_SUCCESS;
    if (guarded->memory != GUARDED_DEVICE) {
        *status = clRetainMemObject(guarded->whole);
        return *status ? NULL : guarded->whole;
    }
    cl_mem copy =
        clCreateBuffer(env->context, CL_MEM_READ_WRITE, guarded->whole_size, NULL, status);
    if (*status == CL_SUCCESS)
        *status = clEnqueueCopyBuffer(env->queue, guarded->whole, copy, 0, 0, guarded->whole_size,
                                      0, NULL, NULL);
    return copy;
}

static cl_int read_bytes(const struct env *env, cl_mem buffer, size_t first, size_t size,
                         void *bytes)
{
    return size == 0 ? CL_SUCCESS
                     : clEnqueueReadBuffer(env->queue, buffer, CL_TRUE, first, size, bytes, 0, NULL,
                                           NULL);
}

cl_int guarded_read(const struct guarded *guarded, const struct env *env, void *data, bool *intact)
{
    const size_t end = guarded->start + guarded->size, behind = guarded->whole_size - end;
    uint8_t *canaries = malloc(guarded->start + behind);
    if (!canaries)
        return CL_OUT_OF_HOST_MEMORY;
    cl_int status;
    cl_mem buffer = readable(guarded, env, &status);
    if (!status)
        status = read_bytes(env, buffer, 0, guarded->start, canaries);
    if (!status)
        status = read_bytes(env, buffer, end, behind, canaries + guarded->start);
    if (!status && data)
        status = read_bytes(env, buffer, guarded->start, guarded->size, data);
    if (!status)
        *intact = has_canaries(canaries, 0, guarded->start) &&
                  has_canaries(canaries + guarded->start, end, behind);
    if (buffer)
        clReleaseMemObject(buffer);
    free(canaries);
    return status;
}

/* Returns the index of the first byte that differs. */
static size_t first_difference(const uint8_t *a, const uint8_t *b, size_t size)
{
    size_t at = 0;
    while (at < size && a[at] == b[at])
        at++;
    return at;
}

bool guarded_has(const struct guarded *guarded, const struct env *env, const char *name,
                 const void *expected)
{
    uint8_t *found = malloc(guarded->size + 1);
    bool intact = false;
    const cl_int status =
        found ? guarded_read(guarded, env, found, &intact) : CL_OUT_OF_HOST_MEMORY;
    const size_t at =
        status || !expected ? guarded->size : first_difference(found, expected, guarded->size);
    free(found);
    if (status)
        fprintf(stderr, "%s: cannot be read: %s\n", name, clsort_status_string(status));
    else if (!intact)
        fprintf(stderr, "%s: canaries were overwritten\n", name);
    if (at < guarded->size)
        fprintf(stderr, "%s: byte %zu of %zu is wrong\n", name, at, guarded->size);
    return !status && intact && at == guarded->size;
}

void guarded_release(struct guarded *guarded)
{
    if (guarded->buffer.mem)
        clReleaseMemObject(guarded->buffer.mem);
    if (guarded->whole)
        clReleaseMemObject(guarded->whole);
    free(guarded->host);
    memset(guarded, 0, sizeof *guarded);
}
