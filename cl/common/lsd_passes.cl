// lsd_passes.cl - the passes of an LSD sort: which there are, and between which places
//
// BITS    of a digit: one pass for each
#ifndef CLSORT_COMMON_LSD_PASSES_CL
#define CLSORT_COMMON_LSD_PASSES_CL

#include "common/arrays.cl"
#include "common/group_key_summary.cl"
#include "common/keys.cl"
#include "common/work_group.cl"

// -- histograms -----------------------------------------------------------------------------------

// Each counter has copies, so that work-items that count the same meet less often.
static inline void count_up(__local uint *counts, const uint counter, const uint copies)
{
#if GROUP_SIZE > 1
    atomic_inc(&counts[counter * copies + (uint)get_local_id(0) % copies]);
#else
    counts[counter * copies]++;
#endif
}

static inline void clear_counts(__local uint *counts, const uint counters, const uint copies)
{
    for (uint i = (uint)get_local_id(0); i < counters * copies; i += GROUP_SIZE)
        counts[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
}

static inline uint count_of(__local const uint *counts, const uint counter, const uint copies)
{
    uint sum = 0;
    for (uint i = 0; i < copies; i++)
        sum += counts[counter * copies + i];
    return sum;
}

// -- what to do -----------------------------------------------------------------------------------

// In place, output and input are the same, so the first pass must write to the temporary place. Out of
// place the input is only read, and the last pass must write to the output.
static inline void plan_steps(__global cls_lsd_control *c, const uint in_place,
                              const uint begin_bit, const uint end_bit)
{
    uint passes = 0, active = 0;
    for (uint bit = begin_bit; bit < end_bit; bit += BITS, passes++) {
        const ulong digit = (ulong)((1u << min((uint)BITS, end_bit - bit)) - 1) << bit;
        c->step[passes].active = !c->head.is_sorted && (c->head.varying & digit) != 0;
        active += c->step[passes].active;
    }
    uint source = INPUT_ARRAY, parity = in_place ? 0 : active % 2;
    for (uint p = 0; p < passes; p++) {
        if (!c->step[p].active)
            continue;
        c->step[p].source = source;
        source = c->step[p].target = parity ? OUTPUT_ARRAY : SCRATCH_ARRAY;
        parity = !parity;
    }
    c->result = source;
}

// By the first group, from what each chunk's saw; all groups may call it.
static inline void decide_steps(__global cls_lsd_control *c, __global const cls_key_summary *seen,
                                const uint chunks, __local cls_key_summary *all, const key_t window,
                                const uint in_place, const uint begin_bit, const uint end_bit)
{
    const uint t = (uint)get_local_id(0);
    cls_key_summary mine = summary_of_nothing();
    for (uint i = t; i < chunks; i += GROUP_SIZE)
        mine = merge_summaries(mine, seen[i]);
    mine = group_key_summary(mine, all);
    if (get_global_id(0) > 0)
        return;
    write_control_head(&c->head, mine, window);
    plan_steps(c, in_place, begin_bit, end_bit);
}

// The copy that is left when the result is not where it was asked for.
__kernel WORK_GROUP_KERNEL void passes_finish(BUFFER(control), INPUT(keys), BUFFER(keys_to),
                                              BUFFER(keys_tmp),
                                              VALUE_INPUT(values) VALUE_BUFFER(values_to)
                                                  VALUE_BUFFER(values_tmp) const index_t n,
                                              const uint in_place)
{
    const uint result = AT(const cls_lsd_control, control)->result;
    if (result == OUTPUT_ARRAY || (result == INPUT_ARRAY && in_place))
        return;
    __global const key_t *from = KEYS_OF(result);
    for (index_t i = get_global_id(0); i < n; i += get_global_size(0))
        AT(key_t, keys_to)[i] = from[i];
#if VALUE_BYTES > 0
#if VALUE_INDEX
    // Index values of input in order are not written: cls_control_head.is_sorted stands for them.
    if (result == INPUT_ARRAY)
        return;
#endif
    __global const value_t *values_from = VALUES_FROM(result);
    for (index_t i = get_global_id(0); i < n; i += get_global_size(0))
        AT(value_t, values_to)[i] = values_from[i];
#endif
}

#endif
