// bin_tree.cl - chooses the bins of a partition from a sample, for bins of about equal size
//
// A sample of the keys is sorted. If the values of a single digit divide it evenly, these are the
// bins; otherwise a tree of digits is built (bins.cl). The highest bit of a node's digit is the
// highest one that varies in the node's part of the sample; outliers at both ends are ignored if
// they would raise it by 4 bits or more. Therefore even unevenly distributed keys are moved only
// once before a core sorts them in its cache.
//
// Bins from samples, and bins of their own for frequent keys: Frazer and McKellar, "Samplesort: a
// sampling approach to minimal storage tree sorting", JACM 17(3), 1970, pp. 496-507; Axtmann et
// al., "In-place parallel super scalar samplesort", ESA 2017, section 4. These find the bin of a
// key by comparisons; here one shift finds the bins of evenly distributed keys.
#ifndef CLSORT_CPU_RADIX_BIN_TREE_CL
#define CLSORT_CPU_RADIX_BIN_TREE_CL

#include "common/elements.cl"
#include "common/keys.cl"
#include "common/sample.cl"
#include "cpu_radix/bins.cl"
#include "cpu_radix/lsd_sort.cl"

#define MAX_TREE_DEPTH 8
#define MIN_UNEVEN_SAMPLES 32u // a bin with fewer keys of the sample is never too large
#define OUTLIER_BITS 4 // a digit ignores outliers that would raise its highest bit by this many

// Returns the index of the lowest bit that is set. `number` is not 0.
static inline uint low_bit(const ulong number)
{
    return bits_of(number & (0 - number)) - 1;
}

// The limits of a tree, in keys of the sample, and its digits, in bits.
typedef struct {
    uint samples;
    uint bits;       // there are at most 2^bits bins
    uint digit_bits; // maximum length of a digit
    uint mean;       // of a bin
    uint max_flat;   // one digit is sufficient when no bin has more
    uint max_leaf;   // a child with more is split
    uint max_shared; // a bin of several children has at most this many
} tree_limits_t;

// In a tree two neighbouring bins always hold more than max_shared = 2 * mean together, so that
// there are at most 2^bits bins.
static inline tree_limits_t tree_limits(const uint samples, const uint bits, const uint finer,
                                        const uint max_leaf)
{
    const uint mean = ((samples - 1) >> bits) + 1;
    const tree_limits_t limits = {
        samples, bits, bits + finer, mean, max(4 * mean, MIN_UNEVEN_SAMPLES), max_leaf, 2 * mean};
    return limits;
}

// A part of the sorted sample, and the interval of all keys that can reach its node.
typedef struct {
    uint begin, end;
    compared_key_t low, high;
} sample_range_t;

static inline uint range_size(const sample_range_t range)
{
    return range.end - range.begin;
}

// Returns a node whose digit consists of the highest bits that vary in a range of the sample. If
// the range has a single key, the children are this key and its neighbours.
static inline cls_cpu_radix_node node_of_range(__global const compared_key_t *sample,
                                               const sample_range_t range, const uint bits,
                                               const uint first_child, const uint index)
{
    compared_key_t low = sample[range.begin];
    uint top = bits_of(low ^ sample[range.end - 1]);
    // Otherwise a few outliers could leave all other keys in one child.
    const uint outliers = range_size(range) / 16;
    const compared_key_t inner_low = sample[range.begin + outliers];
    const uint inner_top = bits_of(inner_low ^ sample[range.end - 1 - outliers]);
    if (inner_top + OUTLIER_BITS <= top) {
        low = inner_low;
        top = inner_top;
    }
    cls_cpu_radix_node node = {
        min((compared_key_t)(low - (low > 0)), (compared_key_t)(LARGEST_KEY - 3)), first_child, 2,
        0, index};
    if (top > 0) {
        node.bits = min(bits, top);
        node.shift = top - node.bits;
        node.base = top < 8 * sizeof(compared_key_t) ? low >> top << top : 0;
    }
    return node;
}

// Returns the range of a child, whose part of the sample begins at `begin`. A digit may cover more
// than the interval of its node; a child that no key can reach has low > high.
static inline sample_range_t child_range(__global const compared_key_t *sample,
                                         const cls_cpu_radix_node node, const uint child,
                                         const uint begin, const sample_range_t range)
{
    const compared_key_t base = (compared_key_t)node.base;
    sample_range_t part = range;
    if (child > 0) {
        part.low = max(range.low, (compared_key_t)(base + ((compared_key_t)child << node.shift)));
    }
    if (child < (1u << node.bits) - 1) {
        part.high = min(range.high,
                        (compared_key_t)(base + ((compared_key_t)(child + 1) << node.shift) - 1));
    }
    part.begin = part.end = begin;
    while (part.end < range.end && sample[part.end] <= part.high) {
        part.end++;
    }
    return part;
}

// Makes the bins of one digit. Returns whether they are even enough.
static inline bool make_flat_bins(cls_cpu_radix_tree *tree, __global const compared_key_t *sample,
                                  const sample_range_t all, const tree_limits_t limits,
                                  __global cls_cpu_radix_bin *bins)
{
    tree->root = node_of_range(sample, all, limits.bits, 0, 0);
    tree->bins = 1u << tree->root.bits;
    tree->inner = tree->children = 0;
    uint begin = 0, largest = 0;
    for (uint i = 0; i < tree->bins; i++) {
        const sample_range_t child = child_range(sample, tree->root, i, begin, all);
        const cls_cpu_radix_bin bin = {child.low, child.high};
        bins[i] = bin;
        largest = max(largest, range_size(child));
        begin = child.end;
    }
    return largest <= limits.max_flat;
}

// A node whose children are being made.
typedef struct {
    cls_cpu_radix_node node;
    sample_range_t range;
    uint child, begin; // the next child, and where its part of the sample begins
} tree_visit_t;

// Makes an inner node of a child if the child holds too many keys and the table of nodes is not
// full. Returns whether it did.
static inline bool split_child(cls_cpu_radix_tree *tree, __global const compared_key_t *sample,
                               const sample_range_t child, const uint index, const uint depth,
                               const tree_limits_t limits, __global bin_nodes_t *nodes,
                               tree_visit_t *visit)
{
    const uint size = range_size(child);
    if (size <= limits.max_leaf || child.low >= child.high || depth >= MAX_TREE_DEPTH ||
        tree->inner >= CLS_CPU_RADIX_MAX_INNER) {
        return false;
    }
    const uint wanted = bits_of(size / limits.mean) + (limits.digit_bits - limits.bits) / 2;
    const tree_visit_t deeper = {
        node_of_range(sample, child, min(wanted, limits.digit_bits), tree->children, index), child,
        0, child.begin};
    if (tree->children + (1u << deeper.node.bits) > CLS_CPU_RADIX_MAX_CHILDREN(limits.digit_bits)) {
        return false;
    }
    nodes->inner[tree->inner++] = deeper.node;
    tree->children += 1u << deeper.node.bits;
    *visit = deeper;
    return true;
}

// Adds a leaf to the last bin or to a new one. *held is the number of keys of the sample in the
// last bin.
static inline void add_leaf(cls_cpu_radix_tree *tree, const sample_range_t leaf, const uint index,
                            const tree_limits_t limits, __global bin_nodes_t *nodes,
                            __global cls_cpu_radix_bin *bins, uint *held)
{
    const uint size = range_size(leaf);
    if (leaf.low <= leaf.high) { // otherwise no key can reach it
        if (tree->bins == 0 || *held + size > limits.max_shared) {
            bins[tree->bins++].low = leaf.low;
            *held = 0;
        }
        *held += size;
        bins[tree->bins - 1].high = leaf.high;
    }
    nodes->bin[index] = tree->bins - 1;
}

// Builds a tree in depth-first order, which is the order of its keys.
static inline void build_tree(cls_cpu_radix_tree *tree, __global const compared_key_t *sample,
                              const sample_range_t all, const tree_limits_t limits,
                              __global bin_nodes_t *nodes, __global cls_cpu_radix_bin *bins)
{
    tree_visit_t path[MAX_TREE_DEPTH];
    tree_visit_t visit = {node_of_range(sample, all, limits.digit_bits, 0, 0), all, 0, 0};
    tree->root = visit.node;
    tree->children = 1u << visit.node.bits;
    tree->bins = tree->inner = 0;
    for (uint depth = 0, held = 0;;) {
        if (visit.child >> visit.node.bits) {
            if (depth == 0) {
                return;
            }
            visit = path[--depth];
            continue;
        }
        const sample_range_t child =
            child_range(sample, visit.node, visit.child, visit.begin, visit.range);
        const uint index = visit.node.first_child + visit.child;
        visit.child++;
        visit.begin = child.end;
        tree_visit_t deeper;
        if (split_child(tree, sample, child, index, depth, limits, nodes, &deeper)) {
            path[depth++] = visit;
            visit = deeper;
        } else {
            add_leaf(tree, child, index, limits, nodes, bins, &held);
        }
    }
}

// The size of the workspace of choose_bins. The arrays in it are aligned if the sample size is a
// multiple of SAMPLES_ALIGNED.
#define SAMPLES_ALIGNED 64
#define SAMPLE_BYTES(samples)                                                                      \
    ((size_t)(samples) * (2 * (KEY_BYTES + VALUE_BYTES) + sizeof(compared_key_t)))

// Chooses the bins of keys that differ in the bits [low, top) only, from a sample of them.
OUTLINED bin_lookup_t choose_bins(__global const key_t *keys, const index_t n,
                                  const tree_limits_t limits, const uint low, const uint top,
                                  const key_t flip, const key_t window, __global uchar *workspace,
                                  index_t *counters, __global bin_nodes_t *nodes,
                                  __global cls_cpu_radix_bin *bins)
{
    // The sort also moves values, which are neither initialised nor used.
    const uint samples = limits.samples;
    const elements_t sample = elements_in(workspace, 2 * samples),
                     sorted = elements_at(sample, samples);
    take_sample(keys, n, samples, sample.keys);
    if (low < top) {
        sort_elements(sample, sorted, sample, sorted, samples, flip, window, low, top, counters);
    }
    __global compared_key_t *compared =
        (__global compared_key_t *)(workspace + 2 * (size_t)samples * (KEY_BYTES + VALUE_BYTES));
    for (uint i = 0; i < samples; i++) {
        compared[i] = ordered(sorted.keys[i], flip) & window;
    }
    const sample_range_t all = {0, samples, 0, window};
    cls_cpu_radix_tree tree;
    if (!make_flat_bins(&tree, compared, all, limits, bins)) {
        build_tree(&tree, compared, all, limits, nodes, bins);
    }
    return lookup_in(tree, nodes, flip, window);
}

#endif
