/* columns.c - sorts of records, of columns and of byte strings: random descriptors compared with a reference
 *
 *     columns [FIRST_SEED [SEEDS [SORTS [MAX_POWER]]]]
 *
 * A seed determines a descriptor and the sorts of one plan: SORTS of them, of up to 2^MAX_POWER elements. Descriptors
 * differ in columns, orders, byte orders, offsets and sizes of records; inputs in how many elements are equal in how
 * many columns. All arrays are between canaries, and inputs must not change. The seed of a failure is printed. */
#include "random_plans.h"

#include "bits.h"
#include "check.h"
#include "guarded.h"

#include <inttypes.h>
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

struct plan {
    const struct env *env;
    clsort_desc desc;
    clsort_column columns[CLSORT_MAX_COLUMNS];
    size_t column_count;
    bool has_buffers;
    size_t element_size; /* of a record, or of all columns */
    size_t index_size;
    clsort_plan *plan;
};

static size_t column_size(const clsort_column *column)
{
    return column->key == CLSORT_BYTES ? column->key_size : data_type_of(column->key)->size;
}

/* Returns a size of byte strings; most of them are short. */
static size_t draw_size(uint64_t *random)
{
    return 1 + below(random, (size_t)1 << (1 + below(random, 8)));
}

static void draw_column(uint64_t *random, clsort_column *column)
{
    *column = (clsort_column){.key = CLSORT_BYTES};
    column->flags = below(random, 2) ? CLSORT_DESCENDING : 0;
    column->flags |= below(random, 2) ? CLSORT_BIG_ENDIAN : 0;
    if (below(random, 3) == 0) {
        column->key_size = draw_size(random);
        return;
    }
    const struct data_type *type = data_type_at(below(random, 11));
    column->key = type->key;
    column->flags |= data_type_is_float(type) && below(random, 2) ? CLSORT_FLOAT_NUMERIC : 0;
}

/* Places the columns in a record: one behind the other or anywhere, with bytes between them or not. */
static void draw_record(uint64_t *random, struct plan *plan)
{
    const bool is_packed = below(random, 2);
    size_t end = is_packed ? 0 : below(random, 9), longest = 0;
    for (size_t i = 0; i < plan->column_count; i++) {
        const size_t size = column_size(&plan->columns[i]);
        plan->columns[i].offset = end;
        end += size + (is_packed ? 0 : below(random, 3));
        longest = size > longest ? size : longest;
    }
    if (below(random, 4) == 0) { /* columns may overlap */
        end = longest + below(random, 20);
        for (size_t i = 0; i < plan->column_count; i++)
            plan->columns[i].offset = below(random, end - column_size(&plan->columns[i]) + 1);
    }
    plan->element_size = end + (below(random, 2) ? 0 : below(random, 120));
    plan->desc.record_size = plan->element_size;
}

static void draw_plan(uint64_t *random, struct plan *plan)
{
    clsort_desc *desc = &plan->desc;
    desc->max_count = (size_t)1 << plans.max_power;
    desc->operation = below(random, 2) ? CLSORT_SORT : CLSORT_ARGSORT;
    plan->column_count = 1;
    if (below(random, 4) == 0) {
        plan->columns[0] = (clsort_column){.key = CLSORT_BYTES, .key_size = draw_size(random)};
        plan->columns[0].flags = desc->flags = below(random, 2) ? CLSORT_DESCENDING : 0;
        desc->key = CLSORT_BYTES;
        desc->key_size = plan->element_size = plan->columns[0].key_size;
    } else {
        plan->column_count = 1 + below(random, below(random, 2) ? 3 : CLSORT_MAX_COLUMNS);
        for (size_t i = 0; i < plan->column_count; i++)
            draw_column(random, &plan->columns[i]);
        plan->has_buffers = below(random, 3) == 0;
        desc->columns = plan->columns;
        desc->column_count = plan->column_count;
        if (!plan->has_buffers)
            draw_record(random, plan);
        for (size_t i = 0; plan->has_buffers && i < plan->column_count; i++)
            plan->element_size += column_size(&plan->columns[i]);
    }
    if (plan->has_buffers)
        desc->operation = CLSORT_ARGSORT;
    if (desc->operation == CLSORT_ARGSORT)
        desc->index_size = 4 + 4 * (uint32_t)below(random, 2);
    plan->index_size = desc->index_size;
}

/* -- elements ---------------------------------------------------------------------------------- */

/* Returns a number of elements: few, near a multiple of 1024, near a power of two or any other. */
static size_t draw_count(uint64_t *random)
{
    const size_t max = (size_t)1 << plans.max_power;
    size_t count = below(random, ((size_t)1 << below(random, plans.max_power + 1)) + 1);
    if (below(random, 4) == 0)
        count = below(random, 40);
    else if (below(random, 4) == 0)
        count = max / 1024 > 0 ? 1024 * below(random, max / 1024 + 1) + below(random, 3) : max;
    return count < max ? count : max;
}

/* How many elements are equal in how many bytes. */
enum { RANDOM, FEW_BYTES, FEW_ELEMENTS, EQUAL, PREFIX, RARE, LAST_COLUMN, SPECIAL, KINDS };

/* Fills `size` bytes with a number that occurs in special cases of floats and integers. */
static void fill_special(uint64_t *random, uint8_t *at, size_t size)
{
    static const uint8_t bytes[] = {0, 0, 0x80, 0xff, 0x7f, 0x7c, 0xfc, 0xf0, 0x01};
    for (size_t i = 0; i < size; i++)
        at[i] = bytes[below(random, i % 4 == 0 ? sizeof bytes : 3)];
}

static void fill_elements(uint64_t *random, const struct plan *plan, uint8_t *elements,
                          size_t count)
{
    enum { POOL = 40 };
    const size_t size = plan->element_size, kind = below(random, KINDS);
    const size_t varying = 1 + below(random, size < 12 ? size : 12), pool = 1 + below(random, POOL);
    const clsort_column *last = &plan->columns[plan->column_count - 1];
    for (size_t i = 0; i < count; i++) {
        uint8_t *at = elements + i * size;
        for (size_t byte = 0; byte < size; byte++)
            at[byte] =
                kind == FEW_BYTES ? (uint8_t)(below(random, 2) * 255) : (uint8_t)below(random, 256);
        const size_t from = kind == FEW_ELEMENTS ? below(random, pool) : 0;
        if (kind == SPECIAL)
            fill_special(random, at, size);
        if (i <= from || kind == RANDOM || kind == FEW_BYTES || kind == SPECIAL)
            continue;
        /* A copy of an earlier element, with changes. */
        uint8_t changed[4096];
        memcpy(changed, at, size);
        memcpy(at, elements + from * size, size);
        if (kind == PREFIX)
            memcpy(at + size - varying, changed + size - varying, varying);
        else if (kind == RARE && below(random, 3000) == 0)
            at[below(random, size)] = changed[0];
        else if (kind == LAST_COLUMN && !plan->has_buffers)
            memcpy(at + last->offset, changed + last->offset, column_size(last));
    }
}

/* Returns where column c of an element is. */
static const uint8_t *column_at(const struct plan *plan, const uint8_t *elements, size_t c,
                                size_t i)
{
    size_t offset = plan->columns[c].offset;
    for (size_t before = 0; plan->has_buffers && before < c; before++)
        offset += column_size(&plan->columns[before]);
    return elements + i * plan->element_size + offset;
}

static int compare_column(const clsort_column *column, const uint8_t *a, const uint8_t *b)
{
    const size_t size = column_size(column);
    if (column->key == CLSORT_BYTES) {
        const int order = memcmp(a, b, size);
        return column->flags & CLSORT_DESCENDING ? -order : order;
    }
    uint8_t native[2][8];
    for (size_t i = 0; i < size; i++) {
        const size_t from = column->flags & CLSORT_BIG_ENDIAN ? size - 1 - i : i;
        native[0][i] = a[from];
        native[1][i] = b[from];
    }
    const struct data_type *type = data_type_of(column->key);
    const uint32_t flags = column->flags & (CLSORT_DESCENDING | CLSORT_FLOAT_NUMERIC);
    const uint64_t x = data_order(type, flags, native[0]), y = data_order(type, flags, native[1]);
    return x < y ? -1 : x > y;
}

static bool precedes(const struct plan *plan, const uint8_t *elements, size_t a, size_t b)
{
    for (size_t c = 0; c < plan->column_count; c++) {
        const int order = compare_column(&plan->columns[c], column_at(plan, elements, c, a),
                                         column_at(plan, elements, c, b));
        if (order != 0)
            return order < 0;
    }
    return a < b;
}

/* Merge sort of the indexes in order[0] to order[count - 1]. */
static void sort_indexes(const struct plan *plan, const uint8_t *elements, size_t *order,
                         size_t *other, size_t count)
{
    const size_t half = count / 2;
    if (count < 2)
        return;
    sort_indexes(plan, elements, order, other, half);
    sort_indexes(plan, elements, order + half, other, count - half);
    memcpy(other, order, half * sizeof *order);
    for (size_t to = 0, a = 0, b = half; a < half; to++)
        order[to] =
            b < count && precedes(plan, elements, order[b], other[a]) ? order[b++] : other[a++];
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

static void store_index(size_t index, size_t size, uint8_t *at)
{
    const uint32_t narrow = (uint32_t)index;
    const uint64_t wide = index;
    memcpy(at, size == sizeof narrow ? (const void *)&narrow : (const void *)&wide, size);
}

/* Returns what an array has before the call or, with an order, is expected to have after it. The caller frees it. */
static uint8_t *content(const struct plan *plan, const struct sort *sort, size_t i,
                        const size_t *order)
{
    const bool is_column = i >= INPUTS && plan->has_buffers;
    const size_t size = is_column        ? column_size(&plan->columns[i - INPUTS])
                        : i == INDEX_OUT ? plan->index_size
                                         : plan->element_size;
    const bool is_sorted = order && !is_column && (i == KEYS_OUT || sort->in_place);
    uint8_t *bytes = calloc(sort->count * size + 1, 1);
    assert_non_null(bytes);
    for (size_t at = 0; at < sort->count && (order || i >= INPUTS); at++) {
        const size_t element = is_sorted ? order[at] : at;
        if (i == INDEX_OUT)
            store_index(order[at], size, bytes + at * size);
        else
            memcpy(bytes + at * size,
                   is_column ? column_at(plan, sort->elements, i - INPUTS, at)
                             : sort->elements + element * size,
                   size);
    }
    return bytes;
}

static void create_arrays(uint64_t *random, const struct plan *plan, struct sort *sort)
{
    const enum guarded_memory memory = below(random, 2) ? GUARDED_PLAIN : GUARDED_SUB;
    const size_t n = sort->count, inputs = plan->has_buffers ? plan->column_count : 1;
    const bool is_argsort = plan->desc.operation == CLSORT_ARGSORT;
    const bool has_keys_out =
        !plan->has_buffers && !sort->in_place && (!is_argsort || below(random, 2));
    size_t sizes[ARRAYS] = {[KEYS_OUT] = has_keys_out ? n * plan->element_size : 0,
                            [INDEX_OUT] = is_argsort ? n * plan->index_size : 0};
    if (below(random, 2))
        assert_ok(clsort_scratch_size(plan->plan, n, &sizes[SCRATCH]));
    for (size_t i = 0; i < inputs; i++)
        sizes[INPUTS + i] =
            n * (plan->has_buffers ? column_size(&plan->columns[i]) : plan->element_size);
    for (size_t i = 0; i < ARRAYS; i++) {
        if (sizes[i] == 0)
            continue;
        uint8_t *bytes = i == SCRATCH ? NULL : content(plan, sort, i, NULL);
        assert_ok(guarded_create(&sort->arrays[i], plan->env, memory,
                                 i < INPUTS       ? GUARDED_OUTPUT
                                 : sort->in_place ? GUARDED_BOTH
                                                  : GUARDED_INPUT,
                                 8 * below(random, 3), sizes[i], bytes));
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
    if (plan->has_buffers)
        io.columns = columns;
    else
        io.keys = columns[0];
    io.keys_out = sort->arrays[KEYS_OUT].buffer;
    io.index_out = sort->arrays[INDEX_OUT].buffer;
    io.scratch = sort->arrays[SCRATCH].buffer;
    if (sort->in_place && plan->desc.operation == CLSORT_ARGSORT)
        io.keys_out = io.keys;
    assert_ok(clsort_enqueue(plan->plan,
                             below(random, 2) ? plan->env->out_of_order : plan->env->queue, &io, 0,
                             NULL, &event));
    assert_true(env_finish_event(event));
}

/* Returns whether an array is as expected, and no canary has changed. */
static bool check_array(const struct plan *plan, const struct sort *sort, size_t i)
{
    const struct guarded *guarded = &sort->arrays[i];
    uint8_t *found = malloc(guarded->size + 1);
    uint8_t *expected = i == SCRATCH ? NULL : content(plan, sort, i, sort->order);
    bool intact = false;
    assert_non_null(found);
    assert_ok(guarded_read(guarded, plan->env, found, &intact));
    const bool right = !expected || memcmp(found, expected, guarded->size) == 0;
    free(found);
    free(expected);
    if (!intact || !right)
        fprintf(stderr, "array %zu: %s\n", i,
                intact ? "the content is wrong" : "canaries were overwritten");
    return intact && right;
}

static bool run_sort(uint64_t *random, const struct plan *plan)
{
    struct sort sort = {.count = draw_count(random)};
    bool right = true;
    sort.in_place = !plan->has_buffers && below(random, 3) == 0;
    sort.elements = malloc(sort.count * plan->element_size + 1);
    sort.order = malloc((2 * sort.count + 1) * sizeof *sort.order);
    assert_true(sort.elements && sort.order);
    fill_elements(random, plan, sort.elements, sort.count);
    for (size_t i = 0; i < sort.count; i++)
        sort.order[i] = i;
    sort_indexes(plan, sort.elements, sort.order, sort.order + sort.count, sort.count);
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
