/* cpu_radix.c - radix sort for CPUs: one partition into even bins, then each bucket inside the cache (cpu.cl) */
#include "algo/common/arguments.h"
#include "algo/common/limits.h"
#include "algo/common/programs.h"
#include "cl/common/layout.h"

enum {
    LOCAL_BITS = 12, /* most bits of a digit inside a bucket */
    LINES_SHARE = 4, /* of a core's cache, for the write-combining lines of all buckets, */
    SLICE_SHARE = 4, /* and for a group's scratch for its bucket */
    ALL_SLICES_BYTES = 16 << 20,
    MIN_SLICE = 16 << 10,
    MAX_UNITS = ALL_SLICES_BYTES / MIN_SLICE, /* further ones are left idle */
    EVEN_BYTES = 32 << 10, /* of a bucket: what is sorted in L1, at the size that most have */
    BUCKETS_PER_UNIT = 8,  /* at least, so that they balance */
    MAX_CHUNKS = 256,
    CHUNKS_PER_UNIT = 4, /* so that a core that falls behind is helped */
    CHUNK_ALIGNMENT = 1024,
    MIN_PARTS = 16, /* a bin is hot that would hold more than one in so many of all keys: ... */
    MAX_PARTS = 32,
    PARTS_PER_UNIT = 2,  /* ... between these, half a core's share */
    SAMPLE_SHARE = 1024, /* one key of so many is in the sample, between ... */
    MIN_SAMPLE = 512,
    MAX_SAMPLE = 1 << 15,
    SINGLE_MAX = 1 << 16 /* up to here one launch beats five (measured on PoCL, 2 cores) */
};

enum { BINS, COUNT, DECIDE, SCATTER, BUCKETS, WHOLE };
static const char *const NAMES[] = {"cpu_bins",    "cpu_count",  "cpu_decide", "cpu_scatter",
                                    "cpu_buckets", "cpu_single", NULL};

enum { TABLE = CLS_OWN_REGIONS, SUMMARIES, NODES, BINS_LISTED, BUCKETS_LISTED, SLICES, REGIONS };
_Static_assert((int)REGIONS <= (int)CLS_MAX_REGIONS, "too many regions");

enum { CONTROL_BYTES = 1024, MAX_INNER = 32, FINER_BITS = 4, CHILDREN_PER_BIN = 2 << FINER_BITS };

/* node_t, a child and bin_t in bins.cl; bucket_t in cpu.cl. */
enum { NODE_BYTES = 24, CHILD_BYTES = 2, BIN_BYTES = 16, BUCKET_BYTES = 32 };

static bool supports(const struct cls_caps *caps, const struct cls_spec *spec,
                     const struct cls_parameters *parameters, struct cls_tuning *tuning,
                     const char **why)
{
    (void)parameters;
    if (!cls_allows_long_work_items(caps, why))
        return false;
    const uint64_t cache = cls_core_cache(caps);
    const uint64_t line_items = 64 / spec->key_bytes;
    const uint64_t lines =
        cache / LINES_SHARE / (line_items * (spec->key_bytes + spec->value_bytes));
    unsigned bits = 0;
    while (bits < LOCAL_BITS && (uint64_t)2 << bits <= lines)
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
    return count <= SINGLE_MAX;
}

static uint64_t item_bytes(const struct cls_spec *spec)
{
    return spec->key_bytes + spec->value_bytes;
}

static uint64_t slice_bytes(const struct cls_tuning *tuning)
{
    const uint64_t share =
        ALL_SLICES_BYTES / tuning->cpu_radix.units / CLS_REGION_ALIGNMENT * CLS_REGION_ALIGNMENT;
    const uint64_t most =
        tuning->cpu_radix.cache_bytes / SLICE_SHARE / CLS_REGION_ALIGNMENT * CLS_REGION_ALIGNMENT;
    return share < most ? share : most;
}

/* Bits of the partition digit: as many as it takes for buckets that fit L1, measured to be worth more than
 * fewer streams of the partition. */
static unsigned partition_bits(const struct cls_tuning *tuning, const struct cls_spec *spec,
                               uint64_t count)
{
    const unsigned width = spec->end_bit - spec->begin_bit;
    const unsigned most = tuning->cpu_radix.bits < width ? tuning->cpu_radix.bits : width;
    const uint64_t room = slice_bytes(tuning) / 4; /* which a bucket should not outgrow */
    const uint64_t even = room < EVEN_BYTES ? room : EVEN_BYTES;
    unsigned bits = 0;
    while (bits < most &&
           (count * item_bytes(spec) >> bits > even ||
            (uint64_t)1 << bits < (uint64_t)tuning->cpu_radix.units * BUCKETS_PER_UNIT))
        bits++;
    return bits;
}

static unsigned chunks_of(const struct cls_tuning *tuning, uint64_t count)
{
    const uint64_t whole = cls_divide_up(count, 4 * CHUNK_ALIGNMENT);
    uint64_t chunks = (uint64_t)tuning->cpu_radix.units * CHUNKS_PER_UNIT;
    chunks = chunks < MAX_CHUNKS ? chunks : MAX_CHUNKS;
    return (unsigned)(chunks < whole ? chunks : whole);
}

/* They, a copy of them, and the numbers that they stand for fit a slice. */
static uint64_t samples_of(const struct cls_tuning *tuning, const struct cls_spec *spec,
                           uint64_t count)
{
    const uint64_t wanted = count / SAMPLE_SHARE / 64 * 64,
                   room = slice_bytes(tuning) / (2 * item_bytes(spec) + 8);
    const uint64_t most = (room < MAX_SAMPLE ? room : MAX_SAMPLE) / 64 * 64;
    const uint64_t samples = wanted > MIN_SAMPLE ? wanted : MIN_SAMPLE;
    return samples < most ? samples : most;
}

static void schedule(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_schedule *schedule)
{
    uint64_t *bytes = schedule->region_bytes;
    const uint64_t chunks = chunks_of(tuning, count), bins = (uint64_t)1 << tuning->cpu_radix.bits;
    schedule->regions = REGIONS;
    schedule->cpu_radix = (struct cls_cpu_radix_schedule){
        .is_single = is_single(count),
        .chunks = (unsigned)chunks,
        .chunk = cls_round_up(cls_divide_up(count, chunks), CHUNK_ALIGNMENT),
    };
    bytes[CLS_CONTROL] = CONTROL_BYTES;
    bytes[CLS_KEYS] = count * spec->key_bytes;
    bytes[CLS_VALUES] = count * spec->value_bytes;
    for (size_t i = CLS_OWN_REGIONS; i < REGIONS; i++)
        bytes[i] = 0;
    if (is_single(count))
        return;
    bytes[TABLE] = chunks * bins * (spec->index_bits / 8);
    bytes[SUMMARIES] = chunks * sizeof(cls_key_summary);
    bytes[NODES] = MAX_INNER * NODE_BYTES + bins * CHILDREN_PER_BIN * CHILD_BYTES;
    bytes[BINS_LISTED] = bins * BIN_BYTES;
    bytes[BUCKETS_LISTED] = (bins + chunks) * BUCKET_BYTES;
    bytes[SLICES] = tuning->cpu_radix.units * slice_bytes(tuning);
}

static size_t programs(const struct cls_caps *caps, const struct cls_tuning *tuning,
                       const struct cls_spec *spec, struct cls_program_spec *programs)
{
    (void)caps;
    cls_program_begin(programs, "cpu_radix/cpu_radix.cl", NAMES, 1, spec);
    cls_text_add(&programs->options,
                 " -DPARTITION_BITS=%u -DLOCAL_BITS=%d -DMAX_INNER=%d -DFINER_BITS=%d",
                 tuning->cpu_radix.bits, LOCAL_BITS, MAX_INNER, FINER_BITS);
    return 1;
}

static cl_int enqueue_single(const struct cls_sort *sort)
{
    const struct cls_spec *spec = sort->spec;
    struct cls_launch launch = cls_launch(sort->kernels[WHOLE]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_arg_buffer(&launch, sort->arrays->keys_in);
    cls_arg_buffer(&launch, sort->scratch[CLS_KEYS]);
    cls_arg_buffer(&launch, sort->arrays->keys_out);
    cls_arg_input_values(&launch, spec, sort->arrays->values_in);
    cls_arg_values(&launch, spec, sort->scratch[CLS_VALUES]);
    cls_arg_values(&launch, spec, sort->arrays->values_out);
    cls_arg_index(&launch, spec, sort->arrays->count);
    cls_arg_key(&launch, spec, spec->flip);
    cls_arg_key(&launch, spec, cls_window(spec));
    return cls_launch_enqueue(sort->chain, &launch, 1, 1);
}

static struct cls_launch begin(const struct cls_sort *sort, unsigned kernel)
{
    struct cls_launch launch = cls_launch(sort->kernels[kernel]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    return launch;
}

static void add_order(const struct cls_sort *sort, struct cls_launch *launch)
{
    cls_arg_key(launch, sort->spec, sort->spec->flip);
    cls_arg_key(launch, sort->spec, cls_window(sort->spec));
}

static unsigned hot_parts(const struct cls_tuning *tuning)
{
    const uint64_t parts = (uint64_t)tuning->cpu_radix.units * PARTS_PER_UNIT;
    return parts < MIN_PARTS ? MIN_PARTS : parts < MAX_PARTS ? (unsigned)parts : MAX_PARTS;
}

static cl_int find_bins(const struct cls_sort *sort)
{
    const struct cls_spec *spec = sort->spec;
    const uint64_t n = sort->arrays->count, samples = samples_of(sort->tuning, spec, n);
    struct cls_launch launch = begin(sort, BINS);
    cls_arg_buffer(&launch, sort->scratch[NODES]);
    cls_arg_buffer(&launch, sort->scratch[BINS_LISTED]);
    cls_arg_buffer(&launch, sort->arrays->keys_in);
    cls_arg_buffer(&launch, sort->scratch[SLICES]);
    cls_arg_index(&launch, spec, n);
    cls_arg_uint(&launch, (uint32_t)samples);
    cls_arg_uint(&launch, partition_bits(sort->tuning, spec, n));
    cls_arg_uint(&launch, (uint32_t)(samples / hot_parts(sort->tuning)));
    add_order(sort, &launch);
    return cls_launch_enqueue(sort->chain, &launch, 1, 1);
}

static cl_int count(const struct cls_sort *sort)
{
    struct cls_launch launch = begin(sort, COUNT);
    cls_arg_buffer(&launch, sort->scratch[NODES]);
    cls_arg_buffer(&launch, sort->arrays->keys_in);
    cls_arg_buffer(&launch, sort->scratch[TABLE]);
    cls_arg_buffer(&launch, sort->scratch[SUMMARIES]);
    cls_arg_index(&launch, sort->spec, sort->arrays->count);
    cls_arg_index(&launch, sort->spec, sort->schedule->cpu_radix.chunk);
    add_order(sort, &launch);
    return cls_launch_enqueue(sort->chain, &launch, sort->schedule->cpu_radix.chunks, 1);
}

static cl_int decide(const struct cls_sort *sort)
{
    struct cls_launch launch = begin(sort, DECIDE);
    cls_arg_buffer(&launch, sort->scratch[BINS_LISTED]);
    cls_arg_buffer(&launch, sort->scratch[BUCKETS_LISTED]);
    cls_arg_buffer(&launch, sort->scratch[TABLE]);
    cls_arg_buffer(&launch, sort->scratch[SUMMARIES]);
    cls_arg_uint(&launch, sort->schedule->cpu_radix.chunks);
    cls_arg_index(&launch, sort->spec, sort->arrays->count);
    cls_arg_index(&launch, sort->spec, sort->schedule->cpu_radix.chunk);
    cls_arg_key(&launch, sort->spec, cls_window(sort->spec));
    return cls_launch_enqueue(sort->chain, &launch, 1, 1);
}

static cl_int scatter(const struct cls_sort *sort)
{
    const struct cls_spec *spec = sort->spec;
    struct cls_launch launch = begin(sort, SCATTER);
    cls_arg_buffer(&launch, sort->scratch[NODES]);
    cls_arg_buffer(&launch, sort->arrays->keys_in);
    cls_arg_buffer(&launch, sort->scratch[CLS_KEYS]);
    cls_arg_input_values(&launch, spec, sort->arrays->values_in);
    cls_arg_values(&launch, spec, sort->scratch[CLS_VALUES]);
    cls_arg_buffer(&launch, sort->scratch[TABLE]);
    cls_arg_index(&launch, spec, sort->arrays->count);
    cls_arg_index(&launch, spec, sort->schedule->cpu_radix.chunk);
    add_order(sort, &launch);
    return cls_launch_enqueue(sort->chain, &launch, sort->schedule->cpu_radix.chunks, 1);
}

static cl_int sort_buckets(const struct cls_sort *sort)
{
    const struct cls_spec *spec = sort->spec;
    struct cls_launch launch = begin(sort, BUCKETS);
    cls_arg_buffer(&launch, sort->scratch[BUCKETS_LISTED]);
    cls_arg_buffer(&launch, sort->arrays->keys_in);
    cls_arg_buffer(&launch, sort->scratch[CLS_KEYS]);
    cls_arg_buffer(&launch, sort->arrays->keys_out);
    cls_arg_input_values(&launch, spec, sort->arrays->values_in);
    cls_arg_values(&launch, spec, sort->scratch[CLS_VALUES]);
    cls_arg_values(&launch, spec, sort->arrays->values_out);
    cls_arg_buffer(&launch, sort->scratch[SLICES]);
    cls_arg_ulong(&launch, slice_bytes(sort->tuning));
    cls_arg_uint(&launch, sort->schedule->cpu_radix.chunks);
    cls_arg_index(&launch, spec, sort->arrays->count);
    cls_arg_index(&launch, spec, sort->schedule->cpu_radix.chunk);
    add_order(sort, &launch);
    return cls_launch_enqueue(sort->chain, &launch, sort->tuning->cpu_radix.units, 1);
}

static cl_int enqueue(const struct cls_sort *sort)
{
    static cl_int (*const steps[])(const struct cls_sort *) = {find_bins, count, decide, scatter,
                                                               sort_buckets};
    if (sort->schedule->cpu_radix.is_single)
        return enqueue_single(sort);
    cl_int status = CL_SUCCESS;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && status == CL_SUCCESS; i++)
        status = steps[i](sort);
    return status;
}

static uint64_t bytes_per_element(const struct cls_tuning *tuning, const struct cls_spec *spec,
                                  uint64_t count)
{
    (void)tuning;
    /* One that is not single is counted first, then copied by the partition and by the buckets. */
    return is_single(count) ? cls_copy_bytes(spec) : spec->key_bytes + 2 * cls_copy_bytes(spec);
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
        cls_text_add(text, "by one core");
    else
        cls_text_add(text, "%u buckets", 1u << partition_bits(tuning, spec, count));
}

const struct cls_algo cls_algo_cpu_radix = {
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
