// pack.cl - a bucket's items by packs: the highest bits that differ and the item's place in one number as wide as a
// key, which vectors sort (quick.cl); then items follow their places. Stable, since places are different and in order.
// Items that differ in lower bits only are sorted among themselves next, by insertion or by packs of these bits.
//
// Cost: a read of the keys, the quicksort of a number for each item, and a read of each item from its place within the
// cache.
#ifndef CLSORT_CPU_RADIX_PACK_CL
#define CLSORT_CPU_RADIX_PACK_CL

#include "common/elements.cl"
#include "common/keys.cl"
#include "common/vector_quicksort.cl"
#include "cpu_radix/lsd_sort.cl"
#include "cpu_radix/section.cl"

#define PACKS_ROOM(count) (ROOM_OF(count) + (count)) // that pack_sort needs, in packs
#define ALIGNED_COUNT(count) ((uint)((count) + VECTOR_LANES - 1) / VECTOR_LANES * VECTOR_LANES)
#define PACKS_AT(count)                                                                            \
    ((ulong)ALIGNED_COUNT(count) * (KEY_BYTES + VALUE_BYTES)) // behind so many items
#define MAX_PACKS (1u << 15) // so that packs tell nearly all keys apart

// Of ordered keys. Bins need not begin where a digit does: the difference of these may have fewer bits than those that
// vary.
typedef struct {
    key_t least, most;
} span_t;

static inline span_t span_of(__global const key_t *keys, const uint count, const key_t flip,
                             const key_t window)
{
    key_vector_t least = LARGEST_KEY, most = 0;
    span_t span = {LARGEST_KEY, 0};
    uint i = 0;
    for (; i + VECTOR_LANES <= count; i += VECTOR_LANES) {
        const key_vector_t numbers = ordered_vector(vload16(0, keys + i), flip) & window;
        least = min(least, numbers);
        most = max(most, numbers);
    }
    for (; i < count; i++) {
        const key_t number = ordered(keys[i], flip) & window;
        span.least = min(span.least, number);
        span.most = max(span.most, number);
    }
    key_t lanes[2][VECTOR_LANES];
    vstore16(least, 0, lanes[0]);
    vstore16(most, 0, lanes[1]);
    for (uint lane = 0; lane < VECTOR_LANES; lane++) {
        span.least = min(span.least, lanes[0][lane]);
        span.most = max(span.most, lanes[1][lane]);
    }
    return span;
}

// What packs are made of: the bits of ordered keys from `shift` on, less those of the least one, and so many bits of
// place.
typedef struct {
    key_t flip, window, least;
    uint shift, place_bits;
} packing_t;

// The bits of a key that are in its pack.
static inline key_t bits_in_pack(const packing_t packing, const key_t key)
{
    return ((ordered(key, packing.flip) & packing.window) - packing.least) >> packing.shift;
}

// Makes packs, and fetches the values into the cache: they are read in no order.
static inline void make_packs(const elements_t items, const uint count, const packing_t packing,
                              __global key_t *packs)
{
    const key_vector_t lanes = (key_vector_t)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const key_t shift = packing.shift, place_bits = packing.place_bits;
    uint i = 0;
    for (; i + VECTOR_LANES <= count; i += VECTOR_LANES) {
        const key_vector_t numbers =
            ordered_vector(vload16(0, items.keys + i), packing.flip) & packing.window;
        const key_vector_t bits = (numbers - packing.least) >> shift;
        vstore16(bits << place_bits | (lanes + (key_t)i), 0, packs + i);
        for (uint j = 0; j < VECTOR_LANES * VALUE_BYTES; j += 64)
            __builtin_prefetch((__global const uchar *)(items.values + i) + j);
    }
    for (; i < count; i++)
        packs[i] = bits_in_pack(packing, items.keys[i]) << place_bits | i;
}

static inline void follow(const elements_t from, const elements_t to, const uint i,
                          const key_t pack, const packing_t packing)
{
    const uint place = (uint)pack & ((1u << packing.place_bits) - 1);
    to.keys[i] = from.keys[place];
    to.values[i] = from.values[place];
}

// Items follow their packs. Those with the same bits are put in order by insertion; where that is much, all of these
// wait to be sorted by themselves. False if there is no room for them to.
static inline bool follow_packs(const elements_t from, const elements_t to, const section_t section,
                                const packing_t packing, __global const key_t *packs,
                                waiting_t *waiting)
{
    const uint count = (uint)section.count;
    key_t last = 0;
    for (uint i = 0; i < count; i++) {
        follow(from, to, i, packs[i], packing);
        const key_t rank = ordered(to.keys[i], packing.flip) & packing.window;
        if (rank >= last) {
            last = rank;
            continue;
        }
        if (insert_item(to, i, packing.flip, packing.window, INSERTION) < INSERTION)
            continue;
        const key_t bits = packs[i] >> packing.place_bits;
        uint first = i;
        while (first > 0 && packs[first - 1] >> packing.place_bits == bits)
            first--;
        for (; i + 1 < count && packs[i + 1] >> packing.place_bits == bits; i++)
            follow(from, to, i + 1, packs[i + 1], packing);
        const section_t run = {section.first + first, i + 1 - first,  section.low,
                               section.top,           section.splits, true};
        if (!wait_for(waiting, run))
            return false;
    }
    return true;
}

// Sorts a section, all but runs that wait then. False if there is no room for them to: `from` is as it was.
static inline bool pack_sort(const elements_t from, const elements_t to, const section_t section,
                             const key_t flip, const key_t window, __global key_t *room,
                             waiting_t *waiting)
{
    const uint count = (uint)section.count;
    const span_t span = span_of(from.keys, count, flip, window);
    const uint place_bits = bits_of(count - 1), left = KEY_BITS - place_bits;
    const uint shift = max(section.low, max(bits_of(span.most - span.least), left) - left);
    const packing_t packing = {flip, window, span.least, shift, place_bits};
    __global key_t *packs = room + ROOM_OF(count);
    make_packs(from, count, packing, room);
    sort_room(room, count, 0, LARGEST_KEY, packs, 0);
    return follow_packs(from, to, section, packing, packs, waiting);
}

#endif
