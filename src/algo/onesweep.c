/* onesweep.c - stable LSD radix sort that reads and writes once for each digit (onesweep.cl) */
#include "algo/passes.h"
#include "algo/rank.h"

enum {
    GROUP_SIZE = 256,
    CPU_GROUP_SIZE = 16, /* without lanes a work-item has counters of its own */
    MOST_ITEMS = 32,
    ITEM_BYTES = 96, /* keys of a work-item, as many as have these bytes, and no more than ITEMS */
    ITEMS = 24,
    LOCAL_ITEMS =
        8, /* where lanes meet at barriers, of which each item makes four: compilers get slow */
    BITS = 8,
    COUNTS_BYTES = 16 << 10, /* of local memory, for histograms */
    TABLE_BYTES = 24 << 20,  /* a section is as large as this allows */
    CHUNKS_PER_UNIT = 4,     /* of the histograms */
    MOST_CHUNKS = 512,       /* so that their rows take 4 MiB at most */
    CHUNK = 8192,            /* keys that pay for a row */
    CHUNK_ALIGNMENT = 2048,
    MOST_LAUNCHES = 1 << 19, /* whose tickets take 2 MiB */
    EPOCHS = 8,              /* of onesweep.cl */
    LOOKS = 1024
};

/* A count has 28 bits, of which all ones are none. */
static const uint64_t MOST_SECTION = (1u << 28) - 2;

/* Keys that a row's counters of 32 bits can count. */
static const uint32_t MOST_CHUNK = UINT32_MAX / 2;

enum { LOOK, DECIDE, PASS, CLEAR, FINISH };
static const char *const NAMES[CLS_MOST_KERNELS + 1] = {
    "onesweep_look", "onesweep_decide", "onesweep_pass", "onesweep_clear", "passes_finish", NULL};
static const char *const FILES[] = {
    "types.cl", "keys.cl",   "head.cl",     "control.cl", "scan.cl",     "lanes.cl", "group.cl",
    "rank.cl",  "places.cl", "exchange.cl", "passes.cl",  "onesweep.cl", NULL};

enum { PARAMETER_BITS, PARAMETER_ITEMS, PARAMETER_GROUP, PARAMETER_TILES };
static const char *const GROUPS[] = {"1",  "2",   "4",   "8",   "16",   "32",
                                     "64", "128", "256", "512", "1024", NULL};

enum { TABLE = CLS_OWN_REGIONS, ROWS, STARTS, SEEN, REGIONS };
_Static_assert((int)REGIONS <= (int)CLS_MOST_REGIONS, "too many regions");

static uint64_t tile_of(const struct cls_tuning *tuning)
{
    return (uint64_t)tuning->group_size * tuning->items;
}

/* -- what a group takes of local memory ----------------------------------------------------------- */

/* room_t of onesweep.cl, without values. */
static uint64_t keys_bytes(const struct cls_caps *caps, const struct cls_shape *shape,
                           const struct cls_tuning *tuning)
{
    const uint64_t ranks = cls_rank_bytes(caps, tuning->group_size, tuning->bits);
    const uint64_t keys = tile_of(tuning) * shape->key_bytes;
    return ranks > keys ? ranks : keys;
}

/* VALUES_EXCHANGED: where they take no more than keys or ranks, or than 24 KiB and half of the device's. */
static bool exchanges_values(const struct cls_caps *caps, const struct cls_shape *shape,
                             const struct cls_tuning *tuning)
{
    const uint64_t keys = keys_bytes(caps, shape, tuning);
    const uint64_t some = cls_least_of(24 << 10, caps->local_bytes / 2);
    return tile_of(tuning) * shape->value_bytes <= (keys > some ? keys : some);
}

static uint64_t room_bytes(const struct cls_caps *caps, const struct cls_shape *shape,
                           const struct cls_tuning *tuning)
{
    const uint64_t keys = keys_bytes(caps, shape, tuning);
    const uint64_t values =
        exchanges_values(caps, shape, tuning) ? tile_of(tuning) * shape->value_bytes : 0;
    return keys > values ? keys : values;
}

static uint64_t counters_of(const struct cls_shape *shape, unsigned bits)
{
    return cls_divide_up(8 * shape->key_bytes, bits) << bits;
}

/* COPIES */
static uint64_t copies_of(const struct cls_caps *caps, const struct cls_shape *shape, unsigned bits)
{
    const uint64_t half = caps->local_bytes / 2;
    const uint64_t copies =
        (half < COUNTS_BYTES ? half : COUNTS_BYTES) / (sizeof(cl_uint) * counters_of(shape, bits));
    return copies > 0 ? copies : 1;
}

static bool fits(const struct cls_caps *caps, const struct cls_shape *shape,
                 const struct cls_tuning *tuning)
{
    const uint64_t more = 64; /* what a kernel has beside */
    const uint64_t pass =
        room_bytes(caps, shape, tuning) + ((uint64_t)(shape->index_bits / 8) << tuning->bits);
    const uint64_t look =
        copies_of(caps, shape, tuning->bits) * sizeof(cl_uint) * counters_of(shape, tuning->bits) +
        (uint64_t)tuning->group_size * CLS_SEEN_BYTES;
    const uint64_t decide = (uint64_t)tuning->group_size * (CLS_SEEN_BYTES + 2 * sizeof(cl_ulong));
    return pass + more <= caps->local_bytes && look + more <= caps->local_bytes &&
           decide + more <= caps->local_bytes;
}

/* Lowers group_size and items until a group fits the device. */
static bool fit(const struct cls_caps *caps, const struct cls_shape *shape,
                struct cls_tuning *tuning)
{
    while (tuning->group_size > caps->group_size && tuning->group_size > 1)
        tuning->group_size /= 2;
    while (!fits(caps, shape, tuning)) {
        if (tuning->items > 4)
            tuning->items /= 2;
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
    return caps->most_turns < UINT64_MAX ? 8 : LOOKS;
}

/* Where turns are limited: the elements of which a tile can look at all tiles before, none of which tells, for all
 * digits of a work-item; it clears a word of the table for each of them, too. */
static uint64_t most_items(const struct cls_caps *caps, const struct cls_tuning *tuning)
{
    const uint64_t tile = tile_of(tuning), other_turns = 16384 + 4 * MOST_CHUNKS;
    const uint64_t look = looks_of(caps) + tile / (tile % 16 ? 1 : 16) + 2;
    const uint64_t turns = look * cls_divide_up((uint64_t)1 << tuning->bits, tuning->group_size);
    const uint64_t tiles =
        caps->most_turns > other_turns ? (caps->most_turns - other_turns) / turns : 0;
    return caps->most_turns == UINT64_MAX ? UINT64_MAX : tiles * tile;
}

/* How a sort of so many elements is cut. */
struct cut {
    unsigned passes;
    uint64_t tiles, section; /* tiles of a section */
    unsigned sections, launches;
    unsigned chunks,
        most_chunks; /* of the histograms; as many at most, and of fewer elements no more */
    uint64_t chunk;
};

static struct cut cut_for(const struct cls_tuning *tuning, const struct cls_shape *shape,
                          uint64_t count)
{
    struct cut cut = {.passes = cls_passes_of(shape, tuning->bits),
                      .tiles = cls_divide_up(count, tile_of(tuning))};
    cut.sections = (unsigned)cls_divide_up(cut.tiles, tuning->most_tiles);
    cut.section = cls_divide_up(cut.tiles, cut.sections);
    cut.launches = cut.passes * cut.sections;
    uint64_t chunks = (uint64_t)tuning->units * CHUNKS_PER_UNIT;
    chunks = chunks < MOST_CHUNKS ? chunks : MOST_CHUNKS;
    const uint64_t most = cls_divide_up(count, CHUNK), least = cls_divide_up(count, MOST_CHUNK);
    chunks = chunks < most ? chunks : most;
    chunks = chunks > least ? chunks : least;
    cut.most_chunks = (unsigned)chunks;
    cut.chunk = cls_divide_up(cls_divide_up(count, chunks), CHUNK_ALIGNMENT) * CHUNK_ALIGNMENT;
    cut.chunks = (unsigned)cls_divide_up(count, cut.chunk);
    return cut;
}

/* Of the table: tickets of the launches, and the words of the largest section that there could be. */
static uint64_t words_of(const struct cut *cut, const struct cls_tuning *tuning)
{
    const uint64_t rows = cut->tiles < tuning->most_tiles ? cut->tiles : tuning->most_tiles;
    return cut->launches + (rows << tuning->bits);
}

/* -- the algorithm -------------------------------------------------------------------------------- */

static unsigned items_for(const struct cls_caps *caps, const struct cls_shape *shape)
{
    const bool meets = caps->lanes > 1 && caps->lanes_body == CLS_LANES_LOCAL;
    const unsigned items = ITEM_BYTES / shape->key_bytes, most = meets ? LOCAL_ITEMS : ITEMS;
    return items < most ? items : most;
}

static bool supports(const struct cls_caps *caps, const struct cls_shape *shape,
                     const struct cls_parameters *parameters, struct cls_tuning *tuning,
                     const char **why)
{
    const unsigned *asked = parameters->value;
    const unsigned items = items_for(caps, shape);
    *tuning = (struct cls_tuning){
        .group_size = asked[PARAMETER_GROUP]            ? 1u << (asked[PARAMETER_GROUP] - 1)
                      : caps->type & CL_DEVICE_TYPE_CPU ? CPU_GROUP_SIZE
                                                        : GROUP_SIZE,
        .items = asked[PARAMETER_ITEMS] ? asked[PARAMETER_ITEMS] : items,
        .bits = asked[PARAMETER_BITS] ? asked[PARAMETER_BITS] : BITS,
        .units = caps->units,
    };
    const struct cls_tuning wanted = *tuning;
    if (!fit(caps, shape, tuning)) {
        *why = "the device has too little local memory";
        return false;
    }
    if ((asked[PARAMETER_ITEMS] && tuning->items < wanted.items) ||
        (asked[PARAMETER_GROUP] && tuning->group_size < wanted.group_size)) {
        *why = "tiles of that many items do not fit the device";
        return false;
    }
    const uint64_t rows = TABLE_BYTES / (sizeof(cl_uint) << tuning->bits);
    const uint64_t held = MOST_SECTION / tile_of(tuning);
    tuning->most_tiles = (unsigned)(rows < held ? rows : held);
    if (asked[PARAMETER_TILES] && asked[PARAMETER_TILES] < tuning->most_tiles)
        tuning->most_tiles = asked[PARAMETER_TILES];
    const unsigned passes = cls_passes_of(shape, tuning->bits);
    const uint64_t launched =
        MOST_LAUNCHES / (passes > 0 ? passes : 1) * (tuning->most_tiles * tile_of(tuning));
    const uint64_t counted = MOST_CHUNKS * (uint64_t)MOST_CHUNK;
    tuning->most_items =
        cls_least_of(cls_least_of(most_items(caps, tuning), cls_countable(caps, shape)),
                     cls_least_of(launched, counted));
    if (tuning->most_items == 0)
        *why = "this driver ends loops too early";
    return tuning->most_items > 0;
}

static size_t scratch(const struct cls_tuning *tuning, const struct cls_shape *shape,
                      uint64_t count, uint64_t *bytes)
{
    const struct cut cut = cut_for(tuning, shape, count);
    const uint64_t starts = cut.passes + 2;
    bytes[CLS_CONTROL] = CLS_CONTROL_BYTES;
    bytes[CLS_KEYS] = count * shape->key_bytes;
    bytes[CLS_VALUES] = count * shape->value_bytes;
    bytes[TABLE] = words_of(&cut, tuning) * sizeof(cl_uint);
    bytes[ROWS] = ((uint64_t)cut.most_chunks * cut.passes << tuning->bits) * sizeof(cl_uint);
    bytes[STARTS] = (starts << tuning->bits) * (shape->index_bits / 8);
    bytes[SEEN] = (uint64_t)cut.most_chunks * CLS_SEEN_BYTES;
    return REGIONS;
}

static cl_int prepare(struct cls_device *device, const struct cls_tuning *tuning,
                      const struct cls_shape *shape, cl_kernel *kernels)
{
    const struct cls_caps *caps = &device->caps;
    char line[320];
    struct cls_text options = CLS_TEXT(line);
    cls_shape_options(shape, &options);
    cls_text_add(&options, " -DGROUP_SIZE=%u -DITEMS=%u -DBITS=%u -DLOOKS=%u", tuning->group_size,
                 tuning->items, tuning->bits, looks_of(caps));
    cls_text_add(&options, " -DCOPIES=%u -DVALUES_EXCHANGED=%d",
                 (unsigned)copies_of(caps, shape, tuning->bits),
                 exchanges_values(caps, shape, tuning));
    cls_lanes_options(caps, &options);
    const struct cls_code code = {FILES, line, NULL};
    return cls_kernels_create(device, &code, NAMES, tuning->group_size, kernels);
}

/* What the launches share. */
struct run {
    const cl_kernel *kernels;
    const struct cls_tuning *tuning;
    const struct cls_shape *shape;
    const struct cls_job *job;
    struct cls_chain *chain;
    struct cut cut;
};

static cl_int look(const struct run *run)
{
    const struct cls_shape *shape = run->shape;
    const clsort_buffer *region = run->job->scratch;
    struct cls_launch launch = cls_launch(run->kernels[LOOK]);
    cls_arg_buffer(&launch, run->job->places.keys_in);
    cls_arg_buffer(&launch, region[ROWS]);
    cls_arg_buffer(&launch, region[SEEN]);
    cls_arg_buffer(&launch, region[TABLE]);
    cls_arg_index(&launch, shape, run->job->places.count);
    cls_arg_index(&launch, shape, run->cut.chunk);
    cls_arg_key(&launch, shape, shape->flip);
    cls_arg_key(&launch, shape, cls_window(shape));
    cls_arg_uint(&launch, shape->begin_bit);
    cls_arg_uint(&launch, run->cut.passes);
    cls_arg_ulong(&launch, words_of(&run->cut, run->tuning));
    const cl_int status = cls_run(run->chain, &launch, run->cut.chunks, run->tuning->group_size);
    if (status != CL_SUCCESS)
        return status;

    launch = cls_launch(run->kernels[DECIDE]);
    cls_arg_buffer(&launch, region[CLS_CONTROL]);
    cls_arg_buffer(&launch, region[ROWS]);
    cls_arg_buffer(&launch, region[SEEN]);
    cls_arg_buffer(&launch, region[STARTS]);
    cls_arg_uint(&launch, run->cut.chunks);
    cls_arg_key(&launch, shape, cls_window(shape));
    cls_arg_uint(&launch, run->job->places.in_place);
    cls_arg_uint(&launch, shape->begin_bit);
    cls_arg_uint(&launch, shape->end_bit);
    cls_arg_uint(&launch, run->cut.passes);
    return cls_run(run->chain, &launch, run->cut.passes > 0 ? run->cut.passes : 1,
                   run->tuning->group_size);
}

static cl_int clear(const struct run *run)
{
    struct cls_launch launch = cls_launch(run->kernels[CLEAR]);
    cls_arg_buffer(&launch, run->job->scratch[TABLE]);
    cls_arg_ulong(&launch, words_of(&run->cut, run->tuning));
    return cls_run(run->chain, &launch, run->cut.chunks, run->tuning->group_size);
}

static cl_int sweep(const struct run *run, unsigned pass, unsigned section)
{
    const struct cls_shape *shape = run->shape;
    const struct cls_digit digit = cls_digit_of(shape, run->tuning->bits, pass);
    const unsigned number = pass * run->cut.sections + section;
    const uint64_t first = section * run->cut.section, left = run->cut.tiles - first;
    struct cls_launch launch = cls_launch(run->kernels[PASS]);
    cls_arg_buffer(&launch, run->job->scratch[CLS_CONTROL]);
    cls_arg_key_places(&launch, run->job);
    cls_arg_value_places(&launch, shape, run->job);
    cls_arg_buffer(&launch, run->job->scratch[TABLE]);
    cls_arg_buffer(&launch, run->job->scratch[STARTS]);
    cls_arg_index(&launch, shape, run->job->places.count);
    cls_arg_index(&launch, shape, first * tile_of(run->tuning));
    cls_arg_key(&launch, shape, shape->flip);
    cls_arg_key(&launch, shape, shape->pad);
    cls_arg_uint(&launch, pass);
    cls_arg_uint(&launch, digit.shift);
    cls_arg_uint(&launch, digit.bits);
    cls_arg_uint(&launch, number);
    cls_arg_uint(&launch, run->cut.launches);
    /* Rows of starts: one for each pass, and two that later sections use in turn. */
    cls_arg_uint(&launch, section == 0 ? pass : run->cut.passes + section % 2);
    cls_arg_uint(&launch, run->cut.passes + (section + 1) % 2);
    return cls_run(run->chain, &launch, left < run->cut.section ? left : run->cut.section,
                   run->tuning->group_size);
}

static cl_int enqueue(const cl_kernel *kernels, const struct cls_tuning *tuning,
                      const struct cls_shape *shape, const struct cls_job *job,
                      struct cls_chain *chain)
{
    const struct run run = {kernels, tuning, shape,
                            job,     chain,  cut_for(tuning, shape, job->places.count)};
    cl_int status = look(&run);
    for (unsigned number = 0; number < run.cut.launches && status == CL_SUCCESS; number++) {
        if (number > 0 && number % EPOCHS == 0)
            status = clear(&run);
        if (status == CL_SUCCESS)
            status = sweep(&run, number / run.cut.sections, number % run.cut.sections);
    }
    return status == CL_SUCCESS ? cls_passes_finish(kernels[FINISH], shape, job, chain,
                                                    run.cut.chunks, tuning->group_size)
                                : status;
}

/* Without passes too all is looked at, and copied. */
static uint64_t traffic(const struct cls_tuning *tuning, const struct cls_shape *shape,
                        uint64_t count)
{
    const unsigned passes = cls_passes_of(shape, tuning->bits);
    (void)count;
    return shape->key_bytes + (passes > 0 ? passes : 1) * cls_copy_bytes(shape);
}

/* More launches than there are epochs, of several tiles each. */
static uint64_t trial(struct cls_tuning *tuning)
{
    const unsigned section = 3;
    tuning->units = 1;
    tuning->most_tiles = tuning->most_tiles < section ? tuning->most_tiles : section;
    return (uint64_t)EPOCHS * tuning->most_tiles * tile_of(tuning) + 1;
}

static void describe(const struct cls_tuning *tuning, const struct cls_shape *shape, uint64_t count,
                     struct cls_text *text)
{
    const struct cut cut = cut_for(tuning, shape, count);
    cls_text_add(text, "%ux%u bits, tiles of %u x %u, sections: %u", cut.passes, tuning->bits,
                 tuning->group_size, tuning->items, cut.sections);
}

const struct cls_algo cls_algo_onesweep = {
    .name = "onesweep",
    .traits = CLS_STABLE,
    .is_made_of_lanes = true,
    .is_for_gpus = true,
    .parameters = {[PARAMETER_BITS] = {.name = "bits", .least = 1, .most = 8},
                   [PARAMETER_ITEMS] = {.name = "items", .least = 1, .most = MOST_ITEMS},
                   [PARAMETER_GROUP] = {.name = "group", .words = GROUPS},
                   [PARAMETER_TILES] = {.name = "tiles", .least = 1, .most = 1 << 20}},
    .supports = supports,
    .scratch = scratch,
    .prepare = prepare,
    .enqueue = enqueue,
    .traffic = traffic,
    .trial = trial,
    .describe = describe,
};
