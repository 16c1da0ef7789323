// single.cl - one work-item sorts a small input in one launch
#ifndef CLSORT_CPU_RADIX_SINGLE_CL
#define CLSORT_CPU_RADIX_SINGLE_CL

#include "common/arrays.cl"
#include "cpu_radix/args.cl"
#include "cpu_radix/bin_tree.cl"
#include "cpu_radix/chunk.cl"
#include "cpu_radix/histogram.cl"
#include "cpu_radix/lsd_sort.cl"

__kernel WORK_ITEM_KERNEL void cpu_radix_single(BUFFER(control), KEY_ARRAYS,
                                                VALUE_ARRAYS CPU_RADIX_ARGS)
{
    if (IS_NOT_SINGLE) {
        return;
    }
    SIZE_CPU_RADIX_ARGS
    __global cls_control_head *head = AT(cls_control_head, control);
    const index_t n = (index_t)args.count;
    const key_t flip = (key_t)args.flip, window = (key_t)args.window;
    elements_t in = INPUT_ELEMENTS(keys, values);
    const elements_t tmp = ELEMENTS(keys_tmp, values_tmp), to = ELEMENTS(keys_to, values_to);
    const cls_cpu_radix_summary summary = summarize_keys(in.keys, 0, n, n, flip, window);
    write_control_head(head, summary.keys, window);
    if (head->is_sorted) {
        copy_sorted_input(in, to, chunk_at(0, n, n));
        return;
    }
    if (summary.is_reversed) {
        reverse_input(in, to, chunk_at(0, n, (n + 1) / 2), n);
        return;
    }
#if VALUE_INDEX
    // The sort reads values from memory, but indexes exist nowhere yet.
    for (index_t i = 0; i < n; i++) {
        tmp.keys[i] = in.keys[i];
        tmp.values[i] = value_of_index(i);
    }
    in = tmp;
#endif
    index_t counters[LSD_COUNTERS] ALIGNED;
    const uint low = low_bit((key_t)head->varying), top = bits_of((key_t)head->varying);
#if VALUE_INDEX
    sort_elements(in, to, tmp, to, n, flip, window, low, top, counters);
#else
    sort_elements(in, tmp, to, to, n, flip, window, low, top, counters);
#endif
}

#endif
