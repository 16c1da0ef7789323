// bucket.cl - a job's elements in local memory (segment.cl): its keys, and where in the job each was; then the values
//
// ROOM    elements that there is room for
#ifndef CLSORT_MSD_BUCKET_CL
#define CLSORT_MSD_BUCKET_CL

#include "common/arrays.cl"
#include "common/keys.cl"
#include "common/unroll.cl"
#include "common/work_group.cl"

// Wider values would take more room than their keys. room_bytes() of hybrid_tile.c knows it too.
#define FOLLOW_IN_ROOM (VALUE_BYTES > 0 && VALUE_BYTES <= 8)

typedef union {
    struct {
        key_t key[ROOM];
        VALUES(ushort from[ROOM];)
    } sorted;
#if FOLLOW_IN_ROOM
    value_unit_t unit[ROOM * (VALUE_BYTES / sizeof(value_unit_t))];
#endif
} job_room_t;

#if VALUE_BYTES > 0
#define VALUE_BATCH (40 / VALUE_BYTES) // values that a work-item holds at once

// Values follow their keys: this work-item's i-th, which is element first + i * stride of the job, was its from[i]-th;
// past the job's `count` elements that is any of them. All are read before one is written, since they may stay in their
// array; and without asking whether they are there, for which compilers would keep them in memory.
static inline void follow_keys(__local job_room_t *room, const uint *from, const uint first,
                               const uint stride, const uint count, __global const value_t *in,
                               const uint place, const uint start, __global value_t *out,
                               __global value_t *tmp)
{
    const uint t = (uint)get_local_id(0), last = max(count, 1u) - 1;
#if FOLLOW_IN_ROOM
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLL
    for (uint b = 0; b < ITEMS; b += VALUE_BATCH) {
        value_t value[VALUE_BATCH];
        UNROLL
        for (uint i = 0; i < VALUE_BATCH; i++)
            value[i] = VALUE_FROM(in, place, start + min(t + (b + i) * GROUP_SIZE, last));
        UNROLL
        for (uint i = 0; i < VALUE_BATCH; i++)
            if (b + i < ITEMS)
                *VALUE_IN(room->unit, t + (b + i) * GROUP_SIZE) = value[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#define VALUE_THAT_WAS(from) *VALUE_IN(room->unit, from)
#else
    const bool stays = in == out;
    for (uint j = start + t; j < start + count && stays; j += GROUP_SIZE)
        tmp[j] = in[j];
    barrier(CLK_GLOBAL_MEM_FENCE);
    __global const value_t *source = (stays ? tmp : in) + start;
#define VALUE_THAT_WAS(from) source[min(from, last)]
#endif
    UNROLL
    for (uint b = 0; b < ITEMS; b += VALUE_BATCH) {
        value_t value[VALUE_BATCH];
        UNROLL
        for (uint i = 0; i < VALUE_BATCH; i++)
            value[i] = VALUE_THAT_WAS(from[min(b + i, ITEMS - 1u)]);
        UNROLL
        for (uint i = 0; i < VALUE_BATCH; i++) {
            const uint j = first + (b + i) * stride;
            if (b + i < ITEMS && j < count)
                out[start + j] = value[i];
        }
    }
}
#endif

// The bits in which keys differ, those of all work-items together.
static inline ulong group_or(const ulong mine, __local uint *words)
{
    if (get_local_id(0) == 0)
        words[0] = words[1] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_or(&words[0], (uint)mine);
    atomic_or(&words[1], (uint)(mine >> 32));
    barrier(CLK_LOCAL_MEM_FENCE);
    const ulong all = (ulong)words[1] << 32 | words[0];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); // in place, keys have been read
    return all;
}

#endif
