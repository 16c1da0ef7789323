/* select.c - selects the first elements, or the n-th one, of each segment (cl/segments/select_group.cl) */
#include "algo/segments/select.h"

#include "algo/common/arguments.h"
#include "algo/common/limits.h"
#include "algo/common/programs.h"
#include "cl/segments/select_layout.h"

enum {
    MAX_GROUP_SIZE = 256, /* at most the values of a digit */
    BITS = 8,
    ITEMS = 8,
    CHUNKS_PER_UNIT = 64, /* for cores: chunks are short enough to balance the load */
    MAX_CHUNK = 256,      /* segments */
    /* An upper bound of the loop iterations of a work-item per element that it reads. */
    ITERATIONS_PER_ELEMENT = 32
};

enum { BEGIN, TAKE, COPY, SELECT };
static const char *const OUTPUT_NAMES[] = {"segments_begin", "segments_take", "segments_copy",
                                           NULL};
static const char *const SELECT_NAMES[] = {"segments_select", NULL};

struct cls_segments_select cls_segments_select_for(const struct cls_caps *caps,
                                                   const struct cls_spec *spec)
{
    const char *why;
    const unsigned group_size = cls_fit_group_size(caps, MAX_GROUP_SIZE);
    struct cls_segments_select select = {.spec = *spec,
                                         .is_for_cores = cls_allows_long_work_items(caps, &why),
                                         .group_size = group_size,
                                         .units = caps->units,
                                         .max_count = cls_max_countable(caps, spec)};
    if (caps->max_iterations < UINT64_MAX)
        select.max_count =
            cls_min(select.max_count,
                    cls_max(caps->max_iterations / ITERATIONS_PER_ELEMENT, 1) * group_size);
    return select;
}

uint64_t cls_segments_select_rows(uint64_t segment_count)
{
    return segment_count * 2 * sizeof(cls_u64);
}

size_t cls_segments_select_programs(const struct cls_segments_select *select,
                                    struct cls_program_spec *programs)
{
    const struct cls_spec indexes = {.key_bytes = 4,
                                     .value_bytes = select->spec.value_bytes,
                                     .index_bits = select->spec.index_bits,
                                     .count_bytes = select->spec.count_bytes};
    cls_program_begin(&programs[0], "segments/output.cl", OUTPUT_NAMES, select->group_size,
                      &indexes);
    cls_text_add(&programs[0].options, " -DGROUP_SIZE=%u", select->group_size);
    if (select->takes_sorted)
        return 1;
    cls_program_begin(&programs[1],
                      select->is_for_cores ? "segments/select_cores.cl"
                                           : "segments/select_group.cl",
                      SELECT_NAMES, select->is_for_cores ? 1 : select->group_size, &select->spec);
    cls_text_add(&programs[1].options, " -DBITS=%d", BITS);
    if (!select->is_for_cores)
        cls_text_add(&programs[1].options, " -DGROUP_SIZE=%u -DITEMS=%d", select->group_size,
                     ITEMS);
    return 2;
}

/* -- launches ---------------------------------------------------------------------------------- */

/* Returns the buffer, or one that replaces it as an argument that is not used. */
static clsort_buffer or_control(clsort_buffer buffer, const struct cls_segments_select_job *job)
{
    return buffer.mem ? buffer : job->control;
}

static cls_segments_select_args arguments(const struct cls_segments_select *select,
                                          const struct cls_segments_select_job *job)
{
    const struct cls_spec *spec = &select->spec;
    const uint64_t chunks = (uint64_t)select->units * CHUNKS_PER_UNIT;
    return (cls_segments_select_args){
        .count = job->count,
        .segments = job->segment_count,
        .row = spec->segments == CLSORT_ROWS ? job->count / job->segment_count : 0,
        .k = job->k,
        .places = job->places,
        .chunk = cls_min(cls_divide_up(job->segment_count, chunks), MAX_CHUNK),
        .form = spec->segments,
        .is_nth = job->is_nth,
        .has_ks = job->ks.mem != NULL,
        .has_result = job->result.mem != NULL,
        .writes_keys = job->keys_out.mem != NULL,
        .begin_bit = spec->begin_bit,
        .end_bit = spec->end_bit};
}

/* Adds the argument that the kernels declare by COUNT_ARGUMENT. */
static void add_count(struct cls_launch *launch, const struct cls_segments_select *select,
                      const struct cls_segments_select_job *job)
{
    if (select->spec.count_bytes > 0)
        cls_arg_buffer(launch, job->count_buffer);
}

static cl_int begin(const cl_kernel *kernels, const struct cls_segments_select *select,
                    const struct cls_segments_select_job *job, struct cls_chain *chain)
{
    struct cls_launch launch = cls_launch(kernels[BEGIN]);
    cls_arg_buffer(&launch, job->control);
    cls_arg_buffer(&launch, or_control(job->result, job));
    add_count(&launch, select, job);
    cls_arg_ulong(&launch, select->spec.segments == CLSORT_WHOLE ? job->count : job->segment_count);
    cls_arg_uint(&launch, job->result.mem != NULL);
    return cls_launch_enqueue(chain, &launch, 1, 1);
}

/* Adds the arguments that the kernels declare by SEGMENT_ARGUMENTS and ROW_ARGUMENTS. */
static void add_segments(struct cls_launch *launch, const struct cls_segments_select_job *job)
{
    cls_arg_buffer(launch, or_control(job->offsets, job));
    cls_arg_buffer(launch, or_control(job->ends, job));
    cls_arg_buffer(launch, or_control(job->ks, job));
    cls_arg_buffer(launch, job->rows);
    cls_arg_buffer(launch, or_control(job->result, job));
}

static cl_int take(const cl_kernel *kernels, const struct cls_segments_select *select,
                   const struct cls_segments_select_job *job, struct cls_chain *chain)
{
    const cls_segments_select_args args = arguments(select, job);
    const uint64_t work_items = job->segment_count * cls_max(job->places, 1);
    struct cls_launch launch = cls_launch(kernels[TAKE]);
    add_segments(&launch, job);
    cls_arg_buffer(&launch, or_control(job->sorted, job));
    cls_arg_buffer(&launch, or_control(job->indexes_out, job));
    add_count(&launch, select, job);
    cls_arg_struct(&launch, &args, sizeof args);
    return cls_launch_enqueue(chain, &launch, (size_t)cls_divide_up(work_items, select->group_size),
                              select->group_size);
}

cl_int cls_segments_select_enqueue(const cl_kernel *kernels,
                                   const struct cls_segments_select *select,
                                   const struct cls_segments_select_job *job,
                                   struct cls_chain *chain)
{
    const cl_int status = begin(kernels, select, job, chain);
    if (status != CL_SUCCESS || job->segment_count == 0)
        return status;
    if (select->takes_sorted)
        return take(kernels, select, job, chain);
    const cls_segments_select_args args = arguments(select, job);
    struct cls_launch launch = cls_launch(kernels[SELECT]);
    cls_arg_buffer(&launch, or_control(job->keys_in, job));
    add_segments(&launch, job);
    cls_arg_buffer(&launch, job->control);
    cls_arg_buffer(&launch, or_control(job->keys_out, job));
    cls_arg_buffer(&launch, or_control(job->indexes_out, job));
    add_count(&launch, select, job);
    cls_arg_struct(&launch, &args, sizeof args);
    cls_arg_order(&launch, &select->spec);
    return cls_launch_enqueue(chain, &launch,
                              (size_t)(select->is_for_cores
                                           ? cls_min(select->units, job->segment_count)
                                           : job->segment_count),
                              select->is_for_cores ? 1 : select->group_size);
}

cl_int cls_segments_select_copy(const cl_kernel *kernels, const struct cls_segments_select *select,
                                const struct cls_segments_select_job *job, size_t bytes,
                                clsort_buffer from, clsort_buffer to, struct cls_chain *chain)
{
    const size_t unit = cls_alignment(bytes);
    const cls_segments_copy_args args = {.count = job->count,
                                         .segments = job->segment_count,
                                         .places = job->places,
                                         .units = bytes / unit,
                                         .unit = (cls_u32)unit};
    const uint64_t work_items = args.segments * args.places * args.units;
    struct cls_launch launch = cls_launch(kernels[COPY]);
    if (work_items == 0)
        return CL_SUCCESS;
    cls_arg_buffer(&launch, job->rows);
    cls_arg_buffer(&launch, job->indexes_out);
    cls_arg_buffer(&launch, from);
    cls_arg_buffer(&launch, to);
    cls_arg_struct(&launch, &args, sizeof args);
    return cls_launch_enqueue(chain, &launch, (size_t)cls_divide_up(work_items, select->group_size),
                              select->group_size);
}
