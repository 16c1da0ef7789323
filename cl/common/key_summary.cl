// key_summary.cl - the key summary: which bits of the keys vary, and whether the keys are in order
// already
//
// The first read of the keys computes the OR and the AND of all ordered keys and checks their order
// (Ha, Krueger and Silva, "Fast four-way parallel radix sorting on GPUs", 2009, section 4). Kernels
// use the result to skip passes; the host never reads it.
#ifndef CLSORT_COMMON_KEY_SUMMARY_CL
#define CLSORT_COMMON_KEY_SUMMARY_CL

#include "common/keys.cl"
#include "common/layout.h"

// Returns the identity of merge_summaries.
static inline cls_key_summary summary_of_nothing(void)
{
    cls_key_summary summary = {0, ~(ulong)0, 1, ~0u};
    return summary;
}

static inline cls_key_summary merge_summaries(const cls_key_summary a, const cls_key_summary b)
{
    cls_key_summary summary = {a.any | b.any, a.all & b.all, a.is_sorted & b.is_sorted,
                               a.common & b.common};
    return summary;
}

// Returns the summary of one ordered key. `next` is the ordered key after it in the input, and
// `window` has the compared bits.
static inline cls_key_summary summary_of_key(const key_t key, const key_t next, const key_t window)
{
    cls_key_summary summary = {key, key, (key & window) <= (next & window), 0};
    return summary;
}

// Returns the bits that vary.
static inline ulong write_control_head(__global cls_control_head *head,
                                       const cls_key_summary summary, const key_t window)
{
    const ulong varying = (summary.any ^ summary.all) & window;
    head->varying = varying;
    head->is_sorted = summary.is_sorted;
    return varying;
}

#endif
