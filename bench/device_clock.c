/* device_clock.c - the duration of commands by the clock of the device */
#include "device_clock.h"

cl_int device_clock_open(const struct target *target, struct device_clock *clock)
{
    cl_int status;
    clock->queue =
        clCreateCommandQueue(target->context, target->device, CL_QUEUE_PROFILING_ENABLE, &status);
    if (status == CL_SUCCESS)
        clock->mark =
            clCreateBuffer(target->context, CL_MEM_READ_WRITE, sizeof(cl_uint), NULL, &status);
    return status;
}

static void release_event(cl_event *event)
{
    if (*event)
        clReleaseEvent(*event);
    *event = NULL;
}

void device_clock_close(struct device_clock *clock)
{
    release_event(&clock->start);
    if (clock->mark)
        clReleaseMemObject(clock->mark);
    if (clock->queue)
        clReleaseCommandQueue(clock->queue);
}

static cl_int enqueue_mark(const struct device_clock *clock, cl_event *event)
{
    const cl_uint zero = 0;
    return clEnqueueFillBuffer(clock->queue, clock->mark, &zero, sizeof zero, 0, sizeof zero, 0,
                               NULL, event);
}

cl_int device_clock_start(struct device_clock *clock)
{
    release_event(&clock->start); /* left by a run that failed */
    return enqueue_mark(clock, &clock->start);
}

static cl_int time_of(cl_event event, cl_profiling_info moment, cl_ulong *nanoseconds)
{
    return clGetEventProfilingInfo(event, moment, sizeof *nanoseconds, nanoseconds, NULL);
}

cl_int device_clock_stop(struct device_clock *clock, double *seconds)
{
    cl_event stop = NULL;
    cl_ulong from = 0, to = 0;
    cl_int status = enqueue_mark(clock, &stop);
    if (status == CL_SUCCESS)
        status = clFinish(clock->queue);
    if (status == CL_SUCCESS)
        status = time_of(clock->start, CL_PROFILING_COMMAND_END, &from);
    if (status == CL_SUCCESS)
        status = time_of(stop, CL_PROFILING_COMMAND_START, &to);
    release_event(&stop);
    release_event(&clock->start);
    *seconds = 1e-9 * ((double)to - (double)from);
    return status;
}
