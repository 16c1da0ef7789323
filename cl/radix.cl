// radix.cl - stable LSD radix sort in plain OpenCL 1.2: histogram, scan, scatter, for each digit
//
// Ha, Krueger and Silva 2009 (see split.cl); Satish, Harris and Garland, "Designing efficient sorting
// algorithms for manycore GPUs", IPDPS 2009, p. 1, section IV; Hwu, Kirk and El Hajj, "Programming massively
// parallel processors", 4th ed., chapter 13. Groups do not wait for each other.
//
//   radix_look       the first digit's histogram, and what the keys look like (control.cl)
//   radix_decide     one group: which passes have a digit that varies, and between which buffers
//   radix_count      the histogram of a later digit
//   radix_scan       a group for each digit: where each chunk's keys of this digit begin among all of them
//   radix_scatter    sorts tile after tile of a chunk by the digit and writes them to their places
//   radix_finish     the copy that is left when the result is not where it was asked for
//
// A group has one chunk of whole tiles; a group of one work-item, as on CPUs, goes through it key by key. The histogram is
// digit-major: table[digit][chunk].
//
// Cost model: a pass reads the keys twice and writes them once: 12 bytes for a u32 key and 8 more for
// a u32 value; all of a u32 sort with 8-bit digits 48 bytes. The table adds 8 << BITS bytes a chunk.
// Measured (H200, 2^28 u32 keys): 17.3 Gkeys/s, 0.20 of that model at the card's 4.27 TB/s of copying: a tile
// waits at the barriers of four splits, most of them in the scans, not for memory.
//
// BITS      of a digit, 1 .. 8
// DIRECT    0: a tile is sorted in local memory first, so that neighbours write to neighbouring places
//           1: keys go from registers straight to their places

#if !defined(GROUP_SIZE) || !defined(ITEMS) || !defined(BITS) || !defined(DIRECT)
#error "radix.cl needs types.cl, keys.cl, control.cl, scan.cl, split.cl, BITS and DIRECT"
#endif

#define RADIX (1u << BITS)
#if GROUP_SIZE > 1
#define COPIES (RADIX >= 256 ? 4u : RADIX >= 128 ? 8u : 16u)
#else
#define COPIES 1u
#endif

enum place { INPUT_PLACE, OUTPUT_PLACE, TEMPORARY_PLACE };

typedef struct {
    uint active; // 0: the digit is constant, the pass does nothing
    uint source; // enum place
    uint target;
} step_t;

typedef struct {
    head_t head;
    uint result; // enum place: where the last pass wrote
    uint unused;
    step_t step[64];
} control_t;

static inline __global key_t *place_of(const uint place, __global const key_t *in,
                                       __global key_t *out, __global key_t *tmp)
{
    return place == INPUT_PLACE ? (__global key_t *)in : place == OUTPUT_PLACE ? out : tmp;
}
#define KEYS_AT(place)                                                                             \
    place_of(place, AT(const key_t, keys), AT(key_t, keys_to), AT(key_t, keys_tmp))

// -- histogram ------------------------------------------------------------------------------------

// Copies of each counter, so that work-items with equal digits meet less often.
static inline void count_key(__local uint *counts, const uint digit)
{
#if GROUP_SIZE > 1
    atomic_inc(&counts[digit * COPIES + (uint)get_local_id(0) % COPIES]);
#else
    counts[digit]++;
#endif
}

static inline void clear_counts(__local uint *counts)
{
    for (uint i = (uint)get_local_id(0); i < RADIX * COPIES; i += GROUP_SIZE)
        counts[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
}

static inline void write_counts(__local const uint *counts, __global index_t *table)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = (uint)get_local_id(0); d < RADIX; d += GROUP_SIZE) {
        index_t sum = 0;
        for (uint i = 0; i < COPIES; i++)
            sum += counts[d * COPIES + i];
        table[d * get_num_groups(0) + get_group_id(0)] = sum;
    }
}

__kernel GROUP void radix_look(INPUT(keys), BUFFER(table), BUFFER(seen), const index_t n,
                               const index_t chunk, const key_t flip, const key_t window,
                               const uint shift, const uint bits)
{
    __local uint counts[RADIX * COPIES];
    __local seen_t all[GROUP_SIZE];
    const uint t = (uint)get_local_id(0), mask = (1u << bits) - 1;
    __global const key_t *in = AT(const key_t, keys);
    const index_t first = min(n, (index_t)get_group_id(0) * chunk),
                  last = first + min(n - first, chunk);
    seen_t mine = seen_nothing();
    clear_counts(counts);
    for (index_t i = first + t; i < last; i += GROUP_SIZE) {
        const key_t key = ordered(in[i], flip);
        mine = seen_both(mine, seen_key(key, ordered(in[min(i + 1, n - 1)], flip), window));
        count_key(counts, (uint)(key >> shift) & mask);
    }
    write_counts(counts, AT(index_t, table));
    mine = group_seen(mine, all);
    if (t == 0)
        AT(seen_t, seen)[get_group_id(0)] = mine;
}

__kernel GROUP void radix_count(BUFFER(control), INPUT(keys), BUFFER(keys_to), BUFFER(keys_tmp),
                                BUFFER(table), const index_t n, const index_t chunk,
                                const key_t flip, const uint pass, const uint shift,
                                const uint bits)
{
    const step_t step = AT(const control_t, control)->step[pass];
    if (!step.active)
        return;
    __local uint counts[RADIX * COPIES];
    __global const key_t *in = KEYS_AT(step.source);
    const index_t first = min(n, (index_t)get_group_id(0) * chunk),
                  last = first + min(n - first, chunk);
    clear_counts(counts);
    for (index_t i = first + get_local_id(0); i < last; i += GROUP_SIZE)
        count_key(counts, digit_of(in[i], flip, shift, (1u << bits) - 1));
    write_counts(counts, AT(index_t, table));
}

// -- what to do -----------------------------------------------------------------------------------

// In place, output and input are the same, so the first pass must write to the temporary place. Out of
// place the input is only read, and the last pass must write to the output.
static inline void plan_steps(__global control_t *c, const uint in_place, const uint begin_bit,
                              const uint end_bit)
{
    uint passes = 0, active = 0;
    for (uint bit = begin_bit; bit < end_bit; bit += BITS, passes++) {
        const ulong digit = (ulong)((1u << min((uint)BITS, end_bit - bit)) - 1) << bit;
        c->step[passes].active = !c->head.identity && (c->head.varying & digit) != 0;
        active += c->step[passes].active;
    }
    uint source = INPUT_PLACE, parity = in_place ? 0 : active % 2;
    for (uint p = 0; p < passes; p++) {
        if (!c->step[p].active)
            continue;
        c->step[p].source = source;
        source = c->step[p].target = parity ? OUTPUT_PLACE : TEMPORARY_PLACE;
        parity = !parity;
    }
    c->result = source;
}

__kernel GROUP void radix_decide(BUFFER(control), BUFFER(seen), const uint chunks,
                                 const key_t window, const uint in_place, const uint begin_bit,
                                 const uint end_bit)
{
    __local seen_t all[GROUP_SIZE];
    const uint t = (uint)get_local_id(0);
    seen_t mine = seen_nothing();
    for (uint i = t; i < chunks; i += GROUP_SIZE)
        mine = seen_both(mine, AT(const seen_t, seen)[i]);
    mine = group_seen(mine, all);
    if (t > 0)
        return;
    __global control_t *c = AT(control_t, control);
    write_head(&c->head, mine, window);
    plan_steps(c, in_place, begin_bit, end_bit);
}

// -- scan -----------------------------------------------------------------------------------------

__kernel GROUP void radix_scan(BUFFER(control), BUFFER(table), BUFFER(totals), const uint chunks,
                               const uint pass)
{
    if (!AT(const control_t, control)->step[pass].active)
        return;
    __local ulong sums[2 * GROUP_SIZE];
    __global index_t *row = AT(index_t, table) + (size_t)get_group_id(0) * chunks;
    ulong sum = 0;
    for (uint first = 0; first < chunks; first += GROUP_SIZE) {
        const uint i = first + (uint)get_local_id(0);
        ulong total;
        const ulong before = group_scan(i < chunks ? row[i] : 0, sums, &total);
        if (i < chunks)
            row[i] = (index_t)(sum + before);
        sum += total;
    }
    if (get_local_id(0) == 0)
        AT(index_t, totals)[get_group_id(0)] = (index_t)sum;
}

// -- scatter --------------------------------------------------------------------------------------

// next[d]: where this chunk's first key of digit d goes.
static inline void first_places(__local index_t *next, __local ulong *sums,
                                __global const index_t *table, __global const index_t *totals)
{
    ulong sum = 0;
    for (uint first = 0; first < RADIX; first += GROUP_SIZE) {
        const uint d = first + (uint)get_local_id(0);
        ulong total;
        const ulong before = group_scan(d < RADIX ? totals[d] : 0, sums, &total);
        if (d < RADIX)
            next[d] = (index_t)(sum + before) + table[d * get_num_groups(0) + get_group_id(0)];
        sum += total;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

__kernel GROUP void radix_scatter(BUFFER(control), INPUT(keys), BUFFER(keys_to), BUFFER(keys_tmp),
                                  VALUE_INPUT(values) VALUE_BUFFER(values_to)
                                      VALUE_BUFFER(values_tmp) BUFFER(table),
                                  BUFFER(totals), const index_t n, const index_t chunk,
                                  const key_t flip, const key_t pad, const uint pass,
                                  const uint shift, const uint bits)
{
    const step_t step = AT(const control_t, control)->step[pass];
    if (!step.active)
        return;
    __local exchange_t x;
    __local index_t next[RADIX]; // where the next key of each digit goes
    const uint mask = (1u << bits) - 1;
    __global const key_t *in = KEYS_AT(step.source);
    __global key_t *out = KEYS_AT(step.target);
#if VALUE_BYTES > 0
    __global value_t *values_out =
        step.target == OUTPUT_PLACE ? AT(value_t, values_to) : AT(value_t, values_tmp);
#if VALUE_INDEX
    __global const value_t *values_in =
        step.source == OUTPUT_PLACE ? AT(value_t, values_to) : AT(value_t, values_tmp);
#define INPUT_VALUE(i) (step.source == INPUT_PLACE ? value_of_index(i) : values_in[i])
#else
    __global const value_t *values_in = step.source == INPUT_PLACE    ? AT(const value_t, values)
                                        : step.source == OUTPUT_PLACE ? AT(value_t, values_to)
                                                                      : AT(value_t, values_tmp);
#define INPUT_VALUE(i) values_in[i]
#endif
#endif
    first_places(next, x.sums, AT(const index_t, table), AT(const index_t, totals));

    const index_t first = min(n, (index_t)get_group_id(0) * chunk),
                  last = first + min(n - first, chunk);
#if GROUP_SIZE == 1
    // A work-item alone comes to its keys in their order: none has to be ranked.
    for (index_t i = first; i < last; i++) {
        const index_t to = next[digit_of(in[i], flip, shift, mask)]++;
        out[to] = in[i];
        VALUES(values_out[to] = INPUT_VALUE(i);)
    }
#else
    __local index_t offset[RADIX]; // next[d], less its place in the sorted tile
    const uint t = (uint)get_local_id(0);
#if DIRECT
    __local uchar digit[TILE];
#define DIGIT_AT(j) digit[j]
#else
#define DIGIT_AT(j) digit_of(x.key[j], flip, shift, mask)
#endif
    for (index_t base = first; base < last; base += TILE) {
        const uint count = (uint)min(last - base, (index_t)TILE);
        tile_t tile;
        uint place[ITEMS];
        load_tile(&tile, &x, in + base, count, pad);
        for (uint round = 0; round < (BITS + 1) / 2; round++) {
            split_places(&tile, &x, flip, shift + 2 * round, (mask >> (2 * round)) & 3, place);
#if DIRECT
            if (round == (BITS - 1) / 2)
                break;
#endif
            put_tile(&tile, &x, place);
            if (round < (BITS - 1) / 2)
                take_tile(&tile, &x);
        }
#if DIRECT
        for (uint i = 0; i < ITEMS; i++)
            digit[place[i]] = (uchar)digit_of(tile.key[i], flip, shift, mask);
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        for (uint j = t; j < count; j += GROUP_SIZE) {
            const uint d = DIGIT_AT(j);
            if (j == 0 || d != DIGIT_AT(j - 1))
                offset[d] = next[d] - j;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
#if DIRECT
        for (uint i = 0; i < ITEMS; i++) {
            if (place[i] >= count)
                continue;
            const index_t to = offset[digit[place[i]]] + place[i];
            out[to] = tile.key[i];
            VALUES(values_out[to] = INPUT_VALUE(base + tile.from[i]);)
        }
#else
        for (uint j = t; j < count; j += GROUP_SIZE) {
            const index_t to = offset[DIGIT_AT(j)] + j;
            out[to] = x.key[j];
            VALUES(values_out[to] = INPUT_VALUE(base + x.from[j]);)
        }
#endif
        for (uint j = t; j < count; j += GROUP_SIZE) {
            const uint d = DIGIT_AT(j);
            if (j + 1 == count || d != DIGIT_AT(j + 1))
                next[d] = offset[d] + j + 1;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#endif
}

// -- the end --------------------------------------------------------------------------------------

__kernel GROUP void radix_finish(BUFFER(control), INPUT(keys), BUFFER(keys_to), BUFFER(keys_tmp),
                                 VALUE_INPUT(values) VALUE_BUFFER(values_to)
                                     VALUE_BUFFER(values_tmp) const index_t n,
                                 const uint in_place)
{
    const uint result = AT(const control_t, control)->result;
    if (result == OUTPUT_PLACE || (result == INPUT_PLACE && in_place))
        return;
    __global const key_t *from = KEYS_AT(result);
    for (index_t i = get_global_id(0); i < n; i += get_global_size(0))
        AT(key_t, keys_to)[i] = from[i];
#if VALUE_BYTES > 0
#if VALUE_INDEX
    // Index values of input in order are not written: head_t.identity stands for them.
    if (result == INPUT_PLACE)
        return;
    __global const value_t *values_from = AT(value_t, values_tmp);
#else
    __global const value_t *values_from =
        result == INPUT_PLACE ? AT(const value_t, values) : AT(value_t, values_tmp);
#endif
    for (index_t i = get_global_id(0); i < n; i += get_global_size(0))
        AT(value_t, values_to)[i] = values_from[i];
#endif
}
