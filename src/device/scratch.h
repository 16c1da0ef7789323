/* scratch.h - allocates scratch memory, and keeps some memory between sorts of host arrays */
#ifndef CLSORT_DEVICE_SCRATCH_H
#define CLSORT_DEVICE_SCRATCH_H

#include "base/platform.h"
#include "device/staging.h"

struct cls_device;

/* Kept buffers: one for each thread that sorts at the same time, up to this number. */
enum { CLS_KEPT_BUFFERS = 8 };

struct cls_scratch {
    cl_mem mem;
    uint64_t bytes;
};

/* The unused memory that a device keeps, protected by the mutex of the device: the scratch buffers
 * that have a size and a block of host memory, together at most a quarter of the device's memory, and
 * staging memory. */
struct cls_kept {
    struct cls_scratch buffers[CLS_KEPT_BUFFERS];
    struct cls_block block;
    struct cls_staging staging;
};

/* Creates a buffer in memory of the host, in large pages where the system has them: the block *at,
 * which is freed with the buffer. Returns false if that fails. */
bool cls_create_in_pages(const struct cls_device *device, uint64_t bytes, cl_mem *mem, char **at);

/* Creates a buffer for scratch memory. If the device uses the host's memory, the buffer has large
 * pages where the system has them. The caller releases *mem. */
cl_int cls_scratch_create(const struct cls_device *device, uint64_t bytes, cl_mem *mem);

/* Takes a kept buffer of at least this size, or else creates one. The caller gives it back with
 * cls_scratch_give when all commands that use it have finished. */
cl_int cls_scratch_take(struct cls_device *device, uint64_t bytes, struct cls_scratch *scratch);
void cls_scratch_give(struct cls_device *device, struct cls_scratch scratch);

/* Returns a new block of at least `bytes`, or an empty one, at NULL, if there is no memory. */
struct cls_block cls_block_alloc(uint64_t bytes);

/* Takes the kept block of host memory if it has at least `bytes` bytes, or else allocates one. If
 * memory is short, releases what the device keeps first; if it is short nevertheless, the block is
 * empty, and at NULL. The caller gives it back with cls_block_give. */
struct cls_block cls_block_take(struct cls_device *device, uint64_t bytes);
void cls_block_give(struct cls_device *device, struct cls_block block);

/* Returns the total size of the kept memory. */
uint64_t cls_scratch_kept(struct cls_device *device);

/* Releases kept memory, the largest first and staging memory last, until at most `bytes` are kept. */
void cls_scratch_trim(struct cls_device *device, uint64_t bytes);

#endif
