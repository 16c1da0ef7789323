/* loops.c - llvmpipe aborts loops after 65535 iterations of a work-item in one launch */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>

/* The terms are read from memory, so that compilers cannot replace the loops by a product. */
static const char SOURCE[] =
    "__kernel void test(__global uint *numbers, const uint iterations)\n"
    "{\n"
    "    uint sum = 0;\n"
    "    for (uint i = 0; i < iterations; i++)\n"
    "        sum += numbers[i % 2];\n"
    "    for (uint i = 0; i < iterations; i++)\n"
    "        sum += numbers[i % 2];\n"
    "    numbers[2] = sum;\n"
    "}\n";

int main(void)
{
    enum { MAX_ITERATIONS = 65535 };
    static const cl_uint iterations[] = {1000, 32767, 40000, 1000000};
    struct env env;
    bool all_correct = true;
    if (env_open(&env) != CLSORT_OK)
        return EXIT_FAILURE;
    const cl_kernel kernel = kernel_build(&env, SOURCE);
    int result = kernel ? EXIT_SUCCESS : EXIT_FAILURE;
    for (size_t i = 0; i < sizeof iterations / sizeof *iterations && result == EXIT_SUCCESS; i++) {
        cl_uint numbers[] = {1, 1, 0};
        if (kernel_run(&env, kernel, iterations[i], 1, 1, numbers, 3) != CL_SUCCESS)
            result = EXIT_FAILURE;
        printf("2 x %u iterations: %u\n", iterations[i], numbers[2]);
        all_correct &= numbers[2] == 2 * iterations[i];
        if (2 * iterations[i] < MAX_ITERATIONS && numbers[2] != 2 * iterations[i])
            result = EXIT_FAILURE; /* fewer iterations than quirks.c assumes */
    }
    if (kernel)
        clReleaseKernel(kernel);
    env_close(&env);
    return result == EXIT_SUCCESS && all_correct ? DRIVER_IS_FIXED : result;
}
