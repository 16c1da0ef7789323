/* sort_segments.c - sorts segments of host arrays in the calling thread */
#include "api/sort_segments.h"

#include "base/arithmetic.h"
#include "base/index.h"
#include "host/sort.h"
#include "plan/request.h"

#include <stdlib.h>
#include <string.h>

/* -- the walk ---------------------------------------------------------------------------------- */

clsort_status cls_segment_walk_open(struct cls_segment_walk *walk, const struct cls_spec *spec,
                                    const struct cls_host_segments *segments, size_t count)
{
    const size_t offset = segments->offset_bytes, bytes = segments->count * offset;
    *walk = (struct cls_segment_walk){.spec = spec, .segments = *segments, .count = count};
    if (spec->segments != CLSORT_BEGIN_END || segments->count == 0)
        return CLSORT_OK;
    walk->memory = malloc(2 * bytes);
    if (!walk->memory)
        return CLSORT_E_MEMORY;
    struct cls_spec pairs = cls_gather_spec((unsigned)offset, offset);
    pairs.operation = CLSORT_SORT;
    memcpy(walk->memory, segments->offsets, bytes);
    memcpy(walk->memory + bytes, segments->ends, bytes);
    walk->segments.offsets = walk->memory;
    walk->segments.ends = walk->memory + bytes;
    const clsort_status status =
        cls_host_sort(&pairs, segments->count, walk->memory, walk->memory + bytes);
    if (status != CLSORT_OK)
        cls_segment_walk_close(walk);
    return status;
}

void cls_segment_walk_close(struct cls_segment_walk *walk)
{
    free(walk->memory);
    walk->memory = NULL;
}

/* Returns segment i as the caller describes it. */
static struct cls_host_range given_range(const struct cls_segment_walk *walk, size_t i)
{
    const struct cls_host_segments *segments = &walk->segments;
    const size_t bytes = segments->offset_bytes;
    if (walk->spec->segments == CLSORT_ROWS) {
        const size_t row = walk->count / segments->count;
        return (struct cls_host_range){i * row, (i + 1) * row};
    }
    const char *offset = (const char *)segments->offsets + i * bytes;
    const char *end = walk->spec->segments == CLSORT_OFFSETS
                          ? offset + bytes
                          : (const char *)segments->ends + i * bytes;
    return (struct cls_host_range){cls_load_index(offset, bytes), cls_load_index(end, bytes)};
}

static bool is_clamped(struct cls_host_range given, uint64_t begin, size_t count)
{
    return given.begin > given.end || given.end > count ||
           (given.begin < given.end && given.begin != begin);
}

bool cls_segment_walk_next(struct cls_segment_walk *walk, struct cls_host_range *range)
{
    const uint64_t count = walk->count;
    while (walk->next < walk->segments.count) {
        const struct cls_host_range given = given_range(walk, walk->next++);
        range->begin = cls_max(cls_min(given.begin, count), walk->bound);
        range->end = cls_max(cls_min(given.end, count), range->begin);
        walk->bound = cls_max(walk->bound, cls_min(given.end, count));
        walk->clamped += is_clamped(given, range->begin, walk->count);
        if (range->begin < range->end)
            return true;
    }
    return false;
}

void cls_segment_index_from(const struct cls_spec *spec, struct cls_host_range range,
                            uint64_t first, char *indexes)
{
    const size_t bytes = spec->value_bytes;
    for (char *at = indexes + range.begin * bytes; at < indexes + range.end * bytes; at += bytes)
        cls_store_index(cls_load_index(at, bytes) + first, bytes, at);
}

/* -- sorts in the calling thread --------------------------------------------------------------- */

static clsort_status sort_range(const struct cls_spec *spec, struct cls_host_range range,
                                char *keys, char *values)
{
    char *const value = spec->value_bytes > 0 ? values + range.begin * spec->value_bytes : NULL;
    const clsort_status status = cls_host_sort(spec, (size_t)(range.end - range.begin),
                                               keys + range.begin * spec->key_bytes, value);
    if (status == CLSORT_OK && spec->value_is_index)
        cls_segment_index_from(spec, range, range.begin, values);
    return status;
}

clsort_status cls_sort_segments(const struct cls_spec *spec,
                                const struct cls_host_segments *segments, size_t count, void *keys,
                                void *values, uint64_t *clamped)
{
    struct cls_segment_walk walk;
    struct cls_host_range range;
    clsort_status status = cls_segment_walk_open(&walk, spec, segments, count);
    if (status != CLSORT_OK)
        return status;
    while (status == CLSORT_OK && cls_segment_walk_next(&walk, &range))
        status = sort_range(spec, range, keys, values);
    *clamped = walk.clamped;
    cls_segment_walk_close(&walk);
    return status;
}
