/* merge_cores.c - merge sort for CPUs: tiles inside the cache, then rounds in equal pieces (merge_cores.cl) */
#include "algo/merge.h"

enum {
    TILE_BYTES = 128 << 10, /* of a tile's elements: with as much scratch, a part of L2 */
    PIECES_PER_UNIT = 4     /* so that a core that falls behind is helped */
};

enum { TILES, ROUND, BEGIN };
static const char *const NAMES[CLS_MOST_KERNELS + 1] = {"cores_tiles", "cores_round", "cores_begin",
                                                        NULL};
static const char *const FILES[] = {"types.cl", "keys.cl",   "head.cl",        "items.cl",
                                    "order.cl", "corank.cl", "merge_cores.cl", NULL};

static bool supports(const struct cls_caps *caps, const struct cls_shape *shape,
                     const struct cls_parameters *parameters, struct cls_tuning *tuning,
                     const char **why)
{
    const uint64_t fits = TILE_BYTES / (shape->key_bytes + shape->value_bytes);
    if (parameters->value[0] == CLS_MERGE_GROUPS) {
        *why = "the other shape is asked for";
        return false;
    }
    if (!cls_has_workers(caps, why))
        return false;
    *tuning = (struct cls_tuning){.group_size = 1,
                                  .items = cls_power_below(fits > 0 ? fits : 1),
                                  .units = caps->units,
                                  .most_items = cls_countable(caps, shape)};
    return true;
}

static size_t scratch(const struct cls_tuning *tuning, const struct cls_shape *shape,
                      uint64_t count, uint64_t *bytes)
{
    (void)tuning;
    cls_merge_scratch(shape, count, bytes);
    return CLS_OWN_REGIONS;
}

static cl_int prepare(struct cls_device *device, const struct cls_tuning *tuning,
                      const struct cls_shape *shape, cl_kernel *kernels)
{
    char line[256];
    struct cls_text options = CLS_TEXT(line);
    (void)tuning;
    cls_shape_options(shape, &options);
    cls_merge_options(shape, &options);
    const struct cls_code code = {FILES, line, cls_custom_of(shape)};
    return cls_kernels_create(device, &code, NAMES, 1, kernels);
}

/* What the launches share. */
struct run {
    const cl_kernel *kernels;
    const struct cls_tuning *tuning;
    const struct cls_shape *shape;
    const struct cls_job *job;
    struct cls_chain *chain;
};

static cl_int sort_tiles(const struct run *run)
{
    const struct cls_places *places = &run->job->places;
    const uint64_t tile = run->tuning->items;
    const struct cls_merge_round first = cls_merge_round(run->job, tile);
    struct cls_launch launch = cls_launch(run->kernels[TILES]);
    cls_arg_buffer(&launch, run->job->scratch[CLS_CONTROL]);
    cls_arg_buffer(&launch, places->keys_in);
    cls_arg_buffer(&launch, first.keys);
    cls_arg_buffer(&launch, first.keys_to);
    cls_arg_input_values(&launch, run->shape, places->values_in);
    cls_arg_values(&launch, run->shape, first.values);
    cls_arg_values(&launch, run->shape, first.values_to);
    cls_arg_index(&launch, run->shape, places->count);
    cls_arg_index(&launch, run->shape, tile);
    cls_arg_order(&launch, run->shape);
    return cls_run(run->chain, &launch, (size_t)cls_divide_up(places->count, tile), 1);
}

static cl_int begin(const struct run *run)
{
    struct cls_launch launch = cls_launch(run->kernels[BEGIN]);
    cls_arg_buffer(&launch, run->job->scratch[CLS_CONTROL]);
    cls_arg_values(&launch, run->shape, run->job->scratch[CLS_VALUES]);
    cls_arg_index(&launch, run->shape, run->job->places.count);
    return cls_run(run->chain, &launch, run->tuning->units, 1);
}

/* The outputs of one work-item: of a round, a part of a pair; of two inputs, of all there is. */
static uint64_t piece_of(const struct run *run, const struct cls_merge_round *round)
{
    const uint64_t pieces = (uint64_t)run->tuning->units * PIECES_PER_UNIT;
    const uint64_t share = cls_divide_up(run->job->places.count, pieces);
    if (round->two_inputs)
        return share;
    uint64_t piece = 2 * round->width;
    while (piece > run->tuning->items && piece > share)
        piece /= 2;
    return piece;
}

static cl_int merge(const struct run *run, const struct cls_merge_round *round)
{
    const uint64_t piece = piece_of(run, round);
    struct cls_launch launch = cls_launch(run->kernels[ROUND]);
    cls_arg_buffer(&launch, round->keys);
    cls_arg_buffer(&launch, round->second_keys);
    cls_arg_buffer(&launch, round->keys_to);
    cls_arg_values(&launch, run->shape, round->values);
    cls_arg_values(&launch, run->shape, round->second_values);
    cls_arg_values(&launch, run->shape, round->values_to);
    cls_arg_index(&launch, run->shape, run->job->places.count);
    cls_arg_index(&launch, run->shape, round->width);
    cls_arg_index(&launch, run->shape, piece);
    cls_arg_uint(&launch, round->two_inputs);
    cls_arg_order(&launch, run->shape);
    return cls_run(run->chain, &launch, (size_t)cls_divide_up(run->job->places.count, piece), 1);
}

static cl_int enqueue(const cl_kernel *kernels, const struct cls_tuning *tuning,
                      const struct cls_shape *shape, const struct cls_job *job,
                      struct cls_chain *chain)
{
    const struct run run = {kernels, tuning, shape, job, chain};
    if (shape->operation == CLS_MERGE_SORTED) {
        const struct cls_merge_round inputs = cls_merge_inputs(shape, job);
        const cl_int status = begin(&run);
        return status == CL_SUCCESS ? merge(&run, &inputs) : status;
    }
    cl_int status = sort_tiles(&run);
    for (uint64_t width = tuning->items; width < job->places.count && status == CL_SUCCESS;
         width *= 2) {
        const struct cls_merge_round round = cls_merge_round(job, width);
        status = merge(&run, &round);
    }
    return status;
}

static uint64_t traffic(const struct cls_tuning *tuning, const struct cls_shape *shape,
                        uint64_t count)
{
    return cls_merge_traffic(shape, count, tuning->items);
}

/* A round whose runs differ in length. */
static uint64_t trial(struct cls_tuning *tuning)
{
    tuning->items = 1024; /* no program depends on the tile */
    return 3 * (uint64_t)tuning->items + 1;
}

static void describe(const struct cls_tuning *tuning, const struct cls_shape *shape, uint64_t count,
                     struct cls_text *text)
{
    cls_text_add(text, "for cores, tiles of %u", tuning->items);
    if (shape->operation == CLS_SORT)
        cls_text_add(text, ", %u rounds", cls_merge_rounds(count, tuning->items));
}

const struct cls_algo cls_algo_merge_cores = {
    .name = "merge",
    .traits = CLS_STABLE | CLS_CUSTOM | CLS_MERGES,
    .parameters = {{.name = "shape", .words = cls_merge_shapes}},
    .supports = supports,
    .scratch = scratch,
    .prepare = prepare,
    .enqueue = enqueue,
    .traffic = traffic,
    .trial = trial,
    .describe = describe,
};
