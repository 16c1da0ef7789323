// key_summary.cl - what a sort learns about its data, kept on the device
//
// The first read of the keys collects, a group at a time, which bits vary and whether the keys are in
// order already (the order check of Ha, Krueger and Silva, 2009, section 4). Everything that depends on
// it is decided by kernels from this block; the host never reads it.
#ifndef CLSORT_COMMON_KEY_SUMMARY_CL
#define CLSORT_COMMON_KEY_SUMMARY_CL

#include "common/keys.cl"
#include "common/layout.h"

static inline cls_key_summary summary_of_nothing(void)
{
    cls_key_summary seen = {0, ~(ulong)0, 1};
    return seen;
}

static inline cls_key_summary merge_summaries(const cls_key_summary a, const cls_key_summary b)
{
    cls_key_summary seen = {a.any | b.any, a.all & b.all, a.is_sorted & b.is_sorted};
    return seen;
}

// A key and the one behind it, both ordered.
static inline cls_key_summary summary_of_key(const key_t key, const key_t next, const key_t window)
{
    cls_key_summary seen = {key, key, (key & window) <= (next & window)};
    return seen;
}

static inline void write_control_head(__global cls_control_head *head, const cls_key_summary seen,
                                      const key_t window)
{
    head->varying = (seen.any ^ seen.all) & window;
    head->is_sorted = (uint)seen.is_sorted;
}

#endif
