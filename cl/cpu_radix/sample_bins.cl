// sample_bins.cl - chooses the bins of the partition from a sample of the keys
#ifndef CLSORT_CPU_RADIX_SAMPLE_BINS_CL
#define CLSORT_CPU_RADIX_SAMPLE_BINS_CL

#include "cpu_radix/args.cl"
#include "cpu_radix/bin_tree.cl"

// The slices of cpu_radix_sort_buckets serve as workspace.
__kernel WORK_ITEM_KERNEL void cpu_radix_sample_bins(BUFFER(control), BUFFER(nodes),
                                                     BUFFER(last_keys), BUFFER(bins), INPUT(keys),
                                                     BUFFER(slices), CPU_RADIX_ARGS)
{
    if (IS_SINGLE) {
        return;
    }
    SIZE_CPU_RADIX_ARGS
    const key_t window = (key_t)args.window;
    // More bins than for even keys, since more of them are small.
    const uint tree_bits = min(args.bin_bits + 1, (uint)PARTITION_BITS);
    index_t counters[LSD_COUNTERS] ALIGNED;
    const bin_lookup_t lookup =
        choose_bins(AT(const key_t, keys), (index_t)args.count,
                    tree_limits(args.samples, args.bin_bits, tree_bits, CLS_CPU_RADIX_FINER_BITS,
                                args.max_leaf),
                    window > 0 ? low_bit(window) : 0, bits_of(window), (key_t)args.flip, window,
                    AT(uchar, slices), counters, AT(bin_nodes_t, nodes),
                    AT(compared_key_t, last_keys), AT(cls_cpu_radix_bin, bins));
    AT(cls_cpu_radix_control, control)->tree = lookup.tree;
}

#endif
