/* transfer.h - copies host arrays to buffers of the device and back */
#ifndef CLSORT_API_TRANSFER_H
#define CLSORT_API_TRANSFER_H

#include "device/device.h"

/* Copies a host array to a buffer. The copy may still be in progress when the
 * function returns; the caller finishes the queue before it returns the array to the user, also
 * after an error. */
cl_int cls_transfer_write(struct cls_device *device, cl_command_queue queue, clsort_buffer buffer,
                          const void *array, size_t bytes);

/* Copies from a buffer to a host array. After a success the copy is complete; after an
 * error the caller finishes the queue. */
cl_int cls_transfer_read(struct cls_device *device, cl_command_queue queue, clsort_buffer buffer,
                         void *array, size_t bytes);

#endif
