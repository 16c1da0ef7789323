/* guarded.h - data in a device buffer, with canaries before it, where its offset leaves room, and
 * behind
 */
#ifndef CLSORT_TESTS_GUARDED_H
#define CLSORT_TESTS_GUARDED_H

#include "env.h"

#include <stddef.h>

/* How a buffer is made. */
enum guarded_memory {
    GUARDED_PLAIN,
    GUARDED_NARROW,   /* CL_MEM_READ_ONLY for input, CL_MEM_WRITE_ONLY for output */
    GUARDED_DEVICE,   /* CL_MEM_HOST_NO_ACCESS */
    GUARDED_HOST_PTR, /* CL_MEM_USE_HOST_PTR */
    GUARDED_PINNED,   /* CL_MEM_ALLOC_HOST_PTR */
    GUARDED_SUB,      /* a sub-buffer of a larger one */
    GUARDED_MEMORY_COUNT
};

enum guarded_use { GUARDED_INPUT, GUARDED_OUTPUT, GUARDED_BOTH };

const char *guarded_memory_name(enum guarded_memory memory);

struct guarded {
    clsort_buffer place; /* what clsort is given */
    size_t size;         /* bytes of data there */
    cl_mem whole;        /* the buffer with its canaries; has place.mem inside, or is it */
    size_t start;        /* of the data in whole */
    size_t whole_size;
    void *host; /* what CL_MEM_USE_HOST_PTR uses */
};

/* data NULL: filled with canaries too. On failure nothing is left to release. */
cl_int guarded_create(struct guarded *guarded, const struct env *env, enum guarded_memory memory,
                      enum guarded_use use, size_t offset, size_t size, const void *data);

/* Copies the data, unless data is NULL, and tells whether every canary is as it was. */
cl_int guarded_read(const struct guarded *guarded, const struct env *env, void *data, bool *intact);

/* A guarded of zeros is fine. */
void guarded_release(struct guarded *guarded);

#endif
