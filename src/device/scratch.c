/* scratch.c - allocates scratch memory, and keeps some memory between sorts of host arrays
 *
 * Fresh memory costs a CPU a page fault per page at the first write and the same again when it is
 * returned to the system: for 2^24 u32 keys together half as much time as the sort. */
#include "device/scratch.h"

#include "base/arithmetic.h"
#include "base/error.h"
#include "base/platform.h"
#include "device/device.h"

/* -- allocation -------------------------------------------------------------------------------- */

static void CL_CALLBACK free_pages(cl_mem mem, void *pages)
{
    (void)mem;
    cls_pages_free(pages);
}

bool cls_create_in_pages(const struct cls_device *device, uint64_t bytes, cl_mem *mem, char **at)
{
    cl_int status;
    char *pages = bytes <= SIZE_MAX ? cls_pages_alloc((size_t)bytes) : NULL;
    if (!pages)
        return false;
    *mem = clCreateBuffer(device->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, (size_t)bytes,
                          pages, &status);
    if (status == CL_SUCCESS) {
        status = clSetMemObjectDestructorCallback(*mem, free_pages, pages);
        if (status != CL_SUCCESS)
            clReleaseMemObject(*mem);
    }
    if (status != CL_SUCCESS)
        cls_pages_free(pages);
    *at = pages;
    return status == CL_SUCCESS;
}

cl_int cls_scratch_create(const struct cls_device *device, uint64_t bytes, cl_mem *mem)
{
    cl_int status;
    char *at;
    if (device->caps.shares_memory && bytes >= CLS_MIN_PAGES_BYTES &&
        cls_create_in_pages(device, bytes, mem, &at))
        return CL_SUCCESS;
    *mem = clCreateBuffer(device->context, CL_MEM_READ_WRITE, (size_t)bytes, NULL, &status);
    return status == CL_SUCCESS
               ? status
               : cls_fail(status, "clCreateBuffer returned %s for %llu bytes of scratch",
                          clsort_status_string(status), (unsigned long long)bytes);
}

/* -- kept memory ------------------------------------------------------------------------------- */

/* Returns the size of the buffers and of the block. */
static uint64_t total_of_shared(const struct cls_kept *kept)
{
    uint64_t bytes = kept->block.bytes;
    for (size_t i = 0; i < CLS_KEPT_BUFFERS; i++)
        bytes += kept->buffers[i].bytes;
    return bytes;
}

static uint64_t total(const struct cls_kept *kept)
{
    return total_of_shared(kept) + (kept->staging.mem ? CLS_STAGING_BYTES : 0);
}

/* Returns whether memory of this size may be kept in place of memory of another size. */
static bool may_replace(const struct cls_device *device, uint64_t bytes, uint64_t replaced)
{
    const uint64_t others = total_of_shared(&device->kept) - replaced;
    const uint64_t max = device->caps.global_bytes / 4;
    return bytes > replaced && others <= max && bytes <= max - others;
}

/* Removes and returns a kept buffer: the smallest of those with at least `bytes`, or the largest if
 * all are smaller. Its size is 0 if no buffer is kept. */
static struct cls_scratch remove_best(struct cls_kept *kept, uint64_t bytes)
{
    struct cls_scratch *best = &kept->buffers[0];
    for (size_t i = 1; i < CLS_KEPT_BUFFERS; i++) {
        struct cls_scratch *buffer = &kept->buffers[i];
        const bool is_better = best->bytes < bytes
                                   ? buffer->bytes > best->bytes
                                   : buffer->bytes >= bytes && buffer->bytes < best->bytes;
        if (is_better)
            best = buffer;
    }
    const struct cls_scratch removed = *best;
    *best = (struct cls_scratch){NULL, 0};
    return removed;
}

cl_int cls_scratch_take(struct cls_device *device, uint64_t bytes, struct cls_scratch *scratch)
{
    pthread_mutex_lock(&device->mutex);
    *scratch = remove_best(&device->kept, bytes);
    pthread_mutex_unlock(&device->mutex);
    if (scratch->bytes >= bytes)
        return CL_SUCCESS;
    /* The new buffer replaces the one that is too small. */
    if (scratch->bytes > 0)
        clReleaseMemObject(scratch->mem);
    *scratch = (struct cls_scratch){NULL, 0};
    cl_int status = cls_scratch_create(device, bytes, &scratch->mem);
    if (cls_is_shortage(status) && cls_scratch_kept(device) > 0) {
        cls_scratch_trim(device, 0);
        status = cls_scratch_create(device, bytes, &scratch->mem);
    }
    if (status == CL_SUCCESS)
        scratch->bytes = bytes;
    return status;
}

void cls_scratch_give(struct cls_device *device, struct cls_scratch scratch)
{
    pthread_mutex_lock(&device->mutex);
    struct cls_scratch *smallest = &device->kept.buffers[0];
    for (size_t i = 1; i < CLS_KEPT_BUFFERS; i++)
        if (device->kept.buffers[i].bytes < smallest->bytes)
            smallest = &device->kept.buffers[i];
    if (may_replace(device, scratch.bytes, smallest->bytes)) {
        const struct cls_scratch replaced = *smallest;
        *smallest = scratch;
        scratch = replaced;
    }
    pthread_mutex_unlock(&device->mutex);
    if (scratch.bytes > 0)
        clReleaseMemObject(scratch.mem);
}

/* Makes `block` the kept one, and returns the one that was. */
static struct cls_block exchange_block(struct cls_kept *kept, struct cls_block block)
{
    const struct cls_block before = kept->block;
    kept->block = block;
    return before;
}

struct cls_block cls_block_alloc(uint64_t bytes)
{
    const size_t rounded = (size_t)cls_max(bytes, CLS_MIN_PAGES_BYTES);
    const struct cls_block block = {cls_pages_alloc(rounded), rounded};
    return block.at ? block : (struct cls_block){NULL, 0};
}

struct cls_block cls_block_take(struct cls_device *device, uint64_t bytes)
{
    pthread_mutex_lock(&device->mutex);
    struct cls_block block = exchange_block(&device->kept, (struct cls_block){NULL, 0});
    pthread_mutex_unlock(&device->mutex);
    if (block.at && block.bytes >= bytes)
        return block;
    cls_pages_free(block.at);
    block = cls_block_alloc(bytes);
    if (!block.at && cls_scratch_kept(device) > 0) {
        cls_scratch_trim(device, 0);
        block = cls_block_alloc(bytes);
    }
    return block;
}

void cls_block_give(struct cls_device *device, struct cls_block block)
{
    pthread_mutex_lock(&device->mutex);
    if (may_replace(device, block.bytes, device->kept.block.bytes))
        block = exchange_block(&device->kept, block);
    pthread_mutex_unlock(&device->mutex);
    cls_pages_free(block.at);
}

uint64_t cls_scratch_kept(struct cls_device *device)
{
    pthread_mutex_lock(&device->mutex);
    const uint64_t bytes = total(&device->kept);
    pthread_mutex_unlock(&device->mutex);
    return bytes;
}

/* Removes and returns the largest kept buffer, or staging memory if no other is kept. */
static cl_mem remove_largest(struct cls_kept *kept)
{
    const struct cls_scratch largest = remove_best(kept, UINT64_MAX);
    if (largest.bytes > 0)
        return largest.mem;
    const cl_mem staging = kept->staging.mem;
    kept->staging = (struct cls_staging){NULL, NULL};
    return staging;
}

static uint64_t largest_bytes(const struct cls_kept *kept)
{
    uint64_t largest = 0;
    for (size_t i = 0; i < CLS_KEPT_BUFFERS; i++)
        largest = cls_max(largest, kept->buffers[i].bytes);
    return largest;
}

void cls_scratch_trim(struct cls_device *device, uint64_t bytes)
{
    for (;;) {
        cl_mem largest = NULL;
        struct cls_block block = {NULL, 0};
        pthread_mutex_lock(&device->mutex);
        struct cls_kept *kept = &device->kept;
        if (total(kept) > bytes && kept->block.bytes > largest_bytes(kept))
            block = exchange_block(kept, block);
        else if (total(kept) > bytes)
            largest = remove_largest(kept);
        pthread_mutex_unlock(&device->mutex);
        if (!largest && !block.at)
            return;
        if (largest)
            clReleaseMemObject(largest);
        cls_pages_free(block.at);
    }
}
