// sort.cl - all steps of onesweep in one launch
//
// A launch takes some microseconds of the host's time, which for up to some millions of elements is
// as long as the device needs for a pass. Where groups that have started are known to make
// progress, this program therefore takes the place of onesweep.cl: its steps wait for each other
// (common/steps.cl). A launch has at most as many stages as there are epochs. The table is cleared
// before the next launch.
//
// Kernels, in launch order:
//   onesweep_clear    clears the counters of the steps, and before a later launch also the table;
//                     hybrid_choose does so in a sort by `hybrid`
//   onesweep_sort     histograms and plan in the first launch; then stages; the final copy in the
//                     last one
//
// The head of onesweep.cl explains the algorithm, its cost and the options.
#ifndef CLSORT_ONESWEEP_SORT_CL
#define CLSORT_ONESWEEP_SORT_CL

#include "common/steps.cl"
#include "onesweep/histogram.cl"
#include "onesweep/pass.cl"
#include "onesweep/plan_passes.cl"
#include "onesweep/table.cl"

typedef union {
    histogram_t histogram;
    plan_passes_t plan;
    pass_t pass;
} onesweep_t;

__kernel SUB_GROUP_KERNEL void onesweep_sort(BUFFER(control), KEY_ARRAYS,
                                             VALUE_ARRAYS BUFFER(tables), ONESWEEP_ARGS)
{
    if (IS_SKIPPED) {
        return;
    }
    SIZE_ONESWEEP_ARGS
    __local onesweep_t memory;
    __local uint ticket[1];
    __global cls_onesweep_control *c = AT(cls_onesweep_control, control);
    uint parts = 0, i = draw_ticket(&c->tickets[CLS_ONESWEEP_HISTOGRAMS], ticket);
    while (i < args.chunks_to_count) {
        histogram_of_chunk(&memory.histogram, i, keys, keys_at, tables, tables_at, args);
        parts++;
        i = draw_ticket(&c->tickets[CLS_ONESWEEP_HISTOGRAMS], ticket);
    }
    report_parts(&c->complete[CLS_ONESWEEP_HISTOGRAMS], parts);
    await_parts(&c->complete[CLS_ONESWEEP_HISTOGRAMS], args.chunks_to_count);

    parts = 0;
    i = draw_ticket(&c->tickets[CLS_ONESWEEP_PLAN], ticket);
    while (i < args.passes_to_plan) {
        plan_pass(&memory.plan, i, c, tables, tables_at, args);
        parts++;
        i = draw_ticket(&c->tickets[CLS_ONESWEEP_PLAN], ticket);
    }
    report_parts(&c->complete[CLS_ONESWEEP_PLAN], parts);
    await_parts(&c->complete[CLS_ONESWEEP_PLAN], args.passes_to_plan);

    run_stages(&memory.pass, c, KEY_ARRAYS_HERE, VALUE_ARRAYS_HERE tables, tables_at, args);
    const uint result = args.is_last ? c->lsd.result : OUTPUT_ARRAY;
    copy_result(result, KEY_ARRAYS_HERE, VALUE_ARRAYS_HERE(index_t) args.count, args.in_place);
}

#endif
