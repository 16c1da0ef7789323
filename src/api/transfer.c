/* transfer.c - copies host arrays to buffers of the device and back
 *
 * Large arrays are copied through pinned memory (device/staging.h) in chunks, by several threads. A
 * thread has two slots in that memory: while the device copies one, the thread copies the other. On
 * an H100's host with 16 cores, 2^30 bytes take 22 ms in each direction (48 GB/s; copies by the
 * driver from and to pinned memory reach 53), with one thread 160 ms, and without pinned memory 165
 * and 85 ms. */
#include "api/transfer.h"

#include "base/arithmetic.h"
#include "base/error.h"
#include "base/platform.h"
#include "device/staging.h"
#include "host/threads.h"

#include <string.h>

enum {
    MAX_THREADS = 16,
    THREAD_BYTES = 2 << 20, /* for which creating a thread pays off */
    SLOTS = 2,              /* of a thread */
    MIN_CHUNK = 256 << 10,
    MAX_CHUNK = CLS_STAGING_BYTES / (MAX_THREADS * SLOTS),
    MIN_STAGED = 2 * MIN_CHUNK /* bytes; the driver copies fewer as fast */
};

struct copy {
    cl_command_queue queue;
    clsort_buffer buffer;
    const char *from; /* the array that is written to the buffer; NULL: it is read */
    char *to;         /* the array that is read from the buffer */
    size_t bytes;
    size_t chunk_bytes;
    char *staging;
    atomic_size_t next; /* offset of the next chunk */
    atomic_int status;
};

/* A chunk that is being copied between the buffer and staging memory. */
struct slot {
    char *at;
    size_t offset, bytes;
    cl_event copied; /* NULL: none */
};

static void start(struct copy *copy, struct slot *slot, size_t offset)
{
    const size_t left = copy->bytes - offset;
    slot->offset = offset;
    slot->bytes = left < copy->chunk_bytes ? left : copy->chunk_bytes;
    if (copy->from)
        memcpy(slot->at, copy->from + offset, slot->bytes);
    const cl_mem mem = copy->buffer.mem;
    const size_t at = copy->buffer.offset + offset;
    const cl_int status = copy->from
                              ? clEnqueueWriteBuffer(copy->queue, mem, CL_FALSE, at, slot->bytes,
                                                     slot->at, 0, NULL, &slot->copied)
                              : clEnqueueReadBuffer(copy->queue, mem, CL_FALSE, at, slot->bytes,
                                                    slot->at, 0, NULL, &slot->copied);
    if (status != CL_SUCCESS) {
        slot->copied = NULL;
        atomic_store(&copy->status, status);
    } else {
        clFlush(copy->queue); /* an error appears again when the event is waited for */
    }
}

static void finish(struct copy *copy, struct slot *slot)
{
    if (!slot->copied)
        return;
    const cl_int status = clWaitForEvents(1, &slot->copied);
    clReleaseEvent(slot->copied);
    slot->copied = NULL;
    if (status != CL_SUCCESS)
        atomic_store(&copy->status, status);
    else if (copy->to)
        memcpy(copy->to + slot->offset, slot->at, slot->bytes);
}

/* The work of one thread. */
static void copy_chunks(void *data, size_t thread)
{
    struct copy *copy = data;
    struct slot slots[SLOTS] = {{NULL, 0, 0, NULL}};
    size_t next = 0, offset;
    for (size_t i = 0; i < SLOTS; i++)
        slots[i].at = copy->staging + (thread * SLOTS + i) * copy->chunk_bytes;
    while (atomic_load(&copy->status) == CL_SUCCESS &&
           (offset = atomic_fetch_add(&copy->next, copy->chunk_bytes)) < copy->bytes) {
        finish(copy, &slots[next]);
        start(copy, &slots[next], offset);
        next = (next + 1) % SLOTS;
    }
    for (size_t i = 0; i < SLOTS; i++)
        finish(copy, &slots[(next + i) % SLOTS]);
}

/* Returns the number of threads for a copy. */
static size_t threads_for(size_t bytes)
{
    const size_t cores = cls_cores(), max = cores < MAX_THREADS ? cores : MAX_THREADS;
    const size_t wanted = bytes / THREAD_BYTES;
    return wanted < 1 ? 1 : wanted < max ? wanted : max;
}

/* Returns the size of chunks: a power of two, of which each thread gets about four if there are so
 * many of the smallest size. */
static size_t chunk_for(size_t bytes, size_t threads)
{
    size_t chunk = MIN_CHUNK;
    while (chunk < MAX_CHUNK && chunk * 4 * threads < bytes)
        chunk *= 2;
    return chunk;
}

/* Makes the copy through staging memory, if that is available. Returns whether it did; *status is
 * then the result. No command of the copy is in progress any more, also after an error. */
static bool copy_staged(struct cls_device *device, struct copy *copy, cl_int *status)
{
    struct cls_staging staging;
    if (copy->bytes < MIN_STAGED || device->caps.shares_memory ||
        !cls_staging_take(device, copy->bytes, &staging))
        return false;
    const size_t threads = threads_for(copy->bytes);
    copy->chunk_bytes = chunk_for(copy->bytes, threads);
    copy->staging = staging.at;
    atomic_init(&copy->next, 0);
    atomic_init(&copy->status, CL_SUCCESS);
    cls_host_run(threads, copy_chunks, copy);
    *status = atomic_load(&copy->status);
    if (*status != CL_SUCCESS) { /* a wait may have failed */
        clFinish(copy->queue);
        clReleaseMemObject(staging.mem);
        staging = (struct cls_staging){NULL, NULL};
    }
    cls_staging_give(device, staging);
    return true;
}

cl_int cls_transfer_write(struct cls_device *device, cl_command_queue queue, clsort_buffer buffer,
                          const void *array, size_t bytes)
{
    struct copy copy = {.queue = queue, .buffer = buffer, .from = array, .bytes = bytes};
    cl_int status;
    if (!copy_staged(device, &copy, &status))
        status = clEnqueueWriteBuffer(queue, buffer.mem, CL_FALSE, buffer.offset, bytes, array, 0,
                                      NULL, NULL);
    return cls_called("clEnqueueWriteBuffer", status);
}

cl_int cls_transfer_read(struct cls_device *device, cl_command_queue queue, clsort_buffer buffer,
                         void *array, size_t bytes)
{
    struct copy copy = {.queue = queue, .buffer = buffer, .to = array, .bytes = bytes};
    cl_int status;
    if (!copy_staged(device, &copy, &status))
        status = clEnqueueReadBuffer(queue, buffer.mem, CL_TRUE, buffer.offset, bytes, array, 0,
                                     NULL, NULL);
    return cls_called("clEnqueueReadBuffer", status);
}
