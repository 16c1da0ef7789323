// work_group.cl - counting sort of keys of 8 or 16 bits alone, for work-groups: they are counted, and written anew
//
//   groups_count   a chunk of the keys per group: how often each is there
//   groups_sum     of 16 bits: the counters of all chunks together, and where runs begin inside blocks of keys
//   groups_fill    a stretch of the output per group: the runs that lie in it
//   groups_alone   of 8 bits: all of it in one group, for few keys
//
// Distribution counting (count.cl). Groups do not wait for each other, and nothing has to be cleared before.
//
// Keys of 8 bits: each of 256 counters has COPIES, one for each bank of local memory, and a work-item keeps to its own.
// So no distribution makes two lanes of a lane group meet. Each group of the fill sums up the chunks' counters anew, in
// place of a launch.
//
// Keys of 16 bits: 65536 counters of 4 bits fill 32 KiB of local memory, 8 in a word (in PARTS, of which each takes a
// look at all keys of the chunk, where there is less of it). A counter that overflows carries into its neighbour in the
// word, as the word as it was before the addition tells; each carry goes to a log. The log is counted as the keys were,
// by the same code, into a second level of counters, each worth 16 of the first; and so on, until a level has no
// carries. So counters are exact, whatever the keys are and whoever comes first, and a log has at most 1/15 of what was
// counted. Work-items that see carries again and again have keys that are much alike: from then on they add what is
// alike of 16 bytes at once.
//
// Cost model: one read and one write, 2 bytes for an 8-bit key and 4 for one of 16 bits: for 2^28 keys at 4.27 TB/s
// 0.125 and 0.25 ms. Next to the reading, 32 keys of 8 bits are an atomic addition without conflicts; of 16 bits they
// are one at random places that returns the word as it was, about 4 cycles, and about 11 instructions, 5 cycles: on 132
// units of 1.7 GHz 0.15 to 0.19 ms. A chunk adds 32 KiB for each level, written once and read once by the sum: 0.012 ms
// for one level.
//
// GROUP_SIZE   work-items in a group
// COPIES       of 8 bits: of each counter
// PARTS        of 16 bits: of the counters; a power of two
//
// Considered for 16 bits, for 2^28 keys: counters in global memory, 160 G additions/s at best (1.7 ms) and a few
// with one key only; 16-bit counters in local memory, 4 looks at all keys; 8-bit counters, 2 looks; a partition by the
// high byte first, 8 bytes a key and a scatter.
#ifndef CLSORT_COUNT_WORK_GROUP_CL
#define CLSORT_COUNT_WORK_GROUP_CL

#include "common/keys.cl"
#include "common/scan.cl"
#include "common/work_group.cl"

#define BINS (1u << KEY_BITS)
#define PACK (16 / KEY_BYTES)             // keys in 16 bytes, which are read and written at once
#define BLOCK (KEY_BYTES == 1 ? 1u : 64u) // neighbouring keys, of which all starts have one base
#define BLOCKS (BINS / BLOCK)

#define AHEAD                                                                                      \
    (KEY_BYTES == 1                                                                                \
         ? 4                                                                                       \
         : 1) // packs on their way while keys are counted; more would take registers from groups

// Keys before the first that is aligned as a pack is.
#define BEFORE_PACKS(place) ((uint)(-(uintptr_t)(place) % 16) / KEY_BYTES)

// -- counting -------------------------------------------------------------------------------------

#if KEY_BYTES == 1

typedef struct {
    __local uint *counts; // the work-item's own of the first key
} tally_t;

static inline void count_key(const tally_t *tally, const uint key)
{
    atomic_inc(&tally->counts[key * COPIES]);
}

static inline void count_pack(tally_t *tally, const uint4 pack)
{
    const uint word[4] = {pack.x, pack.y, pack.z, pack.w};
#pragma unroll
    for (uint i = 0; i < PACK; i++)
        count_key(tally, word[i / 4] >> (i % 4 * 8) & 0xff);
}

#else

#define FIELD_BITS 4
#define FIELD_MAX ((1u << FIELD_BITS) - 1)
#define FIELDS (32 / FIELD_BITS) // in a word
#define WORDS (BINS / FIELDS)
#define PART_WORDS (WORDS / PARTS)
#define LOGGED(count) ((count) / FIELD_MAX + 1) // at most, and one more
#define ALIKE_FROM 4u // carries, from which on keys are taken for much alike

typedef struct {
    __local uint *counts;
    __local uint *logged;
    __global key_t *log;
    uint part;
    uint carries; // of this work-item
} tally_t;

// A key is counted in one field of one word. Words of neighbours are neighbours, and so are those of keys whose
// low bits are all zero: they are in different banks.
static inline uint word_of(const uint key)
{
    return (key ^ key >> 8) & (WORDS - 1);
}

static inline uint field_of(const uint key)
{
    return key / WORDS;
}

static inline uint key_of(const uint word, const uint field)
{
    const uint high = field * WORDS + (word & ~0xffu);
    return high | ((word ^ high >> 8) & 0xff);
}

static inline uint digit_at(const uint word, const uint field)
{
    return word >> (field * FIELD_BITS) & FIELD_MAX;
}

static inline bool is_mine(const tally_t *tally, const uint key)
{
    return PARTS == 1 || word_of(key) / PART_WORDS == tally->part;
}

// Returns the word as it was.
static inline uint add(const tally_t *tally, const uint key, const uint amount)
{
    return atomic_add(&tally->counts[word_of(key) % PART_WORDS],
                      amount << (field_of(key) * FIELD_BITS));
}

// The key's field had no room left: a carry went to the next one, and on where that was full.
static inline void log_carries(tally_t *tally, const uint key, const uint old)
{
    uint field = field_of(key);
    do
        tally->log[atomic_inc(tally->logged)] = (key_t)key_of(word_of(key), field++);
    while (field < FIELDS && digit_at(old, field) == FIELD_MAX);
    tally->carries++;
}

static inline void count_alike(tally_t *tally, const uint key, const uint amount)
{
    if (!is_mine(tally, key))
        return;
    const uint old = add(tally, key, amount);
    if (digit_at(old, field_of(key)) + amount > FIELD_MAX)
        log_carries(tally, key, old);
}

static inline void count_key(tally_t *tally, const uint key)
{
    count_alike(tally, key, 1);
}

// All additions go out before the first answer is looked at.
static inline void count_each(tally_t *tally, const uint a, const uint b)
{
    const uint keys[4] = {a & 0xffff, a >> 16, b & 0xffff, b >> 16};
    uint old[4], fullest = 0;
#pragma unroll
    for (uint i = 0; i < 4; i++)
        old[i] = is_mine(tally, keys[i]) ? add(tally, keys[i], 1) : 0;
#pragma unroll
    for (uint i = 0; i < 4; i++)
        fullest = max(fullest, digit_at(old[i], field_of(keys[i])));
    if (fullest < FIELD_MAX)
        return;
#pragma unroll
    for (uint i = 0; i < 4; i++)
        if (digit_at(old[i], field_of(keys[i])) == FIELD_MAX)
            log_carries(tally, keys[i], old[i]);
}

static inline void count_pack(tally_t *tally, const uint4 pack)
{
    if (tally->carries < ALIKE_FROM) {
        count_each(tally, pack.x, pack.y);
        count_each(tally, pack.z, pack.w);
        return;
    }
    const uint word[4] = {pack.x, pack.y, pack.z, pack.w};
    uint keys[PACK];
#pragma unroll
    for (uint i = 0; i < PACK; i++)
        keys[i] = word[i / 2] >> (i % 2 * 16) & 0xffff;
    uint left = (1u << PACK) - 1;
#pragma unroll
    for (uint i = 0; i < PACK; i++) {
        if (!(left >> i & 1))
            continue;
        uint alike = 0;
#pragma unroll
        for (uint j = i; j < PACK; j++)
            alike |= (uint)(keys[j] == keys[i]) << j;
        left &= ~alike;
        count_alike(tally, keys[i], popcount(alike));
    }
}

#endif

// The group counts `count` keys.
static inline void count_keys(tally_t *tally, __global const key_t *from, const uint count)
{
    const uint t = (uint)get_local_id(0);
    const uint before = min(count, BEFORE_PACKS(from)), packs = (count - before) / PACK;
    __global const uint4 *in = (__global const uint4 *)(from + before);
    for (uint i = t; i < before; i += GROUP_SIZE)
        count_key(tally, from[i]);
    uint at = t;
    for (; at + (AHEAD - 1) * GROUP_SIZE < packs; at += AHEAD * GROUP_SIZE) {
        uint4 pack[AHEAD];
#pragma unroll
        for (uint i = 0; i < AHEAD; i++)
            pack[i] = in[at + i * GROUP_SIZE];
#pragma unroll
        for (uint i = 0; i < AHEAD; i++)
            count_pack(tally, pack[i]);
    }
    for (; AHEAD > 1 && at < packs; at += GROUP_SIZE)
        count_pack(tally, in[at]);
    for (uint i = before + packs * PACK + t; i < count; i += GROUP_SIZE)
        count_key(tally, from[i]);
}

// -- runs -----------------------------------------------------------------------------------------

// A group adds up rows of a table: SPAN columns at a time, whose rows LINES of work-items share.
#define SPAN(columns) ((columns) < GROUP_SIZE ? (columns) : GROUP_SIZE)
#define LINES(columns) (GROUP_SIZE / SPAN(columns))

// The first line gets the sums of all. `part` holds GROUP_SIZE elements, and is free for others thereafter.
static inline index_t sum_lines(index_t sum, const uint columns, __local index_t *part)
{
    const uint t = (uint)get_local_id(0);
    part[t] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = t + SPAN(columns); t < SPAN(columns) && i < GROUP_SIZE; i += SPAN(columns))
        sum += part[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    return sum;
}

typedef struct {
    index_t start[BLOCKS + 1]; // of each block's first run, and the end of the last
    union {
        ulong scan[2 * GROUP_SIZE];
        index_t part[GROUP_SIZE];
    } room;
} starts_t;

// The blocks' starts, from a table of as many rows of what they hold: of 8-bit keys as they are.
static inline void make_starts(__local starts_t *starts, __global const index_t *table,
                               const uint rows, const index_t n, const key_t flip)
{
    const uint t = (uint)get_local_id(0);
    for (uint base = 0; base < BLOCKS; base += SPAN(BLOCKS)) {
        const uint block = base + t % SPAN(BLOCKS);
        const uint column = KEY_BYTES == 1 ? unordered((key_t)block, flip) : block;
        index_t sum = 0;
#pragma unroll 8
        for (uint row = t / SPAN(BLOCKS); row < rows; row += LINES(BLOCKS))
            sum += table[(size_t)row * BLOCKS + column];
        sum = sum_lines(sum, BLOCKS, starts->room.part);
        if (t < SPAN(BLOCKS))
            starts->start[block] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint each = (BLOCKS + GROUP_SIZE - 1) / GROUP_SIZE, first = min(t * each, BLOCKS);
    const uint last = min(first + each, BLOCKS);
    ulong sum = 0, total;
    for (uint block = first; block < last; block++)
        sum += starts->start[block];
    index_t next = (index_t)group_exclusive_scan(sum, starts->room.scan, &total);
    for (uint block = first; block < last; block++) {
        const index_t start = next;
        next += starts->start[block];
        starts->start[block] = start;
    }
    if (t == 0)
        starts->start[BLOCKS] = n;
    barrier(CLK_LOCAL_MEM_FENCE);
}

#if KEY_BYTES == 1
#define WITHIN
#define WITHIN_BUFFER
#define WITHIN_PLACE
#define START(d) starts->start[d]
#else
#define WITHIN within,
#define WITHIN_BUFFER BUFFER(offsets),
#define WITHIN_PLACE __global const index_t *within,
#define START(d) (starts->start[(d) / BLOCK] + within[d])
#endif

// A run, and where it ends. All zeros stand before the first.
typedef struct {
    uint number; // the ordered key
    index_t end;
    key_t key;
} run_t;

// Goes on to the run that has this place, which is not before the run's: steps that double, and then halve again.
static inline void go_on(run_t *run, __local const starts_t *starts,
                         WITHIN_PLACE const index_t place, const key_t flip)
{
    if (place < run->end)
        return;
    uint d = run->number, step = 1;
    for (; d + step < BINS && START(d + step) <= place; step *= 2)
        d += step;
    for (step /= 2; step > 0; step /= 2)
        if (d + step < BINS && START(d + step) <= place)
            d += step;
    run->number = d;
    run->end = START(d + 1);
    run->key = unordered((key_t)d, flip);
}

// The group writes the places [first, first + count).
static inline void write_runs(__local const starts_t *starts, WITHIN_PLACE __global key_t *to,
                              const index_t first, const uint count, const key_t flip)
{
    const uint t = (uint)get_local_id(0);
    const uint before = min(count, BEFORE_PACKS(to + first)), packs = (count - before) / PACK;
    run_t run = {0, 0, 0};
    for (uint i = t; i < before; i += GROUP_SIZE) {
        go_on(&run, starts, WITHIN first + i, flip);
        to[first + i] = run.key;
    }
    for (uint i = t; i < packs; i += GROUP_SIZE) {
        const index_t place = first + before + i * PACK;
        go_on(&run, starts, WITHIN place, flip);
        if (run.end - place >= PACK)
            *(__global uint4 *)(to + place) =
                (uint4)(run.key * (KEY_BYTES == 1 ? 0x01010101u : 0x00010001u));
        else
            for (uint j = 0; j < PACK; j++) {
                go_on(&run, starts, WITHIN place + j, flip);
                to[place + j] = run.key;
            }
    }
    for (uint i = before + packs * PACK + t; i < count; i += GROUP_SIZE) {
        go_on(&run, starts, WITHIN first + i, flip);
        to[first + i] = run.key;
    }
}

// -- kernels --------------------------------------------------------------------------------------

#if KEY_BYTES == 1

typedef union {
    uint counts[BINS * COPIES];
    starts_t starts;
} room_t;

// The group's row of the table.
static inline void count_chunk(__local room_t *room, __global const key_t *from, const uint count,
                               __global index_t *row)
{
    const uint t = (uint)get_local_id(0);
    tally_t tally = {room->counts + t % COPIES};
    for (uint i = t; i < BINS * COPIES; i += GROUP_SIZE)
        room->counts[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    count_keys(&tally, from, count);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = t; d < BINS; d += GROUP_SIZE) {
        index_t sum = 0;
        for (uint i = 0; i < COPIES; i++)
            sum += room->counts[d * COPIES + (d + i) % COPIES]; // neighbours in different banks
        row[d] = sum;
    }
}

__kernel WORK_GROUP_KERNEL void groups_count(INPUT(keys), BUFFER(table), const index_t n,
                                             const uint chunk)
{
    __local room_t room;
    const index_t first = (index_t)get_group_id(0) * chunk;
    count_chunk(&room, AT(const key_t, keys) + first, (uint)min(n - first, (index_t)chunk),
                AT(index_t, table) + get_group_id(0) * BINS);
}

__kernel WORK_GROUP_KERNEL void groups_alone(INPUT(keys), BUFFER(table), BUFFER(keys_to),
                                             const uint n, const key_t flip)
{
    __local room_t room;
    count_chunk(&room, AT(const key_t, keys), n, AT(index_t, table));
    // In place, all keys have been read now.
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    make_starts(&room.starts, AT(const index_t, table), 1, n, flip);
    write_runs(&room.starts, AT(key_t, keys_to), 0, n, flip);
}

#else

// Row c of a level's WORDS are the counters of chunk c. `levels`: how many of a part have been written.
__kernel WORK_GROUP_KERNEL void groups_count(INPUT(keys), BUFFER(table), BUFFER(levels),
                                             BUFFER(logs), const index_t n, const uint chunk)
{
    __local uint counts[PART_WORDS], logged;
    const uint t = (uint)get_local_id(0);
    const index_t first = (index_t)get_group_id(0) * chunk;
    __global key_t *logs_here =
        AT(key_t, logs) + get_group_id(0) * (LOGGED(chunk) + LOGGED(LOGGED(chunk)));

    for (uint part = 0; part < PARTS; part++) {
        __global const key_t *from = AT(const key_t, keys) + first;
        uint count = (uint)min(n - first, (index_t)chunk), level = 0;
        while (count > 0) {
            __global uint *row =
                AT(uint, table) + (level * get_num_groups(0) + get_group_id(0)) * WORDS;
            tally_t tally = {counts, &logged, logs_here, part, 0};
            if (level % 2)
                tally.log += LOGGED(chunk); // the other one is read
            for (uint i = t; i < PART_WORDS; i += GROUP_SIZE)
                counts[i] = 0;
            if (t == 0)
                logged = 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            count_keys(&tally, from, count);
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            for (uint i = t; i < PART_WORDS; i += GROUP_SIZE)
                row[part * PART_WORDS + i] = counts[i];
            level++;
            from = tally.log;
            count = logged;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (t == 0)
            AT(uint, levels)[part * get_num_groups(0) + get_group_id(0)] = level;
    }
}

// Adds a level's fields of the word, of every chunk that has the level.
static inline void sum_rows(index_t *sum, __global const uint *rows, __global const uint *levels,
                            const uint level, const uint chunks, const uint word)
{
    const uint batch = 16; // so many of 4 bits fit 8 bits
    for (uint first = (uint)get_local_id(0) / SPAN(BLOCK); first < chunks;
         first += batch * LINES(BLOCK)) {
        uint even = 0, odd = 0;
#pragma unroll
        for (uint i = 0; i < batch; i++) {
            const uint row = first + i * LINES(BLOCK);
            const bool is_there = row < chunks && (level == 0 || levels[row] > level);
            const uint digits = is_there ? rows[(size_t)row * WORDS + word] : 0;
            even += digits & 0x0f0f0f0f;
            odd += digits >> 4 & 0x0f0f0f0f;
        }
#pragma unroll
        for (uint field = 0; field < FIELDS; field += 2) {
            sum[field] += even >> (4 * field) & 0xff;
            sum[field + 1] += odd >> (4 * field) & 0xff;
        }
    }
}

// BLOCK words per group, of which each field has the keys of one block.
__kernel WORK_GROUP_KERNEL void groups_sum(BUFFER(table), BUFFER(levels), BUFFER(totals),
                                           BUFFER(offsets), const uint chunks, const key_t flip)
{
    __local index_t part[GROUP_SIZE], total[FIELDS * BLOCK];
    __local uint deepest;
    const uint t = (uint)get_local_id(0), base = (uint)get_group_id(0) * BLOCK;
    __global const uint *has = AT(const uint, levels) + (size_t)(base / PART_WORDS) * chunks;
    if (t == 0)
        deepest = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint most = 0;
    for (uint row = t; row < chunks; row += GROUP_SIZE)
        most = max(most, has[row]);
    atomic_max(&deepest, most);
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint at = t % SPAN(BLOCK); at < BLOCK; at += SPAN(BLOCK)) {
        index_t sum[FIELDS] = {0};
        for (uint level = deepest; level-- > 0;) {
            // What the level above counted are carries: each left a full field, and came to the next one.
#pragma unroll
            for (uint field = FIELDS; field-- > 0;)
                sum[field] = (sum[field] << FIELD_BITS) - (field > 0 ? sum[field - 1] : 0);
            sum_rows(sum, AT(const uint, table) + (size_t)level * chunks * WORDS, has, level,
                     chunks, base + at);
        }
#pragma unroll
        for (uint field = 0; field < FIELDS; field++) {
            const index_t all = sum_lines(sum[field], BLOCK, part);
            if (t < SPAN(BLOCK))
                total[field * BLOCK + at] = all;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    // Keys of a block are a block in their order too.
    for (uint field = t; field < FIELDS; field += GROUP_SIZE) {
        const uint first = ordered((key_t)key_of(base, field), flip) / BLOCK * BLOCK;
        index_t sum = 0;
        for (uint d = first; d < first + BLOCK; d++) {
            AT(index_t, offsets)[d] = sum;
            sum += total[field * BLOCK + word_of(unordered((key_t)d, flip)) - base];
        }
        AT(index_t, totals)[first / BLOCK] = sum;
    }
    if (base + t == 0)
        AT(index_t, offsets)[BINS] = 0; // of the block behind the last
}

#endif

__kernel WORK_GROUP_KERNEL void groups_fill(BUFFER(table), WITHIN_BUFFER BUFFER(keys_to),
                                            const uint rows, const index_t n, const uint stretch,
                                            const key_t flip)
{
    __local starts_t starts;
#if KEY_BYTES == 2
    __global const index_t *within = AT(const index_t, offsets);
#endif
    const index_t first = (index_t)get_group_id(0) * stretch;
    make_starts(&starts, AT(const index_t, table), rows, n, flip);
    write_runs(&starts, WITHIN AT(key_t, keys_to), first, (uint)min(n - first, (index_t)stretch),
               flip);
}

#endif
