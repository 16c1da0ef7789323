/* sort_segments.c - sorts segments of host arrays in the calling thread */
#include "api/sort_segments.h"

#include "base/arithmetic.h"
#include "base/index.h"
#include "host/sort.h"
#include "plan/request.h"

#include <stdlib.h>
#include <string.h>

struct range {
    uint64_t begin, end;
};

/* Returns segment i as the caller describes it. */
static struct range given_range(const struct cls_spec *spec,
                                const struct cls_host_segments *segments, size_t count, size_t i)
{
    const size_t bytes = segments->offset_bytes;
    if (spec->segments == CLSORT_ROWS) {
        const size_t row = count / segments->count;
        return (struct range){i * row, (i + 1) * row};
    }
    const char *offset = (const char *)segments->offsets + i * bytes;
    const char *end = spec->segments == CLSORT_OFFSETS ? offset + bytes
                                                       : (const char *)segments->ends + i * bytes;
    return (struct range){cls_load_index(offset, bytes), cls_load_index(end, bytes)};
}

/* Returns the part of a segment that is sorted, and updates the bound that later segments have. */
static struct range clamp_range(struct range given, size_t count, uint64_t *bound)
{
    const uint64_t begin = cls_max(cls_min(given.begin, count), *bound),
                   end = cls_max(cls_min(given.end, count), begin);
    *bound = cls_max(*bound, cls_min(given.end, count));
    return (struct range){begin, end};
}

static bool is_clamped(struct range given, uint64_t begin, size_t count)
{
    return given.begin > given.end || given.end > count ||
           (given.begin < given.end && given.begin != begin);
}

static clsort_status sort_range(const struct cls_spec *spec, struct range range, char *keys,
                                char *values)
{
    const size_t bytes = spec->value_bytes;
    char *const value = bytes > 0 ? values + range.begin * bytes : NULL;
    const clsort_status status = cls_host_sort(spec, (size_t)(range.end - range.begin),
                                               keys + range.begin * spec->key_bytes, value);
    if (status != CLSORT_OK || !spec->value_is_index)
        return status;
    for (char *at = value; at < values + range.end * bytes; at += bytes)
        cls_store_index(cls_load_index(at, bytes) + range.begin, bytes, at);
    return CLSORT_OK;
}

/* Sorts the segments, whose begins, if any, are in ascending order. */
static clsort_status sort_all(const struct cls_spec *spec, const struct cls_host_segments *segments,
                              size_t count, void *keys, void *values, uint64_t *clamped)
{
    clsort_status status = CLSORT_OK;
    uint64_t bound = 0;
    *clamped = 0;
    for (size_t i = 0; i < segments->count && status == CLSORT_OK; i++) {
        const struct range given = given_range(spec, segments, count, i),
                           range = clamp_range(given, count, &bound);
        *clamped += is_clamped(given, range.begin, count);
        if (range.begin < range.end)
            status = sort_range(spec, range, keys, values);
    }
    return status;
}

clsort_status cls_sort_segments(const struct cls_spec *spec,
                                const struct cls_host_segments *segments, size_t count, void *keys,
                                void *values, uint64_t *clamped)
{
    const size_t offset = segments->offset_bytes, bytes = segments->count * offset;
    if (spec->segments != CLSORT_BEGIN_END || segments->count == 0)
        return sort_all(spec, segments, count, keys, values, clamped);
    char *const begins = malloc(2 * bytes);
    if (!begins)
        return CLSORT_E_MEMORY;
    struct cls_spec pairs = cls_gather_spec((unsigned)offset, offset);
    pairs.operation = CLSORT_SORT;
    memcpy(begins, segments->offsets, bytes);
    memcpy(begins + bytes, segments->ends, bytes);
    clsort_status status = cls_host_sort(&pairs, segments->count, begins, begins + bytes);
    const struct cls_host_segments ordered = {segments->count, offset, begins, begins + bytes};
    if (status == CLSORT_OK)
        status = sort_all(spec, &ordered, count, keys, values, clamped);
    free(begins);
    return status;
}
