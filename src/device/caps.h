/* caps.h - the capabilities of a device, queried once when an engine is created */
#ifndef CLSORT_DEVICE_CAPS_H
#define CLSORT_DEVICE_CAPS_H

#include <clsort.h>
#include <stdbool.h>

enum { CLS_MAX_SUB_GROUP_SIZE = 64 };

/* How the lanes of a sub-group exchange data: the values of SUB_GROUP_BACKEND in
 * cl/common/sub_group.cl. */
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
    cl_uint units;             /* compute units */
    size_t group_size;         /* maximum number of work-items in a work-group */
    uint64_t local_bytes;      /* local memory of a work-group */
    uint64_t global_bytes;     /* global memory of the device */
    uint64_t max_alloc;        /* maximum size of a buffer in bytes */
    uint64_t index32_max;      /* maximum count for kernels with 32-bit indexes */
    uint64_t max_iterations;   /* maximum number of loop iterations of a work-item in one launch */
    uint64_t max_launch_tiles; /* maximum number of tiles in one launch of onesweep, for tests */
    uint64_t max_sample_bits;  /* maximum of cls_msd_input.sample_bits, for tests */
    uint64_t direct_bytes;     /* of host arrays that are copied before staging memory pays off */
    cl_uint vector_ints;       /* number of 32-bit elements in a hardware vector */
    bool groups_progress;      /* started work-groups make progress; false, except in tests */
    bool shares_memory;        /* the device and the host share memory */
    bool compresses; /* x86's vector compress instructions are available; false until probed */
    unsigned sub_group_size; /* lanes of a sub-group; 1: no sub-groups; 0 until probed */
    enum cls_sub_group_backend sub_group_backend;
    unsigned opencl; /* major version of OpenCL */

    /* Quirks of the driver (quirks.c). */
    bool reports_kernel_group_size; /* CL_KERNEL_WORK_GROUP_SIZE is correct */
    bool avoid_binaries;            /* a query of a binary aborts, or compiles all kernels again */
    bool miscompiles_barriers;      /* kernels with many loops between barriers are wrong */
    bool miscopies_structs;         /* copies of structs in local and private memory are wrong */
    unsigned max_group_devices;     /* that run tasks of groups at the same time; 0: any number */

    /* Together these strings identify a build of the driver; `identified`: all are known. */
    bool identified;
    char name[256];
    char vendor[256];
    char driver[256];
    char platform_name[256];
    char platform_version[512];
};

/* Queries the capabilities of a device and corrects them by cls_quirks_apply. Environment variables
 * then lower limits or change properties, so that tests can emulate other devices and larger
 * inputs; docs/design.md lists them. Returns the errors of the queries. */
cl_int cls_caps_query(cl_device_id device, struct cls_caps *caps);

#endif
