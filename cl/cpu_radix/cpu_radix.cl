// cpu_radix.cl - stable radix sort for CPUs: one partition into bins, then each bucket in a cache
//
// The elements are partitioned once, into bins that a sample shows to be of about equal size and
// that fit in a core's own cache. A bucket is the elements of a bin, or a part of them if they need
// no sorting. Each core then takes one bucket after the other and sorts it in its cache, so that an
// element crosses the memory bus only twice in each direction, and its key once more for the
// histogram. Work-groups have one work-item each, which runs on one core, and there are no
// barriers.
//
// Write combining and sorts inside a cache: Satish et al., "Fast sort on CPUs and GPUs: a case for
// bandwidth oblivious SIMD sort", SIGMOD 2010, pp. 351-362.
//
// Kernels, in launch order:
//   cpu_radix_sample_bins    one work-item: chooses the bins from a sample (bin_tree.cl)
//   cpu_radix_histogram      per chunk: counts the keys of each bin; key summary; keeps the bins
//                            of the keys in the output if a tree finds them (histogram.cl)
//   cpu_radix_plan_buckets   one work-item: exclusive scan of the counts; lists the buckets
//   cpu_radix_scatter        per chunk: moves the elements to their bins in scratch, through
//                            write-combining lines (write_combine.cl)
//   cpu_radix_sort_buckets   per core: sorts one bucket after the other into the output
//                            (sort_part.cl)
// or, for small inputs:
//   cpu_radix_single         one work-item sorts all elements (lsd_sort.cl)
//
// Input that is in order is copied, or left as it is. Input in strictly descending order is
// reversed, which keeps the sort stable, since no keys are equal. The key summary shows both, and
// the scatter and the sort of buckets then return early, or move the elements once.
//
// A bucket whose keys are all equal is not sorted, and frequent keys have bins of their own.
// Without values, such a bin is counted and then written, but not moved, and buckets whose keys
// differ in few bits are written from their counts (rewrite.cl). If nearly all elements of a bucket
// are in order and adjacent, the others are merged into them (merge_run.cl).
//
// Cost: the histogram reads the keys, and the scatter and the bucket sort each read and write the
// elements beyond the caches, with streaming stores, which do not read the cache line first: 20
// bytes per u32 key. A tree of bins adds a write and a read of 2 bytes per key. Measured (PoCL 3.1,
// 2 cores of a Xeon with AVX-512 at 2 GHz, 2^24 u32 keys with u32 values, 36 bytes per element):
// 227 million elements per second, 0.24 of the model at the 34 GB/s of a copy. An element takes a
// core 8.8 ns: 3.6 for the scatter, since most of the write-combining lines are in L2 and one
// branch per 16 keys is mispredicted, 3.6 for the sort of its bucket, 0.9 for the histogram, and
// the remaining 0.7 for the launches and the kernels with one work-item.
//
// Options, besides those of common/types.cl and common/keys.cl:
//   PARTITION_BITS   log2 of the maximum number of bins; their write-combining lines must fit in L2
#ifndef CLSORT_CPU_RADIX_CPU_RADIX_CL
#define CLSORT_CPU_RADIX_CPU_RADIX_CL

#include "cpu_radix/histogram.cl"
#include "cpu_radix/plan_buckets.cl"
#include "cpu_radix/sample_bins.cl"
#include "cpu_radix/scatter.cl"
#include "cpu_radix/single.cl"
#include "cpu_radix/sort_buckets.cl"

#endif
