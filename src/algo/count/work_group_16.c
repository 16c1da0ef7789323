/* work_group_16.c - counting sort of 16-bit keys for work-groups (cl/count/work_group_16.cl) */
#include "algo/common/arguments.h"
#include "algo/common/limits.h"
#include "algo/common/programs.h"
#include "algo/count/count.h"
#include "cl/count/layout.h"

enum {
    GROUP_SIZE = 256, /* six groups, with 32 KiB of counters each, fill an H200's compute unit */
    GROUPS_PER_UNIT = CLS_COUNT_MAX_GROUPS_PER_UNIT,
    NVIDIA_REGISTERS = 40,   /* of a work-item: six groups share the 65536 of a compute unit */
    FILLERS_PER_UNIT = 4096, /* work-items that write the output; short runs take longer to write */
    CLEARED_WORDS = 8,       /* of the carries, by a work-item */
    SPREAD_GROUPS = 2, /* per compute unit, which count few keys faster than fewer groups do */
    MIN_SPREAD_CHUNK = 4 << 10,                 /* keys of each of these groups */
    MIN_CHUNK = 16 << 10,                       /* keys of each group if there are more */
    MAX_PARTS = COUNT_WORDS / COUNT_BLOCK_BINS, /* a group of the sum reads one part only */
    TABLE_BYTES = COUNT_WORDS * sizeof(cls_u32) /* of a chunk */
};

/* A bin's number of carries has 32 bits. */
static const uint64_t MAX_COUNT = (((uint64_t)COUNT_FIELD_MAX + 1) << 32) - 1;

enum { CLEAR, HISTOGRAM, SUM, FILL };
static const char *const NAMES[] = {"count_16_clear", "count_16_histogram", "count_16_sum",
                                    "count_16_fill", NULL};

enum { TABLE = CLS_OWN_REGIONS, CARRIES, BLOCK_COUNTS, OFFSETS, REGIONS };
_Static_assert((int)REGIONS <= (int)CLS_MAX_REGIONS, "too many regions");

/* -- tuning ------------------------------------------------------------------------------------ */

/* Returns an upper bound of the local memory that a kernel uses. */
static uint64_t local_bytes(const struct cls_tuning *tuning, const struct cls_spec *spec)
{
    const uint64_t index_bytes = spec->index_bits / 8, group = tuning->group_size;
    const uint64_t wide = COUNT_WIDE * 2 * sizeof(cls_u32);
    const uint64_t counters = TABLE_BYTES / tuning->count_work_group.parts + wide;
    const uint64_t starts = (COUNT_BLOCKS + 2) * index_bytes + 2 * sizeof(cls_u64) * group;
    const uint64_t sums = (group + COUNT_BLOCK_BINS * COUNT_FIELDS) * index_bytes;
    return cls_max(cls_max(counters, starts), sums) + 64;
}

/* Uses more parts of the counters, then smaller groups. Returns false if that is not enough. */
static bool fit_local_memory(const struct cls_caps *caps, const struct cls_spec *spec,
                             struct cls_tuning *tuning)
{
    while (local_bytes(tuning, spec) > caps->local_bytes) {
        struct cls_tuning smaller = *tuning;
        smaller.count_work_group.parts *= 2;
        if (smaller.count_work_group.parts <= MAX_PARTS &&
            local_bytes(&smaller, spec) < local_bytes(tuning, spec))
            *tuning = smaller;
        else if (tuning->group_size > 1)
            tuning->group_size /= 2;
        else
            return false;
    }
    return true;
}

static bool supports(const struct cls_caps *caps, const struct cls_spec *spec,
                     const struct cls_parameters *parameters, struct cls_tuning *tuning,
                     const char **why)
{
    (void)parameters;
    if (!cls_count_supports(spec, why))
        return false;
    if (spec->key_bytes != 2) {
        *why = "this variant supports keys of 16 bits only";
        return false;
    }
    *tuning = cls_count_tuning(caps, spec, GROUP_SIZE);
    tuning->max_count = cls_min(tuning->max_count, MAX_COUNT);
    if (!fit_local_memory(caps, spec, tuning)) {
        *why = "the device has too little local memory";
        return false;
    }
    if (caps->max_iterations < UINT64_MAX &&
        !cls_count_limit_iterations(caps->max_iterations, TABLE_BYTES, tuning)) {
        *why = "this driver aborts loops after too few iterations";
        return false;
    }
    return true;
}

/* Returns the number of chunks: whole waves of groups that run at the same time, unless the chunks
 * would be too small: the sum reads 32 KiB for each. */
static uint64_t chunks_of(const struct cls_tuning *tuning, uint64_t count)
{
    const uint64_t wave = (uint64_t)tuning->count_work_group.units * GROUPS_PER_UNIT;
    const uint64_t waves = cls_divide_up(count, wave * CLS_COUNT_MAX_CHUNK_16);
    const uint64_t spread = cls_min((uint64_t)tuning->count_work_group.units * SPREAD_GROUPS,
                                    cls_divide_up(count, MIN_SPREAD_CHUNK));
    const uint64_t useful = cls_min(wave * waves, cls_max(spread, cls_divide_up(count, MIN_CHUNK)));
    return cls_count_chunks(tuning, TABLE_BYTES, useful, count);
}

static void schedule(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_schedule *schedule)
{
    const uint64_t index_bytes = spec->index_bits / 8, chunks = chunks_of(tuning, count);
    uint64_t *bytes = schedule->region_bytes;
    schedule->count_work_group = cls_count_divide(tuning, chunks, count);
    schedule->regions = REGIONS;
    bytes[CLS_CONTROL] = bytes[CLS_KEYS] = bytes[CLS_VALUES] = 0;
    bytes[TABLE] = chunks * TABLE_BYTES;
    bytes[CARRIES] = COUNT_CARRIES * sizeof(cls_u32);
    bytes[BLOCK_COUNTS] = COUNT_BLOCKS * index_bytes;
    bytes[OFFSETS] = ((uint64_t)COUNT_BINS_16 + 1) * index_bytes;
}

static size_t programs(const struct cls_caps *caps, const struct cls_tuning *tuning,
                       const struct cls_spec *spec, struct cls_program_spec *programs)
{
    cls_program_begin(programs, "count/work_group_16.cl", NAMES, tuning->group_size, spec);
    cls_text_add(&programs->options, " -DGROUP_SIZE=%u -DPARTS=%u", tuning->group_size,
                 tuning->count_work_group.parts);
    if (caps->sub_group_backend == CLS_SUB_GROUP_NVIDIA)
        cls_text_add(&programs->options, " -cl-nv-maxrregcount=%d", NVIDIA_REGISTERS);
    return 1;
}

/* -- launches ---------------------------------------------------------------------------------- */

static cl_int clear(const struct cls_sort *sort)
{
    struct cls_launch launch = cls_launch(sort->kernels[CLEAR]);
    cls_arg_buffer(&launch, sort->scratch[CARRIES]);
    return cls_launch_enqueue(sort->chain, &launch,
                              COUNT_CARRIES / (CLEARED_WORDS * sort->tuning->group_size),
                              sort->tuning->group_size);
}

static cl_int histogram(const struct cls_sort *sort)
{
    struct cls_launch launch = cls_launch(sort->kernels[HISTOGRAM]);
    cls_arg_buffer(&launch, sort->arrays->keys_in);
    cls_arg_buffer(&launch, sort->scratch[TABLE]);
    cls_arg_buffer(&launch, sort->scratch[CARRIES]);
    cls_arg_index(&launch, sort->spec, sort->arrays->count);
    cls_arg_uint(&launch, (uint32_t)sort->schedule->count_work_group.chunk);
    return cls_launch_enqueue(sort->chain, &launch, sort->schedule->count_work_group.chunks,
                              sort->tuning->group_size);
}

static cl_int sum(const struct cls_sort *sort)
{
    struct cls_launch launch = cls_launch(sort->kernels[SUM]);
    cls_arg_buffer(&launch, sort->scratch[TABLE]);
    cls_arg_buffer(&launch, sort->scratch[CARRIES]);
    cls_arg_buffer(&launch, sort->scratch[BLOCK_COUNTS]);
    cls_arg_buffer(&launch, sort->scratch[OFFSETS]);
    cls_arg_uint(&launch, sort->schedule->count_work_group.chunks);
    cls_arg_key(&launch, sort->spec, sort->spec->flip);
    return cls_launch_enqueue(sort->chain, &launch, COUNT_WORDS / COUNT_BLOCK_BINS,
                              sort->tuning->group_size);
}

static cl_int fill(const struct cls_sort *sort)
{
    const uint64_t count = sort->arrays->count;
    const uint32_t section = cls_count_section(sort->tuning, FILLERS_PER_UNIT, count);
    struct cls_launch launch = cls_launch(sort->kernels[FILL]);
    cls_arg_buffer(&launch, sort->scratch[BLOCK_COUNTS]);
    cls_arg_buffer(&launch, sort->scratch[OFFSETS]);
    cls_arg_buffer(&launch, sort->arrays->keys_out);
    cls_arg_index(&launch, sort->spec, count);
    cls_arg_uint(&launch, section);
    cls_arg_key(&launch, sort->spec, sort->spec->flip);
    return cls_launch_enqueue(sort->chain, &launch, (size_t)cls_divide_up(count, section),
                              sort->tuning->group_size);
}

static cl_int enqueue(const struct cls_sort *sort)
{
    cl_int status = clear(sort);
    if (status == CL_SUCCESS)
        status = histogram(sort);
    if (status == CL_SUCCESS)
        status = sum(sort);
    return status == CL_SUCCESS ? fill(sort) : status;
}

/* -- for the planner --------------------------------------------------------------------------- */

/* The sort has several chunks, the last of which is incomplete. */
static uint64_t self_test_count(struct cls_tuning *tuning)
{
    tuning->count_work_group.units = 1;
    return 2 * cls_max(CLS_COUNT_MIN_TILES * cls_count_tile(tuning), MIN_CHUNK) + 1;
}

static void describe(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_text *text)
{
    (void)spec;
    cls_text_add(text, "%u bins, chunks: %llu, groups of %u", (unsigned)COUNT_BINS_16,
                 (unsigned long long)chunks_of(tuning, count), tuning->group_size);
}

const struct cls_algo cls_algo_count_work_group_16 = {
    .name = "count",
    .operations = CLS_OPERATION(CLSORT_SORT),
    .traits = CLS_STABLE,
    .primitives = CLS_WORK_GROUP_PRIMITIVES,
    .is_for_gpus = true,
    .few_keys_bytes = 2,
    .supports = supports,
    .schedule = schedule,
    .programs = programs,
    .enqueue = enqueue,
    .bytes_per_element = cls_count_bytes_per_element,
    .self_test_count = self_test_count,
    .describe = describe,
};
