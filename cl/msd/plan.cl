// plan.cl - what becomes of a segment's children: segments of the next round, or jobs (segment.cl)
//
//   hybrid_begin    one group: makes the first segment, which hybrid_look has counted, and plans for its children
//   hybrid_plan     the same for the segments of a later round, a group for each
//
// Cost: some microseconds a round: GROUP_SIZE work-items go through RADIX children, and twice through the rows of their
// segment's blocks; and a table of its tiles is written.
//
// TARGET    keys that a child should have
#ifndef CLSORT_MSD_PLAN_CL
#define CLSORT_MSD_PLAN_CL

#include "common/rank.cl"
#include "common/scan.cl"
#include "msd/tables.cl"

#define WINDOW (JOB_TILE / 2) // small children that begin in the same one fit a tile together
#define TEAM (GROUP_SIZE < 32 ? GROUP_SIZE : 32) // work-items that write what a large child needs
#define ROWS 16                                  // that are on their way at once

typedef struct {
    uint start[RADIX + 1]; // of each child, in the segment; before, how many keys it has
    uint span[RADIX +
              1]; // the first child of each span: neighbours that are one job, or a child alone
    ulong sums[2 * GROUP_SIZE];
    uint only; // 1: one child has all keys
    uint to;   // the first of the segment's tiles in their list
    uint larges;
    struct {
        uint child;
        uint slot; // among the next round's segments; NO_SEGMENT: its keys are equal
        uint to;   // the first of its blocks, or jobs
    } large[RADIX];
} plan_t;

// Where the next round is planned.
typedef struct {
    __global control_t *control;
    __global segment_t *segments;
    __global part_t *blocks;
    __global job_t *jobs;
    uint
        max_segments; // that there is room for; children without room are jobs, whatever their size
    uint block_tiles;
    uint round;
    uint rounds; // that are left after this one
} next_t;

static inline void add_up(__local plan_t *p)
{
    ulong sum = 0;
    for (uint first = 0; first < RADIX; first += GROUP_SIZE) {
        const uint d = first + (uint)get_local_id(0);
        ulong total;
        const ulong before = group_exclusive_scan(d < RADIX ? p->start[d] : 0, p->sums, &total);
        if (d < RADIX)
            p->start[d] = (uint)(sum + before);
        sum += total;
    }
    if (get_local_id(0) == 0) {
        p->start[RADIX] = (uint)sum;
        p->larges = p->only = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

static inline bool is_small(__local const plan_t *p, const uint child)
{
    return p->start[child + 1] - p->start[child] <= WINDOW;
}

static inline bool begins_span(__local const plan_t *p, const uint child)
{
    return child == 0 || !is_small(p, child) || !is_small(p, child - 1) ||
           p->start[child] / WINDOW != p->start[child - 1] / WINDOW;
}

// Returns how many there are.
static inline uint make_spans(__local plan_t *p, const uint children)
{
    uint spans = 0;
    for (uint first = 0; first < children; first += GROUP_SIZE) {
        const uint d = first + (uint)get_local_id(0);
        const bool begins = d < children && begins_span(p, d);
        ulong total;
        const uint before = (uint)group_exclusive_scan(begins, p->sums, &total);
        if (begins)
            p->span[spans + before] = d;
        spans += (uint)total;
    }
    if (get_local_id(0) == 0)
        p->span[spans] = children;
    barrier(CLK_LOCAL_MEM_FENCE);
    return spans;
}

static inline uint tiles_of(const uint count)
{
    return (count - 1) / TILE + 1;
}

// Bits of a segment's digit: as many as give children TARGET keys, and no fewer than the rounds that are left need.
static inline uint digit_bits(const uint count, const uint width, const uint rounds)
{
    const uint least = (width + rounds - 1) / rounds;
    const uint wanted = ceil_log2((count + TARGET - 1) / TARGET);
    return min(min(max(wanted, least), (uint)BITS), width);
}

// A child of more than a tile.
static inline void plan_large(__local plan_t *p, const next_t next, segment_t child,
                              const uint digit)
{
    uint slot = NO_SEGMENT, to;
    if (child.top > BEGIN_BIT)
        slot = atomic_inc(&next.control->segments[next.round + 1]);
    if (slot < next.max_segments) {
        const uint tiles = tiles_of(child.count);
        to = atomic_add(&next.control->blocks[next.round + 1], (tiles - 1) / next.block_tiles + 1);
        child.first_row = atomic_add(&next.control->rows[next.round + 1], tiles);
        next.segments[slot] = child;
    } else {
        const uint pieces = slot == NO_SEGMENT ? (child.count - 1) / JOB_TILE + 1 : 1;
        to = atomic_add(&next.control->jobs, pieces);
    }
    const uint l = atomic_inc(&p->larges);
    p->large[l].child = digit;
    p->large[l].slot = slot;
    p->large[l].to = to;
}

// What one work-item would take long to write.
static inline void write_larges(__local const plan_t *p, const next_t next, const segment_t s,
                                const uint place)
{
    const uint t = (uint)get_local_id(0), lane = t % TEAM, shift = s.top - s.bits;
    for (uint l = t / TEAM; l < p->larges; l += GROUP_SIZE / TEAM) {
        const uint child = p->large[l].child, slot = p->large[l].slot, to = p->large[l].to;
        const uint start = p->start[child], count = p->start[child + 1] - start;
        if (slot < next.max_segments) {
            for (uint i = lane; i <= (tiles_of(count) - 1) / next.block_tiles; i += TEAM) {
                const part_t block = {slot, i};
                next.blocks[to + i] = block;
            }
        } else {
            const uint piece = slot == NO_SEGMENT ? JOB_TILE : count;
            for (uint i = lane; i <= (count - 1) / piece; i += TEAM) {
                const job_t job = {s.start + start + i * piece,
                                   min(count - i * piece, piece),
                                   (uchar)place,
                                   (uchar)shift,
                                   (uchar)shift,
                                   0,
                                   0,
                                   1};
                next.jobs[to + i] = job;
            }
        }
    }
}

// The sum of a column of rows that are `stride` words apart.
static inline uint add_rows(__global const uint *column, const uint rows, const uint stride)
{
    uint sum = 0, i = 0;
    for (; i + ROWS <= rows; i += ROWS) {
        uint part[ROWS];
        UNROLL
        for (uint k = 0; k < ROWS; k++)
            part[k] = column[(i + k) * stride];
        UNROLL
        for (uint k = 0; k < ROWS; k++)
            sum += part[k];
    }
    for (; i < rows; i++)
        sum += column[i * stride];
    return sum;
}

// Counts become the sums of those above them, and `sum`.
static inline void scan_rows(__global uint *column, const uint rows, const uint stride, uint sum)
{
    uint i = 0;
    for (; i + ROWS <= rows; i += ROWS) {
        uint part[ROWS];
        UNROLL
        for (uint k = 0; k < ROWS; k++)
            part[k] = column[(i + k) * stride];
        UNROLL
        for (uint k = 0; k < ROWS; k++) {
            column[(i + k) * stride] = sum;
            sum += part[k];
        }
    }
    for (; i < rows; i++) {
        const uint count = column[i * stride];
        column[i * stride] = sum;
        sum += count;
    }
}

// The tiles of a segment that moves. `to`: a word of local memory.
static inline void write_tiles(__global control_t *control, __global part_t *list, const uint round,
                               const uint segment, const uint tiles, __local uint *to)
{
    const uint t = (uint)get_local_id(0);
    if (t == 0)
        *to = atomic_add(&control->tiles[round], tiles);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = t; i < tiles; i += GROUP_SIZE) {
        const part_t tile = {segment, i};
        list[*to + i] = tile;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// Plans for the children of s, whose tiles have these rows; its number is `segment`, and so many of its tiles are a
// block.
static inline void plan_children(__local plan_t *p, const segment_t s, const uint segment,
                                 __global uint *row, const uint block_tiles, __global part_t *tiles,
                                 const next_t next)
{
    const uint t = (uint)get_local_id(0), shift = s.top - s.bits;
    const uint stride = block_tiles * RADIX, blocks = (tiles_of(s.count) - 1) / block_tiles + 1;
    for (uint d = t; d < RADIX; d += GROUP_SIZE)
        p->start[d] = add_rows(row + d, blocks, stride);
    barrier(CLK_LOCAL_MEM_FENCE);
    add_up(p);
    for (uint d = t; d < RADIX; d += GROUP_SIZE) {
        scan_rows(row + d, blocks, stride, s.start + p->start[d]);
        if (p->start[d + 1] - p->start[d] == s.count)
            p->only = 1;
    }
    const uint spans = make_spans(p, 1u << s.bits);
    const uint place = p->only ? s.place : place_after(s.place);
    // Keys that all have one digit stay where they are.
    write_tiles(next.control, tiles, next.round, segment, p->only ? 0 : tiles_of(s.count), &p->to);
    for (uint k = t; k < spans; k += GROUP_SIZE) {
        const uint first = p->span[k], children = p->span[k + 1] - first;
        const uint start = p->start[first], count = p->start[first + children] - start;
        if (count > JOB_TILE) {
            const segment_t child = {s.start + start,
                                     count,
                                     place,
                                     shift,
                                     digit_bits(count, shift - BEGIN_BIT, max(next.rounds, 1u)),
                                     0};
            plan_large(p, next, child, first);
        } else if (count > 0) {
            const bool alone = children == 1;
            const job_t job = {s.start + start,
                               count,
                               (uchar)place,
                               (uchar)(alone ? shift : s.top),
                               (uchar)shift,
                               0,
                               (ushort)(alone ? 0 : first),
                               (ushort)children};
            next.jobs[atomic_inc(&next.control->jobs)] = job;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    write_larges(p, next, s, place);
    barrier(CLK_LOCAL_MEM_FENCE);
}

__kernel SUB_GROUP_KERNEL void hybrid_begin(BUFFER(control), BUFFER(segments),
                                            BUFFER(segments_next), BUFFER(tiles),
                                            BUFFER(blocks_next), BUFFER(rows), BUFFER(jobs),
                                            const uint look_tiles, const uint block_tiles,
                                            const uint rounds, const uint max_segments,
                                            const uint n, const uint top, const uint bits)
{
    __local plan_t p;
    const uint t = (uint)get_local_id(0);
    __global control_t *c = AT(control_t, control);
    const segment_t s = {0, n, INPUT_ARRAY, top, bits, 0};
    for (uint round = t; round <= MAX_ROUNDS; round += GROUP_SIZE)
        c->segments[round] = c->blocks[round] = c->rows[round] = c->tiles[round] =
            c->tickets[round] = 0;
    if (t == 0) {
        c->head.is_sorted = c->jobs = c->settles = 0;
        // Field by field: rusticl's compiler falls over the whole.
        __global segment_t *self = AT(segment_t, segments);
        self->start = s.start;
        self->count = s.count;
        self->place = s.place;
        self->top = s.top;
        self->bits = s.bits;
        self->first_row = s.first_row;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const next_t next = {c,
                         AT(segment_t, segments_next),
                         AT(part_t, blocks_next),
                         AT(job_t, jobs),
                         max_segments,
                         block_tiles,
                         0,
                         rounds - 1};
    plan_children(&p, s, 0, AT(uint, rows), look_tiles, AT(part_t, tiles), next);
}

__kernel SUB_GROUP_KERNEL void hybrid_plan(BUFFER(control), BUFFER(segments), BUFFER(segments_next),
                                           BUFFER(tiles), BUFFER(blocks_next), BUFFER(rows),
                                           BUFFER(jobs), const uint block_tiles, const uint rounds,
                                           const uint max_segments, const uint round)
{
    __local plan_t p;
    __global control_t *c = AT(control_t, control);
    const uint all = min(c->segments[round], max_segments);
    const next_t next = {c,
                         AT(segment_t, segments_next),
                         AT(part_t, blocks_next),
                         AT(job_t, jobs),
                         max_segments,
                         block_tiles,
                         round,
                         rounds - round - 1};
    for (uint i = (uint)get_group_id(0); i < all; i += (uint)get_num_groups(0)) {
        const segment_t s = AT(const segment_t, segments)[i];
        plan_children(&p, s, i, AT(uint, rows) + s.first_row * RADIX, block_tiles,
                      AT(part_t, tiles), next);
    }
}

#endif
