/* local.c - sorts the whole input in one work-group (local.cl) */
#include "algo/common/arguments.h"
#include "algo/common/limits.h"
#include "algo/common/programs.h"
#include "algo/common/split_tile.h"
#include "cl/common/layout.h"

enum { GROUP_SIZE = 256, ITEMS = 16 };

static const char *const NAMES[] = {"local_sort", NULL};

static bool supports(const struct cls_caps *caps, const struct cls_spec *spec,
                     const struct cls_parameters *parameters, struct cls_tuning *tuning,
                     const char **why)
{
    (void)parameters;
    const unsigned kernel_bytes = 64; /* single variables, and alignment */
    *tuning = (struct cls_tuning){.group_size = GROUP_SIZE, .local.items = ITEMS};
    if (!cls_fit_split_tile(caps, spec, 0, sizeof(cls_key_summary), kernel_bytes,
                            &tuning->group_size, &tuning->local.items)) {
        *why = "the device has too little local memory";
        return false;
    }
    tuning->max_count = (uint64_t)tuning->group_size * tuning->local.items;
    return true;
}

static void schedule(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_schedule *schedule)
{
    (void)tuning;
    (void)spec;
    (void)count;
    schedule->regions = CLS_OWN_REGIONS;
    schedule->region_bytes[CLS_CONTROL] = sizeof(cls_control_head);
    schedule->region_bytes[CLS_KEYS] = schedule->region_bytes[CLS_VALUES] = 0;
}

static size_t programs(const struct cls_caps *caps, const struct cls_tuning *tuning,
                       const struct cls_spec *spec, struct cls_program_spec *programs)
{
    (void)caps;
    cls_program_begin(programs, "local/local.cl", NAMES, tuning->group_size, spec);
    cls_text_add(&programs->options, " -DGROUP_SIZE=%u -DITEMS=%u", tuning->group_size,
                 tuning->local.items);
    return 1;
}

static cl_int enqueue(const struct cls_sort *sort)
{
    struct cls_launch launch = cls_launch(sort->kernels[0]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_arg_buffer(&launch, sort->arrays->keys_in);
    cls_arg_buffer(&launch, sort->arrays->keys_out);
    cls_arg_input_values(&launch, sort->spec, sort->arrays->values_in);
    cls_arg_values(&launch, sort->spec, sort->arrays->values_out);
    cls_arg_uint(&launch, (uint32_t)sort->arrays->count);
    cls_arg_key(&launch, sort->spec, sort->spec->flip);
    cls_arg_key(&launch, sort->spec, cls_compared_mask(sort->spec));
    cls_arg_key(&launch, sort->spec, sort->spec->pad);
    cls_arg_uint(&launch, sort->spec->begin_bit);
    cls_arg_uint(&launch, sort->spec->end_bit);
    return cls_launch_enqueue(sort->chain, &launch, 1, sort->tuning->group_size);
}

static uint64_t bytes_per_element(const struct cls_tuning *tuning, const struct cls_spec *spec,
                                  uint64_t count)
{
    (void)tuning;
    (void)count;
    return cls_copy_bytes(spec);
}

static uint64_t self_test_count(struct cls_tuning *tuning)
{
    return tuning->max_count;
}

static void describe(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_text *text)
{
    (void)count;
    cls_text_add(text, "%ux2 bits in a group of %u x %u", (spec->end_bit - spec->begin_bit + 1) / 2,
                 tuning->group_size, tuning->local.items);
}

const struct cls_algo cls_algo_local = {
    .name = "local",
    .operations = CLS_SORTS,
    .traits = CLS_STABLE,
    .primitives = CLS_WORK_GROUP_PRIMITIVES,
    .supports = supports,
    .schedule = schedule,
    .programs = programs,
    .enqueue = enqueue,
    .bytes_per_element = bytes_per_element,
    .self_test_count = self_test_count,
    .describe = describe,
};
