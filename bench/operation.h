/* operation.h - the table of operations, which --op chooses from */
#ifndef CLSORT_BENCH_OPERATION_H
#define CLSORT_BENCH_OPERATION_H

#include "data.h"

#ifdef __cplusplus
extern "C" {
#endif

enum operation {
    OP_KEYS,     /* sorts keys */
    OP_PAIRS,    /* sorts pairs of key and value */
    OP_CUSTOM,   /* sorts keys in the custom order of order.h */
    OP_MERGE,    /* merges two sorted inputs of keys or pairs */
    OP_ARGSORT,  /* finds the permutation that sorts keys */
    OP_GATHER,   /* reorders values by indexes, which are the keys of the job */
    OP_TOP,      /* selects the first k keys, with their indexes */
    OP_NTH,      /* finds the key that is the k-th in the order, from 0, with its index */
    OP_SEGMENTS, /* sorts keys or pairs within segments (offsets.h) */
    OP_UNIQUE,   /* copies the first key of each run of equal keys in order */
    OP_CHECK,    /* finds the first key that precedes the one before it */
    OP_COLUMNS, /* finds the permutation that sorts rows by several columns (rows.h, also the following) */
    OP_STRINGS,  /* sorts byte strings */
    OP_RECORDS,  /* sorts records by a byte string */
    OP_PARTICLES /* sorts structs by a float, descending */
};

struct operation_info {
    const char *name;               /* of --op, and in the results */
    const char *title;              /* follows the type of the keys in the head of the table */
    const char *no_peer;            /* why a peer of other operations does not take part */
    size_t value_size;              /* in bytes, by default; 0: no values */
    bool has_values;                /* --value-size is allowed */
    bool sorts;                     /* --host and --no-scratch are allowed */
    bool merges;                    /* there are two inputs, both sorted */
    bool has_keys;                  /* the keys have an order; otherwise they are indexes */
    bool has_keys_out;              /* the result has keys */
    bool has_indexes;               /* the values of the result are indexes, made by clsort */
    bool has_segments;              /* the elements are divided into segments */
    bool has_counts;                /* --count-share is allowed */
    bool has_rows;                  /* the elements are rows (rows.h), not of a type of keys */
    bool is_sorted;                 /* the input is in order */
    bool has_number;                /* the result is a number, or has one */
    bool selects;                   /* the result has only the keys that --k selects */
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
