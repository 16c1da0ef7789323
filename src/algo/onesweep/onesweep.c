/* onesweep.c - LSD radix sort that reads and writes each element once per digit (onesweep.cl) */
#include "algo/onesweep/onesweep.h"
#include "algo/common/arguments.h"
#include "algo/common/limits.h"
#include "algo/common/lsd_passes.h"
#include "algo/common/programs.h"
#include "algo/common/rank.h"
#include "cl/common/layout.h"
#include "device/sub_group.h"

enum {
    GROUP_SIZE = 256,
    CPU_GROUP_SIZE = 16, /* without sub-groups, each work-item has digit counters of its own */
    ITEM_BYTES = 96,     /* maximum bytes of a work-item's keys */
    ITEMS = 24,
    GROUPS_PER_UNIT = 4,
    NVIDIA_ITEM_BYTES = 128, /* of keys or of values */
    NVIDIA_ITEMS = 32,
    /* The default; nvidia_tile() may set another number. With more groups, the scattered writes go to too many cache
     * lines at the same time. */
    NVIDIA_GROUPS_PER_UNIT = 2,
    UNIT_REGISTERS = 1 << 16, /* that the work-items of a compute unit share */
    REGISTER_UNIT = 8,        /* the registers of a work-item are a multiple of this number */
    /* If sub-groups are emulated in local memory, each item takes four barriers, which lengthen
     * compilation. */
    LOCAL_ITEMS = 8,
    BITS = 8,
    HISTOGRAM_BYTES = 16 << 10, /* local memory for the counters of the histograms */
    TABLE_BYTES = 24 << 20,     /* limits the tiles of a section */
    CHUNKS_PER_UNIT = 4,        /* chunks of the histograms; several, to balance the load */
    MAX_CHUNKS = 512,           /* limits the rows of histograms to 4 MiB */
    MIN_CHUNK = 8192,           /* fewer keys are not worth a ticket or a row */
    MIN_ONLY_CHUNK = 4096,      /* as MIN_CHUNK, if a compute unit has one chunk at most */
    MAX_STAGES = 1 << 19,
    SPIN_LIMIT = 1024,
    SHORT_SPIN_LIMIT = 8 /* where the driver limits iterations */
};

/* The maximum number of keys of a chunk: its counters have 32 bits. */
static const uint32_t MAX_CHUNK = UINT32_MAX / 2;

/* The kernels, in the order of their names: those of sort.cl, or those of onesweep.cl. */
enum { CLEAR, SORT, SORT_KERNELS };
static const char *const SORT_NAMES[] = {"onesweep_clear", "onesweep_sort", NULL};
enum { HISTOGRAM = 1, PLAN_PASSES, PASS, FINISH, STEP_KERNELS };
static const char *const STEP_NAMES[] = {"onesweep_clear",       "onesweep_histogram",
                                         "onesweep_plan_passes", "onesweep_pass",
                                         "passes_finish",        NULL};

enum { PARAMETER_BITS, PARAMETER_ITEMS, PARAMETER_GROUP };
static const char *const GROUPS[] = {"1",  "2",   "4",   "8",   "16",   "32",
                                     "64", "128", "256", "512", "1024", NULL};

enum { TABLES = CLS_OWN_REGIONS, REGIONS };
_Static_assert((int)REGIONS <= (int)CLS_MAX_REGIONS, "too many regions");
/* Mesa 22.3 refuses arguments with padding. */
_Static_assert(sizeof(cls_onesweep_args) == 9 * sizeof(cls_u64) + 14 * sizeof(cls_u32),
               "the arguments have padding");

/* Returns the number of elements in a tile. */
static uint64_t tile_of(const struct cls_tuning *tuning)
{
    return (uint64_t)tuning->group_size * tuning->onesweep.items;
}

/* -- local memory of a group ------------------------------------------------------------------- */

/* Returns the option VALUES_EXCHANGED: whether values take no more local memory than keys, or no
 * more than 24 KiB and half of the device's local memory. On NVIDIA GPUs they always are: tiles
 * whose values do not fit are refused. */
static bool exchanges_values(const struct cls_caps *caps, const struct cls_spec *spec,
                             const struct cls_tuning *tuning)
{
    if (caps->sub_group_backend == CLS_SUB_GROUP_NVIDIA)
        return true;
    const uint64_t allowed = cls_min(24 << 10, caps->local_bytes / 2);
    return tile_of(tuning) * spec->value_bytes <=
           cls_max(tile_of(tuning) * spec->key_bytes, allowed);
}

/* Returns the size of pass_t in pass.cl. */
static uint64_t pass_bytes(const struct cls_caps *caps, const struct cls_spec *spec,
                           const struct cls_tuning *tuning)
{
    const unsigned bits = tuning->onesweep.bits;
    const uint64_t keys = tile_of(tuning) * spec->key_bytes;
    const uint64_t values =
        exchanges_values(caps, spec, tuning) ? tile_of(tuning) * spec->value_bytes : 0;
    const uint64_t ranks = cls_counted_rank_bytes(caps, tuning->group_size, bits);
    return cls_max(cls_max(keys, values), ranks) + ((uint64_t)(spec->index_bits / 8) << bits);
}

/* Returns the number of counters in one copy of the histograms. */
static uint64_t counters_of(const struct cls_spec *spec, unsigned bits)
{
    return cls_divide_up(8 * spec->key_bytes, bits) << bits;
}

/* Returns the option HISTOGRAM_COPIES. An NVIDIA GPU adds up the lanes of a sub-group that increment the same
 * counter before it accesses local memory, so that one copy is fastest (docs/lab-log/gpu-h100-2.md, entry 78). */
static uint64_t histogram_copies(const struct cls_caps *caps, const struct cls_spec *spec,
                                 unsigned bits)
{
    if (caps->sub_group_backend == CLS_SUB_GROUP_NVIDIA)
        return 1;
    const uint64_t bytes = cls_min(caps->local_bytes / 2, HISTOGRAM_BYTES);
    return cls_max(bytes / (sizeof(cl_uint) * counters_of(spec, bits)), 1);
}

/* Returns whether the device has enough local memory for each kernel. */
static bool fits(const struct cls_caps *caps, const struct cls_spec *spec,
                 const struct cls_tuning *tuning)
{
    const unsigned bits = tuning->onesweep.bits;
    const uint64_t others = 64; /* single variables, and alignment */
    const uint64_t pass = pass_bytes(caps, spec, tuning);
    const uint64_t histogram =
        histogram_copies(caps, spec, bits) * sizeof(cl_uint) * counters_of(spec, bits) +
        (uint64_t)tuning->group_size * sizeof(cls_key_summary);
    const uint64_t plan =
        (uint64_t)tuning->group_size * cls_max(sizeof(cls_key_summary), 2 * sizeof(cl_ulong));
    return cls_max(pass, cls_max(histogram, plan)) + others <= caps->local_bytes;
}

/* Lowers group_size and items until fits() holds. Returns false if no size does. */
static bool fit(const struct cls_caps *caps, const struct cls_spec *spec, struct cls_tuning *tuning)
{
    tuning->group_size = cls_fit_group_size(caps, tuning->group_size);
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

/* -- sections ---------------------------------------------------------------------------------- */

static unsigned spin_limit_for(const struct cls_caps *caps)
{
    return caps->max_iterations < UINT64_MAX ? SHORT_SPIN_LIMIT : SPIN_LIMIT;
}

/* Returns the maximum count for which no work-item exceeds the driver's max_iterations, even if the
 * last tile has to compute the counts of all other tiles, for each of the work-item's digits. */
static uint64_t max_count(const struct cls_caps *caps, const struct cls_tuning *tuning)
{
    if (caps->max_iterations == UINT64_MAX)
        return UINT64_MAX;
    const uint64_t tile = tile_of(tuning), other_iterations = 16384 + 4 * MAX_CHUNKS;
    const uint64_t keys_at_once = tile % 16 ? 1 : 16; /* by count_digit_in_tile in look_back.cl */
    const uint64_t look_back = spin_limit_for(caps) + tile / keys_at_once + 2;
    const uint64_t digits = cls_divide_up((uint64_t)1 << tuning->onesweep.bits, tuning->group_size);
    const uint64_t tiles = caps->max_iterations > other_iterations
                               ? (caps->max_iterations - other_iterations) / (look_back * digits)
                               : 0;
    return tiles * tile;
}

/* Returns the maximum number of tiles in a section: the table has a row for each tile, and one word
 * can count the elements of all tiles. */
static unsigned max_tiles(const struct cls_caps *caps, const struct cls_tuning *tuning)
{
    const uint64_t rows = TABLE_BYTES / (sizeof(cl_uint) << tuning->onesweep.bits);
    const uint64_t countable = CLS_ONESWEEP_MAX_SECTION / tile_of(tuning);
    return (unsigned)cls_min(cls_min(rows, countable), caps->max_launch_tiles);
}

/* Returns the schedule without the scratch regions. count may be 0, in descriptions. */
static struct cls_onesweep_schedule divide(const struct cls_tuning *tuning,
                                           const struct cls_spec *spec, uint64_t count)
{
    count = cls_max(count, 1);
    struct cls_onesweep_schedule s = {.passes = cls_pass_count(spec, tuning->onesweep.bits),
                                      .tiles = cls_divide_up(count, tile_of(tuning))};
    s.sections = (unsigned)cls_divide_up(s.tiles, tuning->onesweep.max_tiles);
    s.section_tiles = cls_divide_up(s.tiles, s.sections);
    s.stages = s.passes * s.sections;
    const uint64_t rows = cls_min(s.tiles, tuning->onesweep.max_tiles);
    s.table_words = rows << tuning->onesweep.bits;
    const uint64_t units = tuning->onesweep.units;
    uint64_t chunks = cls_min(units * CHUNKS_PER_UNIT, cls_divide_up(count, MIN_CHUNK));
    /* In hybrid, one unit chooses. */
    chunks = cls_max(chunks, cls_min(cls_divide_up(count, MIN_ONLY_CHUNK), units - 1));
    chunks = cls_min(chunks, MAX_CHUNKS);
    chunks = cls_max(chunks, cls_divide_up(count, MAX_CHUNK));
    s.max_chunks = (unsigned)chunks;
    s.chunk = cls_onesweep_chunk(count, chunks);
    s.chunks = (unsigned)cls_divide_up(count, s.chunk);
    return s;
}

/* -- the algorithm ----------------------------------------------------------------------------- */

/* The size of a tile, and the number of work-groups that run on a compute unit at once. */
struct tile_size {
    unsigned group_size, items, groups_per_unit;
};

/* Returns the tiles on an NVIDIA GPU. Those in the table were chosen by measurements: 384 x 31 u32 keys, and those of
 * pairs of u32 and of values that are wider than keys, on an H200 (docs/lab-log/gpu-h200.md, entries 96, 113 and
 * 115), the others on an H100 (gpu-h100-2.md, entry 77). Those of pairs were chosen by skewed keys, which `hybrid`
 * sorts by LSD. With 32 in place of 33 elements, the ranks of periodic keys would often be in the same bank of local
 * memory. The first suitable tiles in the table are used that fit, unless the parameters ask for other sizes of
 * groups, digits or tiles. */
static struct tile_size nvidia_tile(const struct cls_caps *caps, const struct cls_spec *spec,
                                    const unsigned *asked)
{
    static const struct {
        unsigned key_bytes, value_bytes;
        struct tile_size size;
    } measured[] = {{2, 0, {384, 36, 2}},  {4, 0, {384, 26, 2}}, {4, 0, {384, 31, 2}},
                    {8, 0, {384, 15, 2}},  {4, 4, {256, 33, 2}}, {4, 8, {384, 15, 2}},
                    {4, 16, {256, 11, 2}}, {8, 4, {384, 15, 2}}, {8, 8, {384, 15, 2}},
                    {8, 16, {256, 11, 2}}};
    const unsigned items = asked[PARAMETER_ITEMS];
    const bool has_others = asked[PARAMETER_BITS] > 0 || asked[PARAMETER_GROUP] > 0;
    for (size_t i = 0; i < sizeof measured / sizeof *measured && !has_others; i++) {
        const struct tile_size size = measured[i].size;
        const struct cls_tuning tuning = {
            .group_size = size.group_size, .onesweep.items = size.items, .onesweep.bits = BITS};
        if (measured[i].key_bytes == spec->key_bytes &&
            measured[i].value_bytes == spec->value_bytes && (items == 0 || items == size.items) &&
            size.group_size <= caps->group_size && fits(caps, spec, &tuning))
            return size;
    }
    const unsigned bytes = (unsigned)cls_max(spec->key_bytes, spec->value_bytes);
    return (struct tile_size){GROUP_SIZE,
                              (unsigned)cls_min(NVIDIA_ITEM_BYTES / bytes, NVIDIA_ITEMS),
                              NVIDIA_GROUPS_PER_UNIT};
}

static struct tile_size tile_size_for(const struct cls_caps *caps, const struct cls_spec *spec,
                                      const unsigned *asked)
{
    if (caps->sub_group_backend == CLS_SUB_GROUP_NVIDIA)
        return nvidia_tile(caps, spec, asked);
    const bool is_emulated =
        caps->sub_group_size > 1 && caps->sub_group_backend == CLS_SUB_GROUP_LOCAL;
    return (struct tile_size){
        caps->type & CL_DEVICE_TYPE_CPU ? CPU_GROUP_SIZE : GROUP_SIZE,
        (unsigned)cls_min(ITEM_BYTES / spec->key_bytes, is_emulated ? LOCAL_ITEMS : ITEMS),
        GROUPS_PER_UNIT};
}

/* Sets how many work-groups of a pass run at once and, on NVIDIA GPUs, the limit of registers, if the
 * work-groups are those of `size`. Where the driver limits iterations, each takes a single tile. */
static void fill_units(const struct cls_caps *caps, struct cls_tuning *tuning,
                       const struct tile_size *size)
{
    const bool is_nvidia = caps->sub_group_backend == CLS_SUB_GROUP_NVIDIA;
    const bool has_size = tuning->group_size == size->group_size;
    const unsigned groups = size->groups_per_unit;
    const unsigned registers = UNIT_REGISTERS / (groups * tuning->group_size);
    struct cls_onesweep_tuning *onesweep = &tuning->onesweep;
    onesweep->units = caps->units;
    onesweep->groups_per_unit = caps->max_iterations < UINT64_MAX ? 0 : groups;
    onesweep->launches_steps_together = cls_started_groups_progress(caps, tuning->group_size);
    onesweep->registers = is_nvidia && has_size ? registers / REGISTER_UNIT * REGISTER_UNIT : 0;
}

static bool supports(const struct cls_caps *caps, const struct cls_spec *spec,
                     const struct cls_parameters *parameters, struct cls_tuning *tuning,
                     const char **why)
{
    const unsigned *asked = parameters->value;
    const struct tile_size size = tile_size_for(caps, spec, asked);
    *tuning = (struct cls_tuning){
        .group_size = asked[PARAMETER_GROUP] ? 1u << (asked[PARAMETER_GROUP] - 1) : size.group_size,
        .onesweep.items = asked[PARAMETER_ITEMS] ? asked[PARAMETER_ITEMS] : size.items,
        .onesweep.bits = asked[PARAMETER_BITS] ? asked[PARAMETER_BITS] : BITS,
    };
    const struct cls_tuning wanted = *tuning;
    if (!fit(caps, spec, tuning)) {
        *why = "the device has too little local memory";
        return false;
    }
    if ((asked[PARAMETER_ITEMS] && tuning->onesweep.items < wanted.onesweep.items) ||
        (asked[PARAMETER_GROUP] && tuning->group_size < wanted.group_size)) {
        *why =
            "the device has too little local memory or too small work-groups for these parameters";
        return false;
    }
    fill_units(caps, tuning, &size);
    tuning->onesweep.max_tiles = max_tiles(caps, tuning);
    const unsigned passes = cls_pass_count(spec, tuning->onesweep.bits);
    const uint64_t launched =
        MAX_STAGES / cls_max(passes, 1) * (tuning->onesweep.max_tiles * tile_of(tuning));
    const uint64_t counted = MAX_CHUNKS * (uint64_t)MAX_CHUNK;
    tuning->max_count = cls_min(cls_min(max_count(caps, tuning), cls_max_countable(caps, spec)),
                                cls_min(launched, counted));
    if (tuning->max_count == 0)
        *why = "this driver allows too few loop iterations per launch";
    return tuning->max_count > 0;
}

/* Where the tables are in their region; the first ones are the rows of histograms. */
struct cls_tables {
    uint64_t table_at, offsets_at, summaries_at, bytes;
};

/* Returns an upper bound of the rows of histograms, which never decreases with the count. If the steps are launched
 * together, only hybrid_choose writes rows. */
static uint64_t max_rows(const struct cls_onesweep_tuning *tuning,
                         const struct cls_onesweep_schedule *s)
{
    return tuning->launches_steps_together ? cls_min(s->max_chunks, tuning->max_early_chunks)
                                           : s->max_chunks;
}

static struct cls_tables tables_of(const struct cls_tuning *tuning, const struct cls_spec *spec,
                                   const struct cls_onesweep_schedule *s)
{
    const unsigned bits = tuning->onesweep.bits;
    const uint64_t offset_rows = s->passes + 2; /* two are for later sections */
    struct cls_tables tables;
    tables.table_at = (max_rows(&tuning->onesweep, s) * s->passes << bits) * sizeof(cl_uint);
    tables.offsets_at = tables.table_at + cls_round_up(s->table_words * sizeof(cl_uint), 8);
    tables.summaries_at =
        tables.offsets_at + cls_round_up((offset_rows << bits) * (spec->index_bits / 8), 8);
    tables.bytes = tables.summaries_at + s->max_chunks * sizeof(cls_key_summary);
    return tables;
}

static uint64_t totals_bytes(const struct cls_tuning *tuning, uint64_t count,
                             const struct cls_onesweep_schedule *s)
{
    return (cls_onesweep_totals(count) * (uint64_t)s->passes << tuning->onesweep.bits) *
           sizeof(cl_uint);
}

static void schedule(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_schedule *schedule)
{
    const struct cls_onesweep_schedule s = divide(tuning, spec, count);
    struct cls_tables tables = tables_of(tuning, spec, &s);
    uint64_t *bytes = schedule->region_bytes;
    schedule->onesweep = s;
    schedule->regions = REGIONS;
    bytes[CLS_CONTROL] = sizeof(cls_onesweep_control) + totals_bytes(tuning, count, &s);
    bytes[CLS_KEYS] = count * spec->key_bytes;
    bytes[CLS_VALUES] = count * spec->value_bytes;
    bytes[TABLES] = tables.bytes;
}

void cls_onesweep_histogram_options(const struct cls_caps *caps, const struct cls_tuning *tuning,
                                    const struct cls_spec *spec, struct cls_text *options)
{
    const unsigned bits = tuning->onesweep.bits;
    cls_text_add(options, " -DBITS=%u -DHISTOGRAM_COPIES=%u", bits,
                 (unsigned)histogram_copies(caps, spec, bits));
}

static size_t programs(const struct cls_caps *caps, const struct cls_tuning *tuning,
                       const struct cls_spec *spec, struct cls_program_spec *programs)
{
    const unsigned registers = tuning->onesweep.registers;
    /* NVIDIA's driver reports a limit of 256 work-items for kernels with limited registers, but
     * runs groups of any size. */
    const bool together = tuning->onesweep.launches_steps_together;
    cls_program_begin(programs, together ? "onesweep/sort.cl" : "onesweep/onesweep.cl",
                      together ? SORT_NAMES : STEP_NAMES, registers > 0 ? 1 : tuning->group_size,
                      spec);
    cls_text_add(&programs->options, " -DGROUP_SIZE=%u -DITEMS=%u -DSPIN_LIMIT=%u",
                 tuning->group_size, tuning->onesweep.items, spin_limit_for(caps));
    cls_onesweep_histogram_options(caps, tuning, spec, &programs->options);
    cls_text_add(&programs->options, " -DVALUES_EXCHANGED=%d -DMAY_SKIP=%d",
                 exchanges_values(caps, spec, tuning), tuning->onesweep.may_skip);
    if (registers > 0)
        cls_text_add(&programs->options, " -DREGISTERS=%u -cl-nv-maxrregcount=%u", registers,
                     registers);
    cls_sub_group_options(caps, &programs->options);
    return 1;
}

cls_onesweep_args cls_onesweep_args_of(const struct cls_sort *sort)
{
    const struct cls_onesweep_schedule *s = &sort->schedule->onesweep;
    const struct cls_spec *spec = sort->spec;
    const struct cls_tables tables = tables_of(sort->tuning, spec, s);
    return (cls_onesweep_args){
        .count = sort->arrays->count,
        .chunk = s->chunk,
        .flip = spec->flip,
        .pad = spec->pad,
        .window = cls_compared_mask(spec),
        .table_words = s->table_words,
        .table_at = tables.table_at,
        .offsets_at = tables.offsets_at,
        .summaries_at = tables.summaries_at,
        .begin_bit = spec->begin_bit,
        .end_bit = spec->end_bit,
        .passes = s->passes,
        .sections = s->sections,
        .chunks = s->chunks,
        .section_tiles = (cls_u32)s->section_tiles,
        .takes_one_tile = sort->tuning->onesweep.groups_per_unit == 0,
        .in_place = sort->arrays->in_place,
        .tile = (cls_u32)tile_of(sort->tuning),
    };
}

struct cls_parameters cls_onesweep_items(unsigned items)
{
    return (struct cls_parameters){.value[PARAMETER_ITEMS] = items};
}

unsigned cls_onesweep_kernels(const struct cls_tuning *tuning)
{
    return tuning->onesweep.launches_steps_together ? SORT_KERNELS : STEP_KERNELS;
}

static cl_int histogram(const struct cls_sort *sort, const cls_onesweep_args *args)
{
    struct cls_launch launch = cls_launch(sort->kernels[HISTOGRAM]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_arg_buffer(&launch, sort->arrays->keys_in);
    cls_arg_buffer(&launch, sort->scratch[TABLES]);
    cls_arg_count(&launch, sort);
    cls_arg_struct(&launch, args, sizeof *args);
    return cls_launch_enqueue(sort->chain, &launch, args->chunks, sort->tuning->group_size);
}

/* Runs PLAN_PASSES or CLEAR, which need no arrays. */
static cl_int run_on_tables(const struct cls_sort *sort, unsigned kernel,
                            const cls_onesweep_args *args, size_t groups)
{
    struct cls_launch launch = cls_launch(sort->kernels[kernel]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_arg_buffer(&launch, sort->scratch[TABLES]);
    cls_arg_count(&launch, sort);
    cls_arg_struct(&launch, args, sizeof *args);
    return cls_launch_enqueue(sort->chain, &launch, groups, sort->tuning->group_size);
}

/* Runs PASS, for the stages of *args, or SORT. */
static cl_int run_on_arrays(const struct cls_sort *sort, unsigned kernel,
                            const cls_onesweep_args *args)
{
    const struct cls_onesweep_schedule *s = &sort->schedule->onesweep;
    const struct cls_onesweep_tuning *tuning = &sort->tuning->onesweep;
    const uint64_t groups = (uint64_t)tuning->units * tuning->groups_per_unit;
    const uint64_t parts = cls_max(cls_min(s->tiles, s->section_tiles), args->chunks_to_count);
    struct cls_launch launch = cls_launch(sort->kernels[kernel]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_arg_key_arrays(&launch, sort);
    cls_arg_value_arrays(&launch, sort);
    cls_arg_buffer(&launch, sort->scratch[TABLES]);
    cls_arg_count(&launch, sort);
    cls_arg_struct(&launch, args, sizeof *args);
    return cls_launch_enqueue(sort->chain, &launch,
                              (size_t)(args->takes_one_tile ? parts : cls_min(parts, groups)),
                              sort->tuning->group_size);
}

/* Runs SORT, for as many stages at once as there are epochs. */
static cl_int run_steps_together(const struct cls_sort *sort)
{
    const struct cls_onesweep_schedule *s = &sort->schedule->onesweep;
    cls_onesweep_args args = cls_onesweep_args_of(sort);
    cls_onesweep_args counters_only = args;
    counters_only.table_words = 0;
    cl_int status = sort->tuning->onesweep.may_skip ? CL_SUCCESS
                                                    : run_on_tables(sort, CLEAR, &counters_only, 1);
    args.chunks_to_count = s->chunks;
    args.plans = s->passes + 1;
    do {
        args.end_stage = (cls_u32)cls_min(args.first_stage + CLS_ONESWEEP_EPOCHS, s->stages);
        args.is_last = args.end_stage == s->stages;
        if (status == CL_SUCCESS && args.first_stage > 0)
            status = run_on_tables(sort, CLEAR, &args, s->chunks);
        if (status == CL_SUCCESS)
            status = run_on_arrays(sort, SORT, &args);
        args.first_stage = args.end_stage;
        args.chunks_to_count = args.plans = 0;
    } while (!args.is_last);
    return status;
}

static cl_int run_steps(const struct cls_sort *sort)
{
    const struct cls_onesweep_schedule *s = &sort->schedule->onesweep;
    cls_onesweep_args args = cls_onesweep_args_of(sort);
    cl_int status = histogram(sort, &args);
    if (status == CL_SUCCESS)
        status = run_on_tables(sort, PLAN_PASSES, &args, s->passes + 1);
    for (unsigned stage = 0; stage < s->stages && status == CL_SUCCESS; stage++) {
        if (stage > 0 && stage % CLS_ONESWEEP_EPOCHS == 0)
            status = run_on_tables(sort, CLEAR, &args, s->chunks);
        args.first_stage = stage;
        args.end_stage = stage + 1;
        if (status == CL_SUCCESS)
            status = run_on_arrays(sort, PASS, &args);
    }
    return status == CL_SUCCESS ? cls_passes_finish(sort, sort->kernels[FINISH], s->chunks)
                                : status;
}

static cl_int enqueue(const struct cls_sort *sort)
{
    return sort->tuning->onesweep.launches_steps_together ? run_steps_together(sort)
                                                          : run_steps(sort);
}

/* Even without passes, the keys are read once and the elements are copied. */
static uint64_t bytes_per_element(const struct cls_tuning *tuning, const struct cls_spec *spec,
                                  uint64_t count)
{
    const unsigned passes = cls_pass_count(spec, tuning->onesweep.bits);
    (void)count;
    return spec->key_bytes + (passes > 0 ? passes : 1) * cls_copy_bytes(spec);
}

/* The sort has more launches than there are epochs, and each launch has several tiles. */
static uint64_t self_test_count(struct cls_tuning *tuning)
{
    const unsigned section_tiles = 3;
    tuning->onesweep.units = 1;
    tuning->onesweep.max_tiles = (unsigned)cls_min(tuning->onesweep.max_tiles, section_tiles);
    return (uint64_t)CLS_ONESWEEP_EPOCHS * tuning->onesweep.max_tiles * tile_of(tuning) + 1;
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
    .operations = CLS_SORTS,
    .traits = CLS_STABLE | CLS_COUNTS,
    .primitives = CLS_SUB_GROUP_PRIMITIVES,
    .is_for_gpus = true,
    .parameters = {[PARAMETER_BITS] = {.name = "bits", .min = 1, .max = 8},
                   [PARAMETER_ITEMS] = {.name = "items", .min = 1, .max = CLS_ONESWEEP_MAX_ITEMS},
                   [PARAMETER_GROUP] = {.name = "group", .words = GROUPS}},
    .supports = supports,
    .schedule = schedule,
    .programs = programs,
    .enqueue = enqueue,
    .bytes_per_element = bytes_per_element,
    .self_test_count = self_test_count,
    .describe = describe,
};
