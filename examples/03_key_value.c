/* 03_key_value.c - sort records by a key: values move along, and equal keys keep their order */
#include "need.h"

#include <stdint.h>

enum { COUNT = 500000, CELLS = 1000 };

/* Particles, which are sorted by their cells. */
struct particle {
    float x, y;
    uint32_t number; /* the index in the input */
};

static uint32_t cells[COUNT];
static struct particle particles[COUNT];

static uint32_t cell_of(const struct particle *particle)
{
    return (uint32_t)(particle->x * CELLS);
}

static void make_particles(void)
{
    for (uint32_t i = 0; i < COUNT; i++) {
        particles[i].x = (float)(rand() % 65536) / 65536;
        particles[i].y = (float)(rand() % 65536) / 65536;
        particles[i].number = i;
        cells[i] = cell_of(&particles[i]);
    }
}

/* Returns whether the particles are in order of their cells and, within a cell, of the input, each with its key. */
static int is_right(void)
{
    for (size_t i = 0; i < COUNT; i++) {
        if (cells[i] != cell_of(&particles[i]))
            return 0;
        if (i > 0 && (cells[i - 1] > cells[i] ||
                      (cells[i - 1] == cells[i] && particles[i - 1].number >= particles[i].number)))
            return 0;
    }
    return 1;
}

int main(void)
{
    cl_device_id device;
    cl_context context;
    clsort_engine *engine;
    clsort_desc desc = CLSORT_DESC_INIT;
    cl_int status;
    int right;

    make_particles();
    need(clsort_find_device(getenv("CLSORT_DEVICE"), &device), "clsort_find_device");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    need(status, "clCreateContext");
    need(clsort_engine_create(context, device, NULL, &engine), "clsort_engine_create");

    desc.key = CLSORT_U32;
    desc.value_size = sizeof particles[0];
    desc.end_bit = 10; /* cells are below 1024; fewer bits take less time */
    need(clsort_host(engine, NULL, &desc, COUNT, cells, particles), "clsort_host");

    clsort_engine_destroy(engine);
    need(clReleaseContext(context), "clReleaseContext");

    right = is_right();
    printf("%d particles by cell: %s\n", COUNT, right ? "in order, stable" : "NOT in order");
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
