// hybrid_settle.cl - hybrid's jobs that bins do not spread: LSD radix sort, by the digits that vary
//
//   hybrid_settle    jobs of a tile, in local memory
//   hybrid_rest      jobs of more keys, that were too many for the tables of a round or for this tile: in global memory,
//                    by one group each
//
// Cost model: in local memory a match, and three accesses of random places, for each key and digit.
//
// GROUP_SIZE, ITEMS, BITS    as in rank.cl

#if !defined(TILE) || !defined(RADIX) || !defined(JOB_TILE) || !defined(ROOM)
#error "hybrid_settle.cl needs rank_keys.cl, segment.cl, job.cl and tile.cl"
#endif

// A digit begins at `shift`, and has BITS bits where there are so many below `top`.
static inline uint mask_at(const uint shift, const uint top)
{
    return (1u << min((uint)BITS, top - shift)) - 1;
}

// The first digit from `shift` on that varies.
static inline uint varying_from(const ulong varying, uint shift, const uint top)
{
    while (shift < top && (varying >> shift & mask_at(shift, top)) == 0)
        shift += BITS;
    return shift;
}

__kernel GROUP void hybrid_settle(BUFFER(control), INPUT(keys), BUFFER(keys_to), BUFFER(keys_tmp),
                                  VALUE_INPUT(values) VALUE_BUFFER(values_to)
                                      VALUE_BUFFER(values_tmp) BUFFER(jobs),
                                  BUFFER(settles), const key_t flip, const uint alone,
                                  const uint end_bit, const key_t pad)
{
    __local job_room_t room;
    __local ranks_t ranks;
    __local uint words[2];
    const uint all = AT(const control_t, control)->settles;
    for (uint g = (uint)get_group_id(0); g < all; g += (uint)get_num_groups(0)) {
        const job_t job = job_at(AT(const job_t, jobs), AT(const uint, settles)[g], alone, end_bit);
        const uint count = job.count <= TILE ? job.count : 0; // more are hybrid_rest's
        __global const key_t *in = KEYS_AT(job.place) + job.start;
        __global key_t *out = AT(key_t, keys_to) + job.start;
        key_t key[ITEMS];
        uint place[ITEMS], total[DIGITS];
        VALUES(uint from[ITEMS];)
        load_tile(key, in, count, pad);
        const key_t some = ordered(in[0], flip);
        key_t differ = 0;
        UNROLL for (uint i = 0; i < ITEMS; i++)
        {
            differ |= rank_element(i) < count ? ordered(key[i], flip) ^ some : 0;
            VALUES(from[i] = rank_element(i);)
        }
        const ulong varying = group_or(differ, words);
        for (uint shift = varying_from(varying, BEGIN_BIT, job.top); shift < job.top;
             shift = varying_from(varying, shift + BITS, job.top)) {
            rank_tile(&ranks, key, count, flip, shift, mask_at(shift, job.top), place, total);
            UNROLL for (uint i = 0; i < ITEMS; i++)
            {
                room.sorted.key[place[i]] = key[i];
                VALUES(room.sorted.from[place[i]] = (ushort)from[i];)
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            UNROLL for (uint i = 0; i < ITEMS; i++)
            {
                key[i] = room.sorted.key[rank_element(i)];
                VALUES(from[i] = room.sorted.from[rank_element(i)];)
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        UNROLL for (uint i = 0; i < ITEMS; i++) if (rank_element(i) < count) out[rank_element(i)] =
            key[i];
        VALUES(follow_keys(&room, from, rank_element(0), LANES, count, VALUES_FROM(job.place),
                           job.place, job.start, AT(value_t, values_to), AT(value_t, values_tmp));)
        barrier(CLK_LOCAL_MEM_FENCE);
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
        const uint before = group_sum(d < RADIX ? next[d] : 0, sums, &total);
        if (d < RADIX)
            next[d] = sum + before;
        sum += total;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

__kernel GROUP void hybrid_rest(BUFFER(control), INPUT(keys), BUFFER(keys_to), BUFFER(keys_tmp),
                                VALUE_INPUT(values) VALUE_BUFFER(values_to) VALUE_BUFFER(values_tmp)
                                    BUFFER(jobs),
                                BUFFER(settles), const key_t flip, const uint alone,
                                const uint end_bit, const key_t pad)
{
    __local exchange_t room;
    __local ranks_t ranks;
    __local uint next[RADIX], to[RADIX];
    __local uint sums[GROUP_SIZE];
    const uint t = (uint)get_local_id(0), all = AT(const control_t, control)->settles;
    for (uint g = (uint)get_group_id(0); g < all; g += (uint)get_num_groups(0)) {
        const job_t job = job_at(AT(const job_t, jobs), AT(const uint, settles)[g], alone, end_bit);
        if (job.count <= TILE)
            continue;
        uint place = job.place;
        for (uint shift = BEGIN_BIT; shift < job.top; shift += BITS) {
            const uint mask = mask_at(shift, job.top), after = place_after(place);
            uint next_place[DIGITS];
            count_rest(next, sums, KEYS_AT(place), job.start, job.count, flip, shift, mask);
            for (uint i = 0; i < DIGITS; i++)
                next_place[i] = next[min(t * DIGITS + i, RADIX - 1)];
            for (uint first = 0; first < job.count; first += TILE) {
                const uint here = min(job.count - first, (uint)TILE);
                key_t key[ITEMS];
                uint place_of_item[ITEMS];
                load_tile(key, KEYS_AT(place) + job.start + first, here, pad);
                sort_tile(&room, &ranks, to, key, here, flip, shift, mask, place_of_item,
                          next_place);
                write_keys(&room, place_of_item, to, here, KEYS_AT(after), flip, shift, mask);
                VALUES(write_values(&room, place_of_item, to, here, VALUES_FROM(place), place,
                                    job.start + first, VALUES_TO(after), flip, shift, mask);)
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            place = after;
        }
        const uint left = place == OUTPUT_PLACE ? 0 : job.count;
        for (uint j = job.start + t; j < job.start + left; j += GROUP_SIZE) {
            AT(key_t, keys_to)[j] = AT(const key_t, keys_tmp)[j];
            VALUES(AT(value_t, values_to)[j] = AT(const value_t, values_tmp)[j];)
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
