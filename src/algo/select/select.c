/* select.c - selects the k first elements of the input (cl/select) */
#include "algo/select/select.h"

#include "algo/common/limits.h"
#include "algo/common/programs.h"
#include "cl/select/sizes.h"
#include "device/sub_group.h"

enum {
    GPU_GROUP_SIZE = 256,
    GPU_BITS = 8,
    CPU_BITS = 11,
    CPU_CHUNKS_PER_UNIT = 4,
    GPU_CHUNKS_PER_UNIT = 8,
    MIN_CHUNK = 1 << 14,
    /* Groups of select_rounds, each of which takes several chunks. Measured: fewer of them take longer, and twice as
     * many take no less time. */
    GPU_ROUND_GROUPS_PER_UNIT = 4,
    /* Chunks of a part of a round, if they have few candidates: each is read by a sub-group of 32. */
    GPU_PART_CHUNKS = 8,
    MIN_SHARED_CHUNKS_PER_UNIT = 2, /* parts of fewer chunks would leave units idle */
    GPU_ROWS = 8,                   /* histograms that chunks share */
    GPU_SAMPLE_GROUPS = 32,         /* each has a row of the table, too */
    MAX_CHUNK = 1 << 30,            /* histograms have 32-bit counters */
    /* Upper bounds of a work-item's loop iterations for a tile or a block of candidates, and for a
     * key of the sample that it reads. */
    ITERATIONS_PER_TILE = 128,
    ITERATIONS_PER_SAMPLE = 64
};

enum { SAMPLE, BRACKET, FILTER, PLAN, HISTOGRAM, NARROW, COUNT, OFFSETS, EMIT, PARTITION };
/* The first kernel is for counts in device memory only. */
static const char *const KERNELS[] = {"select_size",   "select_sample",    "select_bracket",
                                      "select_filter", "select_plan",      "select_histogram",
                                      "select_narrow", "select_count",     "select_offsets",
                                      "select_emit",   "select_partition", NULL};

/* With the plan and all rounds in one launch. */
enum { ALL_ROUNDS = PLAN, ALL_EMIT, ALL_PARTITION };
static const char *const ALL_KERNELS[] = {
    "select_size",   "select_sample", "select_bracket",   "select_filter",
    "select_rounds", "select_emit",   "select_partition", NULL};

static bool is_counted(const struct cls_select *select)
{
    return select->spec.count_bytes > 0;
}

/* Returns whether the rounds wait for each other in one launch. */
static bool launches_rounds_together(const struct cls_select *select)
{
    return !select->is_for_cores && cls_started_groups_progress(&select->caps, select->group_size);
}

static unsigned digit_bits(const struct cls_select *select)
{
    return select->is_for_cores ? CPU_BITS : GPU_BITS;
}

/* Returns the wanted number of elements for each key of the sample, if k elements are selected. */
static uint32_t keys_per_sample(const struct cls_select *select, uint64_t k)
{
    return select->is_for_cores  ? CLS_SELECT_CPU_KEYS_PER_SAMPLE
           : k <= CLS_SELECT_FEW ? CLS_SELECT_GPU_KEYS_PER_SAMPLE_OF_FEW
                                 : CLS_SELECT_GPU_KEYS_PER_SAMPLE;
}

/* Limits the sizes of chunks and inputs, so that no work-item exceeds max_iterations. select_filter
 * and select_emit iterate over a chunk, select_narrow over all chunks, and select_sample over the
 * sample. */
static void limit_iterations(struct cls_select *select, uint64_t max_iterations)
{
    const uint64_t tile = (uint64_t)select->group_size * CLS_SELECT_TILE_ITEMS;
    const uint64_t per_chunk = cls_divide_up((uint64_t)1 << GPU_BITS, select->group_size);
    const uint64_t samples = max_iterations / ITERATIONS_PER_SAMPLE * select->group_size;
    const uint64_t chunk = max_iterations / ITERATIONS_PER_TILE * cls_min(SELECT_BLOCK, tile);
    select->max_chunk = cls_max(chunk / tile, 1) * tile;
    select->max_count =
        cls_min(select->max_count, select->max_chunk * (max_iterations / 2 / per_chunk));
    if (samples < CLS_SELECT_MIN_SAMPLES)
        select->max_count = cls_min(select->max_count, samples);
    else if (samples < CLS_SELECT_MAX_SAMPLES)
        select->max_count =
            cls_min(select->max_count, samples * keys_per_sample(select, select->max_count));
}

struct cls_select cls_select_for(const struct cls_caps *caps, const struct cls_spec *spec)
{
    const char *why;
    struct cls_select select = {
        .spec = *spec,
        .is_for_cores = cls_allows_long_work_items(caps, &why),
        .group_size = 1,
        .units = caps->units,
        .max_chunk = MAX_CHUNK,
        .max_count = cls_max_countable(caps, spec),
    };
    if (select.is_for_cores)
        return select;
    select.caps = *caps;
    select.group_size = cls_fit_group_size(caps, GPU_GROUP_SIZE);
    if (caps->max_iterations < UINT64_MAX)
        limit_iterations(&select, caps->max_iterations);
    return select;
}

/* -- the schedule ------------------------------------------------------------------------------ */

/* Returns what the bracket of set_ranks() is expected to have, and at least four standard deviations more. */
static uint64_t bracket_candidates(const struct cls_select *select, uint64_t count, uint64_t k)
{
    const uint64_t q = cls_select_keys_per_sample(count, keys_per_sample(select, k));
    const uint64_t output = cls_min(k, count / CLS_SELECT_CANDIDATES_DIVISOR),
                   slack = 16 * (cls_select_root(k) + 1) * (cls_select_root(q) + 1) + 32 * q;
    return cls_min(count, output + slack);
}

/* Returns the maximum number of candidates. Monotonic, although the smaller sample of CLS_SELECT_FEW elements leaves
 * more of them than that of some more elements. */
static uint64_t max_candidates(const struct cls_select *select, uint64_t count, uint64_t k)
{
    return cls_max(bracket_candidates(select, count, k),
                   bracket_candidates(select, count, cls_min(k, CLS_SELECT_FEW)));
}

/* Returns the number of elements of a tile. */
static uint64_t tile_items(const struct cls_select *select)
{
    return (uint64_t)select->group_size * CLS_SELECT_TILE_ITEMS;
}

/* Returns the number of chunks. Monotonic. */
static uint64_t max_chunks(const struct cls_select *select, uint64_t count)
{
    const uint64_t per_unit = select->is_for_cores ? CPU_CHUNKS_PER_UNIT : GPU_CHUNKS_PER_UNIT;
    const uint64_t useful = cls_min(cls_divide_up(count, MIN_CHUNK), select->units * per_unit);
    return cls_max(useful, cls_divide_up(count, select->max_chunk));
}

/* Returns the number of histograms in which chunks are counted. Their counters have 32 bits. */
static uint64_t table_rows(const struct cls_select *select, uint64_t count, uint64_t chunks)
{
    const uint64_t countable = cls_divide_up(count, MAX_CHUNK);
    return select->is_for_cores ? chunks : cls_min(chunks, cls_max(countable, GPU_ROWS));
}

/* Returns the number of chunks of a part of a round, whose keys are counted together. Chunks that have a row of the
 * table each are parts of their own. */
static cl_uint part_chunks(const struct cls_select *select, const cls_select_args *args)
{
    const bool has_few = !select->is_for_cores && args->k <= CLS_SELECT_FEW;
    const uint64_t min_chunks =
        cls_max((uint64_t)MIN_SHARED_CHUNKS_PER_UNIT * select->units, args->rows + 1);
    const bool is_countable = (uint64_t)args->chunk * GPU_PART_CHUNKS <= MAX_CHUNK;
    return has_few && is_countable && args->chunks >= min_chunks
               ? (cl_uint)cls_min(GPU_PART_CHUNKS, select->group_size)
               : 1;
}

/* Returns the number of work-groups that take the sample. */
static size_t sample_groups(const struct cls_select *select, uint64_t samples)
{
    const uint64_t useful = cls_max(cls_divide_up(samples, select->group_size), 1);
    return select->is_for_cores ? 1 : (size_t)cls_min(useful, GPU_SAMPLE_GROUPS);
}

/* Places a region in scratch, and returns its offset. */
static uint64_t place(uint64_t *end, uint64_t bytes)
{
    const uint64_t at = *end;
    *end += cls_round_up(bytes, CLS_REGION_ALIGNMENT);
    return at;
}

/* Sets everything in *args that depends on the size of the input, which is at least 1, and returns the size
 * of scratch. args->is_nth must be set before. */
static uint64_t schedule(const struct cls_select *select, uint64_t count, uint64_t k,
                         cls_select_args *args)
{
    const struct cls_spec *spec = &select->spec;
    const uint64_t chunks = max_chunks(select, count),
                   candidates = max_candidates(select, count, k);
    const uint64_t blocks = cls_divide_up(candidates, SELECT_BLOCK) + chunks;
    uint64_t end = cls_round_up(sizeof(cls_select_control), CLS_REGION_ALIGNMENT);
    *args = (cls_select_args){
        .is_nth = args->is_nth,
        .count = count,
        .k = k,
        .flip = spec->flip,
        .window = cls_compared_mask(spec),
        .blocks = (cls_u32)blocks,
        .begin_bit = spec->begin_bit,
        .end_bit = spec->end_bit,
        .keys_per_sample = keys_per_sample(select, k),
    };
    cls_select_set_sizes(args, chunks, tile_items(select));
    args->chunks = (cls_u32)cls_divide_up(count, args->chunk);
    args->chunks_at = place(&end, chunks * sizeof(cls_select_chunk));
    args->rows = (cls_u32)table_rows(select, count, args->chunks);
    args->part_chunks = part_chunks(select, args);
    const uint64_t rows = cls_max(table_rows(select, count, chunks),
                                  select->is_for_cores ? 1 : (uint64_t)GPU_SAMPLE_GROUPS);
    args->table_at = place(&end, (rows << digit_bits(select)) * sizeof(cls_u32));
    args->sample_at = place(&end, cls_min(count, CLS_SELECT_MAX_SAMPLES) * spec->key_bytes);
    args->links_at = place(&end, blocks * sizeof(cls_u32));
    args->keys_at = place(&end, blocks * SELECT_BLOCK * spec->key_bytes);
    args->indexes_at = place(&end, blocks * SELECT_BLOCK * (spec->index_bits / 8));
    return end;
}

uint64_t cls_select_scratch(const struct cls_select *select, uint64_t count, uint64_t k)
{
    cls_select_args args = {0};
    return schedule(select, count, k, &args);
}

void cls_select_program(const struct cls_select *select, struct cls_program_spec *program)
{
    const bool together = launches_rounds_together(select);
    const char *const *kernels = together ? ALL_KERNELS : KERNELS;
    const char *root = together               ? "select/all_rounds.cl"
                       : select->is_for_cores ? "select/cores.cl"
                                              : "select/work_group.cl";
    cls_program_begin(program, root, kernels + !is_counted(select), select->group_size,
                      &select->spec);
    cls_text_add(&program->options, " -DBITS=%u -DGROUP_SIZE=%u", digit_bits(select),
                 select->group_size);
    if (!select->is_for_cores)
        cls_sub_group_options(&select->caps, &program->options);
}

uint64_t cls_select_bytes_per_element(const struct cls_select *select, uint64_t count, uint64_t k)
{
    const bool reads_twice = k > count / CLS_SELECT_CANDIDATES_DIVISOR;
    return select->spec.key_bytes * (reads_twice ? 2u : 1u);
}

/* -- launches ---------------------------------------------------------------------------------- */

/* A selection that is being enqueued. */
struct selection {
    const cl_kernel *kernels; /* from select_sample on */
    const struct cls_select *select;
    const struct cls_select_job *job;
    struct cls_chain *chain;
    cls_select_args args;
};

/* Enqueues a kernel that takes no arguments but scratch. */
static cl_int run_plan(const struct selection *s, unsigned kernel, size_t groups)
{
    struct cls_launch launch = cls_launch(s->kernels[kernel]);
    cls_arg_buffer(&launch, s->job->scratch);
    cls_arg_struct(&launch, &s->args, sizeof s->args);
    return cls_launch_enqueue(s->chain, &launch, groups, s->select->group_size);
}

/* Enqueues the kernel that selects the bracket from the sample. sample_groups: the number of work-groups that took
 * the sample. */
static cl_int run_bracket(const struct selection *s, cl_uint sample_groups)
{
    struct cls_launch launch = cls_launch(s->kernels[BRACKET]);
    cls_arg_buffer(&launch, s->job->scratch);
    cls_arg_uint(&launch, sample_groups);
    cls_arg_struct(&launch, &s->args, sizeof s->args);
    return cls_launch_enqueue(s->chain, &launch, 2, s->select->group_size);
}

/* Enqueues a kernel that reads the keys. */
static cl_int run_read(const struct selection *s, unsigned kernel, size_t groups)
{
    struct cls_launch launch = cls_launch(s->kernels[kernel]);
    cls_arg_buffer(&launch, s->job->scratch);
    cls_arg_buffer(&launch, s->job->keys_in);
    cls_arg_struct(&launch, &s->args, sizeof s->args);
    return cls_launch_enqueue(s->chain, &launch, groups, s->select->group_size);
}

/* Enqueues the kernel that writes the output. */
static cl_int run_output(const struct selection *s, unsigned kernel)
{
    const struct cls_select_job *job = s->job;
    struct cls_launch launch = cls_launch(s->kernels[kernel]);
    cls_arg_buffer(&launch, job->scratch);
    cls_arg_buffer(&launch, job->keys_in);
    /* The kernel needs some buffer, even if it does not write to it. */
    cls_arg_buffer(&launch, job->keys_out.mem ? job->keys_out : job->scratch);
    cls_arg_buffer(&launch, job->indexes_out.mem ? job->indexes_out : job->scratch);
    cls_arg_struct(&launch, &s->args, sizeof s->args);
    return cls_launch_enqueue(s->chain, &launch, s->args.chunks, s->select->group_size);
}

/* Enqueues the kernel that reads the count in device memory, and writes what depends on it to scratch. */
static cl_int run_size(const struct selection *s)
{
    const clsort_buffer result = s->job->result;
    struct cls_launch launch = cls_launch(s->kernels[-1]);
    /* The kernel needs both buffers, also if it does not write to one of them. */
    cls_arg_buffer(&launch, s->job->scratch.mem ? s->job->scratch : result);
    cls_arg_buffer(&launch, result.mem ? result : s->job->scratch);
    cls_arg_buffer(&launch, s->job->count_buffer);
    cls_arg_uint(&launch, s->job->scratch.mem != NULL);
    cls_arg_uint(&launch, result.mem != NULL);
    cls_arg_struct(&launch, &s->args, sizeof s->args);
    return cls_launch_enqueue(s->chain, &launch, 1, 1);
}

clsort_buffer cls_select_written(const struct cls_select_job *job)
{
    return (clsort_buffer){job->scratch.mem,
                           job->scratch.offset + offsetof(cls_select_control, written)};
}

cl_int cls_select_enqueue(const cl_kernel *kernels, const struct cls_select *select,
                          const struct cls_select_job *job, struct cls_chain *chain)
{
    struct selection s = {kernels + is_counted(select), select, job, chain, {.chunks = 1}};
    const unsigned width = select->spec.end_bit - select->spec.begin_bit;
    s.args.is_nth = job->is_nth;
    if (job->count > 0)
        schedule(select, job->count, job->k, &s.args);
    s.args.partitions = job->partitions;
    s.args.outputs =
        (job->keys_out.mem ? SELECT_KEYS : 0u) | (job->indexes_out.mem ? SELECT_INDEXES : 0u);
    if (job->obstacle == CLS_SELECT_BAD_BRACKET) {
        s.args.low_rank = 0;
        s.args.high_rank = 1;
    } else if (job->obstacle == CLS_SELECT_FEW_BLOCKS)
        s.args.blocks = s.args.chunks;

    cl_int status = is_counted(select) ? run_size(&s) : CL_SUCCESS;
    if (status != CL_SUCCESS || job->k == 0)
        return status;
    const size_t groups = sample_groups(select, s.args.samples),
                 parts = (size_t)cls_divide_up(s.args.chunks, s.args.part_chunks);
    status = run_read(&s, SAMPLE, groups);
    if (status == CL_SUCCESS)
        status = run_bracket(&s, (cl_uint)groups);
    if (status == CL_SUCCESS)
        status = run_read(&s, FILTER, s.args.chunks);
    if (launches_rounds_together(select)) {
        if (status == CL_SUCCESS)
            status =
                run_read(&s, ALL_ROUNDS, cls_min(parts, GPU_ROUND_GROUPS_PER_UNIT * select->units));
        return status == CL_SUCCESS ? run_output(&s, job->partitions ? ALL_PARTITION : ALL_EMIT)
                                    : status;
    }
    if (status == CL_SUCCESS)
        status = run_plan(&s, PLAN, 1);
    for (unsigned bits = 0; bits < width && status == CL_SUCCESS; bits += digit_bits(select)) {
        status = run_read(&s, HISTOGRAM, parts);
        if (status == CL_SUCCESS)
            status = run_plan(&s, NARROW, 1);
    }
    if (status == CL_SUCCESS)
        status = run_read(&s, COUNT, parts);
    if (status == CL_SUCCESS)
        status = run_plan(&s, OFFSETS, 1);
    return status == CL_SUCCESS ? run_output(&s, job->partitions ? PARTITION : EMIT) : status;
}
