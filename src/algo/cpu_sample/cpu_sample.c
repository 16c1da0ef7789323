/* cpu_sample.c - sample sort of keys without values for CPUs with AVX-512 (cpu_sample.cl) */
#include "algo/common/arguments.h"
#include "algo/common/limits.h"
#include "algo/common/programs.h"
#include "cl/common/quicksort_layout.h"
#include "cl/cpu_sample/layout.h"

enum {
    SLICE_DIVISOR = 2, /* a work-item's slice of scratch takes half of a core's cache */
    ALL_SLICES_BYTES = 20 << 20,
    MIN_SLICE = 128 << 10,
    CHUNKS_PER_UNIT = 4, /* for load balance */
    BINS_PER_UNIT = 8,
    MIN_CHUNK = 4096, /* keys */
    MIN_BUCKET = 2048,
    /* The part of a slice that a bin of mean size fills. Bins differ in size, since their splitters
     * come from a sample. */
    FILL_PERCENT = 60,
    MAX_PIECES = 1 << 21,
    MAX_CHUNKS = 1 << 14, /* MAX_PIECES then allows enough bins for all units */
    SAMPLES_PER_BIN = 64,
    MIN_SAMPLE = 512,
    SINGLE_MAX = 1 << 16 /* the largest count for which one launch is faster than four, measured */
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
    return count <= SINGLE_MAX;
}

/* Returns the number of keys in the sample. The sample and the workspace of its sort fit in a
 * slice. */
static uint64_t sample_size(const struct cls_tuning *tuning, const struct cls_spec *spec,
                            unsigned bins)
{
    const uint64_t fits = (slice_bytes(tuning) / spec->key_bytes - 64) / 3;
    return cls_min(cls_max((uint64_t)bins * SAMPLES_PER_BIN, MIN_SAMPLE), fits);
}

/* Divides the keys into chunks that fit in a slice, and into bins that fill FILL_PERCENT of a slice
 * on average, unless there would be too many pieces. */
static struct cls_cpu_sample_schedule divide(const struct cls_tuning *tuning,
                                             const struct cls_spec *spec, uint64_t count)
{
    const uint64_t slice = slice_keys(tuning, spec), units = tuning->cpu_sample.units;
    const uint64_t chunks =
        cls_max(cls_min(units * CHUNKS_PER_UNIT, cls_divide_up(count, MIN_CHUNK)),
                cls_divide_up(count, slice));
    const uint64_t bins = cls_max(cls_min(units * BINS_PER_UNIT, cls_divide_up(count, MIN_BUCKET)),
                                  cls_divide_up(count, slice * FILL_PERCENT / 100));
    const uint64_t chunk = cls_round_up(cls_divide_up(count, chunks), 64);
    const unsigned used_bins = (unsigned)cls_min(bins, MAX_PIECES / chunks);
    return (struct cls_cpu_sample_schedule){
        .is_single = is_single(count),
        .chunk = chunk,
        .chunks = (unsigned)cls_divide_up(count, chunk),
        .bins = used_bins,
        .samples = (unsigned)sample_size(tuning, spec, used_bins),
        .slice_bytes = slice_bytes(tuning),
        .max_chunks = chunks,
        .max_bins = bins,
        .max_pieces = cls_min(chunks * bins, MAX_PIECES),
    };
}

static void schedule(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_schedule *schedule)
{
    const struct cls_cpu_sample_schedule s = divide(tuning, spec, count);
    uint64_t *bytes = schedule->region_bytes;
    schedule->cpu_sample = s;
    schedule->regions = REGIONS;
    for (size_t i = 0; i < REGIONS; i++)
        bytes[i] = 0;
    bytes[CLS_CONTROL] = sizeof(cls_cpu_sample_control);
    /* The workspace of cpu_sample_single is the minimum for larger counts, too, since sizes must be
     * monotonic in the count. */
    bytes[CLS_KEYS] =
        cls_max(CLS_QUICKSORT_WORKSPACE(cls_min(count, SINGLE_MAX)), count) * spec->key_bytes;
    if (s.is_single)
        return;
    bytes[SPLITTERS] = s.max_bins * spec->key_bytes;
    bytes[BUCKETS] = (s.max_bins + s.max_chunks) * sizeof(cls_cpu_sample_bucket);
    bytes[TABLE] = (s.max_pieces + CLS_CPU_SAMPLE_ROW(0) * s.max_chunks) * sizeof(cl_uint);
    bytes[SLICES] = tuning->cpu_sample.units * s.slice_bytes;
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

/* Adds the last argument, which is the same for all kernels, and enqueues the kernel. */
static cl_int enqueue_launch(const struct cls_sort *sort, struct cls_launch *launch, size_t groups)
{
    const struct cls_cpu_sample_schedule *s = &sort->schedule->cpu_sample;
    const cls_cpu_sample_args args = {
        .count = sort->arrays->count,
        .chunk = s->chunk,
        .flip = sort->spec->flip,
        .slice_bytes = s->slice_bytes,
        .chunks = s->chunks,
        .samples = s->samples,
        .bins = s->bins,
        .units = sort->tuning->cpu_sample.units,
        .in_place = sort->arrays->in_place,
    };
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
    if (sort->schedule->cpu_sample.is_single)
        return sort_single(sort);
    cl_int status = CL_SUCCESS;
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
    return SINGLE_MAX + 1;
}

static void describe(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_text *text)
{
    if (is_single(count))
        cls_text_add(text, "quicksort by one core");
    else
        cls_text_add(text, "quicksort, %u buckets", divide(tuning, spec, count).bins);
}

const struct cls_algo cls_algo_cpu_sample = {
    .name = "cpu",
    .operations = CLS_OPERATION(CLSORT_SORT),
    .traits = CLS_STABLE,
    .supports = supports,
    .schedule = schedule,
    .programs = programs,
    .enqueue = enqueue,
    .bytes_per_element = bytes_per_element,
    .self_test_count = self_test_count,
    .describe = describe,
};
