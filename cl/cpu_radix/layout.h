/* layout.h - structs and constants of the radix sort for CPUs, for the host and the kernels */
#ifndef CLSORT_CPU_RADIX_LAYOUT_H
#define CLSORT_CPU_RADIX_LAYOUT_H

#include "common/layout.h"

enum {
    /* The maximum number of bits of a digit inside a bucket, and the maximum log2 of the number of
     * bins. */
    CLS_CPU_RADIX_MAX_DIGIT_BITS = 12,
    /* The maximum number of inner nodes of a bin tree, without the root. */
    CLS_CPU_RADIX_MAX_INNER = 32,
    /* The number of bits by which the digits of a bin tree exceed log2 of the number of bins. */
    CLS_CPU_RADIX_FINER_BITS = 4
};

/* The maximum number of children of all nodes of a tree together, if digits have at most
 * digit_bits bits. */
#define CLS_CPU_RADIX_MAX_CHILDREN(digit_bits) (2u << (digit_bits))

/* A node of a bin tree. A key that reaches it goes to the child (key - base) >> shift, limited to
 * the existing children: keys outside the node's digit go to the first child or the last one. */
typedef struct {
    cls_u64 base;
    cls_u32 first_child; /* index of its first child, counted over all nodes */
    cls_u32 bits;        /* it has 2^bits children */
    cls_u32 shift;
    cls_u32 index; /* of the node itself, as a child of its parent */
} cls_cpu_radix_node;

/* A bin tree without its inner nodes, which are in an array in global memory. */
typedef struct {
    cls_cpu_radix_node root;
    cls_u32 bins;
    cls_u32 inner;    /* the number of inner nodes */
    cls_u32 children; /* of all nodes; 0: there is only the root, whose children are the bins */
    cls_u32 divided;  /* the number of leaves inside which a bin ends */
} cls_cpu_radix_tree;

/* A bin: the keys between low and high, inclusive. */
typedef struct {
    cls_u64 low, high;
} cls_cpu_radix_bin;

/* The elements of a bin, or a part of them if they need no sorting. */
typedef struct {
    cls_u64 first, count;
    cls_u64 key;     /* the ordered key of all elements, where low_bit equals top_bit */
    cls_u32 low_bit; /* the bits [low_bit, top_bit) are left to sort */
    cls_u32 top_bit;
} cls_cpu_radix_bucket;

/* The key summary of a chunk, and whether the order of its keys is strictly descending. */
typedef struct {
    cls_key_summary keys;
    cls_u64 is_reversed; /* 1: each key follows its successor, also the one after the chunk */
} cls_cpu_radix_summary;

typedef struct {
    cls_control_head head;
    cls_cpu_radix_tree tree;
    cls_u32 buckets;
    cls_u32 is_rewritten; /* 1: each bucket has one key, from which its elements are written */
    cls_u32 next_bucket;  /* the next bucket and the next chunk that no core has taken yet */
    cls_u32 next_chunk;
    cls_u32 is_reversed; /* 1: the input only needs to be reversed */
    cls_u32 unused;
} cls_cpu_radix_control;

/* The scalar arguments of all kernels. */
typedef struct {
    cls_u64 count;       /* elements */
    cls_u64 chunk;       /* elements of each chunk but the last */
    cls_u64 flip;        /* XOR that makes ordered keys (keys.cl) */
    cls_u64 window;      /* the bits of an ordered key that are compared */
    cls_u64 slice_bytes; /* scratch of each work-item of cpu_radix_sort_buckets */
    cls_u32 chunks;
    cls_u32 samples;  /* keys in the sample */
    cls_u32 bin_bits; /* log2 of the number of bins to make; at most PARTITION_BITS */
    cls_u32 max_leaf; /* a child of the tree with fewer keys of the sample is not split */
} cls_cpu_radix_args;

#endif
