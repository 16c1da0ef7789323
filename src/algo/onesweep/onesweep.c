/* onesweep.c - stable LSD radix sort that reads and writes once for each digit (onesweep.cl) */
#include "algo/common/arguments.h"
#include "algo/common/limits.h"
#include "algo/common/lsd_passes.h"
#include "algo/common/programs.h"
#include "algo/common/rank.h"
#include "cl/common/layout.h"
#include "device/sub_group.h"

enum {
    GROUP_SIZE = 256,
    CPU_GROUP_SIZE = 16, /* without lanes a work-item has counters of its own */
    MAX_ITEMS = 32,
    ITEM_BYTES = 96, /* keys of a work-item, as many as have these bytes, and no more than ITEMS */
    ITEMS = 24,
    LOCAL_ITEMS =
        8, /* where lanes meet at barriers, of which each item makes four: compilers get slow */
    BITS = 8,
    COUNTS_BYTES = 16 << 10, /* of local memory, for histograms */
    TABLE_BYTES = 24 << 20,  /* a section is as large as this allows */
    CHUNKS_PER_UNIT = 4,     /* of the histograms */
    MAX_CHUNKS = 512,        /* so that their rows take 4 MiB at most */
    CHUNK = 8192,            /* keys that pay for a row */
    CHUNK_ALIGNMENT = 2048,
    MAX_LAUNCHES = 1 << 19, /* whose tickets take 2 MiB */
    EPOCHS = 8,             /* of onesweep.cl */
    LOOKS = 1024
};

/* A count has 28 bits, of which all ones are none. */
static const uint64_t MAX_SECTION = (1u << 28) - 2;

/* Keys that a row's counters of 32 bits can count. */
static const uint32_t MAX_CHUNK = UINT32_MAX / 2;

enum { LOOK, DECIDE, PASS, CLEAR, FINISH };
static const char *const NAMES[] = {"onesweep_look",  "onesweep_decide", "onesweep_pass",
                                    "onesweep_clear", "passes_finish",   NULL};

enum { PARAMETER_BITS, PARAMETER_ITEMS, PARAMETER_GROUP, PARAMETER_TILES };
static const char *const GROUPS[] = {"1",  "2",   "4",   "8",   "16",   "32",
                                     "64", "128", "256", "512", "1024", NULL};

enum { TABLE = CLS_OWN_REGIONS, ROWS, STARTS, SUMMARIES, REGIONS };
_Static_assert((int)REGIONS <= (int)CLS_MAX_REGIONS, "too many regions");

static uint64_t tile_of(const struct cls_tuning *tuning)
{
    return (uint64_t)tuning->group_size * tuning->onesweep.items;
}

/* -- what a group takes of local memory ----------------------------------------------------------- */

/* room_t of onesweep.cl, without values. */
static uint64_t keys_bytes(const struct cls_caps *caps, const struct cls_spec *spec,
                           const struct cls_tuning *tuning)
{
    const uint64_t ranks = cls_rank_bytes(caps, tuning->group_size, tuning->onesweep.bits);
    const uint64_t keys = tile_of(tuning) * spec->key_bytes;
    return ranks > keys ? ranks : keys;
}

/* VALUES_EXCHANGED: where they take no more than keys or ranks, or than 24 KiB and half of the device's. */
static bool exchanges_values(const struct cls_caps *caps, const struct cls_spec *spec,
                             const struct cls_tuning *tuning)
{
    const uint64_t keys = keys_bytes(caps, spec, tuning);
    const uint64_t some = cls_min(24 << 10, caps->local_bytes / 2);
    return tile_of(tuning) * spec->value_bytes <= (keys > some ? keys : some);
}

static uint64_t room_bytes(const struct cls_caps *caps, const struct cls_spec *spec,
                           const struct cls_tuning *tuning)
{
    const uint64_t keys = keys_bytes(caps, spec, tuning);
    const uint64_t values =
        exchanges_values(caps, spec, tuning) ? tile_of(tuning) * spec->value_bytes : 0;
    return keys > values ? keys : values;
}

static uint64_t counters_of(const struct cls_spec *spec, unsigned bits)
{
    return cls_divide_up(8 * spec->key_bytes, bits) << bits;
}

/* COPIES */
static uint64_t copies_of(const struct cls_caps *caps, const struct cls_spec *spec, unsigned bits)
{
    const uint64_t half = caps->local_bytes / 2;
    const uint64_t copies =
        (half < COUNTS_BYTES ? half : COUNTS_BYTES) / (sizeof(cl_uint) * counters_of(spec, bits));
    return copies > 0 ? copies : 1;
}

static bool fits(const struct cls_caps *caps, const struct cls_spec *spec,
                 const struct cls_tuning *tuning)
{
    const uint64_t more = 64; /* what a kernel has beside */
    const uint64_t pass = room_bytes(caps, spec, tuning) +
                          ((uint64_t)(spec->index_bits / 8) << tuning->onesweep.bits);
    const uint64_t look = copies_of(caps, spec, tuning->onesweep.bits) * sizeof(cl_uint) *
                              counters_of(spec, tuning->onesweep.bits) +
                          (uint64_t)tuning->group_size * sizeof(cls_key_summary);
    const uint64_t decide =
        (uint64_t)tuning->group_size * (sizeof(cls_key_summary) + 2 * sizeof(cl_ulong));
    return pass + more <= caps->local_bytes && look + more <= caps->local_bytes &&
           decide + more <= caps->local_bytes;
}

/* Lowers group_size and items until a group fits the device. */
static bool fit(const struct cls_caps *caps, const struct cls_spec *spec, struct cls_tuning *tuning)
{
    while (tuning->group_size > caps->group_size && tuning->group_size > 1)
        tuning->group_size /= 2;
    while (!fits(caps, spec, tuning)) {
        if (tuning->onesweep.items > 4)
            tuning->onesweep.items /= 2;
        else if (tuning->group_size > 1)
            tuning->group_size /= 2;
        else
            return false;
    }
    return true;
}

/* -- sections ------------------------------------------------------------------------------------- */

static unsigned looks_of(const struct cls_caps *caps)
{
    return caps->max_iterations < UINT64_MAX ? 8 : LOOKS;
}

/* Where turns are limited: the elements of which a tile can look at all tiles before, none of which tells, for all
 * digits of a work-item; it clears a word of the table for each of them, too. */
static uint64_t max_count(const struct cls_caps *caps, const struct cls_tuning *tuning)
{
    const uint64_t tile = tile_of(tuning), other_turns = 16384 + 4 * MAX_CHUNKS;
    const uint64_t look = looks_of(caps) + tile / (tile % 16 ? 1 : 16) + 2;
    const uint64_t turns =
        look * cls_divide_up((uint64_t)1 << tuning->onesweep.bits, tuning->group_size);
    const uint64_t tiles =
        caps->max_iterations > other_turns ? (caps->max_iterations - other_turns) / turns : 0;
    return caps->max_iterations == UINT64_MAX ? UINT64_MAX : tiles * tile;
}

/* Fills all of the schedule but the scratch regions. */
static struct cls_onesweep_schedule divide(const struct cls_tuning *tuning,
                                           const struct cls_spec *spec, uint64_t count)
{
    struct cls_onesweep_schedule s = {.passes = cls_pass_count(spec, tuning->onesweep.bits),
                                      .tiles = cls_divide_up(count, tile_of(tuning))};
    s.sections = (unsigned)cls_divide_up(s.tiles, tuning->onesweep.max_tiles);
    s.section_tiles = cls_divide_up(s.tiles, s.sections);
    s.launches = s.passes * s.sections;
    const uint64_t rows = cls_min(s.tiles, tuning->onesweep.max_tiles);
    s.table_words = s.launches + (rows << tuning->onesweep.bits);
    uint64_t chunks = cls_min((uint64_t)tuning->onesweep.units * CHUNKS_PER_UNIT, MAX_CHUNKS);
    chunks = cls_min(chunks, cls_divide_up(count, CHUNK));
    chunks = cls_max(chunks, cls_divide_up(count, MAX_CHUNK));
    s.max_chunks = (unsigned)chunks;
    s.chunk = cls_round_up(cls_divide_up(count, chunks), CHUNK_ALIGNMENT);
    s.chunks = (unsigned)cls_divide_up(count, s.chunk);
    return s;
}

/* -- the algorithm -------------------------------------------------------------------------------- */

static unsigned items_for(const struct cls_caps *caps, const struct cls_spec *spec)
{
    const bool meets = caps->sub_group_size > 1 && caps->sub_group_backend == CLS_SUB_GROUP_LOCAL;
    const unsigned items = ITEM_BYTES / spec->key_bytes, most = meets ? LOCAL_ITEMS : ITEMS;
    return items < most ? items : most;
}

static bool supports(const struct cls_caps *caps, const struct cls_spec *spec,
                     const struct cls_parameters *parameters, struct cls_tuning *tuning,
                     const char **why)
{
    const unsigned *asked = parameters->value;
    const unsigned items = items_for(caps, spec);
    *tuning = (struct cls_tuning){
        .group_size = asked[PARAMETER_GROUP]            ? 1u << (asked[PARAMETER_GROUP] - 1)
                      : caps->type & CL_DEVICE_TYPE_CPU ? CPU_GROUP_SIZE
                                                        : GROUP_SIZE,
        .onesweep.items = asked[PARAMETER_ITEMS] ? asked[PARAMETER_ITEMS] : items,
        .onesweep.bits = asked[PARAMETER_BITS] ? asked[PARAMETER_BITS] : BITS,
        .onesweep.units = caps->units,
    };
    const struct cls_tuning wanted = *tuning;
    if (!fit(caps, spec, tuning)) {
        *why = "the device has too little local memory";
        return false;
    }
    if ((asked[PARAMETER_ITEMS] && tuning->onesweep.items < wanted.onesweep.items) ||
        (asked[PARAMETER_GROUP] && tuning->group_size < wanted.group_size)) {
        *why = "tiles of that many items do not fit the device";
        return false;
    }
    const uint64_t rows = TABLE_BYTES / (sizeof(cl_uint) << tuning->onesweep.bits);
    const uint64_t held = MAX_SECTION / tile_of(tuning);
    tuning->onesweep.max_tiles = (unsigned)(rows < held ? rows : held);
    if (asked[PARAMETER_TILES] && asked[PARAMETER_TILES] < tuning->onesweep.max_tiles)
        tuning->onesweep.max_tiles = asked[PARAMETER_TILES];
    const unsigned passes = cls_pass_count(spec, tuning->onesweep.bits);
    const uint64_t launched =
        MAX_LAUNCHES / (passes > 0 ? passes : 1) * (tuning->onesweep.max_tiles * tile_of(tuning));
    const uint64_t counted = MAX_CHUNKS * (uint64_t)MAX_CHUNK;
    tuning->max_count = cls_min(cls_min(max_count(caps, tuning), cls_max_countable(caps, spec)),
                                cls_min(launched, counted));
    if (tuning->max_count == 0)
        *why = "this driver ends loops too early";
    return tuning->max_count > 0;
}

static void schedule(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_schedule *schedule)
{
    const struct cls_onesweep_schedule s = divide(tuning, spec, count);
    const uint64_t start_rows = s.passes + 2;
    uint64_t *bytes = schedule->region_bytes;
    schedule->onesweep = s;
    schedule->regions = REGIONS;
    bytes[CLS_CONTROL] = sizeof(cls_lsd_control);
    bytes[CLS_KEYS] = count * spec->key_bytes;
    bytes[CLS_VALUES] = count * spec->value_bytes;
    bytes[TABLE] = s.table_words * sizeof(cl_uint);
    bytes[ROWS] = ((uint64_t)s.max_chunks * s.passes << tuning->onesweep.bits) * sizeof(cl_uint);
    bytes[STARTS] = (start_rows << tuning->onesweep.bits) * (spec->index_bits / 8);
    bytes[SUMMARIES] = (uint64_t)s.max_chunks * sizeof(cls_key_summary);
}

static size_t programs(const struct cls_caps *caps, const struct cls_tuning *tuning,
                       const struct cls_spec *spec, struct cls_program_spec *programs)
{
    const unsigned bits = tuning->onesweep.bits;
    cls_program_begin(programs, "onesweep/onesweep.cl", NAMES, tuning->group_size, spec);
    cls_text_add(&programs->options, " -DGROUP_SIZE=%u -DITEMS=%u -DBITS=%u -DLOOKS=%u",
                 tuning->group_size, tuning->onesweep.items, bits, looks_of(caps));
    cls_text_add(&programs->options, " -DCOPIES=%u -DVALUES_EXCHANGED=%d",
                 (unsigned)copies_of(caps, spec, bits), exchanges_values(caps, spec, tuning));
    cls_sub_group_options(caps, &programs->options);
    return 1;
}

static cl_int look(const struct cls_sort *sort)
{
    const struct cls_spec *spec = sort->spec;
    const clsort_buffer *region = sort->scratch;
    struct cls_launch launch = cls_launch(sort->kernels[LOOK]);
    cls_arg_buffer(&launch, sort->arrays->keys_in);
    cls_arg_buffer(&launch, region[ROWS]);
    cls_arg_buffer(&launch, region[SUMMARIES]);
    cls_arg_buffer(&launch, region[TABLE]);
    cls_arg_index(&launch, spec, sort->arrays->count);
    cls_arg_index(&launch, spec, sort->schedule->onesweep.chunk);
    cls_arg_key(&launch, spec, spec->flip);
    cls_arg_key(&launch, spec, cls_window(spec));
    cls_arg_uint(&launch, spec->begin_bit);
    cls_arg_uint(&launch, sort->schedule->onesweep.passes);
    cls_arg_ulong(&launch, sort->schedule->onesweep.table_words);
    const cl_int status = cls_launch_enqueue(sort->chain, &launch, sort->schedule->onesweep.chunks,
                                             sort->tuning->group_size);
    if (status != CL_SUCCESS)
        return status;

    launch = cls_launch(sort->kernels[DECIDE]);
    cls_arg_buffer(&launch, region[CLS_CONTROL]);
    cls_arg_buffer(&launch, region[ROWS]);
    cls_arg_buffer(&launch, region[SUMMARIES]);
    cls_arg_buffer(&launch, region[STARTS]);
    cls_arg_uint(&launch, sort->schedule->onesweep.chunks);
    cls_arg_key(&launch, spec, cls_window(spec));
    cls_arg_uint(&launch, sort->arrays->in_place);
    cls_arg_uint(&launch, spec->begin_bit);
    cls_arg_uint(&launch, spec->end_bit);
    cls_arg_uint(&launch, sort->schedule->onesweep.passes);
    return cls_launch_enqueue(sort->chain, &launch,
                              sort->schedule->onesweep.passes > 0 ? sort->schedule->onesweep.passes
                                                                  : 1,
                              sort->tuning->group_size);
}

static cl_int clear(const struct cls_sort *sort)
{
    struct cls_launch launch = cls_launch(sort->kernels[CLEAR]);
    cls_arg_buffer(&launch, sort->scratch[TABLE]);
    cls_arg_ulong(&launch, sort->schedule->onesweep.table_words);
    return cls_launch_enqueue(sort->chain, &launch, sort->schedule->onesweep.chunks,
                              sort->tuning->group_size);
}

static cl_int sweep(const struct cls_sort *sort, unsigned pass, unsigned section)
{
    const struct cls_spec *spec = sort->spec;
    const struct cls_digit digit = cls_digit_of_pass(spec, sort->tuning->onesweep.bits, pass);
    const unsigned number = pass * sort->schedule->onesweep.sections + section;
    const uint64_t first = section * sort->schedule->onesweep.section_tiles,
                   left = sort->schedule->onesweep.tiles - first;
    struct cls_launch launch = cls_launch(sort->kernels[PASS]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_arg_key_arrays(&launch, sort);
    cls_arg_value_arrays(&launch, sort);
    cls_arg_buffer(&launch, sort->scratch[TABLE]);
    cls_arg_buffer(&launch, sort->scratch[STARTS]);
    cls_arg_index(&launch, spec, sort->arrays->count);
    cls_arg_index(&launch, spec, first * tile_of(sort->tuning));
    cls_arg_key(&launch, spec, spec->flip);
    cls_arg_key(&launch, spec, spec->pad);
    cls_arg_uint(&launch, pass);
    cls_arg_uint(&launch, digit.shift);
    cls_arg_uint(&launch, digit.bits);
    cls_arg_uint(&launch, number);
    cls_arg_uint(&launch, sort->schedule->onesweep.launches);
    /* Rows of starts: one for each pass, and two that later sections use in turn. */
    cls_arg_uint(&launch, section == 0 ? pass : sort->schedule->onesweep.passes + section % 2);
    cls_arg_uint(&launch, sort->schedule->onesweep.passes + (section + 1) % 2);
    return cls_launch_enqueue(sort->chain, &launch,
                              left < sort->schedule->onesweep.section_tiles
                                  ? left
                                  : sort->schedule->onesweep.section_tiles,
                              sort->tuning->group_size);
}

static cl_int enqueue(const struct cls_sort *sort)
{
    const struct cls_onesweep_schedule *s = &sort->schedule->onesweep;
    cl_int status = look(sort);
    for (unsigned number = 0; number < s->launches && status == CL_SUCCESS; number++) {
        if (number > 0 && number % EPOCHS == 0)
            status = clear(sort);
        if (status == CL_SUCCESS)
            status = sweep(sort, number / s->sections, number % s->sections);
    }
    return status == CL_SUCCESS ? cls_passes_finish(sort, sort->kernels[FINISH], s->chunks)
                                : status;
}

/* Without passes too all is looked at, and copied. */
static uint64_t bytes_per_element(const struct cls_tuning *tuning, const struct cls_spec *spec,
                                  uint64_t count)
{
    const unsigned passes = cls_pass_count(spec, tuning->onesweep.bits);
    (void)count;
    return spec->key_bytes + (passes > 0 ? passes : 1) * cls_copy_bytes(spec);
}

/* More launches than there are epochs, of several tiles each. */
static uint64_t self_test_count(struct cls_tuning *tuning)
{
    const unsigned section = 3;
    tuning->onesweep.units = 1;
    tuning->onesweep.max_tiles =
        tuning->onesweep.max_tiles < section ? tuning->onesweep.max_tiles : section;
    return (uint64_t)EPOCHS * tuning->onesweep.max_tiles * tile_of(tuning) + 1;
}

static void describe(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_text *text)
{
    const struct cls_onesweep_schedule s = divide(tuning, spec, count);
    cls_text_add(text, "%ux%u bits, tiles of %u x %u, sections: %u", s.passes,
                 tuning->onesweep.bits, tuning->group_size, tuning->onesweep.items, s.sections);
}

const struct cls_algo cls_algo_onesweep = {
    .name = "onesweep",
    .operations = CLS_OPERATION(CLS_SORT),
    .traits = CLS_STABLE,
    .primitives = CLS_SUB_GROUP_PRIMITIVES,
    .is_for_gpus = true,
    .parameters = {[PARAMETER_BITS] = {.name = "bits", .min = 1, .max = 8},
                   [PARAMETER_ITEMS] = {.name = "items", .min = 1, .max = MAX_ITEMS},
                   [PARAMETER_GROUP] = {.name = "group", .words = GROUPS},
                   [PARAMETER_TILES] = {.name = "tiles", .min = 1, .max = 1 << 20}},
    .supports = supports,
    .schedule = schedule,
    .programs = programs,
    .enqueue = enqueue,
    .bytes_per_element = bytes_per_element,
    .self_test_count = self_test_count,
    .describe = describe,
};
