/* tune_table.h - the ladders that clsort-tune measured, of devices, of vendors, of types, and of all others
 *
 * For each kind of sort the first row that fits a device and has a ladder of that kind is taken. The files that
 * clsort-tune writes have the same ladders. Included by ladder.c alone. */

/* From the fields of clsort-tune's output, in its order. */
struct tune_row {
    const char *device, *vendor; /* the beginnings of their names; NULL: any */
    cl_device_type type;         /* 0: any */
    const char *source;
    const char *ladders[CLS_KINDS]; /* NULL: see the next row that fits */
};

#define LADDERS_OF_H200                                                                            \
    {                                                                                              \
        "local 4096; radix", "bitonic 4096; merge", "bitonic 262144; merge", "local 4096; radix",  \
            "local 4096; radix", "local 4096; radix"                                               \
    }

static const struct tune_row TUNE_ROWS[] = {
    {"NVIDIA H200", "NVIDIA", 0, "measured on this device", LADDERS_OF_H200},
    {NULL, "NVIDIA", 0, "measured on an H200 of the same vendor", LADDERS_OF_H200},
    {NULL, NULL, CL_DEVICE_TYPE_GPU, "measured on another GPU, an H200", LADDERS_OF_H200},
    {NULL,
     NULL,
     CL_DEVICE_TYPE_CPU,
     "measured on a CPU under PoCL",
     {"cpu", "cpu", "cpu", "cpu", "cpu", "cpu"}},
    {NULL,
     NULL,
     0,
     "not measured on such devices",
     {"local; radix", "local; radix", "local; radix", "local; radix", "local; radix",
      "local; radix"}},
};
