/* value_arrays.c - sorts with several arrays of values: random descriptors compared with an argsort
 *
 *     value_arrays [FIRST_SEED [SEEDS [SORTS [MAX_POWER]]]]
 *
 * A seed determines a descriptor and the sorts of one plan: SORTS of them, of up to 2^MAX_POWER elements. Keys are of a
 * built-in type, records, or columns with a buffer each; each array has values of 1 to 100 bytes, in place or not. A
 * plan of CLSORT_ARGSORT for the same keys, which other tests verify, tells where each value has to be. All arrays are
 * between canaries, and inputs must not change. The seed of a failure is printed. */
#include "random_plans.h"

#include "bits.h"
#include "check.h"
#include "guarded.h"
#include "reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct random_plans plans = {1, 12, 16, 14, 1, NULL};

/* Returns a random number below `end`. */
static size_t below(uint64_t *random, size_t end)
{
    return (size_t)(bits_mix(*random += BITS_GAMMA) % end);
}

/* -- the plan ---------------------------------------------------------------------------------- */

enum { COLUMNS = 2, RECORD = 7 };

static const clsort_column FIELDS[COLUMNS] = {
    {CLSORT_U16, CLSORT_DESCENDING | CLSORT_BIG_ENDIAN, 0, 3}, {CLSORT_U8, 0, 0, 1}};
static const clsort_column BUFFERS[COLUMNS] = {{CLSORT_U16, CLSORT_DESCENDING, 0, 0},
                                               {CLSORT_U8, 0, 0, 0}};
static const size_t BUFFER_SIZES[COLUMNS] = {2, 1};

struct plan {
    const struct env *env;
    clsort_desc desc;
    bool has_buffers;
    size_t key_size; /* of a record, or of both columns */
    size_t sizes[CLSORT_MAX_VALUES];
    clsort_plan *plan, *argsort;
};

static void draw_plan(uint64_t *random, struct plan *plan)
{
    static const size_t sizes[] = {1, 2, 3, 4, 8, 12, 16, 24, 100};
    const struct data_type *type = data_type_at(below(random, 11));
    clsort_desc *desc = &plan->desc;
    desc->max_count = (size_t)1 << plans.max_power;
    desc->operation = below(random, 2) ? CLSORT_SORT : CLSORT_ARGSORT;
    desc->value_count = 1 + below(random, CLSORT_MAX_VALUES);
    desc->value_sizes = plan->sizes;
    for (size_t i = 0; i < desc->value_count; i++)
        plan->sizes[i] = sizes[below(random, sizeof sizes / sizeof *sizes)];
    plan->key_size = type->size;
    switch (below(random, 4)) {
    case 0:
        desc->columns = FIELDS;
        desc->column_count = COLUMNS;
        desc->record_size = plan->key_size = RECORD;
        break;
    case 1:
        desc->columns = BUFFERS;
        desc->column_count = COLUMNS;
        desc->operation = CLSORT_ARGSORT;
        plan->has_buffers = true;
        plan->key_size = BUFFER_SIZES[0] + BUFFER_SIZES[1];
        break;
    default:
        desc->key = type->key;
        desc->flags = below(random, 2) ? CLSORT_DESCENDING : 0;
        desc->end_bit = below(random, 3) ? 0 : 1 + (uint32_t)below(random, 8 * type->size);
    }
    if (desc->operation == CLSORT_ARGSORT)
        desc->index_size = 4 + 4 * (uint32_t)below(random, 2);
}

static clsort_plan *create_argsort(const struct plan *plan)
{
    clsort_desc desc = plan->desc;
    clsort_plan *argsort = NULL;
    desc.operation = CLSORT_ARGSORT;
    desc.index_size = sizeof(uint64_t);
    desc.value_sizes = NULL;
    desc.value_count = 0;
    assert_ok(clsort_plan_create(plan->env->engine, &desc, &argsort));
    return argsort;
}

/* -- the sort ---------------------------------------------------------------------------------- */

enum {
    KEYS, /* or the first column */
    SECOND_COLUMN,
    KEYS_OUT,
    INDEX_OUT,
    SCRATCH,
    VALUES,
    VALUES_OUT = VALUES + CLSORT_MAX_VALUES,
    ARRAYS = VALUES_OUT + CLSORT_MAX_VALUES
};

struct sort {
    const struct plan *plan;
    size_t count;
    bool keys_in_place, in_place[CLSORT_MAX_VALUES];
    size_t element[ARRAYS];  /* sizes of elements; 0: the array is absent */
    uint8_t *before[ARRAYS]; /* the inputs; NULL for outputs and scratch */
    uint64_t *order;         /* the permutation */
    struct guarded arrays[ARRAYS];
};

static uint8_t *allocate(size_t size)
{
    uint8_t *memory = calloc(size + 1, 1);
    assert_non_null(memory);
    return memory;
}

/* Sets the sizes of elements, and fills the inputs. Keys repeat, so that the order of equal ones is tested. */
static void draw_sort(uint64_t *random, struct sort *sort)
{
    const struct plan *plan = sort->plan;
    const bool is_argsort = plan->desc.operation == CLSORT_ARGSORT;
    const size_t different = 1 + below(random, 300);
    sort->count = below(random, ((size_t)1 << below(random, plans.max_power + 1)) + 1);
    sort->keys_in_place = !plan->has_buffers && below(random, 2);
    sort->element[KEYS] = plan->has_buffers ? BUFFER_SIZES[0] : plan->key_size;
    sort->element[SECOND_COLUMN] = plan->has_buffers ? BUFFER_SIZES[1] : 0;
    sort->element[INDEX_OUT] = plan->desc.index_size;
    if (!plan->has_buffers && !sort->keys_in_place && (!is_argsort || below(random, 2)))
        sort->element[KEYS_OUT] = plan->key_size;
    for (size_t i = 0; i < plan->desc.value_count; i++) {
        sort->in_place[i] = below(random, 2);
        sort->element[VALUES + i] = plan->sizes[i];
        sort->element[VALUES_OUT + i] = sort->in_place[i] ? 0 : plan->sizes[i];
    }
    for (size_t i = 0; i < ARRAYS; i++) {
        if (sort->element[i] == 0 || (i > SECOND_COLUMN && i < VALUES) || i >= VALUES_OUT)
            continue;
        sort->before[i] = allocate(sort->count * sort->element[i]);
        for (size_t at = 0; at < sort->count; at++) {
            uint64_t state = i < VALUES ? below(random, different) : below(random, SIZE_MAX);
            for (size_t byte = 0; byte < sort->element[i]; byte++)
                sort->before[i][at * sort->element[i] + byte] = (uint8_t)below(&state, 256);
        }
    }
}

static void create_arrays(uint64_t *random, struct sort *sort)
{
    const enum guarded_memory memory = below(random, 2) ? GUARDED_PLAIN : GUARDED_SUB;
    size_t scratch = 0;
    if (below(random, 2))
        assert_ok(clsort_scratch_size(sort->plan->plan, sort->count, &scratch));
    for (size_t i = 0; i < ARRAYS; i++) {
        const size_t size = i == SCRATCH ? scratch : sort->count * sort->element[i];
        if (size > 0)
            assert_ok(guarded_create(&sort->arrays[i], sort->plan->env, memory,
                                     sort->before[i] ? GUARDED_BOTH : GUARDED_OUTPUT,
                                     8 * below(random, 3), size, sort->before[i]));
    }
}

static void enqueue(const struct sort *sort, clsort_plan *plan, clsort_io *io)
{
    const clsort_buffer columns[] = {sort->arrays[KEYS].buffer, sort->arrays[SECOND_COLUMN].buffer};
    cl_event event = NULL;
    io->count = sort->count;
    if (sort->plan->has_buffers)
        io->columns = columns;
    else
        io->keys = columns[0];
    assert_ok(clsort_enqueue(plan, sort->plan->env->queue, io, 0, NULL, &event));
    assert_true(env_finish_event(event));
}

/* Finds the permutation, before the keys are sorted. */
static void find_order(struct sort *sort)
{
    struct guarded indexes = {0};
    clsort_io io = CLSORT_IO_INIT;
    bool intact;
    sort->order = (uint64_t *)allocate(sort->count * sizeof *sort->order);
    if (sort->count == 0)
        return;
    assert_ok(guarded_create(&indexes, sort->plan->env, GUARDED_PLAIN, GUARDED_OUTPUT, 0,
                             sort->count * sizeof *sort->order, NULL));
    io.index_out = indexes.buffer;
    enqueue(sort, sort->plan->argsort, &io);
    assert_ok(guarded_read(&indexes, sort->plan->env, sort->order, &intact));
    guarded_release(&indexes);
}

static void run(const struct sort *sort)
{
    clsort_buffer values[CLSORT_MAX_VALUES], values_out[CLSORT_MAX_VALUES];
    clsort_io io = CLSORT_IO_INIT;
    bool all_in_place = true;
    for (size_t i = 0; i < sort->plan->desc.value_count; i++) {
        values[i] = sort->arrays[VALUES + i].buffer;
        values_out[i] = sort->in_place[i] ? values[i] : sort->arrays[VALUES_OUT + i].buffer;
        all_in_place &= sort->in_place[i];
    }
    io.keys_out = sort->arrays[sort->keys_in_place ? KEYS : KEYS_OUT].buffer;
    io.index_out = sort->arrays[INDEX_OUT].buffer;
    io.scratch = sort->arrays[SCRATCH].buffer;
    io.value_arrays = values;
    io.value_arrays_out = all_in_place ? NULL : values_out;
    enqueue(sort, sort->plan->plan, &io);
}

/* Returns what an array should have after the sort. The caller frees it. */
static uint8_t *expect(const struct sort *sort, size_t i)
{
    const size_t size = sort->element[i];
    const bool is_sorted = (i == KEYS && sort->keys_in_place) || i == KEYS_OUT || i >= VALUES_OUT ||
                           (i >= VALUES && sort->in_place[i - VALUES]);
    const uint8_t *from = sort->before[i == KEYS_OUT     ? KEYS
                                       : i >= VALUES_OUT ? i - VALUES_OUT + VALUES
                                                         : i];
    uint8_t *expected = allocate(sort->count * size);
    for (size_t at = 0; at < sort->count; at++) {
        const uint32_t narrow = (uint32_t)sort->order[at];
        const void *index = size == sizeof narrow ? (const void *)&narrow : &sort->order[at];
        memcpy(expected + at * size,
               i == INDEX_OUT ? index : from + (is_sorted ? sort->order[at] : at) * size, size);
    }
    return expected;
}

static bool check_array(const struct sort *sort, size_t i)
{
    char name[32];
    uint8_t *expected = i == SCRATCH ? NULL : expect(sort, i);
    snprintf(name, sizeof name, "array %zu of %zu elements", i, sort->count);
    const bool right = guarded_has(&sort->arrays[i], sort->plan->env, name, expected);
    free(expected);
    return right;
}

struct job {
    uint64_t random;
    struct plan plan;
};

static bool make_call(void *context, const char *description)
{
    struct job *job = context;
    struct sort sort = {.plan = &job->plan};
    bool right = true;
    (void)description;
    if (!job->plan.argsort)
        job->plan.argsort = create_argsort(&job->plan);
    draw_sort(&job->random, &sort);
    create_arrays(&job->random, &sort);
    find_order(&sort);
    run(&sort);
    for (size_t i = 0; i < ARRAYS; i++) {
        if (sort.arrays[i].size > 0)
            right &= check_array(&sort, i);
        guarded_release(&sort.arrays[i]);
    }
    for (size_t i = 0; i < ARRAYS; i++)
        free(sort.before[i]);
    free(sort.order);
    return right;
}

static bool run_plan(const struct env *env, uint64_t seed)
{
    struct job job = {seed, {.env = env, .desc = CLSORT_DESC_INIT}};
    draw_plan(&job.random, &job.plan);
    const bool right =
        random_plans_run(&plans, env, seed, &job.plan.desc, false, &job.plan.plan, make_call, &job);
    clsort_plan_destroy(job.plan.argsort);
    return right;
}

int main(int argc, char **argv)
{
    return random_plans_main(&plans, argc, argv, run_plan);
}
