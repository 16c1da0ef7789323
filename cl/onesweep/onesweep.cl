// onesweep.cl - stable LSD radix sort that reads and writes each element once per digit
//
// One read of the keys yields the histograms of all digits. Then each pass sorts tiles by one
// digit, and the tiles find their output offsets by decoupled look-back: a tile publishes its
// histogram in a table, adds up the histograms of the tiles before it until it finds one whose
// inclusive prefix is already published, and then publishes its own inclusive prefix.
//
// Adinets and Merrill, "Onesweep: a faster least significant digit radix sort for GPUs",
// arXiv:2206.01784, 2022; Merrill and Garland, "Single-pass parallel prefix scan with decoupled
// look-back", NVIDIA technical report NVR-2016-002.
//
// OpenCL guarantees neither the order in which work-groups start nor their forward progress. Tiles
// are therefore numbered by a ticket, an atomic counter that a group increments for each tile that
// it takes, so that all preceding tiles have been taken. And no group waits indefinitely: after
// SPIN_LIMIT reads of a word that is not published it counts the digit in the keys of that tile
// instead.
//
// The table has one row per tile, and a limited number of rows. A pass over more tiles has several
// stages, one for each section of the input; the last tile of a section leaves the output offsets
// for the next one. Table words carry an epoch, the number of their stage modulo
// CLS_ONESWEEP_EPOCHS, so that words of earlier stages need not be cleared before every stage.
//
// Kernels, in launch order:
//   onesweep_histogram     histograms of all digits and the key summary, in one read; also clears
//                          the table
//   onesweep_plan_passes   one group per pass, for an exclusive scan of its histogram; another one
//                          drops the passes that are not needed, and assigns the arrays of the
//                          others
//   then for each stage:
//   onesweep_clear         clears the table and the counters of the steps; launched only before an
//                          epoch is used again
//   onesweep_pass          groups take tiles one after the other, and for each tile: count its
//                          digits, publish, rank, look back, scatter
//   and at the end:
//   passes_finish          copies the result if it is not in the output yet (common/lsd_passes.cl)
// sort.cl has all of them in one kernel, for devices on which groups may wait for each other.
//
// Cost: the histograms read each key once, and a pass reads and writes each element once: 36 bytes
// per key of a u32 sort. A tile's row of the table is written twice and read about as often, 4 <<
// BITS bytes each time. Measured (H200, 2^28 u32 keys): 55.2 Gkeys/s, 0.48 of that model at the card's
// 4.15 TB/s of copying; on an H100 50.5, 0.61. The histograms took 36 us for 2^24 u32 keys, and since then, whole
// batches without branches have made this sort 6 us shorter. Local atomics limit them: each key takes 4, and a compute
// unit needs up to 4 clock cycles for one of a sub-group. One or two work-groups per compute unit do not hide the
// latency of a tile's steps; with more, the look-back loses more than they gain (docs/lab-log, gpu-h100.md, entry 48,
// gpu-h100-2.md, entries 76 to 80 and 86, and gpu-h200.md, entries 106 and 146).
//
// Options, besides those of common/types.cl, common/keys.cl, common/sub_group.cl and
// common/exchange.cl:
//   GROUP_SIZE        work-items per group
//   ITEMS             elements per work-item in a tile
//   BITS              maximum number of bits of a digit, 1 .. 8
//   HISTOGRAM_COPIES  copies of each counter of the histograms
//   SPIN_LIMIT        maximum number of reads in a row that find no word published
//   MAY_SKIP          1: the kernels do nothing if is_skipped of the control block's head is set
#ifndef CLSORT_ONESWEEP_ONESWEEP_CL
#define CLSORT_ONESWEEP_ONESWEEP_CL

#include "common/lsd_passes.cl"
#include "common/sub_group.cl"
#include "onesweep/clear.cl"
#include "onesweep/control.cl"
#include "onesweep/histogram.cl"
#include "onesweep/pass.cl"
#include "onesweep/plan_passes.cl"

// One group per chunk, which writes a row.
__kernel SUB_GROUP_KERNEL void onesweep_histogram(BUFFER(control), INPUT(keys), BUFFER(tables),
                                                  ONESWEEP_ARGS)
{
    if (IS_SKIPPED) {
        return;
    }
    SIZE_ONESWEEP_ARGS
    __local histogram_t memory;
    const uint chunk = (uint)get_group_id(0);
    if (chunk == 0) {
        begin_steps(AT(cls_onesweep_control, control), 0, args);
    }
    count_chunk_alone(&memory, chunk, keys, keys_at, tables, tables_at, args);
}

// One group per pass, and one that plans all passes.
__kernel SUB_GROUP_KERNEL void onesweep_plan_passes(BUFFER(control), BUFFER(tables), ONESWEEP_ARGS)
{
    if (IS_SKIPPED) {
        return;
    }
    SIZE_ONESWEEP_ARGS
    __local plan_passes_t memory;
    const uint pass = (uint)get_group_id(0);
    if (pass < args.passes) {
        plan_pass(&memory, pass, args.chunks, AT(const cls_onesweep_control, control), tables,
                  tables_at, args);
    } else {
        plan_all_passes(&memory, args.chunks, AT(cls_onesweep_control, control), tables, tables_at,
                        args);
    }
}

__kernel SUB_GROUP_KERNEL void onesweep_pass(BUFFER(control), KEY_ARRAYS,
                                             VALUE_ARRAYS BUFFER(tables), ONESWEEP_ARGS)
{
    if (IS_SKIPPED) {
        return;
    }
    SIZE_ONESWEEP_ARGS
    __local pass_t memory;
    run_stages(&memory, AT(cls_onesweep_control, control), KEY_ARRAYS_HERE,
               VALUE_ARRAYS_HERE tables, tables_at, args);
}

#endif
