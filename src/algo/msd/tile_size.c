/* tile_size.c - how large hybrid's groups and tiles are, for its rounds and for its jobs */
#include "algo/msd/tile_size.h"

#include "algo/common/limits.h"
#include "algo/common/rank.h"

/* As measured best on an H200. */
enum {
    RANK_COPIES = 2, /* of rank_unstable.cl */
    JOB_SIZE = 256,
    JOB_ITEMS = 19,
    MAX_WINDOW_TURNS = 20, /* MAX_TURNS of sort_job.cl */
    /* So that tables but those of tiles, and of further segments, take less than 24 MiB. */
    SOME_SEGMENTS = 8192,
    MAX_JOB_TILES = 120000
};

/* Of a round's kernels, at most. */
struct round_size {
    unsigned group_size, items;
    unsigned item_bytes; /* of a work-item's keys in a tile, or of its values */
    unsigned unit_size;  /* work-items that move tiles at once on a unit */
};

/* On NVIDIA's few work-items with many elements each, which all are on their way at once. Of elements of more than 4
 * bytes one group moves tiles on a unit: those that are moved at the same time write to the same lines, and fewer are
 * faster (docs/notes-gpu.md). `local`: PoCL 3.1 compiles larger groups wrong. */
static struct round_size round_size(const struct cls_caps *caps, const struct cls_spec *spec)
{
    static const struct round_size narrow = {256, 32, 128, 512}, wide = {256, 40, 160, 256},
                                   local = {256, 16, 72, 1024}, other = {512, 16, 72, 1024};
    if (caps->sub_group_backend == CLS_SUB_GROUP_NVIDIA)
        return spec->key_bytes + spec->value_bytes > 4 ? wide : narrow;
    return caps->sub_group_backend == CLS_SUB_GROUP_LOCAL ? local : other;
}

/* The last window may reach beyond the tile. */
unsigned cls_msd_sort_room(struct cls_msd_size size)
{
    return cls_msd_tile(size) + size.items;
}

/* job_room_t of job.cl, of so many elements. */
static uint64_t room_bytes(const struct cls_spec *spec, uint64_t elements)
{
    const uint64_t keys = elements * (spec->key_bytes + (spec->value_bytes > 0 ? 2 : 0));
    const uint64_t values = spec->value_bytes <= 8 ? elements * spec->value_bytes : 0;
    return (keys > values ? keys : values) + 8;
}

static bool fits_sort(const struct cls_caps *caps, const struct cls_spec *spec,
                      struct cls_msd_size size, unsigned bin_bits)
{
    const uint64_t bytes = room_bytes(spec, cls_msd_sort_room(size)) +
                           (sizeof(cl_uint) << bin_bits) + (size.group_size + 16) * sizeof(cl_uint);
    return bytes <= caps->local_bytes;
}

/* Where they take no more than keys, or leave room for others. */
static bool exchanges(const struct cls_caps *caps, const struct cls_spec *spec,
                      struct cls_msd_size size, uint64_t others)
{
    const uint64_t values = (uint64_t)cls_msd_tile(size) * spec->value_bytes;
    return spec->value_bytes <= spec->key_bytes || values + others <= caps->local_bytes;
}

/* If that leaves too little for ranks, tiles become smaller. */
bool cls_msd_round_exchanges(const struct cls_caps *caps, const struct cls_spec *spec,
                             struct cls_msd_size size)
{
    return exchanges(caps, spec, size, 8 << 10);
}

/* What hybrid_rest has beside keys and values. */
static uint64_t rest_bytes(const struct cls_caps *caps, struct cls_msd_size size)
{
    return cls_rank_bytes(caps, size.group_size, CLS_MSD_BITS) +
           ((2 << CLS_MSD_BITS) + size.group_size + 16) * sizeof(cl_uint);
}

bool cls_msd_rest_exchanges(const struct cls_caps *caps, const struct cls_spec *spec,
                            struct cls_msd_size size)
{
    return exchanges(caps, spec, size, rest_bytes(caps, size));
}

/* exchange_t of exchange.cl. */
static uint64_t exchange_bytes(const struct cls_spec *spec, struct cls_msd_size size,
                               bool exchanges)
{
    const uint64_t keys = (uint64_t)cls_msd_tile(size) * spec->key_bytes;
    const uint64_t values = (uint64_t)cls_msd_tile(size) * spec->value_bytes;
    return exchanges && values > keys ? values : keys;
}

/* Both kernels of hybrid_settle.cl. */
static bool fits_settle(const struct cls_caps *caps, const struct cls_spec *spec,
                        struct cls_msd_size size)
{
    const uint64_t ranks = cls_rank_bytes(caps, size.group_size, CLS_MSD_BITS);
    const uint64_t settle = room_bytes(spec, cls_msd_sort_room(size)) + ranks + 16;
    const bool exchanges = cls_msd_rest_exchanges(caps, spec, size);
    const uint64_t rest = exchange_bytes(spec, size, exchanges) + rest_bytes(caps, size);
    return settle <= caps->local_bytes && rest <= caps->local_bytes;
}

/* BIN_BITS: a bin for 2 keys, or for 4 where local memory is scarce, and one at least for each work-item. -1 when there
 * is too little. */
static int fit_bins(const struct cls_caps *caps, const struct cls_spec *spec,
                    struct cls_msd_size size)
{
    const unsigned bits = cls_floor_log2(cls_msd_tile(size)),
                   least = cls_floor_log2(size.group_size);
    for (unsigned less = 1; less <= 2; less++) {
        const unsigned fewer = bits > least + less ? bits - less : least;
        if (fits_sort(caps, spec, size, fewer))
            return (int)fewer;
    }
    return -1;
}

/* False when the device has too little. */
static bool fit_jobs(const struct cls_caps *caps, const struct cls_spec *spec,
                     struct cls_tuning *tuning)
{
    struct cls_msd_size size = {JOB_SIZE, JOB_ITEMS};
    while (size.group_size > tuning->group_size)
        size.group_size /= 2;
    while (size.items > 3 && fit_bins(caps, spec, size) < 0)
        size.items -= 2;
    while (size.group_size > 1 && fit_bins(caps, spec, size) < 0)
        size.group_size /= 2;
    tuning->msd.job_size = size.group_size;
    tuning->msd.job_items = size.items;
    const int bin_bits = fit_bins(caps, spec, size);
    if (bin_bits < 0)
        return false;
    tuning->msd.bin_bits = (unsigned)bin_bits;
    while (!fits_settle(caps, spec, size) && size.group_size > 1)
        size.group_size /= 2;
    tuning->msd.settle_size = size.group_size;
    return fits_settle(caps, spec, size);
}

static bool fits_round(const struct cls_caps *caps, const struct cls_spec *spec,
                       struct cls_msd_size size)
{
    const uint64_t radix = 1 << CLS_MSD_BITS, group = size.group_size, word = sizeof(cl_uint);
    const uint64_t ranks = spec->stable ? cls_rank_bytes(caps, size.group_size, CLS_MSD_BITS)
                                        : ((radix + 1) * RANK_COPIES + group) * word;
    const bool exchanges = cls_msd_round_exchanges(caps, spec, size);
    const uint64_t partition = exchange_bytes(spec, size, exchanges) + ranks + (radix + 16) * word;
    const uint64_t plan = (5 * radix + 16) * word + 2 * group * sizeof(cl_ulong);
    return partition <= caps->local_bytes && plan <= caps->local_bytes;
}

/* Keys of jobs that one group goes through, each with as many turns of windows as there can be. */
static uint64_t windowed_keys(const struct cls_caps *caps, const struct cls_tuning *tuning)
{
    const uint64_t turns = MAX_WINDOW_TURNS * 28 * tuning->msd.job_items;
    const uint64_t groups = (uint64_t)tuning->msd.units * CLS_MSD_JOBS_PER_UNIT;
    return caps->max_iterations == UINT64_MAX ? UINT64_MAX
                                              : groups * (caps->max_iterations / turns) *
                                                    cls_msd_job_tile(tuning) / CLS_MSD_TILE_JOBS;
}

/* Of a tile: its row, and its places in the lists of blocks and of tiles. */
enum { TILE_TABLE_BYTES = CLS_MSD_ROW_BYTES + 2 * CLS_MSD_PART_BYTES };

/* What tables of tiles and jobs leave of a sixteenth of the data goes to further segments: each has a tile that is not
 * full, places in the tables of two rounds, and jobs. */
uint64_t cls_msd_most_segments(const struct cls_tuning *tuning, const struct cls_spec *spec,
                               uint64_t count)
{
    if (tuning->msd.max_segments > 0)
        return tuning->msd.max_segments;
    const uint64_t tile = cls_msd_round_tile(tuning), job_tile = cls_msd_job_tile(tuning);
    const uint64_t data = tile * (spec->key_bytes + spec->value_bytes) / 16;
    const uint64_t job = CLS_MSD_JOB_BYTES + CLS_MSD_SETTLE_BYTES;
    const uint64_t tables =
        TILE_TABLE_BYTES + cls_divide_up(CLS_MSD_TILE_JOBS * job * tile, job_tile - 1);
    const uint64_t segment =
        TILE_TABLE_BYTES + 2 * CLS_MSD_SEGMENT_BYTES + CLS_MSD_DIGIT_JOBS * job * spec->key_bytes;
    const uint64_t more = data > tables ? count / tile * (data - tables) / segment : 0;
    return cls_min(count / job_tile + 1, SOME_SEGMENTS + more);
}

/* Keys whose tables of tiles take no more than 4 MiB and a sixteenth of the data: all, but of small groups. */
static uint64_t tabled_keys(const struct cls_spec *spec, struct cls_msd_size size)
{
    const uint64_t some = 4 << 20, tile = cls_msd_tile(size);
    const uint64_t data = tile * (spec->key_bytes + spec->value_bytes) / 16;
    return TILE_TABLE_BYTES <= data ? UINT64_MAX : some / (TILE_TABLE_BYTES - data) * tile;
}

/* Keys of which one group can go so often through all tiles. */
static uint64_t turned_keys(const struct cls_caps *caps, const struct cls_spec *spec,
                            struct cls_msd_size size, unsigned times)
{
    const uint64_t of_lanes = (4u << CLS_MSD_BITS) / cls_sub_group_in(caps, size.group_size);
    const uint64_t units =
        spec->value_bytes > 0 ? spec->value_bytes / cls_unit(spec->value_bytes) : 1;
    const uint64_t turns =
        192 + (23 + units) * size.items + of_lanes + (8u << CLS_MSD_BITS) / size.group_size;
    return caps->max_iterations == UINT64_MAX
               ? UINT64_MAX
               : caps->max_iterations / (turns * times) * cls_msd_tile(size);
}

bool cls_msd_supports(const struct cls_caps *caps, const struct cls_spec *spec,
                      const struct cls_parameters *parameters, struct cls_tuning *tuning,
                      const char **why)
{
    (void)parameters;
    if (caps->mixes_up_barriers) {
        *why = "this version of the driver compiles its kernels wrong";
        return false;
    }
    if (spec->operation != CLS_SORT || cls_equal_keys_may_differ(spec)) {
        *why = "it sorts by whole keys, that are equal in all their bits or not at all";
        return false;
    }
    if (spec->index_bits != 32) {
        *why = "more elements than it can hold";
        return false;
    }
    const size_t widest = spec->key_bytes > spec->value_bytes ? spec->key_bytes : spec->value_bytes;
    const struct round_size most = round_size(caps, spec);
    const unsigned items = (unsigned)(most.item_bytes / widest);
    struct cls_msd_size round = {most.group_size, items < most.items ? items : most.items};
    while (round.group_size > caps->group_size)
        round.group_size /= 2;
    while (!fits_round(caps, spec, round) && round.group_size > 1) {
        if (round.items > 4)
            round.items /= 2;
        else
            round.group_size /= 2;
    }
    *tuning = (struct cls_tuning){.group_size = round.group_size,
                                  .msd.items = round.items,
                                  .msd.bits = CLS_MSD_BITS,
                                  .msd.units = caps->units,
                                  .msd.unit_size = most.unit_size};
    if (!fits_round(caps, spec, round) || !fit_jobs(caps, spec, tuning)) {
        *why = "the device has too little local memory";
        return false;
    }
    const uint64_t held =
        cls_min((uint64_t)cls_msd_job_tile(tuning) * MAX_JOB_TILES, cls_max_countable(caps, spec));
    const struct cls_msd_size settle = {tuning->msd.settle_size, tuning->msd.job_items};
    tuning->max_count = cls_min(held, tabled_keys(spec, round));
    tuning->max_count = cls_min(tuning->max_count, windowed_keys(caps, tuning));
    tuning->max_count = cls_min(tuning->max_count, cls_min(turned_keys(caps, spec, round, 1),
                                                           turned_keys(caps, spec, settle, 1)));
    /* hybrid_rest goes through one job for each digit. */
    if (turned_keys(caps, spec, settle, spec->key_bytes) < cls_msd_job_tile(tuning))
        tuning->max_count = 0;
    if (tuning->max_count == 0)
        *why = "this driver ends loops too early";
    return tuning->max_count > 0;
}
