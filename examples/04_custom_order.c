/* 04_custom_order.c - sort structs in a custom order: by price, and at equal prices by descending sales */
#include "need.h"

#include <stdint.h>

enum { COUNT = 300000 };

struct offer {
    float price;
    uint32_t sold;
};

/* The same struct in OpenCL C, and the order: an expression that is true if offer `a` precedes offer `b`. On CPUs, |
 * and & are faster than || and &&, which branch. */
static const char OFFER[] = "struct offer { float price; uint sold; };";
static const char ORDER[] = "(a.price < b.price) | ((a.price == b.price) & (a.sold > b.sold))";

static struct offer offers[COUNT], sorted[COUNT];
static uint32_t rows[COUNT]; /* the index of each offer in the input */

static int is_right(void)
{
    for (size_t i = 0; i < COUNT; i++) {
        const struct offer *now = &sorted[i], *row = &offers[rows[i]];
        if (now->price != row->price || now->sold != row->sold)
            return 0;
        if (i > 0 && (now[-1].price > now->price ||
                      (now[-1].price == now->price && now[-1].sold < now->sold)))
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

    for (uint32_t i = 0; i < COUNT; i++) {
        offers[i].price = (float)(rand() % 10000) / 100;
        offers[i].sold = (uint32_t)rand() % 100;
        sorted[i] = offers[i];
        rows[i] = i;
    }
    need(clsort_find_device(getenv("CLSORT_DEVICE"), &device), "clsort_find_device");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    need(status, "clCreateContext");
    need(clsort_engine_create(context, device, NULL, &engine), "clsort_engine_create");

    desc.key = CLSORT_CUSTOM;
    desc.key_size = sizeof sorted[0];
    desc.prelude = OFFER;
    desc.key_type = "struct offer";
    desc.less = ORDER;
    desc.value_size = sizeof rows[0];
    /* If the compiler rejects the order, need() prints its output, with the line of the error. */
    need(clsort_host(engine, NULL, &desc, COUNT, sorted, rows), "clsort_host");

    clsort_engine_destroy(engine);
    need(clReleaseContext(context), "clReleaseContext");

    right = is_right();
    printf("%d offers by price and sales: %s\n", COUNT, right ? "in order" : "NOT in order");
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
