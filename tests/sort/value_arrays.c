/* value_arrays.c - sorts with several arrays of values: random descriptors compared with an argsort
 *
 *     value_arrays [FIRST_SEED [SEEDS [SORTS [MAX_POWER]]]]
 *
 * A seed determines a descriptor and the sorts of one plan: SORTS of them, of up to 2^MAX_POWER elements. Keys are of a
 * built-in type, records, or columns with a buffer each; each array has values of 1 to 100 bytes, in place or not.
 * There are segments or not, and a count may be in device memory. A plan of CLSORT_ARGSORT for the same keys, which
 * other tests verify, tells where each value has to be. All arrays are between canaries, and neither inputs nor
 * elements in no segment or behind the count may change. The seed of a failure is printed. */
#include "random_column_segments.h"
#include "random_plans.h"

#include "check.h"
#include "guarded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct random_plans plans = {1, 12, 16, 14, 1, NULL};

/* -- the plan ---------------------------------------------------------------------------------- */

enum { COLUMNS = 2, RECORD = 7 };

static const clsort_column FIELDS[COLUMNS] = {
    {CLSORT_U16, CLSORT_DESCENDING | CLSORT_BIG_ENDIAN, 0, 3}, {CLSORT_U8, 0, 0, 1}};
static const clsort_column BUFFERS[COLUMNS] = {{CLSORT_U16, CLSORT_DESCENDING, 0, 0},
                                               {CLSORT_U8, 0, 0, 0}};
static const size_t BUFFER_SIZES[COLUMNS] = {2, 1};

struct arrays_plan {
    struct column_plan base; /* its elements are not used */
    bool has_buffers;
    size_t key_size; /* of a record, or of both columns */
    size_t sizes[CLSORT_MAX_VALUES];
    clsort_plan *argsort;
};

static void draw_plan(uint64_t *random, struct arrays_plan *plan)
{
    static const size_t sizes[] = {1, 2, 3, 4, 8, 12, 16, 24, 100};
    const struct data_type *type = data_type_at(random_below(random, 11));
    clsort_desc *desc = &plan->base.base.desc;
    desc->max_count = (size_t)1 << plans.max_power;
    desc->operation = random_below(random, 2) ? CLSORT_SORT : CLSORT_ARGSORT;
    desc->value_count = 1 + random_below(random, CLSORT_MAX_VALUES);
    desc->value_sizes = plan->sizes;
    for (size_t i = 0; i < desc->value_count; i++)
        plan->sizes[i] = sizes[random_below(random, sizeof sizes / sizeof *sizes)];
    plan->key_size = type->size;
    switch (random_below(random, 4)) {
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
        desc->flags = random_below(random, 2) ? CLSORT_DESCENDING : 0;
        desc->end_bit =
            random_below(random, 3) ? 0 : 1 + (uint32_t)random_below(random, 8 * type->size);
    }
    column_segments_draw_form(random, desc);
    if (desc->operation == CLSORT_ARGSORT)
        desc->segments = CLSORT_WHOLE;
    if (desc->operation == CLSORT_ARGSORT || column_segments_have_offsets(&plan->base))
        desc->index_size = 4 + 4 * (uint32_t)random_below(random, 2);
    plan->base.base.index_size = desc->index_size;
}

/* Returns the size of the indexes of the argsort, which is also that of offsets. */
static size_t order_size(const struct arrays_plan *plan)
{
    return column_segments_have_offsets(&plan->base) ? plan->base.base.index_size
                                                     : sizeof(uint64_t);
}

static clsort_plan *create_argsort(const struct arrays_plan *plan)
{
    clsort_desc desc = plan->base.base.desc;
    clsort_plan *argsort = NULL;
    desc.operation = CLSORT_ARGSORT;
    desc.index_size = (uint32_t)order_size(plan);
    desc.value_sizes = NULL;
    desc.value_count = 0;
    assert_ok(clsort_plan_create(plan->base.base.env->engine, &desc, &argsort));
    return argsort;
}

/* -- the sort ---------------------------------------------------------------------------------- */

enum {
    KEYS, /* or the first column */
    SECOND_COLUMN,
    KEYS_OUT,
    INDEX_OUT,
    SCRATCH,
    RESULT,
    OFFSETS,
    ENDS,
    NUMBER, /* of segments, or of the elements, in device memory */
    VALUES,
    VALUES_OUT = VALUES + CLSORT_MAX_VALUES,
    ARRAYS = VALUES_OUT + CLSORT_MAX_VALUES
};

enum { UNTOUCHED = 0x5a }; /* the bytes of outputs before the sort */

struct sort {
    const struct arrays_plan *plan;
    struct column_segments segments;
    size_t count;
    bool keys_in_place, in_place[CLSORT_MAX_VALUES];
    size_t element
        [ARRAYS]; /* sizes of elements of the arrays that have `count`; 0: the array is absent */
    size_t size[ARRAYS];     /* in bytes */
    uint8_t *before[ARRAYS]; /* what the arrays have; NULL for scratch */
    uint64_t *order;         /* the permutation; IN_NO_SEGMENT: the element does not move */
    struct guarded arrays[ARRAYS];
};

#define IN_NO_SEGMENT UINT64_MAX

static uint8_t *allocate(size_t size)
{
    uint8_t *memory = calloc(size + 1, 1);
    assert_non_null(memory);
    return memory;
}

/* Draws the segments and the count, and sets the arrays that they need. */
static void draw_segments_of(uint64_t *random, struct sort *sort)
{
    const struct column_plan *plan = &sort->plan->base;
    const clsort_desc *desc = &plan->base.desc;
    const size_t index = plan->base.index_size;
    const bool has_offsets = column_segments_have_offsets(plan);
    column_segments_draw(random, plan, plans.max_power, &sort->segments);
    const size_t bound = sort->segments.bound;
    sort->count = sort->segments.all.count;
    sort->size[OFFSETS] = has_offsets ? (bound + (desc->segments == CLSORT_OFFSETS)) * index : 0;
    sort->size[ENDS] = desc->segments == CLSORT_BEGIN_END ? bound * index : 0;
    sort->size[NUMBER] = desc->count_size;
    if ((desc->segments != CLSORT_WHOLE || desc->count_size > 0) && random_below(random, 2))
        sort->size[RESULT] = sizeof(uint64_t);
    for (size_t i = RESULT; i <= NUMBER; i++)
        sort->before[i] = sort->size[i] > 0 ? allocate(sort->size[i]) : NULL;
    if (sort->size[OFFSETS] > 0)
        column_segments_store(plan, &sort->segments, false, sort->before[OFFSETS]);
    if (sort->size[ENDS] > 0)
        column_segments_store(plan, &sort->segments, true, sort->before[ENDS]);
    if (sort->size[NUMBER] > 0)
        store_index(sort->segments.device_number, desc->count_size, sort->before[NUMBER]);
}

/* Sets the sizes of arrays, and fills them. Keys repeat, so that the order of equal ones is tested. */
static void draw_sort(uint64_t *random, struct sort *sort)
{
    const struct arrays_plan *plan = sort->plan;
    const clsort_desc *desc = &plan->base.base.desc;
    const bool is_argsort = desc->operation == CLSORT_ARGSORT;
    const size_t different = 1 + random_below(random, 300);
    draw_segments_of(random, sort);
    sort->keys_in_place = !plan->has_buffers && random_below(random, 2);
    sort->element[KEYS] = plan->has_buffers ? BUFFER_SIZES[0] : plan->key_size;
    sort->element[SECOND_COLUMN] = plan->has_buffers ? BUFFER_SIZES[1] : 0;
    sort->element[INDEX_OUT] = is_argsort ? desc->index_size : 0;
    if (!plan->has_buffers && !sort->keys_in_place && (!is_argsort || random_below(random, 2)))
        sort->element[KEYS_OUT] = plan->key_size;
    for (size_t i = 0; i < desc->value_count; i++) {
        sort->in_place[i] = random_below(random, 2);
        sort->element[VALUES + i] = plan->sizes[i];
        sort->element[VALUES_OUT + i] = sort->in_place[i] ? 0 : plan->sizes[i];
    }
    for (size_t i = 0; i < ARRAYS; i++) {
        if (sort->element[i] == 0)
            continue;
        sort->size[i] = sort->count * sort->element[i];
        sort->before[i] = allocate(sort->size[i]);
        memset(sort->before[i], UNTOUCHED, sort->size[i]);
        if ((i > SECOND_COLUMN && i < VALUES) || i >= VALUES_OUT)
            continue;
        for (size_t at = 0; at < sort->count; at++) {
            uint64_t state =
                i < VALUES ? random_below(random, different) : random_below(random, SIZE_MAX);
            for (size_t byte = 0; byte < sort->element[i]; byte++)
                sort->before[i][at * sort->element[i] + byte] = (uint8_t)random_below(&state, 256);
        }
    }
}

static void create_arrays(uint64_t *random, struct sort *sort)
{
    const enum guarded_memory memory = random_below(random, 2) ? GUARDED_PLAIN : GUARDED_SUB;
    const struct plan *base = &sort->plan->base.base;
    if (random_below(random, 2))
        assert_ok(clsort_scratch_size(base->plan, sort->count, &sort->size[SCRATCH]));
    for (size_t i = 0; i < ARRAYS; i++)
        if (sort->size[i] > 0)
            assert_ok(guarded_create(&sort->arrays[i], base->env, memory,
                                     i >= OFFSETS && i <= NUMBER ? GUARDED_INPUT : GUARDED_BOTH,
                                     8 * random_below(random, 3), sort->size[i], sort->before[i]));
}

static void enqueue(const struct sort *sort, clsort_plan *plan, clsort_io *io)
{
    const clsort_buffer columns[] = {sort->arrays[KEYS].buffer, sort->arrays[SECOND_COLUMN].buffer};
    cl_event event = NULL;
    io->count = sort->count;
    io->segment_count = sort->segments.bound;
    io->offsets = sort->arrays[OFFSETS].buffer;
    io->ends = sort->arrays[ENDS].buffer;
    io->count_buffer = sort->arrays[NUMBER].buffer;
    if (sort->plan->has_buffers)
        io->columns = columns;
    else
        io->keys = columns[0];
    assert_ok(clsort_enqueue(plan, sort->plan->base.base.env->queue, io, 0, NULL, &event));
    assert_true(env_finish_event(event));
}

/* Finds the permutation, before the keys are sorted. */
static void find_order(struct sort *sort)
{
    const size_t size = order_size(sort->plan);
    const struct env *env = sort->plan->base.base.env;
    uint8_t *found = allocate(sort->count * size);
    struct guarded indexes = {0};
    clsort_io io = CLSORT_IO_INIT;
    bool intact;
    sort->order = (uint64_t *)allocate(sort->count * sizeof *sort->order);
    if (sort->count > 0) {
        memset(found, UINT8_MAX, sort->count * size);
        assert_ok(guarded_create(&indexes, env, GUARDED_PLAIN, GUARDED_BOTH, 0, sort->count * size,
                                 found));
        io.index_out = indexes.buffer;
        enqueue(sort, sort->plan->argsort, &io);
        assert_ok(guarded_read(&indexes, env, found, &intact));
        guarded_release(&indexes);
    }
    for (size_t i = 0; i < sort->count; i++) {
        const uint64_t element = load_index(size, found + i * size);
        sort->order[i] = element < sort->count ? element : IN_NO_SEGMENT;
    }
    free(found);
}

static void run(const struct sort *sort)
{
    clsort_buffer values[CLSORT_MAX_VALUES], values_out[CLSORT_MAX_VALUES];
    clsort_io io = CLSORT_IO_INIT;
    bool all_in_place = true;
    for (size_t i = 0; i < sort->plan->base.base.desc.value_count; i++) {
        values[i] = sort->arrays[VALUES + i].buffer;
        values_out[i] = sort->in_place[i] ? values[i] : sort->arrays[VALUES_OUT + i].buffer;
        all_in_place &= sort->in_place[i];
    }
    io.keys_out = sort->arrays[sort->keys_in_place ? KEYS : KEYS_OUT].buffer;
    io.index_out = sort->arrays[INDEX_OUT].buffer;
    io.scratch = sort->arrays[SCRATCH].buffer;
    io.result = sort->arrays[RESULT].buffer;
    io.value_arrays = values;
    io.value_arrays_out = all_in_place ? NULL : values_out;
    enqueue(sort, sort->plan->base.base.plan, &io);
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
    uint8_t *expected = allocate(sort->size[i]);
    memcpy(expected, sort->before[i], sort->size[i]);
    if (i == RESULT)
        store_index(sort->segments.all.clamped |
                        (sort->segments.exceeds ? CLSORT_COUNT_EXCEEDED : 0),
                    sort->size[i], expected);
    for (size_t at = 0; (is_sorted || i == INDEX_OUT) && at < sort->count; at++) {
        if (sort->order[at] == IN_NO_SEGMENT)
            continue;
        if (i == INDEX_OUT)
            store_index(sort->order[at], size, expected + at * size);
        else
            memcpy(expected + at * size, from + sort->order[at] * size, size);
    }
    return expected;
}

static bool check_array(const struct sort *sort, size_t i)
{
    char name[32];
    uint8_t *expected = i == SCRATCH ? NULL : expect(sort, i);
    snprintf(name, sizeof name, "array %zu of %zu elements", i, sort->count);
    const bool right = guarded_has(&sort->arrays[i], sort->plan->base.base.env, name, expected);
    free(expected);
    return right;
}

struct job {
    uint64_t random;
    struct arrays_plan plan;
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
    column_segments_free(&sort.segments);
    return right;
}

static bool run_plan(const struct env *env, uint64_t seed)
{
    struct job job = {seed, {.base = {.base = {.env = env, .desc = CLSORT_DESC_INIT}}}};
    struct plan *base = &job.plan.base.base;
    draw_plan(&job.random, &job.plan);
    const bool right =
        random_plans_run(&plans, env, seed, &base->desc, false, &base->plan, make_call, &job);
    clsort_plan_destroy(job.plan.argsort);
    return right;
}

int main(int argc, char **argv)
{
    return random_plans_main(&plans, argc, argv, run_plan);
}
