/* quick.c - quicksort in place, without scratch memory, for CPU cores (cl/quick/quick.cl) */
#include "algo/common/arguments.h"
#include "algo/common/limits.h"
#include "algo/common/programs.h"
#include "cl/common/layout.h"

enum {
    MIN_ITEMS = 8192,       /* in a segment: fewer are sorted in the time of a level's launches */
    MAX_LEVELS = 8,         /* limits the number of launches on devices with many cores */
    MAX_KEY_BYTES = 32768,  /* with the copies of keys, about 1 MiB of a thread's stack */
    CACHE_BYTES = 256 << 10 /* of the cost model */
};

enum { COPY, BEGIN, PARTITION, DIVIDE, SORT };
static const char *const NAMES[] = {"quick_copy",   "quick_begin", "quick_partition",
                                    "quick_divide", "quick_sort",  NULL};

/* Returns log2 of the number of segments: the number of compute units if that is a power of two,
 * otherwise the second power of two above it, so that no unit is idle for long. */
static unsigned levels_for(unsigned units)
{
    const unsigned levels = cls_ceil_log2(units);
    return (unsigned)cls_min(levels + (units < 1u << levels), MAX_LEVELS);
}

static bool supports(const struct cls_caps *caps, const struct cls_spec *spec,
                     const struct cls_parameters *parameters, struct cls_tuning *tuning,
                     const char **why)
{
    (void)parameters;
    if (!cls_allows_long_work_items(caps, why) ||
        !cls_fits_private_memory(spec, MAX_KEY_BYTES, why))
        return false;
    *tuning = (struct cls_tuning){.group_size = 1,
                                  .quick.max_levels = levels_for(caps->units),
                                  .quick.min_items = MIN_ITEMS,
                                  .max_count = cls_max_countable(caps, spec)};
    return true;
}

static unsigned levels_of(const struct cls_tuning *tuning, uint64_t count)
{
    unsigned levels = 0;
    while (levels < tuning->quick.max_levels && count >> (levels + 1) >= tuning->quick.min_items)
        levels++;
    return levels;
}

static void schedule(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_schedule *schedule)
{
    schedule->regions = CLS_OWN_REGIONS;
    schedule->region_bytes[CLS_CONTROL] = spec->value_is_index ? sizeof(cls_control_head) : 0;
    schedule->region_bytes[CLS_KEYS] = schedule->region_bytes[CLS_VALUES] = 0;
    schedule->quick.levels = levels_of(tuning, count);
}

static size_t programs(const struct cls_caps *caps, const struct cls_tuning *tuning,
                       const struct cls_spec *spec, struct cls_program_spec *programs)
{
    (void)caps;
    (void)tuning;
    cls_program_begin(programs, "quick/quick.cl", NAMES, 1, spec);
    return 1;
}

static cl_int copy(const struct cls_sort *sort)
{
    const struct cls_arrays *arrays = sort->arrays;
    struct cls_launch launch = cls_launch(sort->kernels[COPY]);
    if (sort->spec->value_is_index)
        cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_arg_buffer(&launch, arrays->keys_in);
    cls_arg_buffer(&launch, arrays->keys_out);
    cls_arg_input_values(&launch, sort->spec, arrays->values_in);
    cls_arg_values(&launch, sort->spec, arrays->values_out);
    cls_arg_index(&launch, sort->spec, arrays->count);
    cls_arg_uint(&launch, sort->schedule->quick.levels);
    return cls_launch_enqueue(sort->chain, &launch, (size_t)1 << sort->schedule->quick.levels, 1);
}

static struct cls_launch launch_of(const struct cls_sort *sort, unsigned kernel)
{
    const struct cls_arrays *arrays = sort->arrays;
    struct cls_launch launch = cls_launch(sort->kernels[kernel]);
    cls_arg_buffer(&launch, arrays->keys_out);
    cls_arg_values(&launch, sort->spec, arrays->values_out);
    cls_arg_index(&launch, sort->spec, arrays->count);
    return launch;
}

static cl_int begin(const struct cls_sort *sort)
{
    struct cls_launch launch = launch_of(sort, BEGIN);
    cls_arg_order(&launch, sort->spec);
    return cls_launch_enqueue(sort->chain, &launch, 1, 1);
}

static cl_int run_level(const struct cls_sort *sort, unsigned kernel, unsigned level, size_t groups)
{
    struct cls_launch launch = launch_of(sort, kernel);
    cls_arg_uint(&launch, level);
    cls_arg_uint(&launch, sort->schedule->quick.levels);
    cls_arg_order(&launch, sort->spec);
    return cls_launch_enqueue(sort->chain, &launch, groups, 1);
}

static cl_int sort_segments(const struct cls_sort *sort)
{
    struct cls_launch launch = launch_of(sort, SORT);
    cls_arg_uint(&launch, sort->schedule->quick.levels);
    cls_arg_order(&launch, sort->spec);
    return cls_launch_enqueue(sort->chain, &launch, (size_t)1 << sort->schedule->quick.levels, 1);
}

static cl_int enqueue(const struct cls_sort *sort)
{
    const unsigned levels = sort->schedule->quick.levels;
    cl_int status = CL_SUCCESS;
    if (!sort->arrays->in_place || sort->spec->value_is_index)
        status = copy(sort);
    if (status == CL_SUCCESS && levels > 0)
        status = begin(sort);
    for (unsigned level = 0; level < levels && status == CL_SUCCESS; level++) {
        status = run_level(sort, PARTITION, level, (size_t)1 << levels);
        if (status == CL_SUCCESS)
            status = run_level(sort, DIVIDE, level, (size_t)1 << level);
    }
    return status == CL_SUCCESS ? sort_segments(sort) : status;
}

static uint64_t bytes_per_element(const struct cls_tuning *tuning, const struct cls_spec *spec,
                                  uint64_t count)
{
    (void)tuning;
    const uint64_t copy = cls_copy_bytes(spec);
    const uint64_t caches = cls_divide_up(count, CACHE_BYTES / cls_min(copy / 2, CACHE_BYTES));
    return copy + cls_ceil_log2(caches) * (copy * 3 / 4);
}

/* Each kernel has several work-groups, and segments that are partitioned several times. */
static uint64_t self_test_count(struct cls_tuning *tuning)
{
    enum { LEVELS = 2, ITEMS = 1024 };
    tuning->quick.max_levels = LEVELS;
    tuning->quick.min_items = ITEMS;
    return (ITEMS << LEVELS) + 1;
}

static void describe(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_text *text)
{
    const unsigned levels = levels_of(tuning, count);
    (void)spec;
    cls_text_add(text, "%u segment%s", 1u << levels, levels > 0 ? "s" : "");
}

const struct cls_algo cls_algo_quick = {
    .name = "quick",
    .operations = CLS_SORTS,
    .traits = CLS_CUSTOM | CLS_NO_SCRATCH,
    .supports = supports,
    .schedule = schedule,
    .programs = programs,
    .enqueue = enqueue,
    .bytes_per_element = bytes_per_element,
    .self_test_count = self_test_count,
    .describe = describe,
};
