// onesweep.cl - stable LSD radix sort that reads and writes once for each digit
//
// Adinets and Merrill, "Onesweep: a faster least significant digit radix sort for GPUs", arXiv:2206.01784, 2022;
// Merrill and Garland, "Single-pass parallel prefix scan with decoupled look-back", NVIDIA technical report
// NVR-2016-002. A tile learns where its keys go from the tiles before it, which run at the same time.
//
//   onesweep_look      the histograms of all digits, and what the keys look like (control.cl); clears the table
//   onesweep_decide    a group for each digit: where its values start; the first one: which passes there are
//   onesweep_pass      a group for each tile: sorts it by the digit and writes it to its places
//   onesweep_clear     clears the table, once all epochs are used up
//   passes_finish      the copy that is left (passes.cl)
//
// A launch of onesweep_pass has a section of the input: as many tiles as the table has rows for. A row is a word for
// each value of the digit: nothing yet; the tile's own count; or the sum of all in the section up to its end. A tile
// adds the counts before it until it comes to a sum, and tells its own. Words carry the epoch of their launch, so
// that those of launches before need not be cleared. A section's last tile leaves where the next one's keys go.
//
// Nothing is taken for granted of which groups run, or when. Tiles go to groups as those begin, so that the tiles
// before one have begun; and a word that is not told in LOOKS looks is worked out from the tile's keys.
//
// Cost model: the histograms read each key, and a pass reads and writes each element, once: 36 bytes for all of a u32
// sort. A tile's row is written twice and read about as often, 4 << BITS bytes each time.
//
// BITS             of a digit, 1 .. 8
// COPIES           of each counter of the histograms
// LOOKS            at a word that is not told, before it is worked out
#ifndef CLSORT_ONESWEEP_ONESWEEP_CL
#define CLSORT_ONESWEEP_ONESWEEP_CL

#define RANK_STABLE 1

#include "common/exchange.cl"
#include "common/lsd_passes.cl"
#include "common/rank.cl"
#include "common/scan.cl"

#define MAX_PASSES ((KEY_BITS + BITS - 1) / BITS)

// -- histograms -----------------------------------------------------------------------------------

#define COUNTERS (MAX_PASSES * RADIX)
#define BATCH 8u // keys of a work-item that are read together

static inline void count_digits(__local uint *counts, const key_t key, const uint begin_bit,
                                const uint passes)
{
#pragma unroll
    for (uint pass = 0; pass < MAX_PASSES; pass++)
        if (pass < passes)
            count_up(counts,
                     pass * RADIX + ((uint)(key >> (begin_bit + pass * BITS)) & (RADIX - 1)),
                     COPIES);
}

static inline void clear_words(__global uint *words, const ulong count)
{
    for (ulong i = get_global_id(0); i < count; i += get_global_size(0))
        words[i] = 0;
}

__kernel SUB_GROUP_KERNEL void onesweep_clear(BUFFER(table), const ulong words)
{
    clear_words(AT(uint, table), words);
}

// Each group has a chunk of keys, and writes a row of counters.
__kernel SUB_GROUP_KERNEL void onesweep_look(INPUT(keys), BUFFER(rows), BUFFER(seen), BUFFER(table),
                                             const index_t n, const index_t chunk, const key_t flip,
                                             const key_t window, const uint begin_bit,
                                             const uint passes, const ulong words)
{
    __local uint counts[COUNTERS * COPIES];
    __local cls_key_summary all[GROUP_SIZE];
    const uint t = (uint)get_local_id(0);
    __global const key_t *in = AT(const key_t, keys);
    const index_t first = min(n, (index_t)get_group_id(0) * chunk),
                  last = first + min(n - first, chunk);
    cls_key_summary mine = summary_of_nothing();
    clear_words(AT(uint, table), words);
    clear_counts(counts, COUNTERS, COPIES);
    for (index_t i = first + t; i < last; i += BATCH * GROUP_SIZE) {
        key_t key[BATCH], next[BATCH];
#pragma unroll
        for (uint j = 0; j < BATCH; j++) {
            const index_t at = i + j * GROUP_SIZE;
            key[j] = in[min(at, n - 1)];
            next[j] = in[min(at + 1, n - 1)];
        }
#pragma unroll
        for (uint j = 0; j < BATCH; j++) {
            const key_t number = ordered(key[j], flip);
            if (i + j * GROUP_SIZE >= last)
                continue;
            mine = merge_summaries(mine, summary_of_key(number, ordered(next[j], flip), window));
            count_digits(counts, number & window, begin_bit, passes);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    __global uint *row = AT(uint, rows) + (size_t)get_group_id(0) * passes * RADIX;
    for (uint i = t; i < passes * RADIX; i += GROUP_SIZE)
        row[i] = count_of(counts, i, COPIES);
    mine = group_key_summary(mine, all);
    if (t == 0)
        AT(cls_key_summary, seen)[get_group_id(0)] = mine;
}

// -- what to do -----------------------------------------------------------------------------------

// All rows' counters of one digit's value.
static inline index_t sum_rows(__global const uint *rows, const uint chunks, const uint columns)
{
    index_t sum = 0;
#pragma unroll 16
    for (uint i = 0; i < chunks; i++)
        sum += rows[(size_t)i * columns];
    return sum;
}

__kernel SUB_GROUP_KERNEL void onesweep_decide(BUFFER(control), BUFFER(rows), BUFFER(seen),
                                               BUFFER(starts), const uint chunks,
                                               const key_t window, const uint in_place,
                                               const uint begin_bit, const uint end_bit,
                                               const uint passes)
{
    __local cls_key_summary all[GROUP_SIZE];
    __local ulong sums[2 * GROUP_SIZE];
    const uint pass = (uint)get_group_id(0), rows_here = pass < passes ? chunks : 0;
    ulong sum = 0;
    // No barrier is for some groups only: PoCL would take work-item 0's way from an `if` behind it for all.
    for (uint first = 0; first < RADIX; first += GROUP_SIZE) {
        const uint d = first + (uint)get_local_id(0);
        __global const uint *column = AT(const uint, rows) + pass * RADIX + d;
        ulong total;
        const ulong before = group_exclusive_scan(
            d < RADIX ? sum_rows(column, rows_here, passes * RADIX) : 0, sums, &total);
        if (d < RADIX && pass < passes)
            AT(index_t, starts)[pass * RADIX + d] = (index_t)(sum + before);
        sum += total;
    }
    decide_steps(AT(cls_lsd_control, control), AT(const cls_key_summary, seen), chunks, all, window,
                 in_place, begin_bit, end_bit);
}

// -- the words of a section -----------------------------------------------------------------------

// A word is kept as its complement, so that 0 is nothing. Sections have less than 2^28 - 1 elements.
#define COUNT_BITS 28u
#define COUNT_MASK ((1u << COUNT_BITS) - 1)
#define SUM_BIT (1u << COUNT_BITS)
#define EPOCH_SHIFT (COUNT_BITS + 1)
#define EPOCHS (1u << (32 - EPOCH_SHIFT))

// 0: tiles are the groups' own, where those begin in order. Otherwise they are taken as groups begin.
#define TICKETS (SUB_GROUP_BACKEND != 3)

static inline void tell(__global volatile uint *words, const uint launch, const uint tile,
                        const uint digit, const uint count)
{
    const uint word = launch % EPOCHS << EPOCH_SHIFT | count;
    publish_word(words + tile * RADIX + digit, ~word);
}

static inline bool is_told(const uint word, const uint launch)
{
    return word >> EPOCH_SHIFT == launch % EPOCHS && word != ~0u;
}

// The keys of a whole tile with this digit.
static inline uint count_tile(__global const key_t *in, const key_t flip, const uint shift,
                              const uint mask, const uint digit)
{
#if TILE % 16 == 0
    uint16 count = 0;
    for (uint i = 0; i < TILE / 16; i++) {
        const uint16 differ = digits_of(vload16(i, in), flip, shift, mask) ^ digit;
        count += (differ - 1) >> 31; // digits are small: only 0 - 1 has the highest bit
    }
    const uint8 eight = count.lo + count.hi;
    const uint4 four = eight.lo + eight.hi;
    return four.x + four.y + four.z + four.w;
#else
    uint count = 0;
    for (uint i = 0; i < TILE; i++)
        count += digit_of(in[i], flip, shift, mask) == digit;
    return count;
#endif
}

// The elements of the section with this digit that lie in tiles before this one.
static inline uint count_before(__global volatile uint *words, const uint launch, const uint tile,
                                const uint digit, __global const key_t *in, const key_t flip,
                                const uint shift, const uint mask)
{
    uint sum = 0;
    for (uint p = tile; p-- > 0;) {
        uint word = ~read_published_word(words + p * RADIX + digit);
        for (uint looks = 1; looks < LOOKS && !is_told(word, launch); looks++)
            word = ~read_published_word(words + p * RADIX + digit);
        if (!is_told(word, launch)) {
            sum += count_tile(in + (size_t)p * TILE, flip, shift, mask, digit);
            continue;
        }
        sum += word & COUNT_MASK;
        if (word & SUM_BIT)
            break;
    }
    return sum;
}

// -- a pass ---------------------------------------------------------------------------------------

typedef union {
    ranks_t ranks;
    exchange_t exchange;
} room_t;

// `first`: of the section. Where its keys of each digit go is in the given row of `starts`, and where the next one's
// go in the row `next`.
__kernel SUB_GROUP_KERNEL void
onesweep_pass(BUFFER(control), INPUT(keys), BUFFER(keys_to), BUFFER(keys_tmp),
              VALUE_INPUT(values) VALUE_BUFFER(values_to) VALUE_BUFFER(values_tmp) BUFFER(table),
              BUFFER(starts), const index_t n, const index_t first, const key_t flip,
              const key_t pad, const uint pass, const uint shift, const uint bits,
              const uint launch, const uint launches, const uint row, const uint next)
{
    const cls_lsd_step step = AT(const cls_lsd_control, control)->step[pass];
    if (!step.active)
        return;
    __local room_t room;
    __local index_t to[RADIX]; // where a digit's first key goes, less its place in the tile
#if TICKETS
    __local uint ticket[1];
#endif
    const uint t = (uint)get_local_id(0), mask = (1u << bits) - 1;
    __global const key_t *in = KEYS_OF(step.source) + first;
    __global key_t *out = KEYS_OF(step.target);
    __global volatile uint *words = AT(uint, table) + launches;
    rank_clear(&room.ranks);
#if TICKETS
    if (t == 0)
        ticket[0] = atomic_inc(AT(uint, table) + launch);
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint tile = ticket[0];
#else
    const uint tile = (uint)get_group_id(0);
#endif
    const index_t base = (index_t)tile * TILE;
    const uint count = (uint)min(n - first - base, (index_t)TILE), mine = tile_index(0);

    // Keys that pad the last tile come last in it.
    key_t key[ITEMS];
    uint place[ITEMS], total[DIGITS], start[DIGITS];
    __global const key_t *from_here = in + base + mine;
#pragma unroll
    for (uint i = 0; i < ITEMS; i++)
        key[i] = mine + i * SUB_GROUP_SIZE < count ? from_here[i * SUB_GROUP_SIZE] : pad;
#pragma unroll
    for (uint i = 0; i < ITEMS; i++)
        place[i] = rank_item(&room.ranks, digit_of(key[i], flip, shift, mask));
    rank_digit_totals(&room.ranks, total);
    for (uint i = 0; i < DIGITS; i++) {
        const uint d = t * DIGITS + i, own = total[i] - (d == mask ? TILE - count : 0);
        if (d < RADIX)
            tell(words, launch, tile, d, (tile == 0 ? SUM_BIT : 0) | own);
    }
    rank_starts(&room.ranks, total);
    for (uint i = 0; i < DIGITS; i++)
        start[i] = room.ranks.start[min(t * DIGITS + i, RADIX)];
#pragma unroll
    for (uint i = 0; i < ITEMS; i++)
        place[i] = rank_in_tile(&room.ranks, digit_of(key[i], flip, shift, mask), place[i]);
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint i = 0; i < ITEMS; i++)
        room.exchange.key[place[i]] = key[i];

#pragma unroll 1
    for (uint i = 0; i < DIGITS; i++) { // mostly one; compilers are slow with more of it
        const uint d = t * DIGITS + i, own = total[i] - (d == mask ? TILE - count : 0);
        if (d >= RADIX)
            break;
        const index_t section_start = AT(const index_t, starts)[row * RADIX + d];
        const uint before = count_before(words, launch, tile, d, in, flip, shift, mask);
        const index_t from = section_start + before;
        if (tile > 0)
            tell(words, launch, tile, d, SUM_BIT | (before + own));
        if (tile == get_num_groups(0) - 1)
            AT(index_t, starts)[next * RADIX + d] = from + own;
        to[d] = from - start[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    VALUES(value_t value[ITEMS];)
    VALUES(load_values(value, count, VALUES_FROM(step.source), step.source, first + base);)
    write_keys(&room.exchange, place, to, count, out, flip, shift, mask);
    VALUES(exchange_values(&room.exchange, place, value);)
    VALUES(write_values(&room.exchange, place, value, to, count, VALUES_TO(step.target), flip,
                        shift, mask);)
}

#endif
