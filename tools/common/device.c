/* device.c - clsort-tool-common: finds and opens an OpenCL device */
#include "device.h"

#include "last_error.h"
#include "print.h"

#include <stdlib.h>

void device_print_error(const char *subject, clsort_status status)
{
    char text[LAST_ERROR_SIZE];

    print_error(subject, "%s", last_error(status, text));
}

bool device_open(struct device *device, const char *name)
{
    const char *source = "--device";
    clsort_status status;

    *device = (struct device){NULL, NULL, NULL};
    if (name == NULL) {
        source = "CLSORT_DEVICE";
        name = getenv(source);
    }
    const bool is_named = name != NULL && name[0] != '\0';
    status = clsort_find_device(name, &device->id);
    if (status == CLSORT_OK)
        device->context = clCreateContext(NULL, 1, &device->id, NULL, NULL, &status);
    if (status == CLSORT_OK)
        status = clsort_engine_create(device->context, device->id, NULL, &device->engine);
    if (status == CLSORT_E_DEVICE && is_named)
        device_print_error(source, status);
    else if (status != CLSORT_OK)
        device_print_error(is_named ? name : "OpenCL", status);
    return status == CLSORT_OK;
}

void device_close(struct device *device)
{
    clsort_engine_destroy(device->engine);
    if (device->context != NULL)
        clReleaseContext(device->context);
}

char *device_text(cl_device_id id, cl_device_info info)
{
    size_t size;
    char *text;

    if (clGetDeviceInfo(id, info, 0, NULL, &size) != CL_SUCCESS || size == 0)
        return NULL;
    text = malloc(size);
    if (text != NULL && clGetDeviceInfo(id, info, size, text, NULL) != CL_SUCCESS) {
        free(text);
        text = NULL;
    }
    return text;
}
