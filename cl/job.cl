// job.cl - a job's elements in local memory (segment.cl): its keys, and where in the job each was; then the values
//
// ROOM    elements that there is room for

#if !defined(UNROLL) || !defined(ITEMS) || !defined(KEYS_AT) || !defined(ROOM)
#error "job.cl needs group.cl, places.cl, ITEMS and ROOM"
#endif

typedef union {
    struct {
        key_t key[ROOM];
        VALUES(ushort from[ROOM];)
    } sorted;
    VALUES(value_unit_t unit[ROOM * (VALUE_BYTES / sizeof(value_unit_t))];)
} job_room_t;

#if VALUE_BYTES > 0
// Values follow their keys: this work-item's i-th, which is element first + i * stride of the job, was its from[i]-th.
// All are read before one is written, since they may stay in their array.
static inline void follow_keys(__local job_room_t *room, const uint *from, const uint first,
                               const uint stride, const uint count, __global const value_t *in,
                               const uint place, const uint start, __global value_t *out)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLL for (uint i = 0; i < ITEMS; i++)
    {
        const uint j = (uint)get_local_id(0) + i * GROUP_SIZE;
        if (j < count)
            *VALUE_IN(room->unit, j) = VALUE_FROM(in, place, start + j);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    UNROLL for (uint i = 0; i < ITEMS; i++)
    {
        const uint j = first + i * stride;
        if (j < count)
            out[start + j] = *VALUE_IN(room->unit, from[i]);
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
