/* probe.c - prints the name and versions of the device that $CLSORT_DEVICE selects; fails without one */
#include <clsort.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    cl_device_id device;
    const clsort_status status = clsort_find_device(getenv("CLSORT_DEVICE"), &device);
    if (status) {
        fprintf(stderr, "%s\n", clsort_status_string(status));
        return EXIT_FAILURE;
    }
    static const cl_device_info parts[] = {CL_DEVICE_NAME, CL_DEVICE_VERSION, CL_DRIVER_VERSION};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char text[256] = "?";
        clGetDeviceInfo(device, parts[i], sizeof text, text, NULL);
        printf("%s%s", i ? ", " : "", text);
    }
    putchar('\n');
    return EXIT_SUCCESS;
}
