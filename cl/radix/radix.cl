// radix.cl - stable LSD radix sort in plain OpenCL 1.2: a histogram, a scan and a scatter per digit
//
// The input is divided into chunks of whole tiles, one for each work-group. In each pass a group
// counts the digits of its chunk; a scan over all counts gives the output offset of each chunk and
// digit; then the group sorts its chunk tile by tile with 4-way splits (common/four_way_split.cl)
// and writes the keys to these offsets. Work-groups never wait for each other, so no forward
// progress is needed. On CPUs a group is one work-item, which goes through its chunk key by key, unless the
// driver limits loop iterations.
//
// Ha, Krueger and Silva, "Fast four-way parallel radix sorting on GPUs", Computer Graphics Forum
// 28(8), 2009; Satish, Harris and Garland, "Designing efficient sorting algorithms for manycore
// GPUs", IPDPS 2009, p. 1, section IV; Hwu, Kirk and El Hajj, "Programming massively parallel
// processors", 4th ed., chapter 13.
//
// Kernels, in launch order:
//   radix_histogram_first  histogram of the first digit, and the key summary, in one read
//   radix_plan_passes      one group; drops the passes whose digit is constant, and assigns the
//                          source and target array of the others (common/lsd_passes.cl)
//   then for each pass:
//   radix_histogram        histogram of the digit; not launched in the first pass
//   radix_scan             one group per value of the digit; exclusive scan over the chunks; digit
//                          totals
//   radix_scatter          sorts each tile by the digit and writes it to its output offsets
//   and at the end:
//   passes_finish          copies the result if it is not in the output yet (common/lsd_passes.cl)
//
// The histogram table is digit-major, table[digit][chunk], so that a scan reads neighbouring words.
//
// Cost: a pass reads the keys twice and writes them once: 12 bytes per u32 key and 8 more per u32
// value; a u32 sort with 8-bit digits moves 48 bytes per key. In each pass the table is written
// once, scanned in place and read once: 16 << BITS bytes per chunk, or twice that with 64-bit
// indexes. Measured (H100, 2^28 u32 keys): 25.4 Gkeys/s, 0.41 of that model at the card's 2.98 TB/s
// of copying. The limit is not memory: a tile takes a split for each two bits of the digit, and each
// split has a scan and an exchange through local memory, with 4 barriers.
//
// Options, besides those of common/types.cl and common/keys.cl:
//   GROUP_SIZE      work-items per group
//   ITEMS           keys per work-item in a tile
//   BITS            maximum number of bits of a digit, 1 .. 8
//   SCATTER_DIRECT  0: a tile is sorted in local memory and written in sorted order, so that
//                   neighbouring work-items write to neighbouring addresses (coalesced)
//                   1: work-items write their keys straight from registers
#ifndef CLSORT_RADIX_RADIX_CL
#define CLSORT_RADIX_RADIX_CL

#include "common/lsd_passes.cl"
#include "radix/histogram.cl"
#include "radix/scatter.cl"

__kernel WORK_GROUP_KERNEL void radix_plan_passes(BUFFER(control), BUFFER(summaries),
                                                  const uint chunks, const key_t window,
                                                  const uint in_place, const uint begin_bit,
                                                  const uint end_bit)
{
    __local cls_key_summary group_summaries[GROUP_SIZE];
    plan_lsd_passes(AT(cls_lsd_control, control), AT(const cls_key_summary, summaries), chunks,
                    group_summaries, window, in_place, begin_bit, end_bit);
}

#endif
