/* random_arrays.c - the arrays of one call of clsort_enqueue, in host memory and in buffers between canaries */
#include "random_arrays.h"

#include "check.h"
#include "reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[ARRAYS] = {"keys",      "values",       "offsets",  "ends",
                                          "ks",        "count_buffer", "keys_out", "values_out",
                                          "index_out", "result",       "scratch"};

void arrays_set_segments(struct arrays *arrays, const struct plan *plan, const struct segments *s)
{
    const size_t bytes = s->number * plan->index_size;
    const uint32_t form = plan->desc.segments;
    arrays->size[OFFSETS] = form == CLSORT_OFFSETS     ? bytes + plan->index_size
                            : form == CLSORT_BEGIN_END ? bytes
                                                       : 0;
    arrays->size[ENDS] = form == CLSORT_BEGIN_END ? bytes : 0;
}

void arrays_fill(struct arrays *arrays, struct random *random, const struct plan *plan,
                 const struct segments *s)
{
    const size_t value = plan->desc.value_size, index = plan->index_size;
    for (size_t i = 0; i < ARRAYS; i++) {
        arrays->before[i] = malloc(arrays->size[i] + 1);
        arrays->after[i] = malloc(arrays->size[i] + 1);
        assert_true(arrays->before[i] && arrays->after[i]);
        for (size_t at = 0; i < SCRATCH && at < arrays->size[i]; at++)
            arrays->before[i][at] = (uint8_t)(at * 7 + i);
    }
    if (s->count > 0)
        fill_keys(random, plan, s->count, arrays->before[KEYS]);
    for (size_t i = 0; i < s->count && value > 0; i++)
        reference_value(i, value, arrays->before[VALUES] + i * value);
    for (size_t i = 0; i < s->number && arrays->size[OFFSETS] > 0; i++)
        store_index(s->given[i].begin, index, arrays->before[OFFSETS] + i * index);
    if (plan->desc.segments == CLSORT_OFFSETS)
        store_index(s->number > 0 ? s->given[s->number - 1].end : 0, index,
                    arrays->before[OFFSETS] + s->number * index);
    for (size_t i = 0; i < s->number && arrays->size[ENDS] > 0; i++)
        store_index(s->given[i].end, index, arrays->before[ENDS] + i * index);
}

void arrays_expect_unchanged(struct arrays *arrays)
{
    for (size_t i = 0; i < SCRATCH; i++)
        memcpy(arrays->after[i], arrays->before[i], arrays->size[i]);
}

void arrays_expect_element(struct arrays *arrays, const struct plan *plan, bool in_place, size_t to,
                           size_t from)
{
    const size_t key = plan->key_size, value = plan->desc.value_size, index = plan->index_size;
    const size_t keys_out = in_place ? KEYS : KEYS_OUT, values_out = in_place ? VALUES : VALUES_OUT;
    if (arrays->size[keys_out] > 0)
        memcpy(arrays->after[keys_out] + to * key, arrays->before[KEYS] + from * key, key);
    if (arrays->size[values_out] > 0)
        memcpy(arrays->after[values_out] + to * value, arrays->before[VALUES] + from * value,
               value);
    if (arrays->size[INDEX_OUT] > 0)
        store_index(from, index, arrays->after[INDEX_OUT] + to * index);
}

void arrays_create(struct arrays *arrays, const struct env *env, enum guarded_memory memory,
                   size_t offset, bool in_place)
{
    for (size_t i = 0; i < ARRAYS; i++)
        if (arrays->size[i] > 0)
            assert_ok(guarded_create(&arrays->buffer[i], env, memory,
                                     in_place && i <= VALUES ? GUARDED_BOTH
                                     : i < KEYS_OUT          ? GUARDED_INPUT
                                                             : GUARDED_OUTPUT,
                                     offset, arrays->size[i],
                                     i == SCRATCH ? NULL : arrays->before[i]));
}

void arrays_set_io(const struct arrays *arrays, clsort_io *io)
{
    clsort_buffer *const buffers[ARRAYS] = {
        &io->keys,     &io->values,     &io->offsets,   &io->ends,   &io->ks,     &io->count_buffer,
        &io->keys_out, &io->values_out, &io->index_out, &io->result, &io->scratch};
    for (size_t i = 0; i < ARRAYS; i++)
        *buffers[i] = arrays->buffer[i].buffer;
}

void run_plan_once(const struct plan *plan, const clsort_io *io, bool out_of_order)
{
    cl_event event = NULL;
    assert_ok(clsort_enqueue(plan->plan, out_of_order ? plan->env->out_of_order : plan->env->queue,
                             io, 0, NULL, &event));
    assert_true(env_finish_event(event));
}

bool arrays_read(const struct arrays *arrays, const struct env *env, size_t i, uint8_t *found)
{
    bool intact = false;
    assert_ok(guarded_read(&arrays->buffer[i], env, found, &intact));
    if (!intact)
        fprintf(stderr, "%s: canaries were overwritten\n", names[i]);
    return intact;
}

bool arrays_compare(const struct arrays *arrays, size_t i, const uint8_t *found)
{
    size_t at = 0;
    while (i != SCRATCH && at < arrays->size[i] && found[at] == arrays->after[i][at])
        at++;
    if (i == SCRATCH || at == arrays->size[i])
        return true;
    fprintf(stderr, "%s: byte %zu of %zu is wrong\n", names[i], at, arrays->size[i]);
    return false;
}

void arrays_release(struct arrays *arrays)
{
    for (size_t i = 0; i < ARRAYS; i++) {
        guarded_release(&arrays->buffer[i]);
        free(arrays->before[i]);
        free(arrays->after[i]);
    }
}
