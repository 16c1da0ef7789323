/* process.c - which process may use OpenCL after a fork */
#include "device/process.h"

#include <stdatomic.h>
#include <unistd.h>

static atomic_long owner; /* the process that uses OpenCL; 0: none yet */

bool cls_process_may_use_opencl(void)
{
    const long self = (long)getpid();
    long found = 0;
    return atomic_compare_exchange_strong(&owner, &found, self) || found == self;
}
