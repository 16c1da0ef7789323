/* radix.c - LSD radix sort in plain OpenCL 1.2: histogram, scan, scatter (radix.cl) */
#include "algo/common/arguments.h"
#include "algo/common/limits.h"
#include "algo/common/lsd_passes.h"
#include "algo/common/programs.h"
#include "algo/common/split_tile.h"
#include "cl/common/layout.h"

enum {
    GPU_GROUP_SIZE = 256,
    CPU_GROUP_SIZE = 1, /* steps of a group are loops there, and a work-item alone needs none */
    ITEMS =
        12, /* with BITS measured best on an H200: items 4, 8, 12, 16 and bits 4, 6, 8 were tried */
    BITS = 8,
    GROUPS_PER_UNIT = 8, /* chunks: enough to hide latency, few enough that the table stays small */
    MAX_CHUNKS = 8192,   /* bounds the table to 16 MiB */
    MAX_TILES = 1 << 24  /* of a chunk; more than any device has memory for */
};

enum { LOOK, DECIDE, COUNT, SCAN, SCATTER, FINISH };
static const char *const NAMES[] = {"radix_look",    "radix_decide",  "radix_count", "radix_scan",
                                    "radix_scatter", "passes_finish", NULL};

enum { PARAMETER_BITS, PARAMETER_ITEMS, PARAMETER_SCATTER };
static const char *const SCATTERS[] = {"coalesced", "direct", NULL};

enum { TABLE = CLS_OWN_REGIONS, TOTALS, SUMMARIES, REGIONS };
_Static_assert((int)REGIONS <= (int)CLS_MAX_REGIONS, "too many regions");

static uint64_t fixed_bytes(unsigned bits, unsigned index_bits)
{
    const unsigned copies_bytes = 4096; /* of the histogram's counters, at most */
    const unsigned places_bytes = (2u << bits) * (index_bits / 8);
    return places_bytes > copies_bytes ? places_bytes : copies_bytes;
}

/* The most tiles of a chunk that a work-item gets through where its turns are limited. */
static unsigned max_tiles(const struct cls_caps *caps, const struct cls_tuning *tuning)
{
    const uint64_t tile_turns =
        24 * tuning->radix.items + 96;           /* of radix_scatter, for four splits */
    const uint64_t other_turns = 3 * MAX_CHUNKS; /* of radix_scan in groups of one, the most */
    const uint64_t tiles =
        caps->max_iterations > other_turns ? (caps->max_iterations - other_turns) / tile_turns : 0;
    return (unsigned)(tiles < MAX_TILES ? tiles : MAX_TILES);
}

static uint64_t tile_of(const struct cls_tuning *tuning)
{
    return (uint64_t)tuning->group_size * tuning->radix.items;
}

/* Where turns are limited, small tiles would make too many of them. */
static unsigned group_size_for(const struct cls_caps *caps)
{
    return caps->type & CL_DEVICE_TYPE_CPU && caps->max_iterations == UINT64_MAX ? CPU_GROUP_SIZE
                                                                                 : GPU_GROUP_SIZE;
}

static bool supports(const struct cls_caps *caps, const struct cls_spec *spec,
                     const struct cls_parameters *parameters, struct cls_tuning *tuning,
                     const char **why)
{
    const unsigned *asked = parameters->value;
    *tuning = (struct cls_tuning){
        .group_size = group_size_for(caps),
        .radix.items = asked[PARAMETER_ITEMS] ? asked[PARAMETER_ITEMS] : ITEMS,
        .radix.bits = asked[PARAMETER_BITS] ? asked[PARAMETER_BITS] : BITS,
        .radix.direct = asked[PARAMETER_SCATTER] == 2,
        .radix.units = caps->units,
        .max_count = cls_max_countable(caps, spec),
    };
    /* A work-item needs room for seen_t, and for its keys' digits when the scatter is direct. */
    const unsigned more =
        sizeof(cls_key_summary) + (tuning->radix.direct ? tuning->radix.items : 0);
    if (!cls_fit_split_tile(caps, spec, more,
                            (unsigned)fixed_bytes(tuning->radix.bits, spec->index_bits),
                            &tuning->group_size, &tuning->radix.items)) {
        *why = "the device has too little local memory";
        return false;
    }
    if (asked[PARAMETER_ITEMS] > tuning->radix.items) {
        *why = "that many items do not fit the device's local memory";
        return false;
    }
    tuning->radix.max_tiles = max_tiles(caps, tuning);
    if (tuning->radix.max_tiles == 0) {
        *why = "this driver ends loops too early";
        return false;
    }
    const uint64_t max_count = tuning->radix.max_tiles * tile_of(tuning) * MAX_CHUNKS;
    if (max_count < tuning->max_count)
        tuning->max_count = max_count;
    return true;
}

static unsigned chunks_of(const struct cls_tuning *tuning, uint64_t count)
{
    const uint64_t tiles = cls_divide_up(count, tile_of(tuning));
    const uint64_t needed = cls_divide_up(tiles, tuning->radix.max_tiles);
    uint64_t chunks = (uint64_t)tuning->radix.units * GROUPS_PER_UNIT;
    chunks = chunks < MAX_CHUNKS ? chunks : MAX_CHUNKS;
    chunks = chunks > needed ? chunks : needed;
    return (unsigned)(chunks < tiles ? chunks : tiles);
}

static void schedule(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_schedule *schedule)
{
    const uint64_t chunks = chunks_of(tuning, count), index_bytes = spec->index_bits / 8;
    uint64_t *bytes = schedule->region_bytes;
    schedule->regions = REGIONS;
    schedule->radix = (struct cls_radix_schedule){
        .passes = cls_pass_count(spec, tuning->radix.bits),
        .chunks = (unsigned)chunks,
        .chunk = cls_round_up(cls_divide_up(count, chunks), tile_of(tuning)),
    };
    bytes[CLS_CONTROL] = sizeof(cls_lsd_control);
    bytes[CLS_KEYS] = count * spec->key_bytes;
    bytes[CLS_VALUES] = count * spec->value_bytes;
    bytes[TABLE] = (chunks << tuning->radix.bits) * index_bytes;
    bytes[TOTALS] = index_bytes << tuning->radix.bits;
    bytes[SUMMARIES] = chunks * sizeof(cls_key_summary);
}

static size_t programs(const struct cls_caps *caps, const struct cls_tuning *tuning,
                       const struct cls_spec *spec, struct cls_program_spec *programs)
{
    (void)caps;
    cls_program_begin(programs, "radix/radix.cl", NAMES, tuning->group_size, spec);
    cls_text_add(&programs->options, " -DGROUP_SIZE=%u -DITEMS=%u -DBITS=%u -DDIRECT=%d",
                 tuning->group_size, tuning->radix.items, tuning->radix.bits, tuning->radix.direct);
    return 1;
}

static cl_int look(const struct cls_sort *sort, struct cls_digit digit)
{
    const struct cls_spec *spec = sort->spec;
    const clsort_buffer *region = sort->scratch;
    struct cls_launch launch = cls_launch(sort->kernels[LOOK]);
    cls_arg_buffer(&launch, sort->arrays->keys_in);
    cls_arg_buffer(&launch, region[TABLE]);
    cls_arg_buffer(&launch, region[SUMMARIES]);
    cls_arg_index(&launch, spec, sort->arrays->count);
    cls_arg_index(&launch, spec, sort->schedule->radix.chunk);
    cls_arg_key(&launch, spec, spec->flip);
    cls_arg_key(&launch, spec, cls_window(spec));
    cls_arg_uint(&launch, digit.shift);
    cls_arg_uint(&launch, digit.bits);
    const cl_int status = cls_launch_enqueue(sort->chain, &launch, sort->schedule->radix.chunks,
                                             sort->tuning->group_size);
    if (status != CL_SUCCESS)
        return status;

    launch = cls_launch(sort->kernels[DECIDE]);
    cls_arg_buffer(&launch, region[CLS_CONTROL]);
    cls_arg_buffer(&launch, region[SUMMARIES]);
    cls_arg_uint(&launch, sort->schedule->radix.chunks);
    cls_arg_key(&launch, spec, cls_window(spec));
    cls_arg_uint(&launch, sort->arrays->in_place);
    cls_arg_uint(&launch, spec->begin_bit);
    cls_arg_uint(&launch, spec->end_bit);
    return cls_launch_enqueue(sort->chain, &launch, 1, sort->tuning->group_size);
}

static cl_int count(const struct cls_sort *sort, unsigned pass, struct cls_digit digit)
{
    struct cls_launch launch = cls_launch(sort->kernels[COUNT]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_arg_key_arrays(&launch, sort);
    cls_arg_buffer(&launch, sort->scratch[TABLE]);
    cls_arg_index(&launch, sort->spec, sort->arrays->count);
    cls_arg_index(&launch, sort->spec, sort->schedule->radix.chunk);
    cls_arg_key(&launch, sort->spec, sort->spec->flip);
    cls_arg_uint(&launch, pass);
    cls_arg_uint(&launch, digit.shift);
    cls_arg_uint(&launch, digit.bits);
    return cls_launch_enqueue(sort->chain, &launch, sort->schedule->radix.chunks,
                              sort->tuning->group_size);
}

static cl_int scan(const struct cls_sort *sort, unsigned pass)
{
    struct cls_launch launch = cls_launch(sort->kernels[SCAN]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_arg_buffer(&launch, sort->scratch[TABLE]);
    cls_arg_buffer(&launch, sort->scratch[TOTALS]);
    cls_arg_uint(&launch, sort->schedule->radix.chunks);
    cls_arg_uint(&launch, pass);
    return cls_launch_enqueue(sort->chain, &launch, (size_t)1 << sort->tuning->radix.bits,
                              sort->tuning->group_size);
}

static cl_int scatter(const struct cls_sort *sort, unsigned pass, struct cls_digit digit)
{
    struct cls_launch launch = cls_launch(sort->kernels[SCATTER]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_arg_key_arrays(&launch, sort);
    cls_arg_value_arrays(&launch, sort);
    cls_arg_buffer(&launch, sort->scratch[TABLE]);
    cls_arg_buffer(&launch, sort->scratch[TOTALS]);
    cls_arg_index(&launch, sort->spec, sort->arrays->count);
    cls_arg_index(&launch, sort->spec, sort->schedule->radix.chunk);
    cls_arg_key(&launch, sort->spec, sort->spec->flip);
    cls_arg_key(&launch, sort->spec, sort->spec->pad);
    cls_arg_uint(&launch, pass);
    cls_arg_uint(&launch, digit.shift);
    cls_arg_uint(&launch, digit.bits);
    return cls_launch_enqueue(sort->chain, &launch, sort->schedule->radix.chunks,
                              sort->tuning->group_size);
}

static cl_int enqueue(const struct cls_sort *sort)
{
    const unsigned bits = sort->tuning->radix.bits;
    cl_int status = look(sort, cls_digit_of_pass(sort->spec, bits, 0));
    for (unsigned pass = 0; pass < sort->schedule->radix.passes; pass++) {
        const struct cls_digit digit = cls_digit_of_pass(sort->spec, bits, pass);
        if (status == CL_SUCCESS && pass > 0) /* the first digit was counted by look */
            status = count(sort, pass, digit);
        if (status == CL_SUCCESS)
            status = scan(sort, pass);
        if (status == CL_SUCCESS)
            status = scatter(sort, pass, digit);
    }
    return status == CL_SUCCESS
               ? cls_passes_finish(sort, sort->kernels[FINISH], sort->schedule->radix.chunks)
               : status;
}

/* Without passes too all is looked at, and copied. */
static uint64_t bytes_per_element(const struct cls_tuning *tuning, const struct cls_spec *spec,
                                  uint64_t count)
{
    const unsigned passes = cls_pass_count(spec, tuning->radix.bits);
    (void)count;
    return (passes > 0 ? passes : 1) * (spec->key_bytes + cls_copy_bytes(spec));
}

/* Several chunks of two tiles. */
static uint64_t self_test_count(struct cls_tuning *tuning)
{
    tuning->radix.units = 1;
    return GROUPS_PER_UNIT * tile_of(tuning) + 1;
}

static void describe(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t items,
                     struct cls_text *text)
{
    (void)items;
    cls_text_add(text, "%ux%u bits, ", cls_pass_count(spec, tuning->radix.bits),
                 tuning->radix.bits);
    if (tuning->group_size == 1)
        cls_text_add(text, "work-items alone");
    else
        cls_text_add(text, "tiles of %u x %u, %s scatter", tuning->group_size, tuning->radix.items,
                     SCATTERS[tuning->radix.direct]);
}

const struct cls_algo cls_algo_radix = {
    .name = "radix",
    .operations = CLS_OPERATION(CLS_SORT),
    .traits = CLS_STABLE,
    .primitives = CLS_WORK_GROUP_PRIMITIVES,
    .parameters = {[PARAMETER_BITS] = {.name = "bits", .min = 1, .max = 8},
                   [PARAMETER_ITEMS] = {.name = "items", .min = 1, .max = 32},
                   [PARAMETER_SCATTER] = {.name = "scatter", .words = SCATTERS}},
    .supports = supports,
    .schedule = schedule,
    .programs = programs,
    .enqueue = enqueue,
    .bytes_per_element = bytes_per_element,
    .self_test_count = self_test_count,
    .describe = describe,
};
