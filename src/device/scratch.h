/* scratch.h - allocates scratch memory, and keeps some of it between sorts of host arrays */
#ifndef CLSORT_DEVICE_SCRATCH_H
#define CLSORT_DEVICE_SCRATCH_H

#include <clsort.h>
#include <stdint.h>

struct cls_device;

/* Kept buffers: one for each thread that sorts at the same time, up to this number. */
enum { CLS_KEPT_BUFFERS = 8 };

struct cls_scratch {
    cl_mem mem;
    uint64_t bytes;
};

/* The unused buffers that a device keeps: all that have a size. Protected by the mutex of the
 * device. Together they have at most a quarter of the device's memory. */
struct cls_kept {
    struct cls_scratch buffers[CLS_KEPT_BUFFERS];
};

/* Creates a buffer for scratch memory. If the device uses the host's memory, the buffer has large
 * pages where the system has them. The caller releases *mem. */
cl_int cls_scratch_create(const struct cls_device *device, uint64_t bytes, cl_mem *mem);

/* Takes a kept buffer of at least this size, or else creates one. The caller gives it back with
 * cls_scratch_give when all commands that use it have finished. */
cl_int cls_scratch_take(struct cls_device *device, uint64_t bytes, struct cls_scratch *scratch);
void cls_scratch_give(struct cls_device *device, struct cls_scratch scratch);

/* Returns the total size of the kept buffers. */
uint64_t cls_scratch_kept(struct cls_device *device);

/* Releases kept buffers, the largest first, until at most `bytes` are kept. */
void cls_scratch_trim(struct cls_device *device, uint64_t bytes);

#endif
