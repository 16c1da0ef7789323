/* 07_segments.c - sort many lists in one call: the neighbours of each vertex of a graph in CSR format */
#include "need.h"

enum { VERTICES = 20000, MAX_NEIGHBOURS = 40 };

static cl_mem buffer(cl_context context, cl_mem_flags flags, size_t size, void *data)
{
    cl_int status;
    const cl_mem mem = clCreateBuffer(context, flags, size, data, &status);
    need(status, "clCreateBuffer");
    return mem;
}

/* Makes lists of pseudo-random neighbours. Returns their total length. */
static uint32_t make_graph(uint32_t *offsets, uint32_t *neighbours)
{
    uint32_t count = 0;
    for (uint32_t v = 0; v < VERTICES; v++) {
        const uint32_t degree = v * 2654435761u % (MAX_NEIGHBOURS + 1); /* some have none */
        offsets[v] = count;
        for (uint32_t i = 0; i < degree; i++, count++)
            neighbours[count] = count * 2654435761u % VERTICES;
    }
    offsets[VERTICES] = count;
    return count;
}

static int is_sorted(const uint32_t *offsets, const uint32_t *neighbours)
{
    int sorted = 1;
    for (uint32_t v = 0; v < VERTICES; v++)
        for (uint32_t i = offsets[v] + 1; i < offsets[v + 1]; i++)
            sorted &= neighbours[i - 1] <= neighbours[i];
    return sorted;
}

int main(void)
{
    static uint32_t offsets[VERTICES + 1], neighbours[VERTICES * MAX_NEIGHBOURS];
    const uint32_t count = make_graph(offsets, neighbours);

    cl_device_id device;
    cl_int status;
    need(clsort_find_device(getenv("CLSORT_DEVICE"), &device), "clsort_find_device");
    const cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    need(status, "clCreateContext");
    const cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    need(status, "clCreateCommandQueue");

    clsort_engine *engine;
    clsort_plan *plan;
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.key = CLSORT_U32;
    desc.max_count = VERTICES * MAX_NEIGHBOURS;
    desc.segments = CLSORT_OFFSETS;
    desc.index_size = sizeof *offsets;
    desc.max_segments = VERTICES;
    need(clsort_engine_create(context, device, NULL, &engine), "clsort_engine_create");
    need(clsort_plan_create(engine, &desc, &plan), "clsort_plan_create");

    clsort_io io = CLSORT_IO_INIT; /* in place, with scratch memory that the call allocates */
    io.count = count;
    io.segment_count = VERTICES;
    io.keys.mem = buffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                         count * sizeof *neighbours, neighbours);
    io.offsets.mem =
        buffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof offsets, offsets);
    io.result.mem = buffer(context, CL_MEM_READ_WRITE, sizeof(uint64_t), NULL);
    need(clsort_enqueue(plan, queue, &io, 0, NULL, NULL), "clsort_enqueue");

    uint64_t clamped;
    need(clEnqueueReadBuffer(queue, io.keys.mem, CL_TRUE, 0, count * sizeof *neighbours, neighbours,
                             0, NULL, NULL),
         "clEnqueueReadBuffer");
    need(clEnqueueReadBuffer(queue, io.result.mem, CL_TRUE, 0, sizeof clamped, &clamped, 0, NULL,
                             NULL),
         "clEnqueueReadBuffer");
    const int right = is_sorted(offsets, neighbours) && clamped == 0;
    printf("%d lists of %u neighbours in total: %s\n", VERTICES, (unsigned)count,
           right ? "sorted" : "NOT sorted");

    clReleaseMemObject(io.keys.mem);
    clReleaseMemObject(io.offsets.mem);
    clReleaseMemObject(io.result.mem);
    clsort_plan_destroy(plan);
    clsort_engine_destroy(engine);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
