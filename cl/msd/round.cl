// round.cl - MSD radix sort whose buckets are sorted in local memory: the rounds (the algorithm
// "hybrid")
//
// Stehle and Jacobsen, "A memory bandwidth-efficient hybrid radix sort on GPUs", SIGMOD 2017,
// section 4. Rounds partition the keys by their highest digits until each bucket of keys with equal
// digits fits in local memory. There one work-group sorts it by all remaining bits, which costs one
// more read and write.
//
// A round partitions every large bucket by one digit, of at most 8 bits. The input is the only
// large bucket of round 0. The keys of a large bucket with the same digit are one of its child
// buckets. A tile is the part of a bucket that one work-group handles at once; tiles of the
// partition and of the sort of small buckets have different sizes, and SMALL_TILE is the latter. A
// child is of one of these kinds:
//   small        At most SMALL_TILE elements. It is sorted in local memory. A tile takes about the
//                same time however few elements it has, so neighbouring children that fit in one
//                tile are combined into one small bucket (plan.cl).
//   large        More than SMALL_TILE elements. It is partitioned in the next round.
//   oversized    More than SMALL_TILE elements, but the next round's table has no free entry. One
//                work-group sorts it in global memory.
//   equal        The digits so far contain all bits of its keys, which are therefore equal. Its
//                elements are copied to the output, in pieces of SMALL_TILE elements, unless they
//                are there already.
// Small, oversized and equal buckets are finished: no later round partitions them.
//
// The tiles of a large bucket are counted before they are moved. All output offsets are known then,
// so that no work-group waits for another one. The host reads nothing back: it launches as many
// rounds as the worst distribution needs, and groups that find nothing to do return early.
//
// Kernels, in launch order:
//   round 0        msd_histogram_first    digit histograms of the input's tiles
//                  msd_plan_first         turns histograms into output offsets, and lists the tiles
//                                         to move and the child buckets
//                  msd_partition          moves the elements to their children
//   later rounds   msd_histogram          the same three steps for all large buckets of the round
//                  msd_plan_buckets
//                  msd_partition
//   at the end     msd_sort_buckets       sorts the small buckets and copies the equal ones
//                                         (sort_buckets.cl)
//                  msd_sort_skewed        sorts the small buckets whose keys were too unevenly
//                                         distributed for msd_sort_buckets (fallback.cl)
//                  msd_sort_oversized     sorts the oversized buckets (fallback.cl)
// An input that fits in one tile takes a single launch instead: msd_sort_single_tile
// (single_tile.cl).
//
// Cost, for 2^28 u32 keys in two rounds: a round reads the keys twice and writes them once, and
// sorting the buckets reads and writes them once, which makes 32 bytes per key; with a u32 value 56
// bytes per pair. Measured (H200, relative to its copy rate of 4.18 TB/s): histograms 0.92 of what
// they read; partitions 0.53 and 0.60 of what they move, with values 0.63 and 0.72, or stable 0.58;
// the whole sort 0.57, with values 0.64, stable 0.58.
//
// layout.h explains the tables and the options.
#ifndef CLSORT_MSD_ROUND_CL
#define CLSORT_MSD_ROUND_CL

#include "msd/histogram.cl"
#include "msd/partition.cl"
#include "msd/plan.cl"

#endif
