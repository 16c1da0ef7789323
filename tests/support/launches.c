/* launches.c - replaces the loader's clEnqueueNDRangeKernel, to count launches and refuse what some devices refuse */
#include "launches.h"
#include "next.h"

#include <stdint.h>

size_t launches_counted;
size_t launches_max_group = SIZE_MAX;
cl_int launches_error = CL_SUCCESS;
size_t launches_first_error;
void (*launches_on_error)(void);

cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel,
                                          cl_uint dimensions, const size_t *offset,
                                          const size_t *global, const size_t *local,
                                          cl_uint wait_count, const cl_event *wait_list,
                                          cl_event *event)
{
    cl_int(CL_API_CALL * enqueue)(cl_command_queue, cl_kernel, cl_uint, const size_t *,
                                  const size_t *, const size_t *, cl_uint, const cl_event *,
                                  cl_event *);
    next_function("clEnqueueNDRangeKernel", &enqueue);
    launches_counted++;
    if (launches_error != CL_SUCCESS && launches_counted >= launches_first_error) {
        if (launches_on_error)
            launches_on_error();
        return launches_error;
    }
    size_t group = 1;
    for (cl_uint d = 0; d < dimensions; d++) {
        if (global[d] == 0)
            return CL_INVALID_GLOBAL_WORK_SIZE;
        group *= local ? local[d] : 1;
    }
    if (group > launches_max_group)
        return CL_INVALID_WORK_GROUP_SIZE;
    return enqueue(queue, kernel, dimensions, offset, global, local, wait_count, wait_list, event);
}
