// bins.cl - the bins of a partition: intervals of keys, found by a digit or by a tree of digits
//
// For evenly distributed keys the bins are the values of one digit. Other keys need a tree of
// digits: a child that receives too many keys has a digit of its own, and neighbouring children
// that receive few keys share a bin. The leaves of the tree need not be bins: up to
// MAX_LEAF_SPLITTERS bins may end inside a leaf. A search without branches (Sanders and Winkel,
// "Super scalar sample sort", ESA 2004, pp. 784-796) finds the bin of a key among those of its
// leaf. bin_tree.cl builds the tree from a sample of the keys; this file looks bins up.
//
// A key outside the interval of a node's digit goes to the node's first or last child. The bins are
// therefore correct for all keys, also for those that the sample does not represent.
//
// Cost: for u32 keys, a tree takes 0.4 ns per key and look-up more than a digit, and the search in
// leaves 0.8 ns more than a tree without it (AVX2, 2.45 GHz).
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

// What the look-up of bins needs. last_keys has the last key of each bin, and then the largest key.
// It is used only if bins end inside leaves.
typedef struct {
    cls_cpu_radix_tree tree;
    __global const bin_nodes_t *nodes;
    __global const compared_key_t *last_keys;
    key_t flip, window;
} bin_lookup_t;

static inline bin_lookup_t lookup_in(const cls_cpu_radix_tree tree,
                                     __global const bin_nodes_t *nodes,
                                     __global const compared_key_t *last_keys, const key_t flip,
                                     const key_t window)
{
    bin_lookup_t lookup = {tree, nodes, last_keys, flip, window};
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

#define MAX_LEAF_SPLITTERS 3u // number of bins that may end inside a leaf

// Returns the bin of a key in a leaf, whose first bin is `bin`.
static inline uint bin_in_leaf(const bin_lookup_t lookup, const uint bin, const compared_key_t key)
{
    const uint found = bin + 2 * (lookup.last_keys[bin + 1] < key);
    return found + (lookup.last_keys[found] < key);
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
    if (lookup.tree.children == 0) {
        return child;
    }
    const uint bin = lookup.nodes->bin[child];
    return lookup.tree.divided ? bin_in_leaf(lookup, bin, compared) : bin;
}

// Prevent the compiler from combining the searches of several keys to vectors, which takes longer
// than the searches, because the lanes are loaded one by one.
#if defined(__x86_64__) || defined(__aarch64__)
#define KEEP_SCALAR(x) __asm__("" : "+r"(x))
#define KEEP_IN_MEMORY(a, b) __asm__ volatile("" : : "r"(a), "r"(b) : "memory")
#else
#define KEEP_SCALAR(x)
#define KEEP_IN_MEMORY(a, b)
#endif

// Looks up the bins of 16 keys, whose leaves are known.
INLINED void bins_in_leaves(const bin_lookup_t lookup, const uint16 child,
                            const compared_vector_t compared, uint *restrict bins)
{
    compared_key_t keys[VECTOR_LANES];
    uint leaves[VECTOR_LANES];
    vstore16(compared, 0, keys);
    vstore16(child, 0, leaves);
    KEEP_IN_MEMORY(keys, leaves);
#pragma unroll
    for (uint i = 0; i < VECTOR_LANES; i++) {
        uint bin = bin_in_leaf(lookup, lookup.nodes->bin[leaves[i]], keys[i]);
        KEEP_SCALAR(bin);
        bins[i] = bin;
    }
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
    if (lookup.tree.divided) {
        bins_in_leaves(lookup, child, compared, bins);
        return;
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
