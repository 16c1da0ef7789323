/* loops.c - llvmpipe ends loops after 65535 turns of a work-item, all loops of a launch together */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>

/* What is added comes from memory, so that no compiler can do without the loops. */
static const char SOURCE[] =
    "__kernel void test(__global uint *numbers, const uint turns)\n"
    "{\n"
    "    uint sum = 0;\n"
    "    for (uint i = 0; i < turns; i++)\n"
    "        sum += numbers[i % 2];\n"
    "    for (uint i = 0; i < turns; i++)\n"
    "        sum += numbers[i % 2];\n"
    "    numbers[2] = sum;\n"
    "}\n";

int main(void)
{
    enum { MOST = 65535 };
    static const cl_uint turns[] = {1000, 32767, 40000, 1000000};
    struct env env;
    bool all_right = true;
    if (env_open(&env) != CLSORT_OK)
        return EXIT_FAILURE;
    const cl_kernel kernel = kernel_build(&env, SOURCE);
    int result = kernel ? EXIT_SUCCESS : EXIT_FAILURE;
    for (size_t i = 0; i < sizeof turns / sizeof *turns && result == EXIT_SUCCESS; i++) {
        cl_uint numbers[] = {1, 1, 0};
        if (kernel_run(&env, kernel, turns[i], 1, 1, numbers, 3) != CL_SUCCESS)
            result = EXIT_FAILURE;
        printf("2 x %u turns: %u\n", turns[i], numbers[2]);
        all_right &= numbers[2] == 2 * turns[i];
        if (2 * turns[i] < MOST && numbers[2] != 2 * turns[i])
            result = EXIT_FAILURE; /* even fewer turns than quirks.c says */
    }
    if (kernel)
        clReleaseKernel(kernel);
    env_close(&env);
    return result == EXIT_SUCCESS && all_right ? DRIVER_IS_MENDED : result;
}
