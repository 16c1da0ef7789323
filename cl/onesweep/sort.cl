// sort.cl - all steps of onesweep in one launch
//
// A launch takes some microseconds of the host's time, which for up to some millions of elements is
// as long as the device needs for a pass. Where groups that have started are known to make
// progress, this program therefore takes the place of onesweep.cl: its steps wait for each other
// (common/steps.cl). The work-groups add their histograms to totals by atomic operations, since the others would wait
// for the few that add up a row of each group. A launch has at most as many stages as there are epochs. The table is
// cleared before the next launch.
//
// Kernels, in launch order:
//   onesweep_clear    clears the counters of the steps and the totals, and before a later launch
//                     also the table; hybrid_choose does so in a sort by `hybrid`
//   onesweep_sort     histograms, of the chunks that hybrid_choose has not counted, and plan in the
//                     first launch; then stages; the final copy in the last one
//
// The head of onesweep.cl explains the algorithm, its cost and the options.
#ifndef CLSORT_ONESWEEP_SORT_CL
#define CLSORT_ONESWEEP_SORT_CL

#include "common/steps.cl"
#include "onesweep/clear.cl"
#include "onesweep/histogram.cl"
#include "onesweep/pass.cl"
#include "onesweep/plan_passes.cl"

typedef union {
    histogram_t histogram;
    plan_passes_t plan;
    pass_t pass;
} onesweep_t;

// The last chunk is the first to be counted, so that the first pass finds the first tiles in the cache.
static inline uint chunk_of_ticket(const cls_onesweep_args args, const uint ticket)
{
    return args.chunks_to_count - 1 - ticket;
}

// Returns the row of totals of a chunk, which may be empty.
static inline uint totals_row(const cls_onesweep_args args, const uint chunk)
{
    return (uint)(min(chunk * args.chunk, args.count) >> CLS_ONESWEEP_TOTALS_BITS);
}

// Counts chunks until all have been drawn, and returns how many this group has counted. hybrid_choose has counted all
// chunks or none. Adds the histograms of all chunks of this group to the totals at once, if they are in the same row.
// Each summary is of at least one chunk, so that there are at most args.chunks summaries.
static inline uint count_chunks(__local histogram_t *m, __local uint *ticket,
                                __global cls_onesweep_control *c, INPUT(keys), BUFFER(tables),
                                const cls_onesweep_args args)
{
    __global uint *tickets = &c->tickets[CLS_ONESWEEP_HISTOGRAMS];
    uint chunks = 0, i = draw_ticket(tickets, ticket);
    while (i < args.chunks_to_count) {
        const uint row = totals_row(args, chunk_of_ticket(args, i));
        cls_key_summary summary = summary_of_nothing();
        clear_counts(m->counts, HISTOGRAM_COUNTERS, HISTOGRAM_COPIES);
        do {
            // Drawn before the chunk is counted, which hides the latency.
            const uint next = get_local_id(0) == 0 ? atomic_inc(tickets) : 0;
            count_chunk(&summary, m, chunk_of_ticket(args, i), keys, keys_at, tables, tables_at,
                        args);
            chunks++;
            i = share_ticket(next, ticket);
        } while (i < args.chunks_to_count && totals_row(args, chunk_of_ticket(args, i)) == row);
        add_histograms(m, TOTALS_OF(c) + row * args.passes * RADIX, args);
        write_summary(m, summary, draw_ticket(&c->tickets[CLS_ONESWEEP_SUMMARIES], ticket), tables,
                      tables_at, args);
    }
    return chunks;
}

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
    uint parts = count_chunks(&memory.histogram, ticket, c, keys, keys_at, tables, tables_at, args);
    report_parts(&c->complete[CLS_ONESWEEP_HISTOGRAMS], parts);
    uint i = draw_ticket(&c->tickets[CLS_ONESWEEP_PLAN], ticket);
    await_parts(&c->complete[CLS_ONESWEEP_HISTOGRAMS], args.chunks_to_count);

    parts = 0;
    while (i < args.plans) {
        if (i < args.passes) {
            plan_pass(&memory.plan, i, c->early_rows, c, tables, tables_at, args);
        } else {
            // The tickets are final, since all chunks have been counted.
            plan_all_passes(&memory.plan, c->tickets[CLS_ONESWEEP_SUMMARIES], c, tables, tables_at,
                            args);
        }
        parts++;
        i = draw_ticket(&c->tickets[CLS_ONESWEEP_PLAN], ticket);
    }
    report_parts(&c->complete[CLS_ONESWEEP_PLAN], parts);
    await_parts(&c->complete[CLS_ONESWEEP_PLAN], args.plans);

    run_stages(&memory.pass, c, KEY_ARRAYS_HERE, VALUE_ARRAYS_HERE tables, tables_at, args);
    const uint result = args.is_last ? c->lsd.result : OUTPUT_ARRAY;
    copy_result(result, KEY_ARRAYS_HERE, VALUE_ARRAYS_HERE(index_t) args.count, args.in_place);
}

#endif
