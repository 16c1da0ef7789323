// fallback.cl - hybrid's jobs that hybrid_sort does not sort
//
//   hybrid_settle    jobs of a tile, in local memory (settle_job.cl)
//   hybrid_rest      jobs of more keys, that were too many for the tables of a round or for this tile: LSD radix sort
//                    in global memory, by one group each
//
// GROUP_SIZE, ITEMS, BITS    as in rank.cl
#ifndef CLSORT_MSD_FALLBACK_CL
#define CLSORT_MSD_FALLBACK_CL

#define RANK_STABLE 1

#include "common/group_sum.cl"
#include "msd/lsd_in_tile.cl"
#include "msd/tile.cl"

__kernel SUB_GROUP_KERNEL void hybrid_settle(BUFFER(control), INPUT(keys), BUFFER(keys_to),
                                             BUFFER(keys_tmp),
                                             VALUE_INPUT(values) VALUE_BUFFER(values_to)
                                                 VALUE_BUFFER(values_tmp) BUFFER(jobs),
                                             BUFFER(settles), const key_t flip, const key_t pad)
{
    __local settle_room_t room;
    const uint all = AT(const control_t, control)->settles;
    for (uint g = (uint)get_group_id(0); g < all; g += (uint)get_num_groups(0)) {
        const job_t job = AT(const job_t, jobs)[AT(const uint, settles)[g]];
        const uint count = job.count <= TILE ? job.count : 0; // more are hybrid_rest's
        __global const key_t *in = KEYS_OF(job.place) + job.start;
        __global key_t *out = AT(key_t, keys_to) + job.start;
#if VALUE_BYTES > 0
        settle_job(&room, job, count, in, out, flip, pad, VALUES_FROM(job.place),
                   AT(value_t, values_to), AT(value_t, values_tmp));
#else
        settle_job(&room, job, count, in, out, flip, pad);
#endif
    }
}

// next[] becomes where each digit begins, of so many keys that begin at `start`.
static inline void count_rest(__local uint *next, __local uint *sums, __global const key_t *in,
                              const uint start, const uint count, const key_t flip,
                              const uint shift, const uint mask)
{
    const uint t = (uint)get_local_id(0);
    for (uint d = t; d < RADIX; d += GROUP_SIZE)
        next[d] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint j = t; j < count; j += GROUP_SIZE)
        atomic_inc(&next[digit_of(in[start + j], flip, shift, mask)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = start;
    for (uint first = 0; first < RADIX; first += GROUP_SIZE) {
        const uint d = first + t;
        uint total;
        const uint before = group_exclusive_sum(d < RADIX ? next[d] : 0, sums, &total);
        if (d < RADIX)
            next[d] = sum + before;
        sum += total;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

__kernel SUB_GROUP_KERNEL void hybrid_rest(BUFFER(control), INPUT(keys), BUFFER(keys_to),
                                           BUFFER(keys_tmp),
                                           VALUE_INPUT(values) VALUE_BUFFER(values_to)
                                               VALUE_BUFFER(values_tmp) BUFFER(jobs),
                                           BUFFER(settles), const key_t flip, const key_t pad)
{
    __local exchange_t room;
    __local ranks_t ranks;
    __local uint next[RADIX], to[RADIX];
    __local uint sums[GROUP_SIZE];
    const uint t = (uint)get_local_id(0), all = AT(const control_t, control)->settles;
    for (uint g = (uint)get_group_id(0); g < all; g += (uint)get_num_groups(0)) {
        const job_t job = AT(const job_t, jobs)[AT(const uint, settles)[g]];
        if (job.count <= TILE)
            continue;
        uint place = job.place;
        for (uint shift = BEGIN_BIT; shift < job.top; shift += BITS) {
            const uint mask = mask_at(shift, job.top), after = place_after(place);
            uint next_place[DIGITS];
            count_rest(next, sums, KEYS_OF(place), job.start, job.count, flip, shift, mask);
            for (uint i = 0; i < DIGITS; i++)
                next_place[i] = next[min(t * DIGITS + i, RADIX - 1)];
            for (uint first = 0; first < job.count; first += TILE) {
                const uint here = min(job.count - first, (uint)TILE);
                key_t key[ITEMS];
                uint place_of_item[ITEMS], total[DIGITS];
                VALUES(value_t value[ITEMS];)
                load_tile(key, KEYS_OF(place) + job.start + first, here, pad);
                rank_tile(&ranks, key, here, flip, shift, mask, place_of_item, total);
                exchange_keys(&room, &ranks, to, key, place_of_item, total, next_place);
                barrier(CLK_LOCAL_MEM_FENCE);
                VALUES(load_values(value, here, VALUES_FROM(place), place, job.start + first);)
                write_keys(&room, place_of_item, to, here, KEYS_OF(after), flip, shift, mask);
                VALUES(exchange_values(&room, place_of_item, value);)
                VALUES(write_values(&room, place_of_item, value, to, here, VALUES_TO(after), flip,
                                    shift, mask);)
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            place = after;
        }
        const uint left = place == OUTPUT_ARRAY ? 0 : job.count;
        for (uint j = job.start + t; j < job.start + left; j += GROUP_SIZE) {
            AT(key_t, keys_to)[j] = AT(const key_t, keys_tmp)[j];
            VALUES(AT(value_t, values_to)[j] = AT(const value_t, values_tmp)[j];)
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}

#endif
