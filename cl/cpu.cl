// cpu.cl - stable radix sort for CPUs: one partition by the top bits, then each bucket inside the cache
//
// One work-item is a whole core's worker: no barriers, and private memory is a core's cache.
//
//   cpu_count     a chunk per group: digit counts, and what the keys look like (control.cl)
//   cpu_decide    one work-item: picks the partition digit from the highest bits that vary, scans counts
//   cpu_recount   counts again where the first guess at the digit was wrong, cpu_rescan scans that
//   cpu_scatter   moves keys to their buckets through one write-combining line a bucket
//   cpu_buckets   sorts bucket after bucket by LSD passes between scratch and a slice that stays in L2
//   cpu_single    small inputs: all of it by one work-item in one launch
//
// Write combining: Satish et al., "Fast sort on CPUs and GPUs", SIGMOD 2010, pp. 351-362, section 3.2; Wassenberg and
// Sanders, "Engineering a multi-core radix sort", Euro-Par 2011, pp. 160-169, section 3.
//
// Cost model: count reads n keys, scatter reads and writes them, buckets read and write them once beyond
// the cache: 5 accesses, 20 bytes for a u32 key (a line written by a plain store is read first: the
// bucket pass then moves 24).
// Measured (PoCL 3.1, 2 cores of an AMD EPYC with AVX-512, 2^24 u32 keys): 454 Mkeys/s, 0.31 of that model
// at the 35 GB/s that two threads copy: two cores are busy with instructions, not with memory.
//
// PARTITION_BITS    most bits of the partition digit (the lines of all buckets must fit in L2)

#if !defined(PARTITION_BITS) || !defined(LOCAL_BITS)
#error                                                                                             \
    "cpu.cl needs types.cl, keys.cl, head.cl, control.cl, items.cl, bucket.cl, PARTITION_BITS and LOCAL_BITS"
#endif

#define SINGLE __attribute__((reqd_work_group_size(1, 1, 1)))
#define ALIGNED __attribute__((aligned(64)))
#define LINE (64 / KEY_BYTES) // keys in a cache line

typedef struct {
    head_t head;
    uint shift;   // lowest bit of the partition digit
    uint bits;    // its width
    uint recount; // 1: the digit is not the one that cpu_count counted
    uint unused;
    uint next_bucket;
    uint next_chunk;
} control_t;

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

// What the keys [first, last) look like, and whether the next one is in order with them.
static inline seen_t look(__global const key_t *restrict keys, const index_t first,
                          const index_t last, const index_t n, const key_t flip, const key_t window)
{
    key_t any = 0, all = (key_t) ~(key_t)0;
    uint disorder = 0;
    const index_t checked = min(last, n - 1);
    for (index_t i = first; i < checked; i++) {
        const key_t key = ordered(keys[i], flip);
        any |= key;
        all &= key;
        disorder |= (key & window) > (ordered(keys[i + 1], flip) & window);
    }
    if (checked < last) {
        const key_t key = ordered(keys[checked], flip);
        any |= key;
        all &= key;
    }
    seen_t seen = {any, all, !disorder};
    return seen;
}

#define WAYS 2 // counter tables, so that runs of equal digits do not wait for each other's store

static inline void count_digits(__global const key_t *restrict keys, const index_t first,
                                const index_t last, const key_t flip, const uint shift,
                                const uint mask, index_t *restrict counts)
{
    index_t i = first;
    for (; i + 8 <= last; i += 8) {
#pragma unroll
        for (uint j = 0; j < 8; j++)
            counts[((j % WAYS) << PARTITION_BITS) + digit_of(keys[i + j], flip, shift, mask)]++;
    }
    for (; i < last; i++)
        counts[digit_of(keys[i], flip, shift, mask)]++;
}

static inline void write_counts(__global index_t *restrict table, const uint mask,
                                const index_t *restrict counts)
{
    const size_t chunks = get_num_groups(0);
    for (uint d = 0; d <= mask; d++)
        table[d * chunks + get_group_id(0)] = counts[d] + counts[(1u << PARTITION_BITS) + d];
}

__kernel SINGLE void cpu_count(INPUT(keys), BUFFER(table), BUFFER(seen), const index_t n,
                               const index_t chunk, const key_t flip, const key_t window,
                               const uint shift, const uint bits)
{
    index_t counts[WAYS << PARTITION_BITS] ALIGNED;
    const uint mask = (1u << bits) - 1;
    for (uint i = 0; i < (WAYS << PARTITION_BITS); i++)
        counts[i] = 0;
    const index_t first = min(n, (index_t)get_group_id(0) * chunk),
                  last = first + min(n - first, chunk);
    seen_t all = seen_nothing();
    for (index_t i = first; i < last;) {
        const index_t end = i + min(last - i, (index_t)(8192 / KEY_BYTES));
        all = seen_both(all, look(AT(const key_t, keys), i, end, n, flip, window));
        count_digits(AT(const key_t, keys), i, end, flip, shift, mask, counts);
        i = end;
    }
    write_counts(AT(index_t, table), mask, counts);
    AT(seen_t, seen)[get_group_id(0)] = all;
}

static inline void scan(__global index_t *table, const size_t count)
{
    index_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        const index_t v = table[i];
        table[i] = sum;
        sum += v;
    }
}

__kernel SINGLE void cpu_decide(BUFFER(control), BUFFER(table), BUFFER(seen), const uint chunks,
                                const key_t window, const uint shift, const uint bits)
{
    __global control_t *c = AT(control_t, control);
    seen_t all = seen_nothing();
    for (uint i = 0; i < chunks; i++)
        all = seen_both(all, AT(seen_t, seen)[i]);
    write_head(&c->head, all, window);
    c->next_bucket = c->next_chunk = 0;
    c->recount = 0;
    if (c->head.identity)
        return;
    const uint top = 64 - (uint)clz(c->head.varying);
    const uint low = 63 - (uint)clz(c->head.varying & -c->head.varying);
    // What fits in one digit needs no second step.
    c->bits = top - low <= PARTITION_BITS ? top - low : bits;
    c->shift = top - c->bits;
    c->recount = c->shift != shift || c->bits != bits;
    if (!c->recount)
        scan(AT(index_t, table), (size_t)chunks << bits);
}

__kernel SINGLE void cpu_recount(BUFFER(control), INPUT(keys), BUFFER(table), const index_t n,
                                 const index_t chunk, const key_t flip)
{
    __global const control_t *c = AT(const control_t, control);
    if (!c->recount)
        return;
    index_t counts[WAYS << PARTITION_BITS] ALIGNED;
    const uint mask = (1u << c->bits) - 1;
    for (uint i = 0; i < (WAYS << PARTITION_BITS); i++)
        counts[i] = 0;
    const index_t first = min(n, (index_t)get_group_id(0) * chunk);
    count_digits(AT(const key_t, keys), first, first + min(n - first, chunk), flip, c->shift, mask,
                 counts);
    write_counts(AT(index_t, table), mask, counts);
}

__kernel SINGLE void cpu_rescan(BUFFER(control), BUFFER(table), const uint chunks)
{
    __global const control_t *c = AT(const control_t, control);
    if (c->recount)
        scan(AT(index_t, table), (size_t)chunks << c->bits);
}

// -- the partition --------------------------------------------------------------------------------

// Whole cache lines past the cache: what is written is not read again soon.
#if defined(__has_builtin)
#if __has_builtin(__builtin_nontemporal_store)
#define STREAM(value, place) __builtin_nontemporal_store(value, place)
#endif
#endif
#ifndef STREAM
#define STREAM(value, place) (*(place) = (value))
#endif

static inline void stream_lines(const void *restrict from, __global void *restrict to,
                                const uint bytes)
{
    for (uint i = 0; i < bytes / 64; i++)
        STREAM(vload8(i, (const ulong *)from), (__global ulong8 *)to + i);
}

// A bucket's line of output. Places count from the start of the cache line that the output begins in, so
// that a place tells its slot in the line; `out` is moved back by as much.
typedef struct {
    items_t out;
    bool streams;               // keys are aligned, as they are in any buffer that a driver made
    VALUES(bool values_stream;) // a line of values is whole, aligned cache lines
    index_t next[1 << PARTITION_BITS];
    index_t start[1 << PARTITION_BITS];
    key_t keys[LINE << PARTITION_BITS] ALIGNED;
    VALUES(value_t values[LINE << PARTITION_BITS] ALIGNED;)
} lines_t;

// Writes the items [from, to) that digit d's line still holds, one by one.
static inline void flush_part(const lines_t *restrict lines, const uint d, const index_t from,
                              const index_t to)
{
    for (index_t i = from; i < to; i++) {
        const uint slot = d * LINE + ((uint)i & (LINE - 1));
        lines->out.keys[i] = lines->keys[slot];
        VALUES(lines->out.values[i] = lines->values[slot];)
    }
}

static inline void flush_line(const lines_t *restrict lines, const uint d, const index_t end)
{
    if (end < lines->start[d] + LINE || !lines->streams) {
        flush_part(lines, d, max(lines->start[d], end - min(end, (index_t)LINE)), end);
        return;
    }
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

__kernel SINGLE void cpu_scatter(BUFFER(control), INPUT(keys), BUFFER(keys_to),
                                 VALUE_INPUT(values) VALUE_BUFFER(values_to) BUFFER(table),
                                 const index_t n, const index_t chunk, const key_t flip)
{
    __global const control_t *c = AT(const control_t, control);
    if (c->head.identity)
        return;
    lines_t lines;
    const uint shift = c->shift, mask = (1u << c->bits) - 1;
    __global const key_t *restrict in = AT(const key_t, keys);
    const uint phase = (uint)((uintptr_t)AT(key_t, keys_to) / KEY_BYTES) & (LINE - 1);
    lines.out.keys = AT(key_t, keys_to) - phase;
    lines.streams = (uintptr_t)lines.out.keys % 64 == 0;
#if VALUE_BYTES > 0
    lines.out.values = AT(value_t, values_to) - phase;
    lines.values_stream = LINE * VALUE_BYTES % 64 == 0 && (uintptr_t)lines.out.values % 64 == 0;
#endif
    for (uint d = 0; d <= mask; d++)
        lines.next[d] = lines.start[d] =
            AT(index_t, table)[d * get_num_groups(0) + get_group_id(0)] + phase;

    const index_t first = min(n, (index_t)get_group_id(0) * chunk),
                  last = first + min(n - first, chunk);
#define SCATTER(i)                                                                                 \
    {                                                                                              \
        const key_t key = in[i];                                                                   \
        const uint d = digit_of(key, flip, shift, mask);                                           \
        const index_t place = lines.next[d];                                                       \
        const uint slot = (uint)place & (LINE - 1);                                                \
        /* A full line leaves when its next key comes: by then its stores have retired. */         \
        if (slot == 0 && place > lines.start[d])                                                   \
            flush_line(&lines, d, place);                                                          \
        lines.keys[d * LINE + slot] = key;                                                         \
        VALUES(lines.values[d * LINE + slot] = INPUT_VALUE(i);)                                    \
        lines.next[d] = place + 1;                                                                 \
    }
#if VALUE_INDEX
#define INPUT_VALUE(i) value_of_index(i)
#elif VALUE_BYTES > 0
#define INPUT_VALUE(i) AT(const value_t, values)[i]
#endif
    index_t i = first;
    for (; i + 8 <= last; i += 8) {
#pragma unroll
        for (uint j = 0; j < 8; j++)
            SCATTER(i + j)
    }
    for (; i < last; i++)
        SCATTER(i)

    for (uint d = 0; d <= mask; d++) {
        const index_t end = lines.next[d];
        if (end > lines.start[d])
            flush_part(&lines, d, max(lines.start[d], (end - 1) / LINE * LINE), end);
    }
}

// -- the buckets ----------------------------------------------------------------------------------

// Buckets are handed out by a counter, so that uneven ones balance. A bucket that fits goes through the
// group's slice of scratch, which stays in its L2.
__kernel SINGLE void cpu_buckets(BUFFER(control), INPUT(keys), BUFFER(keys_tmp), BUFFER(keys_to),
                                 VALUE_INPUT(values) VALUE_BUFFER(values_tmp)
                                     VALUE_BUFFER(values_to) BUFFER(table),
                                 BUFFER(slices), const ulong slice_bytes, const uint slice_items,
                                 const uint chunks, const index_t n, const index_t chunk,
                                 const key_t flip, const key_t window)
{
    __global control_t *c = AT(control_t, control);
    const items_t in = INPUT_ITEMS(keys, values);
    const items_t tmp = ITEMS_AT(keys_tmp, values_tmp), to = ITEMS_AT(keys_to, values_to);
    if (c->head.identity) {
        for (uint i; (i = atomic_inc(&c->next_chunk)) < chunks;) {
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
    __global const index_t *start = AT(const index_t, table);
    const uint buckets = 1u << c->bits, shift = c->shift;
    const uint low = 63 - (uint)clz(c->head.varying & -c->head.varying);
    for (uint i; (i = atomic_inc(&c->next_bucket)) < buckets;) {
        const index_t first = start[(size_t)i * chunks];
        const index_t count = (i + 1 < buckets ? start[(size_t)(i + 1) * chunks] : n) - first;
        if (count == 0)
            continue;
        const items_t from = items_at(tmp, first), out = items_at(to, first);
        if (low >= shift)
            copy_items(from, out, count);
        else
            bucket_sort(from, count <= slice_items ? mine : out, from, out, count, flip, window,
                        low, shift, counters);
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
