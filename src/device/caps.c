/* caps.c - the capabilities of a device, queried once when an engine is created */
#include "device/caps.h"

#include "base/error.h"
#include "device/quirks.h"

#include <stdlib.h>
#include <string.h>

/* The limit is less than 2^32, since the ends of tiles and chunks may exceed the count. */
#define INDEX32_MAX 0xf0000000u

/* With fewer bytes, allocating and pinning staging memory takes longer than it saves. */
#define DIRECT_BYTES (64 << 20)

/* Returns the limit, lowered to the number in an environment variable if there is one. */
static uint64_t limit_by_environment(const char *name, uint64_t limit)
{
    const char *text = getenv(name);
    const unsigned long long value = text ? strtoull(text, NULL, 10) : 0;
    return value > 0 && value < limit ? value : limit;
}

static bool environment_is(const char *name, const char *value)
{
    const char *text = getenv(name);
    return text && strcmp(text, value) == 0;
}

/* Returns the size of sub-groups in $CLSORT_SUB_GROUP_SIZE; 0 if it is to be probed. */
static unsigned sub_group_size_by_environment(void)
{
    const char *text = getenv("CLSORT_SUB_GROUP_SIZE");
    const unsigned long size = text ? strtoul(text, NULL, 10) : 0;
    return size <= CLS_MAX_SUB_GROUP_SIZE && (size & (size - 1)) == 0 ? (unsigned)size : 0;
}

/* Reads the major version from "OpenCL 3.0 ...". */
static cl_int query_opencl_version(cl_device_id device, unsigned *number)
{
    char version[256] = "";
    const cl_int status =
        cls_called("clGetDeviceInfo",
                   clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof version, version, NULL));
    const char *space = strchr(version, ' ');
    *number = space ? (unsigned)strtoul(space, NULL, 10) : 1;
    return status;
}

/* Returns the maximum work-group size in the first dimension, or fallback if the query fails. */
static size_t max_first_dimension(cl_device_id device, size_t fallback)
{
    size_t sizes[16];
    return clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, NULL) ==
                   CL_SUCCESS
               ? sizes[0]
               : fallback;
}

/* Queries the strings that identify device and driver. Returns false if a query fails. */
static bool query_names(cl_device_id device, cl_platform_id platform, struct cls_caps *caps)
{
    return clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof caps->name, caps->name, NULL) ==
               CL_SUCCESS &&
           clGetDeviceInfo(device, CL_DEVICE_VENDOR, sizeof caps->vendor, caps->vendor, NULL) ==
               CL_SUCCESS &&
           clGetDeviceInfo(device, CL_DRIVER_VERSION, sizeof caps->driver, caps->driver, NULL) ==
               CL_SUCCESS &&
           clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof caps->platform_name,
                             caps->platform_name, NULL) == CL_SUCCESS &&
           clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof caps->platform_version,
                             caps->platform_version, NULL) == CL_SUCCESS;
}

/* Queries the numbers that need no correction, and the platform. */
static cl_int query_limits(cl_device_id device, cl_platform_id *platform, struct cls_caps *caps)
{
    cl_bool unified = CL_FALSE;
    const struct {
        cl_device_info name;
        size_t size;
        void *value;
    } queries[] = {
        {CL_DEVICE_TYPE, sizeof caps->type, &caps->type},
        {CL_DEVICE_MAX_COMPUTE_UNITS, sizeof caps->units, &caps->units},
        {CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof caps->group_size, &caps->group_size},
        {CL_DEVICE_LOCAL_MEM_SIZE, sizeof caps->local_bytes, &caps->local_bytes},
        {CL_DEVICE_GLOBAL_MEM_SIZE, sizeof caps->global_bytes, &caps->global_bytes},
        {CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof caps->max_alloc, &caps->max_alloc},
        {CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof unified, &unified},
        {CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, sizeof caps->vector_ints, &caps->vector_ints},
        {CL_DEVICE_PLATFORM, sizeof *platform, platform},
    };
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        const cl_int status =
            clGetDeviceInfo(device, queries[i].name, queries[i].size, queries[i].value, NULL);
        if (status != CL_SUCCESS)
            return cls_called("clGetDeviceInfo", status);
    }
    caps->shares_memory = unified;
    return CL_SUCCESS;
}

static void apply_environment(struct cls_caps *caps)
{
    caps->group_size = (size_t)limit_by_environment("CLSORT_MAX_WORK_GROUP", caps->group_size);
    caps->local_bytes = limit_by_environment("CLSORT_MAX_LOCAL_MEM", caps->local_bytes);
    caps->max_alloc = limit_by_environment("CLSORT_MAX_ALLOC", caps->max_alloc);
    caps->index32_max = limit_by_environment("CLSORT_MAX_INDEX32", caps->index32_max);
    caps->max_iterations = limit_by_environment("CLSORT_MAX_ITERATIONS", caps->max_iterations);
    caps->max_launch_tiles =
        limit_by_environment("CLSORT_MAX_LAUNCH_TILES", caps->max_launch_tiles);
    caps->max_sample_bits = limit_by_environment("CLSORT_MAX_SAMPLE_BITS", caps->max_sample_bits);
    caps->direct_bytes = limit_by_environment("CLSORT_DIRECT_BYTES", caps->direct_bytes);
    caps->groups_progress = limit_by_environment("CLSORT_GROUPS_PROGRESS", UINT64_MAX) == 1;
    const bool is_gpu = environment_is("CLSORT_DEVICE_TYPE", "gpu");
    if (is_gpu)
        caps->type = CL_DEVICE_TYPE_GPU;
    if (is_gpu || environment_is("CLSORT_SHARES_MEMORY", "0"))
        caps->shares_memory = false;
    caps->sub_group_size = sub_group_size_by_environment();
}

cl_int cls_caps_query(cl_device_id device, struct cls_caps *caps)
{
    cl_platform_id platform = NULL;
    *caps = (struct cls_caps){.index32_max = INDEX32_MAX,
                              .max_iterations = UINT64_MAX,
                              .max_launch_tiles = UINT64_MAX,
                              .max_sample_bits = UINT64_MAX,
                              .direct_bytes = DIRECT_BYTES,
                              .reports_kernel_group_size = true};
    cl_int status = query_limits(device, &platform, caps);
    if (status == CL_SUCCESS)
        status = query_opencl_version(device, &caps->opencl);
    if (status != CL_SUCCESS)
        return status;
    const size_t first_dimension = max_first_dimension(device, caps->group_size);
    if (first_dimension < caps->group_size)
        caps->group_size = first_dimension;
    caps->identified = query_names(device, platform, caps);
    cls_quirks_apply(caps);
    apply_environment(caps);
    return CL_SUCCESS;
}
