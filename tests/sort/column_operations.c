/* column_operations.c - operations other than sorts on records, on columns and on byte strings: random descriptors
 * compared with a reference
 *
 *     column_operations [FIRST_SEED [SEEDS [CALLS [MAX_POWER]]]]
 *
 * A seed determines a descriptor and the calls of one plan: CALLS of them, with up to 2^MAX_POWER elements, in order,
 * in order but for one, or in any order, or in two inputs that are merged. Selections may be from segments, and a count
 * may be in device memory. All arrays are between canaries. Inputs must not change, nor places of outputs behind the
 * last element, or the last one of a segment. The seed of a failure is printed. */
#include "random_column_segments.h"
#include "random_plans.h"

#include "check.h"
#include "guarded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct random_plans plans = {1, 12, 16, 14, 1, NULL};

static bool selects(const struct column_plan *plan)
{
    return plan->base.desc.operation == CLSORT_SELECT || plan->base.desc.operation == CLSORT_NTH;
}

static bool merges(const struct column_plan *plan)
{
    return plan->base.desc.operation == CLSORT_MERGE_SORTED;
}

static void draw_plan(uint64_t *random, struct column_plan *plan)
{
    static const uint32_t operations[] = {CLSORT_UNIQUE, CLSORT_CHECK, CLSORT_SELECT, CLSORT_NTH,
                                          CLSORT_MERGE_SORTED};
    clsort_desc *desc = &plan->base.desc;
    desc->max_count = (size_t)1 << plans.max_power;
    desc->operation = operations[random_below(random, sizeof operations / sizeof *operations)];
    random_columns_draw(random, desc, &plan->elements);
    if (desc->operation != CLSORT_CHECK && (!merges(plan) || plan->elements.has_buffers))
        desc->index_size = 4 + 4 * (uint32_t)random_below(random, 2);
    plan->base.index_size = desc->index_size;
    if (!selects(plan) && !merges(plan) && random_below(random, 2))
        desc->count_size = 4 + 4 * (uint32_t)random_below(random, 2);
    if (!selects(plan))
        return;
    column_segments_draw_form(random, desc);
    if (desc->operation == CLSORT_SELECT && desc->segments != CLSORT_WHOLE)
        desc->max_k = 1 + random_below(random, desc->max_count < 100 ? desc->max_count : 100);
}

/* -- the call ---------------------------------------------------------------------------------- */

enum {
    KEYS_OUT,
    INDEX_OUT,
    RESULT,
    SCRATCH,
    OFFSETS, /* the first input */
    ENDS,
    KS,
    NUMBER, /* of segments, or of the elements, in device memory */
    INPUTS,
    SECOND_INPUT = INPUTS + CLSORT_MAX_COLUMNS, /* records that are merged with others */
    ARRAYS
};

enum { UNTOUCHED = 0x5a }; /* the bytes of outputs before the call */

#define NO_ELEMENT SIZE_MAX

struct call {
    size_t count;
    size_t second_count; /* those of the elements that are the second input of a merge */
    bool is_unsorted;    /* the inputs of the merge are in any order */
    uint8_t *elements;
    size_t *outputs; /* for each place of the outputs, an element or NO_ELEMENT */
    size_t places;
    size_t k;        /* of selections */
    uint64_t *ks;    /* of each segment, or NULL */
    uint64_t result; /* of selections from segments, and of operations that do not select */
    struct column_segments segments; /* without a form, the whole array */
    struct guarded arrays[ARRAYS];
};

static void sort_elements(const struct column_plan *plan, const struct call *call)
{
    const size_t size = plan->elements.element_size;
    uint8_t *sorted = malloc(call->count * size + 1);
    size_t *order = malloc((2 * call->count + 1) * sizeof *order);
    assert_true(sorted && order);
    random_columns_order(&plan->elements, call->elements, call->count, order);
    for (size_t i = 0; i < call->count; i++)
        memcpy(sorted + i * size, call->elements + order[i] * size, size);
    memcpy(call->elements, sorted, call->count * size);
    free(order);
    free(sorted);
}

/* Puts the elements in order, or leaves them as they are. One of them may be copied to a later place. */
static void arrange(uint64_t *random, const struct column_plan *plan, struct call *call)
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
static void arrange_two(uint64_t *random, const struct column_plan *plan, struct call *call)
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

static int compare_with_neighbour(const struct column_plan *plan, const struct call *call, size_t i)
{
    return random_columns_compare(&plan->elements, call->elements, i, i - 1);
}

/* Returns the elements of a segment. Segments may overlap. */
static struct range range_of(const struct column_plan *plan, const struct call *call, size_t i)
{
    const uint64_t n = call->count;
    if (plan->base.desc.segments == CLSORT_WHOLE)
        return call->segments.all.sorted[0];
    const struct range given = call->segments.all.given[i];
    struct range range = {given.begin < n ? given.begin : n, given.end < n ? given.end : n};
    if (range.end < range.begin)
        range.end = range.begin;
    return range;
}

/* Returns the number of places of each segment in the outputs. */
static size_t places_of_segment(const struct column_plan *plan, const struct call *call)
{
    return plan->base.desc.operation == CLSORT_NTH ? 1 : call->k;
}

/* Draws k, which may exceed the lengths of segments that are not rows. */
static size_t draw_k(uint64_t *random, const struct column_plan *plan, const struct call *call)
{
    enum { MAX_PLACES = 1 << 15 };
    const clsort_desc *desc = &plan->base.desc;
    const size_t is_nth = desc->operation == CLSORT_NTH, bound = call->segments.bound;
    size_t max = call->count - is_nth;
    if (desc->segments != CLSORT_WHOLE) {
        max = desc->max_k > 0 ? desc->max_k : 100;
        if (desc->segments == CLSORT_ROWS && bound > 0 && max > call->count / bound - is_nth)
            max = call->count / bound - is_nth;
        if (bound > 0 && max > MAX_PLACES / bound)
            max = MAX_PLACES / bound;
    }
    return random_below(random, (max > 20 && random_below(random, 2) ? 20 : max) + 1);
}

static void draw_ks(uint64_t *random, const struct column_plan *plan, struct call *call)
{
    const uint64_t all = plan->base.index_size == 4 ? UINT32_MAX : UINT64_MAX;
    const size_t bound = call->segments.bound;
    if (plan->base.desc.segments == CLSORT_WHOLE || bound == 0 || random_below(random, 2))
        return;
    call->ks = calloc(bound, sizeof *call->ks);
    assert_non_null(call->ks);
    for (size_t i = 0; i < call->segments.all.number; i++) {
        const struct range range = range_of(plan, call, i);
        call->ks[i] = random_below(random, 20) == 0
                          ? all
                          : random_below(random, (size_t)(range.end - range.begin) + 2);
    }
    if (plan->base.desc.operation == CLSORT_NTH)
        call->k = 0;
}

/* Sets the expected outputs of a selection from a segment. `order` has space for twice as many numbers. Returns whether
 * the result counts the segment. */
static bool expect_segment(const struct column_plan *plan, struct call *call, size_t i,
                           size_t *order)
{
    const bool is_nth = plan->base.desc.operation == CLSORT_NTH,
               is_whole = plan->base.desc.segments == CLSORT_WHOLE;
    const struct range range = range_of(plan, call, i),
                       given = is_whole ? range : call->segments.all.given[i];
    const size_t begin = (size_t)range.begin, n = (size_t)(range.end - range.begin);
    const uint64_t k = call->ks ? call->ks[i] : call->k;
    size_t *outputs = call->outputs + i * places_of_segment(plan, call);
    random_columns_order(&plan->elements, call->elements + begin * plan->elements.element_size, n,
                         order);
    if (is_nth && k < n)
        outputs[0] = begin + order[k];
    for (size_t j = 0; !is_nth && j < k && j < call->k && j < n; j++)
        outputs[j] = begin + order[j];
    return given.begin > given.end || given.end > call->count || (is_nth ? k >= n : k > call->k);
}

/* Draws k, and sets the expected outputs of a selection. */
static void select_expected(uint64_t *random, const struct column_plan *plan, struct call *call)
{
    size_t *order = malloc((2 * call->count + 1) * sizeof *order);
    const bool is_whole = plan->base.desc.segments == CLSORT_WHOLE;
    call->k = draw_k(random, plan, call);
    draw_ks(random, plan, call);
    call->places = (is_whole ? 1 : call->segments.bound) * places_of_segment(plan, call);
    call->outputs = malloc((call->places + 1) * sizeof *call->outputs);
    assert_true(order && call->outputs);
    for (size_t i = 0; i < call->places; i++)
        call->outputs[i] = NO_ELEMENT;
    for (size_t i = 0; i < call->segments.all.number; i++)
        call->result += expect_segment(plan, call, i, order);
    call->result |= call->segments.exceeds ? CLSORT_COUNT_EXCEEDED : 0;
    free(order);
}

/* Sets the expected output of a merge: that of a stable sort of both inputs. */
static void merge_expected(const struct column_plan *plan, struct call *call)
{
    call->outputs = malloc((2 * call->count + 1) * sizeof *call->outputs);
    assert_non_null(call->outputs);
    random_columns_order(&plan->elements, call->elements, call->count, call->outputs);
    call->places = call->count;
}

/* Sets the expected output and the result of an operation that compares neighbours. */
static void compare_expected(const struct column_plan *plan, struct call *call)
{
    const bool is_unique = plan->base.desc.operation == CLSORT_UNIQUE;
    const size_t count = (size_t)range_of(plan, call, 0).end;
    call->places = is_unique ? call->count : 0;
    call->outputs = malloc((call->places + 1) * sizeof *call->outputs);
    assert_non_null(call->outputs);
    if (is_unique) {
        for (size_t i = 0; i < count; i++)
            if (i == 0 || compare_with_neighbour(plan, call, i) != 0)
                call->outputs[call->result++] = i;
        for (size_t i = call->result; i < call->places; i++)
            call->outputs[i] = NO_ELEMENT;
    } else {
        size_t i = 1;
        while (i < count && compare_with_neighbour(plan, call, i) >= 0)
            i++;
        call->result = i < count ? i : count;
    }
    call->result |= call->segments.exceeds ? CLSORT_COUNT_EXCEEDED : 0;
}

static void set_expected(uint64_t *random, const struct column_plan *plan, struct call *call)
{
    if (selects(plan))
        select_expected(random, plan, call);
    else if (merges(plan))
        merge_expected(plan, call);
    else
        compare_expected(plan, call);
}

static size_t place_size(const struct column_plan *plan, size_t array)
{
    return array == INDEX_OUT ? plan->base.desc.index_size
           : array < INPUTS   ? plan->elements.element_size
           : plan->elements.has_buffers
               ? random_columns_size(&plan->elements.columns[array - INPUTS])
               : plan->elements.element_size;
}

/* Returns what an array has before or after the call. The caller frees it. */
static uint8_t *content(const struct column_plan *plan, const struct call *call, size_t array,
                        bool after)
{
    const struct random_columns *layout = &plan->elements;
    const size_t size = place_size(plan, array), bytes = call->arrays[array].size;
    const size_t first = array == SECOND_INPUT ? call->count - call->second_count : 0;
    const uint8_t *elements = call->elements + first * layout->element_size;
    uint8_t *content = malloc(bytes + sizeof call->result);
    assert_non_null(content);
    memset(content, UNTOUCHED, bytes);
    if (array == RESULT && after)
        memcpy(content, &call->result, sizeof call->result);
    if (array == OFFSETS || array == ENDS)
        column_segments_store(plan, &call->segments, array == ENDS, content);
    if (array == NUMBER && bytes > 0)
        store_index(call->segments.device_number, bytes, content);
    for (size_t i = 0; array == KS && i < call->segments.bound; i++)
        store_index(call->ks[i], plan->base.index_size, content + i * plan->base.index_size);
    for (size_t i = 0; array >= INPUTS && i < bytes / size; i++)
        memcpy(content + i * size,
               layout->has_buffers ? random_columns_at(layout, elements, array - INPUTS, i)
                                   : elements + i * size,
               size);
    for (size_t i = 0; array <= INDEX_OUT && after && i < call->places; i++)
        if (call->outputs[i] != NO_ELEMENT && array == INDEX_OUT)
            store_index(call->outputs[i], size, content + i * size);
        else if (call->outputs[i] != NO_ELEMENT)
            memcpy(content + i * size, call->elements + call->outputs[i] * size, size);
    return content;
}

/* Returns whether segments may overlap. They have then been sorted without what they share, so that any of their
 * elements may be selected. */
static bool overlaps(const struct column_plan *plan, const struct call *call)
{
    return plan->base.desc.segments != CLSORT_WHOLE && call->segments.all.clamped > 0;
}

static void create_arrays(uint64_t *random, const struct column_plan *plan, struct call *call)
{
    const enum guarded_memory memory = random_below(random, 2) ? GUARDED_PLAIN : GUARDED_SUB;
    const bool has_buffers = plan->elements.has_buffers,
               has_outputs = plan->base.desc.operation != CLSORT_CHECK;
    const bool wants_indexes = has_outputs && (has_buffers || overlaps(plan, call) ||
                                               (!merges(plan) && random_below(random, 3) > 0));
    const bool wants_keys =
        has_outputs && !has_buffers && (!wants_indexes || random_below(random, 2));
    const size_t inputs = has_buffers ? plan->elements.column_count : 1;
    call->arrays[KEYS_OUT].size = wants_keys ? call->places * place_size(plan, KEYS_OUT) : 0;
    call->arrays[INDEX_OUT].size = wants_indexes ? call->places * plan->base.desc.index_size : 0;
    const clsort_desc *desc = &plan->base.desc;
    const size_t index = plan->base.index_size, bound = call->segments.bound;
    const bool has_result = desc->segments != CLSORT_WHOLE || desc->count_size > 0;
    const bool wants_result = has_result && random_below(random, 2);
    call->arrays[RESULT].size =
        (selects(plan) ? wants_result : !merges(plan)) ? sizeof call->result : 0;
    if (column_segments_have_offsets(plan))
        call->arrays[OFFSETS].size = (bound + (desc->segments == CLSORT_OFFSETS)) * index;
    if (desc->segments == CLSORT_BEGIN_END)
        call->arrays[ENDS].size = bound * index;
    call->arrays[KS].size = call->ks ? bound * index : 0;
    call->arrays[NUMBER].size = desc->count_size;
    if (random_below(random, 2))
        assert_ok(clsort_scratch_size(plan->base.plan, call->count, &call->arrays[SCRATCH].size));
    const size_t second = has_buffers ? 0 : call->second_count;
    for (size_t i = INPUTS; i < INPUTS + inputs; i++)
        call->arrays[i].size = (call->count - second) * place_size(plan, i);
    call->arrays[SECOND_INPUT].size = second > 0 ? second * place_size(plan, SECOND_INPUT) : 0;
    for (size_t i = 0; i < ARRAYS; i++) {
        const size_t size = call->arrays[i].size;
        if (size == 0)
            continue;
        uint8_t *bytes = i == SCRATCH ? NULL : content(plan, call, i, false);
        assert_ok(guarded_create(&call->arrays[i], plan->base.env, memory,
                                 i < OFFSETS ? GUARDED_BOTH : GUARDED_INPUT,
                                 8 * random_below(random, 3), size, bytes));
        free(bytes);
    }
}

static void enqueue(uint64_t *random, const struct column_plan *plan, const struct call *call)
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
    io.segment_count = call->segments.bound;
    io.offsets = call->arrays[OFFSETS].buffer;
    io.ends = call->arrays[ENDS].buffer;
    io.ks = call->arrays[KS].buffer;
    io.count_buffer = call->arrays[NUMBER].buffer;
    io.result = call->arrays[RESULT].buffer;
    io.scratch = call->arrays[SCRATCH].buffer;
    assert_ok(clsort_enqueue(plan->base.plan,
                             random_below(random, 2) ? plan->base.env->out_of_order
                                                     : plan->base.env->queue,
                             &io, 0, NULL, &event));
    assert_true(env_finish_event(event));
}

static size_t compared_bytes; /* of compare_bytes() */

static int compare_bytes(const void *a, const void *b)
{
    return memcmp(a, b, compared_bytes);
}

/* Returns whether an output has the expected elements, whatever their order is. Changes that of the expected ones. */
static bool has_in_any_order(const struct column_plan *plan, const struct call *call, size_t array,
                             uint8_t *expected)
{
    const size_t bytes = call->arrays[array].size, size = place_size(plan, array);
    uint8_t *found = malloc(bytes);
    bool intact = false;
    assert_non_null(found);
    assert_ok(guarded_read(&call->arrays[array], plan->base.env, found, &intact));
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
static bool check_array(const struct column_plan *plan, const struct call *call, size_t array)
{
    static const char *const names[INPUTS] = {"keys_out", "index_out", "result", "scratch",
                                              "offsets",  "ends",      "ks",     "count"};
    uint8_t *expected = array == SCRATCH ? NULL : content(plan, call, array, true);
    const bool in_any_order = call->is_unsorted && array <= INDEX_OUT;
    bool right =
        guarded_has(&call->arrays[array], plan->base.env,
                    array < INPUTS ? names[array] : "an input", in_any_order ? NULL : expected);
    if (in_any_order)
        right &= has_in_any_order(plan, call, array, expected);
    free(expected);
    return right;
}

/* Expects the elements whose indexes were found, if they are of the segment. */
static void expect_found(const struct column_plan *plan, struct call *call)
{
    const struct guarded *guarded = &call->arrays[INDEX_OUT];
    const size_t size = plan->base.index_size, places = places_of_segment(plan, call);
    uint8_t *found = malloc(guarded->size + 1);
    assert_non_null(found);
    assert_ok(guarded_read(guarded, plan->base.env, found, &(bool){false}));
    for (size_t i = 0; i < call->places; i++) {
        if (call->outputs[i] == NO_ELEMENT)
            continue;
        const uint64_t index = load_index(size, found + i * size);
        const struct range range = range_of(plan, call, i / places);
        if (index >= range.begin && index < range.end)
            call->outputs[i] = (size_t)index;
    }
    free(found);
}

static bool run_call(uint64_t *random, const struct column_plan *plan)
{
    struct call call = {0};
    bool right = true;
    column_segments_draw(random, plan, plans.max_power, &call.segments);
    call.count = call.segments.all.count;
    call.elements = malloc(call.count * plan->elements.element_size + 1);
    assert_non_null(call.elements);
    random_columns_fill(random, &plan->elements, call.elements, call.count);
    if (merges(plan))
        arrange_two(random, plan, &call);
    else
        arrange(random, plan, &call);
    set_expected(random, plan, &call);
    create_arrays(random, plan, &call);
    enqueue(random, plan, &call);
    if (overlaps(plan, &call) && call.arrays[INDEX_OUT].size > 0)
        expect_found(plan, &call);
    for (size_t i = 0; i < ARRAYS; i++) {
        if (call.arrays[i].size > 0)
            right &= check_array(plan, &call, i);
        guarded_release(&call.arrays[i]);
    }
    if (!right)
        fprintf(stderr,
                "  operation %u, %zu elements (%zu in a second input), %zu segments, k %zu%s\n",
                plan->base.desc.operation, call.count, call.second_count, call.segments.bound,
                call.k, call.ks ? " and ks" : "");
    free(call.elements);
    free(call.outputs);
    free(call.ks);
    column_segments_free(&call.segments);
    return right;
}

/* Returns whether the size of scratch for a number of elements is within the bound of clsort_unique.h, of
 * clsort_columns.h, or of both clsort_columns.h and clsort_select.h. */
static bool scratch_is_bounded(const struct column_plan *plan, size_t count)
{
    const clsort_desc *desc = &plan->base.desc;
    const size_t pairs = 2 * count * (8 + desc->index_size), sort = pairs + pairs / 16 + (32 << 20);
    size_t bytes, max = selects(plan) ? sort : merges(plan) ? 32 << 20 : count / 64 + (1 << 20);
    if (desc->segments != CLSORT_WHOLE) {
        const size_t segments = count, max_k = desc->max_k > 0 ? desc->max_k : 1;
        max += column_segments_scratch(plan, count) + count * desc->index_size + 32 * segments +
               segments * max_k * desc->index_size + (32 << 20);
    } else if (selects(plan) && desc->count_size > 0)
        max += (count + (desc->operation == CLSORT_NTH ? 1 : count)) * desc->index_size + 2048;
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
           run_call(&job->random, &job->plan);
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
