/* long.c - how long segments are sorted on GPUs: as buckets of MSD radix sort (cl/segments/long.cl) */
#include "algo/segments/long.h"

#include "algo/common/arguments.h"
#include "algo/common/part.h"
#include "algo/common/programs.h"
#include "algo/msd/msd.h"
#include "algo/msd/tile_size.h"
#include "base/arithmetic.h"
#include "cl/segments/layout.h"

enum { MAX_GROUPS = 512 };

/* The kernels: segments_enter_long, then those of MSD. */
enum { ENTER, MSD };
static const char *const NAMES[] = {"segments_enter_long", NULL};

bool cls_long_segments_for(const struct cls_caps *caps, struct cls_segments *segments)
{
    const struct cls_parameters none = {{0}};
    const char *why;
    if (segments->spec.order == CLS_ORDER_CUSTOM ||
        !cls_algo_msd.supports(caps, &segments->spec, &none, &segments->msd, &why))
        return false;
    segments->msd.msd.is_part = true;
    segments->msd.msd.max_short_segment = (unsigned)segments->max_short;
    return true;
}

void cls_long_segments_scratch(const struct cls_segments *segments, uint64_t count,
                               uint64_t *region_bytes)
{
    struct cls_schedule schedule;
    cls_algo_msd.schedule(&segments->msd, &segments->spec, cls_max(count, 1), &schedule);
    region_bytes[CLS_SEGMENTS_MSD_CONTROL] = schedule.region_bytes[CLS_CONTROL];
    region_bytes[CLS_SEGMENTS_MSD_TABLES] = cls_part_table_bytes(&schedule);
}

size_t cls_long_segments_programs(const struct cls_segments *segments,
                                  struct cls_program_spec *programs)
{
    const struct cls_spec offsets = {.key_bytes = segments->offset_bytes,
                                     .index_bits = segments->spec.index_bits};
    cls_program_begin(&programs[0], "segments/long.cl", NAMES, segments->group_size, &offsets);
    cls_text_add(&programs[0].options, " -DGROUP_SIZE=%u", segments->group_size);
    return 1 +
           cls_algo_msd.programs(&segments->caps, &segments->msd, &segments->spec, &programs[1]);
}

/* Enters the long segments in the tables of MSD. */
static cl_int enter(const struct cls_part *part, const cl_kernel *kernels,
                    const struct cls_segments *segments, const struct cls_segments_job *job,
                    uint64_t row)
{
    const struct cls_msd_schedule *s = &part->schedule.msd;
    const unsigned small_tile = cls_msd_small_tile(&segments->msd);
    const uint64_t groups = cls_divide_up(job->arrays->segment_count, segments->group_size);
    const cls_segments_long_args args = {
        .row = row,
        .max_short = segments->max_short,
        .small_tile = small_tile,
        .target_count = CLS_MSD_TARGET_COUNT(small_tile),
        .round_tile = cls_msd_round_tile(&segments->msd),
        .block_tiles = s->block_tiles,
        .max_large_buckets = (cls_u32)s->max_large_buckets,
        .rounds = s->rounds,
        .end_bit = segments->spec.end_bit,
    };
    struct cls_launch launch = cls_launch(kernels[ENTER]);
    cls_arg_buffer(&launch, job->scratch[CLS_CONTROL]);
    cls_arg_buffer(&launch, job->scratch[CLS_SEGMENTS_LIST]);
    cls_arg_buffer(&launch, part->scratch[CLS_CONTROL]);
    cls_arg_buffer(&launch, part->scratch[CLS_MSD_LARGE_BUCKETS]);
    cls_arg_buffer(&launch, part->scratch[CLS_MSD_BLOCKS]);
    cls_arg_buffer(&launch, part->scratch[CLS_MSD_BUCKETS]);
    cls_arg_struct(&launch, &args, sizeof args);
    return cls_launch_enqueue(part->sort.chain, &launch, (size_t)cls_min(groups, MAX_GROUPS),
                              segments->group_size);
}

cl_int cls_long_segments_enqueue(const cl_kernel *kernels, const struct cls_segments *segments,
                                 const struct cls_segments_job *job, uint64_t row,
                                 struct cls_chain *chain)
{
    const struct cls_sort whole = {
        .spec = &segments->spec, .arrays = job->arrays, .scratch = job->scratch, .chain = chain};
    struct cls_part part;
    cls_part_begin(&part, &cls_algo_msd, &segments->msd, &whole, kernels + MSD,
                   job->scratch[CLS_SEGMENTS_MSD_CONTROL], job->scratch[CLS_SEGMENTS_MSD_TABLES]);
    cl_int status = cls_msd_prepare(&part.sort);
    if (status == CL_SUCCESS)
        status = enter(&part, kernels, segments, job, row);
    return status == CL_SUCCESS ? cls_algo_msd.enqueue(&part.sort) : status;
}
