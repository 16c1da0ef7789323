/* random_segments.c - random keys and segments, for the tests of segmented sorts and of selections from segments */
#include "random_segments.h"

#include "bits.h"
#include "reference.h"

#include <stdlib.h>
#include <string.h>

/* -- random numbers ---------------------------------------------------------------------------- */

uint64_t next(struct random *random)
{
    return bits_mix(random->state += BITS_GAMMA);
}

size_t below(struct random *random, size_t end)
{
    return (size_t)(next(random) % end);
}

bool one_in(struct random *random, size_t n)
{
    return below(random, n) == 0;
}

size_t some_size(struct random *random, unsigned power)
{
    return below(random, ((size_t)1 << below(random, power + 1)) + 1);
}

/* -- plans ------------------------------------------------------------------------------------- */

void draw_key(struct random *programs, struct random *random, struct plan *plan)
{
    clsort_desc *desc = &plan->desc;
    if (one_in(programs, 6)) {
        const struct custom_order *orders =
            one_in(programs, 4) ? custom_orders_invalid : custom_orders;
        size_t count = 0;
        while (orders[count].name)
            count++;
        plan->custom = &orders[below(programs, count)];
        plan->key_size = desc->key_size = plan->custom->key_size;
        desc->key = CLSORT_CUSTOM;
        desc->prelude = plan->custom->prelude;
        desc->key_type = plan->custom->key_type;
        desc->less = plan->custom->less;
        return;
    }
    plan->type = data_type_at(below(programs, 11));
    plan->key_size = plan->type->size;
    desc->key = plan->type->key;
    desc->flags = (uint32_t)below(random, 8);
    if (!data_type_is_float(plan->type))
        desc->flags &= ~CLSORT_FLOAT_NUMERIC;
    if (one_in(random, 3)) {
        desc->end_bit = (uint32_t)below(random, 8 * plan->key_size + 1);
        desc->begin_bit = desc->end_bit ? (uint32_t)below(random, desc->end_bit + 1) : 0;
    }
}

/* -- segments ---------------------------------------------------------------------------------- */

/* Draws lengths of segments until they fill the elements, or there are enough of them. */
static size_t draw_length(struct random *random, unsigned max_power, size_t kind)
{
    switch (kind) {
    case 0:
        return below(random, 4); /* tiny ones, many of them empty */
    case 1:
        return some_size(random, max_power); /* skewed */
    case 2:
        return one_in(random, 50) ? ((size_t)1 << max_power) / 2
                                  : below(random, 2); /* a huge one */
    case 3:
        return 200 + below(random, 200);
    case 4:
        return 0;
    default:
        return some_size(random, 10);
    }
}

static int compare_begins(const void *a, const void *b)
{
    const struct range *x = a, *y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

/* A stable sort by the begins: insertion sort would be slow for many segments. */
static void order_by_begins(struct range *ranges, size_t number)
{
    struct keyed {
        struct range range;
        size_t index;
    } *keyed = malloc((number + 1) * sizeof *keyed);
    assert_non_null(keyed);
    for (size_t i = 0; i < number; i++)
        keyed[i] = (struct keyed){ranges[i], i};
    for (size_t width = 1; width < number; width *= 2) { /* merges of neighbouring runs */
        struct keyed *merged = malloc((number + 1) * sizeof *merged);
        assert_non_null(merged);
        for (size_t at = 0; at < number; at += 2 * width) {
            const size_t middle = at + width < number ? at + width : number;
            const size_t end = at + 2 * width < number ? at + 2 * width : number;
            size_t a = at, b = middle;
            for (size_t i = at; i < end; i++)
                merged[i] =
                    b < end && (a == middle || compare_begins(&keyed[b].range, &keyed[a].range) < 0)
                        ? keyed[b++]
                        : keyed[a++];
        }
        free(keyed);
        keyed = merged;
    }
    for (size_t i = 0; i < number; i++)
        ranges[i] = keyed[i].range;
    free(keyed);
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Clamps the segments as the header states. */
static void clamp_segments(struct segments *s, bool by_begins)
{
    uint64_t before = 0;
    memcpy(s->sorted, s->given, s->number * sizeof *s->given);
    if (by_begins)
        order_by_begins(s->sorted, s->number);
    for (size_t i = 0; i < s->number; i++) {
        const struct range given = s->sorted[i];
        struct range range = {most(least(given.begin, s->count), before), 0};
        range.end = most(least(given.end, s->count), range.begin);
        s->clamped += given.begin > given.end || given.end > s->count ||
                      (given.begin < given.end && range.begin != given.begin);
        before = most(before, least(given.end, s->count));
        s->sorted[i] = range;
    }
}

static void swap_ranges(struct range *a, struct range *b)
{
    const struct range swap = *a;
    *a = *b;
    *b = swap;
}

/* Damages some offsets, or lets segments overlap. */
static void damage(struct random *random, const struct plan *plan, struct segments *s)
{
    const uint64_t all = plan->index_size == 4 ? UINT32_MAX : UINT64_MAX;
    for (size_t i = 0; i < s->number; i += 1 + below(random, s->number)) {
        const uint64_t offset =
            one_in(random, 3) ? all - below(random, 9) : below(random, s->count + s->count / 4 + 2);
        if (one_in(random, 2))
            s->given[i].begin = offset;
        else
            s->given[i].end = offset;
    }
}

void draw_segments(struct random *random, const struct plan *plan, unsigned max_power,
                   struct segments *s)
{
    const bool rows = plan->desc.segments == CLSORT_ROWS;
    const bool offsets = plan->desc.segments == CLSORT_OFFSETS;
    const bool has_max = plan->desc.max_segments > 0 && !rows;
    const size_t kind = below(random, 6), max = has_max ? some_size(random, max_power + 2) : 0;
    const size_t row = some_size(random, max_power);
    s->count = some_size(random, max_power);
    if (rows) {
        const size_t number = row > 0 ? s->count / row : 0;
        s->count = number * row;
    }
    const size_t limit = has_max ? max : s->count;
    s->given = malloc((limit + 2) * sizeof *s->given);
    s->sorted = malloc((limit + 2) * sizeof *s->sorted);
    assert_true(s->given && s->sorted);
    uint64_t at = rows || one_in(random, 2) ? 0 : below(random, s->count / 4 + 1);
    while (s->number < limit && (at < s->count || (!rows && kind == 4))) {
        const uint64_t length = rows ? row : draw_length(random, max_power, kind);
        const uint64_t end = least(at + length, s->count);
        s->given[s->number++] = (struct range){at, end};
        at = end + (rows || offsets ? 0 : one_in(random, 3) ? below(random, 3) : 0);
        if (at > s->count)
            break;
        if (!rows && one_in(random, 10000))
            break; /* elements behind the last segment */
    }
    if (!rows && !offsets)
        for (size_t i = s->number; i > 1; i--)
            swap_ranges(&s->given[i - 1], &s->given[below(random, i)]);
    if (!rows && s->number > 0 && one_in(random, 3))
        damage(random, plan, s);
    for (size_t i = 1; offsets && i < s->number; i++)
        s->given[i].begin = s->given[i - 1].end;
    clamp_segments(s, plan->desc.segments == CLSORT_BEGIN_END);
}

void free_segments(struct segments *s)
{
    free(s->given);
    free(s->sorted);
}

/* -- arrays ------------------------------------------------------------------------------------ */

void store_index(uint64_t index, size_t size, uint8_t *at)
{
    const uint32_t narrow = (uint32_t)index;
    memcpy(at, size == sizeof narrow ? (const void *)&narrow : (const void *)&index, size);
}

uint64_t load_index(size_t size, const uint8_t *at)
{
    uint64_t index = 0;
    uint32_t narrow = 0;
    memcpy(size == sizeof narrow ? (void *)&narrow : (void *)&index, at, size);
    return size == sizeof narrow ? narrow : index;
}

void fill_keys(struct random *random, const struct plan *plan, size_t count, uint8_t *keys)
{
    const enum data_dist dist = (enum data_dist)below(random, DATA_DIST_COUNT);
    if (plan->custom)
        custom_order_fill(plan->custom, next(random), keys, count);
    else
        assert_true(data_fill(plan->type, dist, next(random), keys, count));
}

size_t *segment_order(const struct plan *plan, const uint8_t *keys, size_t n)
{
    size_t *order = malloc((n + 1) * sizeof *order);
    assert_non_null(order);
    if (plan->custom && plan->custom->precedes)
        assert_true(custom_order_sort(plan->custom, keys, n, order));
    else if (plan->custom)
        for (size_t i = 0; i < n; i++)
            order[i] = i;
    else {
        const struct reference reference = {
            plan->type, plan->desc.flags & (CLSORT_DESCENDING | CLSORT_FLOAT_NUMERIC),
            plan->desc.begin_bit, plan->desc.end_bit};
        assert_true(reference_order(&reference, keys, n, order));
    }
    return order;
}
