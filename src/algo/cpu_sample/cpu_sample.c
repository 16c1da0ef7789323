/* cpu_sample.c - sample sort of keys without values for CPUs with AVX-512 (cpu_sample.cl) */
#include "algo/common/arguments.h"
#include "algo/common/limits.h"
#include "algo/common/programs.h"
#include "cl/common/quicksort_layout.h"
#include "cl/cpu_sample/sizes.h"

enum {
    SLICE_DIVISOR = 2, /* a work-item's slice of scratch takes half of a core's cache */
    ALL_SLICES_BYTES = 20 << 20,
    MIN_SLICE = 128 << 10,
    MAX_CHUNKS = 1 << 14 /* CLS_CPU_SAMPLE_MAX_PIECES then allows enough bins for all units */
};

enum { CHOOSE_SPLITTERS, PARTITION_CHUNKS, PLAN_BUCKETS, SORT_BUCKETS, SINGLE };
static const char *const NAMES[] = {"cpu_sample_splitters",    "cpu_sample_partition_chunks",
                                    "cpu_sample_plan_buckets", "cpu_sample_sort_buckets",
                                    "cpu_sample_single",       NULL};

/* TABLE has the start of each bin's piece in each chunk. */
enum { SPLITTERS = CLS_OWN_REGIONS, BUCKETS, TABLE, SLICES, REGIONS };
_Static_assert((int)REGIONS <= (int)CLS_MAX_REGIONS, "too many regions");
_Static_assert(CLS_CPU_SAMPLE_MAX_UNITS *MIN_SLICE <= ALL_SLICES_BYTES, "slices are too small");

static uint64_t slice_bytes(const struct cls_tuning *tuning)
{
    const uint64_t bytes = cls_min(ALL_SLICES_BYTES / tuning->cpu_sample.units,
                                   tuning->cpu_sample.cache_bytes / SLICE_DIVISOR);
    return bytes / CLS_REGION_ALIGNMENT * CLS_REGION_ALIGNMENT;
}

/* Returns the number of keys that a slice can hold behind the workspace. */
static uint64_t slice_keys(const struct cls_tuning *tuning, const struct cls_spec *spec)
{
    return (slice_bytes(tuning) - CLS_CPU_SAMPLE_WORKSPACE_BYTES) / spec->key_bytes / 64 * 64;
}

static bool supports(const struct cls_caps *caps, const struct cls_spec *spec,
                     const struct cls_parameters *parameters, struct cls_tuning *tuning,
                     const char **why)
{
    (void)parameters;
    if (!cls_allows_long_work_items(caps, why))
        return false;
    if (!caps->compresses) {
        *why =
            "sample sort needs AVX-512, and a compiler with builtins for its compress instructions";
        return false;
    }
    if (spec->key_bytes < 4 || cls_equal_elements_may_differ(spec)) {
        *why = "sample sort supports whole keys of 4 or 8 bytes without values only";
        return false;
    }
    *tuning = (struct cls_tuning){
        .group_size = 1,
        .cpu_sample.units = (unsigned)cls_min(caps->units, CLS_CPU_SAMPLE_MAX_UNITS),
        .cpu_sample.cache_bytes = cls_core_cache(caps),
    };
    tuning->max_count =
        cls_min(MAX_CHUNKS * slice_keys(tuning, spec), cls_max_countable(caps, spec));
    return true;
}

static bool is_single(uint64_t count)
{
    return count <= CLS_CPU_SAMPLE_SINGLE_MAX;
}

static cls_cpu_sample_limits limits_of(const struct cls_tuning *tuning, const struct cls_spec *spec)
{
    return (cls_cpu_sample_limits){
        .slice_keys = slice_keys(tuning, spec),
        .units = tuning->cpu_sample.units,
        .max_samples = (cls_u32)((slice_bytes(tuning) / spec->key_bytes - 64) / 3),
    };
}

static void schedule(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_schedule *schedule)
{
    cls_cpu_sample_args sized = {.count = count};
    cls_cpu_sample_bounds max;
    uint64_t *bytes = schedule->region_bytes;
    cls_cpu_sample_size(limits_of(tuning, spec), &sized, &max);
    schedule->cpu_sample.is_single = is_single(count);
    schedule->regions = REGIONS;
    for (size_t i = 0; i < REGIONS; i++)
        bytes[i] = 0;
    bytes[CLS_CONTROL] = sizeof(cls_cpu_sample_control);
    /* The workspace of cpu_sample_single is the minimum for larger counts, too, since sizes must be
     * monotonic in the count. */
    bytes[CLS_KEYS] =
        cls_max(CLS_QUICKSORT_WORKSPACE(cls_min(count, CLS_CPU_SAMPLE_SINGLE_MAX)), count) *
        spec->key_bytes;
    if (is_single(count))
        return;
    const uint64_t max_pieces = cls_min(max.chunks * max.bins, CLS_CPU_SAMPLE_MAX_PIECES);
    bytes[SPLITTERS] = max.bins * spec->key_bytes;
    bytes[BUCKETS] = (max.bins + max.chunks) * sizeof(cls_cpu_sample_bucket);
    bytes[TABLE] = (max_pieces + CLS_CPU_SAMPLE_ROW(0) * max.chunks) * sizeof(cl_uint);
    bytes[SLICES] = tuning->cpu_sample.units * slice_bytes(tuning);
}

static size_t programs(const struct cls_caps *caps, const struct cls_tuning *tuning,
                       const struct cls_spec *spec, struct cls_program_spec *programs)
{
    (void)caps;
    (void)tuning;
    cls_program_begin(programs, "cpu_sample/cpu_sample.cl", NAMES, 1, spec);
    return 1;
}

static struct cls_launch begin_launch(const struct cls_sort *sort, unsigned kernel)
{
    struct cls_launch launch = cls_launch(sort->kernels[kernel]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    return launch;
}

/* Adds the last arguments, which are the same for all kernels (args.cl), and enqueues the kernel. */
static cl_int enqueue_launch(const struct cls_sort *sort, struct cls_launch *launch, size_t groups)
{
    const cls_cpu_sample_limits limits = limits_of(sort->tuning, sort->spec);
    cls_cpu_sample_args args = {
        .count = sort->arrays->count,
        .flip = sort->spec->flip,
        .slice_bytes = slice_bytes(sort->tuning),
        .units = sort->tuning->cpu_sample.units,
        .in_place = sort->arrays->in_place,
    };
    cls_cpu_sample_bounds max;
    cls_cpu_sample_size(limits, &args, &max);
    cls_arg_count(launch, sort);
    if (sort->spec->count_bytes > 0)
        cls_arg_struct(launch, &limits, sizeof limits);
    cls_arg_struct(launch, &args, sizeof args);
    return cls_launch_enqueue(sort->chain, launch, groups, 1);
}

static cl_int sort_single(const struct cls_sort *sort)
{
    struct cls_launch launch = begin_launch(sort, SINGLE);
    cls_arg_buffer(&launch, sort->arrays->keys_in);
    cls_arg_buffer(&launch, sort->scratch[CLS_KEYS]);
    cls_arg_buffer(&launch, sort->arrays->keys_out);
    return enqueue_launch(sort, &launch, 1);
}

static cl_int choose_splitters(const struct cls_sort *sort)
{
    struct cls_launch launch = begin_launch(sort, CHOOSE_SPLITTERS);
    cls_arg_buffer(&launch, sort->arrays->keys_in);
    cls_arg_buffer(&launch, sort->scratch[SPLITTERS]);
    cls_arg_buffer(&launch, sort->scratch[SLICES]);
    return enqueue_launch(sort, &launch, sort->tuning->cpu_sample.units);
}

static cl_int partition_chunks(const struct cls_sort *sort)
{
    struct cls_launch launch = begin_launch(sort, PARTITION_CHUNKS);
    cls_arg_buffer(&launch, sort->arrays->keys_in);
    cls_arg_buffer(&launch, sort->scratch[CLS_KEYS]);
    cls_arg_buffer(&launch, sort->scratch[SPLITTERS]);
    cls_arg_buffer(&launch, sort->scratch[TABLE]);
    cls_arg_buffer(&launch, sort->scratch[SLICES]);
    return enqueue_launch(sort, &launch, sort->tuning->cpu_sample.units);
}

static cl_int plan_buckets(const struct cls_sort *sort)
{
    struct cls_launch launch = begin_launch(sort, PLAN_BUCKETS);
    cls_arg_buffer(&launch, sort->scratch[CLS_KEYS]);
    cls_arg_buffer(&launch, sort->scratch[SPLITTERS]);
    cls_arg_buffer(&launch, sort->scratch[BUCKETS]);
    cls_arg_buffer(&launch, sort->scratch[TABLE]);
    cls_arg_buffer(&launch, sort->scratch[SLICES]);
    return enqueue_launch(sort, &launch, 1);
}

static cl_int sort_buckets(const struct cls_sort *sort)
{
    struct cls_launch launch = begin_launch(sort, SORT_BUCKETS);
    cls_arg_buffer(&launch, sort->arrays->keys_in);
    cls_arg_buffer(&launch, sort->scratch[CLS_KEYS]);
    cls_arg_buffer(&launch, sort->arrays->keys_out);
    cls_arg_buffer(&launch, sort->scratch[SPLITTERS]);
    cls_arg_buffer(&launch, sort->scratch[BUCKETS]);
    cls_arg_buffer(&launch, sort->scratch[TABLE]);
    cls_arg_buffer(&launch, sort->scratch[SLICES]);
    return enqueue_launch(sort, &launch, sort->tuning->cpu_sample.units);
}

static cl_int enqueue(const struct cls_sort *sort)
{
    static cl_int (*const steps[])(const struct cls_sort *) = {choose_splitters, partition_chunks,
                                                               plan_buckets, sort_buckets};
    const bool is_single = sort->schedule->cpu_sample.is_single;
    cl_int status = is_single || sort->spec->count_bytes > 0 ? sort_single(sort) : CL_SUCCESS;
    if (is_single)
        return status;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && status == CL_SUCCESS; i++)
        status = steps[i](sort);
    return status;
}

static uint64_t bytes_per_element(const struct cls_tuning *tuning, const struct cls_spec *spec,
                                  uint64_t count)
{
    (void)tuning;
    return (is_single(count) ? 1 : 2) * cls_copy_bytes(spec);
}

static uint64_t self_test_count(struct cls_tuning *tuning)
{
    (void)tuning;
    return CLS_CPU_SAMPLE_SINGLE_MAX + 1;
}

static void describe(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_text *text)
{
    cls_cpu_sample_args sized = {.count = count};
    cls_cpu_sample_bounds max;
    if (is_single(count)) {
        cls_text_add(text, "quicksort by one core");
        return;
    }
    cls_cpu_sample_size(limits_of(tuning, spec), &sized, &max);
    cls_text_add(text, "quicksort, %u buckets", sized.bins);
}

const struct cls_algo cls_algo_cpu_sample = {
    .name = "cpu",
    .operations = CLS_OPERATION(CLSORT_SORT),
    .traits = CLS_STABLE | CLS_COUNTS,
    .supports = supports,
    .schedule = schedule,
    .programs = programs,
    .enqueue = enqueue,
    .bytes_per_element = bytes_per_element,
    .self_test_count = self_test_count,
    .describe = describe,
};
