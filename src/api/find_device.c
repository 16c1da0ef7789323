/* find_device.c - finds a device by number, type or name */
#include "base/error.h"
#include "base/text.h"
#include "device/process.h"

#include <clsort.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The devices of all platforms whose queries succeed. */
struct list {
    cl_device_id *devices;
    size_t count;
    clsort_status failure; /* of the first platform that failed, or CLSORT_OK */
};

/* Returns whether a later attempt may succeed; it does not with a driver that never works. */
static bool is_transient(clsort_status failure)
{
    return failure == CL_OUT_OF_HOST_MEMORY || failure == CL_OUT_OF_RESOURCES;
}

/* Adds the devices of a platform. Returns only CLSORT_E_MEMORY; other errors are recorded in the
 * list. */
static clsort_status add_platform(struct list *list, cl_platform_id platform)
{
    cl_uint count = 0;
    clsort_status status = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &count);
    if (status == CL_SUCCESS && count > 0) {
        cl_device_id *more = realloc(list->devices, (list->count + count) * sizeof *more);
        if (!more)
            return CLSORT_E_MEMORY;
        list->devices = more;
        status = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, more + list->count, NULL);
        if (status == CL_SUCCESS)
            list->count += count;
    }
    /* The error is only recorded, since the devices of other platforms remain usable. */
    if (list->failure == CLSORT_OK && status != CL_DEVICE_NOT_FOUND)
        list->failure = status;
    return CLSORT_OK;
}

static clsort_status list_devices(struct list *list)
{
    enum { PLATFORM_NOT_FOUND = -1001 }; /* of cl_khr_icd */
    cl_uint count = 0;
    clsort_status status = clGetPlatformIDs(0, NULL, &count);
    if (status == PLATFORM_NOT_FOUND || (status == CL_SUCCESS && count == 0))
        return cls_fail(CL_DEVICE_NOT_FOUND,
                        "the OpenCL loader finds no platform: install pocl-opencl-icd for CPUs or "
                        "the GPU's driver; see docs/troubleshooting.md");
    if (status != CL_SUCCESS)
        return cls_called("clGetPlatformIDs", status);
    cl_platform_id *platforms = calloc(count, sizeof *platforms);
    if (!platforms)
        return CLSORT_E_MEMORY;
    status = cls_called("clGetPlatformIDs", clGetPlatformIDs(count, platforms, NULL));
    for (cl_uint i = 0; i < count && status == CLSORT_OK; i++)
        status = add_platform(list, platforms[i]);
    free(platforms);
    if (status == CLSORT_OK && list->count == 0)
        return list->failure != CLSORT_OK
                   ? cls_called("clGetDeviceIDs", list->failure)
                   : cls_fail(CL_DEVICE_NOT_FOUND,
                              "no OpenCL platform has a device: check the driver of the GPU, or "
                              "install pocl-opencl-icd for CPUs; see docs/troubleshooting.md");
    return status;
}

static cl_device_type type_of(cl_device_id device)
{
    cl_device_type type = 0;
    clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    return type;
}

static bool is_usable(cl_device_id device)
{
    cl_bool available = CL_FALSE, compiles = CL_FALSE;
    clGetDeviceInfo(device, CL_DEVICE_AVAILABLE, sizeof available, &available, NULL);
    clGetDeviceInfo(device, CL_DEVICE_COMPILER_AVAILABLE, sizeof compiles, &compiles, NULL);
    return available && compiles;
}

/* Returns a higher number for a better device: GPUs are better than accelerators, these are better
 * than CPUs, and of each type the device with the most compute units is best. */
static uint64_t merit_of(cl_device_id device)
{
    if (!is_usable(device))
        return 0;
    const cl_device_type type = type_of(device);
    cl_uint units = 0;
    clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    const uint64_t type_merit = type & CL_DEVICE_TYPE_GPU           ? 2
                                : type & CL_DEVICE_TYPE_ACCELERATOR ? 1
                                                                    : 0;
    return (type_merit << 32) + units;
}

static cl_device_id best_of(const struct list *list)
{
    cl_device_id best = list->devices[0];
    for (size_t i = 1; i < list->count; i++)
        if (merit_of(list->devices[i]) > merit_of(best))
            best = list->devices[i];
    return best;
}

/* Returns whether the text contains the part. Ignores case. */
static bool contains(const char *text, const char *part)
{
    const size_t length = strlen(part);
    for (; strlen(text) >= length; text++)
        if (strncasecmp(text, part, length) == 0)
            return true;
    return false;
}

static bool matches(cl_device_id device, const char *name)
{
    char text[256] = "";
    if (strcasecmp(name, "cpu") == 0)
        return type_of(device) & CL_DEVICE_TYPE_CPU;
    if (strcasecmp(name, "gpu") == 0)
        return type_of(device) & CL_DEVICE_TYPE_GPU;
    return clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof text, text, NULL) == CL_SUCCESS &&
           contains(text, name);
}

static bool is_number(const char *name)
{
    return *name && name[strspn(name, "0123456789")] == '\0';
}

static cl_device_id pick(const struct list *list, const char *name)
{
    if (!name || !*name)
        return best_of(list);
    if (is_number(name)) {
        const unsigned long number = strtoul(name, NULL, 10);
        return number < list->count ? list->devices[number] : NULL;
    }
    for (size_t i = 0; i < list->count; i++)
        if (matches(list->devices[i], name))
            return list->devices[i];
    return NULL;
}

/* Fails because no device matches the name. */
static clsort_status refuse(const struct list *list, const char *name)
{
    char line[2048] = "";
    struct cls_text devices = CLS_TEXT(line);
    for (size_t i = 0; i < list->count; i++) {
        char text[256] = "unknown";
        clGetDeviceInfo(list->devices[i], CL_DEVICE_NAME, sizeof text, text, NULL);
        cls_text_add(&devices, "%s%zu: %s", i > 0 ? ", " : "", i, text);
    }
    const bool is_type = strcasecmp(name, "cpu") == 0 || strcasecmp(name, "gpu") == 0;
    return cls_fail(CLSORT_E_DEVICE, "%s \"%.100s\"; the devices are %s",
                    is_number(name) ? "there is no device"
                    : is_type       ? "there is no device of type"
                                    : "no device's name contains",
                    name, line);
}

static clsort_status find(const char *name, cl_device_id *device)
{
    struct list list = {NULL, 0, CLSORT_OK};
    if (!device)
        return cls_fail(CLSORT_E_ARGUMENT, "device is NULL");
    *device = NULL;
    clsort_status status = cls_check_process(); /* from here on drivers have threads */
    if (status == CLSORT_OK)
        status = list_devices(&list);
    if (status == CLSORT_OK) {
        *device = pick(&list, name);
        /* The device may be on a platform whose query failed. */
        status = *device                      ? CLSORT_OK
                 : is_transient(list.failure) ? cls_called("clGetDeviceIDs", list.failure)
                                              : refuse(&list, name);
    }
    free(list.devices);
    return status;
}

clsort_status clsort_find_device(const char *name, cl_device_id *device)
{
    cls_error_begin(0);
    return cls_error_end(find(name, device));
}
