/* check.c - the algorithm of CLSORT_CHECK: finds the first violation of the order (cl/check/check.cl) */
#include "algo/common/arguments.h"
#include "algo/common/limits.h"
#include "algo/common/programs.h"
#include "cl/check/layout.h"

enum {
    GROUP_SIZE = 256,
    ITEMS = 8, /* keys of a work-item in a tile */
    CPU_CHUNKS_PER_UNIT = 8,
    GPU_CHUNKS_PER_UNIT = 8,
    CPU_MIN_CHUNK_BYTES = 1 << 16,
    CPU_MULTIPLE = 64, /* the keys of a step in cores.cl */
    CPU_BLOCK = 1 << 16,
    MAX_CHUNK = 1 << 30,
    MAX_CHUNKS = INT32_MAX,    /* the kernels number them with 32 bits */
    CPU_MAX_KEY_BYTES = 32768, /* with the copies of keys, less than 1 MiB of a thread's stack */
    GPU_MAX_KEY_BYTES = 1024,
    ITERATIONS_PER_TILE = 16 /* an upper bound for a work-item, without those for columns */
};

enum { BEGIN, CHUNKS, RESULT };
static const char *const NAMES[] = {"check_begin", "check_chunks", "check_result", NULL};

static bool supports_cores(const struct cls_caps *caps, const struct cls_spec *spec,
                           const struct cls_parameters *parameters, struct cls_tuning *tuning,
                           const char **why)
{
    const uint64_t min = CPU_MIN_CHUNK_BYTES / cls_compared_bytes(spec);
    (void)parameters;
    if (!cls_allows_long_work_items(caps, why) ||
        !cls_fits_private_memory(spec, CPU_MAX_KEY_BYTES, why))
        return false;
    *tuning = (struct cls_tuning){
        .group_size = 1,
        .max_count = cls_max_countable(caps, spec),
        .check = {.chunking = {.units = caps->units,
                               .per_unit = CPU_CHUNKS_PER_UNIT,
                               .min_chunk = cls_max(min, 1),
                               .max_chunk = MAX_CHUNK,
                               .multiple = min >= CPU_MULTIPLE ? CPU_MULTIPLE : 1},
                  .block = CPU_BLOCK},
    };
    return true;
}

static bool supports_groups(const struct cls_caps *caps, const struct cls_spec *spec,
                            const struct cls_parameters *parameters, struct cls_tuning *tuning,
                            const char **why)
{
    const unsigned group_size = cls_fit_group_size(caps, GROUP_SIZE);
    const uint64_t tile = (uint64_t)group_size * ITEMS;
    const uint64_t per_tile = ITERATIONS_PER_TILE + ITEMS * cls_iterations_per_comparison(spec);
    const uint64_t tiles = cls_max(caps->max_iterations / per_tile, 1);
    const uint64_t max_chunk = cls_min(tiles, MAX_CHUNK / tile) * tile;
    (void)parameters;
    if (!cls_fits_private_memory(spec, GPU_MAX_KEY_BYTES, why) || !cls_copies_keys(caps, spec, why))
        return false;
    *tuning = (struct cls_tuning){
        .group_size = group_size,
        .max_count = cls_min(cls_max_countable(caps, spec), MAX_CHUNKS * max_chunk),
        .check = {.chunking = {.units = caps->units,
                               .per_unit = GPU_CHUNKS_PER_UNIT,
                               .min_chunk = tile,
                               .max_chunk = max_chunk,
                               .multiple = tile}},
    };
    return true;
}

static void schedule(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_schedule *schedule)
{
    const struct cls_chunking *chunking = &tuning->check.chunking;
    struct cls_check_schedule *check = &schedule->check;
    (void)spec;
    schedule->regions = CLS_OWN_REGIONS;
    for (size_t i = 0; i < CLS_OWN_REGIONS; i++)
        schedule->region_bytes[i] = 0;
    if (count > 0)
        schedule->region_bytes[CLS_CONTROL] =
            sizeof(cls_check_control) + cls_max_chunks(chunking, count) * sizeof(cls_u64);
    check->chunk = count > 0 ? cls_chunk_size(chunking, count) : 0;
    check->chunks = count > 0 ? cls_divide_up(count, check->chunk) : 0;
}

static size_t programs_cores(const struct cls_caps *caps, const struct cls_tuning *tuning,
                             const struct cls_spec *spec, struct cls_program_spec *programs)
{
    (void)caps;
    cls_program_begin(programs, "check/cores.cl", NAMES, tuning->group_size, spec);
    cls_text_add(&programs->options, " -DGROUP_SIZE=1");
    return 1;
}

static size_t programs_groups(const struct cls_caps *caps, const struct cls_tuning *tuning,
                              const struct cls_spec *spec, struct cls_program_spec *programs)
{
    (void)caps;
    cls_program_begin(programs, "check/work_group.cl", NAMES, tuning->group_size, spec);
    cls_text_add(&programs->options, " -DGROUP_SIZE=%u -DITEMS=%d", tuning->group_size, ITEMS);
    return 1;
}

static cl_int begin(const struct cls_sort *sort)
{
    struct cls_launch launch = cls_launch(sort->kernels[BEGIN]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    return cls_launch_enqueue(sort->chain, &launch, 1, 1);
}

static cl_int check_chunks(const struct cls_sort *sort, const cls_check_args *args)
{
    struct cls_launch launch = cls_launch(sort->kernels[CHUNKS]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_arg_elements_in(&launch, sort);
    cls_arg_count(&launch, sort);
    cls_arg_struct(&launch, args, sizeof *args);
    cls_arg_order(&launch, sort->spec);
    return cls_launch_enqueue(sort->chain, &launch, (size_t)sort->schedule->check.chunks,
                              sort->tuning->group_size);
}

static cl_int write_result(const struct cls_sort *sort, const cls_check_args *args)
{
    struct cls_launch launch = cls_launch(sort->kernels[RESULT]);
    /* Without elements there is no scratch, which the kernel then does not access. */
    cls_arg_buffer(&launch, args->count > 0 ? sort->scratch[CLS_CONTROL] : sort->arrays->result);
    cls_arg_buffer(&launch, sort->arrays->result);
    cls_arg_count(&launch, sort);
    cls_arg_struct(&launch, args, sizeof *args);
    return cls_launch_enqueue(sort->chain, &launch, 1, 1);
}

static cl_int enqueue(const struct cls_sort *sort)
{
    const cls_check_args args = {.count = sort->arrays->count,
                                 .chunk = sort->schedule->check.chunk,
                                 .multiple = sort->tuning->check.chunking.multiple,
                                 .block = sort->tuning->check.block};
    cl_int status = args.count > 0 ? begin(sort) : CL_SUCCESS;
    if (status == CL_SUCCESS && args.count > 0)
        status = check_chunks(sort, &args);
    return status == CL_SUCCESS ? write_result(sort, &args) : status;
}

static uint64_t bytes_per_element(const struct cls_tuning *tuning, const struct cls_spec *spec,
                                  uint64_t count)
{
    (void)tuning;
    (void)count;
    return cls_compared_bytes(spec);
}

/* Two chunks of two blocks, the last of which is not full. */
static uint64_t self_test_count_cores(struct cls_tuning *tuning)
{
    enum { CHUNK = 4500 };
    tuning->check.chunking.units = 1;
    tuning->check.chunking.per_unit = 2;
    tuning->check.chunking.min_chunk = CHUNK;
    tuning->check.block = CHUNK / 2;
    return 2 * CHUNK + 1;
}

/* Two chunks of two tiles, the last of which is not full. */
static uint64_t self_test_count_groups(struct cls_tuning *tuning)
{
    tuning->check.chunking.units = 1;
    tuning->check.chunking.per_unit = 2;
    return 3 * tuning->check.chunking.multiple + 7;
}

static void describe(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_text *text)
{
    struct cls_schedule of;
    schedule(tuning, spec, count, &of);
    cls_text_add(text, "%llu chunks for %s", (unsigned long long)of.check.chunks,
                 tuning->group_size == 1 ? "cores" : "work-groups");
}

const struct cls_algo cls_algo_check_cores = {
    .name = "check",
    .operations = CLS_OPERATION(CLSORT_CHECK),
    .traits = CLS_STABLE | CLS_CUSTOM | CLS_COUNTS | CLS_COLUMNS,
    .supports = supports_cores,
    .schedule = schedule,
    .programs = programs_cores,
    .enqueue = enqueue,
    .bytes_per_element = bytes_per_element,
    .self_test_count = self_test_count_cores,
    .describe = describe,
};

const struct cls_algo cls_algo_check_work_group = {
    .name = "check",
    .operations = CLS_OPERATION(CLSORT_CHECK),
    .traits = CLS_STABLE | CLS_CUSTOM | CLS_COUNTS | CLS_COLUMNS,
    .supports = supports_groups,
    .schedule = schedule,
    .programs = programs_groups,
    .enqueue = enqueue,
    .bytes_per_element = bytes_per_element,
    .self_test_count = self_test_count_groups,
    .describe = describe,
};
