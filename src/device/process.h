/* process.h - which process may use OpenCL after a fork */
#ifndef CLSORT_DEVICE_PROCESS_H
#define CLSORT_DEVICE_PROCESS_H

#include <stdbool.h>

/* Returns whether this process may use OpenCL through the library. The first process that calls this
 * function may; its child processes may not, since drivers lose their threads in a fork and then
 * wait forever. Takes no lock, which another thread could have held during the fork. */
bool cls_process_may_use_opencl(void);

#endif
