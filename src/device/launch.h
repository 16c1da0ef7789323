/* launch.h - kernel arguments, and chains of launches on in-order and out-of-order queues */
#ifndef CLSORT_DEVICE_LAUNCH_H
#define CLSORT_DEVICE_LAUNCH_H

#include <clsort.h>
#include <stdbool.h>

/* The commands of one sort, each of which depends on the preceding one. */
struct cls_chain {
    cl_command_queue queue;
    bool in_order;      /* an in-order queue: commands need no events to depend on each other */
    bool wants_event;   /* the caller requests an event */
    cl_uint wait_count; /* what the next command waits for: at first the caller's events */
    const cl_event *wait_list;
    cl_event last; /* of the last command, or NULL */
};

/* Begins a chain whose first command waits for the events in wait_list. */
cl_int cls_chain_begin(struct cls_chain *chain, cl_command_queue queue, cl_uint wait_count,
                       const cl_event *wait_list, bool wants_event);

/* Ends the chain. If status is CL_SUCCESS, sets *event to the event of the last command, or of a
 * marker if there was no command; otherwise sets it to NULL. event may be NULL. Returns status, or
 * the error of the marker. */
cl_int cls_chain_end(struct cls_chain *chain, cl_int status, cl_event *event);

/* A kernel whose arguments are set in order by the functions cls_arg_*, which record errors. */
struct cls_launch {
    cl_kernel kernel;
    cl_uint next;  /* index of the next argument */
    cl_int status; /* the first error */
};

static inline struct cls_launch cls_launch(cl_kernel kernel)
{
    return (struct cls_launch){kernel, 0, CL_SUCCESS};
}

/* Sets the two arguments that the macros BUFFER and INPUT of the kernels declare. */
void cls_arg_buffer(struct cls_launch *launch, clsort_buffer buffer);
void cls_arg_uint(struct cls_launch *launch, uint32_t value);
void cls_arg_ulong(struct cls_launch *launch, uint64_t value);
/* Passes a struct of a layout header by value. */
void cls_arg_struct(struct cls_launch *launch, const void *value, size_t bytes);
/* Passes an unsigned number of 1, 2, 4 or 8 bytes: key_t and index_t. */
void cls_arg_sized(struct cls_launch *launch, unsigned bytes, uint64_t value);

/* Appends the launch to the chain. Returns the first error of the arguments or of the launch. */
cl_int cls_launch_enqueue(struct cls_chain *chain, struct cls_launch *launch, size_t groups,
                          size_t group_size);

/* Appends a copy between buffers to the chain. */
cl_int cls_copy_enqueue(struct cls_chain *chain, clsort_buffer from, clsort_buffer to,
                        size_t bytes);

/* Runs one work-group of a kernel whose only argument is a buffer of this size, and reads the
 * buffer. Waits for the device. */
cl_int cls_launch_alone(cl_context context, cl_device_id device, cl_kernel kernel,
                        size_t group_size, size_t bytes, void *result);

#endif
