/* cores.c - merge sort for CPU cores: tiles that fit in the cache, then rounds in equal pieces
 * (cl/merge/cores.cl) */
#include "algo/common/arguments.h"
#include "algo/common/limits.h"
#include "algo/common/programs.h"
#include "algo/merge/merge.h"

enum {
    TILE_BYTES = 128 << 10, /* a tile and its scratch together fill a part of the L2 cache */
    BLOCK = 32768,          /* outputs that are merged in the way that suits them */
    PIECES_PER_UNIT = 4,    /* balances the load if cores differ in speed */
    MAX_KEY_BYTES = 32768,  /* with the copies of keys, 1 MiB of a thread's stack */
    MAX_VALUE_BYTES = 256   /* compilers unroll copies of values */
};

enum { TILES, ROUND, INIT };
static const char *const NAMES[] = {"merge_cores_tiles", "merge_cores_round", "merge_cores_init",
                                    NULL};

static bool supports(const struct cls_caps *caps, const struct cls_spec *spec,
                     const struct cls_parameters *parameters, struct cls_tuning *tuning,
                     const char **why)
{
    const uint64_t fits = TILE_BYTES / (spec->key_bytes + spec->value_bytes);
    if (parameters->value[0] == CLS_MERGE_GROUPS) {
        *why = "the variant for work-groups was requested";
        return false;
    }
    if (!cls_allows_long_work_items(caps, why) ||
        !cls_fits_private_memory(spec, MAX_KEY_BYTES, why))
        return false;
    *tuning = (struct cls_tuning){.group_size = 1,
                                  .merge_cores.items = cls_floor_power_of_two(fits > 0 ? fits : 1),
                                  .merge_cores.block = BLOCK,
                                  .merge_cores.units = caps->units,
                                  .max_count = cls_max_countable(caps, spec)};
    return true;
}

static void schedule(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_schedule *schedule)
{
    (void)tuning;
    cls_merge_scratch(spec, count, schedule);
    schedule->regions = CLS_OWN_REGIONS;
}

static size_t programs(const struct cls_caps *caps, const struct cls_tuning *tuning,
                       const struct cls_spec *spec, struct cls_program_spec *programs)
{
    (void)caps;
    (void)tuning;
    cls_program_begin(programs, "merge/cores.cl", NAMES, 1, spec);
    cls_merge_options(spec, &programs->options);
    return 1;
}

static cl_int sort_tiles(const struct cls_sort *sort)
{
    const struct cls_arrays *arrays = sort->arrays;
    const uint64_t tile = sort->tuning->merge_cores.items;
    const struct cls_merge_round first = cls_merge_round(sort, tile);
    struct cls_launch launch = cls_launch(sort->kernels[TILES]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_arg_buffer(&launch, arrays->keys_in);
    cls_arg_buffer(&launch, first.keys);
    cls_arg_buffer(&launch, first.keys_to);
    cls_arg_input_values(&launch, sort->spec, arrays->values_in);
    cls_arg_values(&launch, sort->spec, first.values);
    cls_arg_values(&launch, sort->spec, first.values_to);
    cls_arg_index(&launch, sort->spec, arrays->count);
    cls_arg_index(&launch, sort->spec, tile);
    cls_arg_order(&launch, sort->spec);
    return cls_launch_enqueue(sort->chain, &launch, (size_t)cls_divide_up(arrays->count, tile), 1);
}

/* Only the gather, which follows if values are indexes, reads what the kernel writes. */
static cl_int init(const struct cls_sort *sort)
{
    if (!sort->spec->value_is_index)
        return CL_SUCCESS;
    struct cls_launch launch = cls_launch(sort->kernels[INIT]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_arg_values(&launch, sort->spec, sort->scratch[CLS_VALUES]);
    cls_arg_index(&launch, sort->spec, sort->arrays->count);
    return cls_launch_enqueue(sort->chain, &launch, sort->tuning->merge_cores.units, 1);
}

/* Returns the number of outputs per work-item: a part of a pair of runs, or of the two inputs. */
static uint64_t piece_of(const struct cls_sort *sort, const struct cls_merge_round *round)
{
    const uint64_t pieces = (uint64_t)sort->tuning->merge_cores.units * PIECES_PER_UNIT;
    const uint64_t share = cls_divide_up(sort->arrays->count, pieces);
    if (round->two_inputs)
        return share;
    uint64_t piece = 2 * round->width;
    while (piece > sort->tuning->merge_cores.items && piece > share)
        piece /= 2;
    return piece;
}

static cl_int merge(const struct cls_sort *sort, const struct cls_merge_round *round)
{
    const uint64_t piece = piece_of(sort, round);
    struct cls_launch launch = cls_launch(sort->kernels[ROUND]);
    cls_merge_arg_key_arrays(&launch, round);
    cls_merge_arg_value_arrays(&launch, sort->spec, round);
    cls_merge_arg_round(&launch, sort, round);
    cls_arg_index(&launch, sort->spec, piece);
    cls_arg_index(&launch, sort->spec, sort->tuning->merge_cores.block);
    cls_arg_order(&launch, sort->spec);
    return cls_launch_enqueue(sort->chain, &launch,
                              (size_t)cls_divide_up(sort->arrays->count, piece), 1);
}

static cl_int enqueue(const struct cls_sort *sort)
{
    static const struct cls_merge_steps steps = {
        .init = init, .sort_tiles = sort_tiles, .merge = merge};
    return cls_merge_enqueue(sort, sort->tuning->merge_cores.items, &steps);
}

static uint64_t bytes_per_element(const struct cls_tuning *tuning, const struct cls_spec *spec,
                                  uint64_t count)
{
    return cls_merge_bytes_per_element(spec, count, tuning->merge_cores.items);
}

/* The sort has two rounds, the last of which merges runs of different lengths. With blocks this small,
 * the test runs merge_skewed for either run, and merge_evenly. */
static uint64_t self_test_count(struct cls_tuning *tuning)
{
    tuning->merge_cores.items = 1024; /* the program does not depend on the tile */
    tuning->merge_cores.block = 40;
    return 3 * (uint64_t)tuning->merge_cores.items + 1;
}

static void describe(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_text *text)
{
    cls_text_add(text, "for cores, tiles of %u", tuning->merge_cores.items);
    if (!cls_merges_two_inputs(spec))
        cls_text_add(text, ", %u rounds", cls_merge_rounds(count, tuning->merge_cores.items));
}

const struct cls_algo cls_algo_merge_cores = {
    .name = "merge",
    .operations = CLS_SORTS | CLS_OPERATION(CLSORT_MERGE_SORTED),
    .traits = CLS_STABLE | CLS_CUSTOM,
    .max_value_bytes_once = MAX_VALUE_BYTES,
    .parameters = {{.name = "variant", .words = cls_merge_variants}},
    .supports = supports,
    .schedule = schedule,
    .programs = programs,
    .enqueue = enqueue,
    .bytes_per_element = bytes_per_element,
    .self_test_count = self_test_count,
    .describe = describe,
};
