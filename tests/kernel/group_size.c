/* group_size.c - rusticl reports a maximum work-group size of 32 for kernels that run in larger ones */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>

enum { GROUP_SIZE = 256 };

static const char SOURCE[] =
    "__kernel __attribute__((reqd_work_group_size(256, 1, 1)))\n"
    "void test(__global uint *numbers, const uint unused)\n"
    "{\n"
    "    __local uint work[256];\n"
    "    const uint t = (uint)get_local_id(0);\n"
    "    work[t] = numbers[t];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    numbers[t] = work[255 - t];\n"
    "}\n";

int main(void)
{
    struct env env;
    size_t max = 0;
    cl_uint numbers[GROUP_SIZE];
    if (env_open(&env) != CLSORT_OK)
        return EXIT_FAILURE;
    for (cl_uint i = 0; i < GROUP_SIZE; i++)
        numbers[i] = i;
    const cl_kernel kernel = kernel_build(&env, SOURCE);
    bool runs = kernel && kernel_run(&env, kernel, 0, GROUP_SIZE, GROUP_SIZE, numbers,
                                     GROUP_SIZE) == CL_SUCCESS;
    for (cl_uint i = 0; i < GROUP_SIZE; i++)
        runs &= numbers[i] == GROUP_SIZE - 1 - i;
    if (kernel) {
        clGetKernelWorkGroupInfo(kernel, env.device, CL_KERNEL_WORK_GROUP_SIZE, sizeof max, &max,
                                 NULL);
        clReleaseKernel(kernel);
    }
    env_close(&env);
    printf("a work-group of %d %s; the driver's limit is %zu\n", GROUP_SIZE,
           runs ? "works" : "does not work", max);
    if (!runs)
        return EXIT_FAILURE; /* then quirks.c must not ignore the limit */
    return max >= GROUP_SIZE ? DRIVER_IS_FIXED : EXIT_SUCCESS;
}
