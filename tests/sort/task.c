/* task.c - one sort or merge in any order: run, and checked as far as its promise goes */
#include "task.h"

#include "guarded.h"
#include "reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Keys or values. */
struct column {
    const char *name;
    size_t size;                          /* of one; 0: there are none */
    uint8_t *data, *result;               /* of both inputs; of the output */
    struct guarded input, second, output; /* on the device */
    clsort_buffer place, second_place, result_place;
};

/* All that one run owns; zeros are fine to release. */
struct run {
    const struct task *task;
    const struct env *env;
    size_t count; /* of both inputs */
    struct column columns[2];
    struct guarded scratch;
    size_t *places; /* of what is sorted, in the input */
    char why[160];  /* what went wrong */
};

enum { KEYS, VALUES };

static bool failed(struct run *run, const char *step, clsort_status status)
{
    if (status)
        snprintf(run->why, sizeof run->why, "%s: %d (%s)", step, status,
                 clsort_status_string(status));
    return status != CLSORT_OK;
}

static bool wrong(struct run *run, const char *what, const char *how)
{
    snprintf(run->why, sizeof run->why, "%s %s", what, how);
    return false;
}

/* -- data ------------------------------------------------------------------------------------------- */

static uint8_t *at(const struct column *column, uint8_t *bytes, size_t index)
{
    return bytes + index * column->size;
}

/* Brings one input's keys into order. The result is not in use yet. */
static bool put_in_order(struct run *run, size_t first, size_t count)
{
    const struct column *keys = &run->columns[KEYS];
    if (!order_sort(run->task->order, at(keys, keys->data, first), count, run->places))
        return false;
    for (size_t i = 0; i < count; i++)
        memcpy(at(keys, keys->result, i), at(keys, keys->data, first + run->places[i]), keys->size);
    if (count > 0)
        memcpy(at(keys, keys->data, first), keys->result, count * keys->size);
    return true;
}

static bool make_data(struct run *run)
{
    const struct task *task = run->task;
    run->places = malloc((run->count + 1) * sizeof *run->places);
    bool made = run->places != NULL;
    for (size_t c = 0; c < 2; c++) {
        struct column *column = &run->columns[c];
        column->data = malloc(run->count * column->size + 1);
        column->result = malloc(run->count * column->size + 1);
        made = made && column->data && column->result;
    }
    struct column *keys = &run->columns[KEYS], *values = &run->columns[VALUES];
    made = made && order_fill(task->order, task->seed, keys->data, run->count);
    if (task->operation == CLSORT_MERGE_SORTED && !task->disordered)
        made = made && put_in_order(run, 0, task->count) &&
               put_in_order(run, task->count, task->second_count);
    for (size_t i = 0; made && i < run->count; i++)
        reference_value(i, values->size, at(values, values->data, i));
    if (task->promise == TASK_STABLE)
        made = made && order_sort(task->order, keys->data, run->count, run->places);
    return made || wrong(run, "the test", "is out of memory");
}

/* -- buffers ---------------------------------------------------------------------------------------- */

static size_t alignment_of(size_t size)
{
    size_t alignment = 8;
    while (size % alignment)
        alignment /= 2;
    return alignment;
}

static bool make_input(struct run *run, struct column *column, size_t offset)
{
    const struct task *task = run->task;
    const size_t first = task->together ? run->count : task->count;
    const enum guarded_use use = task->in_place ? GUARDED_BOTH : GUARDED_INPUT;
    if (failed(run, "an input",
               guarded_create(&column->input, run->env, GUARDED_NARROW, use, offset,
                              first * column->size, column->data)))
        return false;
    column->place = column->input.place;
    if (first < run->count) {
        offset += alignment_of(column->size);
        if (failed(run, "a second input",
                   guarded_create(&column->second, run->env, GUARDED_NARROW, use, offset,
                                  task->second_count * column->size,
                                  at(column, column->data, first))))
            return false;
        column->second_place = column->second.place;
    } else if (task->second_count > 0) {
        column->second_place = column->place;
        column->second_place.offset += task->count * column->size;
    }
    return true;
}

static bool make_buffers(struct run *run, const clsort_plan *plan)
{
    const struct task *task = run->task;
    for (size_t c = 0; c < 2 && run->columns[c].size > 0; c++) {
        struct column *column = &run->columns[c];
        const size_t step = alignment_of(column->size);
        if (!make_input(run, column, (task->offset + c) * step))
            return false;
        if (!task->in_place &&
            failed(run, "an output",
                   guarded_create(&column->output, run->env, GUARDED_PLAIN, GUARDED_OUTPUT,
                                  (task->offset + 2 + c) * step, run->count * column->size, NULL)))
            return false;
        column->result_place = column->output.place;
    }
    size_t bytes = 0;
    if (failed(run, "clsort_scratch_size", clsort_scratch_size(plan, run->count, &bytes)))
        return false;
    if (bytes > 0 && task->flags & CLSORT_NO_SCRATCH)
        return wrong(run, "scratch", "is needed");
    return !task->own_scratch ||
           !failed(run, "scratch",
                   guarded_create(&run->scratch, run->env, GUARDED_PLAIN, GUARDED_BOTH,
                                  task->offset * 8, bytes, NULL));
}

static bool enqueue(struct run *run, clsort_plan *plan)
{
    const struct task *task = run->task;
    const struct column *keys = &run->columns[KEYS], *values = &run->columns[VALUES];
    clsort_io io = CLSORT_IO_INIT;
    io.count = task->count;
    io.keys = keys->place;
    io.values = values->place;
    io.keys_out = keys->result_place;
    io.values_out = values->result_place;
    io.scratch = run->scratch.place;
    io.second_count = task->second_count;
    io.second_keys = keys->second_place;
    io.second_values = values->second_place;
    cl_event event = NULL;
    if (failed(run, "clsort_enqueue",
               clsort_enqueue(plan, task->loose ? run->env->loose : run->env->queue, &io, 0, NULL,
                              &event)))
        return false;
    return env_finish_event(event) || wrong(run, "the event", "did not complete well");
}

/* -- checks ----------------------------------------------------------------------------------------- */

/* Reads a buffer, if there is one, and checks that nothing was written beside its data. */
static bool read_back(struct run *run, const struct guarded *guarded, const char *what, void *data)
{
    bool intact = true;
    if (guarded->whole && failed(run, what, guarded_read(guarded, run->env, data, &intact)))
        return false;
    return intact || wrong(run, what, "were written out of bounds");
}

/* Reads all buffers. Where the input is not sorted in place, it must be as it was. */
static bool read_column(struct run *run, struct column *column)
{
    const struct task *task = run->task;
    const struct guarded *const inputs[] = {&column->input, &column->second};
    if (!read_back(run, &column->output, column->name, column->result))
        return false;
    uint8_t *given = column->data;
    for (size_t i = 0; i < 2; i++) {
        uint8_t *copy = task->in_place ? column->result : malloc(inputs[i]->size + 1);
        const bool read = copy && read_back(run, inputs[i], column->name, copy);
        const bool same = read && (task->in_place || memcmp(copy, given, inputs[i]->size) == 0);
        if (!task->in_place)
            free(copy);
        if (!read)
            return false;
        if (!same)
            return wrong(run, column->name, "of an input have changed");
        given += inputs[i]->size;
    }
    return true;
}

static bool is_stable(struct run *run, const struct column *column)
{
    for (size_t i = 0; i < run->count; i++)
        if (memcmp(at(column, column->result, i), at(column, column->data, run->places[i]),
                   column->size) != 0) {
            snprintf(run->why, sizeof run->why, "%s differ first at %zu, where element %zu belongs",
                     column->name, i, run->places[i]);
            return false;
        }
    return true;
}

static bool is_ordered(struct run *run)
{
    const struct column *keys = &run->columns[KEYS];
    for (size_t i = 1; i < run->count; i++)
        if (run->task->order->before(at(keys, keys->result, i), at(keys, keys->result, i - 1))) {
            snprintf(run->why, sizeof run->why, "key %zu comes before the one before it", i);
            return false;
        }
    return true;
}

/* Fowler, Noll and Vo's hash, FNV-1a. */
static uint64_t hash(uint64_t before, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        before = (before ^ bytes[i]) * 0x100000001b3;
    return before;
}

/* The same for all orders of the elements. */
static uint64_t sum_of(const struct run *run, uint8_t *keys, uint8_t *values)
{
    const struct column *k = &run->columns[KEYS], *v = &run->columns[VALUES];
    uint64_t sum = 0;
    for (size_t i = 0; i < run->count; i++) {
        const uint64_t element = hash(0xcbf29ce484222325, at(k, keys, i), k->size);
        sum += hash(element, at(v, values, i), v->size);
    }
    return sum;
}

static bool is_whole(struct run *run)
{
    const struct column *keys = &run->columns[KEYS], *values = &run->columns[VALUES];
    return sum_of(run, keys->data, values->data) == sum_of(run, keys->result, values->result) ||
           wrong(run, "elements", "are lost, or come twice");
}

static bool check(struct run *run)
{
    for (size_t c = 0; c < 2; c++)
        if (!read_column(run, &run->columns[c]))
            return false;
    if (!read_back(run, &run->scratch, "scratch bytes", NULL))
        return false;
    switch (run->task->promise) {
    case TASK_STABLE:
        return is_stable(run, &run->columns[KEYS]) && is_stable(run, &run->columns[VALUES]);
    case TASK_ORDERED:
        return is_ordered(run) && is_whole(run);
    default:
        return is_whole(run);
    }
}

/* -- tasks ------------------------------------------------------------------------------------------ */

clsort_status task_plan(const struct task *task, const struct env *env, size_t max_count,
                        clsort_plan **plan)
{
    const struct order *order = task->order;
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.key = order->key;
    desc.flags = order->flags | task->flags;
    desc.value_size = task->value_size;
    desc.max_count = max_count;
    desc.algorithm = task->algorithm;
    desc.operation = task->operation;
    if (order->key == CLSORT_CUSTOM) {
        desc.key_size = order->key_size;
        desc.key_type = order->key_type;
        desc.less = order->less;
        desc.prelude = order->prelude;
    }
    return clsort_plan_create(env->engine, &desc, plan);
}

static void print(const struct task *task, const char *why)
{
    fprintf(stderr,
            "WRONG: %s\n  task: %s of %s, flags %u, algorithm=%s, n=%zu + %zu%s%s values=%zu%s%s%s "
            "offset=%zu seed=%llu\n",
            why, task->operation == CLSORT_SORT ? "sort" : "merge", task->order->name,
            (unsigned)(task->order->flags | task->flags),
            task->algorithm ? task->algorithm : "auto", task->count, task->second_count,
            task->together ? " together" : "", task->disordered ? " disordered" : "",
            task->value_size, task->in_place ? " in place" : "",
            task->own_scratch ? " own scratch" : "", task->loose ? " loose" : "", task->offset,
            (unsigned long long)task->seed);
}

bool task_run(const struct task *task, const struct env *env, clsort_plan *plan)
{
    struct run run = {.task = task, .env = env, .count = task->count + task->second_count};
    run.columns[KEYS] = (struct column){.name = "keys", .size = task->order->key_size};
    run.columns[VALUES] = (struct column){.name = "values", .size = task->value_size};
    const bool right =
        make_data(&run) && make_buffers(&run, plan) && enqueue(&run, plan) && check(&run);
    for (size_t c = 0; c < 2; c++) {
        struct column *column = &run.columns[c];
        guarded_release(&column->input);
        guarded_release(&column->second);
        guarded_release(&column->output);
        free(column->data);
        free(column->result);
    }
    guarded_release(&run.scratch);
    free(run.places);
    if (!right)
        print(task, run.why);
    return right;
}

/* -- many of them ----------------------------------------------------------------------------------- */

bool tasks_open(struct tasks *tasks, int argc, char **argv)
{
    *tasks = (struct tasks){.max = argc > 1 ? (size_t)strtoull(argv[1], NULL, 10) : SIZE_MAX,
                            .algorithm = argc > 2 ? argv[2] : NULL,
                            .order = argc > 3 ? argv[3] : NULL};
    const clsort_status status = env_open(&tasks->env);
    if (status)
        fprintf(stderr, "no device to test: %s\n", clsort_status_string(status));
    return status == CLSORT_OK;
}

bool tasks_want(const struct tasks *tasks, const struct order *order, const char *algorithm)
{
    return (!tasks->algorithm || strcmp(tasks->algorithm, algorithm ? algorithm : "auto") == 0) &&
           (!tasks->order || strcmp(tasks->order, order->name) == 0);
}

void tasks_run(struct tasks *tasks, struct task *task, clsort_plan *plan)
{
    const size_t turn = tasks->turn++;
    const bool merges = task->operation == CLSORT_MERGE_SORTED;
    task->seed = turn;
    task->in_place = turn % 2 && !merges;
    task->loose = turn / 2 % 2;
    task->together = turn % 3 == 0 && merges;
    task->own_scratch = turn % 5 < 2;
    task->offset = turn % 7;
    tasks->wrong += !task_run(task, &tasks->env, plan);
}
