/* merge.c - merge sort for work-groups: tiles, then rounds by merge path (merge.cl) */
#include "algo/merge.h"

enum {
    GROUP_SIZE = 256,
    /* Odd, so that neighbours' keys are in different banks of local memory. Measured best on an H200: 7 to 23
     * in groups of 128 and 256 were tried. */
    KEYS_ALONE = 19,
    PAIRS = 7,
    SPLIT_GROUP = 32,        /* as in merge.cl */
    STARTS_BYTES = 24 << 20, /* most that the tiles' starts take */
    MOST_PRIVATE_BYTES = 256 /* of a work-item's keys: more would spill from registers */
};

enum { TILES, SPLIT, ROUND, BEGIN };
static const char *const NAMES[CLS_MOST_KERNELS + 1] = {"merge_tiles", "merge_split", "merge_round",
                                                        "merge_begin", NULL};
static const char *const FILES[] = {"types.cl",  "keys.cl",  "head.cl", "order.cl",
                                    "corank.cl", "merge.cl", NULL};

enum { STARTS = CLS_OWN_REGIONS, REGIONS };
_Static_assert((int)REGIONS <= (int)CLS_MOST_REGIONS, "too many regions");

/* -- shared by the shapes -------------------------------------------------------------------------- */

const char *const cls_merge_shapes[] = {"groups", "cores", NULL};

unsigned cls_merge_rounds(uint64_t count, uint64_t width)
{
    unsigned rounds = 0;
    for (; width < count; width *= 2)
        rounds++;
    return rounds;
}

struct cls_merge_round cls_merge_round(const struct cls_job *job, uint64_t width)
{
    const struct cls_places *places = &job->places;
    const clsort_buffer keys[] = {places->keys_out, job->scratch[CLS_KEYS]};
    const clsort_buffer values[] = {places->values_out, job->scratch[CLS_VALUES]};
    const unsigned from = cls_merge_rounds(places->count, width) % 2;
    return (struct cls_merge_round){.keys = keys[from],
                                    .values = values[from],
                                    .second_keys = keys[from],
                                    .second_values = values[from],
                                    .keys_to = keys[!from],
                                    .values_to = values[!from],
                                    .width = width};
}

struct cls_merge_round cls_merge_inputs(const struct cls_shape *shape, const struct cls_job *job)
{
    const struct cls_places *places = &job->places;
    const uint64_t first = places->count - places->second_count;
    struct cls_merge_round round = {.keys = places->keys_in,
                                    .values = places->values_in,
                                    .second_keys = places->second_keys,
                                    .second_values = places->second_values,
                                    .keys_to = places->keys_out,
                                    .values_to = places->values_out,
                                    .width = first,
                                    .two_inputs = true};
    if (shape->value_is_index) {
        round.values = round.second_values = job->scratch[CLS_VALUES];
        round.second_values.offset += first * shape->value_bytes;
    }
    return round;
}

void cls_merge_options(const struct cls_shape *shape, struct cls_text *options)
{
    cls_text_add(options, " -DCHECKED=%d",
                 shape->order == CLS_ORDER_CUSTOM || shape->operation == CLS_MERGE_SORTED);
}

uint64_t cls_merge_traffic(const struct cls_shape *shape, uint64_t count, uint64_t width)
{
    const unsigned times =
        shape->operation == CLS_MERGE_SORTED ? 1 : 1 + cls_merge_rounds(count, width);
    return times * cls_copy_bytes(shape);
}

void cls_merge_scratch(const struct cls_shape *shape, uint64_t count, uint64_t *bytes)
{
    const bool sorts = shape->operation == CLS_SORT;
    bytes[CLS_CONTROL] = CLS_CONTROL_BYTES;
    bytes[CLS_KEYS] = sorts ? count * shape->key_bytes : 0;
    bytes[CLS_VALUES] = sorts || shape->value_is_index ? count * shape->value_bytes : 0;
}

/* -- the shape for work-groups --------------------------------------------------------------------- */

static uint64_t tile_of(const struct cls_tuning *tuning)
{
    return (uint64_t)tuning->group_size * tuning->items;
}

/* Local memory of exchange_t. */
static uint64_t exchange_bytes(const struct cls_tuning *tuning, const struct cls_shape *shape)
{
    const uint64_t element = shape->key_bytes + (shape->value_bytes > 0 ? 2 : 0);
    return (tile_of(tuning) + 1) * element + 4 * ((uint64_t)tuning->group_size + 2) + 16;
}

/* The odd number next to half as many. */
static unsigned fewer(unsigned items)
{
    return items / 4 * 2 + 1;
}

static bool supports(const struct cls_caps *caps, const struct cls_shape *shape,
                     const struct cls_parameters *parameters, struct cls_tuning *tuning,
                     const char **why)
{
    if (parameters->value[0] == CLS_MERGE_CORES) {
        *why = "the other shape is asked for";
        return false;
    }
    if (!cls_copies_keys(caps, shape, why))
        return false;
    *tuning = (struct cls_tuning){.group_size = GROUP_SIZE,
                                  .items = shape->value_bytes > 0 ? PAIRS : KEYS_ALONE,
                                  .units = caps->units,
                                  .most_items = cls_countable(caps, shape)};
    while (tuning->group_size > caps->group_size && tuning->group_size > 1)
        tuning->group_size /= 2;
    while (tuning->items > 1 && tuning->items * shape->key_bytes > MOST_PRIVATE_BYTES)
        tuning->items = fewer(tuning->items);
    while (exchange_bytes(tuning, shape) > caps->local_bytes) {
        if (tuning->items > 1)
            tuning->items = fewer(tuning->items);
        else if (tuning->group_size > 1)
            tuning->group_size /= 2;
        else {
            *why = "the device has too little local memory for such keys";
            return false;
        }
    }
    const uint64_t most = STARTS_BYTES / (shape->index_bits / 8) * tile_of(tuning);
    if (most < tuning->most_items)
        tuning->most_items = most;
    return true;
}

static size_t scratch(const struct cls_tuning *tuning, const struct cls_shape *shape,
                      uint64_t count, uint64_t *bytes)
{
    cls_merge_scratch(shape, count, bytes);
    bytes[STARTS] = cls_divide_up(count, tile_of(tuning)) * (shape->index_bits / 8);
    return REGIONS;
}

static cl_int prepare(struct cls_device *device, const struct cls_tuning *tuning,
                      const struct cls_shape *shape, cl_kernel *kernels)
{
    char line[256];
    struct cls_text options = CLS_TEXT(line);
    cls_shape_options(shape, &options);
    cls_text_add(&options, " -DGROUP_SIZE=%u -DITEMS=%u", tuning->group_size, tuning->items);
    cls_merge_options(shape, &options);
    const struct cls_code code = {FILES, line, cls_custom_of(shape)};
    return cls_kernels_create(device, &code, NAMES, tuning->group_size, kernels);
}

/* What the launches share. */
struct run {
    const cl_kernel *kernels;
    const struct cls_tuning *tuning;
    const struct cls_shape *shape;
    const struct cls_job *job;
    struct cls_chain *chain;
    uint64_t tiles;
};

static cl_int sort_tiles(const struct run *run)
{
    const struct cls_places *places = &run->job->places;
    const struct cls_merge_round first = cls_merge_round(run->job, tile_of(run->tuning));
    struct cls_launch launch = cls_launch(run->kernels[TILES]);
    cls_arg_buffer(&launch, run->job->scratch[CLS_CONTROL]);
    cls_arg_buffer(&launch, places->keys_in);
    cls_arg_buffer(&launch, first.keys);
    cls_arg_input_values(&launch, run->shape, places->values_in);
    cls_arg_values(&launch, run->shape, first.values);
    cls_arg_index(&launch, run->shape, places->count);
    cls_arg_order(&launch, run->shape);
    return cls_run(run->chain, &launch, (size_t)run->tiles, run->tuning->group_size);
}

static cl_int begin(const struct run *run)
{
    struct cls_launch launch = cls_launch(run->kernels[BEGIN]);
    cls_arg_buffer(&launch, run->job->scratch[CLS_CONTROL]);
    cls_arg_values(&launch, run->shape, run->job->scratch[CLS_VALUES]);
    cls_arg_index(&launch, run->shape, run->job->places.count);
    return cls_run(run->chain, &launch, (size_t)run->tiles, run->tuning->group_size);
}

static void arg_runs(const struct run *run, const struct cls_merge_round *round,
                     struct cls_launch *launch)
{
    cls_arg_index(launch, run->shape, run->job->places.count);
    cls_arg_index(launch, run->shape, round->width);
    cls_arg_uint(launch, round->two_inputs);
    cls_arg_order(launch, run->shape);
}

static cl_int merge(const struct run *run, const struct cls_merge_round *round)
{
    const unsigned group_size = run->tuning->group_size;
    const unsigned split_group = group_size < SPLIT_GROUP ? group_size : SPLIT_GROUP;
    const unsigned splits = split_group > 1 ? split_group - 1 : 1; /* SPLITS in merge.cl */
    struct cls_launch launch = cls_launch(run->kernels[SPLIT]);
    cls_arg_buffer(&launch, run->job->scratch[CLS_CONTROL]);
    cls_arg_buffer(&launch, round->keys);
    cls_arg_buffer(&launch, round->second_keys);
    cls_arg_buffer(&launch, run->job->scratch[STARTS]);
    arg_runs(run, round, &launch);
    const cl_int status =
        cls_run(run->chain, &launch, (size_t)cls_divide_up(run->tiles, splits), split_group);
    if (status != CL_SUCCESS)
        return status;

    launch = cls_launch(run->kernels[ROUND]);
    cls_arg_buffer(&launch, run->job->scratch[CLS_CONTROL]);
    cls_arg_buffer(&launch, round->keys);
    cls_arg_buffer(&launch, round->second_keys);
    cls_arg_buffer(&launch, round->keys_to);
    cls_arg_values(&launch, run->shape, round->values);
    cls_arg_values(&launch, run->shape, round->second_values);
    cls_arg_values(&launch, run->shape, round->values_to);
    cls_arg_buffer(&launch, run->job->scratch[STARTS]);
    arg_runs(run, round, &launch);
    return cls_run(run->chain, &launch, (size_t)run->tiles, group_size);
}

static cl_int enqueue(const cl_kernel *kernels, const struct cls_tuning *tuning,
                      const struct cls_shape *shape, const struct cls_job *job,
                      struct cls_chain *chain)
{
    const uint64_t count = job->places.count, tile = tile_of(tuning);
    const struct run run = {kernels, tuning, shape, job, chain, cls_divide_up(count, tile)};
    if (shape->operation == CLS_MERGE_SORTED) {
        const struct cls_merge_round inputs = cls_merge_inputs(shape, job);
        const cl_int status = begin(&run);
        return status == CL_SUCCESS ? merge(&run, &inputs) : status;
    }
    cl_int status = sort_tiles(&run);
    for (uint64_t width = tile; width < count && status == CL_SUCCESS; width *= 2) {
        const struct cls_merge_round round = cls_merge_round(job, width);
        status = merge(&run, &round);
    }
    return status;
}

static uint64_t traffic(const struct cls_tuning *tuning, const struct cls_shape *shape,
                        uint64_t count)
{
    return cls_merge_traffic(shape, count, tile_of(tuning));
}

/* Two rounds, of which the last one's runs differ in length. */
static uint64_t trial(struct cls_tuning *tuning)
{
    return 3 * tile_of(tuning) + 1;
}

static void describe(const struct cls_tuning *tuning, const struct cls_shape *shape, uint64_t count,
                     struct cls_text *text)
{
    cls_text_add(text, "tiles of %u x %u", tuning->group_size, tuning->items);
    if (shape->operation == CLS_SORT)
        cls_text_add(text, ", %u rounds", cls_merge_rounds(count, tile_of(tuning)));
}

const struct cls_algo cls_algo_merge = {
    .name = "merge",
    .traits = CLS_STABLE | CLS_CUSTOM | CLS_MERGES,
    .is_for_gpus = true,
    .parameters = {{.name = "shape", .words = cls_merge_shapes}},
    .supports = supports,
    .scratch = scratch,
    .prepare = prepare,
    .enqueue = enqueue,
    .traffic = traffic,
    .trial = trial,
    .describe = describe,
};
