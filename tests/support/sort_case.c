/* sort_case.c - one sort of the test matrix: run and checked bit for bit */
#include "sort_case.h"

#include "reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All that one run owns; zeros are fine to release. */
struct run {
    const struct sort_case *sort;
    const struct env *env;
    size_t key_size;
    size_t value_size;
    size_t count;
    uint8_t *keys; /* on the host: the input, and what results are read to */
    uint8_t *values;
    uint8_t *result_keys;
    uint8_t *result_values;
    size_t *order;
    struct guarded device_keys;
    struct guarded device_values;
    struct guarded device_keys_out;
    struct guarded device_values_out;
    struct guarded device_scratch;
    clsort_plan *plan;
    char why[160]; /* what went wrong */
};

struct sort_case sort_case_default(size_t count)
{
    return (struct sort_case){
        .algorithm = "auto", .type = data_type_of(CLSORT_U32), .count = count, .seed = 1};
}

bool sort_case_is_stable(const struct sort_case *sort)
{
    static const char bitonic[] = "bitonic";
    return !(sort->flags & CLSORT_UNSTABLE) &&
           strncmp(sort->algorithm, bitonic, sizeof bitonic - 1) != 0;
}

clsort_desc sort_case_desc(const struct sort_case *sort)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.key = sort->type->key;
    desc.flags = sort->flags;
    desc.value_size = sort->value_size;
    desc.begin_bit = sort->begin_bit;
    desc.end_bit = sort->end_bit;
    desc.max_count = sort->count + sort->room;
    desc.algorithm = strcmp(sort->algorithm, "auto") ? sort->algorithm : NULL;
    return desc;
}

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

static struct reference reference_of(const struct sort_case *sort)
{
    return (struct reference){sort->type, sort->flags, sort->begin_bit, sort->end_bit};
}

static bool make_data(struct run *run)
{
    const struct sort_case *sort = run->sort;
    run->keys = malloc(run->count * run->key_size + 1);
    run->values = malloc(run->count * run->value_size + 1);
    run->result_keys = malloc(run->count * run->key_size + 1);
    run->result_values = malloc(run->count * run->value_size + 1);
    run->order = malloc((run->count + 1) * sizeof *run->order);
    const struct reference reference = reference_of(sort);
    if (!run->keys || !run->values || !run->result_keys || !run->result_values || !run->order ||
        !data_fill(sort->type, sort->dist, sort->seed, run->keys, run->count) ||
        !reference_order(&reference, run->keys, run->count, run->order))
        return wrong(run, "the test", "is out of memory");
    for (size_t i = 0; i < run->count; i++)
        reference_value(i, run->value_size, run->values + i * run->value_size);
    return true;
}

/* The alignment that clsort.h asks of a value's offset. */
static size_t value_alignment(size_t size)
{
    size_t alignment = 8;
    while (size % alignment)
        alignment /= 2;
    return alignment;
}

static bool make_buffers(struct run *run)
{
    const struct sort_case *sort = run->sort;
    bool in_place = sort->place != SORT_OUT_OF_PLACE;
    enum guarded_use use = in_place ? GUARDED_BOTH : GUARDED_INPUT;
    size_t key_bytes = run->count * run->key_size;
    size_t value_bytes = run->count * run->value_size;
    size_t step = value_alignment(run->value_size);
    size_t shift = sort->offset ? 1 : 0; /* so that no two offsets are alike */
    if (failed(run, "key buffer",
               guarded_create(&run->device_keys, run->env, sort->memory, use,
                              sort->offset * run->key_size, key_bytes, run->keys)) ||
        (run->value_size &&
         failed(run, "value buffer",
                guarded_create(&run->device_values, run->env, sort->memory, use,
                               (sort->offset + shift) * step, value_bytes, run->values))))
        return false;
    if (!in_place &&
        (failed(run, "output key buffer",
                guarded_create(&run->device_keys_out, run->env, sort->memory, GUARDED_OUTPUT,
                               (sort->offset + 2 * shift) * run->key_size, key_bytes, NULL)) ||
         (run->value_size &&
          failed(run, "output value buffer",
                 guarded_create(&run->device_values_out, run->env, sort->memory, GUARDED_OUTPUT,
                                (sort->offset + 3 * shift) * step, value_bytes, NULL)))))
        return false;
    if (!sort->own_scratch)
        return true;
    size_t bytes = 0;
    return !failed(run, "clsort_scratch_size",
                   clsort_scratch_size(run->plan, run->count, &bytes)) &&
           !failed(run, "scratch buffer",
                   guarded_create(&run->device_scratch, run->env, GUARDED_PLAIN, GUARDED_BOTH,
                                  sort->offset * 8, bytes, NULL));
}

static bool enqueue(struct run *run)
{
    clsort_io io = CLSORT_IO_INIT;
    io.count = run->count;
    io.keys = run->device_keys.place;
    io.values = run->device_values.place;
    io.keys_out = run->device_keys_out.place;
    io.values_out = run->device_values_out.place;
    io.scratch = run->device_scratch.place;
    if (run->sort->place == SORT_NAMED_IN_PLACE) {
        io.keys_out = io.keys;
        io.values_out = io.values;
    }
    cl_event event = NULL;
    cl_command_queue queue = run->sort->loose ? run->env->loose : run->env->queue;
    if (failed(run, "clsort_enqueue", clsort_enqueue(run->plan, queue, &io, 0, NULL, &event)))
        return false;
    return env_finish_event(event) || wrong(run, "the event", "did not complete well");
}

/* Reads a buffer, if there is one, unless `to` is NULL, and looks at its canaries. */
static bool read_back(struct run *run, const struct guarded *guarded, uint8_t *to, const char *what)
{
    bool intact = true;
    if (guarded->place.mem && failed(run, what, guarded_read(guarded, run->env, to, &intact)))
        return false;
    return intact || wrong(run, what, "were written out of bounds");
}

/* Compares what was found with the given elements, in the order wanted; NULL: as they are. */
static bool compare(struct run *run, const uint8_t *found, const uint8_t *given, size_t size,
                    const size_t *order, const char *what)
{
    for (size_t i = 0; i < run->count; i++) {
        size_t from = order ? order[i] : i;
        if (memcmp(found + i * size, given + from * size, size) != 0) {
            snprintf(run->why, sizeof run->why, "%s differ first at %zu, where element %zu belongs",
                     what, i, from);
            return false;
        }
    }
    return true;
}

static bool check_input(struct run *run)
{
    return read_back(run, &run->device_keys, run->result_keys, "input keys") &&
           read_back(run, &run->device_values, run->result_values, "input values") &&
           compare(run, run->result_keys, run->keys, run->key_size, NULL, "input keys") &&
           compare(run, run->result_values, run->values, run->value_size, NULL, "input values");
}

/* Elements that compare equal may come in any order. */
static bool follow(struct run *run)
{
    const struct reference reference = reference_of(run->sort);
    const struct reference_elements given = {run->keys, run->values, run->value_size};
    const struct reference_elements found = {run->result_keys, run->result_values, run->value_size};
    return reference_follow(&reference, &given, &found, run->count, run->order) ||
           wrong(run, "the test", "is out of memory");
}

static bool check_output(struct run *run, const struct guarded *keys, const struct guarded *values)
{
    return read_back(run, keys, run->result_keys, "keys") &&
           read_back(run, values, run->result_values, "values") &&
           (sort_case_is_stable(run->sort) || follow(run)) &&
           compare(run, run->result_keys, run->keys, run->key_size, run->order, "keys") &&
           compare(run, run->result_values, run->values, run->value_size, run->order, "values");
}

static bool check_all(struct run *run)
{
    return (run->sort->place == SORT_OUT_OF_PLACE
                ? check_input(run) &&
                      check_output(run, &run->device_keys_out, &run->device_values_out)
                : check_output(run, &run->device_keys, &run->device_values)) &&
           read_back(run, &run->device_scratch, NULL, "scratch bytes");
}

static void release(struct run *run)
{
    clsort_plan_destroy(run->plan);
    guarded_release(&run->device_keys);
    guarded_release(&run->device_values);
    guarded_release(&run->device_keys_out);
    guarded_release(&run->device_values_out);
    guarded_release(&run->device_scratch);
    free(run->keys);
    free(run->values);
    free(run->result_keys);
    free(run->result_values);
    free(run->order);
}

enum sort_result sort_case_run(const struct sort_case *sort, const struct env *env)
{
    struct run run = {.sort = sort,
                      .env = env,
                      .key_size = sort->type->size,
                      .value_size = sort->value_size,
                      .count = sort->count};
    clsort_desc desc = sort_case_desc(sort);
    clsort_status status = clsort_plan_create(env->engine, &desc, &run.plan);
    if (status == CLSORT_E_UNSUPPORTED)
        return SORT_UNSUPPORTED;
    bool right = !failed(&run, "clsort_plan_create", status) && make_data(&run) &&
                 make_buffers(&run) && enqueue(&run) && check_all(&run);
    release(&run);
    if (right)
        return SORT_RIGHT;
    char text[SORT_CASE_TEXT];
    sort_case_print(sort, text);
    fprintf(stderr, "WRONG: %s\n  case: %s\n", run.why, text);
    return SORT_WRONG;
}
