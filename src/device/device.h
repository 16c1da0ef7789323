/* device.h - an OpenCL device with its compiled programs and its self-test verdicts */
#ifndef CLSORT_DEVICE_DEVICE_H
#define CLSORT_DEVICE_DEVICE_H

#include "base/text.h"
#include "device/caps.h"
#include "device/scratch.h"
#include "device/setup_time.h"

#include <pthread.h>
#include <stdatomic.h>

/* A compiled program: an entry of the list that program.c searches. */
struct cls_program {
    struct cls_program *next;
    cl_program program;
    char key[]; /* root file and options */
};

/* The result of a self-test: an entry of the list that verdicts.c searches. */
struct cls_verdict {
    struct cls_verdict *next;
    const char *finding; /* what is wrong, "" if the test passed; stored after the subject */
    char subject[];      /* what was tested */
};

/* The time of sorts on the host: an entry of the list that host_time.c searches. */
struct cls_host_time {
    struct cls_host_time *next;
    bool is_synchronised; /* with the disk cache, at least once */
    uint64_t stored_ns;   /* `ns` when it was synchronised last */
    uint64_t ns;
    char subject[]; /* the self-test of the programs that are not compiled yet */
};

struct cls_device {
    atomic_uint references;
    size_t number; /* unique in this process, from 1 on; identifies the device in error.h */
    cl_context context;
    cl_device_id id;
    struct cls_caps caps;
    char *cache_folder;    /* NULL: no disk cache */
    pthread_mutex_t mutex; /* protects the members below */
    struct cls_program *programs;
    struct cls_verdict *verdicts;
    struct cls_host_time *host_times;
    struct cls_setup_time setup_time;
    struct cls_kept kept;
    uint64_t copied_bytes; /* of large host arrays, in either direction */
    bool is_staging;       /* a thread has taken the staging memory */
};

/* Opens a device of the context and retains the context. cache_dir is as in clsort_engine_options.
 * The caller owns the first reference. Returns CLSORT_E_MEMORY or an error of OpenCL's queries. */
cl_int cls_device_open(cl_context context, cl_device_id id, const char *cache_dir,
                       struct cls_device **device);
void cls_device_retain(struct cls_device *device);
void cls_device_release(struct cls_device *device); /* frees it with the last reference */

/* Frees the programs, the verdicts and the times of the host. Outside device.c only tests call it. */
void cls_device_clear(struct cls_device *device);

/* Returns whether status reports a shortage of memory: the kernels are not at fault, and a later
 * attempt may succeed. */
bool cls_is_shortage(clsort_status status);

/* Appends a key that identifies the device, the driver, the version of clsort, and the source of
 * the program with this root file (NULL: of all programs). Returns false if the device does not
 * report its names, or if the key is truncated. */
bool cls_device_key(const struct cls_device *device, const char *root, struct cls_text *key);

#endif
