/* caps.h - the capabilities of a device, queried once when an engine is created */
#ifndef CLSORT_DEVICE_CAPS_H
#define CLSORT_DEVICE_CAPS_H

#include <clsort.h>
#include <stdbool.h>

enum { CLS_MAX_SUB_GROUP_SIZE = 64 };

/* How lanes of a sub-group exchange data: the values of SUB_GROUP_BACKEND in cl/common/sub_group.cl. */
enum cls_sub_group_backend {
    CLS_SUB_GROUP_LOCAL,
    CLS_SUB_GROUP_KHR,
    CLS_SUB_GROUP_INTEL,
    CLS_SUB_GROUP_NVIDIA,
    CLS_SUB_GROUP_AMD,
    CLS_SUB_GROUP_BACKENDS
};

struct cls_caps {
    cl_device_type type;
    cl_uint units;                /* compute units */
    size_t group_size;            /* maximum number of work-items in a work-group */
    uint64_t local_bytes;         /* local memory of a work-group */
    uint64_t global_bytes;        /* global memory of the device */
    uint64_t max_alloc;           /* maximum size of a buffer in bytes */
    uint64_t index32_max;         /* maximum count for kernels with 32-bit indexes */
    bool shares_memory;           /* device and host share memory */
    cl_uint vector_ints;          /* 32-bit elements in a hardware vector */
    uint64_t max_iterations;      /* loop iterations that a work-item can execute in one launch */
    uint64_t max_launch_tiles;    /* tiles in one launch of onesweep; only tests limit it */
    bool kernels_tell_group_size; /* CL_KERNEL_WORK_GROUP_SIZE is correct */
    bool aborts_on_binary_query;  /* the driver aborts when it is asked for a program binary */
    bool mixes_up_barriers;       /* it miscompiles kernels with many loops between barriers */
    bool rounds_addresses;        /* it copies structs in local and private memory incorrectly */
    bool compresses; /* x86's vector compress instruction is available; false until probed */
    unsigned sub_group_size; /* lanes of a sub-group; 0 until probed; 1: no sub-groups */
    enum cls_sub_group_backend sub_group_backend;
    unsigned opencl; /* major version of OpenCL */
    bool
        identified; /* all of the following strings are known; together they identify a driver build */
    char name[256];
    char vendor[256];
    char driver[256];
    char platform_name[256];
    char platform_version[512];
};

/* Queries the capabilities of a device and corrects them by cls_quirks_apply.
 *
 * Environment variables let tests emulate other devices and larger inputs. CLSORT_MAX_WORK_GROUP, CLSORT_MAX_LOCAL_MEM
 * and CLSORT_MAX_ALLOC (bytes), CLSORT_MAX_INDEX32, CLSORT_MAX_ITERATIONS and CLSORT_MAX_LAUNCH_TILES lower the limits.
 * CLSORT_DEVICE_TYPE=gpu makes the library treat any device as a GPU. CLSORT_SUB_GROUP_SIZE, a power of two of at most 64, sets the size of
 * sub-groups, which are then emulated in local memory. */
cl_int cls_caps_query(cl_device_id device, struct cls_caps *caps);

#endif
