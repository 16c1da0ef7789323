/* count.c - functions that the variants of counting sort share */
#include "algo/count/count.h"

#include "algo/common/limits.h"
#include "cl/count/layout.h"

enum {
    MAX_TILES = 1 << 16,       /* of a chunk of 8-bit keys: its counters have 32 bits */
    ITERATIONS_PER_PACK = 320, /* to count or write it */
    ITERATIONS_PER_ROW = 8,    /* to add a chunk's counters */
    MIN_LIMITED_GROUP = 64     /* minimum group size if the driver limits iterations */
};

/* The tables of all chunks take at most one byte per key, plus this number of bytes. */
static const uint64_t TABLE_BYTES = 24 << 20;

bool cls_count_supports(const struct cls_spec *spec, const char **why)
{
    if (spec->key_bytes > 2)
        *why = "counting sort supports keys of 8 or 16 bits only";
    else if (spec->value_bytes > 0)
        *why = "counting sort does not support values";
    else if (cls_equal_keys_may_differ(spec))
        *why = "counting sort does not support orders in which keys with different bits are equal";
    else
        return true;
    return false;
}

uint64_t cls_count_tile(const struct cls_tuning *tuning)
{
    return (uint64_t)tuning->group_size * (COUNT_PACK_BYTES * 8 / tuning->count_work_group.bits);
}

struct cls_tuning cls_count_tuning(const struct cls_caps *caps, const struct cls_spec *spec,
                                   unsigned max_group_size)
{
    return (struct cls_tuning){
        .group_size = cls_fit_group_size(caps, max_group_size),
        .count_work_group.copies = 1,
        .count_work_group.parts = 1,
        .count_work_group.bits = 8 * spec->key_bytes,
        .count_work_group.units = caps->units,
        .count_work_group.max_tiles = MAX_TILES,
        .max_count = cls_max_countable(caps, spec),
    };
}

bool cls_count_limit_iterations(uint64_t max_iterations, uint64_t table_bytes,
                                struct cls_tuning *tuning)
{
    struct cls_count_work_group_tuning *own = &tuning->count_work_group;
    const uint64_t fixed = 2048 + 2 * COUNT_WORDS / tuning->group_size;
    const uint64_t iterations = max_iterations > fixed ? (max_iterations - fixed) / 2 : 0;
    const uint64_t max_rows = iterations / ITERATIONS_PER_ROW;
    const uint64_t per_pack =
        own->parts > 4 ? ITERATIONS_PER_PACK / 4 * own->parts : ITERATIONS_PER_PACK;
    own->max_tiles = (unsigned)cls_min(iterations / per_pack, MAX_TILES);
    if (own->max_tiles == 0 || max_rows < CLS_COUNT_MAX_GROUPS_PER_UNIT ||
        tuning->group_size < MIN_LIMITED_GROUP)
        return false;
    own->units = (unsigned)cls_min(own->units, max_rows / CLS_COUNT_MAX_GROUPS_PER_UNIT);
    const uint64_t chunk = own->max_tiles * cls_count_tile(tuning);
    tuning->max_count = cls_min(tuning->max_count, max_rows * chunk);
    if (chunk < table_bytes)
        tuning->max_count = cls_min(tuning->max_count, TABLE_BYTES * chunk / (table_bytes - chunk));
    return true;
}

/* Returns the minimum number of chunks, or of sections of the output, with at most max_tiles
 * each. */
static uint64_t min_chunks(const struct cls_tuning *tuning, uint64_t count)
{
    return cls_divide_up(count, tuning->count_work_group.max_tiles * cls_count_tile(tuning));
}

uint64_t cls_count_chunks(const struct cls_tuning *tuning, uint64_t table_bytes,
                          uint64_t useful_chunks, uint64_t count)
{
    const uint64_t max_chunks = (count + TABLE_BYTES) / table_bytes;
    return cls_max(cls_min(useful_chunks, max_chunks), min_chunks(tuning, count));
}

struct cls_count_work_group_schedule cls_count_divide(const struct cls_tuning *tuning,
                                                      uint64_t chunks, uint64_t count)
{
    const uint64_t chunk = cls_round_up(cls_divide_up(count, chunks), cls_count_tile(tuning));
    return (struct cls_count_work_group_schedule){
        .chunks = (unsigned)cls_divide_up(count, chunk),
        .chunk = chunk,
    };
}

uint32_t cls_count_section(const struct cls_tuning *tuning, unsigned fillers_per_unit,
                           uint64_t count)
{
    const uint64_t tile = cls_count_tile(tuning);
    const uint64_t per_unit = cls_max(fillers_per_unit / tuning->group_size, 1);
    const uint64_t useful = cls_min(tuning->count_work_group.units * per_unit,
                                    cls_divide_up(count, CLS_COUNT_MIN_TILES * tile));
    const uint64_t groups = cls_max(useful, min_chunks(tuning, count));
    return (uint32_t)cls_round_up(cls_divide_up(count, groups), tile);
}

uint64_t cls_count_bytes_per_element(const struct cls_tuning *tuning, const struct cls_spec *spec,
                                     uint64_t count)
{
    (void)count;
    return cls_copy_bytes(spec) + (uint64_t)(tuning->count_work_group.parts - 1) * spec->key_bytes;
}
