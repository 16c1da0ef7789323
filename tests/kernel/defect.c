/* defect.c - runs a kernel with a defect that Oclgrind must report: defect NAME */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 16, GROUP = 8 };

static const struct {
    const char *name, *body;
} defects[] = {
    {"none", "numbers[i] = i;"},
    {"global_race", "numbers[0] = i; numbers[i] = numbers[0];"},
    {"local_race", "shared[l] = i; numbers[i] = shared[l ^ 1];"},
    {"groups_race", "numbers[l] = i;"},
    {"bounds", "numbers[i + 1] = i;"},
    {"divergence", "if (l < 3) barrier(CLK_LOCAL_MEM_FENCE);"},
};

static bool run(const struct env *env, const char *body)
{
    char source[512];
    cl_uint numbers[ITEMS] = {0};
    snprintf(source, sizeof source,
             "__kernel void test(__global uint *numbers, uint argument)"
             "{"
             "    __local uint shared[%d];"
             "    uint i = get_global_id(0);"
             "    uint l = get_local_id(0);"
             "    shared[l] = argument;"
             "    %s"
             "}",
             GROUP, body);
    cl_kernel kernel = kernel_build(env, source);
    if (!kernel)
        return false;
    const cl_int status = kernel_run(env, kernel, 0, ITEMS, GROUP, numbers, ITEMS);
    clReleaseKernel(kernel);
    return status == CL_SUCCESS;
}

int main(int argc, char **argv)
{
    struct env env;
    const char *body = NULL;
    for (size_t i = 0; i < sizeof defects / sizeof *defects; i++)
        if (argc == 2 && strcmp(argv[1], defects[i].name) == 0)
            body = defects[i].body;
    if (!body || env_open(&env) != CLSORT_OK) {
        fprintf(stderr, "defect: unknown name, or no device\n");
        return EXIT_FAILURE;
    }
    const bool finished = run(&env, body);
    env_close(&env);
    return finished ? EXIT_SUCCESS : EXIT_FAILURE;
}
