/* device_order.c - compares elements by the expression of --less, which only a device can evaluate
 *
 * CLSORT_CHECK finds the first element that precedes the one before it. Of the elements a, b, a, this is the second one
 * if b precedes a, the third one if a precedes b, and none if they are equal. */
#include "device_order.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { TRIPLE = 3, BUFFER = 1 << 20 /* bytes of elements that are checked at a time */ };

static size_t capacity_of(size_t size)
{
    return BUFFER / size > TRIPLE ? BUFFER / size : TRIPLE;
}

size_t device_order_memory(size_t size)
{
    return 2 * capacity_of(size) * size + BUFFER; /* scratch memory is less than that */
}

clsort_status device_order_open(struct device_order *order, const struct device *device,
                                const clsort_desc *desc, size_t size)
{
    clsort_desc check = *desc;
    size_t scratch_size;
    clsort_status status;

    *order = (struct device_order){.size = size, .capacity = capacity_of(size)};
    pthread_mutex_init(&order->mutex, NULL);
    check.operation = CLSORT_CHECK;
    check.algorithm = NULL;
    check.max_count = order->capacity;
    order->triple = malloc(TRIPLE * size);
    if (order->triple == NULL)
        return CLSORT_E_MEMORY;
    status = clsort_plan_create(device->engine, &check, &order->plan);
    if (status == CLSORT_OK)
        status = clsort_scratch_size(order->plan, order->capacity, &scratch_size);
    if (status == CLSORT_OK)
        order->queue = clCreateCommandQueue(device->context, device->id, 0, &status);
    if (status == CL_SUCCESS)
        order->elements = clCreateBuffer(device->context, CL_MEM_READ_WRITE, order->capacity * size,
                                         NULL, &status);
    if (status == CL_SUCCESS)
        order->scratch = clCreateBuffer(device->context, CL_MEM_READ_WRITE,
                                        scratch_size > 0 ? scratch_size : 1, NULL, &status);
    if (status == CL_SUCCESS)
        order->result =
            clCreateBuffer(device->context, CL_MEM_READ_WRITE, sizeof(uint64_t), NULL, &status);
    return status;
}

void device_order_close(struct device_order *order)
{
    const cl_mem buffers[] = {order->elements, order->scratch, order->result};

    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        if (buffers[i] != NULL)
            clReleaseMemObject(buffers[i]);
    if (order->queue != NULL)
        clReleaseCommandQueue(order->queue);
    clsort_plan_destroy(order->plan);
    free(order->triple);
    pthread_mutex_destroy(&order->mutex);
    *order = (struct device_order){.status = order->status};
}

/* Returns the index of the first element that precedes the one before it, or count, also after an error. The elements
 * fit in the buffer. */
static size_t check(struct device_order *order, const void *elements, size_t count)
{
    clsort_io io = CLSORT_IO_INIT;
    uint64_t result = count;

    if (order->status != CLSORT_OK)
        return count;
    io.count = count;
    io.keys = (clsort_buffer){order->elements, 0};
    io.scratch = (clsort_buffer){order->scratch, 0};
    io.result = (clsort_buffer){order->result, 0};
    clsort_status status = clEnqueueWriteBuffer(order->queue, order->elements, CL_FALSE, 0,
                                                count * order->size, elements, 0, NULL, NULL);
    if (status == CLSORT_OK)
        status = clsort_enqueue(order->plan, order->queue, &io, 0, NULL, NULL);
    if (status == CLSORT_OK)
        status = clEnqueueReadBuffer(order->queue, order->result, CL_TRUE, 0, sizeof result,
                                     &result, 0, NULL, NULL);
    if (status != CLSORT_OK)
        clFinish(order->queue); /* the elements may still be read */
    order->status = status;
    return status == CLSORT_OK ? (size_t)result : count;
}

int device_order_compare(struct device_order *order, const void *a, const void *b)
{
    const size_t size = order->size;

    if (memcmp(a, b, size) == 0)
        return 0;
    memcpy(order->triple, a, size);
    memcpy(order->triple + size, b, size);
    memcpy(order->triple + 2 * size, a, size);
    const size_t at = check(order, order->triple, TRIPLE);
    return order->status != CLSORT_OK || at == 2 ? -1 : at == 1 ? 1 : 0;
}

size_t device_order_disorder(struct device_order *order, const void *elements, size_t count)
{
    const unsigned char *bytes = elements;

    for (size_t at = 0, part; at + 1 < count; at += part - 1) {
        part = count - at < order->capacity ? count - at : order->capacity;
        pthread_mutex_lock(&order->mutex);
        const size_t found = check(order, bytes + at * order->size, part);
        pthread_mutex_unlock(&order->mutex);
        if (found < part)
            return at + found;
    }
    return count;
}
