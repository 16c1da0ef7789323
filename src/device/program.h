/* program.h - a device with its compiled programs
 *
 * A program is a list of source files, a string of options, and perhaps a custom order. It is looked for in memory,
 * then on disk, where the driver gives binaries, and else compiled. */
#ifndef CLSORT_DEVICE_PROGRAM_H
#define CLSORT_DEVICE_PROGRAM_H

#include "base/shape.h"
#include "base/text.h"
#include "device/caps.h"

#include <pthread.h>
#include <stdatomic.h>

struct cls_program {
    struct cls_program *next;
    cl_program program;
    char key[]; /* what makes it this program */
};

struct cls_device {
    atomic_uint holders;
    cl_context context;
    cl_device_id id;
    struct cls_caps caps;
    char *cache_folder;    /* NULL: no disk cache */
    pthread_mutex_t mutex; /* for what follows */
    struct cls_program *programs;
    struct cls_verdict *verdicts; /* of verdicts.h */
    char *build_log;              /* of the last build or self-test that failed, or NULL */
};

/* Retains the context; cache_dir as in clsort_engine_options. The caller is the first holder. */
cl_int cls_device_open(cl_context context, cl_device_id id, const char *cache_dir,
                       struct cls_device **device);
void cls_device_hold(struct cls_device *device);
void cls_device_let_go(struct cls_device *device); /* the last holder's call frees it */

/* Makes the text the build log, as far as memory allows. */
void cls_device_log(struct cls_device *device, const char *text);

/* Whether an error may be over next time, and so says nothing of the kernels. */
bool cls_is_shortage(clsort_status status);

/* Adds what tells this device, driver and version of clsort from others, and the kernels' source files (ends
 * with NULL; NULL: all there are). False when the device has no such texts or key has no room. */
bool cls_device_key(const struct cls_device *device, const char *const *files,
                    struct cls_text *key);

/* What a program is made of. */
struct cls_code {
    const char *const *files; /* of cl/; ends with NULL */
    const char *options;
    const struct cls_custom *custom; /* goes before the files; NULL: none */
};

/* Creates one kernel of a program, compiled first where need be. */
cl_int cls_kernel_create(struct cls_device *device, const struct cls_code *code, const char *name,
                         cl_kernel *kernel);

#endif
