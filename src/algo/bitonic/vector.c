/* vector.c - bitonic sort of keys alone, in place, for CPUs (cl/bitonic/vector.cl) */
#include "algo/bitonic/bitonic.h"
#include "algo/common/arguments.h"
#include "algo/common/limits.h"
#include "algo/common/programs.h"

enum {
    TILE_BYTES_BITS = 15, /* log2 of a tile's bytes: measured best of 14 to 16; fits in L1 */
    MAX_STEPS = 6         /* more would make the segments of a tile too short for memory */
};

enum { SORT, MERGE };
static const char *const NAMES[] = {"bitonic_vector_sort", "bitonic_vector_merge", NULL};

static bool supports(const struct cls_caps *caps, const struct cls_spec *spec,
                     const struct cls_parameters *parameters, struct cls_tuning *tuning,
                     const char **why)
{
    if (!(caps->type & CL_DEVICE_TYPE_CPU)) {
        *why = "the variant for vectors sorts tiles in private memory, which suits CPUs only";
        return false;
    }
    if (caps->max_iterations < UINT64_MAX) {
        *why =
            "the variant for vectors runs one work-item per tile, and this driver aborts long "
            "loops";
        return false;
    }
    if (cls_equal_elements_may_differ(spec)) {
        *why = "the variant for vectors supports whole keys without values only";
        return false;
    }
    if (parameters->value[0] > 0) {
        *why = "the kernels of the variant for work-groups were requested";
        return false;
    }
    *tuning = (struct cls_tuning){
        .group_size = 1,
        .bitonic_vector.items = (1u << TILE_BYTES_BITS) / spec->key_bytes,
        .max_count = cls_max_countable(caps, spec),
    };
    return true;
}

static struct cls_bitonic_schedule schedule_of(const struct cls_tuning *tuning, uint64_t count)
{
    return cls_bitonic_schedule(count, cls_ceil_log2(tuning->bitonic_vector.items), MAX_STEPS);
}

static void schedule(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_schedule *schedule)
{
    (void)spec;
    schedule->regions = CLS_OWN_REGIONS;
    for (size_t i = 0; i < CLS_OWN_REGIONS; i++)
        schedule->region_bytes[i] = 0;
    schedule->bitonic = schedule_of(tuning, count);
}

static size_t programs(const struct cls_caps *caps, const struct cls_tuning *tuning,
                       const struct cls_spec *spec, struct cls_program_spec *programs)
{
    (void)caps;
    cls_program_begin(programs, "bitonic/vector.cl", NAMES, 1, spec);
    cls_text_add(&programs->options, " -DTILE_BITS=%u",
                 cls_ceil_log2(tuning->bitonic_vector.items));
    return 1;
}

static cl_int sort_tiles(const struct cls_sort *sort, bool is_last)
{
    const struct cls_arrays *arrays = sort->arrays;
    struct cls_launch launch = cls_launch(sort->kernels[SORT]);
    cls_arg_buffer(&launch, arrays->keys_in);
    cls_arg_buffer(&launch, arrays->keys_out);
    cls_arg_index(&launch, sort->spec, arrays->count);
    cls_arg_key(&launch, sort->spec, sort->spec->flip);
    cls_arg_uint(&launch, is_last);
    return cls_launch_enqueue(
        sort->chain, &launch,
        (size_t)cls_divide_up(arrays->count, (uint64_t)1 << sort->schedule->bitonic.tile_bits), 1);
}

/* Each work-item gathers a tile from 2^steps->count segments, which are `stride` keys apart. */
static cl_int merge(const struct cls_sort *sort, const struct cls_bitonic_steps *steps,
                    bool is_last)
{
    const struct cls_arrays *arrays = sort->arrays;
    const unsigned stride_bits = steps->left - steps->count;
    const uint64_t stride = (uint64_t)1 << stride_bits, block = stride << steps->count;
    const uint64_t width = (uint64_t)1 << (sort->schedule->bitonic.tile_bits - steps->count);
    const uint64_t last_block = arrays->count % block;
    const uint64_t groups = (arrays->count / block) * (stride / width) +
                            cls_divide_up(cls_min(last_block, stride), width);
    struct cls_launch launch = cls_launch(sort->kernels[MERGE]);
    cls_arg_buffer(&launch, arrays->keys_out);
    cls_arg_index(&launch, sort->spec, arrays->count);
    cls_arg_key(&launch, sort->spec, sort->spec->flip);
    cls_arg_uint(&launch, stride_bits);
    cls_arg_uint(&launch, steps->count);
    cls_arg_uint(&launch, cls_bitonic_first_step(steps));
    cls_arg_uint(&launch, is_last);
    return cls_launch_enqueue(sort->chain, &launch, (size_t)groups, 1);
}

static cl_int enqueue(const struct cls_sort *sort)
{
    const struct cls_bitonic_schedule *schedule = &sort->schedule->bitonic;
    struct cls_bitonic_steps steps = {0};
    cl_int status = CL_SUCCESS;
    while (status == CL_SUCCESS && cls_bitonic_next(schedule, &steps)) {
        const bool is_last = steps.stage == schedule->stages && steps.count == 0;
        status = steps.stage <= schedule->tile_bits ? sort_tiles(sort, is_last)
                                                    : merge(sort, &steps, is_last);
    }
    return status;
}

static uint64_t bytes_per_element(const struct cls_tuning *tuning, const struct cls_spec *spec,
                                  uint64_t count)
{
    const struct cls_bitonic_schedule schedule = schedule_of(tuning, count);
    return cls_bitonic_bytes_per_element(&schedule, spec);
}

/* The sort has two stages of merges. Their last segments are incomplete. */
static uint64_t self_test_count(struct cls_tuning *tuning)
{
    return 2 * (uint64_t)tuning->bitonic_vector.items + 1;
}

static void describe(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_text *text)
{
    (void)spec;
    (void)count;
    cls_text_add(text, "vectors of 16 keys, tiles of %u", tuning->bitonic_vector.items);
}

const struct cls_algo cls_algo_bitonic_vector = {
    .name = "bitonic",
    .operations = CLS_OPERATION(CLSORT_SORT),
    .traits = CLS_NO_SCRATCH,
    .parameters = {{.name = "kernels", .words = cls_bitonic_kernel_sets}},
    .supports = supports,
    .schedule = schedule,
    .programs = programs,
    .enqueue = enqueue,
    .bytes_per_element = bytes_per_element,
    .self_test_count = self_test_count,
    .describe = describe,
};
