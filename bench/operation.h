/* operation.h - the table of operations, which --op chooses from */
#ifndef CLSORT_BENCH_OPERATION_H
#define CLSORT_BENCH_OPERATION_H

#include "data.h"

#ifdef __cplusplus
extern "C" {
#endif

enum operation {
    OP_KEYS,   /* sorts keys */
    OP_PAIRS,  /* sorts pairs of key and value */
    OP_CUSTOM, /* sorts keys in the custom order of order.h */
    OP_MERGE   /* merges two sorted inputs of keys or pairs */
};

struct operation_info {
    const char *name;               /* of --op, and in the results */
    const char *title;              /* follows the type of the keys in the head of the table */
    size_t value_size;              /* in bytes, by default; 0: no values */
    bool has_values;                /* --value-size is allowed */
    bool merges;                    /* there are two inputs, both sorted */
    bool on_host_arrays;            /* --host is allowed */
    clsort_operation in_descriptor; /* of clsort_desc */

    /* Returns why keys of the type are not supported, or NULL. NULL: all types are supported. */
    const char *(*unsupported)(const struct data_type *type);

    /* Sets further fields of desc. NULL: there are none. */
    void (*describe)(const struct data_type *type, clsort_desc *desc);
};

const struct operation_info *operation_of(enum operation operation);

/* Finds an operation by name. Returns false if there is none. */
bool operation_find(const char *name, enum operation *operation);

#ifdef __cplusplus
}
#endif
#endif
