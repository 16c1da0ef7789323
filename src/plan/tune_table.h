/* tune_table.h - built-in ladders for devices, vendors and device types, and defaults
 *
 * For each kind of sort, the first row that matches the device and has a ladder of that kind is
 * used. The ladders have the format of clsort-tune; docs/selection.md lists the measurements.
 * Included by ladder.c and its test. */

struct tune_row {
    const char *device, *vendor; /* prefixes of their names; NULL: any */
    cl_device_type type;         /* 0: any */
    cl_uint vector_ints;         /* minimum number of 32-bit elements in a hardware vector */
    const char *source;
    const char *ladders;
};

/* Measured with driver 580.159.04: keys of 1 byte and pairs with keys of 1 and 2 bytes on an H200 on 2026-11-23;
 * keys of 2 bytes, the steps of 900000 and more keys of 4 bytes, of 1081344 and more such pairs and of up to 540672
 * keys of 8 bytes on H200s on 2026-11-29 and 30; the others on an H100 on 2026-11-25 and 2026-11-28. From 2^20 keys
 * of 2 bytes on, count is faster than onesweep with uniform keys, and from 2 million on with most others. For 2^19
 * to 2^22 keys of 4 bytes without values, onesweep is slower than hybrid with uniform keys, but faster with most
 * uneven ones. Up to 1050624 uniform keys take one round of hybrid. 132 compute units run 264 tiles of onesweep at
 * once; the items are those of tiles of keys, or of pairs with values of 4 bytes, that fill them
 * (docs/selection.md). */
static const char NVIDIA[] =
    "keys 1: count\n"
    "keys 2: hybrid 4864; onesweep:items=8 300000; onesweep:items=16 560000;"
    " onesweep:items=24 811008; onesweep:items=33 1115136; onesweep:items=24 1622016;"
    " onesweep:items=33 1900000; count\n"
    "keys 4: hybrid 4864; merge 8192; onesweep:items=8 131072; onesweep:items=16 900000;"
    " hybrid 1050624; onesweep:items=33 2230272; hybrid 2635776; hybrid:items=31 3142656;"
    " hybrid:items=28 3784704; hybrid 536870912; onesweep\n"
    "keys 8: hybrid:items=8 270336; hybrid:items=16 540672; hybrid; merge\n"
    "pairs 1: hybrid 2048; local 4096; onesweep\n"
    "pairs 2: hybrid 4864; onesweep\n"
    "pairs 4: hybrid 4864; onesweep:items=16 1081344; onesweep:items=24 1622016; onesweep 2230272;"
    " onesweep:items=40 2703360; onesweep:items=24 4866048; onesweep 9000000; hybrid 536870912; "
    "onesweep\n"
    "pairs 8: hybrid:items=8 270336; hybrid:items=16 540672; hybrid 268435456; onesweep\n";

/* Excludes onesweep, which is fast only with forward progress between work-groups: OpenCL does not
 * guarantee it. */
static const char OTHER_GPU[] =
    "keys 1: count\n"
    "keys 2: bitonic 1024; local 4096; radix 16384; count\n"
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

/* Measured with PoCL 3.1 on 2 cores of a Xeon on 2026-11-22: with AVX-512, and with the kernels
 * that do not use it. The steps after the last unlimited one are for sorts without scratch memory;
 * those of 8-byte keys were measured on 2 cores of an EPYC on 2026-11-24. */
static const char POCL_512[] =
    "keys 1: bitonic 1024; count; bitonic\n"
    "keys 2: bitonic 131072; count; bitonic\n"
    "keys 4: cpu; bitonic\n"
    "keys 8: cpu; bitonic\n" POCL_PAIRS;

static const char POCL[] =
    "keys 1: bitonic 1024; count; bitonic\n"
    "keys 2: bitonic 131072; count; bitonic\n"
    "keys 4: bitonic 262144; cpu; bitonic\n"
    "keys 8: bitonic 65536; cpu; quick\n" POCL_PAIRS;

static const struct tune_row TUNE_ROWS[] = {
    {"NVIDIA H", "NVIDIA", 0, 0, "measured on this device or a similar one", NVIDIA},
    {NULL, "NVIDIA", 0, 0, "measured on an H100 and an H200 of the same vendor", NVIDIA},
    {NULL, NULL, CL_DEVICE_TYPE_GPU, 0, "measured on another GPU, an H200", OTHER_GPU},
    {NULL, NULL, CL_DEVICE_TYPE_CPU, 16, "measured on a CPU with AVX-512 under PoCL", POCL_512},
    {NULL, NULL, CL_DEVICE_TYPE_CPU, 0, "measured on a CPU under PoCL", POCL},
    {NULL, NULL, 0, 0, "defaults, since no such device was measured",
     "keys 1: local; radix\n"
     "keys 2: local; radix\n"
     "keys 4: local; radix\n"
     "keys 8: local; radix\n"
     "pairs 1: local; radix\n"
     "pairs 2: local; radix\n"
     "pairs 4: local; radix\n"
     "pairs 8: local; radix\n"},
};
