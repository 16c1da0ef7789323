// hybrid_settle.cl - hybrid's jobs that bins do not spread: LSD radix sort, by the digits that vary
//
//   hybrid_settle    jobs of a tile, in local memory
//   hybrid_rest      jobs of more keys, that were too many for the tables of a round or for this tile: in global memory,
//                    by one group each
//
// Cost model: in local memory a match, and three accesses of random places, for each key and digit.
//
// GROUP_SIZE, ITEMS, BITS    as in rank.cl

#if !defined(GROUP_SIZE) || !defined(ITEMS) || !defined(BITS) || !defined(JOB_TILE)
#error "hybrid_settle.cl needs keys.cl, rank.cl and segment.cl"
#endif

// The digits of keys that are filled up with ones to a tile: those come last, and stay behind the equal ones.
typedef struct {
    uint shift, mask;
} digit_t;

static inline digit_t digit_at(const uint shift, const uint top)
{
    const digit_t digit = {shift, (1u << min((uint)BITS, top - shift)) - 1};
    return digit;
}

// The first digit from `shift` on that varies.
static inline uint varying_from(const ulong varying, uint shift, const uint top)
{
    while (shift < top && (varying >> shift & digit_at(shift, top).mask) == 0)
        shift += BITS;
    return shift;
}

static inline uint digit_value(const key_t key, const digit_t digit)
{
    return (uint)(key >> digit.shift) & digit.mask;
}

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

// Where this work-item's keys go in the tile when it is sorted by the digit.
static inline void rank_tile(const key_t *key, const digit_t digit, __local ranks_t *ranks,
                             uint *place)
{
    uint total[DIGITS];
    rank_begin(ranks);
    UNROLL for (uint i = 0; i < ITEMS; i++) place[i] = rank_item(ranks, digit_value(key[i], digit));
    rank_totals(ranks, total);
    rank_starts(ranks, total);
    UNROLL for (uint i = 0; i < ITEMS; i++) place[i] =
        rank_place(ranks, digit_value(key[i], digit), place[i]);
}

static inline void load_keys(key_t *key, __global const key_t *in, const uint count,
                             const key_t flip)
{
    UNROLL for (uint i = 0; i < ITEMS; i++)
    {
        const uint j = rank_element(i);
        key[i] = j < count ? ordered(in[j], flip) : ~(key_t)0;
    }
}

// The keys in the order of their places, in `exchange`.
static inline void exchange_keys(const key_t *key, const uint *place, __local key_t *exchange)
{
    UNROLL for (uint i = 0; i < ITEMS; i++) exchange[place[i]] = key[i];
    barrier(CLK_LOCAL_MEM_FENCE);
}

__kernel GROUP LANED void hybrid_settle(BUFFER(control), INPUT(keys), BUFFER(keys_to),
                                        BUFFER(keys_tmp), BUFFER(jobs), BUFFER(settles),
                                        const key_t flip)
{
    __local key_t exchange[TILE];
    __local ranks_t ranks;
    __local uint words[2];
    const uint all = AT(const control_t, control)->settles;
    for (uint g = (uint)get_group_id(0); g < all; g += (uint)get_num_groups(0)) {
        const job_t job = AT(const job_t, jobs)[AT(const uint, settles)[g]];
        const uint count = job.count <= TILE ? job.count : 0; // more are hybrid_rest's
        __global const key_t *in = KEYS_AT(job.place) + job.start;
        __global key_t *out = AT(key_t, keys_to) + job.start;
        key_t key[ITEMS];
        uint place[ITEMS];
        load_keys(key, in, count, flip);
        const key_t some = ordered(in[0], flip);
        key_t differ = 0;
        UNROLL for (uint i = 0; i < ITEMS; i++) differ |=
            rank_element(i) < count ? key[i] ^ some : 0;
        const ulong varying = group_or(differ, words);
        for (uint shift = varying_from(varying, BEGIN_BIT, job.top); shift < job.top;
             shift = varying_from(varying, shift + BITS, job.top)) {
            const digit_t digit = digit_at(shift, job.top);
            rank_tile(key, digit, &ranks, place);
            exchange_keys(key, place, exchange);
            UNROLL for (uint i = 0; i < ITEMS; i++) key[i] = exchange[rank_element(i)];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        UNROLL for (uint i = 0; i < ITEMS; i++) if (rank_element(i) < count) out[rank_element(i)] =
            unordered(key[i], flip);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

// One digit of a job of many tiles, by one group.
static inline void rest_pass(const uint count, __global const key_t *in, __global key_t *out,
                             const digit_t digit, const key_t flip, __local key_t *exchange,
                             __local ranks_t *ranks, __local uint *next, __local uint *sums)
{
    const uint t = (uint)get_local_id(0);
    for (uint d = t; d < RADIX; d += GROUP_SIZE)
        next[d] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint j = t; j < count; j += GROUP_SIZE)
        atomic_inc(&next[digit_value(ordered(in[j], flip), digit)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0;
    for (uint first = 0; first < RADIX; first += GROUP_SIZE) {
        const uint d = first + t;
        uint total;
        const uint before = group_sum(d < RADIX ? next[d] : 0, sums, &total);
        if (d < RADIX)
            next[d] = sum + before;
        sum += total;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint first = 0; first < count; first += TILE) {
        const uint here = min(count - first, (uint)TILE);
        key_t key[ITEMS];
        uint place[ITEMS];
        load_keys(key, in + first, here, flip);
        rank_tile(key, digit, ranks, place);
        exchange_keys(key, place, exchange);
        for (uint j = t; j < here; j += GROUP_SIZE) {
            const uint d = digit_value(exchange[j], digit);
            out[next[d] + j - ranks->start[d]] = unordered(exchange[j], flip);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint d = t; d < RADIX; d += GROUP_SIZE)
            next[d] += min((uint)ranks->start[d + 1], here) - min((uint)ranks->start[d], here);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
}

__kernel GROUP LANED void hybrid_rest(BUFFER(control), INPUT(keys), BUFFER(keys_to),
                                      BUFFER(keys_tmp), BUFFER(jobs), BUFFER(settles),
                                      const key_t flip, const uint in_place)
{
    __local key_t exchange[TILE];
    __local ranks_t ranks;
    __local uint next[RADIX];
    __local uint sums[GROUP_SIZE];
    const uint all = AT(const control_t, control)->settles;
    for (uint g = (uint)get_group_id(0); g < all; g += (uint)get_num_groups(0)) {
        const job_t job = AT(const job_t, jobs)[AT(const uint, settles)[g]];
        if (job.count <= TILE)
            continue;
        uint place = job.place;
        for (uint shift = BEGIN_BIT; shift < job.top; shift += BITS) {
            const uint after = place_after(place);
            rest_pass(job.count, KEYS_AT(place) + job.start, KEYS_AT(after) + job.start,
                      digit_at(shift, job.top), flip, exchange, &ranks, next, sums);
            place = after;
        }
        __global const key_t *from = KEYS_AT(place) + job.start;
        __global key_t *out = AT(key_t, keys_to) + job.start;
        const uint left = is_output(place, in_place) ? 0 : job.count;
        for (uint j = (uint)get_local_id(0); j < left; j += GROUP_SIZE)
            out[j] = from[j];
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
