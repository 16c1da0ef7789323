/* tune_table.h - what was measured: of devices, of vendors, of types, and what is taken for all others
 *
 * For each kind of sort the first row is taken that fits the device and has a ladder of that kind. The ladders are
 * lines as clsort-tune writes them; docs/selection.md has the measurements. Included by ladder.c, and by its test. */

struct tune_row {
    const char *device, *vendor; /* the beginnings of their names; NULL: any */
    cl_device_type type;         /* 0: any */
    cl_uint vector_ints;         /* the least of them in a vector of the hardware's */
    const char *source;
    const char *ladders;
};

#define GPU_SHORT                                                                                  \
    "keys 1: count\n"                                                                              \
    "keys 2: bitonic 1024; local 4096; radix 16384; count\n"

/* Driver 580.159.04, 2026-11-23. */
static const char H200[] = GPU_SHORT
    "keys 4: hybrid 4864; merge 16384; onesweep 2097152; hybrid 536870912; onesweep\n"
    "keys 8: hybrid 4864; bitonic 262144; onesweep 1048576; hybrid; merge\n"
    "pairs 1: hybrid 2048; local 4096; onesweep\n"
    "pairs 2: hybrid 4864; onesweep\n"
    "pairs 4: hybrid 4864; merge 8192; onesweep 4194304; hybrid 536870912; onesweep\n"
    "pairs 8: hybrid 4096; merge 32768; onesweep 1048576; hybrid 268435456; onesweep\n";

/* The same without onesweep, whose groups wait for others: nobody knows whether those go on meanwhile. */
static const char OTHER_GPU[] = GPU_SHORT
    "keys 4: hybrid 4864; merge 524288; hybrid; merge\n"
    "keys 8: hybrid 4864; bitonic 262144; hybrid; merge\n"
    "pairs 1: hybrid 2048; local 4096; merge 8192; radix\n"
    "pairs 2: hybrid 4864; merge 8192; radix\n"
    "pairs 4: hybrid 4864; merge 262144; hybrid; merge\n"
    "pairs 8: hybrid 4096; merge 524288; hybrid; merge\n";

#define POCL_PAIRS                                                                                 \
    "pairs 1: cpu\n"                                                                               \
    "pairs 2: cpu\n"                                                                               \
    "pairs 4: cpu\n"                                                                               \
    "pairs 8: cpu\n"

/* PoCL 3.1 on 2 cores of a Xeon, 2026-11-22: with AVX-512, and with kernels as without. */
static const char POCL_512[] =
    "keys 1: bitonic 1024; count\n"
    "keys 2: bitonic 131072; count\n"
    "keys 4: cpu\n"
    "keys 8: cpu\n" POCL_PAIRS;

static const char POCL[] =
    "keys 1: bitonic 1024; count\n"
    "keys 2: bitonic 131072; count\n"
    "keys 4: bitonic 262144; cpu\n"
    "keys 8: bitonic 65536; cpu\n" POCL_PAIRS;

static const struct tune_row TUNE_ROWS[] = {
    {"NVIDIA H200", "NVIDIA", 0, 0, "measured on this device", H200},
    {NULL, "NVIDIA", 0, 0, "measured on an H200 of the same vendor", H200},
    {NULL, NULL, CL_DEVICE_TYPE_GPU, 0, "measured on another GPU, an H200", OTHER_GPU},
    {NULL, NULL, CL_DEVICE_TYPE_CPU, 16, "measured on a CPU with AVX-512 under PoCL", POCL_512},
    {NULL, NULL, CL_DEVICE_TYPE_CPU, 0, "measured on a CPU under PoCL", POCL},
    {NULL, NULL, 0, 0, "no such device was measured",
     "keys 1: local; radix\n"
     "keys 2: local; radix\n"
     "keys 4: local; radix\n"
     "keys 8: local; radix\n"
     "pairs 1: local; radix\n"
     "pairs 2: local; radix\n"
     "pairs 4: local; radix\n"
     "pairs 8: local; radix\n"},
};
