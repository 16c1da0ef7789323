/* segments.c - sorts many segments of an array (cl/segments) */
#include "algo/segments/segments.h"

#include "algo/common/arguments.h"
#include "algo/common/limits.h"
#include "algo/common/programs.h"
#include "algo/segments/by_length.h"
#include "cl/common/quicksort_layout.h"
#include "cl/segments/layout.h"
#include "device/sub_group.h"

enum {
    GPU_GROUP_SIZE = 256,
    GPU_KEY_ITEMS = 17, /* odd, so that accesses of local memory use different banks */
    GPU_PAIR_ITEMS = 9,
    GPU_CHUNKS = 256,
    MAX_PRIVATE_BYTES = 256, /* limits a work-item's keys, so that they stay in registers */
    GPU_MAX_KEY_BYTES = 1024,
    CPU_MAX_KEY_BYTES = 32768,
    SPLIT_GROUP = 32, /* work-items of a group that searches: small groups spread over the device */
    /* Cores: tiles that are small enough to balance the load, but as large as possible, since the
     * segments in a tile need no merges. */
    TILES_PER_UNIT = 8,
    MIN_TILE_BYTES = 64 << 10,
    CUSTOM_TILE_BYTES = 128 << 10, /* merge sort: a tile and its scratch fit in L2 */
    GROUPS_PER_UNIT = 4,           /* that merge, if all rounds are in one launch */
    CPU_CHUNKS_PER_UNIT = 4,
    MIN_CHUNK = 1 << 12, /* segments */
    ALL_SLICES_BYTES = 16 << 20,
    SLICE_DIVISOR = 2,
    PARTITION_BITS = 10, /* of cpu_radix, for parts that are split */
    MIN_SLICE = 16 << 10,
    MAX_UNITS = ALL_SLICES_BYTES / MIN_SLICE,
    QUICKSORT_KEYS_BYTES = 16384, /* MAX_BUFFERED_KEYS in vector_quicksort.cl */
    /* Loop iterations per step of a scan over a chunk. */
    ITERATIONS_PER_STEP = 32
};

enum { ENDS, COUNT, LIST, SINGLE, BOUNDS_KERNELS, FIND = BOUNDS_KERNELS, TILES, SPLIT, ROUND };
static const char *const BOUNDS_NAMES[] = {"segments_ends", "segments_count", "segments_list",
                                           "segments_single", NULL};
static const char *const SORT_NAMES[] = {"segments_find", "segments_tiles", "segments_split",
                                         "segments_round", NULL};
/* With all rounds in one launch. */
enum { ROUNDS = SPLIT };
static const char *const ALL_NAMES[] = {"segments_find", "segments_tiles", "segments_rounds", NULL};

/* -- the tuning -------------------------------------------------------------------------------- */

static uint64_t element_bytes(const struct cls_spec *spec)
{
    return spec->key_bytes + spec->value_bytes;
}

/* Returns the bytes of local memory that segments_tiles in tiles.cl needs. */
static uint64_t local_bytes(const struct cls_segments *s)
{
    const uint64_t element = s->spec.key_bytes + (s->spec.value_bytes > 0 ? 2u : 0u);
    return ((uint64_t)s->group_size * s->items + 1) * element + 12 * (uint64_t)s->group_size + 64;
}

static bool set_groups(const struct cls_caps *caps, uint64_t wanted, struct cls_segments *s,
                       const char **why)
{
    if (!cls_fits_private_memory(&s->spec, GPU_MAX_KEY_BYTES, why) ||
        !cls_copies_keys(caps, &s->spec, why))
        return false;
    s->group_size = cls_fit_group_size(caps, GPU_GROUP_SIZE);
    s->items = s->spec.value_bytes > 0 ? GPU_PAIR_ITEMS : GPU_KEY_ITEMS;
    while (s->items > 1 && s->items * s->spec.key_bytes > MAX_PRIVATE_BYTES)
        s->items /= 2;
    while (local_bytes(s) > caps->local_bytes) {
        if (s->items > 1)
            s->items /= 2;
        else if (s->group_size > 1)
            s->group_size /= 2;
        else {
            *why = "the device has too little local memory for such keys";
            return false;
        }
    }
    s->caps = *caps;
    cls_segments_by_length_for(caps, wanted, s);
    const uint64_t steps = cls_max(caps->max_iterations / ITERATIONS_PER_STEP, 1);
    s->max_segments_chunk = steps < UINT32_MAX ? steps * s->group_size : UINT64_MAX >> 8;
    s->max_segments = cls_min(s->max_segments_chunk, UINT64_MAX >> 16) * GPU_CHUNKS;
    return true;
}

static bool set_cores(const struct cls_caps *caps, struct cls_segments *s, const char **why)
{
    const struct cls_spec *spec = &s->spec;
    if (!cls_fits_private_memory(spec, CPU_MAX_KEY_BYTES, why))
        return false;
    s->is_for_cores = true;
    s->group_size = 1;
    s->min_tile = cls_max(MIN_TILE_BYTES / element_bytes(spec), 1);
    s->max_tile = spec->order == CLS_ORDER_CUSTOM
                      ? cls_max(CUSTOM_TILE_BYTES / element_bytes(spec), 1)
                      : UINT64_MAX;
    s->cache_bytes = cls_core_cache(caps);
    s->uses_quicksort = caps->compresses && spec->value_bytes == 0 && spec->key_bytes >= 4 &&
                        spec->order <= CLS_ORDER_FLOAT && !cls_equal_keys_may_differ(spec);
    s->max_segments_chunk = s->max_segments = UINT64_MAX >> 8;
    return true;
}

bool cls_segments_for(const struct cls_caps *caps, const struct cls_spec *spec,
                      unsigned offset_bytes, uint64_t wanted, struct cls_segments *segments,
                      const char **why)
{
    *segments = (struct cls_segments){
        .spec = *spec,
        .offset_bytes = offset_bytes,
        .units = caps->units < MAX_UNITS ? caps->units : MAX_UNITS,
        .max_count = cls_max_countable(caps, spec),
    };
    const bool supports = cls_allows_long_work_items(caps, why)
                              ? set_cores(caps, segments, why)
                              : set_groups(caps, wanted, segments, why);
    const uint64_t max_tiles = UINT32_MAX / 2; /* they have 32-bit numbers */
    if (supports)
        segments->max_count =
            cls_min(segments->max_count, max_tiles * cls_segments_tile(segments, 0));
    return supports;
}

/* -- the schedule ------------------------------------------------------------------------------ */

uint64_t cls_segments_tile(const struct cls_segments *s, uint64_t count)
{
    if (s->by_length)
        return cls_segments_by_length_tile();
    if (!s->is_for_cores)
        return (uint64_t)s->group_size * s->items;
    const uint64_t share = cls_divide_up(count, (uint64_t)s->units * TILES_PER_UNIT);
    return cls_min(cls_max(share, s->min_tile), s->max_tile);
}

/* Returns the maximum number of chunks of segments, which is monotonic in `number`. */
static uint64_t max_chunks(const struct cls_segments *s, uint64_t number)
{
    const uint64_t max = s->is_for_cores ? (uint64_t)s->units * CPU_CHUNKS_PER_UNIT : GPU_CHUNKS;
    const uint64_t min_chunk = cls_min(MIN_CHUNK, s->max_segments_chunk);
    return cls_max(cls_min(max, cls_divide_up(number, min_chunk)), 1);
}

/* Chunks have at least MIN_CHUNK segments, unless a work-group may not process as many. */
static uint64_t chunk_size(const struct cls_segments *s, uint64_t number)
{
    const uint64_t share = cls_divide_up(number, max_chunks(s, number));
    return cls_min(cls_max(share, 1), s->max_segments_chunk);
}

static uint64_t slice_bytes(const struct cls_segments *s)
{
    const uint64_t share = ALL_SLICES_BYTES / s->units, cache = s->cache_bytes / SLICE_DIVISOR;
    const uint64_t keys = QUICKSORT_KEYS_BYTES / s->spec.key_bytes;
    if (s->uses_quicksort)
        return cls_round_up((CLS_QUICKSORT_WORKSPACE(keys) + keys) * s->spec.key_bytes,
                            CLS_REGION_ALIGNMENT);
    return s->spec.order == CLS_ORDER_CUSTOM
               ? 0
               : cls_min(share, cache) / CLS_REGION_ALIGNMENT * CLS_REGION_ALIGNMENT;
}

void cls_segments_scratch(const struct cls_segments *s, uint64_t count, uint64_t number,
                          uint64_t *bytes)
{
    const uint64_t index = s->spec.index_bits / 8;
    /* Tiles for cores grow with the count, so that their number is not monotonic. */
    const uint64_t tiles = cls_divide_up(count, cls_segments_tile(s, 0));
    bytes[CLS_CONTROL] = sizeof(cls_segments_control);
    bytes[CLS_KEYS] = count * s->spec.key_bytes;
    bytes[CLS_VALUES] = count * s->spec.value_bytes;
    bytes[CLS_SEGMENTS_CHUNKS] = cls_max(max_chunks(s, number), 1) * sizeof(cls_segments_chunk);
    bytes[CLS_SEGMENTS_LIST] = number * 2 * index;
    bytes[CLS_SEGMENTS_FIRSTS] = (tiles + 1) * index;
    bytes[CLS_SEGMENTS_CROSSING] = (tiles + 1) * 2 * index;
    bytes[CLS_SEGMENTS_CUTS] = (tiles + 1) * index;
    bytes[CLS_SEGMENTS_SLICES] = s->is_for_cores ? s->units * slice_bytes(s) : 0;
    bytes[CLS_SEGMENTS_MSD_CONTROL] = bytes[CLS_SEGMENTS_MSD_TABLES] = 0;
    if (s->by_length) {
        bytes[CLS_SEGMENTS_CROSSING] = bytes[CLS_SEGMENTS_CUTS] = 0;
        cls_segments_by_length_scratch(s, count, bytes);
    }
    for (size_t i = 0; i < CLS_SEGMENTS_REGIONS; i++)
        bytes[i] = cls_round_up(bytes[i], CLS_REGION_ALIGNMENT);
}

/* -- programs ---------------------------------------------------------------------------------- */

static unsigned split_group(const struct cls_segments *s)
{
    return s->group_size < SPLIT_GROUP ? s->group_size : SPLIT_GROUP;
}

/* Returns whether the rounds wait for each other in one launch. */
static bool launches_rounds_together(const struct cls_segments *s)
{
    return !s->is_for_cores && cls_started_groups_progress(&s->caps, s->group_size);
}

static const char *sort_root(const struct cls_segments *s)
{
    return launches_rounds_together(s)         ? "segments/all_rounds.cl"
           : !s->is_for_cores                  ? "segments/work_group.cl"
           : s->uses_quicksort                 ? "segments/sort_vectors.cl"
           : s->spec.order == CLS_ORDER_CUSTOM ? "segments/sort_custom.cl"
                                               : "segments/sort_buckets.cl";
}

size_t cls_segments_programs(const struct cls_segments *s, struct cls_program_spec *programs)
{
    const struct cls_spec offsets = {.key_bytes = s->offset_bytes,
                                     .index_bits = s->spec.index_bits,
                                     .count_bytes = s->spec.count_bytes};
    struct cls_spec sorted = s->spec;
    sorted.count_bytes = 0; /* only the kernels that make the list read the count */
    cls_program_begin(&programs[0], "segments/bounds.cl", BOUNDS_NAMES, s->group_size, &offsets);
    cls_text_add(&programs[0].options, " -DGROUP_SIZE=%u", s->group_size);
    if (s->by_length)
        return 1 + cls_segments_by_length_programs(s, &programs[1]);
    cls_program_begin(&programs[1], sort_root(s),
                      launches_rounds_together(s) ? ALL_NAMES : SORT_NAMES, s->group_size, &sorted);
    cls_text_add(&programs[1].options, " -DCHECKED=%d -DSPLIT_GROUP=%u -DWHOLE_IN_TILE=%d",
                 s->spec.order == CLS_ORDER_CUSTOM, split_group(s), s->is_for_cores);
    if (s->is_for_cores)
        cls_text_add(&programs[1].options, " -DPARTITION_BITS=%d", PARTITION_BITS);
    else
        cls_text_add(&programs[1].options, " -DGROUP_SIZE=%u -DITEMS=%u", s->group_size, s->items);
    if (launches_rounds_together(s))
        cls_sub_group_options(&s->caps, &programs[1].options);
    return 2;
}

/* -- launches ---------------------------------------------------------------------------------- */

/* A sort that is being enqueued. */
struct sort {
    const cl_kernel *kernels;
    const struct cls_segments *s;
    const struct cls_arrays *arrays;
    const clsort_buffer *scratch;
    struct cls_chain *chain;
    cls_segments_args args;
};

/* Enqueues a kernel that makes the list. */
static cl_int run_bounds(const struct sort *sort, unsigned kernel)
{
    const struct cls_arrays *arrays = sort->arrays;
    const clsort_buffer *scratch = sort->scratch;
    const uint64_t chunk = chunk_size(sort->s, arrays->segment_count);
    const uint64_t chunks = cls_max(cls_divide_up(arrays->segment_count, chunk), 1);
    const cls_segments_bounds_args args = {
        .count = arrays->count,
        .segments = arrays->segment_count,
        .chunk = chunk,
        .chunks = (cls_u32)chunks,
        .form = sort->s->spec.segments,
        .has_result = arrays->result.mem != NULL,
    };
    const bool single = kernel == SINGLE;
    struct cls_launch launch = cls_launch(sort->kernels[kernel]);
    if (!single) {
        /* Without segments, there may be no offsets, but the kernels need some buffer. */
        const clsort_buffer begins = arrays->offsets.mem ? arrays->offsets : scratch[CLS_CONTROL];
        cls_arg_buffer(&launch, begins);
        cls_arg_buffer(&launch, arrays->ends.mem ? arrays->ends : begins);
        cls_arg_buffer(&launch, scratch[CLS_SEGMENTS_CHUNKS]);
    }
    if (kernel == LIST || single) {
        cls_arg_buffer(&launch, scratch[CLS_SEGMENTS_LIST]);
        cls_arg_buffer(&launch, scratch[CLS_CONTROL]);
        cls_arg_buffer(&launch, arrays->result.mem ? arrays->result : scratch[CLS_CONTROL]);
    }
    if (sort->s->spec.count_bytes > 0)
        cls_arg_buffer(&launch, arrays->count_buffer);
    cls_arg_struct(&launch, &args, sizeof args);
    return cls_launch_enqueue(sort->chain, &launch, single ? 1 : (size_t)chunks,
                              single ? 1 : sort->s->group_size);
}

static cl_int make_list(const struct sort *sort)
{
    const unsigned form = sort->s->spec.segments;
    if (form == CLSORT_ROWS || form == CLSORT_WHOLE)
        return run_bounds(sort, SINGLE);
    cl_int status = run_bounds(sort, ENDS);
    if (status == CL_SUCCESS)
        status = run_bounds(sort, COUNT);
    return status == CL_SUCCESS ? run_bounds(sort, LIST) : status;
}

static cl_int find_tiles(const struct sort *sort)
{
    const unsigned group = split_group(sort->s);
    struct cls_launch launch = cls_launch(sort->kernels[FIND]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_arg_buffer(&launch, sort->scratch[CLS_SEGMENTS_LIST]);
    cls_arg_buffer(&launch, sort->scratch[CLS_SEGMENTS_CROSSING]);
    cls_arg_buffer(&launch, sort->scratch[CLS_SEGMENTS_FIRSTS]);
    cls_arg_struct(&launch, &sort->args, sizeof sort->args);
    return cls_launch_enqueue(sort->chain, &launch, sort->args.tiles / group + 1, group);
}

static cl_int sort_tiles(const struct sort *sort)
{
    const struct cls_arrays *arrays = sort->arrays;
    const struct cls_spec *spec = &sort->s->spec;
    const struct cls_segments *s = sort->s;
    struct cls_launch launch = cls_launch(sort->kernels[TILES]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_arg_buffer(&launch, sort->scratch[CLS_SEGMENTS_LIST]);
    if (!s->is_for_cores)
        cls_arg_buffer(&launch, sort->scratch[CLS_SEGMENTS_CROSSING]);
    cls_arg_buffer(&launch, sort->scratch[CLS_SEGMENTS_FIRSTS]);
    cls_arg_buffer(&launch, arrays->keys_in);
    cls_arg_buffer(&launch, arrays->keys_out);
    cls_arg_buffer(&launch, sort->scratch[CLS_KEYS]);
    cls_arg_input_values(&launch, spec, arrays->values_in);
    cls_arg_values(&launch, spec, arrays->values_out);
    cls_arg_values(&launch, spec, sort->scratch[CLS_VALUES]);
    if (s->is_for_cores)
        cls_arg_buffer(&launch, sort->scratch[CLS_SEGMENTS_SLICES]);
    cls_arg_struct(&launch, &sort->args, sizeof sort->args);
    cls_arg_order(&launch, spec);
    return cls_launch_enqueue(
        sort->chain, &launch,
        s->is_for_cores ? cls_min(s->units, sort->args.tiles) : sort->args.tiles, s->group_size);
}

static cl_int split(const struct sort *sort)
{
    const unsigned group = split_group(sort->s);
    struct cls_launch launch = cls_launch(sort->kernels[SPLIT]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_arg_buffer(&launch, sort->scratch[CLS_SEGMENTS_CROSSING]);
    cls_arg_buffer(&launch, sort->arrays->keys_out);
    cls_arg_buffer(&launch, sort->scratch[CLS_KEYS]);
    cls_arg_buffer(&launch, sort->scratch[CLS_SEGMENTS_CUTS]);
    cls_arg_struct(&launch, &sort->args, sizeof sort->args);
    cls_arg_order(&launch, &sort->s->spec);
    return cls_launch_enqueue(sort->chain, &launch, (size_t)cls_divide_up(sort->args.tiles, group),
                              group);
}

/* Enqueues ROUND, with a work-group for each tile, or ROUNDS. */
static cl_int merge(const struct sort *sort, unsigned kernel, size_t groups)
{
    const struct cls_spec *spec = &sort->s->spec;
    struct cls_launch launch = cls_launch(sort->kernels[kernel]);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_arg_buffer(&launch, sort->scratch[CLS_SEGMENTS_CROSSING]);
    cls_arg_buffer(&launch, sort->scratch[CLS_SEGMENTS_CUTS]);
    cls_arg_buffer(&launch, sort->arrays->keys_out);
    cls_arg_buffer(&launch, sort->scratch[CLS_KEYS]);
    cls_arg_values(&launch, spec, sort->arrays->values_out);
    cls_arg_values(&launch, spec, sort->scratch[CLS_VALUES]);
    cls_arg_struct(&launch, &sort->args, sizeof sort->args);
    cls_arg_order(&launch, spec);
    return cls_launch_enqueue(sort->chain, &launch, groups, sort->s->group_size);
}

uint64_t cls_segments_row(const struct cls_segments *s, const struct cls_arrays *arrays)
{
    return s->spec.segments == CLSORT_ROWS ? arrays->count / arrays->segment_count : 0;
}

/* Returns the maximum number of rounds of segments of at most this length. */
static unsigned max_rounds(const struct sort *sort, uint64_t length)
{
    const uint64_t tile = sort->args.tile, runs = cls_divide_up(length - 1, tile) + 1;
    if (sort->s->is_for_cores && length <= tile)
        return 0;
    return cls_ceil_log2(cls_min(runs, sort->args.tiles));
}

cl_int cls_segments_enqueue_list(const cl_kernel *kernels, const struct cls_segments *s,
                                 const struct cls_segments_job *job, struct cls_chain *chain)
{
    const struct sort sort = {kernels, s, job->arrays, job->scratch, chain, {0}};
    return make_list(&sort);
}

cl_int cls_segments_enqueue(const cl_kernel *kernels, const struct cls_segments *s,
                            const struct cls_segments_job *job, struct cls_chain *chain)
{
    const struct cls_arrays *arrays = job->arrays;
    struct sort sort = {kernels, s, arrays, job->scratch, chain, {0}};
    cl_int status = job->has_list ? CL_SUCCESS : cls_segments_enqueue_list(kernels, s, job, chain);
    if (arrays->count == 0 || arrays->segment_count == 0)
        return status;
    /* The longest segment that is possible is a row, or the whole array. */
    const uint64_t tile = cls_segments_tile(s, arrays->count), row = cls_segments_row(s, arrays),
                   length = row > 0 ? row : arrays->count;
    if (s->by_length)
        return status == CL_SUCCESS
                   ? cls_segments_by_length_enqueue(kernels + BOUNDS_KERNELS, s, job, row, chain)
                   : status;
    sort.args = (cls_segments_args){
        .count = arrays->count,
        .row = row,
        .tile = tile,
        .pad = s->spec.pad,
        .slice_bytes = slice_bytes(s),
        .tiles = (cls_u32)cls_divide_up(arrays->count, tile),
    };
    if (status == CL_SUCCESS)
        status = find_tiles(&sort);
    if (status == CL_SUCCESS)
        status = sort_tiles(&sort);
    const unsigned rounds = max_rounds(&sort, length);
    if (status == CL_SUCCESS && rounds > 0 && launches_rounds_together(s))
        return merge(&sort, ROUNDS, cls_min((uint64_t)s->units * GROUPS_PER_UNIT, sort.args.tiles));
    for (; status == CL_SUCCESS && sort.args.round < rounds; sort.args.round++) {
        status = split(&sort);
        if (status == CL_SUCCESS)
            status = merge(&sort, ROUND, sort.args.tiles);
    }
    return status;
}
