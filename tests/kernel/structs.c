/* structs.c - llvmpipe miscopies structs in local and private memory whose address is not aligned
 *
 * It rounds addresses down to the size of the access, and rusticl copies structs by accesses that
 * are larger than the members. */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>

/* Copies a struct at byte 3 of local memory and one next to another in private memory, and reads
 * the member at byte 1 of a packed struct. */
static const char SOURCE[] =
    "typedef struct { uchar at[3]; } triple;\n"
    "struct colour { uchar r, g, b; };\n"
    "struct __attribute__((packed)) packed { uchar kind; uint number; };\n"
    "__kernel void test(__global uint *numbers, const uint unused)\n"
    "{\n"
    "    __local triple triples[2];\n"
    "    triples[1] = *(__global const triple *)numbers;\n"
    "    for (uint i = 0; i < 3; i++)\n"
    "        numbers[1 + i] = triples[1].at[i];\n"
    "    struct colour colour;\n"
    "    colour.r = (uchar)numbers[0];\n"
    "    colour.g = (uchar)(numbers[0] >> 8);\n"
    "    colour.b = (uchar)(numbers[0] >> 16);\n"
    "    const struct colour copy = colour;\n"
    "    numbers[4] = copy.r;\n"
    "    numbers[5] = copy.g;\n"
    "    numbers[6] = copy.b;\n"
    "    union { uchar at[5]; struct packed packed; } both;\n"
    "    for (uint i = 0; i < 5; i++)\n"
    "        both.at[i] = ((__global const uchar *)numbers)[i];\n"
    "    numbers[7] = both.packed.number & 0xff;\n"
    "}\n";

int main(void)
{
    enum { COUNT = 8 };
    struct env env;
    static const cl_uint expected[COUNT] = {0, 1, 2, 3, 1, 2, 3, 2};
    cl_uint numbers[COUNT] = {0x030201};
    if (env_open(&env) != CLSORT_OK)
        return EXIT_FAILURE;
    const cl_kernel kernel = kernel_build(&env, SOURCE);
    const bool runs = kernel && kernel_run(&env, kernel, 0, 1, 1, numbers, COUNT) == CL_SUCCESS;
    bool correct = true;
    for (cl_uint i = 1; i < COUNT; i++) {
        printf("%u, expected %u\n", numbers[i], expected[i]);
        correct &= numbers[i] == expected[i];
    }
    if (kernel)
        clReleaseKernel(kernel);
    env_close(&env);
    if (!runs)
        return EXIT_FAILURE;
    return correct ? DRIVER_IS_FIXED : EXIT_SUCCESS;
}
