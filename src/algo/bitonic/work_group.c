/* work_group.c - bitonic sort in place, by work-groups (bitonic.cl) */
#include "algo/bitonic/bitonic.h"
#include "algo/common/arguments.h"
#include "algo/common/limits.h"
#include "algo/common/programs.h"
#include "cl/common/layout.h"
#include "device/sub_group.h"

enum {
    GROUP_SIZE = 512,
    MAX_BITS = 4,          /* log2 of the registers of the largest kernel */
    GPU_REGISTERS = 512,   /* most bytes of elements that a work-item holds ... */
    CPU_REGISTERS = 64,    /* ... by default, since there B16 of pairs takes twice the time of B8 */
    MAX_PAIR_BYTES = 2048, /* two it has to hold, whatever their size */
    MAX_TURNS = 4096,      /* of a work-item in a launch: far more than any tile takes */
    TRIAL_RUN = 256        /* of the trial without tiles: what the largest kernels begin with */
};

/* The kernels that each of CLS_BITONIC_SETS names: log2 of the largest kernel's registers, and a work-item's elements
 * in a tile. */
static const struct {
    unsigned bits, items;
} SETS[] = {{1, 0}, {2, 0}, {3, 0}, {4, 0}, {4, 2}, {4, 4}};

/* log2 of a tile; 0 where there are none. */
static unsigned tile_bits(const struct cls_tuning *tuning)
{
    return tuning->bitonic_work_group.items > 0
               ? cls_bitonic_stages((uint64_t)tuning->group_size * tuning->bitonic_work_group.items)
               : 0;
}

static struct cls_bitonic_schedule schedule_of(const struct cls_tuning *tuning, uint64_t count)
{
    return cls_bitonic_schedule(count, tile_bits(tuning), tuning->bitonic_work_group.bits);
}

/* Tiles that are no larger than what registers hold are of no use. */
static bool fit_tile(const struct cls_caps *caps, uint64_t item_bytes, struct cls_tuning *tuning)
{
    unsigned group_size = tuning->group_size;
    while (group_size * tuning->bitonic_work_group.items * item_bytes > caps->local_bytes &&
           group_size > 1)
        group_size /= 2;
    if (group_size * tuning->bitonic_work_group.items <= 1u << MAX_BITS)
        return false;
    tuning->group_size = group_size;
    return true;
}

static bool supports(const struct cls_caps *caps, const struct cls_spec *spec,
                     const struct cls_parameters *parameters, struct cls_tuning *tuning,
                     const char **why)
{
    const uint64_t item_bytes = spec->key_bytes + spec->value_bytes;
    const unsigned sets = sizeof SETS / sizeof *SETS, asked = parameters->value[0];
    const unsigned set = asked > 0 ? asked - 1 : sets - 1;
    *tuning = (struct cls_tuning){
        .group_size =
            caps->group_size < GROUP_SIZE ? cls_floor_power_of_two(caps->group_size) : GROUP_SIZE,
        .bitonic_work_group.items = SETS[set].items,
        .bitonic_work_group.bits = SETS[set].bits,
        .max_count = cls_max_countable(caps, spec),
    };
    if (2 * item_bytes > MAX_PAIR_BYTES) {
        *why = "its keys are too wide for registers";
        return false;
    }
    if (caps->max_iterations < MAX_TURNS) {
        *why = "this driver ends loops too early";
        return false;
    }
    if (!cls_copies_keys(caps, spec, why))
        return false;
    const uint64_t registers =
        asked == 0 && caps->type & CL_DEVICE_TYPE_CPU ? CPU_REGISTERS : GPU_REGISTERS;
    while (tuning->bitonic_work_group.bits > 1 &&
           item_bytes << tuning->bitonic_work_group.bits > registers)
        tuning->bitonic_work_group.bits--;
    while (tuning->bitonic_work_group.items > 0 &&
           (tuning->bitonic_work_group.items * item_bytes > registers ||
            !fit_tile(caps, item_bytes, tuning)))
        tuning->bitonic_work_group.items = tuning->bitonic_work_group.items > 2 ? 2 : 0;
    return true;
}

static void schedule(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_schedule *schedule)
{
    schedule->regions = CLS_OWN_REGIONS;
    schedule->region_bytes[CLS_CONTROL] = spec->value_is_index ? sizeof(cls_control_head) : 0;
    schedule->region_bytes[CLS_KEYS] = schedule->region_bytes[CLS_VALUES] = 0;
    schedule->bitonic = schedule_of(tuning, count);
}

/* B2 to B16 as far as they are wanted, then C. */
static size_t programs(const struct cls_caps *caps, const struct cls_tuning *tuning,
                       const struct cls_spec *spec, struct cls_program_spec *programs)
{
    /* The kernels up to the largest that is wanted, then the one for tiles, which comes last. */
    static const char *const with_tiles[MAX_BITS][MAX_BITS + 2] = {
        {"bitonic_b2", "bitonic_local"},
        {"bitonic_b2", "bitonic_b4", "bitonic_local"},
        {"bitonic_b2", "bitonic_b4", "bitonic_b8", "bitonic_local"},
        {"bitonic_b2", "bitonic_b4", "bitonic_b8", "bitonic_b16", "bitonic_local"},
    };
    static const char *const without_tiles[MAX_BITS][MAX_BITS + 1] = {
        {"bitonic_b2"},
        {"bitonic_b2", "bitonic_b4"},
        {"bitonic_b2", "bitonic_b4", "bitonic_b8"},
        {"bitonic_b2", "bitonic_b4", "bitonic_b8", "bitonic_b16"},
    };
    const unsigned bits = tuning->bitonic_work_group.bits, items = tuning->bitonic_work_group.items;
    cls_program_begin(programs, "bitonic/work_group.cl",
                      items > 0 ? with_tiles[bits - 1] : without_tiles[bits - 1],
                      tuning->group_size, spec);
    cls_text_add(&programs->options, " -DGROUP_SIZE=%u -DELEMENTS_IN_REGISTERS=%u -DITEMS=%u",
                 tuning->group_size, 1u << bits, items);
    cls_sub_group_options(caps, &programs->options);
    return 1;
}

enum first { PLAIN, MIRRORED }; /* as in bitonic.cl */

/* `where` is the kernels' own: what they say of a stage. */
static cl_int run_kernel(const struct cls_sort *sort, bool is_first, unsigned kernel,
                         unsigned where, enum first first, uint64_t groups)
{
    const struct cls_spec *spec = sort->spec;
    const struct cls_arrays *arrays = sort->arrays;
    struct cls_launch launch = cls_launch(sort->kernels[kernel]);
    if (spec->value_is_index) {
        cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
        cls_arg_uint(&launch, is_first);
    }
    cls_arg_buffer(&launch, is_first ? arrays->keys_in : arrays->keys_out);
    cls_arg_buffer(&launch, arrays->keys_out);
    cls_arg_input_values(&launch, spec, is_first ? arrays->values_in : arrays->values_out);
    cls_arg_values(&launch, spec, arrays->values_out);
    cls_arg_index(&launch, spec, arrays->count);
    cls_arg_uint(&launch, where);
    cls_arg_uint(&launch, first);
    cls_arg_order(&launch, spec);
    return cls_launch_enqueue(sort->chain, &launch, (size_t)groups, sort->tuning->group_size);
}

/* The last steps of a stage; MIRRORED: all stages up to it. */
static cl_int run_tiles(const struct cls_sort *sort, bool is_first, unsigned stage,
                        enum first first)
{
    const uint64_t tile = (uint64_t)1 << tile_bits(sort->tuning);
    return run_kernel(sort, is_first, sort->tuning->bitonic_work_group.bits, stage, first,
                      cls_divide_up(sort->arrays->count, tile));
}

/* `bits` steps, the last of which compares what is 2^shift apart. */
static cl_int run_registers(const struct cls_sort *sort, bool is_first, unsigned bits,
                            unsigned shift, enum first first)
{
    const uint64_t count = sort->arrays->count, apart = (uint64_t)1 << shift;
    const uint64_t rest = count % (apart << bits);
    const uint64_t sets = (count / (apart << bits)) * apart + (rest < apart ? rest : apart);
    return run_kernel(sort, is_first, bits - 1, shift, first,
                      cls_divide_up(sets, sort->tuning->group_size));
}

static cl_int enqueue(const struct cls_sort *sort)
{
    struct cls_bitonic_step step = {0};
    bool is_first = true; /* the first launch reads the input */
    cl_int status = CL_SUCCESS;
    while (status == CL_SUCCESS && cls_bitonic_next(&sort->schedule->bitonic, &step)) {
        const enum first first = step.left == step.stage ? MIRRORED : PLAIN;
        status = step.bits > 0
                     ? run_registers(sort, is_first, step.bits, step.left - step.bits, first)
                     : run_tiles(sort, is_first, step.left, first);
        is_first = false;
    }
    return status;
}

static uint64_t bytes_per_element(const struct cls_tuning *tuning, const struct cls_spec *spec,
                                  uint64_t count)
{
    const struct cls_bitonic_schedule schedule = schedule_of(tuning, count);
    return cls_bitonic_bytes_per_element(&schedule, spec);
}

/* Runs the largest kernel, and with it the others. */
static uint64_t self_test_count(struct cls_tuning *tuning)
{
    const uint64_t run =
        tuning->bitonic_work_group.items > 0 ? (uint64_t)1 << tile_bits(tuning) : TRIAL_RUN;
    return (run << (tuning->bitonic_work_group.bits - 1)) + 1;
}

static void describe(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_text *text)
{
    (void)spec;
    (void)count;
    if (tuning->bitonic_work_group.items > 0)
        cls_text_add(text, "C%u+", tuning->bitonic_work_group.items);
    for (unsigned bits = tuning->bitonic_work_group.bits; bits > 0; bits--)
        cls_text_add(text, "B%u%s", 1u << bits, bits > 1 ? " " : "");
    if (tuning->bitonic_work_group.items > 0)
        cls_text_add(text, ", tiles of %u x %u", tuning->group_size,
                     tuning->bitonic_work_group.items);
}

const struct cls_algo cls_algo_bitonic_work_group = {
    .name = "bitonic",
    .operations = CLS_OPERATION(CLS_SORT),
    .traits = CLS_CUSTOM | CLS_NO_SCRATCH,
    .is_for_gpus = true,
    .parameters = {{.name = "kernels", .words = cls_bitonic_sets}},
    .supports = supports,
    .schedule = schedule,
    .programs = programs,
    .enqueue = enqueue,
    .bytes_per_element = bytes_per_element,
    .self_test_count = self_test_count,
    .describe = describe,
};
