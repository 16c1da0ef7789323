/* random_column_segments.c - random segments of records, of columns and of byte strings */
#include "random_column_segments.h"

#include <stdlib.h>

bool column_segments_have_offsets(const struct column_plan *plan)
{
    return plan->base.desc.segments == CLSORT_OFFSETS ||
           plan->base.desc.segments == CLSORT_BEGIN_END;
}

void column_segments_draw_form(uint64_t *random, clsort_desc *desc)
{
    if (random_below(random, 2))
        desc->segments = CLSORT_ROWS + (uint32_t)random_below(random, 3);
    desc->count_size = random_below(random, 3) ? 0 : 4 + 4 * (uint32_t)random_below(random, 2);
}

/* Draws the number in device memory: smaller than the bound, equal or larger. Offsets of more segments may follow. */
static void draw_device_number(uint64_t *random, const clsort_desc *desc, struct column_segments *s)
{
    const size_t max = desc->max_segments > 0 ? desc->max_segments : s->all.count;
    const size_t spare = s->all.number < max ? max - s->all.number : 0;
    if (random_below(random, 3) == 0) {
        s->device_number += 1 + random_below(random, 9);
        s->exceeds = true;
    } else if (desc->segments == CLSORT_ROWS)
        s->all.number = s->device_number = random_below(random, s->all.number + 1);
    else
        s->bound += random_below(random, spare < 9 ? spare + 1 : 9);
}

/* Draws a whole array, of at least `min` elements, as one segment that ends at the count in device memory. */
static void draw_whole(uint64_t *random, const clsort_desc *desc, size_t min, unsigned max_power,
                       struct column_segments *s)
{
    const size_t drawn = random_columns_count(random, max_power), count = drawn < min ? min : drawn;
    s->device_number = count;
    if (desc->count_size > 0 && random_below(random, 4) == 0) {
        s->device_number += 1 + random_below(random, 9);
        s->exceeds = true;
    } else if (desc->count_size > 0 && random_below(random, 4) > 0)
        s->device_number = random_below(random, count + 1);
    s->all.count = count;
    s->all.number = 1;
    s->all.sorted = malloc(sizeof *s->all.sorted);
    assert_non_null(s->all.sorted);
    s->all.sorted[0] = (struct range){0, s->exceeds ? count : s->device_number};
}

void column_segments_draw(uint64_t *random, const struct column_plan *plan, unsigned max_power,
                          struct column_segments *s)
{
    const clsort_desc *desc = &plan->base.desc;
    struct random own = {bits_mix(*random += BITS_GAMMA)};
    *s = (struct column_segments){0};
    if (desc->segments == CLSORT_WHOLE) {
        draw_whole(random, desc, desc->operation == CLSORT_NTH, max_power, s);
        return;
    }
    draw_segments(&own, &plan->base, max_power, &s->all);
    s->bound = s->all.number;
    s->device_number = s->all.number;
    if (desc->count_size > 0)
        draw_device_number(random, desc, s);
}

void column_segments_free(struct column_segments *s)
{
    free_segments(&s->all);
}

void column_segments_store(const struct column_plan *plan, const struct column_segments *s,
                           bool ends, uint8_t *bytes)
{
    const size_t size = plan->base.index_size, number = s->all.number;
    for (size_t i = 0; i < s->bound; i++) {
        const struct range any = {i % (s->all.count + 1), s->all.count};
        const struct range range = i < number ? s->all.given[i] : any;
        store_index(ends ? range.end : range.begin, size, bytes + i * size);
    }
    if (plan->base.desc.segments != CLSORT_OFFSETS)
        return;
    store_index(number > 0 ? s->all.given[number - 1].end : 0, size, bytes + number * size);
    if (s->bound > number)
        store_index(s->all.count, size, bytes + s->bound * size);
}

size_t column_segments_scratch(const struct column_plan *plan, size_t count)
{
    const clsort_desc *desc = &plan->base.desc;
    const size_t segments = desc->max_segments > 0 ? desc->max_segments : count;
    return desc->segments == CLSORT_OFFSETS     ? 16 * segments
           : desc->segments == CLSORT_BEGIN_END ? 33 * segments + (32 << 20)
                                                : 0;
}
