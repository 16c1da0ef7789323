/* radix.c - LSD radix sort in plain OpenCL 1.2: histogram, scan, scatter (radix.cl) */
#include "algo/common/arguments.h"
#include "algo/common/limits.h"
#include "algo/common/lsd_passes.h"
#include "algo/common/programs.h"
#include "algo/common/split_tile.h"
#include "cl/common/layout.h"
#include "cl/radix/layout.h"

enum {
    GPU_GROUP_SIZE = 256,
    CPU_GROUP_SIZE = 1, /* larger groups run as loops there; one work-item needs no barriers */
    /* Elements per work-item, lowered in steps of 2 until a tile fits. Odd, so that reads of consecutive keys have no
     * bank conflicts. The number for the GPUs of NVIDIA is the fastest on an H100 (docs/lab-log/gpu-h100-2.md, entries
     * 84 and 87); on others, tiles of that size might leave room for one group per compute unit only. */
    ITEMS = 15,
    NVIDIA_ITEMS = 23,
    BITS = 8,            /* measured best on an H200, of 4, 6 and 8 */
    GROUPS_PER_UNIT = 8, /* enough to hide latency, few enough that the table stays small */
    MAX_CHUNKS = 8192,   /* limits the table to 16 MiB */
    MAX_CHUNK = 1 << 30  /* elements; histograms have 32-bit counters */
};

/* The kernels, in the order of their names. */
enum { HISTOGRAM_FIRST, PLAN_PASSES, HISTOGRAM, SCAN, SCATTER, FINISH };
static const char *const NAMES[] = {"radix_histogram_first",
                                    "radix_plan_passes",
                                    "radix_histogram",
                                    "radix_scan",
                                    "radix_scatter",
                                    "passes_finish",
                                    NULL};

enum { PARAMETER_BITS, PARAMETER_ITEMS, PARAMETER_SCATTER };
static const char *const SCATTERS[] = {"coalesced", "direct", NULL};

enum { TABLE = CLS_OWN_REGIONS, TOTALS, SUMMARIES, REGIONS };
_Static_assert((int)REGIONS <= (int)CLS_MAX_REGIONS, "too many regions");

/* Returns the local memory that a group needs in addition to the tile: for the digit counters of
 * the histogram kernels, or for two arrays of offsets and one of ranks in radix_scatter. */
static unsigned local_bytes_per_group(unsigned bits, unsigned index_bits)
{
    const unsigned rank_bytes = ((1u << bits) + 1) * (unsigned)sizeof(cl_ushort);
    const unsigned offset_bytes = (2u << bits) * (index_bits / 8) + rank_bytes;
    return offset_bytes > CLS_RADIX_COUNTER_BYTES ? offset_bytes : CLS_RADIX_COUNTER_BYTES;
}

static unsigned items_for(const struct cls_caps *caps)
{
    return caps->sub_group_backend == CLS_SUB_GROUP_NVIDIA ? NVIDIA_ITEMS : ITEMS;
}

/* Returns the number of elements in a tile. */
static uint64_t tile_of(const struct cls_tuning *tuning)
{
    return (uint64_t)tuning->group_size * tuning->radix.items;
}

/* Returns an upper bound of a work-item's iterations per tile in radix_scatter: of the loops over
 * its items, of four scans, and of the binary searches. */
static uint64_t tile_iterations(const struct cls_spec *spec, const struct cls_tuning *tuning)
{
    const uint64_t units =
        spec->value_bytes > 0 ? spec->value_bytes / cls_alignment(spec->value_bytes) : 0;
    const uint64_t digits = cls_divide_up((uint64_t)1 << tuning->radix.bits, tuning->group_size);
    return (24 + units) * tuning->radix.items + 160 + 18 * digits;
}

/* Returns the maximum number of tiles per chunk, for which no work-item exceeds max_iterations. */
static unsigned max_tiles(const struct cls_caps *caps, const struct cls_spec *spec,
                          const struct cls_tuning *tuning)
{
    /* An upper bound of the iterations of radix_scan in groups of one work-item. */
    const uint64_t scan_iterations = 3 * MAX_CHUNKS;
    const uint64_t tiles =
        caps->max_iterations > scan_iterations
            ? (caps->max_iterations - scan_iterations) / tile_iterations(spec, tuning)
            : 0;
    return (unsigned)cls_min(tiles, MAX_CHUNK / tile_of(tuning));
}

/* Returns the work-group size to begin with. A CPU gets large groups, too, if its driver limits
 * iterations, because small tiles need more of them. */
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
        .radix.items = asked[PARAMETER_ITEMS] ? asked[PARAMETER_ITEMS] : items_for(caps),
        .radix.bits = asked[PARAMETER_BITS] ? asked[PARAMETER_BITS] : BITS,
        .radix.direct = asked[PARAMETER_SCATTER] == 2,
        .radix.units = caps->units,
        .max_count = cls_max_countable(caps, spec),
    };
    /* If the scatter is direct, the tile also has the digit of each element. */
    if (!cls_fit_split_tile(caps, spec, tuning->radix.direct, sizeof(cls_key_summary),
                            local_bytes_per_group(tuning->radix.bits, spec->index_bits),
                            &tuning->group_size, &tuning->radix.items)) {
        *why = "the device has too little local memory";
        return false;
    }
    if (asked[PARAMETER_ITEMS] > tuning->radix.items) {
        *why = "the device has too little local memory for that many items";
        return false;
    }
    tuning->radix.max_tiles = max_tiles(caps, spec, tuning);
    if (tuning->radix.max_tiles == 0) {
        *why = "this driver allows too few loop iterations per launch";
        return false;
    }
    const uint64_t max_count = tuning->radix.max_tiles * tile_of(tuning) * MAX_CHUNKS;
    tuning->max_count = cls_min(tuning->max_count, max_count);
    return true;
}

static unsigned chunks_of(const struct cls_tuning *tuning, uint64_t count)
{
    const uint64_t tiles = cls_divide_up(count, tile_of(tuning));
    const uint64_t needed = cls_divide_up(tiles, tuning->radix.max_tiles);
    const uint64_t wanted = cls_min((uint64_t)tuning->radix.units * GROUPS_PER_UNIT, MAX_CHUNKS);
    return (unsigned)cls_min(cls_max(wanted, needed), tiles);
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
    cls_text_add(&programs->options, " -DGROUP_SIZE=%u -DITEMS=%u -DBITS=%u -DSCATTER_DIRECT=%d",
                 tuning->group_size, tuning->radix.items, tuning->radix.bits, tuning->radix.direct);
    return 1;
}

static cls_radix_pass_args pass_args(const struct cls_sort *sort, unsigned pass)
{
    const struct cls_digit digit = cls_digit_of_pass(sort->spec, sort->tuning->radix.bits, pass);
    return (cls_radix_pass_args){
        .count = sort->arrays->count,
        .chunk = sort->schedule->radix.chunk,
        .flip = sort->spec->flip,
        .window = cls_compared_mask(sort->spec),
        .pad = sort->spec->pad,
        .pass = pass,
        .shift = digit.shift,
        .mask = (1u << digit.bits) - 1,
        .chunks = sort->schedule->radix.chunks,
    };
}

/* Enqueues a launch of one group per chunk. */
static cl_int enqueue_chunks(const struct cls_sort *sort, struct cls_launch *launch)
{
    return cls_launch_enqueue(sort->chain, launch, sort->schedule->radix.chunks,
                              sort->tuning->group_size);
}

static cl_int histogram_first(const struct cls_sort *sort)
{
    const cls_radix_pass_args args = pass_args(sort, 0);
    struct cls_launch launch = cls_launch(sort->kernels[HISTOGRAM_FIRST]);
    cls_arg_buffer(&launch, sort->arrays->keys_in);
    cls_arg_buffer(&launch, sort->scratch[TABLE]);
    cls_arg_buffer(&launch, sort->scratch[SUMMARIES]);
    cls_arg_struct(&launch, &args, sizeof args);
    return enqueue_chunks(sort, &launch);
}

static cl_int plan_passes(const struct cls_sort *sort)
{
    const struct cls_spec *spec = sort->spec;
    struct cls_launch launch = cls_launch(sort->kernels[PLAN_PASSES]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_arg_buffer(&launch, sort->scratch[SUMMARIES]);
    cls_arg_uint(&launch, sort->schedule->radix.chunks);
    cls_arg_key(&launch, spec, cls_compared_mask(spec));
    cls_arg_uint(&launch, sort->arrays->in_place);
    cls_arg_uint(&launch, spec->begin_bit);
    cls_arg_uint(&launch, spec->end_bit);
    return cls_launch_enqueue(sort->chain, &launch, 1, sort->tuning->group_size);
}

static cl_int histogram(const struct cls_sort *sort, unsigned pass)
{
    const cls_radix_pass_args args = pass_args(sort, pass);
    struct cls_launch launch = cls_launch(sort->kernels[HISTOGRAM]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_arg_key_arrays(&launch, sort);
    cls_arg_buffer(&launch, sort->scratch[TABLE]);
    cls_arg_struct(&launch, &args, sizeof args);
    return enqueue_chunks(sort, &launch);
}

/* Runs one group per bin. */
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

static cl_int scatter(const struct cls_sort *sort, unsigned pass)
{
    const cls_radix_pass_args args = pass_args(sort, pass);
    struct cls_launch launch = cls_launch(sort->kernels[SCATTER]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_arg_key_arrays(&launch, sort);
    cls_arg_value_arrays(&launch, sort);
    cls_arg_buffer(&launch, sort->scratch[TABLE]);
    cls_arg_buffer(&launch, sort->scratch[TOTALS]);
    cls_arg_struct(&launch, &args, sizeof args);
    return enqueue_chunks(sort, &launch);
}

static cl_int enqueue(const struct cls_sort *sort)
{
    cl_int status = histogram_first(sort);
    if (status == CL_SUCCESS)
        status = plan_passes(sort);
    for (unsigned pass = 0; pass < sort->schedule->radix.passes; pass++) {
        if (status == CL_SUCCESS && pass > 0)
            status = histogram(sort, pass);
        if (status == CL_SUCCESS)
            status = scan(sort, pass);
        if (status == CL_SUCCESS)
            status = scatter(sort, pass);
    }
    return status == CL_SUCCESS
               ? cls_passes_finish(sort, sort->kernels[FINISH], sort->schedule->radix.chunks)
               : status;
}

/* Even without passes, the keys are read once and the elements are copied. */
static uint64_t bytes_per_element(const struct cls_tuning *tuning, const struct cls_spec *spec,
                                  uint64_t count)
{
    const unsigned passes = cls_pass_count(spec, tuning->radix.bits);
    (void)count;
    return (passes > 0 ? passes : 1) * (spec->key_bytes + cls_copy_bytes(spec));
}

/* The sort has several chunks of two tiles each. */
static uint64_t self_test_count(struct cls_tuning *tuning)
{
    tuning->radix.units = 1;
    return GROUPS_PER_UNIT * tile_of(tuning) + 1;
}

static void describe(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_text *text)
{
    (void)count;
    cls_text_add(text, "%ux%u bits, ", cls_pass_count(spec, tuning->radix.bits),
                 tuning->radix.bits);
    if (tuning->group_size == 1)
        cls_text_add(text, "groups of one work-item");
    else
        cls_text_add(text, "tiles of %u x %u, %s scatter", tuning->group_size, tuning->radix.items,
                     SCATTERS[tuning->radix.direct]);
}

const struct cls_algo cls_algo_radix = {
    .name = "radix",
    .operations = CLS_SORTS,
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
