/* work_group.c - merge sort for work-groups: tiles, then rounds by merge path
 * (cl/merge/work_group.cl) */
#include "algo/common/arguments.h"
#include "algo/common/limits.h"
#include "algo/common/programs.h"
#include "algo/merge/merge.h"

enum {
    GROUP_SIZE = 256,
    /* Odd, so that the keys of neighbouring work-items are in different banks of local memory.
     * Measured best on an H200, of 7 to 23 in groups of 128 and 256. */
    KEY_ITEMS = 19,
    PAIR_ITEMS = 7,
    MAX_STARTS_BYTES = 24 << 20, /* limits the number of tiles */
    MAX_PRIVATE_BYTES = 256,     /* limits a work-item's keys, so that they stay in registers */
    MAX_KEY_BYTES = 1024         /* the same as in bitonic sort; compilers unroll copies of keys */
};

enum { TILES, SPLIT, ROUND, INIT };
static const char *const NAMES[] = {"merge_tiles", "merge_split", "merge_round", "merge_init",
                                    NULL};

enum { STARTS = CLS_OWN_REGIONS, REGIONS };
_Static_assert((int)REGIONS <= (int)CLS_MAX_REGIONS, "too many regions");

static uint64_t tile_of(const struct cls_tuning *tuning)
{
    return (uint64_t)tuning->group_size * tuning->merge_work_group.items;
}

/* Returns the size of merge_exchange_t. */
static uint64_t exchange_bytes(const struct cls_tuning *tuning, const struct cls_spec *spec)
{
    const uint64_t element = spec->key_bytes + (spec->value_bytes > 0 ? 2 : 0);
    return (tile_of(tuning) + 1) * element + 4 * ((uint64_t)tuning->group_size + 2) + 16;
}

/* Returns an odd number of about half as many items. */
static unsigned fewer_items(unsigned items)
{
    return items / 4 * 2 + 1;
}

static bool supports(const struct cls_caps *caps, const struct cls_spec *spec,
                     const struct cls_parameters *parameters, struct cls_tuning *tuning,
                     const char **why)
{
    if (parameters->value[0] == CLS_MERGE_CORES) {
        *why = "the variant for CPUs was requested";
        return false;
    }
    if (!cls_fits_private_memory(spec, MAX_KEY_BYTES, why) || !cls_copies_keys(caps, spec, why))
        return false;
    *tuning = (struct cls_tuning){.group_size = cls_fit_group_size(caps, GROUP_SIZE),
                                  .merge_work_group.items =
                                      spec->value_bytes > 0 ? PAIR_ITEMS : KEY_ITEMS,
                                  .max_count = cls_max_countable(caps, spec)};
    while (tuning->merge_work_group.items > 1 &&
           tuning->merge_work_group.items * spec->key_bytes > MAX_PRIVATE_BYTES)
        tuning->merge_work_group.items = fewer_items(tuning->merge_work_group.items);
    while (exchange_bytes(tuning, spec) > caps->local_bytes) {
        if (tuning->merge_work_group.items > 1)
            tuning->merge_work_group.items = fewer_items(tuning->merge_work_group.items);
        else if (tuning->group_size > 1)
            tuning->group_size /= 2;
        else {
            *why = "the device has too little local memory for such keys";
            return false;
        }
    }
    const uint64_t max_tiles = MAX_STARTS_BYTES / (spec->index_bits / 8);
    tuning->max_count = cls_min(tuning->max_count, max_tiles * tile_of(tuning));
    return true;
}

static void schedule(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_schedule *schedule)
{
    cls_merge_scratch(spec, count, schedule);
    schedule->regions = REGIONS;
    schedule->merge_work_group.tiles = cls_divide_up(count, tile_of(tuning));
    schedule->region_bytes[STARTS] = schedule->merge_work_group.tiles * (spec->index_bits / 8);
}

static size_t programs(const struct cls_caps *caps, const struct cls_tuning *tuning,
                       const struct cls_spec *spec, struct cls_program_spec *programs)
{
    (void)caps;
    cls_program_begin(programs, "merge/work_group.cl", NAMES, tuning->group_size, spec);
    cls_text_add(&programs->options, " -DGROUP_SIZE=%u -DITEMS=%u", tuning->group_size,
                 tuning->merge_work_group.items);
    cls_merge_options(spec, &programs->options);
    return 1;
}

static cl_int sort_tiles(const struct cls_sort *sort)
{
    const struct cls_arrays *arrays = sort->arrays;
    const struct cls_merge_round first = cls_merge_round(sort, tile_of(sort->tuning));
    struct cls_launch launch = cls_launch(sort->kernels[TILES]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_arg_buffer(&launch, arrays->keys_in);
    cls_arg_buffer(&launch, first.keys);
    cls_arg_input_values(&launch, sort->spec, arrays->values_in);
    cls_arg_values(&launch, sort->spec, first.values);
    cls_arg_index(&launch, sort->spec, arrays->count);
    cls_arg_order(&launch, sort->spec);
    return cls_launch_enqueue(sort->chain, &launch, (size_t)sort->schedule->merge_work_group.tiles,
                              sort->tuning->group_size);
}

static cl_int init(const struct cls_sort *sort)
{
    struct cls_launch launch = cls_launch(sort->kernels[INIT]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_arg_values(&launch, sort->spec, sort->scratch[CLS_VALUES]);
    cls_arg_index(&launch, sort->spec, sort->arrays->count);
    return cls_launch_enqueue(sort->chain, &launch, (size_t)sort->schedule->merge_work_group.tiles,
                              sort->tuning->group_size);
}

static cl_int split(const struct cls_sort *sort, const struct cls_merge_round *round)
{
    struct cls_launch launch = cls_launch(sort->kernels[SPLIT]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_arg_buffer(&launch, round->keys);
    cls_arg_buffer(&launch, round->second_keys);
    cls_arg_buffer(&launch, sort->scratch[STARTS]);
    cls_merge_arg_round(&launch, sort, round);
    cls_arg_order(&launch, sort->spec);
    return cls_merge_split_enqueue(sort, &launch, sort->schedule->merge_work_group.tiles);
}

static cl_int merge(const struct cls_sort *sort, const struct cls_merge_round *round)
{
    const cl_int status = split(sort, round);
    if (status != CL_SUCCESS)
        return status;
    struct cls_launch launch = cls_launch(sort->kernels[ROUND]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_merge_arg_key_arrays(&launch, round);
    cls_merge_arg_value_arrays(&launch, sort->spec, round);
    cls_arg_buffer(&launch, sort->scratch[STARTS]);
    cls_merge_arg_round(&launch, sort, round);
    cls_arg_order(&launch, sort->spec);
    return cls_launch_enqueue(sort->chain, &launch, (size_t)sort->schedule->merge_work_group.tiles,
                              sort->tuning->group_size);
}

static cl_int enqueue(const struct cls_sort *sort)
{
    static const struct cls_merge_steps steps = {
        .init = init, .sort_tiles = sort_tiles, .merge = merge};
    return cls_merge_enqueue(sort, tile_of(sort->tuning), &steps);
}

static uint64_t bytes_per_element(const struct cls_tuning *tuning, const struct cls_spec *spec,
                                  uint64_t count)
{
    return cls_merge_bytes_per_element(spec, count, tile_of(tuning));
}

/* The sort has two rounds, the last of which merges runs of different lengths. */
static uint64_t self_test_count(struct cls_tuning *tuning)
{
    return 3 * tile_of(tuning) + 1;
}

static void describe(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_text *text)
{
    cls_text_add(text, "tiles of %u x %u", tuning->group_size, tuning->merge_work_group.items);
    if (!cls_merges_two_inputs(spec))
        cls_text_add(text, ", %u rounds", cls_merge_rounds(count, tile_of(tuning)));
}

const struct cls_algo cls_algo_merge_work_group = {
    .name = "merge",
    .operations = CLS_SORTS | CLS_OPERATION(CLSORT_MERGE_SORTED),
    .traits = CLS_STABLE | CLS_CUSTOM,
    .is_for_gpus = true,
    .parameters = {{.name = "variant", .words = cls_merge_variants}},
    .supports = supports,
    .schedule = schedule,
    .programs = programs,
    .enqueue = enqueue,
    .bytes_per_element = bytes_per_element,
    .self_test_count = self_test_count,
    .describe = describe,
};
