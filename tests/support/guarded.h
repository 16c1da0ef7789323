/* guarded.h - data in a device buffer between canaries: bytes with known values that detect writes out of bounds
 *
 * There are always canaries behind the data. Those before it fill the bytes that the offset leaves. */
#ifndef CLSORT_TESTS_GUARDED_H
#define CLSORT_TESTS_GUARDED_H

#include "env.h"

#include <stddef.h>

/* How a buffer is created. */
enum guarded_memory {
    GUARDED_PLAIN,
    GUARDED_NARROW,   /* CL_MEM_READ_ONLY for input, CL_MEM_WRITE_ONLY for output */
    GUARDED_DEVICE,   /* CL_MEM_HOST_NO_ACCESS */
    GUARDED_HOST_PTR, /* CL_MEM_USE_HOST_PTR */
    GUARDED_PINNED,   /* CL_MEM_ALLOC_HOST_PTR */
    GUARDED_SUB,      /* a sub-buffer of a larger one */
    GUARDED_CONST, /* CL_MEM_READ_ONLY for input, plain for output: Oclgrind reports reads of write-only buffers */
    GUARDED_MEMORY_COUNT
};

enum guarded_use { GUARDED_INPUT, GUARDED_OUTPUT, GUARDED_BOTH };

/* Returns NULL past the last kind. */
const char *guarded_memory_name(enum guarded_memory memory);

struct guarded {
    clsort_buffer buffer; /* the data, as clsort takes it */
    size_t size;          /* of the data in bytes */
    cl_mem whole;         /* the buffer with the canaries; buffer.mem is the same or a sub-buffer */
    size_t start;         /* of the data in `whole` */
    size_t whole_size;
    enum guarded_memory memory;
    void *host; /* the memory of CL_MEM_USE_HOST_PTR */
};

/* If data is NULL, the buffer is filled with canaries. On failure nothing needs to be released. */
cl_int guarded_create(struct guarded *guarded, const struct env *env, enum guarded_memory memory,
                      enum guarded_use use, size_t offset, size_t size, const void *data);

/* Copies the data unless data is NULL. *intact becomes whether all canaries are unchanged. */
cl_int guarded_read(const struct guarded *guarded, const struct env *env, void *data, bool *intact);

/* Returns whether the data are as expected, which NULL always is, and all canaries unchanged. Otherwise prints what is
 * wrong with the array of this name. */
bool guarded_has(const struct guarded *guarded, const struct env *env, const char *name,
                 const void *expected);

/* Also accepts a struct of zeros. */
void guarded_release(struct guarded *guarded);

#endif
