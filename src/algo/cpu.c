/* cpu.c - radix sort for CPUs: one partition by the top bits, then each bucket inside the cache (cpu.cl,
 * bucket.cl) */
#include "algo/algo.h"

enum {
    LOCAL_BITS = 12, /* most bits of a digit inside a bucket */
    /* A core's own cache is what CPUs give as local memory. Between these sizes it is believed; of it are ... */
    LEAST_CACHE = 256 << 10,
    MOST_CACHE = 2 << 20,
    LINES_SHARE = 4, /* ... so much for the write-combining lines of all buckets, */
    SLICE_SHARE = 4, /* and for a group's scratch for its bucket */
    ALL_SLICES_BYTES = 16 << 20,
    BUCKET_BYTES = 32 << 10, /* what is sorted in L1, at the size that most have */
    BUCKETS_PER_UNIT = 8,    /* at least, so that they balance */
    MOST_CHUNKS = 256,
    CHUNKS_PER_UNIT = 4, /* so that a core that falls behind is helped */
    CHUNK_ALIGNMENT = 1024,
    HOT_SLICES = 4, /* a bucket is hot that would need so many slices, and is more than ... */
    SEGMENTS_PER_UNIT = 8, /* ... a core's share of the work by so much, */
    MOST_SEGMENTS = 128,   /* while there are no more than these */
    SINGLE_MOST = 1 << 16  /* up to here one launch beats five (measured on PoCL, 2 cores) */
};

enum { COUNT, DECIDE, RECOUNT, RESCAN, SCATTER, BUCKETS, WHOLE };
static const char *const NAMES[] = {"cpu_count",   "cpu_decide",  "cpu_recount", "cpu_rescan",
                                    "cpu_scatter", "cpu_buckets", "cpu_single",  NULL};
static const char *const FILES[] = {"types.cl",  "keys.cl",    "head.cl",  "control.cl",
                                    "items.cl",  "network.cl", "quick.cl", "bucket.cl",
                                    "stream.cl", "cpu.cl",     NULL};

enum { TABLE = CLS_OWN_REGIONS, SEEN, SEGMENTS, SLICES, REGIONS };

enum { SEGMENT_BYTES = 56 }; /* segment_t in cpu.cl */

static bool supports(const struct cls_caps *caps, const struct cls_shape *shape,
                     const struct cls_parameters *parameters, struct cls_tuning *tuning,
                     const char **why)
{
    (void)parameters;
    if (!(caps->type & CL_DEVICE_TYPE_CPU)) {
        *why = "it keeps a core's cache full of private memory, which only CPUs have";
        return false;
    }
    if (caps->most_turns < UINT64_MAX) {
        *why = "its work-items go through whole arrays, and this driver ends long loops early";
        return false;
    }
    const uint64_t cache = caps->local_bytes < LEAST_CACHE  ? LEAST_CACHE
                           : caps->local_bytes > MOST_CACHE ? MOST_CACHE
                                                            : caps->local_bytes;
    const uint64_t line_items = 64 / shape->key_bytes;
    const uint64_t lines =
        cache / LINES_SHARE / (line_items * (shape->key_bytes + shape->value_bytes));
    unsigned bits = 0;
    while (bits < LOCAL_BITS && (uint64_t)2 << bits <= lines)
        bits++;
    *tuning = (struct cls_tuning){
        .group_size = 1,
        .bits = bits < 8 * shape->key_bytes ? bits : 8 * shape->key_bytes,
        .units = caps->units,
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

/* Bits of the partition digit: as many as it takes for buckets that fit L1, measured to be worth more than
 * fewer streams of the partition. */
static unsigned partition_bits(const struct cls_tuning *tuning, const struct cls_shape *shape,
                               uint64_t count)
{
    const unsigned width = shape->end_bit - shape->begin_bit;
    const unsigned most = tuning->bits < width ? tuning->bits : width;
    unsigned bits = 0;
    while (bits < most && (count * item_bytes(shape) >> bits > BUCKET_BYTES ||
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

static uint64_t slice_bytes(const struct cls_tuning *tuning)
{
    const uint64_t share =
        ALL_SLICES_BYTES / tuning->units / CLS_REGION_ALIGNMENT * CLS_REGION_ALIGNMENT;
    const uint64_t most =
        tuning->cache_bytes / SLICE_SHARE / CLS_REGION_ALIGNMENT * CLS_REGION_ALIGNMENT;
    return share < most ? share : most;
}

static uint64_t slice_items(const struct cls_tuning *tuning, const struct cls_shape *shape)
{
    return slice_bytes(tuning) / item_bytes(shape) / 64 * 64;
}

static unsigned most_segments(const struct cls_tuning *tuning)
{
    return tuning->units < MOST_SEGMENTS / SEGMENTS_PER_UNIT ? tuning->units * SEGMENTS_PER_UNIT
                                                             : MOST_SEGMENTS;
}

/* The most items of a bucket that is not hot: fewer than most_segments() can have more. */
static uint64_t hot_items(const struct cls_tuning *tuning, const struct cls_shape *shape,
                          uint64_t count)
{
    const uint64_t slices = HOT_SLICES * slice_items(tuning, shape);
    const uint64_t share = count / most_segments(tuning);
    return slices > share ? slices : share;
}

/* Each segment has one chunk more than whole ones at most. */
static uint64_t all_chunks(const struct cls_tuning *tuning, uint64_t count)
{
    return chunks_of(tuning, count) + most_segments(tuning);
}

/* ROOM_OF in quick.cl, where keys alone are sorted in one launch; and never fewer for more of them. */
static uint64_t keys_with_room(const struct cls_shape *shape, uint64_t count)
{
    const uint64_t single = is_single(count) ? count : SINGLE_MOST;
    const uint64_t room = shape->value_bytes == 0 ? 2 * (single + 16) : 0;
    return room > count ? room : count;
}

static size_t scratch(const struct cls_tuning *tuning, const struct cls_shape *shape,
                      uint64_t count, uint64_t *bytes)
{
    bytes[CLS_CONTROL] = CLS_CONTROL_BYTES;
    bytes[CLS_KEYS] = keys_with_room(shape, count) * shape->key_bytes;
    bytes[CLS_VALUES] = count * shape->value_bytes;
    bytes[TABLE] = bytes[SEEN] = bytes[SEGMENTS] = bytes[SLICES] = 0;
    if (!is_single(count)) {
        const uint64_t chunks = all_chunks(tuning, count);
        bytes[TABLE] = (chunks << tuning->bits) * (shape->index_bits / 8);
        bytes[SEEN] = chunks * CLS_SEEN_BYTES;
        bytes[SEGMENTS] = 2 * (uint64_t)most_segments(tuning) * SEGMENT_BYTES;
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
    cls_text_add(&options, " -DPARTITION_BITS=%u -DMOST_SEGMENTS=%u -DLOCAL_BITS=%d", tuning->bits,
                 most_segments(tuning), LOCAL_BITS);
    const struct cls_code code = {FILES, line, NULL};
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

/* What the launches of a level share. */
struct run {
    const cl_kernel *kernels;
    const struct cls_tuning *tuning;
    const struct cls_shape *shape;
    const struct cls_job *job;
    struct cls_chain *chain;
    unsigned chunks;
    uint64_t chunk;
    uint64_t hot;         /* the most items of a bucket that is not; of the last level none is */
    unsigned shift, bits; /* the first guess at the partition digit */
    unsigned level;
    clsort_buffer keys, values, keys_to, values_to; /* from where to where it partitions */
};

static struct cls_launch begin(const struct run *run, unsigned kernel)
{
    struct cls_launch launch = cls_launch(run->kernels[kernel]);
    cls_arg_buffer(&launch, run->job->scratch[CLS_CONTROL]);
    cls_arg_buffer(&launch, run->job->scratch[SEGMENTS]);
    return launch;
}

/* A group for each chunk that there can be. */
static cl_int run_chunks(const struct run *run, struct cls_launch *launch)
{
    const uint64_t all = all_chunks(run->tuning, run->job->places.count);
    return cls_run(run->chain, launch, run->level > 0 ? (size_t)all : run->chunks, 1);
}

static cl_int count(const struct run *run)
{
    const struct cls_shape *shape = run->shape;
    struct cls_launch launch = begin(run, COUNT);
    cls_arg_buffer(&launch, run->keys);
    cls_arg_buffer(&launch, run->job->scratch[TABLE]);
    cls_arg_buffer(&launch, run->job->scratch[SEEN]);
    cls_arg_index(&launch, shape, run->job->places.count);
    cls_arg_index(&launch, shape, run->chunk);
    cls_arg_key(&launch, shape, shape->flip);
    cls_arg_key(&launch, shape, cls_window(shape));
    cls_arg_uint(&launch, run->level);
    cls_arg_uint(&launch, run->shift);
    cls_arg_uint(&launch, run->bits);
    return run_chunks(run, &launch);
}

static cl_int decide(const struct run *run)
{
    struct cls_launch launch = begin(run, DECIDE);
    cls_arg_buffer(&launch, run->job->scratch[TABLE]);
    cls_arg_buffer(&launch, run->job->scratch[SEEN]);
    cls_arg_key(&launch, run->shape, cls_window(run->shape));
    cls_arg_uint(&launch, run->level);
    return cls_run(run->chain, &launch, 1, 1);
}

static cl_int recount(const struct run *run)
{
    struct cls_launch launch = begin(run, RECOUNT);
    cls_arg_buffer(&launch, run->keys);
    cls_arg_buffer(&launch, run->job->scratch[TABLE]);
    cls_arg_index(&launch, run->shape, run->chunk);
    cls_arg_key(&launch, run->shape, run->shape->flip);
    cls_arg_uint(&launch, run->level);
    const cl_int status = run_chunks(run, &launch);
    if (status != CL_SUCCESS)
        return status;

    launch = begin(run, RESCAN);
    cls_arg_buffer(&launch, run->job->scratch[TABLE]);
    cls_arg_index(&launch, run->shape, run->chunk);
    cls_arg_index(&launch, run->shape, run->hot);
    cls_arg_uint(&launch, run->level);
    return cls_run(run->chain, &launch, 1, 1);
}

static cl_int scatter(const struct run *run)
{
    const struct cls_shape *shape = run->shape;
    struct cls_launch launch = begin(run, SCATTER);
    cls_arg_buffer(&launch, run->keys);
    cls_arg_buffer(&launch, run->keys_to);
    cls_arg_values(&launch, shape, run->values);
    cls_arg_values(&launch, shape, run->values_to);
    cls_arg_buffer(&launch, run->job->scratch[TABLE]);
    cls_arg_index(&launch, shape, run->chunk);
    cls_arg_key(&launch, shape, shape->flip);
    cls_arg_uint(&launch, run->level);
    return run_chunks(run, &launch);
}

static cl_int sort_buckets(const struct run *run)
{
    const struct cls_shape *shape = run->shape;
    const struct cls_job *job = run->job;
    struct cls_launch launch = begin(run, BUCKETS);
    cls_arg_buffer(&launch, job->places.keys_in);
    cls_arg_buffer(&launch, job->scratch[CLS_KEYS]);
    cls_arg_buffer(&launch, job->places.keys_out);
    cls_arg_input_values(&launch, shape, job->places.values_in);
    cls_arg_values(&launch, shape, job->scratch[CLS_VALUES]);
    cls_arg_values(&launch, shape, job->places.values_out);
    cls_arg_buffer(&launch, job->scratch[TABLE]);
    cls_arg_buffer(&launch, job->scratch[SLICES]);
    cls_arg_ulong(&launch, slice_bytes(run->tuning));
    cls_arg_uint(&launch, (uint32_t)slice_items(run->tuning, shape));
    cls_arg_uint(&launch, run->chunks);
    cls_arg_index(&launch, shape, job->places.count);
    cls_arg_index(&launch, shape, run->chunk);
    cls_arg_index(&launch, shape, run->hot);
    cls_arg_key(&launch, shape, shape->flip);
    cls_arg_key(&launch, shape, cls_window(shape));
    cls_arg_uint(&launch, run->level);
    return cls_run(run->chain, &launch, run->tuning->units, 1);
}

static cl_int run_level(const struct run *run)
{
    static cl_int (*const steps[])(const struct run *) = {count, decide, recount, scatter,
                                                          sort_buckets};
    cl_int status = CL_SUCCESS;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && status == CL_SUCCESS; i++)
        status = steps[i](run);
    return status;
}

/* Even levels partition the input, or where it will be sorted, to scratch, odd ones back again. */
static cl_int enqueue(const cl_kernel *kernels, const struct cls_tuning *tuning,
                      const struct cls_shape *shape, const struct cls_job *job,
                      struct cls_chain *chain)
{
    const struct cls_places *places = &job->places;
    if (is_single(places->count))
        return enqueue_single(kernels, shape, job, chain);

    const unsigned chunks = chunks_of(tuning, places->count);
    const unsigned bits = partition_bits(tuning, shape, places->count);
    const unsigned left = shape->end_bit - shape->begin_bit - bits;
    const uint64_t hot = hot_items(tuning, shape, places->count);
    const unsigned more = places->count > hot ? (left + tuning->bits - 1) / tuning->bits : 0;
    struct run run = {
        .kernels = kernels,
        .tuning = tuning,
        .shape = shape,
        .job = job,
        .chain = chain,
        .chunks = chunks,
        .chunk =
            cls_divide_up(cls_divide_up(places->count, chunks), CHUNK_ALIGNMENT) * CHUNK_ALIGNMENT,
        .shift = bits ? shape->end_bit - bits : 0,
        .bits = bits,
        .keys = places->keys_in,
        .values = shape->value_is_index ? job->scratch[CLS_VALUES] : places->values_in,
    };
    cl_int status = CL_SUCCESS;
    for (run.level = 0; run.level <= more && status == CL_SUCCESS; run.level++) {
        run.hot = run.level < more ? hot : places->count;
        run.keys_to = run.level % 2 ? places->keys_out : job->scratch[CLS_KEYS];
        run.values_to = run.level % 2 ? places->values_out : job->scratch[CLS_VALUES];
        status = run_level(&run);
        run.keys = run.keys_to;
        run.values = run.values_to;
    }
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
