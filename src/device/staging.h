/* staging.h - memory of the host through which large arrays are copied to and from a device
 *
 * A driver copies from and to pinned memory at the speed of the link, but slowly from and to other
 * memory. Pinning an array takes longer than copying it to pinned memory by several threads. */
#ifndef CLSORT_DEVICE_STAGING_H
#define CLSORT_DEVICE_STAGING_H

#include <clsort.h>
#include <stdbool.h>
#include <stdint.h>

struct cls_device;

/* A device keeps at most one block of this size. */
enum { CLS_STAGING_BYTES = 64 << 20 };

/* A buffer in memory of the host, which pins that memory. No command uses the buffer itself. */
struct cls_staging {
    cl_mem mem; /* NULL: none */
    char *at;
};

/* Takes the block of the device for a copy of this many bytes, or creates it. Returns false if the
 * copy is to be made without it: if another thread uses it, memory is short, or the device has not
 * copied so much yet that pinning would save time. The caller gives it back with cls_staging_give when no
 * command uses it any more. */
bool cls_staging_take(struct cls_device *device, uint64_t bytes, struct cls_staging *staging);
void cls_staging_give(struct cls_device *device, struct cls_staging staging);

#endif
