// tiles.cl - selects the k first elements of the input, for GPUs: one work-group per chunk
//
// select.cl explains the method and its kernels. Here a work-group reads its chunk in tiles. Each
// work-item has VECTORS vectors of 4 neighbouring keys. Two sums of packed counters give the ranks of
// its elements in the order of the input. Most tiles have few candidates and need no sum: the positions of
// these are listed, and the rank of each is the number of positions before it.
//
// Options, besides those of common/types.cl and common/keys.cl: BITS of a digit (select/range.cl),
// those of common/sub_group.cl, and GROUP_SIZE (common/work_group.cl), at most 1024.
#ifndef CLSORT_SELECT_TILES_CL
#define CLSORT_SELECT_TILES_CL

#include "common/group_sum.cl"
#include "select/select.cl"

#define VECTORS 4u                   // of a work-item: two for each packed sum
#define QUAD_KEYS 4u                 // keys of a vector
#define ROW (GROUP_SIZE * QUAD_KEYS) // keys that the work-items' vectors of one number have
#define SELECT_TILE (ROW * VECTORS)
#define WORK_ITEM_KEYS (VECTORS * QUAD_KEYS)

// Returns the index in the tile of this work-item's key i.
static inline uint select_tile_index(const uint i)
{
    return i / QUAD_KEYS * ROW + (uint)get_local_id(0) * QUAD_KEYS + i % QUAD_KEYS;
}

#if KEY_BYTES == 1
typedef uchar4 key_quad_t;
#elif KEY_BYTES == 2
typedef ushort4 key_quad_t;
#elif KEY_BYTES == 4
typedef uint4 key_quad_t;
#else
typedef ulong4 key_quad_t;
#endif

// Loads this work-item's keys of a tile that has `count` keys. Those past the end are undefined.
static inline void load_tile_keys(key_t *key, __global const key_t *in, const size_t count)
{
    if (count >= SELECT_TILE && ((size_t)in & (sizeof(key_quad_t) - 1)) == 0) {
        __global const key_quad_t *quads = (__global const key_quad_t *)in + get_local_id(0);
#pragma unroll
        for (uint v = 0; v < VECTORS; v++) {
            const key_quad_t quad = quads[v * GROUP_SIZE];
            key[v * QUAD_KEYS] = quad.x;
            key[v * QUAD_KEYS + 1] = quad.y;
            key[v * QUAD_KEYS + 2] = quad.z;
            key[v * QUAD_KEYS + 3] = quad.w;
        }
    } else if (count > 0) {
#pragma unroll
        for (uint i = 0; i < WORK_ITEM_KEYS; i++) {
            key[i] = in[min((size_t)select_tile_index(i), count - 1)];
        }
    }
}

// The ranks of marked keys in the order of the input.
typedef struct {
    uint before[VECTORS]; // number of marked keys before each vector of this work-item
    uint total;           // number of marked keys of the tile
} tile_ranks_t;

// `words` has GROUP_SIZE elements.
static inline void rank_marked(tile_ranks_t *ranks, const uint marked, __local uint *words)
{
    ranks->total = 0;
#pragma unroll
    for (uint v = 0; v < VECTORS; v += 2) { // two vectors share a sum
        const uint counts = (uint)popcount(marked >> v * QUAD_KEYS & 15u) |
                            (uint)popcount(marked >> (v + 1) * QUAD_KEYS & 15u) << 16;
        uint totals;
        const uint before = group_exclusive_sum(counts, words, &totals);
        ranks->before[v] = ranks->total + (before & 0xffff);
        ranks->before[v + 1] = ranks->total + (totals & 0xffff) + (before >> 16);
        ranks->total += (totals & 0xffff) + (totals >> 16);
    }
}

// Returns the number of marked keys of the tile before this work-item's key i.
static inline uint rank_of(const tile_ranks_t ranks, const uint marked, const uint i)
{
    const uint v = i / QUAD_KEYS;
    return ranks.before[v] + (uint)popcount(marked >> v * QUAD_KEYS & ((1u << i % QUAD_KEYS) - 1));
}

#define FEW_MARKS 64u // marked keys that are ranked without a scan

// The local memory of a kernel that ranks tiles.
typedef struct {
    union {
        ulong sums[2 * GROUP_SIZE];    // see group_exclusive_scan
        uint words[GROUP_SIZE];        // see group_exclusive_sum
        ushort positions[SELECT_TILE]; // of the marked keys in the tile, in order
    } all;
    // The tiles use three counters and lists in turn; see list_marks.
    uint marks[3];            // the numbers of marked keys of the tile, and of ties among them
    ushort few[3][FEW_MARKS]; // their positions in any order, while they fit
    uint block;               // the first block that was allocated for a tile
} tile_memory_t;

static inline void clear_marks(__local tile_memory_t *memory)
{
    if (get_local_id(0) == 0) {
        memory->marks[0] = memory->marks[1] = memory->marks[2] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// The numbers of marked keys and of ties are added up in one word. A tile has at most 2^14 keys.
#define TIE 0x10000u
#define MARKS (TIE - 1)

// Lists the marked keys of a tile, `tied` of which are ties. Returns the number of marked keys, plus TIE for each tie.
// Since there are three lists, one barrier suffices: `call` is the number of the call modulo 3.
static inline uint list_marks(const uint marked, const uint tied, const uint call,
                              __local tile_memory_t *memory)
{
    if (marked) {
        const uint added = (uint)popcount(marked) + (uint)popcount(tied) * TIE;
        uint slot = atomic_add(&memory->marks[call], added) & MARKS;
        for (uint rest = marked; rest > 0 && slot < FEW_MARKS; rest &= rest - 1) {
            memory->few[call][slot++] = (ushort)select_tile_index(31 - clz(rest & (0 - rest)));
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        memory->marks[(call + 2) % 3] = 0;
    }
    return memory->marks[call];
}

// Writes the positions of all marked keys of the tile in order. Returns their number.
static inline uint list_positions(const uint marked, __local tile_memory_t *memory)
{
    tile_ranks_t ranks;
    rank_marked(&ranks, marked, memory->all.words);
#pragma unroll
    for (uint i = 0; i < WORK_ITEM_KEYS; i++) {
        if (marked >> i & 1) {
            memory->all.positions[rank_of(ranks, marked, i)] = (ushort)select_tile_index(i);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return ranks.total;
}

// Returns the position of a marked key of the tile, and sets *rank to the number of those before it. `i` counts all
// `count` of them, either as list_marks() has listed them (are_few) or as list_positions() has.
static inline uint marked_position(uint *rank, const uint i, const uint count, const bool are_few,
                                   const uint call, __local const tile_memory_t *memory)
{
    if (!are_few) {
        *rank = i;
        return memory->all.positions[i];
    }
    const uint position = memory->few[call][i];
    uint before = 0;
    for (uint j = 0; j < count; j++) {
        before += memory->few[call][j] < position;
    }
    *rank = before;
    return position;
}

// -- the first read -------------------------------------------------------------------------------

typedef struct {
    uint block, size; // the last block of the chunk, and its number of candidates
    bool is_full;     // a tile did not fit in the remaining blocks
} collector_t;

// Allocates the blocks for more candidates. If there are not enough, these are dropped. Returns the first
// of the new blocks. All work-items of the group have the same collector.
static inline uint extend_blocks(collector_t *to, const uint blocks, const select_scratch_t at,
                                 const cls_select_args args, __local tile_memory_t *memory)
{
    if (get_local_id(0) == 0) {
        const uint next = to->is_full ? 0 : allocate_blocks(at.control, blocks, args.blocks);
        for (uint b = 0; !to->is_full && b < blocks && next < args.blocks; b++) {
            at.links[b == 0 ? to->block : next + b - 1] = next + b;
        }
        memory->block = next;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint next = memory->block;
    to->is_full |= next == args.blocks;
    return next;
}

// Stores the marked keys of the tile that begins at index `first`.
static inline void store_candidates(collector_t *to, __global const key_t *in, const index_t first,
                                    const uint count, const uint call, const select_scratch_t at,
                                    const cls_select_args args, __local tile_memory_t *memory)
{
    const uint blocks = (max(to->size + count, 1u) - 1) / SELECT_BLOCK; // to allocate
    const uint next = blocks > 0 ? extend_blocks(to, blocks, at, args, memory) : 0;
    for (uint i = (uint)get_local_id(0); i < count && !to->is_full; i += GROUP_SIZE) {
        uint rank;
        const uint position = marked_position(&rank, i, count, count <= FEW_MARKS, call, memory);
        rank += to->size;
        const uint block = rank / SELECT_BLOCK;
        const size_t target = (size_t)(block == 0 ? to->block : next + block - 1) * SELECT_BLOCK +
                              rank % SELECT_BLOCK;
        at.keys[target] = in[first + position];
        at.indexes[target] = first + position;
    }
    to->block = blocks > 0 ? next + blocks - 1 : to->block;
    to->size += count - blocks * SELECT_BLOCK;
}

// Counts the keys of each chunk before and at the ends of the bracket, and collects those inside.
__kernel SUB_GROUP_KERNEL void select_filter(BUFFER(scratch), INPUT(keys), SELECT_ARGS)
{
    __local tile_memory_t memory;
    BEGIN_ARGS
    const select_scratch_t at = SCRATCH(AT(uchar, scratch), args);
    const bracket_t bracket = bracket_of(at.control, args);
    const key_t flip = (key_t)args.flip, window = (key_t)args.window;
    const select_chunk_t chunk = chunk_of_group(args);
    __global const key_t *in = AT(const key_t, keys);
    bracket_counts_t counts = {0, 0, 0, 0};
    uint below = 0, equal_low = 0, equal_high = 0; // keys of this work-item
    collector_t candidates;
    candidates.block = (uint)get_group_id(0);
    candidates.size = 0;
    candidates.is_full = false;
    uint call = 0;
    clear_marks(&memory);
    clear_table_row(at.table, (uint)get_group_id(0), args);
    key_t next[WORK_ITEM_KEYS]; // of the next tile, which is loaded while the tile is processed
    load_tile_keys(next, in + chunk.first, chunk.last - chunk.first);
    for (index_t first = chunk.first; first < chunk.last;
         first += min(chunk.last - first, (index_t)SELECT_TILE)) {
        const index_t left = chunk.last - first, step = min(left, (index_t)SELECT_TILE);
        key_t key[WORK_ITEM_KEYS];
        uint marked = 0;
#pragma unroll
        for (uint i = 0; i < WORK_ITEM_KEYS; i++) {
            key[i] = next[i];
        }
        load_tile_keys(next, in + first + step, left - step);
#pragma unroll
        for (uint i = 0; i < WORK_ITEM_KEYS; i++) {
            const key_t x = compared(key[i], flip, window);
            const bool exists = select_tile_index(i) < left;
            below += exists & (x < bracket.low);
            equal_low += exists & (x == bracket.low);
            equal_high += exists & (x == bracket.high);
            marked |= (uint)(exists & is_candidate(x, bracket)) << i;
        }
        const uint candidate_count = list_marks(marked, 0, call, &memory);
        if (candidate_count > FEW_MARKS) {
            list_positions(marked, &memory);
        }
        if (candidate_count > 0) {
            store_candidates(&candidates, in, first, candidate_count, call, at, args, &memory);
        }
        counts.inside += candidate_count;
        call = (call + 1) % 3;
    }
    barrier(CLK_LOCAL_MEM_FENCE); // the positions have been read
    group_exclusive_scan(below, memory.all.sums, &counts.below);
    group_exclusive_scan(equal_low, memory.all.sums, &counts.equal_low);
    group_exclusive_scan(equal_high, memory.all.sums, &counts.equal_high);
    if (get_local_id(0) == 0) {
        write_counts(at.chunks + get_group_id(0), counts, bracket, args);
    }
}

// -- the output -----------------------------------------------------------------------------------

typedef struct {
    output_t output;
    index_t next; // offset in the output of the next element
    index_t tie;  // number of ties so far
    uint call;    // see list_marks
} emitter_t;

// Writes the selected elements among the keys [first, end), at most a tile. Their indexes in the
// input are in `indexes`; if it is 0, they are those in `keys`.
static inline void emit_tile(emitter_t *to, __global const key_t *keys,
                             __global const index_t *indexes, const size_t first, const size_t end,
                             __local tile_memory_t *memory)
{
    const output_t output = to->output;
    uint marked = 0, tied = 0;
    key_t key[WORK_ITEM_KEYS];
    load_tile_keys(key, keys + first, end - first);
#pragma unroll
    for (uint i = 0; i < WORK_ITEM_KEYS; i++) {
        const key_t x = compared(key[i], output.flip, output.window);
        const bool exists = first + select_tile_index(i) < end;
        marked |= (uint)(exists & (x >= output.first) & (x < output.threshold)) << i;
        tied |= (uint)(exists & (x == output.threshold)) << i;
    }
    const uint call = to->call, marks = list_marks(marked | tied, tied, call, memory),
               ties = marks / TIE;
    const bool has_all_ties =
        ties == 0 || (to->tie >= output.first_tie && to->tie + ties <= output.end_tie);
    to->call = (call + 1) % 3;
    if (marks == 0) {
        return;
    }
    if (has_all_ties) {
        marked |= tied;
    } else if (to->tie < output.end_tie && to->tie + ties > output.first_tie) {
        tile_ranks_t tie_ranks;
        rank_marked(&tie_ranks, tied, memory->all.words);
        for (uint i = 0; i < WORK_ITEM_KEYS; i++) {
            const index_t tie = to->tie + rank_of(tie_ranks, tied, i);
            marked |= (tied >> i & (uint)is_selected_tie(tie, output)) << i;
        }
    }
    const bool are_few = has_all_ties && (marks & MARKS) <= FEW_MARKS;
    const uint count = are_few ? marks & MARKS : list_positions(marked, memory);
    for (uint i = (uint)get_local_id(0); i < count; i += GROUP_SIZE) {
        uint rank;
        const uint position = marked_position(&rank, i, count, are_few, call, memory);
        const size_t from = first + position;
        write_element(output, to->next + rank, keys[from], indexes ? indexes[from] : (index_t)from);
    }
    to->tie += ties;
    to->next += count;
}

// Writes the selected elements of each chunk to the output.
__kernel SUB_GROUP_KERNEL void select_emit(OUTPUT_ARGUMENTS)
{
    __local tile_memory_t memory;
    BEGIN_OUTPUT
    if (own->emitted == 0) {
        return;
    }
    emitter_t emitter;
    emitter.output = output;
    emitter.next = (index_t)own->offset;
    emitter.tie = 0;
    emitter.call = 0;
    clear_marks(&memory);
    // One loop for both sources, since PoCL 3.1 miscompiles loops with barriers in branches.
    const bool is_from_candidates = is_among_candidates(at.control, args);
    const index_t end = (index_t)(own->offset + own->emitted);
    candidates_t part = NO_CANDIDATES(at, (uint)get_group_id(0));
    if (is_from_candidates) {
        next_block(&part, at.links);
    } else {
        part.first = chunk.first;
        part.end = chunk.last;
    }
    while (emitter.next < end && part.first < part.end) {
        emit_tile(&emitter, is_from_candidates ? at.keys : output.in,
                  is_from_candidates ? at.indexes : 0, part.first,
                  min(part.end, part.first + (size_t)SELECT_TILE), &memory);
        part.first += SELECT_TILE;
        if (is_from_candidates && part.first >= part.end) {
            next_block(&part, at.links);
        }
    }
}

// -- the partition --------------------------------------------------------------------------------

// Writes all elements of each chunk to the three parts of the output.
__kernel SUB_GROUP_KERNEL void select_partition(OUTPUT_ARGUMENTS)
{
    __local tile_memory_t memory;
    BEGIN_OUTPUT
    parts_t next;
    set_parts(&next, at.control, own, chunk);
    for (index_t first = chunk.first; first < chunk.last;
         first += min(chunk.last - first, (index_t)SELECT_TILE)) {
        const index_t left = chunk.last - first;
        uint less = 0, tied = 0;
        for (uint i = 0; i < WORK_ITEM_KEYS; i++) {
            if (select_tile_index(i) < left) {
                const key_t x =
                    compared(output.in[first + select_tile_index(i)], output.flip, output.window);
                less |= (uint)(x < output.threshold) << i;
                tied |= (uint)(x == output.threshold) << i;
            }
        }
        tile_ranks_t less_ranks, tie_ranks;
        rank_marked(&less_ranks, less, memory.all.words);
        rank_marked(&tie_ranks, tied, memory.all.words);
        for (uint i = 0; i < WORK_ITEM_KEYS; i++) {
            const uint at_tile = select_tile_index(i);
            if (at_tile < left) {
                const uint less_rank = rank_of(less_ranks, less, i),
                           tie_rank = rank_of(tie_ranks, tied, i);
                const index_t to = less >> i & 1   ? next.less + less_rank
                                   : tied >> i & 1 ? next.equal + tie_rank
                                                   : next.greater + at_tile - less_rank - tie_rank;
                write_element(output, to, output.in[first + at_tile], first + at_tile);
            }
        }
        next.less += less_ranks.total;
        next.equal += tie_ranks.total;
        next.greater += min(left, (index_t)SELECT_TILE) - less_ranks.total - tie_ranks.total;
    }
}

#endif
