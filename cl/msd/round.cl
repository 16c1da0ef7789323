// round.cl - MSD radix sort whose buckets are sorted in local memory: the rounds (the algorithm
// "hybrid")
//
// Stehle and Jacobsen, "A memory bandwidth-efficient hybrid radix sort on GPUs", SIGMOD 2017,
// section 4. Rounds partition the keys by their highest digits until each bucket of keys with equal
// digits fits in local memory. There one work-group sorts it by all remaining bits, which costs one
// more read and write.
//
// A round partitions every large bucket by one digit. The input is the only large bucket of round
// 0. The keys of a large bucket with the same digit are one of its child buckets. Each large bucket
// has its own number of digit bits, at most 8: enough for children of CLS_MSD_TARGET_COUNT
// elements, and enough for the remaining rounds to reach the lowest bit, so that the last round
// leaves no large bucket (plan.cl).
//
// A child is of the first of these kinds that applies:
//   equal        The digits so far contain all bits of its keys. Its elements are copied to the
//                output, in pieces of SMALL_TILE elements, unless they are there already.
//   small        It has at most SMALL_TILE elements, and is sorted in local memory. That takes
//                about the same time however few elements there are, so neighbouring children that
//                fit in one tile, equal ones too, are combined into one small bucket (plan.cl).
//   large        The next round's table has a free entry for it. It is partitioned in that round.
//   oversized    The table has none. One work-group sorts it in global memory.
// All but the large ones are finished: no later round partitions them.
//
// A tile is the part of a bucket that one work-group handles at once. Tiles of a round, of the sort
// of small buckets and of the fallback have different sizes; SMALL_TILE is the second.
//
// Elements are in one of three arrays (common/arrays.cl): round 0 moves them from the input to
// scratch, and each later round moves those of a bucket to the other one of scratch and output. A
// bucket has the same start in all of them. The kernels after the rounds write it to the output.
//
// The tiles of a large bucket are counted before they are moved. All output offsets are therefore
// known before any element moves, and no work-group waits for another. The host reads nothing back:
// it launches as many rounds as the worst distribution needs, and groups that find nothing to do
// return early.
//
// With RANK_STABLE the partitions keep the order of elements with equal digits, and the sort is
// stable: the sort of small buckets always keeps the order of equal keys.
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
//                  msd_sort_oversized     sorts the buckets that exceed a tile of the fallback; not
//                                         launched if there can be none (fallback.cl)
// An input of at most SMALL_TILE elements takes a single launch instead, msd_sort_single_tile, if
// local memory also holds the fallback's tile of that size (single_tile.cl).
//
// Cost, for 2^28 u32 keys, which two of the four launched rounds partition: a round reads the keys
// twice and writes them once, and sorting the buckets reads and writes them once, which makes 32
// bytes per key; with a u32 value 56 bytes per pair. Measured (H200), as fractions of what its copy
// rate of 4.18 TB/s allows:
//                  histograms   partition, round 0   round 1   whole sort
//   keys           0.92         0.53                 0.60      0.57
//   pairs                       0.63                 0.72      0.64
//   pairs, stable               0.58                 0.58      0.58
//
// layout.h explains the tables and the options.
#ifndef CLSORT_MSD_ROUND_CL
#define CLSORT_MSD_ROUND_CL

#include "msd/histogram.cl"
#include "msd/partition.cl"
#include "msd/plan.cl"

#endif
