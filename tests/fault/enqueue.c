/* enqueue.c - clsort_enqueue under faults */
#include "guarded.h"
#include "sample.h"

#include <stdlib.h>

struct sort {
    const char *algorithm; /* NULL: auto */
    clsort_key key;
    size_t value_size, count;
    bool in_place;
    bool own_scratch;  /* the caller provides the scratch memory */
    bool out_of_order; /* in an out-of-order queue */
    bool event;        /* requests an event */
    bool waits;        /* waits for an event */
    bool custom;       /* u32 keys in a custom order that equals the order of u32 */
    size_t second;     /* of a merge: the number of elements in the second input */
};

/* The buffers of a sort. Those that the sort does not use are zeros. */
struct buffers {
    struct guarded keys, values, keys_out, values_out, scratch;
};

static void make(const struct sweep *sweep, struct guarded *guarded, enum guarded_use use,
                 size_t bytes, const void *data)
{
    if (bytes > 0)
        SWEEP_OK(sweep, guarded_create(guarded, &sweep->env, GUARDED_PLAIN, use, 64, bytes, data));
}

static struct buffers make_buffers(const struct sweep *sweep, const struct sort *sort,
                                   const struct sample *sample, const clsort_plan *plan)
{
    struct buffers buffers = {0};
    const struct elements *input = &sample->input;
    const enum guarded_use use = sort->in_place ? GUARDED_BOTH : GUARDED_INPUT;
    make(sweep, &buffers.keys, use, input->key_bytes, input->keys);
    make(sweep, &buffers.values, use, input->value_bytes, input->values);
    if (!sort->in_place) {
        make(sweep, &buffers.keys_out, GUARDED_OUTPUT, input->key_bytes, NULL);
        make(sweep, &buffers.values_out, GUARDED_OUTPUT, input->value_bytes, NULL);
    }
    if (sort->own_scratch) {
        size_t bytes = 0;
        SWEEP_OK(sweep, clsort_scratch_size(plan, sort->count, &bytes));
        make(sweep, &buffers.scratch, GUARDED_BOTH, bytes, NULL);
    }
    return buffers;
}

/* Checks the contents of keys and values, and that nothing was written out of bounds. */
static void check_elements(const struct sweep *sweep, const struct guarded *keys,
                           const struct guarded *values, const struct elements *right)
{
    bool keys_intact = true, values_intact = true;
    struct elements found = elements_copy(sweep, right, 0);
    if (keys->whole)
        SWEEP_OK(sweep, guarded_read(keys, &sweep->env, found.keys, &keys_intact));
    if (values->whole)
        SWEEP_OK(sweep, guarded_read(values, &sweep->env, found.values, &values_intact));
    SWEEP_CHECK(sweep, keys_intact && values_intact);
    SWEEP_CHECK(sweep, elements_equal(&found, right));
    elements_free(&found, 0);
}

static void check_guards(const struct sweep *sweep, const struct guarded *guarded)
{
    bool intact = true;
    if (guarded->whole)
        SWEEP_OK(sweep, guarded_read(guarded, &sweep->env, NULL, &intact));
    SWEEP_CHECK(sweep, intact);
}

static void check_buffers(const struct sweep *sweep, const struct sort *sort,
                          const struct sample *sample, const struct buffers *buffers, bool sorted)
{
    if (!sort->in_place)
        check_elements(sweep, &buffers->keys, &buffers->values, &sample->input);
    if (sorted && sort->in_place)
        check_elements(sweep, &buffers->keys, &buffers->values, &sample->sorted);
    if (sorted && !sort->in_place)
        check_elements(sweep, &buffers->keys_out, &buffers->values_out, &sample->sorted);
    check_guards(sweep, &buffers->keys);
    check_guards(sweep, &buffers->values);
    check_guards(sweep, &buffers->keys_out);
    check_guards(sweep, &buffers->values_out);
    check_guards(sweep, &buffers->scratch);
}

static void release_buffers(struct buffers *buffers)
{
    guarded_release(&buffers->keys);
    guarded_release(&buffers->values);
    guarded_release(&buffers->keys_out);
    guarded_release(&buffers->values_out);
    guarded_release(&buffers->scratch);
}

static clsort_io make_io(const struct sort *sort, const struct sample *sample,
                         const struct buffers *buffers)
{
    clsort_io io = CLSORT_IO_INIT;
    io.count = sort->count - sort->second;
    io.keys = buffers->keys.buffer;
    io.values = buffers->values.buffer;
    io.keys_out = buffers->keys_out.buffer;
    io.values_out = buffers->values_out.buffer;
    io.scratch = buffers->scratch.buffer;
    if (sort->second > 0) {
        io.second_count = sort->second;
        io.second_keys = io.keys;
        io.second_keys.offset += io.count * (sample->input.key_bytes / sort->count);
        io.second_values = io.values;
        io.second_values.offset += io.count * sort->value_size;
    }
    return io;
}

static void sort_once(struct sweep *sweep, const struct sort *sort, const struct sample *sample,
                      clsort_plan *plan, bool faulty)
{
    struct buffers buffers = make_buffers(sweep, sort, sample, plan);
    const clsort_io io = make_io(sort, sample, &buffers);
    cl_command_queue queue = sort->out_of_order ? sweep->env.out_of_order : sweep->env.queue;
    cl_event gate = NULL, event = (cl_event)sweep; /* anything but NULL */
    clsort_status status = CLSORT_OK;
    if (sort->waits)
        gate = clCreateUserEvent(sweep->env.context, &status);
    SWEEP_OK(sweep, status);

    if (faulty)
        sweep_arm(sweep);
    status = clsort_enqueue(plan, queue, &io, gate != NULL, gate ? &gate : NULL,
                            sort->event ? &event : NULL);
    bool sorted = true;
    if (!faulty)
        SWEEP_OK(sweep, status);
    else if (sort->event)
        sorted = sweep_judge_object(sweep, status, event);
    else
        sorted = sweep_judge(sweep, status);
    if (gate) {
        SWEEP_OK(sweep, clSetUserEventStatus(gate, CL_COMPLETE));
        SWEEP_OK(sweep, clReleaseEvent(gate));
    }
    if (sorted && sort->event)
        SWEEP_CHECK(sweep, env_finish_event(event));
    SWEEP_OK(sweep, clFinish(queue)); /* the first commands of a sort that failed may still run */
    check_buffers(sweep, sort, sample, &buffers, sorted);
    release_buffers(&buffers);
}

static void enqueue(struct sweep *sweep)
{
    const struct sort *sort = sweep->scenario->data;
    struct sample sample =
        sample_make(sweep, sort->key, sort->value_size, sort->count, sort->second);
    clsort_plan *plan = NULL;
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.key = sort->key;
    if (sort->custom) {
        desc.key = CLSORT_CUSTOM;
        desc.key_size = sizeof(uint32_t);
        desc.key_type = "uint";
        desc.less = "a < b";
    }
    desc.operation = sort->second > 0 ? CLSORT_MERGE_SORTED : CLSORT_SORT;
    desc.value_size = sort->value_size;
    desc.max_count = sort->count;
    desc.algorithm = sort->algorithm;
    SWEEP_OK(sweep, clsort_plan_create(sweep->env.engine, &desc, &plan));
    sort_once(sweep, sort, &sample, plan, true);
    sort_once(sweep, sort, &sample, plan, false);
    clsort_plan_destroy(plan);
    sample_free(&sample);
}

/* The large counts exceed 2^16, above which CPUs use another algorithm. */
const struct scenario sweep_enqueue[] = {
#define SORT(...) enqueue, &(const struct sort){__VA_ARGS__}, 0, false
#define IN_PLACE .in_place = true
#define SCRATCH .own_scratch = true
#define OUT_OF_ORDER .out_of_order = true
#define EVENT .event = true
#define WAITS .waits = true
    {"enqueue keys", SORT(NULL, CLSORT_U32, 0, 500, EVENT)},
    {"enqueue pairs",
     SORT(NULL, CLSORT_U64, 4, 500, IN_PLACE, SCRATCH, OUT_OF_ORDER, EVENT, WAITS)},
    {"enqueue wide", SORT(NULL, CLSORT_F32, 24, 500, IN_PLACE, OUT_OF_ORDER)},
    {"enqueue many keys", SORT(NULL, CLSORT_I32, 0, 70000, IN_PLACE, OUT_OF_ORDER, EVENT)},
    {"enqueue many pairs", SORT(NULL, CLSORT_I32, 4, 70000, SCRATCH, WAITS)},
    {"enqueue radix keys", SORT("radix", CLSORT_U8, 0, 500, OUT_OF_ORDER)},
    {"enqueue radix pairs", SORT("radix", CLSORT_U16, 8, 500, IN_PLACE, EVENT, WAITS)},
    {"enqueue radix wide", SORT("radix", CLSORT_U8, 100, 500, IN_PLACE, SCRATCH)},
    {"enqueue local keys",
     SORT("local", CLSORT_U32, 0, 60, IN_PLACE, SCRATCH, OUT_OF_ORDER, EVENT)},
    {"enqueue local pairs", SORT("local", CLSORT_F64, 4, 60, OUT_OF_ORDER, WAITS)},
    {"enqueue local wide", SORT("local", CLSORT_I8, 40, 60, SCRATCH, OUT_OF_ORDER, EVENT, WAITS)},
    {"enqueue nothing", SORT(NULL, CLSORT_U32, 0, 0, EVENT, WAITS)},
    {"enqueue bitonic keys", SORT("bitonic:C4+B", CLSORT_U32, 0, 500, IN_PLACE, EVENT)},
    {"enqueue bitonic wide",
     SORT("bitonic:C4+B", CLSORT_U32, 24, 500, SCRATCH, OUT_OF_ORDER, WAITS)},
    {"enqueue quick pairs", SORT("quick", CLSORT_U32, 4, 20000, OUT_OF_ORDER, EVENT)},
    {"enqueue quick wide", SORT("quick", CLSORT_U32, 24, 500, IN_PLACE, SCRATCH, WAITS)},
#define GROUPS "merge:variant=groups"
    {"merge keys", SORT(GROUPS, CLSORT_U32, 0, 500, IN_PLACE, SCRATCH, EVENT)},
    {"merge custom pairs",
     SORT(GROUPS, CLSORT_U32, 4, 500, OUT_OF_ORDER, EVENT, WAITS, .custom = true)},
    {"merge cores custom", SORT(NULL, CLSORT_U32, 4, 500, IN_PLACE, .custom = true)},
    {"merge inputs", SORT(GROUPS, CLSORT_U32, 4, 500, SCRATCH, EVENT, .second = 200)},
    {"merge inputs wide", SORT(NULL, CLSORT_U32, 24, 500, OUT_OF_ORDER, .second = 300)},
    {"regions pairs", SORT("radix", CLSORT_U16, 4, 500, IN_PLACE, OUT_OF_ORDER, EVENT)},
    {"regions wide", SORT("radix", CLSORT_F32, 24, 200, IN_PLACE, EVENT)},
    {NULL, NULL, NULL, 0, false},
};
