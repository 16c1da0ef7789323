/* columns.c - sorts of records, of columns and of byte strings: random descriptors compared with a reference
 *
 *     columns [FIRST_SEED [SEEDS [SORTS [MAX_POWER]]]]
 *
 * A seed determines a descriptor and the sorts of one plan: SORTS of them, of up to 2^MAX_POWER elements. Descriptors
 * differ in columns, orders, byte orders, offsets and sizes of records; inputs in how many elements are equal in how
 * many columns. All arrays are between canaries, and inputs must not change. The seed of a failure is printed. */
#include "random_columns.h"
#include "random_plans.h"

#include "check.h"
#include "guarded.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct random_plans plans = {1, 12, 16, 14, 1, NULL};

/* -- the plan ---------------------------------------------------------------------------------- */

struct plan {
    const struct env *env;
    clsort_desc desc;
    struct random_columns elements;
    size_t index_size;
    clsort_plan *plan;
};

static void draw_plan(uint64_t *random, struct plan *plan)
{
    clsort_desc *desc = &plan->desc;
    desc->max_count = (size_t)1 << plans.max_power;
    desc->operation = random_below(random, 2) ? CLSORT_SORT : CLSORT_ARGSORT;
    random_columns_draw(random, desc, &plan->elements);
    if (plan->elements.has_buffers)
        desc->operation = CLSORT_ARGSORT;
    if (desc->operation == CLSORT_ARGSORT)
        desc->index_size = 4 + 4 * (uint32_t)random_below(random, 2);
    plan->index_size = desc->index_size;
}

/* -- the call ---------------------------------------------------------------------------------- */

enum { KEYS_OUT, INDEX_OUT, SCRATCH, INPUTS, ARRAYS = INPUTS + CLSORT_MAX_COLUMNS };

struct sort {
    size_t count;
    bool in_place;
    uint8_t *elements; /* records, or all columns of an element together */
    size_t *order;
    struct guarded arrays[ARRAYS];
};

/* Returns what an array has before the call or, with an order, is expected to have after it. The caller frees it. */
static uint8_t *content(const struct plan *plan, const struct sort *sort, size_t i,
                        const size_t *order)
{
    const bool is_column = i >= INPUTS && plan->elements.has_buffers;
    const size_t size = is_column        ? random_columns_size(&plan->elements.columns[i - INPUTS])
                        : i == INDEX_OUT ? plan->index_size
                                         : plan->elements.element_size;
    const bool is_sorted = order && !is_column && (i == KEYS_OUT || sort->in_place);
    uint8_t *bytes = calloc(sort->count * size + 1, 1);
    assert_non_null(bytes);
    for (size_t at = 0; at < sort->count && (order || i >= INPUTS); at++) {
        const size_t element = is_sorted ? order[at] : at;
        if (i == INDEX_OUT)
            random_columns_store(order[at], size, bytes + at * size);
        else
            memcpy(bytes + at * size,
                   is_column ? random_columns_at(&plan->elements, sort->elements, i - INPUTS, at)
                             : sort->elements + element * size,
                   size);
    }
    return bytes;
}

static void create_arrays(uint64_t *random, const struct plan *plan, struct sort *sort)
{
    const enum guarded_memory memory = random_below(random, 2) ? GUARDED_PLAIN : GUARDED_SUB;
    const size_t n = sort->count,
                 inputs = plan->elements.has_buffers ? plan->elements.column_count : 1;
    const bool is_argsort = plan->desc.operation == CLSORT_ARGSORT;
    const bool has_keys_out =
        !plan->elements.has_buffers && !sort->in_place && (!is_argsort || random_below(random, 2));
    size_t sizes[ARRAYS] = {[KEYS_OUT] = has_keys_out ? n * plan->elements.element_size : 0,
                            [INDEX_OUT] = is_argsort ? n * plan->index_size : 0};
    if (random_below(random, 2))
        assert_ok(clsort_scratch_size(plan->plan, n, &sizes[SCRATCH]));
    for (size_t i = 0; i < inputs; i++)
        sizes[INPUTS + i] =
            n * (plan->elements.has_buffers ? random_columns_size(&plan->elements.columns[i])
                                            : plan->elements.element_size);
    for (size_t i = 0; i < ARRAYS; i++) {
        if (sizes[i] == 0)
            continue;
        uint8_t *bytes = i == SCRATCH ? NULL : content(plan, sort, i, NULL);
        assert_ok(guarded_create(&sort->arrays[i], plan->env, memory,
                                 i < INPUTS       ? GUARDED_OUTPUT
                                 : sort->in_place ? GUARDED_BOTH
                                                  : GUARDED_INPUT,
                                 8 * random_below(random, 3), sizes[i], bytes));
        free(bytes);
    }
}

static void enqueue(uint64_t *random, const struct plan *plan, const struct sort *sort)
{
    clsort_buffer columns[CLSORT_MAX_COLUMNS];
    clsort_io io = CLSORT_IO_INIT;
    cl_event event = NULL;
    for (size_t i = 0; i < CLSORT_MAX_COLUMNS; i++)
        columns[i] = sort->arrays[INPUTS + i].buffer;
    io.count = sort->count;
    if (plan->elements.has_buffers)
        io.columns = columns;
    else
        io.keys = columns[0];
    io.keys_out = sort->arrays[KEYS_OUT].buffer;
    io.index_out = sort->arrays[INDEX_OUT].buffer;
    io.scratch = sort->arrays[SCRATCH].buffer;
    if (sort->in_place && plan->desc.operation == CLSORT_ARGSORT)
        io.keys_out = io.keys;
    assert_ok(clsort_enqueue(plan->plan,
                             random_below(random, 2) ? plan->env->out_of_order : plan->env->queue,
                             &io, 0, NULL, &event));
    assert_true(env_finish_event(event));
}

/* Returns whether an array is as expected, and no canary has changed. */
static bool check_array(const struct plan *plan, const struct sort *sort, size_t i)
{
    static const char *const names[] = {"keys_out", "index_out", "scratch"};
    uint8_t *expected = i == SCRATCH ? NULL : content(plan, sort, i, sort->order);
    const bool right =
        guarded_has(&sort->arrays[i], plan->env, i < INPUTS ? names[i] : "an input", expected);
    free(expected);
    return right;
}

static bool run_sort(uint64_t *random, const struct plan *plan)
{
    struct sort sort = {.count = random_columns_count(random, plans.max_power)};
    bool right = true;
    sort.in_place = !plan->elements.has_buffers && random_below(random, 3) == 0;
    sort.elements = malloc(sort.count * plan->elements.element_size + 1);
    sort.order = malloc((2 * sort.count + 1) * sizeof *sort.order);
    assert_true(sort.elements && sort.order);
    random_columns_fill(random, &plan->elements, sort.elements, sort.count);
    random_columns_order(&plan->elements, sort.elements, sort.count, sort.order);
    create_arrays(random, plan, &sort);
    enqueue(random, plan, &sort);
    for (size_t i = 0; i < ARRAYS; i++) {
        if (sort.arrays[i].size > 0)
            right &= check_array(plan, &sort, i);
        guarded_release(&sort.arrays[i]);
    }
    if (!right)
        fprintf(stderr, "  of %zu elements%s\n", sort.count, sort.in_place ? ", in place" : "");
    free(sort.elements);
    free(sort.order);
    return right;
}

/* Returns whether the size of scratch for a number of elements is within the bound of clsort_columns.h. */
static bool scratch_is_bounded(const struct plan *plan, size_t count)
{
    size_t bytes, index = plan->index_size > 0 ? plan->index_size : 4;
    assert_ok(clsort_scratch_size(plan->plan, count, &bytes));
    const size_t pairs = 2 * count * (8 + index);
    if (bytes > pairs + pairs / 16 + (32 << 20))
        fprintf(stderr, "%zu elements need %zu bytes of scratch\n", count, bytes);
    return bytes <= pairs + pairs / 16 + (32 << 20);
}

struct job {
    uint64_t random;
    struct plan plan;
};

static bool make_call(void *context, const char *description)
{
    struct job *job = context;
    (void)description;
    return scratch_is_bounded(&job->plan, job->plan.desc.max_count) &&
           run_sort(&job->random, &job->plan);
}

static bool run_plan(const struct env *env, uint64_t seed)
{
    struct job job = {seed, {.env = env, .desc = CLSORT_DESC_INIT}};
    draw_plan(&job.random, &job.plan);
    return random_plans_run(&plans, env, seed, &job.plan.desc, false, &job.plan.plan, make_call,
                            &job);
}

int main(int argc, char **argv)
{
    return random_plans_main(&plans, argc, argv, run_plan);
}
