/* work_group.c - bitonic sort in place, by work-groups (cl/bitonic/work_group.cl) */
#include "algo/bitonic/bitonic.h"
#include "algo/common/arguments.h"
#include "algo/common/limits.h"
#include "algo/common/programs.h"
#include "cl/common/layout.h"
#include "device/sub_group.h"

enum {
    GROUP_SIZE = 512,
    MAX_BITS = 4, /* log2 of the elements per work-item of bitonic_b16 */
    /* Maximum bytes of elements in a work-item's registers. On CPUs the default is less, since
     * there bitonic_b16 of pairs takes twice as long as bitonic_b8. */
    GPU_REGISTER_BYTES = 512,
    CPU_REGISTER_BYTES = 64,
    MAX_PAIR_BYTES = 2048,     /* limit of the two elements that every kernel needs */
    MIN_MAX_ITERATIONS = 4096, /* far more than the work-items of any tile execute */
    SELF_TEST_RUN = 256        /* without tiles: takes the place of the tile in self_test_count */
};

/* The tuning of each of cls_bitonic_kernel_sets. */
static const struct cls_bitonic_work_group_tuning KERNEL_SETS[] = {
    {.bits = 1},             /* B2 */
    {.bits = 2},             /* B2+B4 */
    {.bits = 3},             /* B2+B4+B8 */
    {.bits = 4},             /* B */
    {.bits = 4, .items = 2}, /* C2+B */
    {.bits = 4, .items = 4}, /* C4+B */
};

/* The kernels of programs with and without tiles. A program leaves out the kernels that are larger
 * than `bits` steps. In the remaining list, the kernel of n steps is at bits - n, and bitonic_local
 * is at `bits`. */
static const char *const WITH_TILES[] = {"bitonic_b16", "bitonic_b8",    "bitonic_b4",
                                         "bitonic_b2",  "bitonic_local", NULL};
static const char *const WITHOUT_TILES[] = {"bitonic_b16", "bitonic_b8", "bitonic_b4", "bitonic_b2",
                                            NULL};

/* Returns log2 of the elements of a tile; 0: there are no tiles. */
static unsigned tile_bits(const struct cls_tuning *tuning)
{
    return tuning->bitonic_work_group.items > 0
               ? cls_ceil_log2((uint64_t)tuning->group_size * tuning->bitonic_work_group.items)
               : 0;
}

static struct cls_bitonic_schedule schedule_of(const struct cls_tuning *tuning, uint64_t count)
{
    return cls_bitonic_schedule(count, tile_bits(tuning), tuning->bitonic_work_group.bits);
}

/* Lowers group_size until a tile fits in local memory. Returns false if that leaves no more
 * elements than registers hold. */
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
    const unsigned sets = sizeof KERNEL_SETS / sizeof *KERNEL_SETS, asked = parameters->value[0];
    const unsigned set = asked > 0 ? asked - 1 : sets - 1;
    *tuning = (struct cls_tuning){
        .group_size =
            caps->group_size < GROUP_SIZE ? cls_floor_power_of_two(caps->group_size) : GROUP_SIZE,
        .bitonic_work_group = KERNEL_SETS[set],
        .max_count = cls_max_countable(caps, spec),
    };
    if (2 * item_bytes > MAX_PAIR_BYTES) {
        *why = "the keys are too wide for registers";
        return false;
    }
    if (caps->max_iterations < MIN_MAX_ITERATIONS) {
        *why = "this driver allows too few loop iterations per launch";
        return false;
    }
    if (!cls_copies_keys(caps, spec, why))
        return false;
    const uint64_t registers =
        asked == 0 && caps->type & CL_DEVICE_TYPE_CPU ? CPU_REGISTER_BYTES : GPU_REGISTER_BYTES;
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

static size_t programs(const struct cls_caps *caps, const struct cls_tuning *tuning,
                       const struct cls_spec *spec, struct cls_program_spec *programs)
{
    const unsigned bits = tuning->bitonic_work_group.bits, items = tuning->bitonic_work_group.items;
    cls_program_begin(programs, "bitonic/work_group.cl",
                      (items > 0 ? WITH_TILES : WITHOUT_TILES) + (MAX_BITS - bits),
                      tuning->group_size, spec);
    cls_text_add(&programs->options, " -DGROUP_SIZE=%u -DELEMENTS_IN_REGISTERS=%u -DITEMS=%u",
                 tuning->group_size, 1u << bits, items);
    cls_sub_group_options(caps, &programs->options);
    return 1;
}

/* Launches a kernel. `where` is its argument `shift` or `stage`. */
static cl_int run_kernel(const struct cls_sort *sort, bool is_first, unsigned kernel,
                         unsigned where, unsigned first_step, uint64_t groups)
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
    cls_arg_uint(&launch, first_step);
    cls_arg_order(&launch, spec);
    return cls_launch_enqueue(sort->chain, &launch, (size_t)groups, sort->tuning->group_size);
}

static cl_int run_tiles(const struct cls_sort *sort, bool is_first,
                        const struct cls_bitonic_steps *steps)
{
    const uint64_t tile = (uint64_t)1 << tile_bits(sort->tuning);
    return run_kernel(sort, is_first, sort->tuning->bitonic_work_group.bits, steps->left,
                      cls_bitonic_first_step(steps), cls_divide_up(sort->arrays->count, tile));
}

/* Each work-item takes 2^steps->count elements, which are `distance` apart. */
static cl_int run_registers(const struct cls_sort *sort, bool is_first,
                            const struct cls_bitonic_steps *steps)
{
    const uint64_t count = sort->arrays->count;
    const unsigned shift = steps->left - steps->count;
    const uint64_t distance = (uint64_t)1 << shift, block = distance << steps->count;
    const uint64_t work_items = count / block * distance + cls_min(count % block, distance);
    return run_kernel(sort, is_first, sort->tuning->bitonic_work_group.bits - steps->count, shift,
                      cls_bitonic_first_step(steps),
                      cls_divide_up(work_items, sort->tuning->group_size));
}

static cl_int enqueue(const struct cls_sort *sort)
{
    struct cls_bitonic_steps steps = {0};
    bool is_first = true; /* the first launch reads the input */
    cl_int status = CL_SUCCESS;
    while (status == CL_SUCCESS && cls_bitonic_next(&sort->schedule->bitonic, &steps)) {
        status = steps.count > 0 ? run_registers(sort, is_first, &steps)
                                 : run_tiles(sort, is_first, &steps);
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

/* The stages after the first runs suffice to launch the largest register kernel, and therefore also
 * all smaller ones. */
static uint64_t self_test_count(struct cls_tuning *tuning)
{
    const uint64_t run =
        tuning->bitonic_work_group.items > 0 ? (uint64_t)1 << tile_bits(tuning) : SELF_TEST_RUN;
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
    .operations = CLS_SORTS,
    .traits = CLS_CUSTOM | CLS_NO_SCRATCH,
    .is_for_gpus = true,
    .parameters = {{.name = "kernels", .words = cls_bitonic_kernel_sets}},
    .supports = supports,
    .schedule = schedule,
    .programs = programs,
    .enqueue = enqueue,
    .bytes_per_element = bytes_per_element,
    .self_test_count = self_test_count,
    .describe = describe,
};
