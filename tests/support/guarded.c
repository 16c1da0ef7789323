/* guarded.c - data in a device buffer, with canaries before it, where its offset leaves room, and
 * behind
 */
#include "guarded.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CANARY_BYTES = 192 };

const char *guarded_memory_name(enum guarded_memory memory)
{
    static const char *const names[] = {"plain", "narrow", "device", "host-ptr", "pinned", "sub"};
    return memory < GUARDED_MEMORY_COUNT ? names[memory] : NULL;
}

/* Depends on the place, so that canaries copied elsewhere are noticed. */
static uint8_t canary(size_t position)
{
    return (uint8_t)(position * 37 + (position >> 8) + 0xa5);
}

static cl_mem_flags create_flags(enum guarded_memory memory, enum guarded_use use)
{
    static const cl_mem_flags narrow[] = {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE};
    switch (memory) {
    case GUARDED_NARROW:
        return narrow[use] | CL_MEM_COPY_HOST_PTR;
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

/* The first byte at which a sub-buffer of the device may begin, in a parent that has some before.
 */
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

    guarded->start = origin + offset;
    guarded->size = size;
    guarded->whole_size = guarded->start + size + CANARY_BYTES;
    uint8_t *bytes = malloc(guarded->whole_size);
    if (!bytes)
        return CL_OUT_OF_HOST_MEMORY;
    for (size_t i = 0; i < guarded->whole_size; i++)
        bytes[i] = canary(i);
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
        guarded->place.mem = clCreateSubBuffer(guarded->whole, CL_MEM_READ_WRITE,
                                               CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
    } else if (!status) {
        status = clRetainMemObject(guarded->whole);
        guarded->place.mem = guarded->whole;
    }
    guarded->place.offset = offset;
    if (status)
        guarded_release(guarded);
    return status;
}

/* Through a copy: the host may not be allowed to read the buffer itself. */
static cl_int read_whole(const struct guarded *guarded, const struct env *env, uint8_t *bytes)
{
    cl_int status;
    cl_mem copy =
        clCreateBuffer(env->context, CL_MEM_READ_WRITE, guarded->whole_size, NULL, &status);
    if (status)
        return status;
    status = clEnqueueCopyBuffer(env->queue, guarded->whole, copy, 0, 0, guarded->whole_size, 0,
                                 NULL, NULL);
    if (!status)
        status = clEnqueueReadBuffer(env->queue, copy, CL_TRUE, 0, guarded->whole_size, bytes, 0,
                                     NULL, NULL);
    clReleaseMemObject(copy);
    return status;
}

cl_int guarded_read(const struct guarded *guarded, const struct env *env, void *data, bool *intact)
{
    uint8_t *bytes = malloc(guarded->whole_size);
    if (!bytes)
        return CL_OUT_OF_HOST_MEMORY;
    cl_int status = read_whole(guarded, env, bytes);
    if (!status) {
        *intact = true;
        for (size_t i = 0; i < guarded->start; i++)
            *intact &= bytes[i] == canary(i);
        for (size_t i = guarded->start + guarded->size; i < guarded->whole_size; i++)
            *intact &= bytes[i] == canary(i);
        if (data && guarded->size)
            memcpy(data, bytes + guarded->start, guarded->size);
    }
    free(bytes);
    return status;
}

void guarded_release(struct guarded *guarded)
{
    if (guarded->place.mem)
        clReleaseMemObject(guarded->place.mem);
    if (guarded->whole)
        clReleaseMemObject(guarded->whole);
    free(guarded->host);
    memset(guarded, 0, sizeof *guarded);
}
