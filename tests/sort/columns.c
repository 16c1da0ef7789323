/* columns.c - sorts of records, of columns and of byte strings: random descriptors compared with a reference
 *
 *     columns [FIRST_SEED [SEEDS [SORTS [MAX_POWER]]]]
 *
 * A seed determines a descriptor and the sorts of one plan: SORTS of them, of up to 2^MAX_POWER elements. Descriptors
 * differ in columns, orders, byte orders, offsets and sizes of records, and in forms of segments; inputs in how many
 * elements are equal in how many columns. A count of elements or of segments may be in device memory. All arrays are
 * between canaries, and neither inputs nor elements in no segment or behind the count may change. The seed of a failure
 * is printed. */
#include "random_column_segments.h"
#include "random_plans.h"

#include "check.h"
#include "guarded.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct random_plans plans = {1, 12, 16, 14, 1, NULL};

/* -- the plan ---------------------------------------------------------------------------------- */

static bool is_argsort(const struct column_plan *plan)
{
    return plan->base.desc.operation == CLSORT_ARGSORT;
}

static void draw_plan(uint64_t *random, struct column_plan *plan)
{
    clsort_desc *desc = &plan->base.desc;
    desc->max_count = (size_t)1 << plans.max_power;
    desc->operation = random_below(random, 2) ? CLSORT_SORT : CLSORT_ARGSORT;
    random_columns_draw(random, desc, &plan->elements);
    if (plan->elements.has_buffers)
        desc->operation = CLSORT_ARGSORT;
    column_segments_draw_form(random, desc);
    if (column_segments_have_offsets(plan) && random_below(random, 2))
        desc->max_segments = (size_t)1 << (plans.max_power + 2);
    if (is_argsort(plan) || column_segments_have_offsets(plan))
        desc->index_size = 4 + 4 * (uint32_t)random_below(random, 2);
    plan->base.index_size = desc->index_size;
}

/* -- the call ---------------------------------------------------------------------------------- */

enum {
    KEYS_OUT,
    INDEX_OUT,
    RESULT,
    SCRATCH,
    OFFSETS, /* the first input */
    ENDS,
    NUMBER, /* of segments, or of the elements, in device memory */
    INPUTS,
    ARRAYS = INPUTS + CLSORT_MAX_COLUMNS
};

enum { UNTOUCHED = 0x5a }; /* the bytes of outputs before the call */

#define IN_NO_SEGMENT SIZE_MAX

struct sort {
    size_t count;
    bool in_place;
    uint8_t *elements; /* records, or all columns of an element together */
    size_t *order;     /* for each place of the outputs, an element or IN_NO_SEGMENT */
    struct column_segments segments;
    uint64_t result;
    struct guarded arrays[ARRAYS];
};

/* Sorts each segment by the reference. */
static void set_order(const struct column_plan *plan, struct sort *sort)
{
    const size_t size = plan->elements.element_size;
    size_t *order = malloc((2 * sort->count + 1) * sizeof *order);
    assert_non_null(order);
    for (size_t i = 0; i < sort->count; i++)
        sort->order[i] = IN_NO_SEGMENT;
    for (size_t i = 0; i < sort->segments.all.number; i++) {
        const struct range range = sort->segments.all.sorted[i];
        const size_t begin = (size_t)range.begin, n = (size_t)(range.end - range.begin);
        if (range.begin >= range.end)
            continue;
        random_columns_order(&plan->elements, sort->elements + begin * size, n, order);
        for (size_t at = 0; at < n; at++)
            sort->order[begin + at] = begin + order[at];
    }
    free(order);
}

static size_t place_size(const struct column_plan *plan, size_t array)
{
    return array == INDEX_OUT ? plan->base.index_size
           : array >= INPUTS && plan->elements.has_buffers
               ? random_columns_size(&plan->elements.columns[array - INPUTS])
               : plan->elements.element_size;
}

/* Fills outputs and elements as they are before the call or, with an order, as expected after it. */
static void fill_elements(const struct column_plan *plan, const struct sort *sort, size_t i,
                          const size_t *order, uint8_t *bytes)
{
    const size_t size = place_size(plan, i);
    const bool is_column = i >= INPUTS && plan->elements.has_buffers;
    for (size_t at = 0; at < sort->count && (order || i >= INPUTS); at++) {
        const bool moves = order && !is_column && (i < INPUTS || sort->in_place);
        const size_t element = moves ? order[at] : at;
        if (element == IN_NO_SEGMENT && i < INPUTS)
            continue;
        if (i == INDEX_OUT)
            store_index(element, size, bytes + at * size);
        else
            memcpy(bytes + at * size,
                   is_column ? random_columns_at(&plan->elements, sort->elements, i - INPUTS, at)
                             : sort->elements + (element == IN_NO_SEGMENT ? at : element) * size,
                   size);
    }
}

/* Returns what an array has before the call or, with an order, is expected to have after it. The caller frees it. */
static uint8_t *content(const struct column_plan *plan, const struct sort *sort, size_t i,
                        const size_t *order)
{
    const size_t bytes = sort->arrays[i].size;
    uint8_t *content = malloc(bytes + 1);
    assert_non_null(content);
    memset(content, UNTOUCHED, bytes);
    if (i == OFFSETS || i == ENDS)
        column_segments_store(plan, &sort->segments, i == ENDS, content);
    else if (i == NUMBER)
        store_index(sort->segments.device_number, bytes, content);
    else if (i == RESULT && order)
        store_index(sort->result, bytes, content);
    else if (i != RESULT)
        fill_elements(plan, sort, i, order, content);
    return content;
}

static void set_sizes(uint64_t *random, const struct column_plan *plan, struct sort *sort)
{
    const clsort_desc *desc = &plan->base.desc;
    const size_t n = sort->count, offset = plan->base.index_size,
                 inputs = plan->elements.has_buffers ? plan->elements.column_count : 1;
    struct guarded *arrays = sort->arrays;
    if (!plan->elements.has_buffers && !sort->in_place &&
        (!is_argsort(plan) || random_below(random, 2)))
        arrays[KEYS_OUT].size = n * place_size(plan, KEYS_OUT);
    if (is_argsort(plan))
        arrays[INDEX_OUT].size = n * place_size(plan, INDEX_OUT);
    if ((desc->segments != CLSORT_WHOLE || desc->count_size > 0) && random_below(random, 2))
        arrays[RESULT].size = sizeof sort->result;
    if (column_segments_have_offsets(plan))
        arrays[OFFSETS].size = (sort->segments.bound + (desc->segments == CLSORT_OFFSETS)) * offset;
    if (desc->segments == CLSORT_BEGIN_END)
        arrays[ENDS].size = sort->segments.bound * offset;
    arrays[NUMBER].size = desc->count_size;
    if (random_below(random, 2))
        assert_ok(clsort_scratch_size(plan->base.plan, n, &arrays[SCRATCH].size));
    for (size_t i = INPUTS; i < INPUTS + inputs; i++)
        arrays[i].size = n * place_size(plan, i);
}

static void create_arrays(uint64_t *random, const struct column_plan *plan, struct sort *sort)
{
    const enum guarded_memory memory = random_below(random, 2) ? GUARDED_PLAIN : GUARDED_SUB;
    for (size_t i = 0; i < ARRAYS; i++) {
        const size_t size = sort->arrays[i].size;
        if (size == 0)
            continue;
        uint8_t *bytes = i == SCRATCH ? NULL : content(plan, sort, i, NULL);
        assert_ok(guarded_create(&sort->arrays[i], plan->base.env, memory,
                                 i < OFFSETS || (i >= INPUTS && sort->in_place) ? GUARDED_BOTH
                                                                                : GUARDED_INPUT,
                                 8 * random_below(random, 3), size, bytes));
        free(bytes);
    }
}

static void enqueue(uint64_t *random, const struct column_plan *plan, const struct sort *sort)
{
    clsort_buffer columns[CLSORT_MAX_COLUMNS];
    clsort_io io = CLSORT_IO_INIT;
    cl_event event = NULL;
    for (size_t i = 0; i < CLSORT_MAX_COLUMNS; i++)
        columns[i] = sort->arrays[INPUTS + i].buffer;
    io.count = sort->count;
    io.segment_count = sort->segments.bound;
    if (plan->elements.has_buffers)
        io.columns = columns;
    else
        io.keys = columns[0];
    io.keys_out = sort->arrays[KEYS_OUT].buffer;
    io.index_out = sort->arrays[INDEX_OUT].buffer;
    io.result = sort->arrays[RESULT].buffer;
    io.scratch = sort->arrays[SCRATCH].buffer;
    io.offsets = sort->arrays[OFFSETS].buffer;
    io.ends = sort->arrays[ENDS].buffer;
    io.count_buffer = sort->arrays[NUMBER].buffer;
    if (sort->in_place && is_argsort(plan))
        io.keys_out = io.keys;
    assert_ok(clsort_enqueue(plan->base.plan,
                             random_below(random, 2) ? plan->base.env->out_of_order
                                                     : plan->base.env->queue,
                             &io, 0, NULL, &event));
    assert_true(env_finish_event(event));
}

/* Returns whether an array is as expected, and no canary has changed. */
static bool check_array(const struct column_plan *plan, const struct sort *sort, size_t i)
{
    static const char *const names[INPUTS] = {"keys_out", "index_out", "result", "scratch",
                                              "offsets",  "ends",      "count"};
    uint8_t *expected = i == SCRATCH ? NULL : content(plan, sort, i, sort->order);
    const bool right =
        guarded_has(&sort->arrays[i], plan->base.env, i < INPUTS ? names[i] : "an input", expected);
    free(expected);
    return right;
}

static bool run_sort(uint64_t *random, const struct column_plan *plan)
{
    struct sort sort = {.in_place = !plan->elements.has_buffers && random_below(random, 3) == 0};
    bool right = true;
    column_segments_draw(random, plan, plans.max_power, &sort.segments);
    sort.count = sort.segments.all.count;
    sort.result = sort.segments.all.clamped | (sort.segments.exceeds ? CLSORT_COUNT_EXCEEDED : 0);
    sort.elements = malloc(sort.count * plan->elements.element_size + 1);
    sort.order = malloc((sort.count + 1) * sizeof *sort.order);
    assert_true(sort.elements && sort.order);
    random_columns_fill(random, &plan->elements, sort.elements, sort.count);
    set_order(plan, &sort);
    set_sizes(random, plan, &sort);
    create_arrays(random, plan, &sort);
    enqueue(random, plan, &sort);
    for (size_t i = 0; i < ARRAYS; i++) {
        if (sort.arrays[i].size > 0)
            right &= check_array(plan, &sort, i);
        guarded_release(&sort.arrays[i]);
    }
    if (!right)
        fprintf(stderr, "  of %zu elements in %zu segments, count %" PRIu64 "%s\n", sort.count,
                sort.segments.all.number, sort.segments.device_number,
                sort.in_place ? ", in place" : "");
    column_segments_free(&sort.segments);
    free(sort.elements);
    free(sort.order);
    return right;
}

/* Returns whether the size of scratch for a number of elements is within the bound of clsort_columns.h. */
static bool scratch_is_bounded(const struct column_plan *plan, size_t count)
{
    const clsort_desc *desc = &plan->base.desc;
    const size_t index = is_argsort(plan) ? desc->index_size : 4, pairs = 2 * count * (8 + index);
    const size_t max = pairs + pairs / 16 + (32 << 20) + column_segments_scratch(plan, count);
    size_t bytes;
    assert_ok(clsort_scratch_size(plan->base.plan, count, &bytes));
    if (bytes > max)
        fprintf(stderr, "%zu elements need %zu bytes of scratch\n", count, bytes);
    return bytes <= max;
}

struct job {
    uint64_t random;
    struct column_plan plan;
};

static bool make_call(void *context, const char *description)
{
    struct job *job = context;
    (void)description;
    return scratch_is_bounded(&job->plan, job->plan.base.desc.max_count) &&
           run_sort(&job->random, &job->plan);
}

static bool run_plan(const struct env *env, uint64_t seed)
{
    struct job job = {seed, {.base = {.env = env, .desc = CLSORT_DESC_INIT}}};
    draw_plan(&job.random, &job.plan);
    return random_plans_run(&plans, env, seed, &job.plan.base.desc, false, &job.plan.base.plan,
                            make_call, &job);
}

int main(int argc, char **argv)
{
    return random_plans_main(&plans, argc, argv, run_plan);
}
