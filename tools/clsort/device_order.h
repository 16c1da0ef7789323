/* device_order.h - compares elements by the expression of --less, which only a device can evaluate */
#ifndef CLSORT_TOOLS_DEVICE_ORDER_H
#define CLSORT_TOOLS_DEVICE_ORDER_H

#include "device.h"

#include <pthread.h>
#include <stddef.h>

struct device_order {
    clsort_status status; /* of the comparisons; after an error, all elements seem to be in order */
    pthread_mutex_t mutex; /* for the members below */
    cl_command_queue queue;
    clsort_plan *plan;
    cl_mem elements, scratch, result;
    size_t size, capacity; /* of an element; of the buffer, in elements */
    unsigned char *triple; /* space for three elements */
};

/* Prepares comparisons of elements of `size` bytes in the order of a descriptor, and compiles their kernels. Returns an
 * error of the library. The caller calls device_order_close in either case. */
clsort_status device_order_open(struct device_order *order, const struct device *device,
                                const clsort_desc *desc, size_t size);
void device_order_close(struct device_order *order);

/* Returns the memory of the host that they take, if the device shares it. */
size_t device_order_memory(size_t size);

/* Returns a number below, equal to or above 0 if a precedes b, is equal to it, or follows it. */
int device_order_compare(struct device_order *order, const void *a, const void *b);

/* Returns the index of the first element that precedes the one before it, or count. Several threads can call it. */
size_t device_order_disorder(struct device_order *order, const void *elements, size_t count);

#endif
