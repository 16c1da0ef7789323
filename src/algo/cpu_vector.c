/* cpu_vector.c - sort of keys alone for CPUs whose vectors compress: splitters from a sample, all by quicksort
 * (cpu_vector.cl) */
#include "algo/algo.h"

enum {
    SLICE_SHARE = 2,       /* of a core's cache, for a chunk or a bucket, and ... */
    ROOM_BYTES = 50 << 10, /* ... for the room to sort in, LARGE_ROOM in quick.cl */
    ALL_SLICES_BYTES = 20 << 20,
    LEAST_SLICE = 128 << 10,
    MOST_UNITS = ALL_SLICES_BYTES / LEAST_SLICE, /* further ones are left idle */
    CHUNKS_PER_UNIT = 4,                         /* so that a core that falls behind is helped */
    BINS_PER_UNIT = 8,
    LEAST_CHUNK = 4096, /* keys */
    LEAST_BUCKET = 2048,
    FILL_PERCENT = 60, /* of a slice, by an even bin: samples are not exact */
    MOST_PIECES = 1 << 21,
    MOST_CHUNKS = 1 << 14, /* so that there are bins enough for the cores */
    SAMPLES_PER_BIN = 64,
    LEAST_SAMPLE = 512,
    SINGLE_MOST = 1 << 16 /* up to here one launch beats four (measured on PoCL, 2 cores) */
};

enum { BINS, PIECES, DECIDE, BUCKETS, WHOLE };
static const char *const NAMES[CLS_MOST_KERNELS + 1] = {
    "vector_bins", "vector_pieces", "vector_decide", "vector_buckets", "vector_single", NULL};
static const char *const FILES[] = {"types.cl",      "keys.cl",    "head.cl",  "stream.cl",
                                    "compress.cl",   "network.cl", "quick.cl", "sample.cl",
                                    "cpu_vector.cl", NULL};

enum { SPLITTERS = CLS_OWN_REGIONS, BUCKETS_LISTED, TABLE, SLICES, REGIONS };
_Static_assert((int)REGIONS <= (int)CLS_MOST_REGIONS, "too many regions");

enum { BUCKET_BYTES = 24 }; /* bucket_t in cpu_vector.cl */

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t slice_bytes(const struct cls_tuning *tuning)
{
    const uint64_t bytes =
        smaller(ALL_SLICES_BYTES / tuning->units, tuning->cache_bytes / SLICE_SHARE);
    return bytes / CLS_REGION_ALIGNMENT * CLS_REGION_ALIGNMENT;
}

static uint64_t slice_keys(const struct cls_tuning *tuning, const struct cls_shape *shape)
{
    return (slice_bytes(tuning) - ROOM_BYTES) / shape->key_bytes / 64 * 64;
}

static bool supports(const struct cls_caps *caps, const struct cls_shape *shape,
                     const struct cls_parameters *parameters, struct cls_tuning *tuning,
                     const char **why)
{
    (void)parameters;
    if (!cls_has_workers(caps, why))
        return false;
    if (!caps->compresses) {
        *why = "it needs vectors that can be compressed";
        return false;
    }
    if (shape->value_bytes > 0 || shape->key_bytes < 4 || cls_hides_bits(shape)) {
        *why = "it sorts keys of 4 and 8 bytes alone, by all their bits";
        return false;
    }
    *tuning = (struct cls_tuning){
        .group_size = 1,
        .units = caps->units < MOST_UNITS ? caps->units : MOST_UNITS,
        .cache_bytes = cls_core_cache(caps),
    };
    tuning->most_items =
        smaller(MOST_CHUNKS * slice_keys(tuning, shape), cls_countable(caps, shape));
    return true;
}

static bool is_single(uint64_t count)
{
    return count <= SINGLE_MOST;
}

/* How a sort is cut: chunks of the input, and bins. Scratch is laid out by bounds of them, which are never less for
 * more keys. */
struct layout {
    uint64_t chunk; /* keys of each chunk but the last */
    unsigned chunks, bins;
    uint64_t most_chunks, most_bins, most_pieces;
};

static struct layout layout_of(const struct cls_tuning *tuning, const struct cls_shape *shape,
                               uint64_t count)
{
    const uint64_t slice = slice_keys(tuning, shape), units = tuning->units;
    const uint64_t chunks =
        larger(smaller(units * CHUNKS_PER_UNIT, cls_divide_up(count, LEAST_CHUNK)),
               cls_divide_up(count, slice));
    const uint64_t bins = larger(smaller(units * BINS_PER_UNIT, cls_divide_up(count, LEAST_BUCKET)),
                                 cls_divide_up(count, slice * FILL_PERCENT / 100));
    const uint64_t chunk = cls_divide_up(cls_divide_up(count, chunks), 64) * 64;
    return (struct layout){
        .chunk = chunk,
        .chunks = (unsigned)cls_divide_up(count, chunk),
        .bins = (unsigned)smaller(bins, MOST_PIECES / chunks),
        .most_chunks = chunks,
        .most_bins = bins,
        .most_pieces = smaller(chunks * bins, MOST_PIECES),
    };
}

/* They, and room to sort them, fit a slice. */
static uint64_t samples_of(const struct cls_tuning *tuning, const struct cls_shape *shape,
                           unsigned bins)
{
    const uint64_t room = (slice_bytes(tuning) / shape->key_bytes - 64) / 3;
    return smaller(larger((uint64_t)bins * SAMPLES_PER_BIN, LEAST_SAMPLE), room);
}

static size_t scratch(const struct cls_tuning *tuning, const struct cls_shape *shape,
                      uint64_t count, uint64_t *bytes)
{
    bytes[CLS_CONTROL] = CLS_CONTROL_BYTES;
    bytes[CLS_VALUES] = bytes[SPLITTERS] = bytes[BUCKETS_LISTED] = bytes[TABLE] = bytes[SLICES] = 0;
    /* ROOM_OF in quick.cl, where there is one launch; and never fewer for more of them. */
    bytes[CLS_KEYS] = larger(2 * (smaller(count, SINGLE_MOST) + 16), count) * shape->key_bytes;
    if (!is_single(count)) {
        const struct layout layout = layout_of(tuning, shape, count);
        bytes[SPLITTERS] = layout.most_bins * shape->key_bytes;
        bytes[BUCKETS_LISTED] = (layout.most_bins + layout.most_chunks) * BUCKET_BYTES;
        bytes[TABLE] = (layout.most_pieces + layout.most_chunks) * 4; /* and the ends of rows */
        bytes[SLICES] = tuning->units * slice_bytes(tuning);
    }
    return REGIONS;
}

static cl_int prepare(struct cls_device *device, const struct cls_tuning *tuning,
                      const struct cls_shape *shape, cl_kernel *kernels)
{
    (void)tuning;
    char line[256];
    struct cls_text options = CLS_TEXT(line);
    cls_shape_options(shape, &options);
    cls_text_add(&options, " -DROOM_BYTES=%d", ROOM_BYTES);
    const struct cls_code code = {FILES, line, NULL};
    return cls_kernels_create(device, &code, NAMES, 1, kernels);
}

/* What the launches share. */
struct run {
    const cl_kernel *kernels;
    const struct cls_tuning *tuning;
    const struct cls_shape *shape;
    const struct cls_job *job;
    struct cls_chain *chain;
    struct layout layout;
};

static struct cls_launch begin(const struct run *run, unsigned kernel)
{
    struct cls_launch launch = cls_launch(run->kernels[kernel]);
    cls_arg_buffer(&launch, run->job->scratch[CLS_CONTROL]);
    return launch;
}

static cl_int sort_single(const struct run *run)
{
    struct cls_launch launch = begin(run, WHOLE);
    cls_arg_buffer(&launch, run->job->places.keys_in);
    cls_arg_buffer(&launch, run->job->scratch[CLS_KEYS]);
    cls_arg_buffer(&launch, run->job->places.keys_out);
    cls_arg_index(&launch, run->shape, run->job->places.count);
    cls_arg_key(&launch, run->shape, run->shape->flip);
    return cls_run(run->chain, &launch, 1, 1);
}

static cl_int find_bins(const struct run *run)
{
    struct cls_launch launch = begin(run, BINS);
    cls_arg_buffer(&launch, run->job->places.keys_in);
    cls_arg_buffer(&launch, run->job->scratch[SPLITTERS]);
    cls_arg_buffer(&launch, run->job->scratch[SLICES]);
    cls_arg_index(&launch, run->shape, run->job->places.count);
    cls_arg_uint(&launch, (uint32_t)samples_of(run->tuning, run->shape, run->layout.bins));
    cls_arg_uint(&launch, run->layout.bins);
    cls_arg_key(&launch, run->shape, run->shape->flip);
    return cls_run(run->chain, &launch, 1, 1);
}

static void add_layout(const struct run *run, struct cls_launch *launch)
{
    cls_arg_buffer(launch, run->job->scratch[TABLE]);
    cls_arg_buffer(launch, run->job->scratch[SLICES]);
    cls_arg_ulong(launch, slice_bytes(run->tuning));
    cls_arg_index(launch, run->shape, run->job->places.count);
    cls_arg_index(launch, run->shape, run->layout.chunk);
    cls_arg_uint(launch, run->layout.chunks);
    cls_arg_key(launch, run->shape, run->shape->flip);
}

static cl_int cut_chunks(const struct run *run)
{
    struct cls_launch launch = begin(run, PIECES);
    cls_arg_buffer(&launch, run->job->places.keys_in);
    cls_arg_buffer(&launch, run->job->scratch[CLS_KEYS]);
    cls_arg_buffer(&launch, run->job->scratch[SPLITTERS]);
    add_layout(run, &launch);
    return cls_run(run->chain, &launch, run->tuning->units, 1);
}

static cl_int decide(const struct run *run)
{
    struct cls_launch launch = begin(run, DECIDE);
    cls_arg_buffer(&launch, run->job->scratch[SPLITTERS]);
    cls_arg_buffer(&launch, run->job->scratch[BUCKETS_LISTED]);
    cls_arg_buffer(&launch, run->job->scratch[TABLE]);
    cls_arg_buffer(&launch, run->job->scratch[SLICES]);
    cls_arg_index(&launch, run->shape, run->layout.chunk);
    cls_arg_uint(&launch, run->layout.chunks);
    return cls_run(run->chain, &launch, 1, 1);
}

static cl_int sort_buckets(const struct run *run)
{
    struct cls_launch launch = begin(run, BUCKETS);
    cls_arg_buffer(&launch, run->job->places.keys_in);
    cls_arg_buffer(&launch, run->job->scratch[CLS_KEYS]);
    cls_arg_buffer(&launch, run->job->places.keys_out);
    cls_arg_buffer(&launch, run->job->scratch[SPLITTERS]);
    cls_arg_buffer(&launch, run->job->scratch[BUCKETS_LISTED]);
    add_layout(run, &launch);
    return cls_run(run->chain, &launch, run->tuning->units, 1);
}

static cl_int enqueue(const cl_kernel *kernels, const struct cls_tuning *tuning,
                      const struct cls_shape *shape, const struct cls_job *job,
                      struct cls_chain *chain)
{
    static cl_int (*const steps[])(const struct run *) = {find_bins, cut_chunks, decide,
                                                          sort_buckets};
    const struct run run = {kernels, tuning, shape,
                            job,     chain,  layout_of(tuning, shape, job->places.count)};
    if (is_single(job->places.count))
        return sort_single(&run);
    cl_int status = CL_SUCCESS;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && status == CL_SUCCESS; i++)
        status = steps[i](&run);
    return status;
}

static uint64_t traffic(const struct cls_tuning *tuning, const struct cls_shape *shape,
                        uint64_t count)
{
    (void)tuning;
    return (is_single(count) ? 1 : 2) * cls_copy_bytes(shape);
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
        cls_text_add(text, "quicksort by one core");
    else
        cls_text_add(text, "quicksort, %u buckets", layout_of(tuning, shape, count).bins);
}

const struct cls_algo cls_algo_cpu_vector = {
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
