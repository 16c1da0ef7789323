/* 09_records.c - sort whole records in a device buffer by several fields: particles by cell, then by depth */
#include "need.h"

#include <stddef.h>

enum { COUNT = 100000, CELLS = 64 };

struct particle {
    float depth, x, y, z;
    float speed[3];
    uint16_t cell, kind;
};

/* Fills the particles with pseudo-random numbers. */
static void fill(struct particle *particles)
{
    uint32_t state = 1;
    for (size_t i = 0; i < COUNT; i++) {
        state = state * 1664525u + 1013904223u;
        particles[i] = (struct particle){.depth = (float)(state >> 8) / (float)(1 << 24),
                                         .x = (float)i,
                                         .cell = (uint16_t)(state % CELLS)};
    }
}

/* Returns whether a particle belongs before or next to another one. */
static int is_in_order(const struct particle *a, const struct particle *b)
{
    return a->cell < b->cell || (a->cell == b->cell && a->depth >= b->depth);
}

int main(void)
{
    struct particle *particles = malloc(COUNT * sizeof *particles);
    if (!particles)
        return EXIT_FAILURE;
    fill(particles);

    cl_device_id device;
    cl_int status;
    need(clsort_find_device(getenv("CLSORT_DEVICE"), &device), "clsort_find_device");
    const cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    need(status, "clCreateContext");
    const cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    need(status, "clCreateCommandQueue");

    /* By cell; within a cell, the most distant particle first. */
    const clsort_column columns[] = {
        {.key = CLSORT_U16, .offset = offsetof(struct particle, cell)},
        {.key = CLSORT_F32, .flags = CLSORT_DESCENDING, .offset = offsetof(struct particle, depth)},
    };
    clsort_engine *engine;
    clsort_plan *plan;
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.columns = columns;
    desc.column_count = sizeof columns / sizeof *columns;
    desc.record_size = sizeof(struct particle);
    desc.max_count = COUNT;
    need(clsort_engine_create(context, device, NULL, &engine), "clsort_engine_create");
    need(clsort_plan_create(engine, &desc, &plan), "clsort_plan_create");

    const size_t bytes = COUNT * sizeof *particles;
    clsort_io io = CLSORT_IO_INIT; /* out of place, with scratch memory that the call allocates */
    io.count = COUNT;
    io.keys.mem =
        clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, particles, &status);
    need(status, "clCreateBuffer");
    io.keys_out.mem = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &status);
    need(status, "clCreateBuffer");
    need(clsort_enqueue(plan, queue, &io, 0, NULL, NULL), "clsort_enqueue");
    need(clEnqueueReadBuffer(queue, io.keys_out.mem, CL_TRUE, 0, bytes, particles, 0, NULL, NULL),
         "clEnqueueReadBuffer");

    int right = 1;
    for (size_t i = 1; i < COUNT; i++)
        right &= is_in_order(&particles[i - 1], &particles[i]);
    printf("%d particles of %zu bytes in %d cells: %s\n", COUNT, sizeof *particles, CELLS,
           right ? "sorted" : "NOT sorted");

    clReleaseMemObject(io.keys.mem);
    clReleaseMemObject(io.keys_out.mem);
    clsort_plan_destroy(plan);
    clsort_engine_destroy(engine);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    free(particles);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
