/* cpu_sample.c - sort of keys alone for CPUs whose vectors compress: splitters from a sample, all by quicksort
 * (cpu_vector.cl) */
#include "algo/common/arguments.h"
#include "algo/common/limits.h"
#include "algo/common/programs.h"

enum {
    SLICE_SHARE = 2,       /* of a core's cache, for a chunk or a bucket, and ... */
    ROOM_BYTES = 50 << 10, /* ... for the room to sort in, LARGE_ROOM in quick.cl */
    ALL_SLICES_BYTES = 20 << 20,
    MIN_SLICE = 128 << 10,
    MAX_UNITS = ALL_SLICES_BYTES / MIN_SLICE, /* further ones are left idle */
    CHUNKS_PER_UNIT = 4,                      /* so that a core that falls behind is helped */
    BINS_PER_UNIT = 8,
    MIN_CHUNK = 4096, /* keys */
    MIN_BUCKET = 2048,
    FILL_PERCENT = 60, /* of a slice, by an even bin: samples are not exact */
    MAX_PIECES = 1 << 21,
    MAX_CHUNKS = 1 << 14, /* so that there are bins enough for the cores */
    SAMPLES_PER_BIN = 64,
    MIN_SAMPLE = 512,
    SINGLE_MAX = 1 << 16 /* up to here one launch beats four (measured on PoCL, 2 cores) */
};

enum { BINS, PIECES, DECIDE, BUCKETS, WHOLE };
static const char *const NAMES[] = {"vector_bins",    "vector_pieces", "vector_decide",
                                    "vector_buckets", "vector_single", NULL};

enum { SPLITTERS = CLS_OWN_REGIONS, BUCKETS_LISTED, TABLE, SLICES, REGIONS };
_Static_assert((int)REGIONS <= (int)CLS_MAX_REGIONS, "too many regions");

enum { CONTROL_BYTES = 1024, BUCKET_BYTES = 24 }; /* bucket_t in cpu_vector.cl */

static uint64_t slice_bytes(const struct cls_tuning *tuning)
{
    const uint64_t bytes = cls_min(ALL_SLICES_BYTES / tuning->cpu_sample.units,
                                   tuning->cpu_sample.cache_bytes / SLICE_SHARE);
    return bytes / CLS_REGION_ALIGNMENT * CLS_REGION_ALIGNMENT;
}

static uint64_t slice_keys(const struct cls_tuning *tuning, const struct cls_spec *spec)
{
    return (slice_bytes(tuning) - ROOM_BYTES) / spec->key_bytes / 64 * 64;
}

static bool supports(const struct cls_caps *caps, const struct cls_spec *spec,
                     const struct cls_parameters *parameters, struct cls_tuning *tuning,
                     const char **why)
{
    (void)parameters;
    if (!cls_allows_long_work_items(caps, why))
        return false;
    if (!caps->compresses) {
        *why = "it needs vectors that can be compressed";
        return false;
    }
    if (spec->value_bytes > 0 || spec->key_bytes < 4 || cls_equal_keys_may_differ(spec)) {
        *why = "it sorts keys of 4 and 8 bytes alone, by all their bits";
        return false;
    }
    *tuning = (struct cls_tuning){
        .group_size = 1,
        .cpu_sample.units = caps->units < MAX_UNITS ? caps->units : MAX_UNITS,
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

static struct cls_cpu_sample_schedule divide(const struct cls_tuning *tuning,
                                             const struct cls_spec *spec, uint64_t count)
{
    const uint64_t slice = slice_keys(tuning, spec), units = tuning->cpu_sample.units;
    const uint64_t chunks =
        cls_max(cls_min(units * CHUNKS_PER_UNIT, cls_divide_up(count, MIN_CHUNK)),
                cls_divide_up(count, slice));
    const uint64_t bins = cls_max(cls_min(units * BINS_PER_UNIT, cls_divide_up(count, MIN_BUCKET)),
                                  cls_divide_up(count, slice * FILL_PERCENT / 100));
    const uint64_t chunk = cls_divide_up(cls_divide_up(count, chunks), 64) * 64;
    return (struct cls_cpu_sample_schedule){
        .is_single = is_single(count),
        .chunk = chunk,
        .chunks = (unsigned)cls_divide_up(count, chunk),
        .bins = (unsigned)cls_min(bins, MAX_PIECES / chunks),
        .max_chunks = chunks,
        .max_bins = bins,
        .max_pieces = cls_min(chunks * bins, MAX_PIECES),
    };
}

/* They, and room to sort them, fit a slice. */
static uint64_t samples_of(const struct cls_tuning *tuning, const struct cls_spec *spec,
                           unsigned bins)
{
    const uint64_t room = (slice_bytes(tuning) / spec->key_bytes - 64) / 3;
    return cls_min(cls_max((uint64_t)bins * SAMPLES_PER_BIN, MIN_SAMPLE), room);
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
    bytes[CLS_CONTROL] = CONTROL_BYTES;
    /* At least what sorting in one launch takes (ROOM_OF in vector_quicksort.cl). */
    bytes[CLS_KEYS] = cls_max(2 * (cls_min(count, SINGLE_MAX) + 16), count) * spec->key_bytes;
    if (s.is_single)
        return;
    bytes[SPLITTERS] = s.max_bins * spec->key_bytes;
    bytes[BUCKETS_LISTED] = (s.max_bins + s.max_chunks) * BUCKET_BYTES;
    bytes[TABLE] = (s.max_pieces + s.max_chunks) * sizeof(cl_uint); /* with the ends of rows */
    bytes[SLICES] = tuning->cpu_sample.units * slice_bytes(tuning);
}

static size_t programs(const struct cls_caps *caps, const struct cls_tuning *tuning,
                       const struct cls_spec *spec, struct cls_program_spec *programs)
{
    (void)caps;
    (void)tuning;
    cls_program_begin(programs, "cpu_sample/cpu_sample.cl", NAMES, 1, spec);
    cls_text_add(&programs->options, " -DROOM_BYTES=%d", ROOM_BYTES);
    return 1;
}

static struct cls_launch begin(const struct cls_sort *sort, unsigned kernel)
{
    struct cls_launch launch = cls_launch(sort->kernels[kernel]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    return launch;
}

static cl_int sort_single(const struct cls_sort *sort)
{
    struct cls_launch launch = begin(sort, WHOLE);
    cls_arg_buffer(&launch, sort->arrays->keys_in);
    cls_arg_buffer(&launch, sort->scratch[CLS_KEYS]);
    cls_arg_buffer(&launch, sort->arrays->keys_out);
    cls_arg_index(&launch, sort->spec, sort->arrays->count);
    cls_arg_key(&launch, sort->spec, sort->spec->flip);
    return cls_launch_enqueue(sort->chain, &launch, 1, 1);
}

static cl_int find_bins(const struct cls_sort *sort)
{
    struct cls_launch launch = begin(sort, BINS);
    cls_arg_buffer(&launch, sort->arrays->keys_in);
    cls_arg_buffer(&launch, sort->scratch[SPLITTERS]);
    cls_arg_buffer(&launch, sort->scratch[SLICES]);
    cls_arg_index(&launch, sort->spec, sort->arrays->count);
    cls_arg_uint(&launch,
                 (uint32_t)samples_of(sort->tuning, sort->spec, sort->schedule->cpu_sample.bins));
    cls_arg_uint(&launch, sort->schedule->cpu_sample.bins);
    cls_arg_key(&launch, sort->spec, sort->spec->flip);
    return cls_launch_enqueue(sort->chain, &launch, 1, 1);
}

static void add_layout(const struct cls_sort *sort, struct cls_launch *launch)
{
    cls_arg_buffer(launch, sort->scratch[TABLE]);
    cls_arg_buffer(launch, sort->scratch[SLICES]);
    cls_arg_ulong(launch, slice_bytes(sort->tuning));
    cls_arg_index(launch, sort->spec, sort->arrays->count);
    cls_arg_index(launch, sort->spec, sort->schedule->cpu_sample.chunk);
    cls_arg_uint(launch, sort->schedule->cpu_sample.chunks);
    cls_arg_key(launch, sort->spec, sort->spec->flip);
}

static cl_int cut_chunks(const struct cls_sort *sort)
{
    struct cls_launch launch = begin(sort, PIECES);
    cls_arg_buffer(&launch, sort->arrays->keys_in);
    cls_arg_buffer(&launch, sort->scratch[CLS_KEYS]);
    cls_arg_buffer(&launch, sort->scratch[SPLITTERS]);
    add_layout(sort, &launch);
    return cls_launch_enqueue(sort->chain, &launch, sort->tuning->cpu_sample.units, 1);
}

static cl_int decide(const struct cls_sort *sort)
{
    struct cls_launch launch = begin(sort, DECIDE);
    cls_arg_buffer(&launch, sort->scratch[SPLITTERS]);
    cls_arg_buffer(&launch, sort->scratch[BUCKETS_LISTED]);
    cls_arg_buffer(&launch, sort->scratch[TABLE]);
    cls_arg_buffer(&launch, sort->scratch[SLICES]);
    cls_arg_index(&launch, sort->spec, sort->schedule->cpu_sample.chunk);
    cls_arg_uint(&launch, sort->schedule->cpu_sample.chunks);
    return cls_launch_enqueue(sort->chain, &launch, 1, 1);
}

static cl_int sort_buckets(const struct cls_sort *sort)
{
    struct cls_launch launch = begin(sort, BUCKETS);
    cls_arg_buffer(&launch, sort->arrays->keys_in);
    cls_arg_buffer(&launch, sort->scratch[CLS_KEYS]);
    cls_arg_buffer(&launch, sort->arrays->keys_out);
    cls_arg_buffer(&launch, sort->scratch[SPLITTERS]);
    cls_arg_buffer(&launch, sort->scratch[BUCKETS_LISTED]);
    add_layout(sort, &launch);
    return cls_launch_enqueue(sort->chain, &launch, sort->tuning->cpu_sample.units, 1);
}

static cl_int enqueue(const struct cls_sort *sort)
{
    static cl_int (*const steps[])(const struct cls_sort *) = {find_bins, cut_chunks, decide,
                                                               sort_buckets};
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
    .operations = CLS_OPERATION(CLS_SORT),
    .traits = CLS_STABLE,
    .supports = supports,
    .schedule = schedule,
    .programs = programs,
    .enqueue = enqueue,
    .bytes_per_element = bytes_per_element,
    .self_test_count = self_test_count,
    .describe = describe,
};
