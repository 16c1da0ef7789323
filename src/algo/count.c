/* count.c - counting sort of keys of 8 or 16 bits alone, for CPUs (count.cl) */
#include "algo/algo.h"

enum {
    CHUNKS_PER_UNIT = 4, /* so that a core that falls behind is helped */
    MOST_CHUNKS = 256,
    CHUNK_BINS =
        4, /* keys of a chunk for each bin at least, that counters are worth their clearing */
    CHUNK_ALIGNMENT = 1024
};

enum { KEYS, SCAN, FILL };
static const char *const NAMES[CLS_MOST_KERNELS + 1] = {"count_keys", "count_scan", "count_fill",
                                                        NULL};
static const char *const FILES[] = {"types.cl", "keys.cl", "stream.cl", "count.cl", NULL};

enum { TABLE = CLS_OWN_REGIONS, STARTS, REGIONS };
_Static_assert((int)REGIONS <= (int)CLS_MOST_REGIONS, "too many regions");

static bool supports(const struct cls_caps *caps, const struct cls_shape *shape,
                     const struct cls_parameters *parameters, struct cls_tuning *tuning,
                     const char **why)
{
    (void)parameters;
    if (!cls_has_workers(caps, why))
        return false;
    if (shape->key_bytes > 2 || shape->value_bytes > 0 || cls_hides_bits(shape)) {
        *why =
            "it counts keys of 8 or 16 bits alone, that are equal in all their bits or not at all";
        return false;
    }
    *tuning = (struct cls_tuning){
        .group_size = 1,
        .bits = 8 * shape->key_bytes,
        .units = caps->units,
        .most_items = cls_countable(caps, shape),
    };
    return true;
}

static unsigned chunks_of(const struct cls_tuning *tuning, uint64_t count)
{
    const uint64_t most = cls_divide_up(count, (uint64_t)CHUNK_BINS << tuning->bits);
    uint64_t chunks = (uint64_t)tuning->units * CHUNKS_PER_UNIT;
    chunks = chunks < MOST_CHUNKS ? chunks : MOST_CHUNKS;
    return (unsigned)(chunks < most ? chunks : most);
}

static size_t scratch(const struct cls_tuning *tuning, const struct cls_shape *shape,
                      uint64_t count, uint64_t *bytes)
{
    const uint64_t bins = (uint64_t)1 << tuning->bits;
    bytes[CLS_CONTROL] = bytes[CLS_KEYS] = bytes[CLS_VALUES] = 0;
    bytes[TABLE] = chunks_of(tuning, count) * bins * (shape->index_bits / 8);
    bytes[STARTS] = (bins + 1) * (shape->index_bits / 8);
    return REGIONS;
}

static cl_int prepare(struct cls_device *device, const struct cls_tuning *tuning,
                      const struct cls_shape *shape, cl_kernel *kernels)
{
    (void)tuning;
    char line[256];
    struct cls_text options = CLS_TEXT(line);
    cls_shape_options(shape, &options);
    const struct cls_code code = {FILES, line, NULL};
    return cls_kernels_create(device, &code, NAMES, 1, kernels);
}

static cl_int enqueue(const cl_kernel *kernels, const struct cls_tuning *tuning,
                      const struct cls_shape *shape, const struct cls_job *job,
                      struct cls_chain *chain)
{
    const struct cls_places *places = &job->places;
    const unsigned chunks = chunks_of(tuning, places->count);
    const uint64_t chunk =
        cls_divide_up(cls_divide_up(places->count, chunks), CHUNK_ALIGNMENT) * CHUNK_ALIGNMENT;

    struct cls_launch launch = cls_launch(kernels[KEYS]);
    cls_arg_buffer(&launch, places->keys_in);
    cls_arg_buffer(&launch, job->scratch[TABLE]);
    cls_arg_index(&launch, shape, places->count);
    cls_arg_index(&launch, shape, chunk);
    cl_int status = cls_run(chain, &launch, chunks, 1);
    if (status != CL_SUCCESS)
        return status;

    launch = cls_launch(kernels[SCAN]);
    cls_arg_buffer(&launch, job->scratch[TABLE]);
    cls_arg_buffer(&launch, job->scratch[STARTS]);
    cls_arg_uint(&launch, chunks);
    cls_arg_key(&launch, shape, shape->flip);
    status = cls_run(chain, &launch, 1, 1);
    if (status != CL_SUCCESS)
        return status;

    launch = cls_launch(kernels[FILL]);
    cls_arg_buffer(&launch, job->scratch[STARTS]);
    cls_arg_buffer(&launch, places->keys_out);
    cls_arg_index(&launch, shape, places->count);
    cls_arg_index(&launch, shape, chunk);
    cls_arg_key(&launch, shape, shape->flip);
    return cls_run(chain, &launch, chunks, 1);
}

static uint64_t traffic(const struct cls_tuning *tuning, const struct cls_shape *shape,
                        uint64_t count)
{
    (void)tuning;
    (void)count;
    return cls_copy_bytes(shape);
}

/* Several chunks, the last of which ends early. */
static uint64_t trial(struct cls_tuning *tuning)
{
    return ((uint64_t)CHUNK_BINS << tuning->bits) + 1;
}

static void describe(const struct cls_tuning *tuning, const struct cls_shape *shape, uint64_t count,
                     struct cls_text *text)
{
    (void)shape;
    cls_text_add(text, "%u bins, chunks: %u", 1u << tuning->bits, chunks_of(tuning, count));
}

const struct cls_algo cls_algo_count = {
    .name = "count",
    .traits = CLS_STABLE,
    .supports = supports,
    .scratch = scratch,
    .prepare = prepare,
    .enqueue = enqueue,
    .traffic = traffic,
    .trial = trial,
    .describe = describe,
};
