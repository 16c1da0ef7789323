/* splitters.c - exact splitters of sorted shares
 *
 * Bisection by counts: Solomonik and Kale, "Highly scalable parallel sorting", IPDPS 2010. Windows that are narrowed
 * by samples: Varman et al., "Merging multiple lists on hierarchical-memory multiprocessors", Journal of Parallel and
 * Distributed Computing 12(2), 1991. */
#include "group/splitters.h"

#include "host/key.h"

/* -- bisection of keys ------------------------------------------------------------------------- */

struct cls_bisection cls_bisection_begin(const struct cls_spec *spec, uint64_t rank)
{
    return (struct cls_bisection){rank, 0, cls_compared_mask(spec)};
}

uint64_t cls_bisection_key(const struct cls_bisection *bisection)
{
    return bisection->low + (bisection->high - bisection->low) / 2;
}

void cls_bisection_narrow(struct cls_bisection *bisection, struct cls_key_counts all)
{
    const uint64_t key = cls_bisection_key(bisection);
    if (cls_bisection_is_done(bisection))
        return;
    if (all.not_above == bisection->rank) /* any key up to the next one divides the shares */
        bisection->low = bisection->high = key;
    else if (all.not_above > bisection->rank)
        bisection->high = key;
    else
        bisection->low = key + 1;
}

/* Returns the number of the first elements whose ordered keys are below `key` or, if is_above is true, not above it. */
static uint64_t count_first(const struct cls_spec *spec, const char *keys, size_t count,
                            uint64_t key, bool is_above)
{
    size_t first = 0, end = count;
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        const uint64_t ordered = cls_host_ordered_key(spec, keys + middle * spec->key_bytes);
        if (ordered < key || (is_above && ordered == key))
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

struct cls_key_counts cls_count_key(const struct cls_spec *spec, const char *keys, size_t count,
                                    uint64_t key)
{
    const uint64_t below = count_first(spec, keys, count, key, false);
    const char *from = keys + below * spec->key_bytes;
    const uint64_t equal = count_first(spec, from, count - below, key, true);
    return (struct cls_key_counts){below, below + equal};
}

uint64_t cls_bisection_position(const struct cls_bisection *bisection, struct cls_key_counts all,
                                struct cls_key_counts before, struct cls_key_counts own)
{
    const uint64_t wanted =
        bisection->rank - all.below; /* elements that are equal to the splitter */
    const uint64_t taken = before.not_above - before.below, equal = own.not_above - own.below;
    const uint64_t left = taken < wanted ? wanted - taken : 0;
    return own.below + (left < equal ? left : equal);
}

/* -- windows of elements ----------------------------------------------------------------------- */

uint64_t cls_windows_step(const struct cls_window *windows, size_t shares, uint64_t max_samples)
{
    uint64_t elements = 0;
    for (size_t i = 0; i < shares; i++)
        elements += windows[i].end - windows[i].first;
    return elements <= max_samples ? 1 : (elements + max_samples - 1) / max_samples;
}

/* Returns how many elements of a window can precede its sample number `samples`, counted from 0. */
static uint64_t elements_up_to(struct cls_window window, uint64_t step, uint64_t samples)
{
    const uint64_t max = (samples + 1) * step - 1, all = window.end - window.first;
    return max < all ? max : all;
}

void cls_windows_narrow(struct cls_window *windows, size_t shares, uint64_t rank, uint64_t step,
                        const uint32_t *order, uint64_t *memory)
{
    uint64_t *const seen = memory; /* samples of each share up to the present one */
    uint64_t *const min_taken = memory + shares, *const max_taken = memory + 2 * shares;
    uint64_t samples = 0, min_rank = 0, max_rank = 0; /* of the present sample */
    for (size_t i = 0; i < shares; i++) {
        seen[i] = min_taken[i] = 0;
        samples += cls_window_samples(windows[i], step);
        max_taken[i] = windows[i].end - windows[i].first;
        min_rank += windows[i].first;
        max_rank += windows[i].first + elements_up_to(windows[i], step, 0);
    }
    for (uint64_t i = 0; i < samples; i++) {
        const uint32_t share = order[i];
        const struct cls_window window = windows[share];
        const uint64_t preceding = elements_up_to(window, step, seen[share]);
        if (min_rank + step >
            rank) { /* this sample, and all that follow it, are not among the first */
            for (size_t j = 0; j < shares; j++)
                max_taken[j] = elements_up_to(windows[j], step, seen[j]);
            break;
        }
        seen[share]++;
        min_rank += step;
        /* Exactly the elements of this share up to the sample precede what follows it. */
        if (max_rank - preceding + seen[share] * step <= rank)
            memcpy(min_taken, seen, shares * sizeof *seen);
        max_rank += elements_up_to(window, step, seen[share]) - preceding;
    }
    for (size_t i = 0; i < shares; i++) {
        windows[i].end = windows[i].first + max_taken[i];
        windows[i].first += min_taken[i] * step;
    }
}
