/* 01_host_array.c - sort arrays in host memory: in one line, and with a choice of order and device */
#include "need.h"

#include <math.h>

enum { COUNT = 1000000 };

static float numbers[COUNT];

/* One call sorts in ascending order, on the device that $CLSORT_DEVICE names, or on the best one. */
static void sort_ascending(void)
{
    need(clsort_array(CLSORT_F32, numbers, COUNT), "clsort_array");
}

/* With an engine and a descriptor, the order and the device can be chosen. */
static void sort_descending(void)
{
    cl_device_id device;
    cl_context context;
    clsort_engine *engine;
    clsort_desc desc = CLSORT_DESC_INIT;
    cl_int status;

    need(clsort_find_device(getenv("CLSORT_DEVICE"), &device), "clsort_find_device");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    need(status, "clCreateContext");
    need(clsort_engine_create(context, device, NULL, &engine), "clsort_engine_create");

    desc.key = CLSORT_F32;
    desc.flags = CLSORT_DESCENDING | CLSORT_FLOAT_NUMERIC; /* NaNs are last in both directions */
    need(clsort_host(engine, NULL, &desc, COUNT, numbers, NULL), "clsort_host");

    clsort_engine_destroy(engine);
    need(clReleaseContext(context), "clReleaseContext");
}

/* Returns whether the numbers are ascending (sign 1) or descending (sign -1), with all NaNs at the end. */
static int is_ordered(float sign)
{
    for (size_t i = 1; i < COUNT; i++)
        if (isnan(numbers[i - 1]) ? !isnan(numbers[i]) : sign * numbers[i - 1] > sign * numbers[i])
            return 0;
    return 1;
}

int main(void)
{
    int rising, falling;

    for (size_t i = 0; i < COUNT; i++)
        numbers[i] = i % 1000 == 0 ? NAN : (float)rand() / (float)RAND_MAX - 0.5f;

    sort_ascending();
    rising = is_ordered(1);
    sort_descending();
    falling = is_ordered(-1);

    printf("%d floats: %s and %s\n", COUNT, rising ? "ascending" : "NOT ascending",
           falling ? "descending" : "NOT descending");
    return rising && falling ? EXIT_SUCCESS : EXIT_FAILURE;
}
