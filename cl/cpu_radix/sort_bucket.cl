// sort_bucket.cl - one work-item sorts a bucket of any size, by way of its slice of scratch, which stays in its L2
//
// A bucket that does not fit the slice is split into sections by bins of its own (bins.cl), until they do. Each is
// sorted in the slice, by packs where there are any, and sent to its place past the cache: items that come one by one
// would each wait for a line of memory.
//
// A bucket is sorted by LSD passes over memory where its slice has no room for a sample (less than 80 to 100 KiB),
// where 4 splits told little, and where too many sections wait.
//
// Cost: a section is read and written once beyond the cache; what was split, read twice and written once more for each
// split.
#ifndef CLSORT_CPU_RADIX_SORT_BUCKET_CL
#define CLSORT_CPU_RADIX_SORT_BUCKET_CL

#include "common/compress.cl"
#include "common/streaming_store.cl"
#include "cpu_radix/bins.cl"
#include "cpu_radix/lsd_sort.cl"
#include "cpu_radix/section.cl"

// Vectors sort packs of a key and its index (pack.cl).
#if defined(COMPRESSES) && KEY_BYTES >= 4 && VALUE_BYTES > 0
#include "cpu_radix/pack.cl"
#endif

#define MAX_SPLIT_BITS 8u
#define MAX_SPLIT_BINS (1u << MAX_SPLIT_BITS)
#define MIN_SPLIT_BITS 3u
#define SPLIT_FINER_BITS 6u // a table beyond L1, but fewer nodes to look up (measured)
#define MAX_SPLIT_SAMPLE 2048u
#define MIN_SPLIT_SAMPLE 512u
#define PARTS_SHARE 8 // of the slice, which the parts of a split are to fill
#define MAX_SPLITS 4  // of a section: then samples tell nothing of it

// What a work-item sorts with.
typedef struct {
    __global uchar *slice;
    ulong slice_bytes;
    key_t flip, window;
    index_t *counters; // COUNTERS of them
    waiting_t *waiting;
} sorter_t;

static inline void stream_items(const elements_t from, const elements_t to, const index_t count)
{
    stream_keys(from.keys, to.keys, count);
    VALUES(stream_units((__global const value_unit_t *)from.values,
                        (__global value_unit_t *)to.values,
                        (size_t)count * (VALUE_BYTES / sizeof(value_unit_t)));)
}

// Of two such arrays the slice has room for so many items.
static inline index_t slice_items(const sorter_t *sorter)
{
    return (index_t)(sorter->slice_bytes / (2 * (KEY_BYTES + VALUE_BYTES)) / VECTOR_LANES *
                     VECTOR_LANES);
}

#if defined(MAX_PACKS)
// They are in the slice behind the items.
static inline bool uses_packs(const sorter_t *sorter, const section_t section)
{
    const index_t count = section.count;
    return section.top - section.low > LOCAL_BITS && count > INSERTION && count <= MAX_PACKS &&
           PACKS_AT(count) + PACKS_ROOM(count) * KEY_BYTES <= sorter->slice_bytes;
}

// False if there is no room for what is left to sort.
static inline bool sort_by_packs(const sorter_t *sorter, const section_t section,
                                 const elements_t from, const elements_t to)
{
    const elements_t sorted = elements_in(sorter->slice, ALIGNED_COUNT(section.count));
    __global key_t *room = (__global key_t *)(sorter->slice + PACKS_AT(section.count));
    const uint waits = sorter->waiting->count;
    if (!pack_sort(from, sorted, section, sorter->flip, sorter->window, room, sorter->waiting)) {
        sorter->waiting->count = waits;
        return false;
    }
    stream_items(sorted, to, section.count);
    return true;
}
#endif

// Whether it is sorted without a split.
static inline bool is_small(const sorter_t *sorter, const section_t section)
{
#if defined(MAX_PACKS)
    if (uses_packs(sorter, section))
        return true;
#else
    if (section.count <= slice_items(sorter))
        return true;
#endif
    return section.count <= INSERTION || section.top - section.low <= LOCAL_BITS;
}

// `other` is the section's place that it is not in.
static inline void sort_section(const sorter_t *sorter, const section_t section,
                                const elements_t from, const elements_t other, const elements_t to)
{
    const index_t count = section.count, room = slice_items(sorter);
    const elements_t slice = elements_in(sorter->slice, 2 * (uint)room),
                     sorted = elements_at(slice, room);
    if (section.top == section.low) {
        if (from.keys != to.keys)
            stream_items(from, to, count);
        return;
    }
#if defined(MAX_PACKS)
    if (uses_packs(sorter, section) && sort_by_packs(sorter, section, from, to))
        return;
#endif
    if (count <= room) {
        bucket_sort(from, slice, sorted, sorted, count, sorter->flip, sorter->window, section.low,
                    section.top, sorter->counters);
        stream_items(sorted, to, count);
    } else {
        bucket_sort(from, other, from, to, count, sorter->flip, sorter->window, section.low,
                    section.top, sorter->counters);
    }
}

// What a split keeps in the slice, before its sample.
typedef struct {
    bin_t bins[MAX_SPLIT_BINS];
    uchar nodes[MAX_NODES_BYTES(MAX_SPLIT_BITS + SPLIT_FINER_BITS)];
} split_t;

// As many as there is room for.
static inline uint split_samples(const sorter_t *sorter)
{
    const ulong room = max(sorter->slice_bytes, (ulong)sizeof(split_t)) - sizeof(split_t);
    return (uint)min(room / SAMPLE_ROOM(SAMPLES_ALIGNED) * SAMPLES_ALIGNED,
                     (ulong)MAX_SPLIT_SAMPLE);
}

// The bins of 16 keys at a time are kept where there is room, so that they are looked up once.
static inline void count_parts(__global const key_t *keys, const index_t count,
                               const finder_t finder, index_t *restrict counts,
                               __global uchar *restrict kept)
{
    uint bins[VECTOR_LANES];
    index_t i = 0;
    for (; i + VECTOR_LANES <= count; i += VECTOR_LANES) {
        bins_of(finder, vload16(0, keys + i), bins);
        if (kept)
            vstore16(convert_uchar16(vload16(0, bins)), 0, kept + i);
#pragma unroll
        for (uint j = 0; j < VECTOR_LANES; j++)
            counts[bins[j]]++;
    }
    for (; i < count; i++)
        counts[bin_of(finder, keys[i])]++;
}

static inline void move_items(const elements_t from, const elements_t to, const index_t count,
                              const finder_t finder, index_t *restrict places,
                              __global const uchar *restrict kept)
{
    uint bins[VECTOR_LANES];
    index_t i = 0;
    for (; i + VECTOR_LANES <= count; i += VECTOR_LANES) {
        if (kept)
            vstore16(convert_uint16(vload16(0, kept + i)), 0, bins);
        else
            bins_of(finder, vload16(0, from.keys + i), bins);
#pragma unroll
        for (uint j = 0; j < VECTOR_LANES; j++) {
            const index_t place = places[bins[j]]++;
            to.keys[place] = from.keys[i + j];
            VALUES(to.values[place] = from.values[i + j];)
        }
    }
    for (; i < count; i++) {
        const index_t place = places[bin_of(finder, from.keys[i])]++;
        to.keys[place] = from.keys[i];
        VALUES(to.values[place] = from.values[i];)
    }
}

// Of an even part of a split.
static inline ulong part_items(const sorter_t *sorter)
{
    const ulong fits = sorter->slice_bytes / (KEY_BYTES + VALUE_BYTES) / PARTS_SHARE;
#if defined(MAX_PACKS)
    return min(fits, (ulong)MAX_PACKS / 2);
#else
    return fits;
#endif
}

// The parts of a section wait. False if there may be no room for them to, or the slice has too little for a sample.
static inline bool split_section(const sorter_t *sorter, const section_t section,
                                 const elements_t here, const elements_t other)
{
    const uint samples = split_samples(sorter);
    if (section.splits == MAX_SPLITS || samples < MIN_SPLIT_SAMPLE ||
        sorter->waiting->count + MAX_SPLIT_BINS > MAX_SECTIONS)
        return false;
    const ulong part = part_items(sorter);
    const uint bits = clamp(bits_of(section.count / part), MIN_SPLIT_BITS, MAX_SPLIT_BITS);
    const uint hot = max((uint)(samples * part / section.count), 4 * (samples >> bits));
    __global split_t *split = (__global split_t *)sorter->slice;
    const finder_t finder = find_bins(
        here.keys, section.count, measure_of(samples, bits, SPLIT_FINER_BITS, hot), section.low,
        section.top, sorter->flip, sorter->window, (__global uchar *)(split + 1), sorter->counters,
        (__global nodes_t *)split->nodes, split->bins);
    index_t places[MAX_SPLIT_BINS] ALIGNED;
    for (uint bin = 0; bin < 1u << bits; bin++)
        places[bin] = 0;
    const bool keeps = sizeof(split_t) + section.count <= sorter->slice_bytes;
    __global uchar *kept = keeps ? (__global uchar *)(split + 1) : 0;
    count_parts(here.keys, section.count, finder, places, kept);
    scan_counters(places, bits);
    move_items(here, other, section.count, finder, places, kept);
    index_t first = 0;
    for (uint bin = 0; bin < finder.tree.bins; bin++) {
        const uint varying = bits_of(split->bins[bin].low ^ split->bins[bin].high);
        const section_t part = {section.first + first, places[bin] - first,
                                section.low,           max(section.low, min(section.top, varying)),
                                section.splits + 1,    !section.is_moved};
        if (part.count > 0)
            wait_for(sorter->waiting, part);
        first = places[bin];
    }
    return true;
}

// Sorts a bucket of items that differ in the bits [low, top) only. `from` is written too.
static inline void sort_bucket(const sorter_t *sorter, const index_t count, const uint low,
                               const uint top, const elements_t from, const elements_t to)
{
    waiting_t *waiting = sorter->waiting;
    section_t section = {0, count, low, top, 0, false};
    for (waiting->count = 0;;) {
        const elements_t place = elements_at(to, section.first),
                         left = elements_at(from, section.first);
        const elements_t here = section.is_moved ? place : left,
                         other = section.is_moved ? left : place;
        if (is_small(sorter, section) || !split_section(sorter, section, here, other))
            sort_section(sorter, section, here, other, place);
        if (waiting->count == 0)
            return;
        section = waiting->section[--waiting->count];
    }
}

#endif
