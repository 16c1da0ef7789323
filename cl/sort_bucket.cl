// sort_bucket.cl - one work-item sorts a bucket of any size, by way of its slice of scratch, which stays in its L2
//
// A bucket that does not fit the slice is split by its highest digit into sections that do. Each is sorted in the slice, by
// packs where there are any, and sent to its place past the cache: items that come one by one would each wait for a line
// of memory.
//
// Cost: a section is read and written once beyond the cache; what was split, once more for each split.

#if !defined(COUNTERS) || !defined(STREAM)
#error                                                                                             \
    "sort_bucket.cl needs types.cl, keys.cl, items.cl, stream.cl and bucket.cl; pack.cl where it can be had"
#endif

#define SPLIT_BITS 8u
#define SPLIT_PARTS (1u << SPLIT_BITS)

// What a work-item sorts with.
typedef struct {
    items_t slice;
    uint slice_items;
    key_t flip, window;
    index_t *counters; // COUNTERS of them
    waiting_t *waiting;
} sorter_t;

static inline void stream_items(const items_t from, const items_t to, const index_t count)
{
    stream_keys(from.keys, to.keys, count);
    VALUES(stream_units((__global const value_unit_t *)from.values,
                        (__global value_unit_t *)to.values,
                        (size_t)count * (VALUE_BYTES / sizeof(value_unit_t)));)
}

#if defined(MOST_PACKS)
static inline bool packs_fit(const sorter_t *sorter, const index_t count)
{
    return count + PACKS_ROOM(count) <= sorter->slice_items;
}

// In the slice, or, of keys that are wide enough for the places of many items, past it.
static inline bool uses_packs(const sorter_t *sorter, const section_t section)
{
    return section.top - section.low > LOCAL_BITS && section.count > INSERTION &&
           section.count <= MOST_PACKS && (KEY_BYTES == 8 || packs_fit(sorter, section.count));
}

// Sorts a section by way of its slice, or of `target`, which has room for it. False if there is no room for what is left to
// sort.
static inline bool sort_by_packs(const sorter_t *sorter, const section_t section,
                                 const items_t from, const items_t target, const items_t to)
{
    const index_t count = section.count;
    const bool in_slice = packs_fit(sorter, count);
    const items_t slice = sorter->slice, sorted = in_slice ? slice : target;
    __global key_t *room = in_slice ? slice.keys + count : slice.keys;
    const uint waits = sorter->waiting->count;
    if (!pack_sort(from, sorted, section, sorter->flip, sorter->window, room,
                   in_slice ? PACKS_ROOM(count) : 0, sorter->waiting)) {
        sorter->waiting->count = waits;
        return false;
    }
    if (sorted.keys != to.keys)
        stream_items(sorted, to, count);
    return true;
}
#endif

// Whether it is sorted without a split.
static inline bool is_small(const sorter_t *sorter, const section_t section)
{
#if defined(MOST_PACKS)
    if (uses_packs(sorter, section))
        return true;
#endif
    return section.count <= sorter->slice_items / 2 || section.top - section.low <= LOCAL_BITS;
}

// `other` is the section's place that it is not in.
static inline void sort_section(const sorter_t *sorter, const section_t section, const items_t from,
                                const items_t other, const items_t to)
{
    const index_t count = section.count;
    const items_t slice = sorter->slice, sorted = items_at(slice, sorter->slice_items / 2);
#if defined(MOST_PACKS)
    if (uses_packs(sorter, section) && sort_by_packs(sorter, section, from, other, to))
        return;
#endif
    if (count <= sorter->slice_items / 2) {
        bucket_sort(from, slice, sorted, sorted, count, sorter->flip, sorter->window, section.low,
                    section.top, sorter->counters);
        stream_items(sorted, to, count);
    } else {
        bucket_sort(from, other, from, to, count, sorter->flip, sorter->window, section.low,
                    section.top, sorter->counters);
    }
}

// Moves items by the digit that begins at bit `shift`; `ends` gets where each of its values ends.
static inline void split(const items_t from, const items_t to, const index_t count,
                         const key_t flip, const uint shift, index_t *restrict ends)
{
    const uint mask = SPLIT_PARTS - 1;
    for (uint d = 0; d < SPLIT_PARTS; d++)
        ends[d] = 0;
    for (index_t i = 0; i < count; i++)
        ends[digit_of(from.keys[i], flip, shift, mask)]++;
    scan_counters(ends, SPLIT_BITS);
    lsd_pass(from, to, count, ends, flip, shift, mask);
}

// The parts of a section wait. False if there may be no room for them to.
static inline bool split_section(const sorter_t *sorter, const section_t section,
                                 const items_t here, const items_t other)
{
    if (section.top - section.low <= LOCAL_BITS ||
        sorter->waiting->count + SPLIT_PARTS > MOST_SECTIONS)
        return false;
    index_t ends[SPLIT_PARTS] ALIGNED;
    const uint shift = section.top - SPLIT_BITS;
    split(here, other, section.count, sorter->flip, shift, ends);
    index_t first = 0;
    for (uint d = 0; d < SPLIT_PARTS; d++) {
        if (ends[d] > first)
            wait_for(sorter->waiting, section, first, ends[d], shift, !section.is_moved);
        first = ends[d];
    }
    return true;
}

// Sorts a bucket of items that differ in the bits [low, top) only. `from` is written too.
static inline void sort_bucket(const sorter_t *sorter, const index_t count, const uint low,
                               const uint top, const items_t from, const items_t to)
{
    waiting_t *waiting = sorter->waiting;
    section_t section = {0, count, low, top, false};
    for (waiting->count = 0;;) {
        const items_t place = items_at(to, section.first), left = items_at(from, section.first);
        const items_t here = section.is_moved ? place : left,
                      other = section.is_moved ? left : place;
        const bool is_large = !is_small(sorter, section);
        if (is_large) {
            const span_t span = span_of(here.keys, section.count, sorter->flip, sorter->window);
            section.top = max(low, bits_of(span.least ^ span.most));
        }
        if (!is_large || !split_section(sorter, section, here, other))
            sort_section(sorter, section, here, other, place);
        if (waiting->count == 0)
            return;
        section = waiting->section[--waiting->count];
    }
}
