// all_rounds.cl - selects the k first elements of the input, with the plan and all rounds in one launch
//
// A launch takes some microseconds of the host's time, and most kernels between the first read and the
// output read only the candidates, which takes less. Where groups that have started are known to make
// progress, this program therefore takes the place of work_group.cl: each step waits for the one before
// it (common/steps.cl).
//
// Kernels, in launch order: select_sample, select_bracket and select_filter, then
//   select_rounds    what select_plan, select_histogram, select_narrow, select_count and
//                    select_offsets do
// and select_emit or select_partition.
//
// Cost: that of these kernels, and a wait of some microseconds for each step. The options are those of
// tiles.cl and common/sub_group.cl.
#ifndef CLSORT_SELECT_ALL_ROUNDS_CL
#define CLSORT_SELECT_ALL_ROUNDS_CL

#include "common/steps.cl"
#include "select/tiles.cl"

typedef union {
    uint counts[RADIX];
    select_histogram_t histogram;
    ulong sums[2 * GROUP_SIZE];
} select_rounds_t;

// Runs a statement for each part of the next step that this group draws. The group that completes the last part
// runs another statement, which may be empty. Then waits until all is complete.
#define RUN_STEP(part, all, statement, last_statement)                                             \
    {                                                                                              \
        __global uint *complete = &at.control->complete[step];                                     \
        uint part = draw_ticket(&at.control->tickets[step], ticket);                               \
        while (part < (all)) {                                                                     \
            statement;                                                                             \
            if (report_part(complete, all, is_last)) {                                             \
                last_statement;                                                                    \
                report_parts(complete, 1);                                                         \
            }                                                                                      \
            part = draw_ticket(&at.control->tickets[step], ticket);                                \
        }                                                                                          \
        await_parts(complete, (all) + 1);                                                          \
        step++;                                                                                    \
    }

__kernel WORK_GROUP_KERNEL void select_rounds(BUFFER(scratch), INPUT(keys), SELECT_ARGS)
{
    __local select_rounds_t m;
    __local uint ticket[1], is_last[1];
    BEGIN_ARGS
    const select_scratch_t at = SCRATCH(AT(uchar, scratch), args);
    __global const key_t *in = AT(const key_t, keys);
    const uint parts = (args.chunks + args.part_chunks - 1) / args.part_chunks;
    uint step = 0;
    RUN_STEP(only, 1, plan_range(m.sums, at, args), )
    select_range_t range = RANGE(at.control);
    for (uint bit = args.begin_bit; bit < args.end_bit && range.first != range.last; bit += BITS) {
        RUN_STEP(part, parts, count_digits(m.counts, part, at, in, range, args),
                 narrow_range(&m.histogram, at, range, args))
        range.first = at.control->first;
        range.last = at.control->last;
        range.rank = at.control->rank;
    }
    RUN_STEP(part, parts, count_selected(m.sums, part, at, in, args),
             compute_offsets(m.sums, at, args))
}

#endif
