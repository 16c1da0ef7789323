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

// Returns the bits of the digit that starts at `bit`.
static inline ulong lsd_digit(const uint bit, const uint end_bit)
{
    return (ulong)((1u << min((uint)BITS, end_bit - bit)) - 1) << bit;
}

// Assigns the arrays of the passes that are needed, those whose digit has a bit of `needed`. They
// alternate between scratch and output. Out of place the input is only read, and the last pass writes
// to the output. In place the first pass must not write to its own input, so it writes to scratch; an
// odd number of passes then ends there.
//
// Run by one work-item, which does not read back what it writes: that would take longer.
static inline void assign_lsd_arrays(__global cls_lsd_control *control, const ulong needed,
                                     const uint in_place, const uint begin_bit, const uint end_bit)
{
    uint active = 0, source = INPUT_ARRAY;
    for (uint bit = begin_bit; bit < end_bit; bit += BITS) {
        active += (needed & lsd_digit(bit, end_bit)) != 0;
    }
    bool to_output = !in_place && active % 2 == 1;
    for (uint bit = begin_bit, pass = 0; bit < end_bit; bit += BITS, pass++) {
        const bool is_active = (needed & lsd_digit(bit, end_bit)) != 0;
        const uint target = to_output ? OUTPUT_ARRAY : SCRATCH_ARRAY;
        control->pass[pass].active = is_active;
        control->pass[pass].source = source;
        control->pass[pass].target = target;
        source = is_active ? target : source;
        to_output = to_output != is_active;
    }
    control->result = source;
}

// Returns the bits by whose digits the keys must be sorted. If all keys that are not equal to the first one differ
// from it in all bits that vary, there are only two different keys, and the highest of these bits suffices.
static inline ulong needed_bits(const ulong varying, const cls_key_summary summary)
{
    const bool has_two_keys = KEY_BYTES <= 4 && varying > 0 && summary.common == varying;
    return has_two_keys ? (ulong)1 << (63 - (uint)clz(varying)) : varying;
}

// Merges `count` key summaries and plans the passes. Run by one work-group. `group_summaries` has
// GROUP_SIZE elements.
static inline void plan_lsd_passes(__global cls_lsd_control *control,
                                   __global const cls_key_summary *summaries, const uint count,
                                   __local cls_key_summary *group_summaries, const key_t window,
                                   const uint in_place, const uint begin_bit, const uint end_bit)
{
    cls_key_summary summary = summary_of_nothing();
    for (uint i = (uint)get_local_id(0); i < count; i += GROUP_SIZE) {
        summary = merge_summaries(summary, summaries[i]);
    }
    summary = group_key_summary(summary, group_summaries);
    if (get_local_id(0) == 0) {
        const ulong varying = write_control_head(&control->head, summary, window);
        assign_lsd_arrays(control, summary.is_sorted ? 0 : needed_bits(varying, summary), in_place,
                          begin_bit, end_bit);
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
