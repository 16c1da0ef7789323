// bin_tree.cl - chooses the bins of a partition from a sample, for bins of about equal size
//
// A sample of the keys is sorted. If the values of a single digit divide it evenly, these are the
// bins. Otherwise the bins end at keys of about equal distance in the sample (bin_list.cl), and a
// tree of digits finds them (bins.cl): if more than MAX_LEAF_SPLITTERS bins end inside a child that
// holds many keys, the child has a digit of its own. The highest bit of a node's digit is the
// highest one that varies in the node's part of the sample; outliers at both ends are ignored if
// they would raise it by 4 bits or more. Therefore even unevenly distributed keys are moved only
// once before a core sorts them in its cache.
#ifndef CLSORT_CPU_RADIX_BIN_TREE_CL
#define CLSORT_CPU_RADIX_BIN_TREE_CL

#include "common/elements.cl"
#include "common/keys.cl"
#include "common/sample.cl"
#include "cpu_radix/bin_list.cl"
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
    uint bits;       // one digit makes at most 2^bits bins
    uint digit_bits; // maximum length of a digit of a tree
    uint mean;       // of the bins of one digit
    uint max_flat;   // one digit is sufficient when no bin has more
    uint max_leaf;   // a child with fewer is never split
    uint step;       // of a bin of a tree
} tree_limits_t;

// A tree has at most 2^tree_bits bins.
static inline tree_limits_t tree_limits(const uint samples, const uint bits, const uint tree_bits,
                                        const uint finer, const uint max_leaf)
{
    const uint mean = ((samples - 1) >> bits) + 1,
               step = samples / max((1u << tree_bits) - 1, 1u) + 1;
    const tree_limits_t limits = {
        samples, bits, bits + finer, mean, max(4 * mean, MIN_UNEVEN_SAMPLES), max_leaf, step};
    return limits;
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
    tree->inner = tree->children = tree->divided = 0;
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

// Makes an inner node of a child if the child holds too many keys for a leaf, `inside` bins end
// inside it, and the table of nodes is not full. Returns whether it did.
static inline bool split_child(cls_cpu_radix_tree *tree, __global const compared_key_t *sample,
                               const sample_range_t child, const uint inside, const uint index,
                               const uint depth, const tree_limits_t limits,
                               __global bin_nodes_t *nodes, tree_visit_t *visit)
{
    const uint size = range_size(child);
    if (inside <= MAX_LEAF_SPLITTERS || size <= limits.max_leaf || depth >= MAX_TREE_DEPTH ||
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

// Builds a tree in depth-first order, which is the order of its keys.
static inline void build_tree(cls_cpu_radix_tree *tree, __global const compared_key_t *sample,
                              const sample_range_t all, const tree_limits_t limits,
                              __global bin_nodes_t *nodes, __global compared_key_t *last_keys,
                              __global cls_cpu_radix_bin *bins)
{
    bin_list_t list = {bins, 0, 0, 0};
    want_bins(&list, sample, all, limits.step);
    tree_visit_t path[MAX_TREE_DEPTH];
    tree_visit_t visit = {node_of_range(sample, all, limits.digit_bits, 0, 0), all, 0, 0};
    tree->root = visit.node;
    tree->children = 1u << visit.node.bits;
    tree->inner = tree->divided = 0;
    for (uint depth = 0;;) {
        if (visit.child >> visit.node.bits) {
            if (depth == 0) {
                break;
            }
            visit = path[--depth];
            continue;
        }
        const sample_range_t child =
            child_range(sample, visit.node, visit.child, visit.begin, visit.range);
        const uint index = visit.node.first_child + visit.child;
        visit.child++;
        visit.begin = child.end;
        nodes->bin[index] = list.count;
        if (child.low > child.high) {
            continue; // no key can reach it
        }
        const uint inside = bins_inside(&list, child);
        tree_visit_t deeper;
        if (split_child(tree, sample, child, inside, index, depth, limits, nodes, &deeper)) {
            path[depth++] = visit;
            visit = deeper;
        } else {
            tree->divided += make_bins_of_leaf(&list, sample, child, inside, limits.step);
        }
    }
    tree->bins = list.count;
    for (uint bin = 0; bin < list.count; bin++) {
        last_keys[bin] = (compared_key_t)bins[bin].high;
    }
    last_keys[list.count] = (compared_key_t) ~(compared_key_t)0;
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
                                  __global compared_key_t *last_keys,
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
        build_tree(&tree, compared, all, limits, nodes, last_keys, bins);
    }
    return lookup_in(tree, nodes, last_keys, flip, window);
}

#endif
