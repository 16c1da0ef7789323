/* test_buffers.h - device buffers of self-tests */
#ifndef CLSORT_PLAN_TEST_BUFFERS_H
#define CLSORT_PLAN_TEST_BUFFERS_H

#include "device/device.h"

/* Creates a buffer with a copy of `data`, or with any contents if `data` is NULL. Returns NULL if it has no
 * bytes, after a failure, and if *status was a failure before. */
cl_mem cls_test_buffer_create(const struct cls_device *device, size_t bytes, void *data,
                              cl_int *status);

/* Waits for the commands in the queue, and copies the first bytes of a buffer, which may be none. */
cl_int cls_test_buffer_read(cl_command_queue queue, cl_mem buffer, size_t bytes, void *to);

/* Releases the buffers that are not NULL, and sets all to NULL. */
void cls_test_buffers_release(cl_mem *buffers, size_t count);

#endif
