/* cores.c - counting sort of 8-bit and 16-bit keys without values, for CPUs (cl/count/cores.cl) */
#include "algo/common/arguments.h"
#include "algo/common/limits.h"
#include "algo/common/programs.h"
#include "algo/count/count.h"

enum {
    CHUNKS_PER_UNIT = 4, /* balances the load between cores */
    MAX_CHUNKS = 256,
    MIN_KEYS_PER_BIN = 4, /* in a chunk, so that it is worth the clearing of its counters */
    CHUNK_ALIGNMENT = 1024
};

enum { HISTOGRAM, SCAN, FILL };
static const char *const NAMES[] = {"count_cores_histogram", "count_cores_scan", "count_cores_fill",
                                    NULL};

enum { TABLE = CLS_OWN_REGIONS, STARTS, REGIONS };
_Static_assert((int)REGIONS <= (int)CLS_MAX_REGIONS, "too many regions");

static bool supports(const struct cls_caps *caps, const struct cls_spec *spec,
                     const struct cls_parameters *parameters, struct cls_tuning *tuning,
                     const char **why)
{
    (void)parameters;
    if (!cls_count_supports(spec, why) || !cls_allows_long_work_items(caps, why))
        return false;
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
    const uint64_t min_chunk = (uint64_t)MIN_KEYS_PER_BIN << tuning->count_cores.bits;
    const uint64_t chunks =
        cls_min((uint64_t)tuning->count_cores.units * CHUNKS_PER_UNIT, MAX_CHUNKS);
    return (unsigned)cls_min(chunks, cls_divide_up(count, min_chunk));
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

static cl_int histogram(const struct cls_sort *sort)
{
    const struct cls_count_cores_schedule *schedule = &sort->schedule->count_cores;
    struct cls_launch launch = cls_launch(sort->kernels[HISTOGRAM]);
    cls_arg_buffer(&launch, sort->arrays->keys_in);
    cls_arg_buffer(&launch, sort->scratch[TABLE]);
    cls_arg_index(&launch, sort->spec, sort->arrays->count);
    cls_arg_index(&launch, sort->spec, schedule->chunk);
    return cls_launch_enqueue(sort->chain, &launch, schedule->chunks, 1);
}

static cl_int scan(const struct cls_sort *sort)
{
    struct cls_launch launch = cls_launch(sort->kernels[SCAN]);
    cls_arg_buffer(&launch, sort->scratch[TABLE]);
    cls_arg_buffer(&launch, sort->scratch[STARTS]);
    cls_arg_uint(&launch, sort->schedule->count_cores.chunks);
    cls_arg_key(&launch, sort->spec, sort->spec->flip);
    return cls_launch_enqueue(sort->chain, &launch, 1, 1);
}

static cl_int fill(const struct cls_sort *sort)
{
    const struct cls_count_cores_schedule *schedule = &sort->schedule->count_cores;
    struct cls_launch launch = cls_launch(sort->kernels[FILL]);
    cls_arg_buffer(&launch, sort->scratch[STARTS]);
    cls_arg_buffer(&launch, sort->arrays->keys_out);
    cls_arg_index(&launch, sort->spec, sort->arrays->count);
    cls_arg_index(&launch, sort->spec, schedule->chunk);
    cls_arg_key(&launch, sort->spec, sort->spec->flip);
    return cls_launch_enqueue(sort->chain, &launch, schedule->chunks, 1);
}

static cl_int enqueue(const struct cls_sort *sort)
{
    cl_int status = histogram(sort);
    if (status == CL_SUCCESS)
        status = scan(sort);
    return status == CL_SUCCESS ? fill(sort) : status;
}

static uint64_t bytes_per_element(const struct cls_tuning *tuning, const struct cls_spec *spec,
                                  uint64_t count)
{
    (void)tuning;
    (void)count;
    return cls_copy_bytes(spec);
}

/* The sort has two chunks, the last of which is incomplete. */
static uint64_t self_test_count(struct cls_tuning *tuning)
{
    return ((uint64_t)MIN_KEYS_PER_BIN << tuning->count_cores.bits) + 1;
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
