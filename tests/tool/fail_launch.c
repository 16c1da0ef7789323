/* fail_launch.c - for LD_PRELOAD: launch number $CLSORT_FAIL_LAUNCH of the process fails, counted from 1 */
#include "next.h"

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdatomic.h>
#include <stdlib.h>

cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel,
                                          cl_uint dimensions, const size_t *offset,
                                          const size_t *global, const size_t *local,
                                          cl_uint wait_count, const cl_event *wait_list,
                                          cl_event *event)
{
    static atomic_long launches;
    cl_int(CL_API_CALL * enqueue)(cl_command_queue, cl_kernel, cl_uint, const size_t *,
                                  const size_t *, const size_t *, cl_uint, const cl_event *,
                                  cl_event *);
    const char *text = getenv("CLSORT_FAIL_LAUNCH");
    const long failing = text != NULL ? strtol(text, NULL, 10) : 0;

    if (atomic_fetch_add(&launches, 1) + 1 == failing)
        return CL_OUT_OF_RESOURCES;
    next_function("clEnqueueNDRangeKernel", &enqueue);
    return enqueue(queue, kernel, dimensions, offset, global, local, wait_count, wait_list, event);
}
