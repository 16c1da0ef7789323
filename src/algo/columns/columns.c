/* columns.c - the kernels of sorts by several columns or by byte strings (cl/columns) */
#include "algo/columns/columns.h"

#include "algo/common/arguments.h"
#include "algo/common/limits.h"
#include "algo/common/programs.h"
#include "cl/columns/layout.h"

enum {
    GPU_GROUP_SIZE = 256,
    GPU_GROUPS_PER_UNIT = 16, /* of kernels that read elements, which are far apart */
    CPU_CHUNKS_PER_UNIT = 8,  /* balance the load */
    MAX_RUN_CHUNKS = 256,     /* a work-item adds the counts of all chunks */
    MIN_RUN_CHUNK = 1 << 14,
    FLAGS_PER_WORD = 32,
    /* Loop iterations for each element, of all loops in the kernels. */
    ITERATIONS_PER_ELEMENT = 64,
    ENTER_ITERATIONS = 128 /* for each word of flags: a search, its segments and its indexes */
};

enum { SAMPLE, ENCODE, REPLAN, MARK, COUNT, LIST, LOAD, FINISH, SEGMENTS, INDEXES };
static const char *const NAMES[] = {"columns_sample", "columns_encode", "columns_replan",
                                    "columns_mark",   "columns_count",  "columns_list",
                                    "columns_load",   "columns_finish", NULL};
static const char *const SEGMENTED_NAMES[] = {"columns_sample",
                                              "columns_encode",
                                              "columns_replan",
                                              "columns_mark",
                                              "columns_count",
                                              "columns_list",
                                              "columns_load",
                                              "columns_finish",
                                              "columns_segments",
                                              "columns_indexes",
                                              NULL};

struct cls_column_kernels cls_columns_for(const struct cls_caps *caps, const struct cls_spec *spec,
                                          bool has_buffers, unsigned words)
{
    const char *why;
    /* A core loads all elements of a word of the flags itself: if the driver aborts long loops, the work-items of a
     * group share them. */
    const bool is_for_cores = cls_allows_long_work_items(caps, &why);
    const unsigned group_size = is_for_cores ? 1 : cls_fit_group_size(caps, GPU_GROUP_SIZE);
    const uint64_t per_element = (uint64_t)words * ITERATIONS_PER_ELEMENT;
    const uint64_t max_elements = caps->max_iterations < UINT64_MAX
                                      ? cls_max(caps->max_iterations / per_element, 1)
                                      : UINT32_MAX;
    const uint64_t max_chunk = max_elements * group_size * FLAGS_PER_WORD;
    return (struct cls_column_kernels){
        .spec = *spec,
        .has_buffers = has_buffers,
        .is_segmented = spec->segments != CLSORT_WHOLE,
        .words = words,
        .group_size = group_size,
        .units = caps->units,
        .max_chunk = max_chunk,
        .max_count = cls_min(cls_max_countable(caps, spec), max_chunk * MAX_RUN_CHUNKS - 1),
        .is_for_cores = is_for_cores,
    };
}

struct cls_columns_scratch cls_columns_scratch(uint64_t count)
{
    return (struct cls_columns_scratch){
        .control = sizeof(cls_columns_control),
        .chunks = MAX_RUN_CHUNKS * sizeof(cls_columns_chunk),
        .flags = (count / FLAGS_PER_WORD + 1) * sizeof(cls_u32),
        .packed = count * sizeof(cls_u64),
        .max_runs = count / (CLS_SHORT_RUN + 1),
    };
}

void cls_columns_program(const struct cls_column_kernels *columns, struct cls_program_spec *program)
{
    const struct cls_spec spec = {.key_bytes = sizeof(cls_u64),
                                  .value_bytes = columns->spec.value_bytes,
                                  .index_bits = columns->spec.index_bits,
                                  .count_bytes = columns->spec.count_bytes};
    cls_program_begin(program, "columns/columns.cl",
                      columns->is_segmented ? SEGMENTED_NAMES : NAMES, columns->group_size, &spec);
    cls_text_add(&program->options, " -DGROUP_SIZE=%u -DCOLUMN_BUFFERS=%d -DSEGMENTED=%d",
                 columns->group_size, columns->has_buffers, columns->is_segmented);
}

/* -- launches ---------------------------------------------------------------------------------- */

/* Returns the arguments of a kernel that reads all elements. */
static cls_columns_args divide_elements(const struct cls_column_kernels *columns,
                                        const struct cls_columns_job *job)
{
    const uint64_t groups =
        columns->units *
        (uint64_t)(columns->is_for_cores ? CPU_CHUNKS_PER_UNIT : GPU_GROUPS_PER_UNIT);
    const uint64_t share = cls_max(cls_divide_up(job->count, groups), columns->group_size);
    const uint64_t chunk = cls_min(share, columns->max_chunk / FLAGS_PER_WORD);
    return (cls_columns_args){.count = job->count,
                              .chunk = chunk,
                              .chunks = (cls_u32)cls_divide_up(job->count, chunk),
                              .words = columns->words};
}

/* Returns the arguments of a kernel that reads all flags, of which the last one follows that of the last element. */
static cls_columns_args divide_flags(const struct cls_columns_job *job,
                                     const struct cls_column_kernels *columns, unsigned level)
{
    const uint64_t flags = (job->count / FLAGS_PER_WORD + 1) * FLAGS_PER_WORD;
    const uint64_t share = cls_max(cls_divide_up(flags, MAX_RUN_CHUNKS), MIN_RUN_CHUNK);
    const uint64_t chunk = cls_round_up(cls_min(share, columns->max_chunk), FLAGS_PER_WORD);
    return (cls_columns_args){.count = job->count,
                              .chunk = chunk,
                              .chunks = (cls_u32)cls_divide_up(flags, chunk),
                              .words = columns->words,
                              .level = level};
}

/* Returns the arguments of the kernel that enters segments in the flags. No later kernel reads anything of its chunks,
 * so that these may be small. */
static cls_columns_args divide_segments(const struct cls_column_kernels *columns,
                                        const struct cls_columns_job *job, uint64_t row)
{
    cls_columns_args args = divide_elements(columns, job);
    const uint64_t flags = (job->count / FLAGS_PER_WORD + 1) * FLAGS_PER_WORD;
    const uint64_t max = cls_max(columns->max_chunk / ENTER_ITERATIONS, 1);
    args.chunk = cls_round_up(cls_min(args.chunk, max), FLAGS_PER_WORD);
    args.chunks = (cls_u32)cls_divide_up(flags, args.chunk);
    args.row = row;
    return args;
}

/* Adds the arguments as the last one, after the count, and enqueues the launch. */
static cl_int run(struct cls_launch *launch, const struct cls_column_kernels *columns,
                  const struct cls_columns_job *job, const cls_columns_args *args, size_t groups,
                  struct cls_chain *chain)
{
    if (columns->spec.count_bytes > 0)
        cls_arg_buffer(launch, job->count_buffer);
    cls_arg_struct(launch, args, sizeof *args);
    return cls_launch_enqueue(chain, launch, groups, columns->group_size);
}

cl_int cls_columns_enter_segments(const cl_kernel *kernels,
                                  const struct cls_column_kernels *columns,
                                  const struct cls_columns_job *job,
                                  const struct cls_columns_segments *segments,
                                  struct cls_chain *chain)
{
    const cls_columns_args args = divide_segments(columns, job, segments->row);
    struct cls_launch launch = cls_launch(kernels[SEGMENTS]);
    cls_arg_buffer(&launch, job->control);
    cls_arg_buffer(&launch, segments->control);
    cls_arg_buffer(&launch, segments->list);
    cls_arg_buffer(&launch, job->flags);
    cls_arg_buffer(&launch, job->indexes);
    return run(&launch, columns, job, &args, args.chunks, chain);
}

cl_int cls_columns_write_indexes(const cl_kernel *kernels, const struct cls_column_kernels *columns,
                                 const struct cls_columns_job *job, clsort_buffer index_out,
                                 struct cls_chain *chain)
{
    const cls_columns_args args = divide_elements(columns, job);
    struct cls_launch launch = cls_launch(kernels[INDEXES]);
    cls_arg_buffer(&launch, job->indexes);
    cls_arg_buffer(&launch, index_out);
    return run(&launch, columns, job, &args, args.chunks, chain);
}

/* Adds the elements, and the indexes of those that are in segments. */
static void add_elements(struct cls_launch *launch, const struct cls_column_kernels *columns,
                         const struct cls_columns_job *job)
{
    cls_arg_elements(launch, &job->elements);
    if (columns->is_segmented)
        cls_arg_buffer(launch, job->indexes);
}

static cl_int run_encode(const cl_kernel *kernels, const struct cls_column_kernels *columns,
                         const struct cls_columns_job *job, bool is_retry, struct cls_chain *chain)
{
    cls_columns_args args = divide_elements(columns, job);
    struct cls_launch launch = cls_launch(kernels[ENCODE]);
    args.is_retry = is_retry;
    cls_arg_buffer(&launch, job->control);
    add_elements(&launch, columns, job);
    cls_arg_buffer(&launch, job->packed);
    return run(&launch, columns, job, &args, args.chunks, chain);
}

cl_int cls_columns_encode(const cl_kernel *kernels, const struct cls_column_kernels *columns,
                          const struct cls_columns_job *job, struct cls_chain *chain)
{
    const cls_columns_args args = divide_elements(columns, job);
    struct cls_launch sample = cls_launch(kernels[SAMPLE]), replan = cls_launch(kernels[REPLAN]);
    cls_arg_buffer(&sample, job->control);
    add_elements(&sample, columns, job);
    cl_int status = run(&sample, columns, job, &args, 1, chain);
    if (status == CL_SUCCESS)
        status = run_encode(kernels, columns, job, false, chain);
    cls_arg_buffer(&replan, job->control);
    cls_arg_struct(&replan, &args, sizeof args);
    if (status == CL_SUCCESS)
        status = cls_launch_enqueue(chain, &replan, 1, 1);
    return status == CL_SUCCESS ? run_encode(kernels, columns, job, true, chain) : status;
}

static cl_int mark(const cl_kernel *kernels, const struct cls_column_kernels *columns,
                   const struct cls_columns_job *job, unsigned level, struct cls_chain *chain)
{
    const cls_columns_args args = divide_flags(job, columns, level);
    struct cls_launch launch = cls_launch(kernels[MARK]);
    cls_arg_buffer(&launch, job->control);
    cls_arg_buffer(&launch, job->segments);
    cls_arg_buffer(&launch, job->packed);
    cls_arg_buffer(&launch, job->flags);
    return run(&launch, columns, job, &args, args.chunks, chain);
}

cl_int cls_columns_find_runs(const cl_kernel *kernels, const struct cls_column_kernels *columns,
                             const struct cls_columns_job *job, unsigned level,
                             struct cls_chain *chain)
{
    const cls_columns_args args = divide_flags(job, columns, level);
    struct cls_launch count = cls_launch(kernels[COUNT]), list = cls_launch(kernels[LIST]),
                      load = cls_launch(kernels[LOAD]);
    cl_int status = mark(kernels, columns, job, level, chain);
    cls_arg_buffer(&count, job->control);
    cls_arg_buffer(&count, job->segments);
    cls_arg_buffer(&count, job->flags);
    cls_arg_buffer(&count, job->chunks);
    if (status == CL_SUCCESS)
        status = run(&count, columns, job, &args, args.chunks, chain);
    cls_arg_buffer(&list, job->chunks);
    cls_arg_buffer(&list, job->flags);
    cls_arg_buffer(&list, job->segments);
    cls_arg_buffer(&list, job->list);
    if (status == CL_SUCCESS)
        status = run(&list, columns, job, &args, args.chunks, chain);
    cls_arg_buffer(&load, job->control);
    cls_arg_buffer(&load, job->segments);
    cls_arg_elements(&load, &job->elements);
    cls_arg_buffer(&load, job->flags);
    cls_arg_buffer(&load, job->indexes);
    cls_arg_buffer(&load, job->packed);
    return status == CL_SUCCESS ? run(&load, columns, job, &args, args.chunks, chain) : status;
}

cl_int cls_columns_finish(const cl_kernel *kernels, const struct cls_column_kernels *columns,
                          const struct cls_columns_job *job, unsigned level,
                          struct cls_chain *chain)
{
    const cls_columns_args args = divide_flags(job, columns, level);
    struct cls_launch launch = cls_launch(kernels[FINISH]);
    cl_int status = mark(kernels, columns, job, level, chain);
    cls_arg_buffer(&launch, job->control);
    cls_arg_elements(&launch, &job->elements);
    cls_arg_buffer(&launch, job->flags);
    cls_arg_buffer(&launch, job->indexes);
    return status == CL_SUCCESS ? run(&launch, columns, job, &args, args.chunks, chain) : status;
}
