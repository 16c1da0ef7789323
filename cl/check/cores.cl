// cores.cl - finds the first violation of the order, for CPUs: one work-item per chunk
//
// check.cl explains the method and its kernels. Each vector of 16 keys is compared with the vector
// that begins one key before it. Only a strip of keys that has a violation is searched key by key.
#ifndef CLSORT_CHECK_CORES_CL
#define CLSORT_CHECK_CORES_CL

#include "check/check.cl"
#include "common/vector_counts.cl"

// Returns the first violation among the elements [first, last), or `last`.
OUTLINED index_t search(const input_t in, index_t first, const index_t last,
                        const order_t *its_order)
{
    const order_t order = *its_order;
    while (first < last && !precedes_neighbour(in, first, order)) {
        first++;
    }
    return first;
}

#if KEY_ORDER < 3
// Returns the begin of the first strip with a violation, or of the elements that fill no step.
OUTLINED index_t skip_strips(__global const key_t *restrict in, index_t first, const index_t last,
                             const order_t *its_order)
{
    const order_t order = *its_order;
    bool is_in_order = true;
    while (is_in_order && last - first >= STEP) {
        const index_t end = first + min(last - first, (index_t)STRIP) / STEP * STEP;
        key_vector_t hits = 0;
        for (index_t i = first; i < end; i += STEP) {
#pragma unroll
            for (uint v = 0; v < STEP_VECTORS; v++) {
                const key_vector_t keys =
                                       ordered_vector(vload16(0, in + i + v * LANES), order.flip),
                                   before = ordered_vector(vload16(0, in + i + v * LANES - 1),
                                                           order.flip);
                hits |= AS_MASK((keys & order.window) < (before & order.window));
            }
        }
        is_in_order = !has_bits(hits);
        first = is_in_order ? end : first;
    }
    return first;
}
#endif

__kernel WORK_GROUP_KERNEL void check_chunks(BUFFER(scratch), ELEMENTS_IN,
                                             COUNT_ARGUMENT const cls_check_args args, ORDER)
{
    const order_t order = ORDER_ARGUMENTS;
    __global cls_check_control *control = AT(cls_check_control, scratch);
    LOAD_ELEMENTS_IN(in);
    chunk_range_t range;
    SET_CHUNK_RANGE(&range, args);
    index_t first = max(range.first, (index_t)1);
    while (first < range.last && first_chunk_of(control) >= get_group_id(0)) {
        const index_t end = first + min(range.last - first, (index_t)args.block);
#if KEY_ORDER < 3
        first = skip_strips(in, first, end, &order);
#endif
        first = search(in, first, end, &order);
        if (first < end) {
            publish_violation(control, first);
            return;
        }
    }
}

#endif
