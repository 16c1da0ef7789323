/* cores.c - counting sort of keys of 8 or 16 bits alone, for CPUs (count.cl) */
#include "algo/common/arguments.h"
#include "algo/common/limits.h"
#include "algo/common/programs.h"

enum {
    CHUNKS_PER_UNIT = 4, /* so that a core that falls behind is helped */
    MAX_CHUNKS = 256,
    CHUNK_BINS =
        4, /* keys of a chunk for each bin at least, that counters are worth their clearing */
    CHUNK_ALIGNMENT = 1024
};

enum { KEYS, SCAN, FILL };
static const char *const NAMES[] = {"count_keys", "count_scan", "count_fill", NULL};

enum { TABLE = CLS_OWN_REGIONS, STARTS, REGIONS };
_Static_assert((int)REGIONS <= (int)CLS_MAX_REGIONS, "too many regions");

static bool supports(const struct cls_caps *caps, const struct cls_spec *spec,
                     const struct cls_parameters *parameters, struct cls_tuning *tuning,
                     const char **why)
{
    (void)parameters;
    if (!cls_allows_long_work_items(caps, why))
        return false;
    if (spec->key_bytes > 2 || spec->value_bytes > 0 || cls_equal_keys_may_differ(spec)) {
        *why =
            "it counts keys of 8 or 16 bits alone, that are equal in all their bits or not at all";
        return false;
    }
    *tuning = (struct cls_tuning){
        .group_size = 1,
        .count_cores.bits = 8 * spec->key_bytes,
        .count_cores.units = caps->units,
        .max_count = cls_max_countable(caps, spec),
    };
    return true;
}

static unsigned chunks_of(const struct cls_tuning *tuning, uint64_t count)
{
    const uint64_t most = cls_divide_up(count, (uint64_t)CHUNK_BINS << tuning->count_cores.bits);
    uint64_t chunks = (uint64_t)tuning->count_cores.units * CHUNKS_PER_UNIT;
    chunks = chunks < MAX_CHUNKS ? chunks : MAX_CHUNKS;
    return (unsigned)(chunks < most ? chunks : most);
}

static void schedule(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_schedule *schedule)
{
    const uint64_t bins = (uint64_t)1 << tuning->count_cores.bits;
    const unsigned chunks = chunks_of(tuning, count);
    uint64_t *bytes = schedule->region_bytes;
    schedule->regions = REGIONS;
    schedule->count_cores = (struct cls_count_cores_schedule){
        .chunks = chunks,
        .chunk = cls_round_up(cls_divide_up(count, chunks), CHUNK_ALIGNMENT),
    };
    bytes[CLS_CONTROL] = bytes[CLS_KEYS] = bytes[CLS_VALUES] = 0;
    bytes[TABLE] = chunks * bins * (spec->index_bits / 8);
    bytes[STARTS] = (bins + 1) * (spec->index_bits / 8);
}

static size_t programs(const struct cls_caps *caps, const struct cls_tuning *tuning,
                       const struct cls_spec *spec, struct cls_program_spec *programs)
{
    (void)caps;
    (void)tuning;
    cls_program_begin(programs, "count/cores.cl", NAMES, 1, spec);
    return 1;
}

static cl_int enqueue(const struct cls_sort *sort)
{
    const struct cls_arrays *arrays = sort->arrays;
    const struct cls_spec *spec = sort->spec;
    const unsigned chunks = sort->schedule->count_cores.chunks;
    const uint64_t chunk = sort->schedule->count_cores.chunk;

    struct cls_launch launch = cls_launch(sort->kernels[KEYS]);
    cls_arg_buffer(&launch, arrays->keys_in);
    cls_arg_buffer(&launch, sort->scratch[TABLE]);
    cls_arg_index(&launch, spec, arrays->count);
    cls_arg_index(&launch, spec, chunk);
    cl_int status = cls_launch_enqueue(sort->chain, &launch, chunks, 1);
    if (status != CL_SUCCESS)
        return status;

    launch = cls_launch(sort->kernels[SCAN]);
    cls_arg_buffer(&launch, sort->scratch[TABLE]);
    cls_arg_buffer(&launch, sort->scratch[STARTS]);
    cls_arg_uint(&launch, chunks);
    cls_arg_key(&launch, spec, spec->flip);
    status = cls_launch_enqueue(sort->chain, &launch, 1, 1);
    if (status != CL_SUCCESS)
        return status;

    launch = cls_launch(sort->kernels[FILL]);
    cls_arg_buffer(&launch, sort->scratch[STARTS]);
    cls_arg_buffer(&launch, arrays->keys_out);
    cls_arg_index(&launch, spec, arrays->count);
    cls_arg_index(&launch, spec, chunk);
    cls_arg_key(&launch, spec, spec->flip);
    return cls_launch_enqueue(sort->chain, &launch, chunks, 1);
}

static uint64_t bytes_per_element(const struct cls_tuning *tuning, const struct cls_spec *spec,
                                  uint64_t count)
{
    (void)tuning;
    (void)count;
    return cls_copy_bytes(spec);
}

/* Several chunks, the last of which ends early. */
static uint64_t self_test_count(struct cls_tuning *tuning)
{
    return ((uint64_t)CHUNK_BINS << tuning->count_cores.bits) + 1;
}

static void describe(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_text *text)
{
    (void)spec;
    cls_text_add(text, "%u bins, chunks: %u", 1u << tuning->count_cores.bits,
                 chunks_of(tuning, count));
}

const struct cls_algo cls_algo_count_cores = {
    .name = "count",
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
