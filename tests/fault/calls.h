/* calls.h - the OpenCL calls that the layer intercepts, as X-macros; layer.c includes this file several times
 *
 * STATUS   returns a status and fails without any effect. On success it adds `gained` references of a kind.
 * HANDLE   like STATUS, but returns the new object. Its last parameter is `error`.
 * ENQUEUE  like STATUS, for commands. Its last parameter is `event`.
 * AFTER    takes effect and then fails. These are releases and unmapping, after which the object is gone
 *          whatever the status, and clFinish, because no memory could be released after a wait that did not
 *          happen.
 *
 * The codes are among those that the OpenCL 1.2 specification lists for the call. */
/* clang-format off */

/* devices */
STATUS(clGetPlatformIDs, CL_OUT_OF_HOST_MEMORY, FAULT_KINDS, 0,
       (cl_uint count, cl_platform_id *platforms, cl_uint *found), (count, platforms, found))
STATUS(clGetPlatformInfo, CL_OUT_OF_HOST_MEMORY, FAULT_KINDS, 0,
       (cl_platform_id platform, cl_platform_info what, size_t size, void *value, size_t *whole),
       (platform, what, size, value, whole))
STATUS(clGetDeviceIDs, CL_OUT_OF_RESOURCES, FAULT_KINDS, 0,
       (cl_platform_id platform, cl_device_type type, cl_uint count, cl_device_id *devices, cl_uint *found),
       (platform, type, count, devices, found))
STATUS(clGetDeviceInfo, CL_OUT_OF_RESOURCES, FAULT_KINDS, 0,
       (cl_device_id device, cl_device_info what, size_t size, void *value, size_t *whole),
       (device, what, size, value, whole))

/* contexts and queues */
HANDLE(cl_context, clCreateContext, CL_OUT_OF_HOST_MEMORY, FAULT_CONTEXTS,
       (const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
        void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *data, cl_int *error),
       (properties, count, devices, notify, data, error))
STATUS(clRetainContext, CL_OUT_OF_HOST_MEMORY, FAULT_CONTEXTS, 1, (cl_context context), (context))
AFTER(clReleaseContext, CL_OUT_OF_RESOURCES, FAULT_CONTEXTS, -1, (cl_context context), (context))
STATUS(clGetContextInfo, CL_OUT_OF_HOST_MEMORY, FAULT_KINDS, 0,
       (cl_context context, cl_context_info what, size_t size, void *value, size_t *whole),
       (context, what, size, value, whole))
HANDLE(cl_command_queue, clCreateCommandQueue, CL_OUT_OF_RESOURCES, FAULT_QUEUES,
       (cl_context context, cl_device_id device, cl_command_queue_properties properties, cl_int *error),
       (context, device, properties, error))
STATUS(clRetainCommandQueue, CL_OUT_OF_RESOURCES, FAULT_QUEUES, 1, (cl_command_queue queue), (queue))
AFTER(clReleaseCommandQueue, CL_OUT_OF_RESOURCES, FAULT_QUEUES, -1, (cl_command_queue queue), (queue))
STATUS(clGetCommandQueueInfo, CL_OUT_OF_HOST_MEMORY, FAULT_KINDS, 0,
       (cl_command_queue queue, cl_command_queue_info what, size_t size, void *value, size_t *whole),
       (queue, what, size, value, whole))
STATUS(clFlush, CL_OUT_OF_RESOURCES, FAULT_KINDS, 0, (cl_command_queue queue), (queue))
AFTER(clFinish, CL_OUT_OF_RESOURCES, FAULT_KINDS, (atomic_store(&unfinished, 0), 0),
      (cl_command_queue queue), (queue))

/* buffers */
HANDLE(cl_mem, clCreateBuffer, CL_MEM_OBJECT_ALLOCATION_FAILURE, FAULT_BUFFERS,
       (cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *error),
       (context, flags, size, host, error))
HANDLE(cl_mem, clCreateSubBuffer, CL_MEM_OBJECT_ALLOCATION_FAILURE, FAULT_BUFFERS,
       (cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type, const void *region, cl_int *error),
       (buffer, flags, type, region, error))
STATUS(clRetainMemObject, CL_OUT_OF_HOST_MEMORY, FAULT_BUFFERS, 1, (cl_mem buffer), (buffer))
AFTER(clReleaseMemObject, CL_OUT_OF_RESOURCES, FAULT_BUFFERS, -1, (cl_mem buffer), (buffer))
STATUS(clSetMemObjectDestructorCallback, CL_OUT_OF_RESOURCES, FAULT_KINDS, 0,
       (cl_mem buffer, void(CL_CALLBACK *notify)(cl_mem, void *), void *data), (buffer, notify, data))
STATUS(clGetMemObjectInfo, CL_OUT_OF_HOST_MEMORY, FAULT_KINDS, 0,
       (cl_mem buffer, cl_mem_info what, size_t size, void *value, size_t *whole),
       (buffer, what, size, value, whole))

/* programs and kernels */
HANDLE(cl_program, clCreateProgramWithSource, CL_OUT_OF_HOST_MEMORY, FAULT_PROGRAMS,
       (cl_context context, cl_uint count, const char **texts, const size_t *lengths, cl_int *error),
       (context, count, texts, lengths, error))
HANDLE(cl_program, clCreateProgramWithBinary, CL_INVALID_BINARY, FAULT_PROGRAMS,
       (cl_context context, cl_uint count, const cl_device_id *devices, const size_t *lengths,
        const unsigned char **binaries, cl_int *verdicts, cl_int *error),
       (context, count, devices, lengths, binaries, verdicts, error))
STATUS(clRetainProgram, CL_OUT_OF_HOST_MEMORY, FAULT_PROGRAMS, 1, (cl_program program), (program))
AFTER(clReleaseProgram, CL_OUT_OF_RESOURCES, FAULT_PROGRAMS, -1, (cl_program program), (program))
STATUS(clBuildProgram, CL_BUILD_PROGRAM_FAILURE, FAULT_KINDS, 0,
       (cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
        void(CL_CALLBACK *notify)(cl_program, void *), void *data),
       (program, count, devices, options, notify, data))
STATUS(clGetProgramInfo, CL_OUT_OF_HOST_MEMORY, FAULT_KINDS, 0,
       (cl_program program, cl_program_info what, size_t size, void *value, size_t *whole),
       (program, what, size, value, whole))
STATUS(clGetProgramBuildInfo, CL_OUT_OF_HOST_MEMORY, FAULT_KINDS, 0,
       (cl_program program, cl_device_id device, cl_program_build_info what, size_t size, void *value,
        size_t *whole),
       (program, device, what, size, value, whole))
HANDLE(cl_kernel, clCreateKernel, CL_OUT_OF_RESOURCES, FAULT_KERNELS,
       (cl_program program, const char *name, cl_int *error), (program, name, error))
STATUS(clCreateKernelsInProgram, CL_OUT_OF_RESOURCES, FAULT_KERNELS, kernels ? (found ? *found : max) : 0,
       (cl_program program, cl_uint max, cl_kernel *kernels, cl_uint *found),
       (program, max, kernels, found))
STATUS(clRetainKernel, CL_OUT_OF_HOST_MEMORY, FAULT_KERNELS, 1, (cl_kernel kernel), (kernel))
AFTER(clReleaseKernel, CL_OUT_OF_RESOURCES, FAULT_KERNELS, -1, (cl_kernel kernel), (kernel))
STATUS(clGetKernelWorkGroupInfo, CL_OUT_OF_RESOURCES, FAULT_KINDS, 0,
       (cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what, size_t size, void *value,
        size_t *whole),
       (kernel, device, what, size, value, whole))
STATUS(clSetKernelArg, CL_OUT_OF_HOST_MEMORY, FAULT_KINDS, 0,
       (cl_kernel kernel, cl_uint index, size_t size, const void *value), (kernel, index, size, value))

/* events */
HANDLE(cl_event, clCreateUserEvent, CL_OUT_OF_RESOURCES, FAULT_EVENTS, (cl_context context, cl_int *error),
       (context, error))
STATUS(clSetUserEventStatus, CL_OUT_OF_RESOURCES, FAULT_KINDS, 0, (cl_event event, cl_int state),
       (event, state))
STATUS(clRetainEvent, CL_OUT_OF_RESOURCES, FAULT_EVENTS, 1, (cl_event event), (event))
AFTER(clReleaseEvent, CL_OUT_OF_RESOURCES, FAULT_EVENTS, -1, (cl_event event), (event))
STATUS(clGetEventInfo, CL_OUT_OF_RESOURCES, FAULT_KINDS, 0,
       (cl_event event, cl_event_info what, size_t size, void *value, size_t *whole),
       (event, what, size, value, whole))
STATUS(clWaitForEvents, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, FAULT_KINDS, 0,
       (cl_uint count, const cl_event *events), (count, events))

/* commands */
ENQUEUE(clEnqueueNDRangeKernel, CL_OUT_OF_RESOURCES,
        (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
         const size_t *global, const size_t *local, cl_uint waits, const cl_event *list, cl_event *event),
        (queue, kernel, dimensions, offset, global, local, waits, list, event))
ENQUEUE(clEnqueueMarkerWithWaitList, CL_OUT_OF_RESOURCES,
        (cl_command_queue queue, cl_uint waits, const cl_event *list, cl_event *event),
        (queue, waits, list, event))
ENQUEUE(clEnqueueBarrierWithWaitList, CL_OUT_OF_RESOURCES,
        (cl_command_queue queue, cl_uint waits, const cl_event *list, cl_event *event),
        (queue, waits, list, event))
ENQUEUE(clEnqueueReadBuffer, CL_OUT_OF_RESOURCES,
        (cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size, void *to,
         cl_uint waits, const cl_event *list, cl_event *event),
        (queue, buffer, blocking, offset, size, to, waits, list, event))
ENQUEUE(clEnqueueWriteBuffer, CL_OUT_OF_RESOURCES,
        (cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size,
         const void *from, cl_uint waits, const cl_event *list, cl_event *event),
        (queue, buffer, blocking, offset, size, from, waits, list, event))
ENQUEUE(clEnqueueCopyBuffer, CL_MEM_OBJECT_ALLOCATION_FAILURE,
        (cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset, size_t size,
         cl_uint waits, const cl_event *list, cl_event *event),
        (queue, from, to, from_offset, to_offset, size, waits, list, event))
ENQUEUE(clEnqueueFillBuffer, CL_OUT_OF_RESOURCES,
        (cl_command_queue queue, cl_mem buffer, const void *pattern, size_t pattern_size, size_t offset,
         size_t size, cl_uint waits, const cl_event *list, cl_event *event),
        (queue, buffer, pattern, pattern_size, offset, size, waits, list, event))
AFTER(clEnqueueUnmapMemObject, CL_OUT_OF_RESOURCES, FAULT_EVENTS,
      (atomic_fetch_add(&unfinished, 1), event != NULL),
      (cl_command_queue queue, cl_mem buffer, void *mapped, cl_uint waits, const cl_event *list,
       cl_event *event),
      (queue, buffer, mapped, waits, list, event))
/* The event of a mapping is not counted, because clsort does not request one. */
HANDLE(void *, clEnqueueMapBuffer, CL_MAP_FAILURE, FAULT_KINDS,
       (cl_command_queue queue, cl_mem buffer, cl_bool blocking, cl_map_flags flags, size_t offset,
        size_t size, cl_uint waits, const cl_event *list, cl_event *event, cl_int *error),
       (queue, buffer, blocking, flags, offset, size, waits, list, event, error))
/* clang-format on */
