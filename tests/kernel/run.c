/* run.c - runs one kernel that writes numbers */
#include "run.h"

#include <stddef.h>

cl_kernel kernel_build(const struct env *env, const char *source)
{
    cl_int status;
    cl_kernel kernel = NULL;
    const cl_program program = clCreateProgramWithSource(env->context, 1, &source, NULL, &status);
    if (status != CL_SUCCESS)
        return NULL;
    if (clBuildProgram(program, 1, &env->device, "-cl-std=CL1.2", NULL, NULL) == CL_SUCCESS)
        kernel = clCreateKernel(program, "test", &status);
    clReleaseProgram(program);
    return kernel;
}

cl_int kernel_run(const struct env *env, cl_kernel kernel, cl_uint argument, size_t items,
                  size_t group_size, cl_uint *numbers, size_t count)
{
    cl_int status;
    const cl_mem buffer = clCreateBuffer(env->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                         count * sizeof *numbers, numbers, &status);
    if (status == CL_SUCCESS)
        status = clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    if (status == CL_SUCCESS)
        status = clSetKernelArg(kernel, 1, sizeof argument, &argument);
    if (status == CL_SUCCESS)
        status =
            clEnqueueNDRangeKernel(env->queue, kernel, 1, NULL, &items, &group_size, 0, NULL, NULL);
    if (status == CL_SUCCESS)
        status = clEnqueueReadBuffer(env->queue, buffer, CL_TRUE, 0, count * sizeof *numbers,
                                     numbers, 0, NULL, NULL);
    if (buffer)
        clReleaseMemObject(buffer);
    return status;
}
