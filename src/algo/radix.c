/* radix.c - LSD radix sort in plain OpenCL 1.2: histogram, scan, scatter (radix.cl) */
#include "algo/passes.h"
#include "algo/tile.h"

enum {
    GPU_GROUP_SIZE = 256,
    CPU_GROUP_SIZE = 1, /* steps of a group are loops there, and a work-item alone needs none */
    ITEMS =
        12, /* with BITS measured best on an H200: items 4, 8, 12, 16 and bits 4, 6, 8 were tried */
    BITS = 8,
    GROUPS_PER_UNIT = 8, /* chunks: enough to hide latency, few enough that the table stays small */
    MOST_CHUNKS = 8192,  /* bounds the table to 16 MiB */
    MOST_TILES = 1 << 24 /* of a chunk; more than any device has memory for */
};

enum { LOOK, DECIDE, COUNT, SCAN, SCATTER, FINISH };
static const char *const NAMES[CLS_MOST_KERNELS + 1] = {
    "radix_look",    "radix_decide",  "radix_count", "radix_scan",
    "radix_scatter", "passes_finish", NULL};
static const char *const FILES[] = {"types.cl", "keys.cl",   "head.cl",   "control.cl", "scan.cl",
                                    "split.cl", "places.cl", "passes.cl", "radix.cl",   NULL};

enum { PARAMETER_BITS, PARAMETER_ITEMS, PARAMETER_SCATTER };
static const char *const SCATTERS[] = {"coalesced", "direct", NULL};

enum { TABLE = CLS_OWN_REGIONS, TOTALS, SEEN, REGIONS };
_Static_assert((int)REGIONS <= (int)CLS_MOST_REGIONS, "too many regions");

static uint64_t fixed_bytes(unsigned bits, unsigned index_bits)
{
    const unsigned copies_bytes = 4096; /* of the histogram's counters, at most */
    const unsigned places_bytes = (2u << bits) * (index_bits / 8);
    return places_bytes > copies_bytes ? places_bytes : copies_bytes;
}

/* The most tiles of a chunk that a work-item gets through where its turns are limited. */
static unsigned most_tiles(const struct cls_caps *caps, const struct cls_tuning *tuning)
{
    const uint64_t tile_turns = 24 * tuning->items + 96; /* of radix_scatter, for four splits */
    const uint64_t other_turns = 3 * MOST_CHUNKS; /* of radix_scan in groups of one, the most */
    const uint64_t tiles =
        caps->most_turns > other_turns ? (caps->most_turns - other_turns) / tile_turns : 0;
    return (unsigned)(tiles < MOST_TILES ? tiles : MOST_TILES);
}

static uint64_t tile_of(const struct cls_tuning *tuning)
{
    return (uint64_t)tuning->group_size * tuning->items;
}

/* Where turns are limited, small tiles would make too many of them. */
static unsigned group_size_for(const struct cls_caps *caps)
{
    return caps->type & CL_DEVICE_TYPE_CPU && caps->most_turns == UINT64_MAX ? CPU_GROUP_SIZE
                                                                             : GPU_GROUP_SIZE;
}

static bool supports(const struct cls_caps *caps, const struct cls_shape *shape,
                     const struct cls_parameters *parameters, struct cls_tuning *tuning,
                     const char **why)
{
    const unsigned *asked = parameters->value;
    *tuning = (struct cls_tuning){
        .group_size = group_size_for(caps),
        .items = asked[PARAMETER_ITEMS] ? asked[PARAMETER_ITEMS] : ITEMS,
        .bits = asked[PARAMETER_BITS] ? asked[PARAMETER_BITS] : BITS,
        .direct = asked[PARAMETER_SCATTER] == 2,
        .units = caps->units,
        .most_items = cls_countable(caps, shape),
    };
    /* A work-item needs room for seen_t, and for its keys' digits when the scatter is direct. */
    const unsigned more = CLS_SEEN_BYTES + (tuning->direct ? tuning->items : 0);
    if (!cls_fit_tile(caps, shape, more, (unsigned)fixed_bytes(tuning->bits, shape->index_bits),
                      tuning)) {
        *why = "the device has too little local memory";
        return false;
    }
    if (asked[PARAMETER_ITEMS] > tuning->items) {
        *why = "that many items do not fit the device's local memory";
        return false;
    }
    tuning->most_tiles = most_tiles(caps, tuning);
    if (tuning->most_tiles == 0) {
        *why = "this driver ends loops too early";
        return false;
    }
    const uint64_t most_items = tuning->most_tiles * tile_of(tuning) * MOST_CHUNKS;
    if (most_items < tuning->most_items)
        tuning->most_items = most_items;
    return true;
}

static unsigned chunks_of(const struct cls_tuning *tuning, uint64_t count)
{
    const uint64_t tiles = cls_divide_up(count, tile_of(tuning));
    const uint64_t needed = cls_divide_up(tiles, tuning->most_tiles);
    uint64_t chunks = (uint64_t)tuning->units * GROUPS_PER_UNIT;
    chunks = chunks < MOST_CHUNKS ? chunks : MOST_CHUNKS;
    chunks = chunks > needed ? chunks : needed;
    return (unsigned)(chunks < tiles ? chunks : tiles);
}

static size_t scratch(const struct cls_tuning *tuning, const struct cls_shape *shape,
                      uint64_t count, uint64_t *bytes)
{
    const uint64_t chunks = chunks_of(tuning, count), index_bytes = shape->index_bits / 8;
    bytes[CLS_CONTROL] = CLS_CONTROL_BYTES;
    bytes[CLS_KEYS] = count * shape->key_bytes;
    bytes[CLS_VALUES] = count * shape->value_bytes;
    bytes[TABLE] = (chunks << tuning->bits) * index_bytes;
    bytes[TOTALS] = index_bytes << tuning->bits;
    bytes[SEEN] = chunks * CLS_SEEN_BYTES;
    return REGIONS;
}

static cl_int prepare(struct cls_device *device, const struct cls_tuning *tuning,
                      const struct cls_shape *shape, cl_kernel *kernels)
{
    char line[256];
    struct cls_text options = CLS_TEXT(line);
    cls_shape_options(shape, &options);
    cls_text_add(&options, " -DGROUP_SIZE=%u -DITEMS=%u -DBITS=%u -DDIRECT=%u", tuning->group_size,
                 tuning->items, tuning->bits, tuning->direct);
    const struct cls_code code = {FILES, line, NULL};
    return cls_kernels_create(device, &code, NAMES, tuning->group_size, kernels);
}

/* What the passes share. */
struct run {
    const cl_kernel *kernels;
    const struct cls_tuning *tuning;
    const struct cls_shape *shape;
    const struct cls_job *job;
    struct cls_chain *chain;
    unsigned chunks;
    uint64_t chunk;
};

static cl_int look(const struct run *run, struct cls_digit digit)
{
    const struct cls_shape *shape = run->shape;
    const clsort_buffer *region = run->job->scratch;
    struct cls_launch launch = cls_launch(run->kernels[LOOK]);
    cls_arg_buffer(&launch, run->job->places.keys_in);
    cls_arg_buffer(&launch, region[TABLE]);
    cls_arg_buffer(&launch, region[SEEN]);
    cls_arg_index(&launch, shape, run->job->places.count);
    cls_arg_index(&launch, shape, run->chunk);
    cls_arg_key(&launch, shape, shape->flip);
    cls_arg_key(&launch, shape, cls_window(shape));
    cls_arg_uint(&launch, digit.shift);
    cls_arg_uint(&launch, digit.bits);
    const cl_int status = cls_run(run->chain, &launch, run->chunks, run->tuning->group_size);
    if (status != CL_SUCCESS)
        return status;

    launch = cls_launch(run->kernels[DECIDE]);
    cls_arg_buffer(&launch, region[CLS_CONTROL]);
    cls_arg_buffer(&launch, region[SEEN]);
    cls_arg_uint(&launch, run->chunks);
    cls_arg_key(&launch, shape, cls_window(shape));
    cls_arg_uint(&launch, run->job->places.in_place);
    cls_arg_uint(&launch, shape->begin_bit);
    cls_arg_uint(&launch, shape->end_bit);
    return cls_run(run->chain, &launch, 1, run->tuning->group_size);
}

static cl_int count(const struct run *run, unsigned pass, struct cls_digit digit)
{
    struct cls_launch launch = cls_launch(run->kernels[COUNT]);
    cls_arg_buffer(&launch, run->job->scratch[CLS_CONTROL]);
    cls_arg_key_places(&launch, run->job);
    cls_arg_buffer(&launch, run->job->scratch[TABLE]);
    cls_arg_index(&launch, run->shape, run->job->places.count);
    cls_arg_index(&launch, run->shape, run->chunk);
    cls_arg_key(&launch, run->shape, run->shape->flip);
    cls_arg_uint(&launch, pass);
    cls_arg_uint(&launch, digit.shift);
    cls_arg_uint(&launch, digit.bits);
    return cls_run(run->chain, &launch, run->chunks, run->tuning->group_size);
}

static cl_int scan(const struct run *run, unsigned pass)
{
    struct cls_launch launch = cls_launch(run->kernels[SCAN]);
    cls_arg_buffer(&launch, run->job->scratch[CLS_CONTROL]);
    cls_arg_buffer(&launch, run->job->scratch[TABLE]);
    cls_arg_buffer(&launch, run->job->scratch[TOTALS]);
    cls_arg_uint(&launch, run->chunks);
    cls_arg_uint(&launch, pass);
    return cls_run(run->chain, &launch, (size_t)1 << run->tuning->bits, run->tuning->group_size);
}

static cl_int scatter(const struct run *run, unsigned pass, struct cls_digit digit)
{
    struct cls_launch launch = cls_launch(run->kernels[SCATTER]);
    cls_arg_buffer(&launch, run->job->scratch[CLS_CONTROL]);
    cls_arg_key_places(&launch, run->job);
    cls_arg_value_places(&launch, run->shape, run->job);
    cls_arg_buffer(&launch, run->job->scratch[TABLE]);
    cls_arg_buffer(&launch, run->job->scratch[TOTALS]);
    cls_arg_index(&launch, run->shape, run->job->places.count);
    cls_arg_index(&launch, run->shape, run->chunk);
    cls_arg_key(&launch, run->shape, run->shape->flip);
    cls_arg_key(&launch, run->shape, run->shape->pad);
    cls_arg_uint(&launch, pass);
    cls_arg_uint(&launch, digit.shift);
    cls_arg_uint(&launch, digit.bits);
    return cls_run(run->chain, &launch, run->chunks, run->tuning->group_size);
}

static cl_int enqueue(const cl_kernel *kernels, const struct cls_tuning *tuning,
                      const struct cls_shape *shape, const struct cls_job *job,
                      struct cls_chain *chain)
{
    const unsigned chunks = chunks_of(tuning, job->places.count);
    const uint64_t tile = tile_of(tuning);
    const struct run run = {kernels,
                            tuning,
                            shape,
                            job,
                            chain,
                            chunks,
                            cls_divide_up(cls_divide_up(job->places.count, chunks), tile) * tile};
    cl_int status = look(&run, cls_digit_of(shape, tuning->bits, 0));
    for (unsigned pass = 0; pass < cls_passes_of(shape, tuning->bits); pass++) {
        const struct cls_digit digit = cls_digit_of(shape, tuning->bits, pass);
        if (status == CL_SUCCESS && pass > 0) /* the first digit was counted by look */
            status = count(&run, pass, digit);
        if (status == CL_SUCCESS)
            status = scan(&run, pass);
        if (status == CL_SUCCESS)
            status = scatter(&run, pass, digit);
    }
    return status == CL_SUCCESS
               ? cls_passes_finish(kernels[FINISH], shape, job, chain, chunks, tuning->group_size)
               : status;
}

/* Without passes too all is looked at, and copied. */
static uint64_t traffic(const struct cls_tuning *tuning, const struct cls_shape *shape,
                        uint64_t count)
{
    const unsigned passes = cls_passes_of(shape, tuning->bits);
    (void)count;
    return (passes > 0 ? passes : 1) * (shape->key_bytes + cls_copy_bytes(shape));
}

/* Several chunks of two tiles. */
static uint64_t trial(struct cls_tuning *tuning)
{
    tuning->units = 1;
    return GROUPS_PER_UNIT * tile_of(tuning) + 1;
}

static void describe(const struct cls_tuning *tuning, const struct cls_shape *shape, uint64_t items,
                     struct cls_text *text)
{
    (void)items;
    cls_text_add(text, "%ux%u bits, ", cls_passes_of(shape, tuning->bits), tuning->bits);
    if (tuning->group_size == 1)
        cls_text_add(text, "work-items alone");
    else
        cls_text_add(text, "tiles of %u x %u, %s scatter", tuning->group_size, tuning->items,
                     SCATTERS[tuning->direct]);
}

const struct cls_algo cls_algo_radix = {
    .name = "radix",
    .traits = CLS_STABLE,
    .is_made_of_blocks = true,
    .parameters = {[PARAMETER_BITS] = {.name = "bits", .least = 1, .most = 8},
                   [PARAMETER_ITEMS] = {.name = "items", .least = 1, .most = 32},
                   [PARAMETER_SCATTER] = {.name = "scatter", .words = SCATTERS}},
    .supports = supports,
    .scratch = scratch,
    .prepare = prepare,
    .enqueue = enqueue,
    .traffic = traffic,
    .trial = trial,
    .describe = describe,
};
