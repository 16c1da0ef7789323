// round.cl - the rounds of the algorithm "hybrid", an MSD radix sort that finishes buckets in local
// memory
//
// The algorithm is based on Stehle and Jacobsen, "A memory bandwidth-efficient hybrid radix sort on
// GPUs", SIGMOD 2017, section 4. (The sort of a bucket in bin_sort.cl is not from that paper.)
// Rounds partition the keys by their highest digits until each bucket of keys with equal digits
// fits in local memory. There one work-group sorts it by all remaining bits, which costs one more
// read and write.
//
// A digit is a bit field of the ordered keys (common/keys.cl); the value of the field in a key is
// called a digit, too. A round partitions every large bucket by one digit. The input is the only
// large bucket of round 0. The keys of a large bucket with the same digit are one of its child
// buckets. Each large bucket has its own digit width, from 1 to 8 bits. In round 0 the host chooses
// it (first_bits() in src/algo/msd/msd.c); for few different keys, hybrid_choose takes 8. Later it
// is the smallest width for which children of uniformly distributed keys have at most
// CLS_MSD_TARGET_COUNT (layout.h) elements on average, but at least the width that lets the
// remaining rounds reach the lowest bit, and at most 8. Therefore the last round leaves no large
// bucket. The histograms also find the bits in which the keys of a large bucket differ. The digits
// of its children begin at the highest of these bits that is below its own digit.
//
// In round 0 of a sort by `hybrid`, the digit may instead be the number of splitters that are not
// greater than the key (common/digit.cl). Splitters are chosen from a sample (hybrid/splitters.cl),
// such that the keys of a child agree in the bits from a certain one on, by which later rounds
// continue. Such children are not combined.
//
// A child of at most SMALL_TILE / 2 elements is tiny. Neighbouring tiny children are combined into
// one small bucket where possible (plan.cl), whether their keys are equal or not. A child that is
// not combined is of the first of these kinds that applies:
//   equal        Its keys are equal: those of the large bucket that it comes from differ in no bit
//                below the digit. Its elements are copied to the output, in pieces of at most
//                SMALL_TILE elements, unless they are there already.
//   small        It has at most SMALL_TILE elements. It is sorted in local memory. The time for
//                this hardly depends on the number of elements, so tiny children are combined.
//   large        The table of the next round's large buckets (layout.h) has a free slot for it. It
//                is partitioned in that round.
//   oversized    That table is full. One work-group sorts it in global memory, after
//                msd_sort_buckets has listed it as deferred.
// Buckets of all kinds but large ones are final: no later round partitions them.
//
// The fallback (fallback.cl) sorts the buckets that msd_sort_buckets cannot sort. A tile is the part of a
// bucket that one work-group handles at once. The tiles of the rounds, of msd_sort_buckets (SMALL_TILE
// elements) and of the fallback may differ in size; those of the fallback are smaller than SMALL_TILE
// only if local memory is short.
//
// Elements are in one of three arrays (common/arrays.cl): input, output and scratch. A bucket has
// the same start in all of them, but for the children of a sampled round (sampled_round.cl). A
// partition moves a bucket's elements from the input or the output to scratch, or from scratch to
// the output. If they all have the same digit, they stay where they are. Input and output may be
// the same array (`in_place`). The kernels after the rounds write all buckets to the output.
//
// The tiles of a large bucket are counted before they are moved, so that where each child starts is known before
// any element moves, and within a step no work-group waits for another. (sampled_round.cl is an exception.) The
// host reads nothing back: it launches as many rounds as the worst distribution needs, and groups that find
// nothing to do return early.
//
// In sorts of keys, round 0 of many elements may count only a sample of them. All children are then large
// buckets of round 1, also those that are small or equal.
//
// With RANK_STABLE the partitions keep the order of elements with equal digits. The sort is then
// stable, since all kernels after the rounds keep the order of equal keys.
//
// Kernels, in launch order:
//   before         msd_prepare            makes the input the only large bucket of round 0
//                                         (prepare.cl); hybrid_choose does so in a sort by `hybrid`
//   each round     msd_histogram          digit histograms of the tiles of the large buckets
//                  msd_plan_buckets       turns histograms into output offsets, and lists the tiles
//                                         to move and the child buckets
//                  msd_partition          moves the elements to their children
//   at the end     msd_sort_buckets       sorts the small buckets and copies the equal ones
//                                         (sort_buckets.cl)
//                  msd_sort_oversized     sorts the oversized buckets; not launched if there can be
//                                         none (fallback.cl)
// An input of at most SMALL_TILE elements takes a single launch instead, msd_sort_single_tile, unless
// local memory is short (single_tile.cl). rounds.cl has the
// three kernels of all rounds in one, for devices on which groups may wait for each other.
//
// Cost: each round that has work reads the keys twice and writes them once, and reads and writes
// the values once. The sort of the buckets reads and writes all elements once; values of more than
// 8 bytes may cost more (permute_values.cl). For 2^28 uniformly distributed u32 keys, two rounds have
// work, of which the first one counts only a sample: 8 + 12 + 8 = 28 bytes per key; with a u32 value
// 2 * 20 + 16 = 56.
// The table has the bytes by this model, divided by the measured time, as a fraction of the copy
// rate of an H200 (4.18 TB/s, reads plus writes). The rounds include their histograms:
//                          round 0   round 1   whole sort
//   2^28 u32 keys             0.53      0.71         0.57
//   2^26 u64 keys             0.63      0.80         0.61
// Of 2^28 stable pairs of u32, the partitions of both rounds reach 0.58, and the whole sort 0.60. The
// histogram kernels, which read only keys, reach 0.92.
//
// By splitters, 2^26 u64 keys (`expo`) reach 0.56 of the copy rate of an H100 (2.97 TB/s) in two
// rounds and the sort of the buckets, where uniform keys by bits reach 0.66: the splitter of each key
// is searched three times, for the histogram, the rank and the write, each time by 8 dependent reads
// of local memory.
//
// layout.h explains the tables and the options.
#ifndef CLSORT_MSD_ROUND_CL
#define CLSORT_MSD_ROUND_CL

#include "msd/histogram.cl"
#include "msd/partition.cl"
#include "msd/plan.cl"

#endif
