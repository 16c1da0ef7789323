// bins.cl - the bins of a partition: intervals of keys that each hold about as many, from a sorted sample
//
// Keys that are even enough have one digit, whose values are the bins. For others there is a tree of digits: a child of
// its root that holds too many of the sample has a digit of its own, down to a bin of one key, and children that hold
// few share a bin. So uneven keys too are moved only once before they are sorted in a cache, by one core.
//
// The digit of a node begins at the highest bit that varies in its sample, or in most of it. What is outside goes to
// the first child or the last one, so that bins are right for any keys, and as even as the sample tells.
//
// Bins from samples, keys that come often in bins of their own: Frazer and McKellar, "Samplesort: a sampling approach
// to minimal storage tree sorting", JACM 17(3), 1970, pp. 496-507; Axtmann et al., "In-place parallel super scalar
// samplesort", ESA 2017, section 4. Theirs are found by comparisons; even keys find ours by one shift.
//
// PARTITION_BITS      as many bins as a number of so many bits can tell apart (their lines must fit in L2)
// MAX_INNER          nodes with children, but for the root
// FINER_BITS          by so many the digits of trees are longer than the number of bins asks for
#ifndef CLSORT_CPU_RADIX_BINS_CL
#define CLSORT_CPU_RADIX_BINS_CL

#include "common/elements.cl"
#include "common/keys.cl"
#include "common/sample.cl"
#include "common/vector_network.cl"
#include "cpu_radix/lsd_sort.cl"

#define MAX_BINS (1u << PARTITION_BITS)
#define MAX_CHILDREN(digit_bits) (2u << (digit_bits)) // of all nodes of a tree
#define MAX_NODES_BYTES(digit_bits)                                                                \
    (sizeof(node_t) * MAX_INNER + sizeof(ushort) * MAX_CHILDREN(digit_bits))
#define MAX_DEPTH 8
#define MIN_UNEVEN 32u // fewer of the sample are too few to tell
#define FAR_BITS 4     // by so many those that vary in few keys make a digit too long

// Keys as they are compared, masked by the window. Those of fewer than 32 bits gain nothing by being short.
#if KEY_BYTES == 8
typedef ulong number_t;
typedef ulong16 numbers_t;
#define NUMBERS(keys) (keys)
#else
typedef uint number_t;
typedef uint16 numbers_t;
#define NUMBERS(keys) convert_uint16(keys)
#endif

// A number that comes to a node goes to the child `(number - base) >> shift`, or to the first or the last one.
typedef struct {
    number_t base;
    uint first, bits, shift; // its first child; 2^bits of them
    uint itself;             // which child it is
} node_t;

typedef struct {
    node_t inner[MAX_INNER]; // but for the root; each behind the one whose child it is
    ushort bin[MAX_CHILDREN(PARTITION_BITS + FINER_BITS)]; // or as many as its place has room for
} nodes_t;

typedef struct {
    node_t root;
    uint bins;
    uint inner;    // nodes with children, but for the root
    uint children; // of all nodes; 0: there is only the root, whose children are the bins
} tree_t;

// In the order of their keys.
typedef struct {
    ulong low, high; // no key is outside
} bin_t;

// Of a number that is not 0.
static inline uint low_bit(const ulong number)
{
    return bits_of(number & (0 - number)) - 1;
}

// -- looking up ------------------------------------------------------------------------------------

// What a work-item needs for it.
typedef struct {
    tree_t tree;
    __global const nodes_t *nodes;
    key_t flip, window;
} finder_t;

static inline finder_t finder_of(const tree_t tree, __global const nodes_t *nodes, const key_t flip,
                                 const key_t window)
{
    finder_t finder = {tree, nodes, flip, window};
    return finder;
}

static inline uint child_of(const node_t node, const number_t number)
{
    const number_t digit = (max(number, node.base) - node.base) >> node.shift;
    return node.first + (uint)min(digit, ((number_t)1 << node.bits) - 1);
}

INLINED uint16 children_of(const node_t node, const numbers_t numbers)
{
    const numbers_t digit = (max(numbers, node.base) - node.base) >> (number_t)node.shift;
    return node.first + convert_uint16(min(digit, ((number_t)1 << node.bits) - 1));
}

static inline uint bin_of(const finder_t finder, const key_t key)
{
    const number_t number = ordered(key, finder.flip) & finder.window;
    uint child = child_of(finder.tree.root, number);
    for (uint i = 0; i < finder.tree.inner; i++)
        if (child == finder.nodes->inner[i].itself)
            child = child_of(finder.nodes->inner[i], number);
    return finder.tree.children ? finder.nodes->bin[child] : child;
}

// Those of 16 keys: as few nodes as there are cost less than looking up each key's.
INLINED void bins_of(const finder_t finder, const key_vector_t keys, uint *restrict bins)
{
    const numbers_t numbers = NUMBERS(ordered_vector(keys, finder.flip) & finder.window);
    uint16 child = children_of(finder.tree.root, numbers);
    for (uint i = 0; i < finder.tree.inner; i++) {
        const node_t node = finder.nodes->inner[i];
        child = select(child, children_of(node, numbers), child == node.itself);
    }
    vstore16(child, 0, bins);
    if (finder.tree.children)
#pragma unroll
        for (uint i = 0; i < VECTOR_LANES; i++)
            bins[i] = finder.nodes->bin[bins[i]];
}

// -- growing the tree ------------------------------------------------------------------------------

// The sizes of a tree, in keys of the sample, and bits.
typedef struct {
    uint samples;
    uint bits;       // of a number that tells the bins apart
    uint digit_bits; // at most
    uint even;       // in each bin, if all are alike
    uint uneven;     // where a bin has more of them, a tree is grown
    uint hot;        // what is more, in a tree, is split
    uint full;       // what is less shares a bin
} measure_t;

// Of a tree: two neighbours are never both less than half full, so that there are no more than 2^bits bins.
static inline measure_t measure_of(const uint count, const uint bits, const uint finer,
                                   const uint hot)
{
    const uint even = ((count - 1) >> bits) + 1;
    const measure_t measure = {count, bits,    bits + finer, even, max(4 * even, MIN_UNEVEN),
                               hot,   2 * even};
    return measure;
}

// A part of the sorted sample, and what keys its node can get.
typedef struct {
    uint begin, end;
    number_t low, high;
} extent_t;

static inline uint size_of(const extent_t extent)
{
    return extent.end - extent.begin;
}

// The digit of a node: the highest bits that vary. Of one key, the key and its neighbours.
static inline node_t digit_of_extent(__global const number_t *sample, const extent_t extent,
                                     const uint bits, const uint first, const uint itself)
{
    number_t low = sample[extent.begin];
    uint top = bits_of(low ^ sample[extent.end - 1]);
    // A few far ones do not take the digit's bits away from the others.
    const uint few = size_of(extent) / 16;
    const number_t most_low = sample[extent.begin + few];
    const uint most_top = bits_of(most_low ^ sample[extent.end - 1 - few]);
    if (most_top + FAR_BITS <= top) {
        low = most_low;
        top = most_top;
    }
    node_t node = {min((number_t)(low - (low > 0)), (number_t)(LARGEST_KEY - 3)), first, 2, 0,
                   itself};
    if (top > 0) {
        node.bits = min(bits, top);
        node.shift = top - node.bits;
        node.base = top < 8 * sizeof(number_t) ? low >> top << top : 0;
    }
    return node;
}

static inline extent_t child_extent(__global const number_t *sample, const node_t node,
                                    const uint child, const uint begin, const extent_t extent)
{
    // A digit may be wider than what its node can get: children that get nothing have low > high.
    extent_t part = extent;
    if (child > 0)
        part.low = max(extent.low, (number_t)(node.base + ((number_t)child << node.shift)));
    if (child < (1u << node.bits) - 1)
        part.high =
            min(extent.high, (number_t)(node.base + ((number_t)(child + 1) << node.shift) - 1));
    part.begin = part.end = begin;
    while (part.end < extent.end && sample[part.end] <= part.high)
        part.end++;
    return part;
}

// Bins of one digit. Returns whether they are even enough.
static inline bool grow_root(tree_t *tree, __global const number_t *sample, const extent_t all,
                             const measure_t measure, __global bin_t *bins)
{
    tree->root = digit_of_extent(sample, all, measure.bits, 0, 0);
    tree->bins = 1u << tree->root.bits;
    tree->inner = tree->children = 0;
    uint at = 0, largest = 0;
    for (uint i = 0; i < tree->bins; i++) {
        const extent_t child = child_extent(sample, tree->root, i, at, all);
        const bin_t bin = {child.low, child.high};
        bins[i] = bin;
        largest = max(largest, size_of(child));
        at = child.end;
    }
    return largest <= measure.uneven;
}

// A node whose children are looked at.
typedef struct {
    node_t node;
    extent_t extent;
    uint child, at; // the next child, and where its sample begins
} visit_t;

// The whole tree, in the order of keys. Children are looked at before what comes after their node.
static inline void grow_tree(tree_t *tree, __global const number_t *sample, const extent_t all,
                             const measure_t measure, __global nodes_t *nodes, __global bin_t *bins)
{
    visit_t path[MAX_DEPTH];
    visit_t here = {digit_of_extent(sample, all, measure.digit_bits, 0, 0), all, 0, 0};
    tree->root = here.node;
    tree->children = 1u << here.node.bits;
    tree->bins = tree->inner = 0;
    for (uint depth = 0, held = 0;;) {
        if (here.child >> here.node.bits) {
            if (depth == 0)
                return;
            here = path[--depth];
            continue;
        }
        const extent_t child = child_extent(sample, here.node, here.child, here.at, here.extent);
        const uint size = size_of(child), place = here.node.first + here.child;
        here.child++;
        here.at = child.end;
        if (size > measure.hot && child.low < child.high && depth < MAX_DEPTH &&
            tree->inner < MAX_INNER) {
            const uint wanted =
                bits_of(size / measure.even) + (measure.digit_bits - measure.bits) / 2;
            const visit_t deeper = {digit_of_extent(sample, child, min(wanted, measure.digit_bits),
                                                    tree->children, place),
                                    child, 0, child.begin};
            if (tree->children + (1u << deeper.node.bits) <= MAX_CHILDREN(measure.digit_bits)) {
                nodes->inner[tree->inner++] = deeper.node;
                tree->children += 1u << deeper.node.bits;
                path[depth++] = here;
                here = deeper;
                continue;
            }
        }
        if (child.low <= child.high) { // else no key can come here
            if (tree->bins == 0 || held + size > measure.full) {
                bins[tree->bins++].low = child.low;
                held = 0;
            }
            held += size;
            bins[tree->bins - 1].high = child.high;
        }
        nodes->bin[place] = tree->bins - 1;
    }
}

// -- from a sample ---------------------------------------------------------------------------------

// What a sample goes through; so many that their arrays are aligned.
#define SAMPLES_ALIGNED 64
#define SAMPLE_ROOM(samples)                                                                       \
    ((size_t)(samples) * (2 * (KEY_BYTES + VALUE_BYTES) + sizeof(number_t)))

// The bins of keys that differ in the bits [low, top) only, from a sample of them that goes through the room.
static inline finder_t find_bins(__global const key_t *keys, const index_t n,
                                 const measure_t measure, const uint low, const uint top,
                                 const key_t flip, const key_t window, __global uchar *room,
                                 index_t *counters, __global nodes_t *nodes, __global bin_t *bins)
{
    // Values are moved along, but say nothing.
    const uint samples = measure.samples;
    const elements_t sample = elements_in(room, 2 * samples), sorted = elements_at(sample, samples);
    take_sample(keys, n, samples, sample.keys);
    if (low < top)
        bucket_sort(sample, sorted, sample, sorted, samples, flip, window, low, top, counters);
    __global number_t *numbers =
        (__global number_t *)(room + 2 * (size_t)samples * (KEY_BYTES + VALUE_BYTES));
    for (uint i = 0; i < samples; i++)
        numbers[i] = ordered(sorted.keys[i], flip) & window;
    const extent_t all = {0, samples, 0, window};
    tree_t tree;
    if (!grow_root(&tree, numbers, all, measure, bins))
        grow_tree(&tree, numbers, all, measure, nodes, bins);
    return finder_of(tree, nodes, flip, window);
}

#endif
