/* splitters.h - exact splitters of sorted shares: where to divide each share so that the parts of all shares have
 * given sizes together
 *
 * A sample sort over several devices, or over several nodes, sorts a share of the input in each place. Then it needs
 * the position at which each share is divided, so that the elements before these positions are exactly the first n
 * of all, for any n. The order of all elements is that of (key, share, position in the share), so that the result is
 * that of a stable sort.
 *
 * There are two methods. Both need no access to elements of other shares but through the counts or the samples that
 * the caller collects, and all take the same decisions from the same numbers.
 *   Keys of up to 64 bits: a bisection of the range of keys by the number of elements below a key, and not above it,
 *   in all shares (cls_bisection). The elements that are equal to a splitter are given out in the order of the shares.
 *   Elements in any order: samples at regular distances from windows of the shares, in which the positions are.
 *   The order of the samples narrows the windows until all elements in them fit in a sample (cls_windows). */
#ifndef CLSORT_GROUP_SPLITTERS_H
#define CLSORT_GROUP_SPLITTERS_H

#include "base/arithmetic.h"
#include "base/spec.h"

/* -- bisection of keys ------------------------------------------------------------------------- */

/* Elements of a share, or of all shares. */
struct cls_key_counts {
    uint64_t below, not_above; /* a key */
};

/* The search for the splitter of the first `rank` elements: a key that at least `rank` elements are not above, and at
 * most `rank` below. One is in [low, high]. */
struct cls_bisection {
    uint64_t rank; /* from 1 to the number of elements in all shares */
    uint64_t low, high;
};

/* Returns the search among the keys of this spec, which is not that of a custom order. */
struct cls_bisection cls_bisection_begin(const struct cls_spec *spec, uint64_t rank);

/* Returns the key that is to be counted in all shares: the splitter itself if the search is done. */
uint64_t cls_bisection_key(const struct cls_bisection *bisection);

/* Narrows the search by the sum of the counts of this key in all shares, unless it is done. */
void cls_bisection_narrow(struct cls_bisection *bisection, struct cls_key_counts all);

static inline bool cls_bisection_is_done(const struct cls_bisection *bisection)
{
    return bisection->low == bisection->high;
}

/* Counts an ordered key (cls_host_ordered_key) in a sorted share in host memory. */
struct cls_key_counts cls_count_key(const struct cls_spec *spec, const char *keys, size_t count,
                                    uint64_t key);

/* Returns the position at which a share is divided by the splitter of a search that is done. `all` has the sums of the
 * counts of the splitter in all shares, `before` the same in the shares before this one, and `own` those of this
 * share. */
uint64_t cls_bisection_position(const struct cls_bisection *bisection, struct cls_key_counts all,
                                struct cls_key_counts before, struct cls_key_counts own);

/* -- windows of elements ----------------------------------------------------------------------- */

enum {
    CLS_NARROW_WORDS = 3, /* memory of cls_windows_narrow for each share */
    CLS_MIN_SAMPLES = 8   /* of each share */
};

/* The part of a share in which its position is: from `first` to `end`. */
struct cls_window {
    uint64_t first, end;
};

/* Returns the maximum number of samples of all windows, for cls_windows_step: 2^14 samples or 4 MiB of them, whichever
 * is less, but at least CLS_MIN_SAMPLES for each share. */
static inline uint64_t cls_windows_max_samples(uint64_t shares, size_t key_bytes)
{
    return cls_max(CLS_MIN_SAMPLES * shares, cls_min(1 << 14, ((uint64_t)4 << 20) / key_bytes));
}

/* Returns the distance of samples: a window is represented by its elements first + step - 1,
 * first + 2 * step - 1, and so on, as far as they are before its end. There are at most max_samples, which is at least
 * CLS_MIN_SAMPLES for each share: then each round divides the number of elements in windows at least by 2. */
uint64_t cls_windows_step(const struct cls_window *windows, size_t shares, uint64_t max_samples);

/* Returns the number of samples of a window. */
static inline uint64_t cls_window_samples(struct cls_window window, uint64_t step)
{
    return (window.end - window.first) / step;
}

/* Narrows the windows of the positions that have `rank` elements before them. order[i] is the share of the i-th sample
 * of all windows in the order of the elements, where equal ones are in the order of the shares, then of the positions.
 * If the step is 1, the windows become positions: first == end. `memory` has CLS_NARROW_WORDS numbers per share. */
void cls_windows_narrow(struct cls_window *windows, size_t shares, uint64_t rank, uint64_t step,
                        const uint32_t *order, uint64_t *memory);

#endif
