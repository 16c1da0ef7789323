/* sort_case.c - runs a sort case on the device and checks the result */
#include "sort_case.h"

#include "sort_data.h"
#include "stable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The keys or the values of a run. The output of a run in place is in `input`. */
struct column {
    const char *name;
    size_t size;         /* of an element; 0: no values */
    size_t alignment;    /* that clsort.h requires of an offset */
    const uint8_t *data; /* of both inputs */
    bool is_input, is_output;
    uint8_t *result;
    struct guarded input, second, output;
};

/* All that a run owns. Zeros are valid for release. */
struct run {
    const struct sort_case *sort;
    const struct env *env;
    const struct sort_data *data;
    struct column keys, values;
    struct guarded scratch;
    char why[160]; /* what went wrong */
};

/* -- cases ------------------------------------------------------------------------------------- */

struct sort_case sort_case_default(size_t count)
{
    return (struct sort_case){
        .algorithm = "auto", .type = data_type_of(CLSORT_U32), .count = count, .seed = 1};
}

void sort_case_set_place(struct sort_case *sort, enum sort_place place)
{
    sort->omit_keys = sort_operation_has_indexes(sort->operation) && place == SORT_NAMED_IN_PLACE;
    sort->place = sort->omit_keys ? SORT_OUT_OF_PLACE : place;
}

size_t sort_case_total(const struct sort_case *sort)
{
    return sort->count + sort->second_count;
}

size_t sort_case_key_size(const struct sort_case *sort)
{
    return sort->custom ? sort->custom->key_size : sort->type->size;
}

bool sort_case_is_stable(const struct sort_case *sort)
{
    return !(sort->flags & CLSORT_UNSTABLE) && stable_by_name(sort->algorithm);
}

clsort_desc sort_case_desc(const struct sort_case *sort)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.operation = sort->operation;
    desc.key = sort->custom ? CLSORT_CUSTOM : sort->type->key;
    desc.flags = sort->flags;
    if (sort_operation_has_indexes(sort->operation))
        desc.index_size = (uint32_t)sort->value_size;
    else
        desc.value_size = sort->value_size;
    desc.begin_bit = sort->begin_bit;
    desc.end_bit = sort->end_bit;
    desc.max_count = sort_case_total(sort) + sort->spare;
    desc.algorithm = strcmp(sort->algorithm, "auto") ? sort->algorithm : NULL;
    if (sort->custom) {
        desc.key_size = sort->custom->key_size;
        desc.key_type = sort->custom->key_type;
        desc.less = sort->custom->less;
        desc.prelude = sort->custom->prelude;
    }
    return desc;
}

/* -- failures ---------------------------------------------------------------------------------- */

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

/* -- buffers ----------------------------------------------------------------------------------- */

static size_t alignment_of(size_t size)
{
    size_t alignment = 8;
    while (size % alignment)
        alignment /= 2;
    return alignment;
}

static bool is_in_place(const struct sort_case *sort)
{
    return sort->place != SORT_OUT_OF_PLACE;
}

static bool create_column(struct run *run, struct column *column, size_t steps)
{
    const struct sort_case *sort = run->sort;
    const enum guarded_use use = is_in_place(sort) ? GUARDED_BOTH : GUARDED_INPUT;
    const size_t first = sort->joined ? run->data->count : sort->count;
    const size_t step =
        sort->offset ? column->alignment : 0; /* no two columns have equal offsets */
    const size_t offset = (sort->offset + (sort->offset ? steps : 0)) * column->alignment;
    if ((column->is_input || is_in_place(sort)) &&
        failed(run, column->name,
               guarded_create(&column->input, run->env, sort->memory, use, offset,
                              first * column->size, column->is_input ? column->data : NULL)))
        return false;
    if (!sort->joined && sort->second_count > 0 &&
        failed(run, column->name,
               guarded_create(&column->second, run->env, sort->memory, use, offset + step,
                              sort->second_count * column->size,
                              column->data + first * column->size)))
        return false;
    return is_in_place(sort) || !column->is_output ||
           !failed(run, column->name,
                   guarded_create(&column->output, run->env, sort->memory, GUARDED_OUTPUT,
                                  offset + 2 * step, run->data->count * column->size, NULL));
}

static bool create_scratch(struct run *run, const clsort_plan *plan)
{
    size_t bytes = 0;
    if (failed(run, "clsort_scratch_size", clsort_scratch_size(plan, run->data->count, &bytes)))
        return false;
    if (run->sort->flags & CLSORT_NO_SCRATCH && bytes != 0)
        return wrong(run, "clsort_scratch_size", "is not 0 with CLSORT_NO_SCRATCH");
    return !run->sort->own_scratch ||
           !failed(run, "scratch",
                   guarded_create(&run->scratch, run->env, GUARDED_PLAIN, GUARDED_BOTH,
                                  run->sort->offset * 8, bytes, NULL));
}

static bool create_buffers(struct run *run, const clsort_plan *plan)
{
    return create_column(run, &run->keys, 0) &&
           (run->values.size == 0 || create_column(run, &run->values, 1)) &&
           create_scratch(run, plan);
}

/* -- the run ----------------------------------------------------------------------------------- */

static clsort_buffer second_buffer(const struct run *run, const struct column *column)
{
    clsort_buffer buffer = column->second.buffer;
    if (run->sort->joined && column->size > 0) {
        buffer = column->input.buffer;
        buffer.offset += run->sort->count * column->size;
    }
    return buffer;
}

static bool enqueue(struct run *run, clsort_plan *plan)
{
    const struct sort_case *sort = run->sort;
    clsort_io io = CLSORT_IO_INIT;
    io.count = sort->count;
    io.keys = run->keys.input.buffer;
    io.values = run->values.input.buffer;
    io.keys_out = run->keys.output.buffer;
    io.values_out = run->values.output.buffer;
    io.scratch = run->scratch.buffer;
    io.second_count = sort->second_count;
    io.second_keys = second_buffer(run, &run->keys);
    io.second_values = second_buffer(run, &run->values);
    if (sort_operation_has_indexes(sort->operation)) {
        io.index_out = is_in_place(sort) ? io.values : io.values_out;
        io.values = io.values_out = (clsort_buffer){NULL, 0};
        if (is_in_place(sort))
            io.keys_out = io.keys;
    } else if (sort->place == SORT_NAMED_IN_PLACE) {
        io.keys_out = io.keys;
        io.values_out = io.values;
    }
    cl_event event = NULL;
    cl_command_queue queue = sort->out_of_order ? run->env->out_of_order : run->env->queue;
    if (failed(run, "clsort_enqueue", clsort_enqueue(plan, queue, &io, 0, NULL, &event)))
        return false;
    return env_finish_event(event) || wrong(run, "the event", "did not complete successfully");
}

/* Reads a buffer, if there is one, unless data is NULL, and checks its canaries. */
static bool read_back(struct run *run, const struct guarded *guarded, const char *name,
                      uint8_t *data)
{
    bool intact = true;
    if (guarded->whole && failed(run, name, guarded_read(guarded, run->env, data, &intact)))
        return false;
    return intact || wrong(run, name, "were written out of bounds");
}

/* Reads the result. Inputs that are not outputs must be intact. */
static bool read_column(struct run *run, struct column *column)
{
    const struct guarded *const inputs[] = {&column->input, &column->second};
    const uint8_t *given = column->data;
    if (is_in_place(run->sort))
        return read_back(run, &column->input, column->name, column->result);
    for (size_t i = 0; i < 2; i++) {
        if (!read_back(run, inputs[i], column->name, column->result))
            return false;
        if (inputs[i]->whole && memcmp(column->result, given, inputs[i]->size) != 0)
            return wrong(run, column->name, "of an input have changed");
        given += inputs[i]->size;
    }
    return read_back(run, &column->output, column->name, column->result);
}

/* Puts the keys in the order of the indexes that the device has found. */
static bool order_keys(struct run *run)
{
    const struct sort_data *data = run->data;
    for (size_t i = 0; i < data->count; i++) {
        uint32_t narrow = 0;
        uint64_t index = 0;
        const uint8_t *at = run->values.result + i * data->value_size;
        memcpy(data->value_size == sizeof narrow ? (void *)&narrow : (void *)&index, at,
               data->value_size);
        index += narrow;
        if (index >= data->count)
            return wrong(run, "an index", "is out of bounds");
        memcpy(run->keys.result + i * data->key_size, data->keys + index * data->key_size,
               data->key_size);
    }
    return true;
}

static bool create_columns(struct run *run)
{
    const struct sort_data *data = run->data;
    run->keys = (struct column){.name = "keys",
                                .size = data->key_size,
                                .data = data->keys,
                                .is_input = true,
                                .is_output = !run->sort->omit_keys};
    run->values = (struct column){.name = "values",
                                  .size = data->value_size,
                                  .data = data->values,
                                  .is_input = !sort_operation_has_indexes(run->sort->operation),
                                  .is_output = true};
    run->keys.alignment = alignment_of(data->key_size);
    run->values.alignment = alignment_of(data->value_size);
    run->keys.result = malloc(data->count * data->key_size + 1);
    run->values.result = malloc(data->count * data->value_size + 1);
    return (run->keys.result && run->values.result) || wrong(run, "the test", "is out of memory");
}

static bool check(struct run *run)
{
    return read_column(run, &run->keys) && read_column(run, &run->values) &&
           read_back(run, &run->scratch, "scratch bytes", NULL) &&
           (!run->sort->omit_keys || order_keys(run)) &&
           sort_data_check(run->data, run->sort, run->keys.result, run->values.result, run->why,
                           sizeof run->why);
}

static void release(struct run *run)
{
    struct column *const columns[] = {&run->keys, &run->values};
    for (size_t c = 0; c < 2; c++) {
        guarded_release(&columns[c]->input);
        guarded_release(&columns[c]->second);
        guarded_release(&columns[c]->output);
        free(columns[c]->result);
    }
    guarded_release(&run->scratch);
}

static enum sort_result run_plan(const struct sort_case *sort, const struct env *env,
                                 clsort_plan *plan, const struct sort_data *data)
{
    struct run run = {.sort = sort, .env = env, .data = data};
    const bool right =
        create_columns(&run) && create_buffers(&run, plan) && enqueue(&run, plan) && check(&run);
    release(&run);
    if (!right)
        sort_case_report(sort, run.why);
    return right ? SORT_RIGHT : SORT_WRONG;
}

enum sort_result sort_case_run_plan(const struct sort_case *sort, const struct env *env,
                                    clsort_plan *plan)
{
    struct sort_data data;
    const bool created = sort_data_create(&data, sort);
    if (!created)
        sort_case_report(sort, "the test is out of memory");
    const enum sort_result result = created ? run_plan(sort, env, plan, &data) : SORT_WRONG;
    sort_data_free(&data);
    return result;
}

/* Reports whether another variant of the named algorithm sorts, since the first choice fails its self-test. */
static bool report_step_down(const struct sort_case *sort, const clsort_plan *plan)
{
    char text[4096] = "";
    clsort_plan_describe(plan, sort->count, sizeof text, text, NULL);
    if (strcmp(sort->algorithm, "auto") == 0 || !strstr(text, "excluded, since it fails"))
        return false;
    sort_case_report(sort, text);
    return true;
}

enum sort_result sort_case_run_data(const struct sort_case *sort, const struct env *env,
                                    const struct sort_data *data)
{
    const clsort_desc desc = sort_case_desc(sort);
    clsort_plan *plan = NULL;
    const clsort_status status = clsort_plan_create(env->engine, &desc, &plan);
    if (status == CLSORT_E_UNSUPPORTED)
        return SORT_UNSUPPORTED;
    if (status) {
        char why[160];
        snprintf(why, sizeof why, "clsort_plan_create: %d (%s)", status,
                 clsort_status_string(status));
        sort_case_report(sort, why);
        return SORT_WRONG;
    }
    enum sort_result result = SORT_WRONG;
    if (!report_step_down(sort, plan))
        result = data ? run_plan(sort, env, plan, data) : sort_case_run_plan(sort, env, plan);
    clsort_plan_destroy(plan);
    return result;
}

enum sort_result sort_case_run(const struct sort_case *sort, const struct env *env)
{
    return sort_case_run_data(sort, env, NULL);
}
