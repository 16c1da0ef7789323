/* process.h - which process may use OpenCL after a fork */
#ifndef CLSORT_DEVICE_PROCESS_H
#define CLSORT_DEVICE_PROCESS_H

#include <clsort.h>
#include <stdbool.h>

/* Returns whether this process may use OpenCL through the library. The first process that calls this
 * function may; its child processes may not, since drivers lose their threads in a fork and then
 * wait forever. Takes no lock, which another thread could have held during the fork. */
bool cls_process_may_use_opencl(void);

/* Returns CLSORT_OK, or CL_INVALID_OPERATION if this process may not use OpenCL. */
clsort_status cls_check_process(void);

#endif
