/* bitonic_vector.c - bitonic sort of keys alone, in place, for CPUs (bitonic_vector.cl) */
#include "algo/bitonic.h"

enum {
    TILE_BYTES_BITS = 15, /* log2 of a tile's bytes: it stays in L1 (measured best, of 14 to 16) */
    MOST_ROWS = 6         /* log2; more of them would be shorter than memory likes */
};

enum { SORT, MERGE };
static const char *const NAMES[CLS_MOST_KERNELS + 1] = {"bitonic_vector_sort",
                                                        "bitonic_vector_merge", NULL};
static const char *const FILES[] = {"types.cl", "keys.cl", "network.cl", "bitonic_vector.cl", NULL};

static bool supports(const struct cls_caps *caps, const struct cls_shape *shape,
                     const struct cls_parameters *parameters, struct cls_tuning *tuning,
                     const char **why)
{
    if (!(caps->type & CL_DEVICE_TYPE_CPU)) {
        *why = "it keeps a core's cache full of private memory, which only CPUs have";
        return false;
    }
    if (caps->most_turns < UINT64_MAX) {
        *why = "its work-items go through whole tiles, and this driver ends long loops early";
        return false;
    }
    if (shape->value_bytes > 0 || cls_hides_bits(shape)) {
        *why = "it sorts keys alone, that are equal in all their bits or not at all";
        return false;
    }
    if (parameters->value[0] > 0) {
        *why = "it has none of these kernels";
        return false;
    }
    *tuning = (struct cls_tuning){
        .group_size = 1,
        .items = (1u << TILE_BYTES_BITS) / shape->key_bytes,
        .units = caps->units,
        .most_items = cls_countable(caps, shape),
    };
    return true;
}

static size_t scratch(const struct cls_tuning *tuning, const struct cls_shape *shape,
                      uint64_t count, uint64_t *bytes)
{
    (void)tuning;
    (void)shape;
    (void)count;
    bytes[CLS_CONTROL] = bytes[CLS_KEYS] = bytes[CLS_VALUES] = 0;
    return CLS_OWN_REGIONS;
}

static cl_int prepare(struct cls_device *device, const struct cls_tuning *tuning,
                      const struct cls_shape *shape, cl_kernel *kernels)
{
    char line[256];
    struct cls_text options = CLS_TEXT(line);
    cls_shape_options(shape, &options);
    cls_text_add(&options, " -DTILE_BITS=%u", cls_bitonic_stages(tuning->items));
    const struct cls_code code = {FILES, line, NULL};
    return cls_kernels_create(device, &code, NAMES, 1, kernels);
}

static struct cls_bitonic_schedule schedule_of(const struct cls_tuning *tuning, uint64_t count)
{
    return cls_bitonic_schedule(count, cls_bitonic_stages(tuning->items), MOST_ROWS);
}

/* What the launches share. */
struct run {
    const cl_kernel *kernels;
    const struct cls_shape *shape;
    const struct cls_places *places;
    struct cls_chain *chain;
    unsigned tile_bits;
};

static cl_int sort_tiles(const struct run *run, bool is_last)
{
    const struct cls_places *places = run->places;
    struct cls_launch launch = cls_launch(run->kernels[SORT]);
    cls_arg_buffer(&launch, places->keys_in);
    cls_arg_buffer(&launch, places->keys_out);
    cls_arg_index(&launch, run->shape, places->count);
    cls_arg_key(&launch, run->shape, run->shape->flip);
    cls_arg_uint(&launch, is_last);
    return cls_run(run->chain, &launch,
                   (size_t)cls_divide_up(places->count, (uint64_t)1 << run->tile_bits), 1);
}

/* The steps that compare 2^rows rows, 2^stride keys apart; of one row all that are left. */
static cl_int merge(const struct run *run, unsigned stride, unsigned rows, bool mirrored,
                    bool is_last)
{
    const struct cls_places *places = run->places;
    const uint64_t apart = (uint64_t)1 << stride, width = (uint64_t)1 << (run->tile_bits - rows);
    const uint64_t rest = places->count % (apart << rows);
    const uint64_t groups = (places->count / (apart << rows)) * (apart / width) +
                            cls_divide_up(rest < apart ? rest : apart, width);
    struct cls_launch launch = cls_launch(run->kernels[MERGE]);
    cls_arg_buffer(&launch, places->keys_out);
    cls_arg_index(&launch, run->shape, places->count);
    cls_arg_key(&launch, run->shape, run->shape->flip);
    cls_arg_uint(&launch, stride);
    cls_arg_uint(&launch, rows);
    cls_arg_uint(&launch, mirrored);
    cls_arg_uint(&launch, is_last);
    return cls_run(run->chain, &launch, (size_t)groups, 1);
}

static cl_int enqueue(const cl_kernel *kernels, const struct cls_tuning *tuning,
                      const struct cls_shape *shape, const struct cls_job *job,
                      struct cls_chain *chain)
{
    const struct cls_bitonic_schedule schedule = schedule_of(tuning, job->places.count);
    const struct run run = {kernels, shape, &job->places, chain, schedule.tile_bits};
    struct cls_bitonic_step step = {0};
    cl_int status = CL_SUCCESS;
    while (status == CL_SUCCESS && cls_bitonic_next(&schedule, &step)) {
        const bool is_last = step.stage == schedule.stages && step.bits == 0;
        status = step.stage <= schedule.tile_bits ? sort_tiles(&run, is_last)
                                                  : merge(&run, step.left - step.bits, step.bits,
                                                          step.left == step.stage, is_last);
    }
    return status;
}

static uint64_t traffic(const struct cls_tuning *tuning, const struct cls_shape *shape,
                        uint64_t count)
{
    const struct cls_bitonic_schedule schedule = schedule_of(tuning, count);
    return cls_bitonic_traffic(&schedule, shape);
}

/* Two stages of merges, in rows that end early. */
static uint64_t trial(struct cls_tuning *tuning)
{
    return 2 * (uint64_t)tuning->items + 1;
}

static void describe(const struct cls_tuning *tuning, const struct cls_shape *shape, uint64_t count,
                     struct cls_text *text)
{
    (void)shape;
    (void)count;
    cls_text_add(text, "vectors of 16 keys, tiles of %u", tuning->items);
}

const struct cls_algo cls_algo_bitonic_vector = {
    .name = "bitonic",
    .traits = CLS_NO_SCRATCH,
    .parameters = {{.name = "kernels", .words = cls_bitonic_sets}},
    .supports = supports,
    .scratch = scratch,
    .prepare = prepare,
    .enqueue = enqueue,
    .traffic = traffic,
    .trial = trial,
    .describe = describe,
};
