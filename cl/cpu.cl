// cpu.cl - stable radix sort for CPUs: one partition by the top bits, then each bucket inside the cache
//
// One work-item is a whole core's worker: no barriers, and private memory is a core's cache.
//
//   cpu_count     a chunk per group: digit counts, and what the keys look like (control.cl)
//   cpu_decide    one work-item: picks the partition digit from the highest bits that vary, scans counts
//   cpu_recount   counts again where the first guess at the digit was wrong
//   cpu_rescan    one work-item: scans that, and finds the hot buckets
//   cpu_scatter   moves keys to their buckets through one write-combining line a bucket
//   cpu_buckets   sorts bucket after bucket in a slice of scratch that stays in L2 (quick.cl, bucket.cl)
//   cpu_single    small inputs: all of it by one work-item in one launch
//
// A hot bucket, too large for one core's cache and for its share of the work, is a segment of the next level, where
// all cores partition it by its next digit; of the first level, the whole input is the only segment. Where
// there is none, later levels have nothing to do.
//
// Write combining: Satish et al., "Fast sort on CPUs and GPUs", SIGMOD 2010, pp. 351-362, section 3.2; Wassenberg and
// Sanders, "Engineering a multi-core radix sort", Euro-Par 2011, pp. 160-169, section 3.
//
// Cost model: count reads n keys, scatter reads and writes them, buckets read and write them once beyond the cache, with
// stores that need not read their line first: 5 accesses, 20 bytes for a u32 key.
// Measured (PoCL 3.1, 2 cores of a Xeon with AVX-512, 2^24 u32 keys): 200 Mkeys/s, 0.3 of that model at the 13 GB/s that
// two threads copy; (PoCL 5.0, 16 cores): 1470 Mkeys/s.
//
// PARTITION_BITS    most bits of the partition digit (the lines of all buckets must fit in L2)
// MOST_SEGMENTS     of a level

#if !defined(PARTITION_BITS) || !defined(MOST_SEGMENTS) || !defined(LOCAL_BITS)
#error                                                                                             \
    "cpu.cl needs types.cl, keys.cl, head.cl, control.cl, items.cl, quick.cl, bucket.cl, stream.cl, PARTITION_BITS, MOST_SEGMENTS and LOCAL_BITS"
#endif

#define SINGLE __attribute__((reqd_work_group_size(1, 1, 1)))
#define ALIGNED __attribute__((aligned(64)))
#define LINE (64 / KEY_BYTES) // keys in a cache line

typedef struct {
    head_t head;
    uint segments[2]; // of even levels, and of odd ones
    uint next_bucket;
    uint next_chunk;
} control_t;

// What is partitioned by one digit.
typedef struct {
    ulong first, count; // its items
    uint chunk, chunks; // the first of its chunks among those of its level, and how many there are
    uint bucket;        // likewise the first of its buckets
    uint low;           // the lowest bit that varies
    uint shift, bits;   // the digit; of no bits where all is in order
    uint recount;       // 1: the digit is not the one that cpu_count counted
    uint counted;       // 1: keys alone that differ in it only are not moved, but written anew
    ulong same;         // ... with these other bits
} segment_t;

// The segments of a level; they take turns with those of the next.
#define SEGMENTS_OF(level) (AT(segment_t, segments) + ((level)&1) * MOST_SEGMENTS)

// The one that this group has a chunk of; NULL when there is none.
static inline __global segment_t *segment_of_group(__global segment_t *segment, const uint count)
{
    for (uint i = 0; i < count; i++)
        if (get_group_id(0) - segment[i].chunk < segment[i].chunks)
            return &segment[i];
    return 0;
}

// The group's chunk.
typedef struct {
    index_t first, last;
    index_t end; // of the segment
    uint number; // within the segment
} chunk_t;

static inline chunk_t chunk_of(const segment_t segment, const index_t chunk)
{
    chunk_t mine;
    mine.number = (uint)get_group_id(0) - segment.chunk;
    mine.end = (index_t)(segment.first + segment.count);
    mine.first = min(mine.end, (index_t)segment.first + mine.number * chunk);
    mine.last = mine.first + min(mine.end - mine.first, chunk);
    return mine;
}

// Counts of a segment's digits, those of its chunks next to each other.
#define TABLE_OF(segment) (AT(index_t, table) + ((size_t)(segment).chunk << PARTITION_BITS))

// Copies input that is in order already. Index values are not written: head_t.identity stands for them.
static inline void copy_input(const items_t from, const items_t to, const index_t count)
{
    if (from.keys == to.keys)
        return;
#if VALUE_INDEX
    for (index_t i = 0; i < count; i++)
        to.keys[i] = from.keys[i];
#else
    copy_items(from, to, count);
#endif
}

// -- looking at the keys --------------------------------------------------------------------------

// What the keys [first, last) of n look like, and whether each is in order with the next one.
static inline seen_t look(__global const key_t *restrict keys, index_t first, const index_t last,
                          const index_t n, const key_t flip, const key_t window)
{
    keys_t any = 0, all = LARGEST, descents = 0;
    for (; first + LANES < last; first += LANES) {
        const keys_t x = ordered_lanes(vload16(0, keys + first), flip),
                     next = ordered_lanes(vload16(0, keys + first + 1), flip) & window;
        any |= x;
        all &= x;
        descents |= max(x & window, next) ^ next;
    }
    seen_t seen = seen_nothing();
    for (; first < last; first++) {
        const key_t key = ordered(keys[first], flip);
        const key_t next = first + 1 < n ? ordered(keys[first + 1], flip) : LARGEST;
        seen = seen_both(seen, seen_key(key, next, window));
    }
    key_t lanes[3][LANES];
    vstore16(any, 0, lanes[0]);
    vstore16(all, 0, lanes[1]);
    vstore16(descents, 0, lanes[2]);
    for (uint lane = 0; lane < LANES; lane++) {
        const seen_t more = {lanes[0][lane], lanes[1][lane], lanes[2][lane] == 0};
        seen = seen_both(seen, more);
    }
    return seen;
}

// Of a chunk. Where digits are short, several tables of counters share them, so that equal digits do not wait for each
// other's store.
#define ALL_COUNTERS (2u << PARTITION_BITS)

static inline uint ways_of(const uint bits)
{
    return min((uint)LANES, ALL_COUNTERS >> bits);
}

static inline void count_digits(__global const key_t *restrict keys, const index_t first,
                                const index_t last, const key_t flip, const uint shift,
                                const uint bits, index_t *restrict counts)
{
    // Digits of several keys at a time, by vectors; counters only one by one.
    const uint mask = (1u << bits) - 1;
    const uint16 lanes = (uint16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const uint16 ways = (lanes & (ways_of(bits) - 1)) << bits;
    uint digits[LANES];
    index_t i = first;
    for (; i + LANES <= last; i += LANES) {
        vstore16(digits_of(vload16(0, keys + i), flip, shift, mask) + ways, 0, digits);
#pragma unroll
        for (uint j = 0; j < LANES; j++)
            counts[digits[j]]++;
    }
    for (; i < last; i++)
        counts[digit_of(keys[i], flip, shift, mask)]++;
}

static inline void clear_counts(index_t *restrict counts)
{
    for (uint i = 0; i < ALL_COUNTERS; i++)
        counts[i] = 0;
}

static inline index_t count_of(const index_t *restrict counts, const uint bits, const uint d)
{
    index_t sum = 0;
    for (uint way = 0; way < ways_of(bits); way++)
        sum += counts[(way << bits) + d];
    return sum;
}

static inline void write_counts(__global index_t *restrict table, const segment_t segment,
                                const index_t *restrict counts)
{
    for (uint d = 0; d < 1u << segment.bits; d++)
        table[d * segment.chunks + get_group_id(0) - segment.chunk] =
            count_of(counts, segment.bits, d);
}

__kernel SINGLE void cpu_count(BUFFER(control), BUFFER(segments), INPUT(keys), BUFFER(table),
                               BUFFER(seen), const index_t n, const index_t chunk, const key_t flip,
                               const key_t window, const uint level, const uint shift,
                               const uint bits)
{
    segment_t segment = {0, n, 0, (uint)get_num_groups(0), 0, 0, shift, bits, 0, 0, 0};
    if (level > 0) {
        __global const segment_t *mine =
            segment_of_group(SEGMENTS_OF(level), AT(const control_t, control)->segments[level & 1]);
        if (!mine)
            return;
        segment = *mine;
    } else if (get_group_id(0) == 0) {
        SEGMENTS_OF(0)[0] = segment;
    }
    index_t counts[ALL_COUNTERS] ALIGNED;
    clear_counts(counts);
    const chunk_t mine = chunk_of(segment, chunk);
    seen_t all = seen_nothing();
    for (index_t i = mine.first; i < mine.last;) {
        const index_t end = i + min(mine.last - i, (index_t)(8192 / KEY_BYTES));
        all = seen_both(all, look(AT(const key_t, keys), i, end, mine.end, flip, window));
        count_digits(AT(const key_t, keys), i, end, flip, segment.shift, segment.bits, counts);
        i = end;
    }
    write_counts(TABLE_OF(segment), segment, counts);
    AT(seen_t, seen)[get_group_id(0)] = all;
}

// From counts to the places where the digits of the chunks begin.
static inline void scan(__global index_t *table, const segment_t segment)
{
    index_t sum = (index_t)segment.first;
    for (size_t i = 0; i < (size_t)segment.chunks << segment.bits; i++) {
        const index_t v = table[i];
        table[i] = sum;
        sum += v;
    }
}

// The digit of the highest bits that vary.
static inline void pick_digit(__global segment_t *segment, const seen_t seen, const key_t window)
{
    const ulong varying = (seen.any ^ seen.all) & window;
    const uint guess = segment->shift, bits = segment->bits;
    segment->recount = 0;
    segment->bits = 0;
    if (seen.ordered)
        return;
    const uint top = 64 - (uint)clz(varying);
    segment->low = 63 - (uint)clz(varying & -varying);
    // What fits in one digit needs no second step.
    segment->bits = top - segment->low <= PARTITION_BITS ? top - segment->low : bits;
    segment->shift = top - segment->bits;
    segment->recount = segment->shift != guess || segment->bits != bits;
    segment->same = seen.all & ~varying;
#if VALUE_BYTES == 0 && KEY_ORDER <= 1
    segment->counted = window == LARGEST && segment->shift == segment->low;
#endif
}

__kernel SINGLE void cpu_decide(BUFFER(control), BUFFER(segments), BUFFER(table), BUFFER(seen),
                                const key_t window, const uint level)
{
    __global control_t *c = AT(control_t, control);
    if (level == 0)
        c->segments[0] = 1;
    c->segments[(level + 1) & 1] = 0;
    c->next_bucket = c->next_chunk = 0;
    for (uint i = 0; i < c->segments[level & 1]; i++) {
        __global segment_t *segment = SEGMENTS_OF(level) + i;
        seen_t all = seen_nothing();
        for (uint j = 0; j < segment->chunks; j++)
            all = seen_both(all, AT(seen_t, seen)[segment->chunk + j]);
        if (level == 0)
            write_head(&c->head, all, window);
        pick_digit(segment, all, window);
        if (!segment->recount)
            scan(TABLE_OF(*segment), *segment);
    }
}

__kernel SINGLE void cpu_recount(BUFFER(control), BUFFER(segments), INPUT(keys), BUFFER(table),
                                 const index_t chunk, const key_t flip, const uint level)
{
    __global const segment_t *segment =
        segment_of_group(SEGMENTS_OF(level), AT(const control_t, control)->segments[level & 1]);
    if (!segment || !segment->recount)
        return;
    index_t counts[ALL_COUNTERS] ALIGNED;
    clear_counts(counts);
    const chunk_t mine = chunk_of(*segment, chunk);
    count_digits(AT(const key_t, keys), mine.first, mine.last, flip, segment->shift, segment->bits,
                 counts);
    write_counts(TABLE_OF(*segment), *segment, counts);
}

// A segment's d-th bucket, as a segment of its own with its first guess at the digit.
static inline segment_t bucket_of(__global const index_t *table, const segment_t segment,
                                  const uint d)
{
    segment_t bucket = {0, 0, 0, 0, 0, segment.low, segment.low, 0, 0, 0, 0};
    bucket.first = table[d * segment.chunks];
    const ulong end = d + 1 < 1u << segment.bits ? (ulong)table[(d + 1) * segment.chunks]
                                                 : segment.first + segment.count;
    bucket.count = end - bucket.first;
    if (segment.shift > segment.low) {
        bucket.bits = min(segment.shift - segment.low, (uint)PARTITION_BITS);
        bucket.shift = segment.shift - bucket.bits;
    }
    return bucket;
}

__kernel SINGLE void cpu_rescan(BUFFER(control), BUFFER(segments), BUFFER(table),
                                const index_t chunk, const index_t hot, const uint level)
{
    __global control_t *c = AT(control_t, control);
    __global segment_t *next = SEGMENTS_OF(level + 1);
    uint buckets = 0, chunks = 0, count = 0;
    for (uint i = 0; i < c->segments[level & 1]; i++) {
        __global segment_t *segment = SEGMENTS_OF(level) + i;
        __global index_t *counts = TABLE_OF(*segment);
        segment->bucket = buckets;
        if (segment->bits == 0)
            continue;
        buckets += 1u << segment->bits;
        if (segment->recount)
            scan(counts, *segment);
        for (uint d = 0; d < 1u << segment->bits; d++) {
            segment_t bucket = bucket_of(counts, *segment, d);
            if (bucket.count <= hot || segment->counted)
                continue;
            bucket.chunk = chunks;
            bucket.chunks = (uint)((bucket.count - 1) / chunk + 1);
            chunks += bucket.chunks;
            next[count++] = bucket;
        }
    }
    c->segments[(level + 1) & 1] = count;
}

// -- the partition --------------------------------------------------------------------------------

// Both begin where a line does. (A vector may be read from what was stored as any type; what vload8 reads may not.)
static inline void stream_lines(const void *restrict from, __global void *restrict to,
                                const uint bytes)
{
    for (uint i = 0; i < bytes / 64; i++)
        STREAM(((const ulong8 *)from)[i], (__global ulong8 *)to + i);
}

// The buckets' lines of output. Places count from the start of the cache line that the output begins in, so that
// lines of places are lines of memory; `out` is moved back by as much.
typedef struct {
    items_t out;
    bool streams;               // keys are aligned, as they are in any buffer that a driver made
    VALUES(bool values_stream;) // a line of values is whole, aligned cache lines
    uint next[1 << PARTITION_BITS];     // slot of the next key; of a full line the one behind it
    index_t end[1 << PARTITION_BITS];   // the place behind the line
    index_t start[1 << PARTITION_BITS]; // the first place of all: lines begin before it
    key_t keys[LINE << PARTITION_BITS] ALIGNED;
    VALUES(value_t values[LINE << PARTITION_BITS] ALIGNED;)
} lines_t;

static inline void begin_line(lines_t *restrict lines, const uint d, const index_t start)
{
    lines->start[d] = start;
    lines->end[d] = start / LINE * LINE + LINE;
    lines->next[d] = d * LINE + (uint)(start % LINE);
}

// Writes the items that digit d's line holds, one by one.
static inline void flush_part(const lines_t *restrict lines, const uint d)
{
    const index_t first = lines->end[d] - LINE;
    for (index_t i = max(first, lines->start[d]); i < first + (lines->next[d] - d * LINE); i++) {
        const uint slot = d * LINE + (uint)(i - first);
        lines->out.keys[i] = lines->keys[slot];
        VALUES(lines->out.values[i] = lines->values[slot];)
    }
}

// Writes a full line, and begins the next.
static inline void flush_line(lines_t *restrict lines, const uint d)
{
    const index_t end = lines->end[d];
    if (end < lines->start[d] + LINE || !lines->streams) {
        flush_part(lines, d);
    } else {
        stream_lines(lines->keys + d * LINE, lines->out.keys + (end - LINE), 64);
#if VALUE_BYTES > 0
        __global value_t *to = lines->out.values + (end - LINE);
        if (lines->values_stream)
            stream_lines(lines->values + d * LINE, to, LINE * VALUE_BYTES);
        else
            for (uint j = 0; j < LINE; j++)
                to[j] = lines->values[d * LINE + j];
#endif
    }
    lines->end[d] = end + LINE;
    lines->next[d] = d * LINE;
}

// From the input to scratch and back again, level after level. Index values are not read from the input.
__kernel SINGLE void cpu_scatter(BUFFER(control), BUFFER(segments), BUFFER(keys), BUFFER(keys_to),
                                 VALUE_BUFFER(values) VALUE_BUFFER(values_to) BUFFER(table),
                                 const index_t chunk, const key_t flip, const uint level)
{
    __global const control_t *c = AT(const control_t, control);
    if (c->head.identity)
        return;
    __global const segment_t *segment =
        segment_of_group(SEGMENTS_OF(level), c->segments[level & 1]);
    if (!segment || segment->counted)
        return;
    const chunk_t mine = chunk_of(*segment, chunk);
    if (segment->bits == 0) {
        // What is in order, and on odd levels not yet in its place.
        const items_t from = ITEMS_AT(keys, values);
        const items_t to = ITEMS_AT(keys_to, values_to);
        if (level & 1)
            copy_items(items_at(from, mine.first), items_at(to, mine.first),
                       mine.last - mine.first);
        return;
    }
    lines_t lines;
    const uint shift = segment->shift, mask = (1u << segment->bits) - 1;
    __global const key_t *restrict in = AT(const key_t, keys);
    const uint phase = (uint)((uintptr_t)AT(key_t, keys_to) / KEY_BYTES) & (LINE - 1);
    lines.out.keys = AT(key_t, keys_to) - phase;
    lines.streams = (uintptr_t)lines.out.keys % 64 == 0;
#if VALUE_BYTES > 0
    lines.out.values = AT(value_t, values_to) - phase;
    lines.values_stream = LINE * VALUE_BYTES % 64 == 0 && (uintptr_t)lines.out.values % 64 == 0;
#endif
    for (uint d = 0; d <= mask; d++)
        begin_line(&lines, d, TABLE_OF(*segment)[d * segment->chunks + mine.number] + phase);
#define SCATTER(i, digit)                                                                          \
    {                                                                                              \
        const uint d = digit;                                                                      \
        /* A full line leaves when its next key comes: by then its stores have retired. */         \
        if (lines.next[d] / LINE != d)                                                             \
            flush_line(&lines, d);                                                                 \
        const uint slot = lines.next[d];                                                           \
        lines.keys[slot] = in[i];                                                                  \
        VALUES(lines.values[slot] = VALUE_OF(i);)                                                  \
        lines.next[d] = slot + 1;                                                                  \
    }
#if VALUE_INDEX
#define VALUE_OF(i) (level == 0 ? value_of_index(i) : AT(const value_t, values)[i])
#elif VALUE_BYTES > 0
#define VALUE_OF(i) AT(const value_t, values)[i]
#endif
    uint digits[LANES];
    index_t i = mine.first;
    for (; i + LANES <= mine.last; i += LANES) {
        vstore16(digits_of(vload16(0, in + i), flip, shift, mask), 0, digits);
#pragma unroll 8
        for (uint j = 0; j < LANES; j++)
            SCATTER(i + j, digits[j])
    }
    for (; i < mine.last; i++)
        SCATTER(i, digit_of(in[i], flip, shift, mask))
    for (uint d = 0; d <= mask; d++)
        flush_part(&lines, d);
}

// -- the buckets ----------------------------------------------------------------------------------

static inline void stream_items(const items_t from, const items_t to, const index_t count)
{
    stream_keys(from.keys, to.keys, count);
    VALUES(stream_units((__global const value_unit_t *)from.values,
                        (__global value_unit_t *)to.values,
                        (size_t)count * (VALUE_BYTES / sizeof(value_unit_t)));)
}

#if VALUE_BYTES == 0 && KEY_ORDER <= 1
// Writes anew what differs in the bits [low, top) only.
static inline void count_bucket(__global const key_t *from, __global key_t *to, const index_t count,
                                const key_t flip, const uint low, const uint top,
                                index_t *restrict counts)
{
    const uint bits = top - low;
    const key_t same = ordered(from[0], flip) & ~(key_t)((((key_t)1 << bits) - 1) << low);
    for (uint i = 0; i < ways_of(bits) << bits; i++)
        counts[i] = 0;
    count_digits(from, 0, count, flip, low, bits, counts);
    index_t first = 0;
    for (uint d = 0; d < 1u << bits; d++) {
        const index_t last = first + count_of(counts, bits, d);
        stream_key(to, first, last, unordered(same | (key_t)d << low, flip));
        first = last;
    }
}
#endif

// Sorts a bucket that fits into a slice of so many items there, and sends it to its place past the cache: keys that come
// one by one would each wait for a line of memory. False where it does not fit.
static inline bool sort_in_slice(const segment_t bucket, const items_t from, const items_t slice,
                                 const uint slice_items, const items_t to, const key_t flip,
                                 const key_t window, const uint top, index_t *restrict counters)
{
    const index_t count = (index_t)bucket.count;
    const items_t third = items_at(slice, slice_items / 3 * 2),
                  second = items_at(slice, slice_items / 2);
#if VALUE_BYTES == 0 && KEY_ORDER <= 1
    if (window == LARGEST && top - bucket.low <= PARTITION_BITS && count > ALL_COUNTERS) {
        count_bucket(from.keys, to.keys, count, flip, bucket.low, top, counters);
        return true;
    }
#endif
    if (count <= slice_items / 3 &&
        quick_sort(from.keys, count, slice.keys, slice_items / 3 * 2, third.keys, flip, window)) {
        stream_keys(third.keys, to.keys, count);
        return true;
    }
    if (count > slice_items / 2)
        return false;
    bucket_sort(from, slice, second, second, count, flip, window, bucket.low, top, counters);
    stream_items(second, to, count);
    return true;
}

// Buckets are handed out by a counter, so that uneven ones balance. A bucket that fits goes through the
// group's slice of scratch, which stays in its L2. Hot ones are left to the next level.
__kernel SINGLE void
cpu_buckets(BUFFER(control), BUFFER(segments), INPUT(keys), BUFFER(keys_tmp), BUFFER(keys_to),
            VALUE_INPUT(values) VALUE_BUFFER(values_tmp) VALUE_BUFFER(values_to) BUFFER(table),
            BUFFER(slices), const ulong slice_bytes, const uint slice_items, const uint chunks,
            const index_t n, const index_t chunk, const index_t hot, const key_t flip,
            const key_t window, const uint level)
{
    __global control_t *c = AT(control_t, control);
    const items_t in = INPUT_ITEMS(keys, values);
    const items_t tmp = ITEMS_AT(keys_tmp, values_tmp), to = ITEMS_AT(keys_to, values_to);
    if (c->head.identity) {
        for (uint i; level == 0 && (i = atomic_inc(&c->next_chunk)) < chunks;) {
            const index_t first = min(n, i * chunk);
            copy_input(items_at(in, first), items_at(to, first), min(n - first, chunk));
        }
        return;
    }
    __global uchar *slice = AT(uchar, slices) + get_group_id(0) * slice_bytes;
    items_t mine;
    mine.keys = (__global key_t *)slice;
    VALUES(mine.values = (__global value_t *)(slice + (size_t)slice_items * KEY_BYTES);)
    index_t counters[COUNTERS] ALIGNED;
    uint next = atomic_inc(&c->next_bucket);
    for (uint i = 0; i < c->segments[level & 1]; i++) {
        const segment_t segment = SEGMENTS_OF(level)[i];
        if (segment.bits == 0)
            continue;
        for (; next - segment.bucket < 1u << segment.bits; next = atomic_inc(&c->next_bucket)) {
            const segment_t bucket = bucket_of(TABLE_OF(segment), segment, next - segment.bucket);
            if (bucket.count == 0 || (bucket.count > hot && !segment.counted))
                continue;
            const items_t here = items_at(to, (index_t)bucket.first);
            const items_t there = items_at(tmp, (index_t)bucket.first);
            const items_t from = level & 1 ? here : there, other = level & 1 ? there : here;
            if (segment.counted) {
#if VALUE_BYTES == 0 && KEY_ORDER <= 1
                const key_t digit = (key_t)(next - segment.bucket) << segment.shift;
                stream_key(here.keys, 0, bucket.count,
                           unordered((key_t)segment.same | digit, flip));
#endif
            } else if (bucket.bits > 0) {
                if (!sort_in_slice(bucket, from, mine, slice_items, here, flip, window,
                                   segment.shift, counters))
                    bucket_sort(from, other, from, here, (index_t)bucket.count, flip, window,
                                bucket.low, segment.shift, counters);
            } else if (from.keys != here.keys) {
                copy_items(from, here, (index_t)bucket.count);
            }
        }
    }
}

// -- small inputs ---------------------------------------------------------------------------------

__kernel SINGLE void cpu_single(BUFFER(control), INPUT(keys), BUFFER(keys_tmp), BUFFER(keys_to),
                                VALUE_INPUT(values) VALUE_BUFFER(values_tmp) VALUE_BUFFER(values_to)
                                    const index_t n,
                                const key_t flip, const key_t window)
{
    __global control_t *c = AT(control_t, control);
    items_t in = INPUT_ITEMS(keys, values);
    const items_t tmp = ITEMS_AT(keys_tmp, values_tmp), to = ITEMS_AT(keys_to, values_to);
    write_head(&c->head, look(in.keys, 0, n, n, flip, window), window);
    if (c->head.identity) {
        copy_input(in, to, n);
        return;
    }
    if (quick_sort(in.keys, n, tmp.keys, ROOM_OF(n), to.keys, flip, window))
        return;
#if VALUE_INDEX
    // Index values have no place of their own to come from.
    for (index_t i = 0; i < n; i++) {
        tmp.keys[i] = in.keys[i];
        tmp.values[i] = value_of_index(i);
    }
    in = tmp;
#endif
    index_t counters[COUNTERS] ALIGNED;
    const uint top = 64 - (uint)clz(c->head.varying);
    const uint low = 63 - (uint)clz(c->head.varying & -c->head.varying);
#if VALUE_INDEX
    bucket_sort(in, to, tmp, to, n, flip, window, low, top, counters);
#else
    bucket_sort(in, tmp, to, to, n, flip, window, low, top, counters);
#endif
}
