/* cpu.c - radix sort for CPUs: one partition into even bins, then each bucket inside the cache (cpu.cl) */
#include "algo/algo.h"

enum {
    LOCAL_BITS = 12, /* most bits of a digit inside a bucket */
    LINES_SHARE = 4, /* of a core's cache, for the write-combining lines of all buckets, */
    SLICE_SHARE = 4, /* and for a group's scratch for its bucket */
    ALL_SLICES_BYTES = 16 << 20,
    LEAST_SLICE = 16 << 10,
    MOST_UNITS = ALL_SLICES_BYTES / LEAST_SLICE, /* further ones are left idle */
    EVEN_BYTES = 32 << 10, /* of a bucket: what is sorted in L1, at the size that most have */
    BUCKETS_PER_UNIT = 8,  /* at least, so that they balance */
    MOST_CHUNKS = 256,
    CHUNKS_PER_UNIT = 4, /* so that a core that falls behind is helped */
    CHUNK_ALIGNMENT = 1024,
    LEAST_PARTS = 16, /* a bin is hot that would hold more than one in so many of all keys: ... */
    MOST_PARTS = 32,
    PARTS_PER_UNIT = 2,  /* ... between these, half a core's share */
    SAMPLE_SHARE = 1024, /* one key of so many is in the sample, between ... */
    LEAST_SAMPLE = 512,
    MOST_SAMPLE = 1 << 15,
    SINGLE_MOST = 1 << 16 /* up to here one launch beats five (measured on PoCL, 2 cores) */
};

enum { BINS, COUNT, DECIDE, SCATTER, BUCKETS, WHOLE };
static const char *const NAMES[CLS_MOST_KERNELS + 1] = {
    "cpu_bins", "cpu_count", "cpu_decide", "cpu_scatter", "cpu_buckets", "cpu_single", NULL};
static const char *const FILES[] = {"types.cl",   "keys.cl",    "head.cl",   "control.cl",
                                    "items.cl",   "network.cl", "stream.cl", "bucket.cl",
                                    "section.cl", "sample.cl",  "bins.cl",   "sort_bucket.cl",
                                    "lines.cl",   "cpu.cl",     NULL};

static const char *const FILES_WITH_PACKS[] = {
    "types.cl",  "keys.cl",   "head.cl",        "control.cl",  "items.cl", "network.cl",
    "stream.cl", "bucket.cl", "section.cl",     "compress.cl", "quick.cl", "pack.cl",
    "sample.cl", "bins.cl",   "sort_bucket.cl", "lines.cl",    "cpu.cl",   NULL};

enum { TABLE = CLS_OWN_REGIONS, SEEN, NODES, BINS_LISTED, BUCKETS_LISTED, SLICES, REGIONS };
_Static_assert((int)REGIONS <= (int)CLS_MOST_REGIONS, "too many regions");

enum { MOST_INNER = 32, FINER_BITS = 4, CHILDREN_PER_BIN = 2 << FINER_BITS };

/* node_t, a child and bin_t in bins.cl; bucket_t in cpu.cl. */
enum { NODE_BYTES = 24, CHILD_BYTES = 2, BIN_BYTES = 16, BUCKET_BYTES = 32 };

static bool supports(const struct cls_caps *caps, const struct cls_shape *shape,
                     const struct cls_parameters *parameters, struct cls_tuning *tuning,
                     const char **why)
{
    (void)parameters;
    if (!cls_has_workers(caps, why))
        return false;
    const uint64_t cache = cls_core_cache(caps);
    const uint64_t line_items = 64 / shape->key_bytes;
    const uint64_t lines =
        cache / LINES_SHARE / (line_items * (shape->key_bytes + shape->value_bytes));
    unsigned bits = 0;
    while (bits < LOCAL_BITS && (uint64_t)2 << bits <= lines)
        bits++;
    *tuning = (struct cls_tuning){
        .group_size = 1,
        .bits = bits < 8 * shape->key_bytes ? bits : 8 * shape->key_bytes,
        .units = caps->units < MOST_UNITS ? caps->units : MOST_UNITS,
        .cache_bytes = cache,
        .most_items = cls_countable(caps, shape),
    };
    return true;
}

static bool is_single(uint64_t count)
{
    return count <= SINGLE_MOST;
}

static uint64_t item_bytes(const struct cls_shape *shape)
{
    return shape->key_bytes + shape->value_bytes;
}

static uint64_t slice_bytes(const struct cls_tuning *tuning)
{
    const uint64_t share =
        ALL_SLICES_BYTES / tuning->units / CLS_REGION_ALIGNMENT * CLS_REGION_ALIGNMENT;
    const uint64_t most =
        tuning->cache_bytes / SLICE_SHARE / CLS_REGION_ALIGNMENT * CLS_REGION_ALIGNMENT;
    return share < most ? share : most;
}

/* Bits of the partition digit: as many as it takes for buckets that fit L1, measured to be worth more than
 * fewer streams of the partition. */
static unsigned partition_bits(const struct cls_tuning *tuning, const struct cls_shape *shape,
                               uint64_t count)
{
    const unsigned width = shape->end_bit - shape->begin_bit;
    const unsigned most = tuning->bits < width ? tuning->bits : width;
    const uint64_t room = slice_bytes(tuning) / 4; /* which a bucket should not outgrow */
    const uint64_t even = room < EVEN_BYTES ? room : EVEN_BYTES;
    unsigned bits = 0;
    while (bits < most && (count * item_bytes(shape) >> bits > even ||
                           (uint64_t)1 << bits < (uint64_t)tuning->units * BUCKETS_PER_UNIT))
        bits++;
    return bits;
}

static unsigned chunks_of(const struct cls_tuning *tuning, uint64_t count)
{
    const uint64_t whole = cls_divide_up(count, 4 * CHUNK_ALIGNMENT);
    uint64_t chunks = (uint64_t)tuning->units * CHUNKS_PER_UNIT;
    chunks = chunks < MOST_CHUNKS ? chunks : MOST_CHUNKS;
    return (unsigned)(chunks < whole ? chunks : whole);
}

/* They, a copy of them, and the numbers that they stand for fit a slice. */
static uint64_t samples_of(const struct cls_tuning *tuning, const struct cls_shape *shape,
                           uint64_t count)
{
    const uint64_t wanted = count / SAMPLE_SHARE / 64 * 64,
                   room = slice_bytes(tuning) / (2 * item_bytes(shape) + 8);
    const uint64_t most = (room < MOST_SAMPLE ? room : MOST_SAMPLE) / 64 * 64;
    const uint64_t samples = wanted > LEAST_SAMPLE ? wanted : LEAST_SAMPLE;
    return samples < most ? samples : most;
}

static size_t scratch(const struct cls_tuning *tuning, const struct cls_shape *shape,
                      uint64_t count, uint64_t *bytes)
{
    bytes[CLS_CONTROL] = CLS_CONTROL_BYTES;
    bytes[CLS_KEYS] = count * shape->key_bytes;
    bytes[CLS_VALUES] = count * shape->value_bytes;
    bytes[TABLE] = bytes[SEEN] = bytes[NODES] = 0;
    bytes[BINS_LISTED] = bytes[BUCKETS_LISTED] = bytes[SLICES] = 0;
    if (!is_single(count)) {
        const uint64_t chunks = chunks_of(tuning, count), bins = (uint64_t)1 << tuning->bits;
        bytes[TABLE] = chunks * bins * (shape->index_bits / 8);
        bytes[SEEN] = chunks * CLS_SEEN_BYTES;
        bytes[NODES] = MOST_INNER * NODE_BYTES + bins * CHILDREN_PER_BIN * CHILD_BYTES;
        bytes[BINS_LISTED] = bins * BIN_BYTES;
        bytes[BUCKETS_LISTED] = (bins + chunks) * BUCKET_BYTES;
        bytes[SLICES] = tuning->units * slice_bytes(tuning);
    }
    return REGIONS;
}

static cl_int prepare(struct cls_device *device, const struct cls_tuning *tuning,
                      const struct cls_shape *shape, cl_kernel *kernels)
{
    char line[256];
    struct cls_text options = CLS_TEXT(line);
    cls_shape_options(shape, &options);
    cls_text_add(&options, " -DPARTITION_BITS=%u -DLOCAL_BITS=%d -DMOST_INNER=%d -DFINER_BITS=%d",
                 tuning->bits, LOCAL_BITS, MOST_INNER, FINER_BITS);
    const bool packs = device->caps.compresses && shape->key_bytes >= 4 && shape->value_bytes > 0;
    const struct cls_code code = {packs ? FILES_WITH_PACKS : FILES, line, NULL};
    return cls_kernels_create(device, &code, NAMES, 1, kernels);
}

static cl_int enqueue_single(const cl_kernel *kernels, const struct cls_shape *shape,
                             const struct cls_job *job, struct cls_chain *chain)
{
    struct cls_launch launch = cls_launch(kernels[WHOLE]);
    cls_arg_buffer(&launch, job->scratch[CLS_CONTROL]);
    cls_arg_buffer(&launch, job->places.keys_in);
    cls_arg_buffer(&launch, job->scratch[CLS_KEYS]);
    cls_arg_buffer(&launch, job->places.keys_out);
    cls_arg_input_values(&launch, shape, job->places.values_in);
    cls_arg_values(&launch, shape, job->scratch[CLS_VALUES]);
    cls_arg_values(&launch, shape, job->places.values_out);
    cls_arg_index(&launch, shape, job->places.count);
    cls_arg_key(&launch, shape, shape->flip);
    cls_arg_key(&launch, shape, cls_window(shape));
    return cls_run(chain, &launch, 1, 1);
}

/* What the launches share. */
struct run {
    const cl_kernel *kernels;
    const struct cls_tuning *tuning;
    const struct cls_shape *shape;
    const struct cls_job *job;
    struct cls_chain *chain;
    unsigned chunks;
    uint64_t chunk;
};

static struct cls_launch begin(const struct run *run, unsigned kernel)
{
    struct cls_launch launch = cls_launch(run->kernels[kernel]);
    cls_arg_buffer(&launch, run->job->scratch[CLS_CONTROL]);
    return launch;
}

static void add_order(const struct run *run, struct cls_launch *launch)
{
    cls_arg_key(launch, run->shape, run->shape->flip);
    cls_arg_key(launch, run->shape, cls_window(run->shape));
}

static unsigned hot_parts(const struct cls_tuning *tuning)
{
    const uint64_t parts = (uint64_t)tuning->units * PARTS_PER_UNIT;
    return parts < LEAST_PARTS ? LEAST_PARTS : parts < MOST_PARTS ? (unsigned)parts : MOST_PARTS;
}

static cl_int find_bins(const struct run *run)
{
    const struct cls_shape *shape = run->shape;
    const uint64_t n = run->job->places.count, samples = samples_of(run->tuning, shape, n);
    struct cls_launch launch = begin(run, BINS);
    cls_arg_buffer(&launch, run->job->scratch[NODES]);
    cls_arg_buffer(&launch, run->job->scratch[BINS_LISTED]);
    cls_arg_buffer(&launch, run->job->places.keys_in);
    cls_arg_buffer(&launch, run->job->scratch[SLICES]);
    cls_arg_index(&launch, shape, n);
    cls_arg_uint(&launch, (uint32_t)samples);
    cls_arg_uint(&launch, partition_bits(run->tuning, shape, n));
    cls_arg_uint(&launch, (uint32_t)(samples / hot_parts(run->tuning)));
    add_order(run, &launch);
    return cls_run(run->chain, &launch, 1, 1);
}

static cl_int count(const struct run *run)
{
    struct cls_launch launch = begin(run, COUNT);
    cls_arg_buffer(&launch, run->job->scratch[NODES]);
    cls_arg_buffer(&launch, run->job->places.keys_in);
    cls_arg_buffer(&launch, run->job->scratch[TABLE]);
    cls_arg_buffer(&launch, run->job->scratch[SEEN]);
    cls_arg_index(&launch, run->shape, run->job->places.count);
    cls_arg_index(&launch, run->shape, run->chunk);
    add_order(run, &launch);
    return cls_run(run->chain, &launch, run->chunks, 1);
}

static cl_int decide(const struct run *run)
{
    struct cls_launch launch = begin(run, DECIDE);
    cls_arg_buffer(&launch, run->job->scratch[BINS_LISTED]);
    cls_arg_buffer(&launch, run->job->scratch[BUCKETS_LISTED]);
    cls_arg_buffer(&launch, run->job->scratch[TABLE]);
    cls_arg_buffer(&launch, run->job->scratch[SEEN]);
    cls_arg_uint(&launch, run->chunks);
    cls_arg_index(&launch, run->shape, run->job->places.count);
    cls_arg_index(&launch, run->shape, run->chunk);
    cls_arg_key(&launch, run->shape, cls_window(run->shape));
    return cls_run(run->chain, &launch, 1, 1);
}

static cl_int scatter(const struct run *run)
{
    const struct cls_shape *shape = run->shape;
    const struct cls_job *job = run->job;
    struct cls_launch launch = begin(run, SCATTER);
    cls_arg_buffer(&launch, job->scratch[NODES]);
    cls_arg_buffer(&launch, job->places.keys_in);
    cls_arg_buffer(&launch, job->scratch[CLS_KEYS]);
    cls_arg_input_values(&launch, shape, job->places.values_in);
    cls_arg_values(&launch, shape, job->scratch[CLS_VALUES]);
    cls_arg_buffer(&launch, job->scratch[TABLE]);
    cls_arg_index(&launch, shape, job->places.count);
    cls_arg_index(&launch, shape, run->chunk);
    add_order(run, &launch);
    return cls_run(run->chain, &launch, run->chunks, 1);
}

static cl_int sort_buckets(const struct run *run)
{
    const struct cls_shape *shape = run->shape;
    const struct cls_job *job = run->job;
    struct cls_launch launch = begin(run, BUCKETS);
    cls_arg_buffer(&launch, job->scratch[BUCKETS_LISTED]);
    cls_arg_buffer(&launch, job->places.keys_in);
    cls_arg_buffer(&launch, job->scratch[CLS_KEYS]);
    cls_arg_buffer(&launch, job->places.keys_out);
    cls_arg_input_values(&launch, shape, job->places.values_in);
    cls_arg_values(&launch, shape, job->scratch[CLS_VALUES]);
    cls_arg_values(&launch, shape, job->places.values_out);
    cls_arg_buffer(&launch, job->scratch[SLICES]);
    cls_arg_ulong(&launch, slice_bytes(run->tuning));
    cls_arg_uint(&launch, run->chunks);
    cls_arg_index(&launch, shape, job->places.count);
    cls_arg_index(&launch, shape, run->chunk);
    add_order(run, &launch);
    return cls_run(run->chain, &launch, run->tuning->units, 1);
}

static cl_int enqueue(const cl_kernel *kernels, const struct cls_tuning *tuning,
                      const struct cls_shape *shape, const struct cls_job *job,
                      struct cls_chain *chain)
{
    static cl_int (*const steps[])(const struct run *) = {find_bins, count, decide, scatter,
                                                          sort_buckets};
    const uint64_t n = job->places.count;
    if (is_single(n))
        return enqueue_single(kernels, shape, job, chain);
    const unsigned chunks = chunks_of(tuning, n);
    const struct run run = {
        .kernels = kernels,
        .tuning = tuning,
        .shape = shape,
        .job = job,
        .chain = chain,
        .chunks = chunks,
        .chunk = cls_divide_up(cls_divide_up(n, chunks), CHUNK_ALIGNMENT) * CHUNK_ALIGNMENT,
    };
    cl_int status = CL_SUCCESS;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && status == CL_SUCCESS; i++)
        status = steps[i](&run);
    return status;
}

static uint64_t traffic(const struct cls_tuning *tuning, const struct cls_shape *shape,
                        uint64_t count)
{
    (void)tuning;
    /* One that is not single is counted first, then copied by the partition and by the buckets. */
    return is_single(count) ? cls_copy_bytes(shape) : shape->key_bytes + 2 * cls_copy_bytes(shape);
}

static uint64_t trial(struct cls_tuning *tuning)
{
    (void)tuning;
    return SINGLE_MOST + 1;
}

static void describe(const struct cls_tuning *tuning, const struct cls_shape *shape, uint64_t count,
                     struct cls_text *text)
{
    if (is_single(count))
        cls_text_add(text, "by one core");
    else
        cls_text_add(text, "%u buckets", 1u << partition_bits(tuning, shape, count));
}

const struct cls_algo cls_algo_cpu = {
    .name = "cpu",
    .traits = CLS_STABLE,
    .supports = supports,
    .scratch = scratch,
    .prepare = prepare,
    .enqueue = enqueue,
    .traffic = traffic,
    .trial = trial,
    .describe = describe,
};
