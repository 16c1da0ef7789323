/* check_queue.h - whether a caller's queue belongs to an engine */
#ifndef CLSORT_API_CHECK_QUEUE_H
#define CLSORT_API_CHECK_QUEUE_H

#include "device/program.h"

/* CL_INVALID_COMMAND_QUEUE, CL_INVALID_CONTEXT or CL_INVALID_DEVICE when it does not. */
cl_int cls_check_queue(const struct cls_device *device, cl_command_queue queue);

#endif
