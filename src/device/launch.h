/* launch.h - kernels with their arguments, in a chain that obeys the queue's rules */
#ifndef CLSORT_DEVICE_LAUNCH_H
#define CLSORT_DEVICE_LAUNCH_H

#include <clsort.h>
#include <stdbool.h>

/* The commands of one sort, each after the one before. */
struct cls_chain {
    cl_command_queue queue;
    bool in_order;      /* the queue keeps the order by itself */
    bool wants_event;   /* the caller asked for one */
    cl_uint wait_count; /* what the first command waits for: the caller's events, then our last */
    const cl_event *wait_list;
    cl_event last;
};

cl_int cls_chain_begin(struct cls_chain *chain, cl_command_queue queue, cl_uint wait_count,
                       const cl_event *wait_list, bool wants_event);

/* Ends the chain. With status CL_SUCCESS the event of its last command (a marker, when there was no
 * command) goes to *event, unless NULL; else *event is NULL. Returns status, or what went wrong here. */
cl_int cls_chain_end(struct cls_chain *chain, cl_int status, cl_event *event);

/* A kernel while its arguments are set, one after the other. Errors are kept until cls_run. */
struct cls_launch {
    cl_kernel kernel;
    cl_uint next;
    cl_int status;
};

static inline struct cls_launch cls_launch(cl_kernel kernel)
{
    return (struct cls_launch){kernel, 0, CL_SUCCESS};
}

void cls_arg_buffer(struct cls_launch *launch, clsort_buffer buffer); /* BUFFER in types.cl */
void cls_arg_uint(struct cls_launch *launch, uint32_t value);
void cls_arg_ulong(struct cls_launch *launch, uint64_t value);
/* A struct that host and kernel share (layout.h). */
void cls_arg_struct(struct cls_launch *launch, const void *value, size_t bytes);
/* An unsigned number of 1, 2, 4 or 8 bytes: key_t and index_t. */
void cls_arg_sized(struct cls_launch *launch, unsigned bytes, uint64_t value);

cl_int cls_launch_enqueue(struct cls_chain *chain, struct cls_launch *launch, size_t groups,
                          size_t group_size);

/* Runs one group of a kernel whose only argument is a buffer of so many bytes, and reads what it wrote. Waits for
 * the device. */
cl_int cls_launch_alone(cl_context context, cl_device_id device, cl_kernel kernel,
                        size_t group_size, size_t bytes, void *numbers);

#endif
