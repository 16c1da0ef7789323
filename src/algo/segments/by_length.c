/* by_length.c - segmented sorts on GPUs that sort short and long segments in different ways */
#include "algo/segments/by_length.h"

#include "algo/common/arguments.h"
#include "algo/common/limits.h"
#include "algo/common/part.h"
#include "algo/common/programs.h"
#include "algo/msd/msd.h"
#include "algo/msd/tile_size.h"
#include "base/arithmetic.h"
#include "cl/segments/layout.h"
#include "device/sub_group.h"

enum {
    GROUP_SIZE = 256,
    FIND_GROUP_SIZE = 32, /* small groups spread over the device */
    TILE = 4096,
    MAX_ENTER_GROUPS = 512,
    MIN_SUB_GROUP_SIZE = 8,
    TABLES_BYTES = 31 << 20, /* the other regions fit in the rest of the 32 MiB of clsort.h */
    /* The maximum numbers of elements of a lane in tiny.cl: of keys of up to 4 bytes, of other
     * elements, and where sub-groups are emulated. More would take too many registers. */
    SLOTS = 16,
    WIDE_SLOTS = 8,
    EMULATED_SLOTS = 4
};

/* The kernels; those of MSD follow. */
enum { FIND_FIRST, SORT_TINY, ENTER_LONG, MSD };
static const char *const TINY_NAMES[] = {"segments_find_first", "segments_sort_tiny", NULL};
static const char *const LONG_NAMES[] = {"segments_enter_long", NULL};

static unsigned slots(const struct cls_caps *caps, const struct cls_spec *spec)
{
    if (caps->sub_group_backend == CLS_SUB_GROUP_LOCAL)
        return EMULATED_SLOTS;
    return spec->value_bytes > 0 || spec->key_bytes > 4 ? WIDE_SLOTS : SLOTS;
}

/* Returns the spec of the sort of the list's segments, which does not depend on a count in device memory. */
static struct cls_spec spec_of(const struct cls_segments *segments)
{
    struct cls_spec spec = segments->spec;
    spec.count_bytes = 0;
    return spec;
}

uint64_t cls_segments_by_length_tile(void)
{
    return TILE;
}

void cls_segments_by_length_scratch(const struct cls_segments *segments, uint64_t count,
                                    uint64_t *region_bytes)
{
    const struct cls_spec spec = spec_of(segments);
    struct cls_schedule schedule;
    cls_algo_msd.schedule(&segments->msd, &spec, cls_max(count, 1), &schedule);
    region_bytes[CLS_SEGMENTS_FIRSTS] = (cls_divide_up(count, TILE) + 1) * (spec.index_bits / 8);
    region_bytes[CLS_SEGMENTS_MSD_CONTROL] = schedule.region_bytes[CLS_CONTROL];
    region_bytes[CLS_SEGMENTS_MSD_TABLES] = cls_part_table_bytes(&schedule);
}

/* Returns the maximum count for which the regions above take at most a sixteenth of the size of the data plus
 * TABLES_BYTES. */
static uint64_t table_limited_count(const struct cls_segments *segments)
{
    const uint64_t element = segments->spec.key_bytes + (uint64_t)segments->spec.value_bytes;
    uint64_t count = cls_min(segments->max_count, segments->msd.max_count), bytes = 0;
    do {
        uint64_t region_bytes[CLS_SEGMENTS_REGIONS];
        count = bytes > 0 ? count / 2 : count;
        cls_segments_by_length_scratch(segments, count, region_bytes);
        bytes = region_bytes[CLS_SEGMENTS_FIRSTS] + region_bytes[CLS_SEGMENTS_MSD_CONTROL] +
                region_bytes[CLS_SEGMENTS_MSD_TABLES];
    } while (bytes > count * element / 16 + TABLES_BYTES);
    return count;
}

bool cls_segments_by_length_for(const struct cls_caps *caps, uint64_t wanted,
                                struct cls_segments *segments)
{
    const struct cls_parameters none = {{0}};
    const struct cls_spec spec = spec_of(segments);
    const unsigned group_size = cls_fit_group_size(caps, GROUP_SIZE);
    const char *why;
    if (caps->sub_group_size < MIN_SUB_GROUP_SIZE || caps->sub_group_size > group_size ||
        spec.order == CLS_ORDER_CUSTOM ||
        !cls_algo_msd.supports(caps, &spec, &none, &segments->msd, &why) ||
        segments->msd.max_count < wanted)
        return false;
    segments->max_tiny = slots(caps, &spec) * caps->sub_group_size;
    segments->msd.msd.is_part = true;
    segments->msd.msd.max_tiny_segment = segments->max_tiny;
    const uint64_t max_count = table_limited_count(segments);
    if (max_count < wanted)
        return false;
    segments->by_length = true;
    segments->group_size = group_size;
    segments->caps = *caps;
    segments->max_count = max_count;
    return true;
}

static unsigned find_group(const struct cls_segments *segments)
{
    return segments->group_size < FIND_GROUP_SIZE ? segments->group_size : FIND_GROUP_SIZE;
}

size_t cls_segments_by_length_programs(const struct cls_segments *segments,
                                       struct cls_program_spec *programs)
{
    const struct cls_spec spec = spec_of(segments), offsets = {.key_bytes = segments->offset_bytes,
                                                               .index_bits = spec.index_bits};
    cls_program_begin(&programs[0], "segments/tiny.cl", TINY_NAMES, segments->group_size, &spec);
    cls_sub_group_options(&segments->caps, &programs[0].options);
    cls_text_add(&programs[0].options, " -DGROUP_SIZE=%u -DSPLIT_GROUP=%u -DTINY_SLOTS=%u",
                 segments->group_size, find_group(segments), slots(&segments->caps, &spec));
    cls_program_begin(&programs[1], "segments/long.cl", LONG_NAMES, segments->group_size, &offsets);
    cls_text_add(&programs[1].options, " -DGROUP_SIZE=%u", segments->group_size);
    return 2 + cls_algo_msd.programs(&segments->caps, &segments->msd, &spec, &programs[2]);
}

/* -- launches ---------------------------------------------------------------------------------- */

/* A sort that is being enqueued. */
struct sort {
    const cl_kernel *kernels;
    const struct cls_segments *segments;
    const struct cls_segments_job *job;
    struct cls_chain *chain;
    cls_segments_args args;
};

static cl_int find_first(const struct sort *sort)
{
    const unsigned group = find_group(sort->segments);
    struct cls_launch launch = cls_launch(sort->kernels[FIND_FIRST]);
    cls_arg_buffer(&launch, sort->job->scratch[CLS_CONTROL]);
    cls_arg_buffer(&launch, sort->job->scratch[CLS_SEGMENTS_LIST]);
    cls_arg_buffer(&launch, sort->job->scratch[CLS_SEGMENTS_FIRSTS]);
    cls_arg_struct(&launch, &sort->args, sizeof sort->args);
    return cls_launch_enqueue(sort->chain, &launch, sort->args.tiles / group + 1, group);
}

static cl_int sort_tiny(const struct sort *sort, const struct cls_sort *whole)
{
    struct cls_launch launch = cls_launch(sort->kernels[SORT_TINY]);
    cls_arg_buffer(&launch, sort->job->scratch[CLS_CONTROL]);
    cls_arg_buffer(&launch, sort->job->scratch[CLS_SEGMENTS_LIST]);
    cls_arg_buffer(&launch, sort->job->scratch[CLS_SEGMENTS_FIRSTS]);
    cls_arg_key_arrays(&launch, whole);
    cls_arg_value_arrays(&launch, whole);
    cls_arg_struct(&launch, &sort->args, sizeof sort->args);
    cls_arg_order(&launch, &sort->segments->spec);
    return cls_launch_enqueue(sort->chain, &launch, sort->args.tiles, sort->segments->group_size);
}

/* Enters the other segments in the tables of MSD. */
static cl_int enter_long(const struct sort *sort, const struct cls_part *part)
{
    const struct cls_segments *segments = sort->segments;
    const struct cls_msd_schedule *s = &part->schedule.msd;
    const unsigned small_tile = cls_msd_small_tile(&segments->msd);
    const uint64_t groups = cls_divide_up(sort->job->arrays->segment_count, segments->group_size);
    const cls_segments_long_args args = {
        .row = sort->args.row,
        .max_tiny = segments->max_tiny,
        .small_tile = small_tile,
        .target_count = CLS_MSD_TARGET_COUNT(small_tile),
        .block_size = s->block_tiles * cls_msd_round_tile(&segments->msd),
        .row_size = s->row_tiles * cls_msd_round_tile(&segments->msd),
        .max_large_buckets = (cls_u32)s->max_large_buckets,
        .rounds = s->rounds,
        .end_bit = segments->spec.end_bit,
    };
    struct cls_launch launch = cls_launch(sort->kernels[ENTER_LONG]);
    cls_arg_buffer(&launch, sort->job->scratch[CLS_CONTROL]);
    cls_arg_buffer(&launch, sort->job->scratch[CLS_SEGMENTS_LIST]);
    cls_arg_buffer(&launch, part->scratch[CLS_CONTROL]);
    cls_arg_buffer(&launch, part->scratch[CLS_MSD_LARGE_BUCKETS]);
    cls_arg_buffer(&launch, part->scratch[CLS_MSD_BLOCKS]);
    cls_arg_buffer(&launch, part->scratch[CLS_MSD_BUCKETS]);
    cls_arg_struct(&launch, &args, sizeof args);
    return cls_launch_enqueue(sort->chain, &launch, (size_t)cls_min(groups, MAX_ENTER_GROUPS),
                              segments->group_size);
}

static cl_int sort_long(const struct sort *sort, const struct cls_sort *whole)
{
    struct cls_part part;
    cls_part_begin(&part, &cls_algo_msd, &sort->segments->msd, whole, sort->kernels + MSD,
                   sort->job->scratch[CLS_SEGMENTS_MSD_CONTROL],
                   sort->job->scratch[CLS_SEGMENTS_MSD_TABLES]);
    cl_int status = cls_msd_prepare(&part.sort);
    if (status == CL_SUCCESS)
        status = enter_long(sort, &part);
    return status == CL_SUCCESS ? cls_algo_msd.enqueue(&part.sort) : status;
}

cl_int cls_segments_by_length_enqueue(const cl_kernel *kernels, const struct cls_segments *segments,
                                      const struct cls_segments_job *job, uint64_t row,
                                      struct cls_chain *chain)
{
    const uint64_t count = job->arrays->count, longest = row > 0 ? row : count;
    const struct cls_spec spec = spec_of(segments);
    const struct cls_sort whole = {
        .spec = &spec, .arrays = job->arrays, .scratch = job->scratch, .chain = chain};
    const struct sort sort = {.kernels = kernels,
                              .segments = segments,
                              .job = job,
                              .chain = chain,
                              .args = {.count = count,
                                       .row = row,
                                       .tile = TILE,
                                       .tiles = (cls_u32)cls_divide_up(count, TILE)}};
    cl_int status = CL_SUCCESS;
    if (row <= segments->max_tiny) {
        status = find_first(&sort);
        if (status == CL_SUCCESS)
            status = sort_tiny(&sort, &whole);
    }
    return status == CL_SUCCESS && longest > segments->max_tiny ? sort_long(&sort, &whole) : status;
}
