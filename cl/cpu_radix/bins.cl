// bins.cl - the bins of a partition: intervals of keys, found by a digit or by a tree of digits
//
// For evenly distributed keys the bins are the values of one digit. Other keys need a tree of
// digits: a child that receives too many keys has a digit of its own, down to a bin of a single
// key, and neighbouring children that receive few keys share a bin. bin_tree.cl builds the tree
// from a sample of the keys; this file looks bins up.
//
// A key outside the interval of a node's digit goes to the node's first or last child. The bins are
// therefore correct for all keys, also for those that the sample does not represent.
#ifndef CLSORT_CPU_RADIX_BINS_CL
#define CLSORT_CPU_RADIX_BINS_CL

#include "common/keys.cl"
#include "common/vector_network.cl"
#include "cpu_radix/layout.h"

#define MAX_BINS (1u << PARTITION_BITS)

// The bits of ordered keys that are compared, in at least 32 bits: shorter numbers are not faster.
#if KEY_BYTES == 8
typedef ulong compared_key_t;
typedef ulong16 compared_vector_t;
#define COMPARED_VECTOR(keys) (keys)
#else
typedef uint compared_key_t;
typedef uint16 compared_vector_t;
#define COMPARED_VECTOR(keys) convert_uint16(keys)
#endif

// The inner nodes, each after its parent, and the bin of each child that is a leaf. Where the
// number of children has a lower bound (split_part.cl), there is less memory behind `bin`.
typedef struct {
    cls_cpu_radix_node inner[CLS_CPU_RADIX_MAX_INNER];
    ushort bin[CLS_CPU_RADIX_MAX_CHILDREN(PARTITION_BITS + CLS_CPU_RADIX_FINER_BITS)];
} bin_nodes_t;

#define BIN_NODES_BYTES(digit_bits)                                                                \
    (sizeof(cls_cpu_radix_node) * CLS_CPU_RADIX_MAX_INNER +                                        \
     sizeof(ushort) * CLS_CPU_RADIX_MAX_CHILDREN(digit_bits))

// What the look-up of bins needs.
typedef struct {
    cls_cpu_radix_tree tree;
    __global const bin_nodes_t *nodes;
    key_t flip, window;
} bin_lookup_t;

static inline bin_lookup_t lookup_in(const cls_cpu_radix_tree tree,
                                     __global const bin_nodes_t *nodes, const key_t flip,
                                     const key_t window)
{
    bin_lookup_t lookup = {tree, nodes, flip, window};
    return lookup;
}

static inline uint child_of(const cls_cpu_radix_node node, const compared_key_t key)
{
    const compared_key_t base = (compared_key_t)node.base;
    const compared_key_t digit = (max(key, base) - base) >> node.shift;
    return node.first_child + (uint)min(digit, ((compared_key_t)1 << node.bits) - 1);
}

INLINED uint16 children_of(const cls_cpu_radix_node node, const compared_vector_t keys)
{
    const compared_key_t base = (compared_key_t)node.base;
    const compared_vector_t digit = (max(keys, base) - base) >> (compared_key_t)node.shift;
    return node.first_child + convert_uint16(min(digit, ((compared_key_t)1 << node.bits) - 1));
}

static inline uint bin_of(const bin_lookup_t lookup, const key_t key)
{
    const compared_key_t compared = ordered(key, lookup.flip) & lookup.window;
    uint child = child_of(lookup.tree.root, compared);
    for (uint i = 0; i < lookup.tree.inner; i++) {
        if (child == lookup.nodes->inner[i].index) {
            child = child_of(lookup.nodes->inner[i], compared);
        }
    }
    return lookup.tree.children ? lookup.nodes->bin[child] : child;
}

// Looks up the bins of 16 keys. All keys are compared with all inner nodes: these are few, so that
// this costs less than a descent for each key.
INLINED void bins_of(const bin_lookup_t lookup, const key_vector_t keys, uint *restrict bins)
{
    const compared_vector_t compared =
        COMPARED_VECTOR(ordered_vector(keys, lookup.flip) & lookup.window);
    uint16 child = children_of(lookup.tree.root, compared);
    for (uint i = 0; i < lookup.tree.inner; i++) {
        const cls_cpu_radix_node node = lookup.nodes->inner[i];
        child = select(child, children_of(node, compared), child == node.index);
    }
    vstore16(child, 0, bins);
    if (lookup.tree.children) {
#pragma unroll
        for (uint i = 0; i < VECTOR_LANES; i++) {
            bins[i] = lookup.nodes->bin[bins[i]];
        }
    }
}

#endif
