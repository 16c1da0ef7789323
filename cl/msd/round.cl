// round.cl - MSD radix sort whose buckets are sorted in local memory: the rounds (the algorithm
// "hybrid")
//
// Stehle and Jacobsen, "A memory bandwidth-efficient hybrid radix sort on GPUs", SIGMOD 2017,
// section 4. Rounds partition the keys by their highest digits until each bucket of keys with equal
// digits fits in local memory; there one work-group sorts it by all remaining bits, which costs one
// more read and write.
//
// A round partitions every large bucket by one digit. The input is the only large bucket of round
// 0. The children of a large bucket are of these kinds:
//   small        At most SMALL_TILE elements. It is sorted in local memory. Neighbouring tiny
//                children are combined into one small bucket, since each costs the time of a tile.
//   large        More than SMALL_TILE elements. It is partitioned in the next round.
//   oversized    More than SMALL_TILE elements, but the next round's table has no free entry. A
//                work-group sorts it in global memory.
//   equal        More than SMALL_TILE elements that are equal in all bits. It is cut into pieces
//                that are only copied.
//
// The tiles of a large bucket are counted before they are moved. All output offsets are known then,
// so that no work-group waits for another one. The host reads nothing back: it launches as many
// rounds as the worst distribution needs, and groups that find nothing to do return early.
//
// Kernels, in launch order:
//   msd_histogram_first    round 0: digit histograms of the input's tiles
//   msd_plan_first         round 0: turns histograms into offsets, and lists tiles to move and
//                          child buckets
//   msd_partition          each round: moves the elements of all large buckets to their children
//   msd_histogram          later rounds: digit histograms of the tiles of all large buckets
//   msd_plan_buckets       later rounds: as msd_plan_first, for all large buckets
//   msd_sort_buckets       after the rounds: sorts the small buckets (sort_buckets.cl)
//   msd_sort_skewed        fallback for small buckets that are too uneven for that (fallback.cl)
//   msd_sort_oversized     fallback for oversized buckets (fallback.cl)
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
