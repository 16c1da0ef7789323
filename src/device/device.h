/* device.h - an OpenCL device with what the library keeps for it: compiled programs, self-test verdicts, a log */
#ifndef CLSORT_DEVICE_DEVICE_H
#define CLSORT_DEVICE_DEVICE_H

#include "base/text.h"
#include "device/caps.h"

#include <pthread.h>
#include <stdatomic.h>

/* A compiled program, in the list of program.c. */
struct cls_program {
    struct cls_program *next;
    cl_program program;
    char key[]; /* root file and options */
};

/* The outcome of a self-test, in the list of verdicts.c. */
struct cls_verdict {
    struct cls_verdict *next;
    const char *finding; /* behind the subject; "" when the test was passed */
    char subject[];
};

struct cls_device {
    atomic_uint references;
    cl_context context;
    cl_device_id id;
    struct cls_caps caps;
    char *cache_folder;    /* NULL: no disk cache */
    pthread_mutex_t mutex; /* protects what follows */
    struct cls_program *programs;
    struct cls_verdict *verdicts;
    char *log; /* why the last build, self-test or choice failed, or NULL */
};

/* Retains the context; cache_dir as in clsort_engine_options. The caller has the first reference. */
cl_int cls_device_open(cl_context context, cl_device_id id, const char *cache_dir,
                       struct cls_device **device);
void cls_device_retain(struct cls_device *device);
void cls_device_release(struct cls_device *device); /* the last reference frees it */

/* Frees the programs, the verdicts and the log. */
void cls_device_clear(struct cls_device *device);

/* Replaces the log, as far as memory allows. */
void cls_device_log(struct cls_device *device, const char *text);

/* Whether an error may be gone at the next attempt, and so says nothing about the kernels. */
bool cls_is_shortage(clsort_status status);

/* Adds what tells this device, driver and version of clsort from others, and a hash of the kernel source of the program
 * with that root (NULL: of all programs). Returns false when the device does not report its texts, or when key is too
 * small. */
bool cls_device_key(const struct cls_device *device, const char *root, struct cls_text *key);

#endif
