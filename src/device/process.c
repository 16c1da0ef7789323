/* process.c - which process may use OpenCL after a fork */
#include "device/process.h"

#include "base/error.h"

#include <stdatomic.h>
#include <unistd.h>

static atomic_long owner; /* the process that uses OpenCL; 0: none yet */

bool cls_process_may_use_opencl(void)
{
    const long self = (long)getpid();
    long found = 0;
    return atomic_compare_exchange_strong(&owner, &found, self) || found == self;
}

clsort_status cls_check_process(void)
{
    return cls_process_may_use_opencl()
               ? CLSORT_OK
               : cls_fail(
                     CL_INVALID_OPERATION,
                     "OpenCL cannot be used in a child of a process that has used it: call exec "
                     "in the child, or use OpenCL only there");
}
