// sort_part.cl - one work-item sorts a bucket of any size, part by part, in its slice of scratch
//
// The slice stays in the core's L2. A bucket is split into parts (split_part.cl) if it does not fit
// in the slice with its workspace or, with packed keys (pack.cl), if it has more than MAX_PACKED
// elements. Parts are split again by the same rule. A bucket or part whose keys differ in at most
// CLS_CPU_RADIX_MAX_DIGIT_BITS bits is never split. Each part is sorted in the slice, by packed
// keys or by LSD passes (lsd_sort.cl), and then written to the output by streaming stores: plain
// stores in random order would each wait for a cache line.
//
// A part that does not fit in the slice is sorted by LSD passes over memory instead if its keys
// differ in at most CLS_CPU_RADIX_MAX_DIGIT_BITS bits, if the slice is too small for a sample (less
// than 74 to 99 KiB, depending on the sizes of keys and values), if the part is still too large
// after MAX_SPLITS splits, or if too many parts are pending.
//
// Cost: one read and one write of the elements beyond the cache, in addition to the splits.
#ifndef CLSORT_CPU_RADIX_SORT_PART_CL
#define CLSORT_CPU_RADIX_SORT_PART_CL

#include "cpu_radix/lsd_sort.cl"
#include "cpu_radix/pack.cl"
#include "cpu_radix/part.cl"
#include "cpu_radix/split_part.cl"

#if defined(SORTS_PACKED_KEYS)
// Returns whether packed_sort can sort the part in the slice, and is faster than LSD passes.
static inline bool uses_packed_keys(const sorter_t *sorter, const bucket_part_t part)
{
    const index_t count = part.count;
    return part.top - part.low > CLS_CPU_RADIX_MAX_DIGIT_BITS && count > MAX_INSERTION &&
           count <= MAX_PACKED &&
           PACKED_WORKSPACE_AT(count) + PACKED_WORKSPACE(count) * KEY_BYTES <= sorter->slice_bytes;
}

// Sorts a part by packed keys. Returns false if too many parts are pending; `from` and the pending
// parts are then unchanged.
static inline bool sort_packed_part(const sorter_t *sorter, const bucket_part_t part,
                                    const elements_t from, const elements_t to)
{
    const elements_t sorted = elements_in(sorter->slice, ALIGNED_COUNT(part.count));
    __global key_t *workspace = (__global key_t *)(sorter->slice + PACKED_WORKSPACE_AT(part.count));
    const uint pending = sorter->pending->count;
    if (!packed_sort(from, sorted, part, sorter->flip, sorter->window, workspace,
                     sorter->pending)) {
        sorter->pending->count = pending;
        return false;
    }
    stream_elements(sorted, to, part.count);
    return true;
}
#endif

// Returns whether a part is sorted without a split.
static inline bool is_small(const sorter_t *sorter, const bucket_part_t part)
{
#if defined(SORTS_PACKED_KEYS)
    if (uses_packed_keys(sorter, part)) {
        return true;
    }
#else
    if (part.count <= slice_elements(sorter)) {
        return true;
    }
#endif
    return part.count <= MAX_INSERTION || part.top - part.low <= CLS_CPU_RADIX_MAX_DIGIT_BITS;
}

// Sorts a part without a split, from `from` to `to`. `other` is the array that the part is not in,
// as workspace.
static inline void sort_part(const sorter_t *sorter, const bucket_part_t part,
                             const elements_t from, const elements_t other, const elements_t to)
{
    const index_t count = part.count, fits = slice_elements(sorter);
    const elements_t slice = elements_in(sorter->slice, 2 * (uint)fits),
                     sorted = elements_at(slice, fits);
    if (part.top == part.low) {
        if (from.keys != to.keys) {
            stream_elements(from, to, count);
        }
        return;
    }
#if defined(SORTS_PACKED_KEYS)
    if (uses_packed_keys(sorter, part) && sort_packed_part(sorter, part, from, to)) {
        return;
    }
#endif
    // One call for both cases, since the compiler inlines every call.
    const bool in_slice = count <= fits;
    sort_elements(from, in_slice ? slice : other, in_slice ? sorted : from, in_slice ? sorted : to,
                  count, sorter->flip, sorter->window, part.low, part.top, sorter->counters);
    if (in_slice) {
        stream_elements(sorted, to, count);
    }
}

// Sorts a bucket of elements that differ in the bits [low, top) only. Also writes to `from`.
static inline void sort_bucket(const sorter_t *sorter, const index_t count, const uint low,
                               const uint top, const elements_t from, const elements_t to)
{
    pending_parts_t *pending = sorter->pending;
    bucket_part_t part = {0, count, low, top, 0, false};
    for (pending->count = 0;;) {
        const elements_t source = elements_at(from, part.first),
                         target = elements_at(to, part.first);
        const elements_t here = part.in_output ? target : source,
                         other = part.in_output ? source : target;
        if (is_small(sorter, part) || !split_part(sorter, part, here, other)) {
            sort_part(sorter, part, here, other, target);
        }
        if (pending->count == 0) {
            return;
        }
        part = pending->part[--pending->count];
    }
}

#endif
