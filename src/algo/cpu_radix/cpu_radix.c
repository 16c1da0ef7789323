/* cpu_radix.c - radix sort for CPUs: one partition, then each bucket in a cache (cpu_radix.cl) */
#include "algo/common/arguments.h"
#include "algo/common/limits.h"
#include "algo/common/programs.h"
#include "cl/cpu_radix/sizes.h"

enum {
    /* The write-combining lines take a quarter of a core's cache, and a work-item's slice of scratch
     * takes half of it. */
    LINES_DIVISOR = 4,
    SLICE_DIVISOR = 2,
    ALL_SLICES_BYTES = 16 << 20,
    MIN_SLICE = 16 << 10,
    MAX_UNITS = ALL_SLICES_BYTES / MIN_SLICE, /* further compute units stay idle */
    TARGET_BUCKET_BYTES = 32 << 10,           /* fits in L1 of most CPUs */
    MIN_BUCKETS_PER_UNIT = 8,                 /* for load balance */
    MAX_CHUNKS = 256,
    CHUNKS_PER_UNIT = 4, /* for load balance */
    /* A child of the bin tree is split only if it has more than half of a core's share of the sample, but
     * between 1/MAX_LEAVES and 1/MIN_LEAVES of all of it. */
    MIN_LEAVES = 16,
    MAX_LEAVES = 32,
    LEAVES_PER_UNIT = 2,
    MAX_SAMPLE = 1 << 15
};

enum { SAMPLE_BINS, HISTOGRAM, PLAN_BUCKETS, SCATTER, SORT_BUCKETS, SINGLE };
static const char *const NAMES[] = {"cpu_radix_sample_bins",
                                    "cpu_radix_histogram",
                                    "cpu_radix_plan_buckets",
                                    "cpu_radix_scatter",
                                    "cpu_radix_sort_buckets",
                                    "cpu_radix_single",
                                    NULL};

/* TABLE has the counts of each bin in each chunk. */
enum { TABLE = CLS_OWN_REGIONS, SUMMARIES, NODES, LAST_KEYS, BINS, BUCKETS, SLICES, REGIONS };
_Static_assert((int)REGIONS <= (int)CLS_MAX_REGIONS, "too many regions");

static uint64_t element_bytes(const struct cls_spec *spec)
{
    return spec->key_bytes + spec->value_bytes;
}

static bool supports(const struct cls_caps *caps, const struct cls_spec *spec,
                     const struct cls_parameters *parameters, struct cls_tuning *tuning,
                     const char **why)
{
    (void)parameters;
    if (!cls_allows_long_work_items(caps, why))
        return false;
    const uint64_t cache = cls_core_cache(caps);
    const uint64_t line_keys = 64 / spec->key_bytes;
    const uint64_t lines = cache / LINES_DIVISOR / (line_keys * element_bytes(spec));
    unsigned bits = 0;
    while (bits < CLS_CPU_RADIX_MAX_DIGIT_BITS && (uint64_t)2 << bits <= lines)
        bits++;
    *tuning = (struct cls_tuning){
        .group_size = 1,
        .cpu_radix.bits = bits < 8 * spec->key_bytes ? bits : 8 * spec->key_bytes,
        .cpu_radix.units = caps->units < MAX_UNITS ? caps->units : MAX_UNITS,
        .cpu_radix.cache_bytes = cache,
        .max_count = cls_max_countable(caps, spec),
    };
    return true;
}

static bool is_single(uint64_t count)
{
    return count <= CLS_CPU_RADIX_SINGLE_MAX;
}

static uint64_t slice_bytes(const struct cls_tuning *tuning)
{
    const uint64_t share =
        ALL_SLICES_BYTES / tuning->cpu_radix.units / CLS_REGION_ALIGNMENT * CLS_REGION_ALIGNMENT;
    const uint64_t max =
        tuning->cpu_radix.cache_bytes / SLICE_DIVISOR / CLS_REGION_ALIGNMENT * CLS_REGION_ALIGNMENT;
    return cls_min(share, max);
}

static cls_cpu_radix_limits limits_of(const struct cls_tuning *tuning, const struct cls_spec *spec)
{
    const unsigned width = spec->end_bit - spec->begin_bit;
    const uint64_t leaves = (uint64_t)tuning->cpu_radix.units * LEAVES_PER_UNIT;
    /* The sampled elements, a copy of them, and their compared keys of at most 8 bytes fit in a slice
     * (SAMPLE_BYTES in bin_tree.cl). */
    const uint64_t samples = slice_bytes(tuning) / (2 * element_bytes(spec) + 8);
    return (cls_cpu_radix_limits){
        .bucket_bytes = cls_min(slice_bytes(tuning) / 4, TARGET_BUCKET_BYTES),
        .element_bytes = (cls_u32)element_bytes(spec),
        .max_bits = tuning->cpu_radix.bits < width ? tuning->cpu_radix.bits : width,
        .min_bins = tuning->cpu_radix.units * MIN_BUCKETS_PER_UNIT,
        .max_samples = (cls_u32)cls_min(samples, MAX_SAMPLE) / CLS_CPU_RADIX_SAMPLE_ALIGNMENT *
                       CLS_CPU_RADIX_SAMPLE_ALIGNMENT,
        .leaves = (cls_u32)cls_min(cls_max(leaves, MIN_LEAVES), MAX_LEAVES),
    };
}

static unsigned chunk_count(const struct cls_tuning *tuning, uint64_t count)
{
    const uint64_t max = cls_min((uint64_t)tuning->cpu_radix.units * CHUNKS_PER_UNIT, MAX_CHUNKS);
    return (unsigned)cls_min(max, cls_divide_up(count, 4 * CLS_CPU_RADIX_CHUNK_ALIGNMENT));
}

static void schedule(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_schedule *schedule)
{
    uint64_t *bytes = schedule->region_bytes;
    const uint64_t chunks = chunk_count(tuning, count),
                   bins = (uint64_t)1 << tuning->cpu_radix.bits;
    schedule->regions = REGIONS;
    schedule->cpu_radix = (struct cls_cpu_radix_schedule){
        .is_single = is_single(count),
        .chunks = (unsigned)chunks,
        .slice_bytes = slice_bytes(tuning),
    };
    bytes[CLS_CONTROL] = sizeof(cls_cpu_radix_control);
    bytes[CLS_KEYS] = count * spec->key_bytes;
    bytes[CLS_VALUES] = count * spec->value_bytes;
    for (size_t i = CLS_OWN_REGIONS; i < REGIONS; i++)
        bytes[i] = 0;
    if (schedule->cpu_radix.is_single)
        return;
    bytes[TABLE] = chunks * bins * (spec->index_bits / 8);
    bytes[SUMMARIES] = chunks * sizeof(cls_cpu_radix_summary);
    /* bin_nodes_t in bins.cl */
    bytes[NODES] =
        CLS_CPU_RADIX_MAX_INNER * sizeof(cls_cpu_radix_node) +
        (uint64_t)CLS_CPU_RADIX_MAX_CHILDREN(tuning->cpu_radix.bits + CLS_CPU_RADIX_FINER_BITS) *
            sizeof(cls_u16);
    bytes[LAST_KEYS] = (bins + 1) * cls_max(spec->key_bytes, sizeof(cls_u32));
    bytes[BINS] = bins * sizeof(cls_cpu_radix_bin);
    bytes[BUCKETS] = (bins + chunks) * sizeof(cls_cpu_radix_bucket);
    bytes[SLICES] = tuning->cpu_radix.units * schedule->cpu_radix.slice_bytes;
}

static size_t programs(const struct cls_caps *caps, const struct cls_tuning *tuning,
                       const struct cls_spec *spec, struct cls_program_spec *programs)
{
    (void)caps;
    cls_program_begin(programs, "cpu_radix/cpu_radix.cl", NAMES, 1, spec);
    cls_text_add(&programs->options, " -DPARTITION_BITS=%u", tuning->cpu_radix.bits);
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
    const struct cls_cpu_radix_schedule *s = &sort->schedule->cpu_radix;
    const cls_cpu_radix_limits limits = limits_of(sort->tuning, sort->spec);
    cls_cpu_radix_args args = {
        .count = sort->arrays->count,
        .flip = sort->spec->flip,
        .window = cls_compared_mask(sort->spec),
        .slice_bytes = s->slice_bytes,
        .chunks = s->chunks,
    };
    cls_cpu_radix_size(limits, &args);
    cls_arg_count(launch, sort);
    if (sort->spec->count_bytes > 0)
        cls_arg_struct(launch, &limits, sizeof limits);
    cls_arg_struct(launch, &args, sizeof args);
    return cls_launch_enqueue(sort->chain, launch, groups, 1);
}

static cl_int sort_single(const struct cls_sort *sort)
{
    struct cls_launch launch = begin_launch(sort, SINGLE);
    cls_arg_key_arrays(&launch, sort);
    cls_arg_value_arrays(&launch, sort);
    return enqueue_launch(sort, &launch, 1);
}

static cl_int sample_bins(const struct cls_sort *sort)
{
    struct cls_launch launch = begin_launch(sort, SAMPLE_BINS);
    cls_arg_buffer(&launch, sort->scratch[NODES]);
    cls_arg_buffer(&launch, sort->scratch[LAST_KEYS]);
    cls_arg_buffer(&launch, sort->scratch[BINS]);
    cls_arg_buffer(&launch, sort->arrays->keys_in);
    cls_arg_buffer(&launch, sort->scratch[SLICES]);
    return enqueue_launch(sort, &launch, 1);
}

static cl_int histogram(const struct cls_sort *sort)
{
    struct cls_launch launch = begin_launch(sort, HISTOGRAM);
    cls_arg_buffer(&launch, sort->scratch[NODES]);
    cls_arg_buffer(&launch, sort->scratch[LAST_KEYS]);
    cls_arg_buffer(&launch, sort->arrays->keys_in);
    cls_arg_buffer(&launch, sort->arrays->keys_out);
    cls_arg_buffer(&launch, sort->scratch[TABLE]);
    cls_arg_buffer(&launch, sort->scratch[SUMMARIES]);
    return enqueue_launch(sort, &launch, sort->schedule->cpu_radix.chunks);
}

static cl_int plan_buckets(const struct cls_sort *sort)
{
    struct cls_launch launch = begin_launch(sort, PLAN_BUCKETS);
    cls_arg_buffer(&launch, sort->scratch[BINS]);
    cls_arg_buffer(&launch, sort->scratch[BUCKETS]);
    cls_arg_buffer(&launch, sort->scratch[TABLE]);
    cls_arg_buffer(&launch, sort->scratch[SUMMARIES]);
    return enqueue_launch(sort, &launch, 1);
}

static cl_int scatter(const struct cls_sort *sort)
{
    struct cls_launch launch = begin_launch(sort, SCATTER);
    cls_arg_buffer(&launch, sort->scratch[NODES]);
    cls_arg_buffer(&launch, sort->scratch[LAST_KEYS]);
    cls_arg_buffer(&launch, sort->arrays->keys_in);
    cls_arg_buffer(&launch, sort->arrays->keys_out);
    cls_arg_buffer(&launch, sort->scratch[CLS_KEYS]);
    cls_arg_input_values(&launch, sort->spec, sort->arrays->values_in);
    cls_arg_values(&launch, sort->spec, sort->scratch[CLS_VALUES]);
    cls_arg_buffer(&launch, sort->scratch[TABLE]);
    return enqueue_launch(sort, &launch, sort->schedule->cpu_radix.chunks);
}

static cl_int sort_buckets(const struct cls_sort *sort)
{
    struct cls_launch launch = begin_launch(sort, SORT_BUCKETS);
    cls_arg_buffer(&launch, sort->scratch[BUCKETS]);
    cls_arg_key_arrays(&launch, sort);
    cls_arg_value_arrays(&launch, sort);
    cls_arg_buffer(&launch, sort->scratch[SLICES]);
    return enqueue_launch(sort, &launch, sort->tuning->cpu_radix.units);
}

static cl_int enqueue(const struct cls_sort *sort)
{
    static cl_int (*const steps[])(const struct cls_sort *) = {sample_bins, histogram, plan_buckets,
                                                               scatter, sort_buckets};
    const bool is_single = sort->schedule->cpu_radix.is_single;
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
    /* The histogram reads larger inputs; the scatter and the sort of buckets copy them. */
    return is_single(count) ? cls_copy_bytes(spec) : spec->key_bytes + 2 * cls_copy_bytes(spec);
}

static uint64_t self_test_count(struct cls_tuning *tuning)
{
    (void)tuning;
    return CLS_CPU_RADIX_SINGLE_MAX + 1;
}

static void describe(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_text *text)
{
    if (is_single(count))
        cls_text_add(text, "by one core");
    else
        cls_text_add(text, "%u buckets",
                     1u << cls_cpu_radix_bin_bits(limits_of(tuning, spec), count));
}

const struct cls_algo cls_algo_cpu_radix = {
    .name = "cpu",
    .operations = CLS_SORTS,
    .traits = CLS_STABLE | CLS_COUNTS,
    .supports = supports,
    .schedule = schedule,
    .programs = programs,
    .enqueue = enqueue,
    .bytes_per_element = bytes_per_element,
    .self_test_count = self_test_count,
    .describe = describe,
};
