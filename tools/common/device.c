/* device.c - clsort-tool-common: finds and opens an OpenCL device */
#include "device.h"

#include "last_error.h"
#include "print.h"

#include <stdlib.h>
#include <strings.h>

void device_print_error(const char *subject, clsort_status status)
{
    char text[LAST_ERROR_SIZE];

    print_error(subject, "%s", last_error(status, text));
}

/* Returns the name of the device, or NULL if none is named, and sets *source to its origin. */
static const char *device_name(const char *name, const char **source)
{
    *source = "--device";
    if (name == NULL) {
        *source = "CLSORT_DEVICE";
        name = getenv(*source);
    }
    return name != NULL && name[0] != '\0' ? name : NULL;
}

bool device_is_named(const char *name)
{
    const char *source;

    return device_name(name, &source) != NULL;
}

bool device_open(struct device *device, const char *name)
{
    const char *source;
    clsort_status status;

    *device = (struct device){.id = NULL};
    name = device_name(name, &source);
    const bool is_named = name != NULL;
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

bool device_open_or_host(struct device *device, const char *name)
{
    const char *source, *found = device_name(name, &source);
    cl_device_id id;

    *device = (struct device){.cause = HOST_REQUESTED};
    if (found != NULL && strcasecmp(found, "host") == 0)
        return true;
    if (found != NULL || clsort_find_device(NULL, &id) != CL_DEVICE_NOT_FOUND)
        return device_open(device, name);
    device->cause = HOST_NO_DEVICE;
    return true;
}

bool device_use_host(struct device *device, const char *name, const char *reason)
{
    const char *source;
    const bool is_named = device_name(name, &source) != NULL;

    *device = (struct device){.cause = HOST_NO_MEMORY};
    if (is_named)
        print_error(source, "%s", reason);
    else
        print_error("OpenCL", "%s; the host sorts", reason);
    return !is_named;
}

void device_close(struct device *device)
{
    clsort_group_destroy(device->group);
    clsort_engine_destroy(device->engine);
    if (device->context != NULL)
        clReleaseContext(device->context);
}

char *device_text(cl_device_id id, cl_device_info info)
{
    size_t size;
    char *text;

    if (id == NULL || clGetDeviceInfo(id, info, 0, NULL, &size) != CL_SUCCESS || size == 0)
        return NULL;
    text = malloc(size);
    if (text != NULL && clGetDeviceInfo(id, info, size, text, NULL) != CL_SUCCESS) {
        free(text);
        text = NULL;
    }
    return text;
}
