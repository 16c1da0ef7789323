/* check_queue.h - checks that a queue belongs to the context and the device of an engine */
#ifndef CLSORT_API_CHECK_QUEUE_H
#define CLSORT_API_CHECK_QUEUE_H

#include "device/program.h"

/* Returns CL_INVALID_COMMAND_QUEUE, CL_INVALID_CONTEXT or CL_INVALID_DEVICE if it does not. */
cl_int cls_check_queue(const struct cls_device *device, cl_command_queue queue);

#endif
