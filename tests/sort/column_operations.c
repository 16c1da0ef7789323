/* column_operations.c - operations other than sorts on records, on columns and on byte strings: random descriptors
 * compared with a reference
 *
 *     column_operations [FIRST_SEED [SEEDS [CALLS [MAX_POWER]]]]
 *
 * A seed determines a descriptor and the calls of one plan: CALLS of them, with up to 2^MAX_POWER elements, in order,
 * in order but for one, or in any order, or in two inputs that are merged. The count may be in device memory. All
 * arrays are between canaries. Inputs must not change, nor places of outputs behind the last element. The seed of a
 * failure is printed. */
#include "random_columns.h"
#include "random_plans.h"

#include "check.h"
#include "guarded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct random_plans plans = {1, 12, 16, 14, 1, NULL};

struct plan {
    const struct env *env;
    clsort_desc desc;
    struct random_columns elements;
    clsort_plan *plan;
};

static bool compares_neighbours(const struct plan *plan)
{
    return plan->desc.operation == CLSORT_UNIQUE || plan->desc.operation == CLSORT_CHECK;
}

static void draw_plan(uint64_t *random, struct plan *plan)
{
    static const uint32_t operations[] = {CLSORT_UNIQUE, CLSORT_CHECK, CLSORT_SELECT, CLSORT_NTH,
                                          CLSORT_MERGE_SORTED};
    clsort_desc *desc = &plan->desc;
    desc->max_count = (size_t)1 << plans.max_power;
    desc->operation = operations[random_below(random, sizeof operations / sizeof *operations)];
    random_columns_draw(random, desc, &plan->elements);
    if (desc->operation != CLSORT_CHECK &&
        (desc->operation != CLSORT_MERGE_SORTED || plan->elements.has_buffers))
        desc->index_size = 4 + 4 * (uint32_t)random_below(random, 2);
    if (compares_neighbours(plan) && random_below(random, 2))
        desc->count_size = 4 + 4 * (uint32_t)random_below(random, 2);
}

static bool merges(const struct plan *plan)
{
    return plan->desc.operation == CLSORT_MERGE_SORTED;
}

static bool selects(const struct plan *plan)
{
    return plan->desc.operation == CLSORT_SELECT || plan->desc.operation == CLSORT_NTH;
}

/* -- the call ---------------------------------------------------------------------------------- */

enum {
    KEYS_OUT,
    INDEX_OUT,
    RESULT,
    SCRATCH,
    DEVICE_COUNT,
    INPUTS,
    SECOND_INPUT = INPUTS + CLSORT_MAX_COLUMNS, /* records that are merged with others */
    ARRAYS
};

enum { UNTOUCHED = 0x5a }; /* the bytes of outputs before the call */

struct call {
    size_t count;
    size_t second_count; /* those of the elements that are the second input of a merge */
    bool is_unsorted;    /* the inputs of the merge are in any order */
    size_t device_count; /* the count in device memory, of which `count` is the maximum */
    uint8_t *elements;
    size_t *outputs;     /* the elements that the outputs have */
    size_t output_count; /* their number */
    size_t places;       /* of the outputs */
    size_t k;            /* of selections */
    uint64_t result;     /* of other operations */
    struct guarded arrays[ARRAYS];
};

static void sort_elements(const struct plan *plan, const struct call *call)
{
    const size_t size = plan->elements.element_size;
    uint8_t *sorted = malloc(call->count * size + 1);
    assert_non_null(sorted);
    random_columns_order(&plan->elements, call->elements, call->count, call->outputs);
    for (size_t i = 0; i < call->count; i++)
        memcpy(sorted + i * size, call->elements + call->outputs[i] * size, size);
    memcpy(call->elements, sorted, call->count * size);
    free(sorted);
}

/* Puts the elements in order, or leaves them as they are. One of them may be copied to a later place. */
static void arrange(uint64_t *random, const struct plan *plan, struct call *call)
{
    const size_t size = plan->elements.element_size, kind = random_below(random, 3);
    if (kind > 0)
        sort_elements(plan, call);
    if (kind > 1 && call->count > 0) {
        const size_t to = random_below(random, call->count), from = random_below(random, to + 1);
        memmove(call->elements + to * size, call->elements + from * size, size);
    }
}

/* Divides the elements into two inputs, and puts both in order, or neither. */
static void arrange_two(uint64_t *random, const struct plan *plan, struct call *call)
{
    struct call first = *call, second = *call;
    call->second_count = random_below(random, 4)   ? random_below(random, call->count + 1)
                         : random_below(random, 2) ? call->count
                                                   : 0;
    call->is_unsorted = random_below(random, 4) == 0;
    first.count -= call->second_count;
    second.count = call->second_count;
    second.elements += first.count * plan->elements.element_size;
    if (!call->is_unsorted) {
        sort_elements(plan, &first);
        sort_elements(plan, &second);
    }
}

static int compare_with_neighbour(const struct plan *plan, const struct call *call, size_t i)
{
    return random_columns_compare(&plan->elements, call->elements, i, i - 1);
}

/* Draws k, and sets the expected outputs of a selection. There is at least one element if it is the n-th. */
static void select_expected(uint64_t *random, const struct plan *plan, struct call *call)
{
    const bool is_nth = plan->desc.operation == CLSORT_NTH;
    const size_t few = call->count < 20 ? call->count : 20;
    const size_t max_k = random_below(random, 2) ? few : call->count;
    call->k = random_below(random, max_k + !is_nth);
    call->output_count = call->places = is_nth ? 1 : call->k;
    random_columns_order(&plan->elements, call->elements, call->count, call->outputs);
    if (is_nth)
        call->outputs[0] = call->outputs[call->k];
}

/* Sets the expected outputs and the result. */
static void set_expected(uint64_t *random, const struct plan *plan, struct call *call)
{
    const bool is_counted = plan->desc.count_size > 0;
    const size_t count =
        is_counted && call->device_count < call->count ? call->device_count : call->count;
    call->output_count = 0;
    if (selects(plan)) {
        select_expected(random, plan, call);
    } else if (merges(plan)) { /* a stable sort of both inputs is their merge */
        random_columns_order(&plan->elements, call->elements, call->count, call->outputs);
        call->output_count = call->places = call->count;
    } else if (plan->desc.operation == CLSORT_UNIQUE) {
        for (size_t i = 0; i < count; i++)
            if (i == 0 || compare_with_neighbour(plan, call, i) != 0)
                call->outputs[call->output_count++] = i;
        call->result = call->output_count;
        call->places = call->count;
    } else {
        size_t i = 1;
        while (i < count && compare_with_neighbour(plan, call, i) >= 0)
            i++;
        call->result = i < count ? i : count;
        call->places = 0;
    }
    if (is_counted && call->device_count > call->count)
        call->result |= CLSORT_COUNT_EXCEEDED;
}

static size_t place_size(const struct plan *plan, size_t array)
{
    return array == INDEX_OUT      ? plan->desc.index_size
           : array == DEVICE_COUNT ? plan->desc.count_size
           : array < INPUTS        ? plan->elements.element_size
           : plan->elements.has_buffers
               ? random_columns_size(&plan->elements.columns[array - INPUTS])
               : plan->elements.element_size;
}

/* Returns what an array has before or after the call. The caller frees it. */
static uint8_t *content(const struct plan *plan, const struct call *call, size_t array, bool after)
{
    const struct random_columns *layout = &plan->elements;
    const size_t size = place_size(plan, array), bytes = call->arrays[array].size;
    const uint8_t *elements =
        call->elements +
        (array == SECOND_INPUT ? (call->count - call->second_count) * layout->element_size : 0);
    uint8_t *content = malloc(bytes + sizeof call->result);
    assert_non_null(content);
    memset(content, UNTOUCHED, bytes);
    if (array == RESULT && after)
        memcpy(content, &call->result, sizeof call->result);
    if (array == DEVICE_COUNT)
        random_columns_store(call->device_count, size, content);
    for (size_t i = 0; array >= INPUTS && i < bytes / size; i++)
        memcpy(content + i * size,
               layout->has_buffers ? random_columns_at(layout, elements, array - INPUTS, i)
                                   : elements + i * size,
               size);
    for (size_t i = 0; array <= INDEX_OUT && after && i < call->output_count; i++)
        if (array == INDEX_OUT)
            random_columns_store(call->outputs[i], size, content + i * size);
        else
            memcpy(content + i * size, call->elements + call->outputs[i] * size, size);
    return content;
}

static void create_arrays(uint64_t *random, const struct plan *plan, struct call *call)
{
    const enum guarded_memory memory = random_below(random, 2) ? GUARDED_PLAIN : GUARDED_SUB;
    const bool has_buffers = plan->elements.has_buffers;
    const bool has_outputs = plan->desc.operation != CLSORT_CHECK;
    const bool wants_indexes =
        has_outputs && (has_buffers || (!merges(plan) && random_below(random, 3) > 0));
    const bool wants_keys =
        has_outputs && !has_buffers && (!wants_indexes || random_below(random, 2));
    const size_t inputs = has_buffers ? plan->elements.column_count : 1;
    call->arrays[KEYS_OUT].size = wants_keys ? call->places * place_size(plan, KEYS_OUT) : 0;
    call->arrays[INDEX_OUT].size = wants_indexes ? call->places * plan->desc.index_size : 0;
    call->arrays[DEVICE_COUNT].size = plan->desc.count_size;
    call->arrays[RESULT].size = selects(plan) || merges(plan) ? 0 : sizeof call->result;
    if (random_below(random, 2))
        assert_ok(clsort_scratch_size(plan->plan, call->count, &call->arrays[SCRATCH].size));
    const size_t second = has_buffers ? 0 : call->second_count;
    for (size_t i = INPUTS; i < INPUTS + inputs; i++)
        call->arrays[i].size = (call->count - second) * place_size(plan, i);
    call->arrays[SECOND_INPUT].size = second > 0 ? second * place_size(plan, SECOND_INPUT) : 0;
    for (size_t i = 0; i < ARRAYS; i++) {
        const size_t size = call->arrays[i].size;
        if (size == 0)
            continue;
        uint8_t *bytes = i == SCRATCH ? NULL : content(plan, call, i, false);
        assert_ok(guarded_create(&call->arrays[i], plan->env, memory,
                                 i < DEVICE_COUNT ? GUARDED_BOTH : GUARDED_INPUT,
                                 8 * random_below(random, 3), size, bytes));
        free(bytes);
    }
}

static void enqueue(uint64_t *random, const struct plan *plan, const struct call *call)
{
    clsort_buffer columns[CLSORT_MAX_COLUMNS];
    clsort_io io = CLSORT_IO_INIT;
    cl_event event = NULL;
    for (size_t i = 0; i < CLSORT_MAX_COLUMNS; i++)
        columns[i] = call->arrays[INPUTS + i].buffer;
    io.count = call->count - call->second_count;
    io.second_count = call->second_count;
    io.second_keys = call->arrays[SECOND_INPUT].buffer;
    io.k = call->k;
    if (plan->elements.has_buffers)
        io.columns = columns;
    else
        io.keys = columns[0];
    io.keys_out = call->arrays[KEYS_OUT].buffer;
    io.index_out = call->arrays[INDEX_OUT].buffer;
    io.result = call->arrays[RESULT].buffer;
    io.count_buffer = call->arrays[DEVICE_COUNT].buffer;
    io.scratch = call->arrays[SCRATCH].buffer;
    assert_ok(clsort_enqueue(plan->plan,
                             random_below(random, 2) ? plan->env->out_of_order : plan->env->queue,
                             &io, 0, NULL, &event));
    assert_true(env_finish_event(event));
}

static size_t compared_bytes; /* of compare_bytes() */

static int compare_bytes(const void *a, const void *b)
{
    return memcmp(a, b, compared_bytes);
}

/* Returns whether an output has the expected elements, whatever their order is. Changes that of the expected ones. */
static bool has_in_any_order(const struct plan *plan, const struct call *call, size_t array,
                             uint8_t *expected)
{
    const size_t bytes = call->arrays[array].size, size = place_size(plan, array);
    uint8_t *found = malloc(bytes);
    bool intact = false;
    assert_non_null(found);
    assert_ok(guarded_read(&call->arrays[array], plan->env, found, &intact));
    compared_bytes = size;
    qsort(found, bytes / size, size, compare_bytes);
    qsort(expected, bytes / size, size, compare_bytes);
    const bool right = memcmp(found, expected, bytes) == 0;
    free(found);
    if (!right)
        fprintf(stderr, "array %zu has other elements than the inputs\n", array);
    return right;
}

/* Returns whether an array is as expected, and no canary has changed. */
static bool check_array(const struct plan *plan, const struct call *call, size_t array)
{
    static const char *const names[] = {"keys_out", "index_out", "result", "scratch",
                                        "count_buffer"};
    const bool in_any_order = call->is_unsorted && array <= INDEX_OUT;
    uint8_t *expected = array == SCRATCH ? NULL : content(plan, call, array, true);
    bool right =
        guarded_has(&call->arrays[array], plan->env, array < INPUTS ? names[array] : "an input",
                    in_any_order ? NULL : expected);
    if (in_any_order)
        right &= has_in_any_order(plan, call, array, expected);
    free(expected);
    return right;
}

static bool run_call(uint64_t *random, const struct plan *plan)
{
    struct call call = {.count = random_columns_count(random, plans.max_power)};
    bool right = true;
    call.count += plan->desc.operation == CLSORT_NTH && call.count == 0;
    call.elements = malloc(call.count * plan->elements.element_size + 1);
    call.outputs = malloc((2 * call.count + 1) * sizeof *call.outputs);
    assert_true(call.elements && call.outputs);
    random_columns_fill(random, &plan->elements, call.elements, call.count);
    if (merges(plan))
        arrange_two(random, plan, &call);
    else
        arrange(random, plan, &call);
    call.device_count = random_below(random, 2) ? random_below(random, call.count + 1)
                                                : call.count + random_below(random, 2);
    set_expected(random, plan, &call);
    create_arrays(random, plan, &call);
    enqueue(random, plan, &call);
    for (size_t i = 0; i < ARRAYS; i++) {
        if (call.arrays[i].size > 0)
            right &= check_array(plan, &call, i);
        guarded_release(&call.arrays[i]);
    }
    if (!right)
        fprintf(stderr, "  operation %u, %zu elements, %zu of the second input\n",
                plan->desc.operation, call.count, call.second_count);
    free(call.elements);
    free(call.outputs);
    return right;
}

/* Returns whether the size of scratch for a number of elements is within the bounds of clsort_unique.h and
 * clsort_columns.h. */
static bool scratch_is_bounded(const struct plan *plan, size_t count)
{
    const size_t pairs = 2 * count * (8 + plan->desc.index_size);
    const size_t max = selects(plan)  ? pairs + pairs / 16 + (32 << 20)
                       : merges(plan) ? 32 << 20
                                      : count / 64 + (1 << 20);
    size_t bytes;
    assert_ok(clsort_scratch_size(plan->plan, count, &bytes));
    if (bytes > max)
        fprintf(stderr, "%zu elements need %zu bytes of scratch\n", count, bytes);
    return bytes <= max;
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
           run_call(&job->random, &job->plan);
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
