/* 02_device_buffers.c - sort a buffer on the device, out of place, without waiting for the sort
 *
 * Upload, sort and download form a chain of events; the host waits only for the last. */
#include "need.h"

#include <stdint.h>

enum { COUNT = 1000000 };

static uint32_t numbers[COUNT], sorted[COUNT];

static cl_mem make_buffer(cl_context context)
{
    cl_int status;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof numbers, NULL, &status);

    need(status, "clCreateBuffer");
    return buffer;
}

static void sort_on_device(cl_context context, cl_device_id device, clsort_plan *plan)
{
    cl_mem input = make_buffer(context);
    cl_mem output = make_buffer(context);
    cl_event uploaded, sorting_done;
    clsort_io io = CLSORT_IO_INIT;
    cl_command_queue queue;
    cl_int status;

    queue = clCreateCommandQueue(context, device, 0, &status);
    need(status, "clCreateCommandQueue");
    need(clEnqueueWriteBuffer(queue, input, CL_FALSE, 0, sizeof numbers, numbers, 0, NULL,
                              &uploaded),
         "clEnqueueWriteBuffer");
    io.count = COUNT;
    io.keys.mem = input;
    io.keys_out.mem = output;
    need(clsort_enqueue(plan, queue, &io, 1, &uploaded, &sorting_done), "clsort_enqueue");
    need(clEnqueueReadBuffer(queue, output, CL_TRUE, 0, sizeof sorted, sorted, 1, &sorting_done,
                             NULL),
         "clEnqueueReadBuffer");

    need(clReleaseEvent(uploaded), "clReleaseEvent");
    need(clReleaseEvent(sorting_done), "clReleaseEvent");
    need(clReleaseMemObject(input), "clReleaseMemObject");
    need(clReleaseMemObject(output), "clReleaseMemObject");
    need(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
}

int main(void)
{
    cl_device_id device;
    cl_context context;
    clsort_engine *engine;
    clsort_plan *plan;
    clsort_desc desc = CLSORT_DESC_INIT; /* u32 keys without values, ascending */
    cl_int status;
    size_t i;

    for (i = 0; i < COUNT; i++)
        numbers[i] = (uint32_t)rand();

    need(clsort_find_device(getenv("CLSORT_DEVICE"), &device), "clsort_find_device");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    need(status, "clCreateContext");
    need(clsort_engine_create(context, device, NULL, &engine), "clsort_engine_create");
    need(clsort_plan_create(engine, &desc, &plan), "clsort_plan_create"); /* compiles */
    sort_on_device(context, device, plan); /* a plan sorts any number of times */
    clsort_plan_destroy(plan);
    clsort_engine_destroy(engine);
    need(clReleaseContext(context), "clReleaseContext");

    for (i = 1; i < COUNT && sorted[i - 1] <= sorted[i]; i++)
        ;
    printf("%d numbers: %s\n", COUNT, i == COUNT ? "ascending" : "NOT ascending");
    return i == COUNT ? EXIT_SUCCESS : EXIT_FAILURE;
}
