/* bitonic.c - bitonic sort in place, by work-groups (bitonic.cl) */
#include "algo/bitonic.h"

#include "device/lanes.h"

enum {
    GROUP_SIZE = 512,
    MOST_BITS = 4,       /* log2 of the registers of the largest kernel */
    GPU_REGISTERS = 512, /* most bytes of elements that a work-item holds ... */
    CPU_REGISTERS = 64,  /* ... by default, since there B16 of pairs takes twice the time of B8 */
    MOST_PAIR_BYTES = 2048, /* two it has to hold, whatever their size */
    MOST_TURNS = 4096,      /* of a work-item in a launch: far more than any tile takes */
    TRIAL_RUN = 256         /* of the trial without tiles: what the largest kernels begin with */
};

static const char *const FILES[] = {"types.cl", "keys.cl",  "head.cl",    "order.cl",
                                    "items.cl", "lanes.cl", "bitonic.cl", NULL};

/* The kernels that each of CLS_BITONIC_SETS names: log2 of the largest kernel's registers, and a work-item's elements
 * in a tile. */
static const struct {
    unsigned bits, items;
} SETS[] = {{1, 0}, {2, 0}, {3, 0}, {4, 0}, {4, 2}, {4, 4}};

/* -- shared by the shapes -------------------------------------------------------------------------- */

const char *const cls_bitonic_sets[] = {"B2", "B2+B4", "B2+B4+B8", "B", "C2+B", "C4+B", NULL};

struct cls_bitonic_schedule cls_bitonic_schedule(uint64_t count, unsigned tile_bits,
                                                 unsigned most_bits)
{
    const unsigned stages = cls_bitonic_stages(count);
    return (struct cls_bitonic_schedule){stages > 0 ? stages : 1, tile_bits, most_bits};
}

bool cls_bitonic_next(const struct cls_bitonic_schedule *schedule, struct cls_bitonic_step *step)
{
    const unsigned stages = schedule->stages, inside = schedule->tile_bits;
    step->left -= step->bits > 0 ? step->bits : step->left;
    if (step->left == 0) {
        if (step->stage == stages)
            return false;
        if (step->stage == 0 && inside > 0)
            step->stage = stages < inside ? stages : inside;
        else
            step->stage++;
        step->left = step->stage;
    }
    const unsigned outside = step->left > inside ? step->left - inside : 0;
    step->bits = outside < schedule->most_bits ? outside : schedule->most_bits;
    return true;
}

uint64_t cls_bitonic_traffic(const struct cls_bitonic_schedule *schedule,
                             const struct cls_shape *shape)
{
    struct cls_bitonic_step step = {0};
    uint64_t bytes = 0;
    while (cls_bitonic_next(schedule, &step))
        bytes += cls_copy_bytes(shape);
    return bytes;
}

/* -- the shape for work-groups --------------------------------------------------------------------- */

/* log2 of a tile; 0 where there are none. */
static unsigned tile_bits(const struct cls_tuning *tuning)
{
    return tuning->items > 0 ? cls_bitonic_stages((uint64_t)tuning->group_size * tuning->items) : 0;
}

static struct cls_bitonic_schedule schedule_of(const struct cls_tuning *tuning, uint64_t count)
{
    return cls_bitonic_schedule(count, tile_bits(tuning), tuning->bits);
}

/* Tiles that are no larger than what registers hold are of no use. */
static bool fit_tile(const struct cls_caps *caps, uint64_t item_bytes, struct cls_tuning *tuning)
{
    unsigned group_size = tuning->group_size;
    while (group_size * tuning->items * item_bytes > caps->local_bytes && group_size > 1)
        group_size /= 2;
    if (group_size * tuning->items <= 1u << MOST_BITS)
        return false;
    tuning->group_size = group_size;
    return true;
}

static bool supports(const struct cls_caps *caps, const struct cls_shape *shape,
                     const struct cls_parameters *parameters, struct cls_tuning *tuning,
                     const char **why)
{
    const uint64_t item_bytes = shape->key_bytes + shape->value_bytes;
    const unsigned sets = sizeof SETS / sizeof *SETS, asked = parameters->value[0];
    const unsigned set = asked > 0 ? asked - 1 : sets - 1;
    *tuning = (struct cls_tuning){
        .group_size =
            caps->group_size < GROUP_SIZE ? cls_power_below(caps->group_size) : GROUP_SIZE,
        .items = SETS[set].items,
        .bits = SETS[set].bits,
        .units = caps->units,
        .most_items = cls_countable(caps, shape),
    };
    if (2 * item_bytes > MOST_PAIR_BYTES) {
        *why = "its keys are too wide for registers";
        return false;
    }
    if (caps->most_turns < MOST_TURNS) {
        *why = "this driver ends loops too early";
        return false;
    }
    if (!cls_copies_keys(caps, shape, why))
        return false;
    const uint64_t registers =
        asked == 0 && caps->type & CL_DEVICE_TYPE_CPU ? CPU_REGISTERS : GPU_REGISTERS;
    while (tuning->bits > 1 && item_bytes << tuning->bits > registers)
        tuning->bits--;
    while (tuning->items > 0 &&
           (tuning->items * item_bytes > registers || !fit_tile(caps, item_bytes, tuning)))
        tuning->items = tuning->items > 2 ? 2 : 0;
    return true;
}

static size_t scratch(const struct cls_tuning *tuning, const struct cls_shape *shape,
                      uint64_t count, uint64_t *bytes)
{
    (void)tuning;
    (void)count;
    bytes[CLS_CONTROL] = shape->value_is_index ? CLS_CONTROL_BYTES : 0;
    bytes[CLS_KEYS] = bytes[CLS_VALUES] = 0;
    return CLS_OWN_REGIONS;
}

/* B2 to B16 as far as they are wanted, then C. */
static cl_int prepare(struct cls_device *device, const struct cls_tuning *tuning,
                      const struct cls_shape *shape, cl_kernel *kernels)
{
    static const char *const registers[MOST_BITS] = {"bitonic_b2", "bitonic_b4", "bitonic_b8",
                                                     "bitonic_b16"};
    const char *names[MOST_BITS + 2] = {NULL};
    for (unsigned i = 0; i < tuning->bits; i++)
        names[i] = registers[i];
    if (tuning->items > 0)
        names[tuning->bits] = "bitonic_local";
    char line[256];
    struct cls_text options = CLS_TEXT(line);
    cls_shape_options(shape, &options);
    cls_text_add(&options, " -DGROUP_SIZE=%u -DREGISTERS=%u -DITEMS=%u", tuning->group_size,
                 1u << tuning->bits, tuning->items);
    cls_lanes_options(&device->caps, &options);
    const struct cls_code code = {FILES, line, cls_custom_of(shape)};
    return cls_kernels_create(device, &code, names, tuning->group_size, kernels);
}

/* What the launches share. */
struct run {
    const cl_kernel *kernels;
    const struct cls_tuning *tuning;
    const struct cls_shape *shape;
    const struct cls_job *job;
    struct cls_chain *chain;
    bool is_first; /* of the launches: it reads the input */
};

enum first { PLAIN, MIRRORED }; /* as in bitonic.cl */

/* `where` is the kernels' own: what they say of a stage. */
static cl_int run_kernel(struct run *run, unsigned kernel, unsigned where, enum first first,
                         uint64_t groups)
{
    const struct cls_shape *shape = run->shape;
    const struct cls_places *places = &run->job->places;
    struct cls_launch launch = cls_launch(run->kernels[kernel]);
    if (shape->value_is_index) {
        cls_arg_buffer(&launch, run->job->scratch[CLS_CONTROL]);
        cls_arg_uint(&launch, run->is_first);
    }
    cls_arg_buffer(&launch, run->is_first ? places->keys_in : places->keys_out);
    cls_arg_buffer(&launch, places->keys_out);
    cls_arg_input_values(&launch, shape, run->is_first ? places->values_in : places->values_out);
    cls_arg_values(&launch, shape, places->values_out);
    cls_arg_index(&launch, shape, places->count);
    cls_arg_uint(&launch, where);
    cls_arg_uint(&launch, first);
    cls_arg_order(&launch, shape);
    run->is_first = false;
    return cls_run(run->chain, &launch, (size_t)groups, run->tuning->group_size);
}

/* The last steps of a stage; MIRRORED: all stages up to it. */
static cl_int run_tiles(struct run *run, unsigned stage, enum first first)
{
    const uint64_t tile = (uint64_t)1 << tile_bits(run->tuning);
    return run_kernel(run, run->tuning->bits, stage, first,
                      cls_divide_up(run->job->places.count, tile));
}

/* `bits` steps, the last of which compares what is 2^shift apart. */
static cl_int run_registers(struct run *run, unsigned bits, unsigned shift, enum first first)
{
    const uint64_t count = run->job->places.count, apart = (uint64_t)1 << shift;
    const uint64_t rest = count % (apart << bits);
    const uint64_t sets = (count / (apart << bits)) * apart + (rest < apart ? rest : apart);
    return run_kernel(run, bits - 1, shift, first, cls_divide_up(sets, run->tuning->group_size));
}

static cl_int enqueue(const cl_kernel *kernels, const struct cls_tuning *tuning,
                      const struct cls_shape *shape, const struct cls_job *job,
                      struct cls_chain *chain)
{
    const struct cls_bitonic_schedule schedule = schedule_of(tuning, job->places.count);
    struct run run = {kernels, tuning, shape, job, chain, true};
    struct cls_bitonic_step step = {0};
    cl_int status = CL_SUCCESS;
    while (status == CL_SUCCESS && cls_bitonic_next(&schedule, &step)) {
        const enum first first = step.left == step.stage ? MIRRORED : PLAIN;
        status = step.bits > 0 ? run_registers(&run, step.bits, step.left - step.bits, first)
                               : run_tiles(&run, step.left, first);
    }
    return status;
}

static uint64_t traffic(const struct cls_tuning *tuning, const struct cls_shape *shape,
                        uint64_t count)
{
    const struct cls_bitonic_schedule schedule = schedule_of(tuning, count);
    return cls_bitonic_traffic(&schedule, shape);
}

/* Runs the largest kernel, and with it the others. */
static uint64_t trial(struct cls_tuning *tuning)
{
    const uint64_t run = tuning->items > 0 ? (uint64_t)1 << tile_bits(tuning) : TRIAL_RUN;
    return (run << (tuning->bits - 1)) + 1;
}

static void describe(const struct cls_tuning *tuning, const struct cls_shape *shape, uint64_t count,
                     struct cls_text *text)
{
    (void)shape;
    (void)count;
    if (tuning->items > 0)
        cls_text_add(text, "C%u+", tuning->items);
    for (unsigned bits = tuning->bits; bits > 0; bits--)
        cls_text_add(text, "B%u%s", 1u << bits, bits > 1 ? " " : "");
    if (tuning->items > 0)
        cls_text_add(text, ", tiles of %u x %u", tuning->group_size, tuning->items);
}

const struct cls_algo cls_algo_bitonic = {
    .name = "bitonic",
    .traits = CLS_CUSTOM | CLS_NO_SCRATCH,
    .is_for_gpus = true,
    .parameters = {{.name = "kernels", .words = cls_bitonic_sets}},
    .supports = supports,
    .scratch = scratch,
    .prepare = prepare,
    .enqueue = enqueue,
    .traffic = traffic,
    .trial = trial,
    .describe = describe,
};
