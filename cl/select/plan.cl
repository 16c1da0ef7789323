// plan.cl - the kernels of the selection that run in a single work-group
#ifndef CLSORT_SELECT_PLAN_CL
#define CLSORT_SELECT_PLAN_CL

#include "common/sample.cl"
#include "select/scratch.cl"

// Copies of the counters of the sample, so that fewer work-items conflict.
#define SAMPLE_COPIES (GROUP_SIZE > 1 ? 8u : 1u)
// Keys of the sample that select_bracket keeps in local memory.
#define FEW_SAMPLES (GROUP_SIZE > 1 ? 1024u : 256u)
// Keys of the sample that a work-item reads at once.
#define SAMPLES_AT_ONCE (GROUP_SIZE > 1 ? 8u : 1u)

// One work-item: clamps a count in device memory to the bound in `args`, and writes the arguments that depend
// on it. The n-th element does not exist if the count is too small: then the result is 1 greater, and nothing is
// selected. A partition is then one by the last element.
#if COUNT_BYTES > 0
__kernel WORK_ITEM_KERNEL void select_size(BUFFER(scratch), BUFFER(result), INPUT(device_count),
                                           const uint writes_sizes, const uint writes_result,
                                           const cls_select_args bound_args)
{
    cls_select_args args = bound_args;
    const ulong count = DEVICE_COUNT;
    args.count = min(count, (ulong)bound_args.count);
    const bool is_missing =
        (bound_args.is_nth || bound_args.partitions) && bound_args.k > args.count;
    args.k = bound_args.is_nth && is_missing ? 0 : min((ulong)bound_args.k, (ulong)args.count);
    cls_select_set_sizes(&args, bound_args.chunks, GROUP_SIZE * CLS_SELECT_TILE_ITEMS);
    if (writes_sizes) {
        __global cls_select_control *control = AT(cls_select_control, scratch);
        control->count = args.count;
        control->k = args.k;
        control->chunk = args.chunk;
        control->samples = args.samples;
        control->low_rank = args.low_rank;
        control->high_rank = args.high_rank;
    }
    if (writes_result) {
        *AT(ulong, result) = (count > bound_args.count ? COUNT_EXCEEDED : 0) + is_missing;
    }
}
#endif

// Takes the sample, and counts its highest digits: each work-group writes a row of the table.
__kernel WORK_GROUP_KERNEL void select_sample(BUFFER(scratch), INPUT(keys), SELECT_ARGS)
{
    __local uint counts[RADIX];
    BEGIN_ARGS
    const select_scratch_t at = SCRATCH(AT(uchar, scratch), args);
    __global const key_t *restrict in = AT(const key_t, keys);
    const key_t flip = (key_t)args.flip, window = (key_t)args.window;
    const select_range_t range = {0, window, 1};
    const uint shift = digit_shift(range, args.begin_bit), step = (uint)get_global_size(0);
    clear_counts(counts, RADIX, 1);
    for (uint first = (uint)get_global_id(0); first < args.samples;
         first += step * SAMPLES_AT_ONCE) {
        key_t key[SAMPLES_AT_ONCE];
#pragma unroll
        for (uint i = 0; i < SAMPLES_AT_ONCE; i++) {
            const uint sample = min(first + i * step, args.samples - 1);
            key[i] =
                compared(sampled_key(in, (index_t)args.count, args.samples, sample), flip, window);
        }
#pragma unroll
        for (uint i = 0; i < SAMPLES_AT_ONCE; i++) {
            if (first + i * step < args.samples) {
                at.sample[first + i * step] = key[i];
                count_in_range(key[i], range, shift, counts, 1);
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = (uint)get_local_id(0); d < RADIX; d += GROUP_SIZE) {
        at.table[get_group_id(0) * RADIX + d] = counts[d];
    }
}

// The local memory of select_bracket.
typedef struct {
    select_histogram_t histogram;
    uint counts[RADIX * SAMPLE_COPIES];
    key_t few[FEW_SAMPLES]; // the keys of the sample in the range, once they fit
    uint few_count;
} bracket_memory_t;

// Counts the digits of the keys of the sample that are in the range. With `lists`, also lists these keys.
static inline void count_sample(__local bracket_memory_t *m, __global const key_t *sample,
                                const uint samples, const select_range_t range, const uint shift,
                                const bool lists)
{
    const key_t low = (key_t)range.first, span = (key_t)(range.last - range.first);
    for (uint first = 0; first < samples; first += GROUP_SIZE * READS_AT_ONCE) {
        const uint own = first + (uint)get_local_id(0);
        key_t key[READS_AT_ONCE];
        uint inside = 0;
        if (first + GROUP_SIZE * READS_AT_ONCE <= samples) {
#pragma unroll
            for (uint i = 0; i < READS_AT_ONCE; i++) {
                key[i] = sample[own + i * GROUP_SIZE];
            }
#pragma unroll
            for (uint i = 0; i < READS_AT_ONCE; i++) {
                inside |= (uint)((key_t)(key[i] - low) <= span) << i;
            }
        } else {
            for (uint i = 0; i < READS_AT_ONCE && own + i * GROUP_SIZE < samples; i++) {
                inside |= (uint)((key_t)(sample[own + i * GROUP_SIZE] - low) <= span) << i;
            }
        }
        for (; inside > 0; inside &= inside - 1) {
            const uint i = 31 - clz(inside & (0 - inside));
            const key_t found = sample[own + i * GROUP_SIZE];
            count_up(m->counts, (uint)(found >> shift) & (RADIX - 1), SAMPLE_COPIES);
            if (lists) {
                m->few[atomic_inc(&m->few_count)] = found;
            }
        }
    }
}

// Two work-groups, one for each end of the bracket: selects the key of a given rank from the sample, by
// one digit after the other. If the rank is outside the sample, the bracket is open at this end.
__kernel WORK_GROUP_KERNEL void select_bracket(BUFFER(scratch), const uint rows, SELECT_ARGS)
{
    __local bracket_memory_t m;
    BEGIN_ARGS
    const select_scratch_t at = SCRATCH(AT(uchar, scratch), args);
    const bool is_low = get_group_id(0) == 0;
    const uint t = (uint)get_local_id(0), rank = is_low ? args.low_rank : args.high_rank;
    const key_t window = (key_t)args.window;
    __global ulong *result = is_low ? &at.control->low : &at.control->high;
    if (t == 0) {
        if (is_low) {
            at.control->head.varying = 0;
            at.control->head.is_sorted = 0;
            at.control->next_block = args.chunks;
            at.control->is_overflow = 0;
            for (uint i = 0; i < SELECT_STEPS; i++) {
                at.control->tickets[i] = at.control->complete[i] = 0;
            }
        }
        *result = is_low ? 0 : window;
        m.few_count = 0;
    }
    if (rank == 0 || rank > args.samples) {
        return;
    }
    select_range_t range = {0, window, rank};
    sum_table(&m.histogram, at.table, rows);
    narrow(&range, digit_shift(range, args.begin_bit), window, &m.histogram);
    bool is_listed = false;
    for (uint bit = args.begin_bit + BITS; bit < args.end_bit; bit += BITS) {
        const uint shift = digit_shift(range, args.begin_bit);
        const bool lists = !is_listed && m.histogram.within <= FEW_SAMPLES;
        clear_counts(m.counts, RADIX, SAMPLE_COPIES);
        if (is_listed) {
            for (uint i = t; i < m.few_count; i += GROUP_SIZE) {
                count_in_range(m.few[i], range, shift, m.counts, SAMPLE_COPIES);
            }
        } else {
            count_sample(&m, at.sample, args.samples, range, shift, lists);
        }
        is_listed |= lists;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint d = t; d < RADIX; d += GROUP_SIZE) {
            m.histogram.totals[d] = count_of(m.counts, d, SAMPLE_COPIES);
        }
        narrow(&range, shift, window, &m.histogram);
    }
    if (t == 0) {
        *result = range.first;
    }
}

// Chooses the range that has the threshold, from the number of keys below it. `equal_low`, `inside`
// and `equal_high` are those of the whole input. Exactly one work-item calls this.
static inline void choose_range(__global cls_select_control *control, const bracket_t bracket,
                                const ulong below, const ulong equal_low, const ulong inside,
                                const ulong equal_high, const cls_select_args args)
{
    const ulong step = args.window & (0 - args.window);
    const ulong up_to_low = below + equal_low, up_to_inside = up_to_low + inside;
    ulong first = 0, last = args.window, before = 0;
    uint source = SELECT_FROM_INPUT;
    if (args.k == 0) { // a count in device memory is 0, or has no n-th element: there are no rounds
        last = first;
        source = SELECT_FROM_LOW;
    } else if (args.k <= below) {
        last = bracket.low - step;
    } else if (args.k <= up_to_low) {
        first = last = bracket.low;
        before = below;
        source = SELECT_FROM_LOW;
    } else if (args.k <= up_to_inside) {
        first = bracket.first;
        last = bracket.high - step;
        before = up_to_low;
        source = control->is_overflow ? SELECT_FROM_INPUT : SELECT_FROM_CANDIDATES;
    } else if (args.k <= up_to_inside + equal_high) {
        first = last = bracket.high;
        before = up_to_inside;
        source = SELECT_FROM_HIGH;
    } else {
        first = bracket.high + step;
        before = up_to_inside + equal_high;
    }
    control->first = first;
    control->last = last;
    control->rank = args.k - before;
    control->source = source;
}

// Adds up the counts of all chunks, and chooses the range in which the rounds search.
// `sums` has 2 * GROUP_SIZE elements.
static inline void plan_range(__local ulong *sums, const select_scratch_t at,
                              const cls_select_args args)
{
    const bracket_t bracket = bracket_of(at.control, args);
    ulong below = 0, equal_low = 0, inside = 0, equal_high = 0;
#pragma unroll 4
    for (uint c = (uint)get_local_id(0); c < args.chunks; c += GROUP_SIZE) {
        below += at.chunks[c].below;
        equal_low += at.chunks[c].equal_low;
        inside += at.chunks[c].inside;
        equal_high += at.chunks[c].equal_high;
    }
    group_exclusive_scan(below, sums, &below);
    group_exclusive_scan(equal_low, sums, &equal_low);
    group_exclusive_scan(inside, sums, &inside);
    group_exclusive_scan(equal_high, sums, &equal_high);
    if (get_local_id(0) == 0) {
        choose_range(at.control, bracket, below, equal_low, inside, equal_high, args);
    }
}

__kernel WORK_GROUP_KERNEL void select_plan(BUFFER(scratch), SELECT_ARGS)
{
    __local ulong sums[2 * GROUP_SIZE];
    BEGIN_ARGS
    const select_scratch_t at = SCRATCH(AT(uchar, scratch), args);
    plan_range(sums, at, args);
}

// Sets which of its ties a chunk emits, if this number of ties is before them and `wanted` are among the first k
// elements. Returns the number of elements that it emits.
static inline ulong set_emitted(__global cls_select_chunk *chunk, const ulong before,
                                const ulong wanted, const cls_select_args args)
{
    const ulong ties = chunk->ties;
    ulong first_tie = 0, end_tie = min(ties, wanted - min(wanted, before));
    if (args.is_nth) {
        const bool has_nth = before < wanted && wanted <= before + ties;
        first_tie = has_nth ? end_tie - 1 : 0;
        end_tie = has_nth ? end_tie : 0;
    } else if (args.partitions) {
        first_tie = end_tie = before;
    }
    const ulong emitted = end_tie - first_tie + (args.is_nth ? 0 : chunk->less);
    chunk->first_tie = first_tie;
    chunk->end_tie = end_tie;
    chunk->emitted = emitted;
    return emitted;
}

// Computes the output offset of each chunk, and which of its ties it emits: the first ones of the
// input. Each work-item has neighbouring chunks. `sums` has 2 * GROUP_SIZE elements.
static inline void compute_offsets(__local ulong *sums, const select_scratch_t at,
                                   const cls_select_args args)
{
    const ulong wanted = at.control->rank; // number of ties among the first k elements
    const uint share = (args.chunks + GROUP_SIZE - 1) / GROUP_SIZE,
               first = min(args.chunks, (uint)get_local_id(0) * share),
               last = min(args.chunks, first + share);
    ulong ties = 0, emitted = 0, all_ties, all_emitted;
#pragma unroll 4
    for (uint c = first; c < last; c++) {
        ties += at.chunks[c].ties;
    }
    ulong before = group_exclusive_scan(ties, sums, &all_ties);
#pragma unroll 4
    for (uint c = first; c < last; c++) {
        emitted += set_emitted(at.chunks + c, before, wanted, args);
        before += at.chunks[c].ties;
    }
    ulong offset = group_exclusive_scan(emitted, sums, &all_emitted);
#pragma unroll 4
    for (uint c = first; c < last; c++) {
        at.chunks[c].offset = offset;
        offset += at.chunks[c].emitted;
    }
    if (get_local_id(0) == 0) {
        at.control->threshold = at.control->first;
        at.control->ties = wanted;
        at.control->equal = all_ties;
        at.control->below = args.k - wanted;
#if COUNT_BYTES > 0
        at.control->written = args.partitions ? args.count : all_emitted;
#endif
    }
}

__kernel WORK_GROUP_KERNEL void select_offsets(BUFFER(scratch), SELECT_ARGS)
{
    __local ulong sums[2 * GROUP_SIZE];
    BEGIN_ARGS
    const select_scratch_t at = SCRATCH(AT(uchar, scratch), args);
    compute_offsets(sums, at, args);
}

#endif
