/* list.c - clsort --list-devices */
#include "list.h"

#include "device.h"
#include "last_error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *type_name(cl_device_type type)
{
    return type & CL_DEVICE_TYPE_GPU           ? "gpu"
           : type & CL_DEVICE_TYPE_CPU         ? "cpu"
           : type & CL_DEVICE_TYPE_ACCELERATOR ? "accelerator"
                                               : "other";
}

/* Prints a property and frees its text. */
static void print_text(const char *label, char *text)
{
    printf("    %-10s%s\n", label, text == NULL ? "unknown" : text);
    free(text);
}

/* Prints the lines of failed tests in one line. */
static void print_failures(char *report)
{
    const char *separator = "";
    for (char *line = strtok(report, "\n"); line != NULL; line = strtok(NULL, "\n"))
        if (strstr(line, ": failed") != NULL) {
            printf("%s%s", separator, line);
            separator = "; ";
        }
    putchar('\n');
}

/* Runs the self-test and prints "passed", each failed test, or the error, in one line. */
static void print_self_test(cl_device_id id)
{
    char report[4096] = "", text[LAST_ERROR_SIZE];
    clsort_engine *engine = NULL;
    clsort_status status;
    cl_context context = clCreateContext(NULL, 1, &id, NULL, NULL, &status);

    if (status == CL_SUCCESS)
        status = clsort_engine_create(context, id, NULL, &engine);
    if (status == CLSORT_OK)
        status = clsort_self_test(engine, sizeof report, report, NULL);
    printf("    %-10s", "self-test");
    if (status == CLSORT_E_SELF_TEST)
        print_failures(report);
    else
        puts(status == CLSORT_OK ? "passed" : last_error(status, text));
    clsort_engine_destroy(engine);
    if (context != NULL)
        clReleaseContext(context);
}

static void print_device(unsigned index, cl_device_id id)
{
    cl_device_type type = 0;
    cl_uint units = 0;
    cl_ulong memory = 0;
    cl_platform_id platform = NULL;
    char platform_name[256] = "unknown";
    char *name = device_text(id, CL_DEVICE_NAME);

    clGetDeviceInfo(id, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    clGetDeviceInfo(id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    clGetDeviceInfo(id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL);
    clGetDeviceInfo(id, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL);
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof platform_name, platform_name, NULL);

    printf("%u: %s %s\n", index, type_name(type), name == NULL ? "unknown" : name);
    printf("    %-10s%s\n", "platform", platform_name);
    print_text("version", device_text(id, CL_DEVICE_VERSION));
    print_text("driver", device_text(id, CL_DRIVER_VERSION));
    printf("    %-10s%u\n", "units", units);
    printf("    %-10s%llu MiB\n", "memory", (unsigned long long)memory >> 20);
    fflush(stdout); /* the first self-test on a device compiles for a minute or more */
    print_self_test(id);
    free(name);
}

bool list_devices(void)
{
    for (unsigned index = 0;; index++) {
        char name[16];
        cl_device_id id;
        clsort_status status;

        snprintf(name, sizeof name, "%u", index);
        status = clsort_find_device(name, &id);
        if (status == CLSORT_E_DEVICE && index > 0)
            return true;
        if (status != CLSORT_OK) {
            device_print_error("OpenCL", status);
            return false;
        }
        print_device(index, id);
    }
}
