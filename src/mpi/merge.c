/* merge.c - merges two runs with keys of a built-in type, in the calling thread
 *
 * The output is produced in chunks. The part of the late run that a chunk needs is copied to staging memory, in the
 * cache, so that the output can overwrite it. The positions at which the runs are divided are those of merge path
 * (Green, McColl and Bader, "GPU merge path", ICS 2012). A chunk is divided again into lanes, whose merges are
 * interleaved: each step of a merge depends on the one before, so that several of them keep the processor busy.
 * There are no branches that depend on keys. Most steps need no checks for the ends of runs, since k steps move at most
 * k elements of a run. A chunk whose elements are all of one run is copied. */
#include "mpi/local.h"

#include "base/arithmetic.h"
#include "host/key.h"

enum {
    LANES = 4,
    MAX_CHUNK = 1 << 14 /* elements */
};

bool cls_local_can_merge(const struct cls_mpi_elements *elements)
{
    return elements->has_numbers &&
           (elements->key_bytes + elements->value_bytes) * 2 * LANES <= CLS_MERGE_STAGING_BYTES;
}

/* The rests of two runs that are merged. The keys of a run end at `end`. */
struct merge {
    const char *keys[2], *end[2], *values[2];
    char *to_keys, *to_values;
};

/* -- positions --------------------------------------------------------------------------------- */

/* Returns how many of the first `rank` elements are in the first run. */
static uint64_t divide(const struct cls_mpi_elements *elements, const struct cls_run runs[2],
                       uint64_t rank)
{
    const size_t bytes = elements->key_bytes;
    uint64_t low = rank > runs[1].count ? rank - runs[1].count : 0;
    uint64_t high = cls_min(rank, runs[0].count);
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (cls_host_ordered_key(&elements->spec, runs[0].at.keys + middle * bytes) <=
            cls_host_ordered_key(&elements->spec, runs[1].at.keys + (rank - middle - 1) * bytes))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* -- interleaved merges ------------------------------------------------------------------------ */

/* Moves the next element of a merge. If is_safe, neither run has ended. The sizes and both conditions are constants in
 * every call. */
static inline void step(const struct cls_spec *spec, struct merge *merge, size_t key_bytes,
                        size_t value_bytes, bool is_integer, bool is_safe)
{
    const uint64_t mask = cls_compared_mask(spec);
    const uint64_t a = cls_host_load(merge->keys[0], key_bytes);
    const uint64_t b = cls_host_load(merge->keys[1], key_bytes);
    const uint64_t x = (is_integer ? a ^ spec->flip : cls_ordered(spec, a)) & mask;
    const uint64_t y = (is_integer ? b ^ spec->flip : cls_ordered(spec, b)) & mask;
    const size_t second =
        is_safe ? y < x
                : (merge->keys[0] == merge->end[0]) | ((merge->keys[1] != merge->end[1]) & (y < x));
    cls_host_store(merge->to_keys, key_bytes, a ^ ((a ^ b) & (0 - (uint64_t)second)));
    merge->to_keys += key_bytes;
    merge->keys[0] += (second ^ 1) * key_bytes;
    merge->keys[1] += second * key_bytes;
    if (value_bytes > 0) {
        memcpy(merge->to_values, merge->values[second], value_bytes);
        merge->to_values += value_bytes;
        merge->values[0] += (second ^ 1) * value_bytes;
        merge->values[1] += second * value_bytes;
    }
}

/* Returns the number of steps, at most `max`, before none of which a run of any lane has ended. */
static inline size_t safe_steps(const struct merge *lanes, size_t max, size_t key_bytes)
{
    for (size_t i = 0; i < LANES; i++)
        for (size_t run = 0; run < 2; run++)
            max = cls_min(max, (size_t)(lanes[i].end[run] - lanes[i].keys[run]) / key_bytes);
    return max;
}

static inline void run_lanes_for(const struct cls_spec *spec, struct merge *lanes, size_t count,
                                 size_t key_bytes, size_t value_bytes, bool is_integer,
                                 bool is_safe)
{
    const struct cls_spec own = *spec; /* the output may alias *spec */
    struct merge a = lanes[0], b = lanes[1], c = lanes[2], d = lanes[3];
    for (size_t i = 0; i < count; i++) {
        step(&own, &a, key_bytes, value_bytes, is_integer, is_safe);
        step(&own, &b, key_bytes, value_bytes, is_integer, is_safe);
        step(&own, &c, key_bytes, value_bytes, is_integer, is_safe);
        step(&own, &d, key_bytes, value_bytes, is_integer, is_safe);
    }
    lanes[0] = a;
    lanes[1] = b;
    lanes[2] = c;
    lanes[3] = d;
}

/* Moves `count` elements of each of LANES merges. The sizes and the condition are constants in every call. */
static inline void run_steps(const struct cls_spec *spec, struct merge *lanes, size_t count,
                             size_t key_bytes, size_t value_bytes, bool is_integer)
{
    enum { MIN_SAFE = 16 };
    while (count > 0) {
        const size_t safe = safe_steps(lanes, count, key_bytes);
        const size_t steps = safe >= MIN_SAFE ? safe : cls_min(count, MIN_SAFE);
        if (steps == safe)
            run_lanes_for(spec, lanes, steps, key_bytes, value_bytes, is_integer, true);
        else
            run_lanes_for(spec, lanes, steps, key_bytes, value_bytes, is_integer, false);
        count -= steps;
    }
}

static inline void run_sizes(const struct cls_mpi_elements *elements, struct merge *lanes,
                             size_t count, size_t key_bytes, bool is_integer)
{
    switch (elements->value_bytes) {
    case 0:
        run_steps(&elements->spec, lanes, count, key_bytes, 0, is_integer);
        break;
    case 4:
        run_steps(&elements->spec, lanes, count, key_bytes, 4, is_integer);
        break;
    case 8:
        run_steps(&elements->spec, lanes, count, key_bytes, 8, is_integer);
        break;
    default:
        run_steps(&elements->spec, lanes, count, key_bytes, elements->value_bytes, is_integer);
    }
}

static inline void run_order(const struct cls_mpi_elements *elements, struct merge *lanes,
                             size_t count, size_t key_bytes)
{
    if (elements->spec.order == CLS_ORDER_INTEGER)
        run_sizes(elements, lanes, count, key_bytes, true);
    else
        run_sizes(elements, lanes, count, key_bytes, false);
}

/* Moves `count` elements of each of LANES merges. */
static void run_lanes(const struct cls_mpi_elements *elements, struct merge *lanes, size_t count)
{
    switch (elements->key_bytes) {
    case 1:
        run_order(elements, lanes, count, 1);
        break;
    case 2:
        run_order(elements, lanes, count, 2);
        break;
    case 4:
        run_order(elements, lanes, count, 4);
        break;
    default:
        run_order(elements, lanes, count, 8);
    }
}

/* -- chunks ------------------------------------------------------------------------------------ */

/* Merges runs of at most a chunk to `to`, which they do not overlap. */
static void merge_chunk(const struct cls_mpi_elements *elements, const struct cls_run runs[2],
                        struct cls_mpi_arrays to)
{
    const uint64_t all = runs[0].count + runs[1].count, length = all / LANES;
    struct merge lanes[LANES];
    for (uint64_t i = 0; i < LANES; i++) {
        const uint64_t first = divide(elements, runs, i * length);
        const uint64_t end =
            i + 1 < LANES ? divide(elements, runs, (i + 1) * length) : runs[0].count;
        const uint64_t begins[2] = {first, i * length - first};
        const uint64_t ends[2] = {end, (i + 1 < LANES ? (i + 1) * length : all) - end};
        const struct cls_mpi_arrays lane_to = cls_arrays_at(elements, to, i * length);
        lanes[i] = (struct merge){.to_keys = lane_to.keys, .to_values = lane_to.values};
        for (int run = 0; run < 2; run++) {
            const struct cls_mpi_arrays at = cls_arrays_at(elements, runs[run].at, begins[run]);
            lanes[i].keys[run] = at.keys;
            lanes[i].values[run] = at.values;
            lanes[i].end[run] = runs[run].at.keys + ends[run] * elements->key_bytes;
        }
    }
    run_lanes(elements, lanes, (size_t)length);
}

void cls_local_merge(const struct cls_mpi_elements *elements, const struct cls_run runs[2],
                     int late, struct cls_mpi_arrays to, char *staging)
{
    const uint64_t bytes = elements->key_bytes + elements->value_bytes;
    const uint64_t all = runs[0].count + runs[1].count;
    /* A multiple of LANES; staging memory has an element more. */
    const uint64_t chunk =
        cls_min(MAX_CHUNK, (CLS_MERGE_STAGING_BYTES / bytes - 1) / LANES * LANES);
    const struct cls_mpi_arrays staged = {staging, staging + (chunk + 1) * elements->key_bytes};
    uint64_t begin[2] = {0, 0};
    /* When the other run has ended, the rest of the late run is where it belongs. */
    for (uint64_t first = 0; begin[!late] < runs[!late].count;) {
        /* The last elements, fewer than LANES, are a chunk each. */
        const uint64_t left = all - first;
        const uint64_t length = left >= LANES ? cls_min(chunk, left / LANES * LANES) : 1;
        struct cls_run parts[2];
        for (int i = 0; i < 2; i++)
            parts[i] = (struct cls_run){cls_arrays_at(elements, runs[i].at, begin[i]),
                                        cls_min(length, runs[i].count - begin[i])};
        parts[0].count = divide(elements, parts, length);
        parts[1].count = length - parts[0].count;
        cls_arrays_copy(elements, parts[late].at, staged, parts[late].count);
        parts[late].at = staged;
        if (parts[0].count == 0 || parts[1].count == 0)
            cls_arrays_copy(elements, parts[parts[0].count == 0].at,
                            cls_arrays_at(elements, to, first), length);
        else
            merge_chunk(elements, parts, cls_arrays_at(elements, to, first));
        begin[0] += parts[0].count;
        begin[1] += parts[1].count;
        first += length;
    }
}
