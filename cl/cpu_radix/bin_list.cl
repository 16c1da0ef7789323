// bin_list.cl - chooses where bins end, at keys of about equal distance in a sorted sample
//
// A key that fills the share of two bins is frequent and has a bin of its own, which needs no
// sorting. The other bins end within half of a share of where they would be equal, at the place
// where the highest bit changes between neighbours in the sample. The keys of a bin then agree in
// as many high bits as possible.
//
// First all bins are wanted, and then those are made that the leaves of the tree can tell apart.
//
// Bins from samples, and bins of their own for frequent keys: Frazer and McKellar, "Samplesort: a
// sampling approach to minimal storage tree sorting", JACM 17(3), 1970, pp. 496-507; Axtmann et
// al., "In-place parallel super scalar samplesort", ESA 2017, section 4.
#ifndef CLSORT_CPU_RADIX_BIN_LIST_CL
#define CLSORT_CPU_RADIX_BIN_LIST_CL

#include "cpu_radix/bins.cl"
#include "cpu_radix/lsd_sort.cl"

// A part of the sorted sample, and the interval of all keys that can reach its node.
typedef struct {
    uint begin, end;
    compared_key_t low, high;
} sample_range_t;

static inline uint range_size(const sample_range_t range)
{
    return range.end - range.begin;
}

// The bins in ascending order. The first `count` are made. Those from `next` to `wanted` are still
// to be made; of these only the last key is set.
typedef struct {
    __global cls_cpu_radix_bin *bin;
    uint wanted, next, count;
} bin_list_t;

// -- the wanted bins ------------------------------------------------------------------------------

// Adds a wanted bin that ends at the key `high`, unless it would be empty.
static inline void want_bin(bin_list_t *bins, const compared_key_t high)
{
    if (bins->wanted == 0 || high > bins->bin[bins->wanted - 1].high) {
        bins->bin[bins->wanted++].high = high;
    }
}

// Divides the keys [begin, end) of the sample, of which none is frequent, into bins of about `step`
// keys. The last bin stays open.
static inline void want_bins_of_range(bin_list_t *bins, __global const compared_key_t *sample,
                                      const uint begin, const uint end, const uint step)
{
    const uint parts = (end - begin) / step;
    for (uint part = 1; part < parts; part++) {
        const uint middle = begin + (uint)((ulong)(end - begin) * part / parts);
        compared_key_t change = 0, next = 0;
        for (uint i = middle - step / 2; i < middle - step / 2 + step; i++) {
            const compared_key_t here = sample[i - 1] ^ sample[i];
            if (here > change) {
                change = here;
                next = sample[i];
            }
        }
        if (change > 0) {
            const uint lower_bits = bits_of(change) - 1;
            want_bin(bins, (next >> lower_bits << lower_bits) - 1);
        }
    }
}

// Returns the part of the sample [begin, end) that is its most frequent key among those that fill
// the share of two bins, or else an empty part at `end`.
static inline sample_range_t frequent_part(__global const compared_key_t *sample, const uint begin,
                                           const uint end, const uint step)
{
    sample_range_t part = {end, end, 0, 0};
    uint count = 2 * step; // a key has to be at least as frequent
    for (uint i = begin; i + count <= end; i++) {
        if (sample[i] == sample[i + count - 1]) {
            for (; i + count < end && sample[i] == sample[i + count]; count++) {
            }
            const sample_range_t found = {i, i + count, sample[i], sample[i]};
            part = found;
            count++;
        }
    }
    return part;
}

// Lists the wanted bins: at most samples / step + 1, since a frequent key takes the share of two
// bins and ends two.
static inline void want_bins(bin_list_t *list, __global const compared_key_t *sample,
                             const sample_range_t all, const uint step)
{
    for (uint begin = 0; begin < all.end;) {
        uint end = begin; // the first frequent key
        while (end + 2 * step <= all.end && sample[end] != sample[end + 2 * step - 1]) {
            end++;
        }
        if (end + 2 * step > all.end) {
            want_bins_of_range(list, sample, begin, all.end, step);
            break;
        }
        want_bins_of_range(list, sample, begin, end, step);
        const compared_key_t frequent = sample[end];
        if (frequent > 0) {
            want_bin(list, frequent - 1);
        }
        want_bin(list, frequent);
        for (begin = end; begin < all.end && sample[begin] == frequent; begin++) {
        }
    }
    want_bin(list, all.high);
}

// -- the bins of a leaf ---------------------------------------------------------------------------

// Returns how many wanted bins end inside a child, before its last key. The bins of all preceding
// children are made.
static inline uint bins_inside(const bin_list_t *bins, const sample_range_t child)
{
    uint end = bins->next;
    while (end < bins->wanted && bins->bin[end].high < child.high) {
        end++;
    }
    return end - bins->next;
}

// Ends a bin at the key `high`, unless it would be empty.
static inline void end_bin(bin_list_t *bins, const compared_key_t high)
{
    const uint i = bins->count;
    if (i == 0 || high > bins->bin[i - 1].high) {
        const cls_cpu_radix_bin bin = {i > 0 ? bins->bin[i - 1].high + 1 : 0, high};
        bins->bin[i] = bin;
        bins->count++;
    }
}

// Makes the bins of a leaf, in which `inside` wanted bins end. If these are more than
// MAX_LEAF_SPLITTERS, those on both sides of the leaf's most frequent key are kept, or every n-th.
// Returns whether a bin ends inside the leaf.
static inline bool make_bins_of_leaf(bin_list_t *bins, __global const compared_key_t *sample,
                                     const sample_range_t leaf, const uint inside, const uint step)
{
    const uint count = bins->count, first = bins->next, end = first + inside;
    sample_range_t frequent = {0, 0, 0, 0};
    if (inside > MAX_LEAF_SPLITTERS) {
        frequent = frequent_part(sample, leaf.begin, leaf.end, step);
    }
    if (range_size(frequent) > 0) {
        if (leaf.low < frequent.low) {
            end_bin(bins, frequent.low - 1);
        }
        if (frequent.low < leaf.high) {
            end_bin(bins, frequent.low);
        }
    } else {
        const uint kept = min(inside, (uint)MAX_LEAF_SPLITTERS);
        for (uint i = 0; i < kept; i++) {
            end_bin(bins, (compared_key_t)bins->bin[first + (i + 1) * inside / (kept + 1)].high);
        }
    }
    const bool is_divided = bins->count > count;
    bins->next = end;
    if (end < bins->wanted && bins->bin[end].high == leaf.high) {
        end_bin(bins, leaf.high);
        bins->next++;
    }
    return is_divided;
}

#endif
