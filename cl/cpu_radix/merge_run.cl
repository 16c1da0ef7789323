// merge_run.cl - one work-item sorts a bucket that is in order except for elements at its ends
//
// If input is in order except for a few elements, most elements of a bucket are adjacent and in
// order. The others come from elsewhere in the input and therefore precede or follow this run. Both
// groups are sorted in the slice by LSD passes (lsd_sort.cl) and inserted while the run is copied.
// An element before the run goes before equal keys, and one after it goes behind them, so that the
// sort is stable.
//
// The run is searched from the middle of the bucket outwards, after comparisons of a few keys that
// it would include. A bucket in another order thus costs little.
//
// Cost: a read of the keys, then one read and one write of the elements beyond the cache.
#ifndef CLSORT_CPU_RADIX_MERGE_RUN_CL
#define CLSORT_CPU_RADIX_MERGE_RUN_CL

#include "cpu_radix/chunk.cl"
#include "cpu_radix/lsd_sort.cl"
#include "cpu_radix/part.cl"

#define MIN_RUN_SHARE 16 // all elements but one in this many are in the run

static inline key_t compared_at(const elements_t elements, const index_t i, const sorter_t *sorter)
{
    return ordered(elements.keys[i], sorter->flip) & sorter->window;
}

// Returns the longest run of elements in order that includes the middle one.
static inline cpu_radix_chunk_t middle_run(const elements_t elements, const index_t count,
                                           const sorter_t *sorter)
{
    cpu_radix_chunk_t run = {count / 2, count / 2 + 1};
    while (run.last < count &&
           compared_at(elements, run.last - 1, sorter) <= compared_at(elements, run.last, sorter)) {
        run.last++;
    }
    while (run.first > 0 && compared_at(elements, run.first - 1, sorter) <=
                                compared_at(elements, run.first, sorter)) {
        run.first--;
    }
    return run;
}

// Returns the first element of a run behind which `key` belongs: behind equal keys, or before them.
static inline index_t insertion_point(const elements_t elements, cpu_radix_chunk_t run,
                                      const key_t key, const bool behind, const sorter_t *sorter)
{
    while (run.first < run.last) {
        const index_t middle = run.first + (run.last - run.first) / 2;
        const key_t here = compared_at(elements, middle, sorter);
        if (here < key || (behind && here == key)) {
            run.first = middle + 1;
        } else {
            run.last = middle;
        }
    }
    return run.first;
}

// Copies a run and inserts `before` sorted elements that preceded it and `after` that followed it;
// the latter are behind the former.
static inline void insert_in_run(const elements_t from, cpu_radix_chunk_t run,
                                 const elements_t sorted, const index_t before, const index_t after,
                                 const elements_t to, const sorter_t *sorter)
{
    index_t next[2] = {0, before}, written = 0;
    while (next[0] < before || next[1] < before + after) {
        const bool behind = next[0] == before ||
                            (next[1] < before + after && compared_at(sorted, next[1], sorter) <
                                                             compared_at(sorted, next[0], sorter));
        const index_t i = next[behind]++;
        const index_t end =
            insertion_point(from, run, compared_at(sorted, i, sorter), behind, sorter);
        stream_elements(elements_at(from, run.first), elements_at(to, written), end - run.first);
        written += end - run.first;
        run.first = end;
        to.keys[written] = sorted.keys[i];
        VALUES(to.values[written] = sorted.values[i];)
        written++;
    }
    stream_elements(elements_at(from, run.first), elements_at(to, written), run.last - run.first);
}

#define PROBES 8 // adjacent keys that are compared first

// Returns whether some keys that a run of the required length would include are in order. The first
// ones are near the beginning, which the sort reads next; other keys are not in a cache yet.
static inline bool may_have_run(const elements_t elements, const index_t count,
                                const sorter_t *sorter)
{
    const index_t step = count / MIN_RUN_SHARE;
    for (index_t i = step + 1; i < min(count, step + PROBES); i++) {
        if (compared_at(elements, i - 1, sorter) > compared_at(elements, i, sorter)) {
            return false;
        }
    }
    for (uint i = 2; i < MIN_RUN_SHARE; i++) {
        if (compared_at(elements, (i - 1) * step, sorter) >
            compared_at(elements, i * step, sorter)) {
            return false;
        }
    }
    return true;
}

// Sorts a bucket, unless too many elements are outside its middle run. Returns whether it did. The
// elements differ in the bits [low, top) only.
static inline bool merge_run(const sorter_t *sorter, const index_t count, const uint low,
                             const uint top, const elements_t from, const elements_t to)
{
    if (!may_have_run(from, count, sorter)) {
        return false;
    }
    const cpu_radix_chunk_t run = middle_run(from, count, sorter);
    const index_t fits = slice_elements(sorter), after = count - run.last;
    if (run.first + after > min(fits, count / MIN_RUN_SHARE)) {
        return false;
    }
    const elements_t slice = elements_in(sorter->slice, 2 * (uint)fits),
                     sorted = elements_at(slice, fits);
    for (uint side = 0; side < 2; side++) { // a loop, since the compiler inlines every call
        const elements_t target = elements_at(sorted, side ? run.first : 0);
        sort_elements(elements_at(from, side ? run.last : 0), slice, target, target,
                      side ? after : run.first, sorter->flip, sorter->window, low, top,
                      sorter->counters);
    }
    insert_in_run(from, run, sorted, run.first, after, to, sorter);
    return true;
}

#endif
