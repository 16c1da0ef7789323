/* caps.h - what a device can do, asked once when an engine is made */
#ifndef CLSORT_DEVICE_CAPS_H
#define CLSORT_DEVICE_CAPS_H

#include <clsort.h>
#include <stdbool.h>

enum { CLS_MAX_SUB_GROUP_SIZE = 64 };

/* LANES_BODY of lanes.cl. */
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
    cl_uint units;     /* compute units */
    size_t group_size; /* most work-items in a group */
    uint64_t local_bytes;
    uint64_t global_bytes;
    uint64_t max_alloc;           /* bytes of the largest buffer */
    uint64_t index32_max;         /* elements that kernels with 32-bit indexes can count */
    bool shares_memory;           /* with the host */
    cl_uint vector_ints;          /* of 32 bits in a vector of the hardware's */
    uint64_t max_iterations;      /* of a work-item through loops in one launch */
    uint64_t max_launch_tiles;    /* of onesweep; only tests limit it */
    bool kernels_tell_group_size; /* CL_KERNEL_WORK_GROUP_SIZE is right */
    bool aborts_for_binaries;     /* the driver ends the process when asked for a program's */
    bool mixes_up_barriers;       /* it compiles kernels of many loops between barriers wrong */
    bool rounds_addresses;   /* of local and private memory, where structs are copied in pieces */
    bool compresses;         /* x86's instruction of compress.cl can be had; false until probed */
    unsigned sub_group_size; /* of a lane group, as lanes.cl has them; 0 until probed, 1: none */
    enum cls_sub_group_backend sub_group_backend;
    unsigned opencl; /* the first number of its version */
    bool identified; /* all of these texts could be had: together they tell builds apart */
    char name[256];
    char vendor[256];
    char driver[256];
    char platform_name[256];
    char platform_version[512];
};

/* What the device says of itself, corrected by quirks.h. CLSORT_MAX_WORK_GROUP, CLSORT_MAX_LOCAL_MEM and
 * CLSORT_MAX_ALLOC (bytes), CLSORT_MAX_INDEX32, CLSORT_MAX_ITERATIONS and CLSORT_MAX_LAUNCH_TILES in
 * the environment lower the limits, and CLSORT_DEVICE_TYPE=gpu makes a GPU of any device, so that
 * tests can stand in for other devices and larger data.
 * CLSORT_SUB_GROUP_SIZE, a power of two of at most 64, makes lane groups of so many work-items, which meet in local memory. */
cl_int cls_caps_query(cl_device_id device, struct cls_caps *caps);

#endif
