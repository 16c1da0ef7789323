/* copy.c - the copy speed of the device, for rooflines */
#include "copy.h"

#include "clock.h"

#include <err.h>
#include <math.h>
#include <stdlib.h>

enum {
    MAX_BYTES = 256 << 20, /* per array; there are two */
    VECTOR_BYTES = 16,     /* per work-item, so that adjacent work-items access whole lines */
    GROUP_SIZE = 256,      /* on CPUs, enough work-items to amortise the start of a group */
    RUNS = 4,
    BATCH = 32 /* consecutive copies, if one alone hardly takes longer than its launch */
};
static const double LONG_S = 0.01; /* from this duration on, the time of a launch is negligible */

/* On CPUs, streaming stores are used, as in the sorts: ordinary stores read each line before they
 * write it. */
static const char SOURCE[] =
    "#if defined(IS_CPU) && defined(__has_builtin)\n"
    "#if __has_builtin(__builtin_nontemporal_store)\n"
    "#define STORE(value, address) __builtin_nontemporal_store(value, address)\n"
    "#endif\n"
    "#endif\n"
    "#ifndef STORE\n"
    "#define STORE(value, address) (*(address) = (value))\n"
    "#endif\n"
    "\n"
    "uint4 expected(size_t i, uint salt)\n"
    "{\n"
    "    return (uint4)((uint)i) * (uint4)(1, 3, 5, 7) + salt;\n"
    "}\n"
    "\n"
    "__kernel void copy_fill(__global uint4 *to, const uint salt)\n"
    "{\n"
    "    to[get_global_id(0)] = expected(get_global_id(0), salt);\n"
    "}\n"
    "\n"
    "__kernel void copy_all(__global const uint4 *from, __global uint4 *to)\n"
    "{\n"
    "    STORE(from[get_global_id(0)], &to[get_global_id(0)]);\n"
    "}\n"
    "\n"
    "__kernel void copy_check(__global const uint4 *to, const uint salt, __global uint *wrong)\n"
    "{\n"
    "    if (any(to[get_global_id(0)] != expected(get_global_id(0), salt)))\n"
    "        atomic_or(wrong, 1u);\n"
    "}\n";

enum { FILL, COPY, CHECK, KERNELS };
static const char *const NAMES[KERNELS] = {"copy_fill", "copy_all", "copy_check"};

struct copy {
    const struct target *target;
    size_t bytes; /* of an array */
    size_t group_size;
    cl_program program;
    cl_kernel kernels[KERNELS];
    cl_mem from, to, wrong;
};

/* -- set-up ------------------------------------------------------------------------------------ */

/* Returns MAX_BYTES, or the number in $CLSORT_BENCH_COPY_BYTES if it is lower. */
static cl_ulong max_bytes(void)
{
    const char *text = getenv("CLSORT_BENCH_COPY_BYTES");
    const unsigned long long bytes = text ? strtoull(text, NULL, 10) : MAX_BYTES;
    return bytes < MAX_BYTES ? bytes : MAX_BYTES;
}

/* The two arrays take at most a quarter of the device's memory. An array has at least one group of vectors. */
static cl_int find_sizes(struct copy *copy)
{
    const cl_device_id device = copy->target->device;
    cl_ulong memory = 0, largest = 0;
    cl_int status =
        clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL);
    if (status == CL_SUCCESS)
        status =
            clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest, NULL);
    if (status == CL_SUCCESS)
        status = clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof copy->group_size,
                                 &copy->group_size, NULL);
    if (status != CL_SUCCESS)
        return status;
    if (copy->group_size > GROUP_SIZE)
        copy->group_size = GROUP_SIZE;
    cl_ulong bytes = memory / 8 < largest ? memory / 8 : largest;
    if (bytes > max_bytes())
        bytes = max_bytes();
    const size_t group_bytes = copy->group_size * VECTOR_BYTES;
    if (bytes < group_bytes)
        bytes = group_bytes;
    copy->bytes = (size_t)bytes / group_bytes * group_bytes;
    return CL_SUCCESS;
}

static cl_int make_kernels(struct copy *copy)
{
    const struct target *target = copy->target;
    const char *source = SOURCE;
    cl_device_type type = 0;
    cl_int status = clGetDeviceInfo(target->device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    if (status == CL_SUCCESS)
        copy->program = clCreateProgramWithSource(target->context, 1, &source, NULL, &status);
    if (status == CL_SUCCESS)
        status = clBuildProgram(copy->program, 1, &target->device,
                                type & CL_DEVICE_TYPE_CPU ? "-DIS_CPU" : NULL, NULL, NULL);
    for (size_t i = 0; i < KERNELS && status == CL_SUCCESS; i++)
        copy->kernels[i] = clCreateKernel(copy->program, NAMES[i], &status);
    return status;
}

static cl_mem make_buffer(const struct copy *copy, size_t size, cl_int *status)
{
    return *status == CL_SUCCESS
               ? clCreateBuffer(copy->target->context, CL_MEM_READ_WRITE, size, NULL, status)
               : NULL;
}

/* Sets all arguments except the salt. */
static cl_int set_buffers(const struct copy *copy)
{
    const struct {
        unsigned kernel, index;
        const cl_mem *buffer;
    } arguments[] = {{FILL, 0, &copy->from},
                     {COPY, 0, &copy->from},
                     {COPY, 1, &copy->to},
                     {CHECK, 0, &copy->to},
                     {CHECK, 2, &copy->wrong}};
    cl_int status = CL_SUCCESS;
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments && status == CL_SUCCESS; i++)
        status = clSetKernelArg(copy->kernels[arguments[i].kernel], arguments[i].index,
                                sizeof(cl_mem), arguments[i].buffer);
    return status;
}

static cl_int open_copy(struct copy *copy)
{
    cl_int status = find_sizes(copy);
    if (status == CL_SUCCESS)
        status = make_kernels(copy);
    copy->from = make_buffer(copy, copy->bytes, &status);
    copy->to = make_buffer(copy, copy->bytes, &status);
    copy->wrong = make_buffer(copy, sizeof(cl_uint), &status);
    return status == CL_SUCCESS ? set_buffers(copy) : status;
}

static void close_copy(const struct copy *copy)
{
    const cl_mem buffers[] = {copy->from, copy->to, copy->wrong};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        if (buffers[i])
            clReleaseMemObject(buffers[i]);
    for (size_t i = 0; i < KERNELS; i++)
        if (copy->kernels[i])
            clReleaseKernel(copy->kernels[i]);
    if (copy->program)
        clReleaseProgram(copy->program);
}

/* -- commands ---------------------------------------------------------------------------------- */

static cl_int run(const struct copy *copy, unsigned kernel)
{
    const size_t vectors = copy->bytes / VECTOR_BYTES;
    return clEnqueueNDRangeKernel(copy->target->queue, copy->kernels[kernel], 1, NULL, &vectors,
                                  &copy->group_size, 0, NULL, NULL);
}

static cl_int run_salted(const struct copy *copy, unsigned kernel, cl_uint salt)
{
    const cl_int status = clSetKernelArg(copy->kernels[kernel], 1, sizeof salt, &salt);
    return status == CL_SUCCESS ? run(copy, kernel) : status;
}

static cl_int check(const struct copy *copy, cl_uint salt, cl_uint *wrong)
{
    const cl_command_queue queue = copy->target->queue;
    *wrong = 0;
    cl_int status =
        clEnqueueWriteBuffer(queue, copy->wrong, CL_TRUE, 0, sizeof *wrong, wrong, 0, NULL, NULL);
    if (status == CL_SUCCESS)
        status = run_salted(copy, CHECK, salt);
    if (status == CL_SUCCESS)
        status = clEnqueueReadBuffer(queue, copy->wrong, CL_TRUE, 0, sizeof *wrong, wrong, 0, NULL,
                                     NULL);
    return status;
}

static cl_int copy_by_kernel(const struct copy *copy)
{
    return run(copy, COPY);
}

static cl_int copy_by_driver(const struct copy *copy)
{
    return clEnqueueCopyBuffer(copy->target->queue, copy->from, copy->to, 0, 0, copy->bytes, 0,
                               NULL, NULL);
}

/* The faster way is measured. Copies of drivers are usually fast, but PoCL's copies use one core only. */
static cl_int (*const WAYS[])(const struct copy *) = {copy_by_kernel, copy_by_driver};

/* -- measuring --------------------------------------------------------------------------------- */

/* Measures the seconds per copy of `times` consecutive copies. */
static cl_int take_time(const struct copy *copy, size_t way, unsigned times, double *seconds)
{
    cl_int status = CL_SUCCESS;
    const double start = clock_now();
    for (unsigned i = 0; i < times && status == CL_SUCCESS; i++)
        status = WAYS[way](copy);
    if (status == CL_SUCCESS)
        status = clFinish(copy->target->queue);
    *seconds = (clock_now() - start) / times;
    return status;
}

/* Lowers *min to the seconds of the fastest of several copies. */
static cl_int find_min(const struct copy *copy, size_t way, double *min)
{
    double seconds;
    /* This copy is a warm-up, and the first use of the memory. */
    cl_int status = take_time(copy, way, 1, &seconds);
    for (size_t i = 0; i < RUNS && status == CL_SUCCESS; i++) {
        status = take_time(copy, way, seconds < LONG_S ? BATCH : 1, &seconds);
        if (status == CL_SUCCESS && seconds < *min)
            *min = seconds;
    }
    return status;
}

static cl_int measure(const struct copy *copy, double *min, cl_uint *wrong)
{
    cl_int status = CL_SUCCESS;
    *wrong = 0;
    for (size_t way = 0; way < sizeof WAYS / sizeof *WAYS && *wrong == 0 && status == CL_SUCCESS;
         way++) {
        /* The result of one way must not pass for that of the next. */
        const cl_uint salt = (cl_uint)way + 1;
        status = run_salted(copy, FILL, salt);
        if (status == CL_SUCCESS)
            status = clFinish(copy->target->queue);
        if (status == CL_SUCCESS)
            status = find_min(copy, way, min);
        if (status == CL_SUCCESS)
            status = check(copy, salt, wrong);
    }
    return status;
}

double copy_measure(const struct target *target)
{
    struct copy copy = {.target = target};
    double min = INFINITY;
    cl_uint wrong = 0;
    cl_int status = open_copy(&copy);
    if (status == CL_SUCCESS)
        status = measure(&copy, &min, &wrong);
    close_copy(&copy);
    if (status == CL_SUCCESS && !wrong)
        return 2 * (double)copy.bytes / min;
    warnx("the copy speed of the device was not measured, so that there are no rooflines: %s",
          status == CL_SUCCESS ? "the copy is wrong" : clsort_status_string(status));
    return 0;
}
