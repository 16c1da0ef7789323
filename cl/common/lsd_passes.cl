// lsd_passes.cl - what LSD sorts share: the plan of the passes, and the final copy
//
// The first read of the keys yields a key summary (key_summary.cl). From it the device decides
// which passes are needed and assigns the source and target array of each; the host launches the
// kernels of all passes, and those of a pass that is not needed return early.
//
// Options: GROUP_SIZE (work_group.cl); BITS of a digit, of which each has a pass; and
//   MAY_SKIP    1: the kernels do nothing if is_skipped of the control block's head is set
#ifndef CLSORT_COMMON_LSD_PASSES_CL
#define CLSORT_COMMON_LSD_PASSES_CL

#include "common/arrays.cl"
#include "common/counters.cl"
#include "common/device_count.cl"
#include "common/digit.cl"
#include "common/group_key_summary.cl"
#include "common/keys.cl"
#include "common/radix.cl"
#include "common/work_group.cl"

// Whether another path sorts the input; `control` is an argument of the kernel.
#if MAY_SKIP
#define IS_SKIPPED AT(const cls_control_head, control)->is_skipped
#else
#define IS_SKIPPED 0
#endif

// -- the plan of the passes -----------------------------------------------------------------------

// Drops the passes whose digit is constant, or all of them if the input is sorted, and assigns the
// arrays of the others. They alternate between scratch and output. Out of place the input is only
// read, and the last pass writes to the output. In place the first pass must not write to its own
// input, so it writes to scratch; an odd number of passes then ends there.
static inline void assign_lsd_arrays(__global cls_lsd_control *control, const uint in_place,
                                     const uint begin_bit, const uint end_bit)
{
    uint passes = 0, active = 0;
    for (uint bit = begin_bit; bit < end_bit; bit += BITS, passes++) {
        const ulong digit = (ulong)((1u << min((uint)BITS, end_bit - bit)) - 1) << bit;
        const uint is_active = !control->head.is_sorted && (control->head.varying & digit) != 0;
        control->pass[passes].active = is_active;
        active += is_active;
    }
    uint source = INPUT_ARRAY;
    bool to_output = !in_place && active % 2 == 1;
    for (uint pass = 0; pass < passes; pass++) {
        __global cls_lsd_pass *own = &control->pass[pass];
        if (!own->active) {
            continue;
        }
        own->source = source;
        source = own->target = to_output ? OUTPUT_ARRAY : SCRATCH_ARRAY;
        to_output = !to_output;
    }
    control->result = source;
}

// Merges `count` key summaries and plans the passes. Several work-groups may call this
// function; the one with `writes` writes the control block. `group_summaries` has GROUP_SIZE elements.
static inline void plan_lsd_passes(__global cls_lsd_control *control,
                                   __global const cls_key_summary *summaries, const uint count,
                                   __local cls_key_summary *group_summaries, const key_t window,
                                   const uint in_place, const uint begin_bit, const uint end_bit,
                                   const bool writes)
{
    cls_key_summary summary = summary_of_nothing();
    for (uint i = (uint)get_local_id(0); i < count; i += GROUP_SIZE) {
        summary = merge_summaries(summary, summaries[i]);
    }
    summary = group_key_summary(summary, group_summaries);
    if (writes && get_local_id(0) == 0) {
        write_control_head(&control->head, summary, window);
        assign_lsd_arrays(control, in_place, begin_bit, end_bit);
    }
}

// -- the final copy -------------------------------------------------------------------------------

// Copies the result to the output if the last pass wrote elsewhere, or if there was no pass. Values
// that are indexes exist nowhere until a pass writes them, so that without a pass they are written
// here, also in place.
static inline void copy_result(const uint result, KEY_ARRAYS, VALUE_ARRAYS const index_t n,
                               const uint in_place)
{
    if (result == OUTPUT_ARRAY) {
        return;
    }
    const bool was_sorted_in_place = result == INPUT_ARRAY && in_place;
    if (!was_sorted_in_place) {
        __global const key_t *keys_from = KEYS_OF(result);
        for (index_t i = get_global_id(0); i < n; i += get_global_size(0)) {
            AT(key_t, keys_to)[i] = keys_from[i];
        }
    }
#if VALUE_BYTES > 0
    if (!was_sorted_in_place || VALUE_INDEX) {
        __global const value_t *values_from = VALUES_FROM(result);
        for (index_t i = get_global_id(0); i < n; i += get_global_size(0)) {
            AT(value_t, values_to)[i] = VALUE_FROM(values_from, result, i);
        }
    }
#endif
}

__kernel WORK_GROUP_KERNEL void passes_finish(BUFFER(control), KEY_ARRAYS,
                                              VALUE_ARRAYS COUNT_ARGUMENT const index_t n,
                                              const uint in_place)
{
    if (IS_SKIPPED) {
        return;
    }
    copy_result(AT(const cls_lsd_control, control)->result, KEY_ARRAYS_HERE,
                VALUE_ARRAYS_HERE(index_t) ELEMENT_COUNT(n), in_place);
}

#endif
