// round.cl - MSD radix sort whose buckets are sorted in local memory
//
// Stehle and Jacobsen, "A memory bandwidth-efficient hybrid radix sort on GPUs", SIGMOD 2017, section 4: partition by
// the highest digits until what has them in common fits local memory. Tiles are counted before they are moved, so that
// places are known and no group waits for another. segment.cl has what a round leaves for the next; the host launches
// as many rounds as the worst keys need, and groups that find nothing to do leave.
//
//   hybrid_look         round 0: counts the tiles of the input
//   hybrid_count        later rounds: those of all segments
//   hybrid_partition    moves every segment's elements to its children's places
//
// hybrid_plan.cl decides in between, hybrid_sort.cl and hybrid_settle.cl do the jobs.
//
// Cost model, of 2^28 u32 keys in two rounds: a round reads the keys twice and writes them once, then jobs read and
// write them once: 32 bytes a key; with a u32 value 56. Measured (H200, of its 4.18 TB/s of copying): counts 0.92 of
// what they read; partitions 0.53 and 0.60 of what they move, and with values 0.63 and 0.72, or stable 0.58; the whole
// sort 0.57, 0.64 and 0.58.
//
// GROUP_SIZE, ITEMS    work-items of a group, and elements of each in a tile
// BITS                 of a digit, at most
#ifndef CLSORT_MSD_ROUND_CL
#define CLSORT_MSD_ROUND_CL

#include "msd/histogram.cl"
#include "msd/partition.cl"
#include "msd/plan.cl"

#endif
