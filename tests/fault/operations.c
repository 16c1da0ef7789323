/* operations.c - plans and calls of argsorts, gathers, selections, operations on neighbours, sorts and merges by
 * columns, segmented sorts and sorts with arrays of values under faults, also with counts in device memory */
#include "guarded.h"
#include "sample.h"

#include <string.h>

enum { COUNT = 500, K = 20 };

struct operation {
    clsort_operation operation;
    size_t value_size;
    uint32_t flags;
    clsort_segments segments;
    uint32_t count_size; /* of a count in device memory, or 0 */
    bool custom;         /* the order is a custom one that equals that of u32 */
    bool by_columns;     /* the keys are records */
    bool has_arrays;     /* the values are the only one of several arrays */
    bool own_scratch;    /* the caller provides the scratch memory */
    bool event;          /* requests an event */
};

/* The buffers of a call. Those that it does not use are zeros. */
enum {
    KEYS,
    VALUES,
    KEYS_OUT,
    VALUES_OUT,
    INDEX_OUT,
    INDEX,
    OFFSETS,
    ENDS,
    KS,
    DEVICE_COUNT,
    RESULT,
    SCRATCH,
    BUFFERS
};

/* The key three times, so that elements have two words. */
static const clsort_column COLUMNS[] = {
    {CLSORT_U32, 0, 0, 0}, {CLSORT_U32, 0, 0, 0}, {CLSORT_U32, 0, 0, 0}};

static clsort_desc make_desc(const struct operation *operation)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.operation = operation->operation;
    desc.value_size = operation->value_size;
    desc.flags = operation->flags;
    desc.segments = operation->segments;
    desc.count_size = operation->count_size;
    desc.max_count = COUNT;
    if (operation->custom) {
        desc.key = CLSORT_CUSTOM;
        desc.key_size = sizeof(uint32_t);
        desc.key_type = "uint";
        desc.less = "a < b";
    }
    if (operation->by_columns) {
        desc.columns = COLUMNS;
        desc.column_count = sizeof COLUMNS / sizeof *COLUMNS;
        desc.record_size = sizeof(uint32_t);
    }
    desc.max_k = operation->operation == CLSORT_SELECT ? K : 0;
    if (operation->has_arrays) {
        desc.value_size = 0;
        desc.value_sizes = &operation->value_size;
        desc.value_count = 1;
    }
    return desc;
}

/* Sets the sizes of the buffers in bytes. */
static void set_sizes(const struct sweep *sweep, const struct operation *operation,
                      const clsort_plan *plan, size_t *sizes)
{
    const size_t value = operation->value_size;
    memset(sizes, 0, BUFFERS * sizeof *sizes);
    if (operation->operation == CLSORT_GATHER) {
        sizes[VALUES] = sizes[VALUES_OUT] = COUNT * value;
        sizes[INDEX] = COUNT * sizeof(uint32_t);
        sizes[RESULT] = sizeof(uint64_t);
    } else {
        const bool has_all =
            operation->operation == CLSORT_ARGSORT || operation->flags & CLSORT_PARTITION;
        const size_t out = has_all ? COUNT : operation->operation == CLSORT_SELECT ? K : 1;
        sizes[KEYS] = COUNT * sizeof(uint32_t);
        sizes[VALUES] = COUNT * value;
        sizes[KEYS_OUT] = sizes[INDEX_OUT] = out * sizeof(uint32_t);
        sizes[VALUES_OUT] = out * value;
    }
    if (operation->operation == CLSORT_SORT || operation->operation == CLSORT_MERGE_SORTED) {
        sizes[KEYS_OUT] = COUNT * sizeof(uint32_t);
        sizes[VALUES_OUT] = COUNT * value;
        sizes[INDEX_OUT] = 0;
    }
    if (operation->operation == CLSORT_UNIQUE || operation->operation == CLSORT_CHECK) {
        const size_t out = operation->operation == CLSORT_UNIQUE ? COUNT : 0;
        sizes[KEYS_OUT] = sizes[INDEX_OUT] = out * sizeof(uint32_t);
        sizes[VALUES_OUT] = out * value;
        sizes[RESULT] = sizeof(uint64_t);
    }
    sizes[DEVICE_COUNT] = operation->count_size;
    if (operation->segments == CLSORT_BEGIN_END || operation->count_size > 0)
        sizes[RESULT] = sizeof(uint64_t);
    if (operation->segments == CLSORT_BEGIN_END) { /* one segment, the whole array */
        sizes[KS] = operation->operation == CLSORT_SELECT ? sizeof(uint32_t) : 0;
        sizes[OFFSETS] = sizes[ENDS] = sizeof(uint32_t);
    }
    if (operation->own_scratch)
        SWEEP_OK(sweep, clsort_scratch_size(plan, COUNT, &sizes[SCRATCH]));
}

/* The keys are in descending order, and the indexes are equal to them. */
static void make_buffers(const struct sweep *sweep, const struct operation *operation,
                         const clsort_plan *plan, struct guarded *buffers)
{
    static unsigned char values[COUNT * 100];
    uint32_t keys[COUNT];
    size_t sizes[BUFFERS];
    for (uint32_t i = 0; i < COUNT; i++) {
        keys[i] = COUNT - 1 - i;
        memset(values + i * operation->value_size, (int)(i % 251), operation->value_size);
    }
    set_sizes(sweep, operation, plan, sizes);
    const uint32_t begin = 0, end = COUNT, k = K;
    const uint32_t device_count = operation->segments == CLSORT_WHOLE ? COUNT : 1;
    const void *const data[BUFFERS] = {[KEYS] = keys,
                                       [VALUES] = values,
                                       [INDEX] = keys,
                                       [OFFSETS] = &begin,
                                       [ENDS] = &end,
                                       [KS] = &k,
                                       [DEVICE_COUNT] = &device_count};
    for (size_t i = 0; i < BUFFERS; i++)
        if (sizes[i] > 0)
            SWEEP_OK(sweep, guarded_create(&buffers[i], &sweep->env, GUARDED_PLAIN,
                                           data[i] ? GUARDED_INPUT : GUARDED_OUTPUT, 64, sizes[i],
                                           data[i]));
}

/* Returns the element of the input that belongs at the first place of the output. */
static uint32_t first_element(const struct operation *operation)
{
    if (operation->operation == CLSORT_UNIQUE)
        return 0;
    if (operation->operation == CLSORT_MERGE_SORTED)
        return 1;
    if (operation->flags & (CLSORT_INPUT_ORDER | CLSORT_PARTITION))
        return COUNT - K;
    return operation->operation == CLSORT_NTH ? COUNT - 1 - K : COUNT - 1;
}

/* All keys differ, and the second one precedes the first one. */
static uint32_t expected_result(const struct operation *operation)
{
    return operation->operation == CLSORT_UNIQUE ? COUNT : operation->operation == CLSORT_CHECK;
}

/* Checks the first element of each output, and that nothing was written out of bounds. */
static void check_buffers(const struct sweep *sweep, const struct operation *operation,
                          const struct guarded *buffers, bool is_done)
{
    static unsigned char found[1 << 22];
    const uint32_t first = first_element(operation);
    for (size_t i = 0; i < BUFFERS; i++) {
        bool intact = true;
        if (!buffers[i].whole)
            continue;
        SWEEP_CHECK(sweep, buffers[i].size <= sizeof found);
        SWEEP_OK(sweep, guarded_read(&buffers[i], &sweep->env, found, &intact));
        SWEEP_CHECK(sweep, intact);
        uint32_t word;
        memcpy(&word, found, sizeof word);
        if (is_done && i == KEYS_OUT)
            SWEEP_CHECK(sweep, word == COUNT - 1 - first);
        if (is_done && i == INDEX_OUT)
            SWEEP_CHECK(sweep, word == first);
        if (is_done && i == VALUES_OUT)
            SWEEP_CHECK(sweep, found[0] == first % 251);
        if (is_done && i == RESULT)
            SWEEP_CHECK(sweep, word == expected_result(operation));
    }
}

static void run_once(struct sweep *sweep, const struct operation *operation, clsort_plan *plan,
                     bool faulty)
{
    struct guarded buffers[BUFFERS];
    memset(buffers, 0, sizeof buffers);
    make_buffers(sweep, operation, plan, buffers);
    clsort_io io = CLSORT_IO_INIT;
    io.count = COUNT;
    io.keys = buffers[KEYS].buffer;
    io.values = buffers[VALUES].buffer;
    io.keys_out = buffers[KEYS_OUT].buffer;
    io.values_out = buffers[VALUES_OUT].buffer;
    io.index_out = buffers[INDEX_OUT].buffer;
    io.index = buffers[INDEX].buffer;
    io.offsets = buffers[OFFSETS].buffer;
    io.ends = buffers[ENDS].buffer;
    io.ks = buffers[KS].buffer;
    io.count_buffer = buffers[DEVICE_COUNT].buffer;
    io.segment_count = operation->segments != CLSORT_WHOLE;
    io.result = buffers[RESULT].buffer;
    io.scratch = buffers[SCRATCH].buffer;
    io.source_count = operation->operation == CLSORT_GATHER ? COUNT : 0;
    io.k = operation->operation == CLSORT_SELECT || operation->operation == CLSORT_NTH ? K : 0;
    if (operation->operation == CLSORT_MERGE_SORTED) { /* the first two keys */
        io.count = io.second_count = 1;
        io.second_keys = (clsort_buffer){io.keys.mem, io.keys.offset + sizeof(uint32_t)};
    }
    if (operation->has_arrays) {
        io.value_arrays = &buffers[VALUES].buffer;
        io.value_arrays_out = &buffers[VALUES_OUT].buffer;
        io.values.mem = io.values_out.mem = NULL;
    }
    cl_event event = (cl_event)sweep; /* anything but NULL */
    if (faulty)
        sweep_arm(sweep);
    const clsort_status status =
        clsort_enqueue(plan, sweep->env.queue, &io, 0, NULL, operation->event ? &event : NULL);
    bool is_done = true;
    if (!faulty)
        SWEEP_OK(sweep, status);
    else if (operation->event)
        is_done = sweep_judge_object(sweep, status, event);
    else
        is_done = sweep_judge(sweep, status);
    if (is_done && operation->event)
        SWEEP_CHECK(sweep, env_finish_event(event));
    SWEEP_OK(sweep,
             clFinish(sweep->env.queue)); /* the first commands of a failed call may still run */
    check_buffers(sweep, operation, buffers, is_done);
    for (size_t i = 0; i < BUFFERS; i++)
        guarded_release(&buffers[i]);
}

static void enqueue(struct sweep *sweep)
{
    const struct operation *operation = sweep->scenario->data;
    const clsort_desc desc = make_desc(operation);
    clsort_plan *plan = NULL;
    SWEEP_OK(sweep, clsort_plan_create(sweep->env.engine, &desc, &plan));
    run_once(sweep, operation, plan, true);
    run_once(sweep, operation, plan, false);
    clsort_plan_destroy(plan);
}

/* Creates a plan with a new engine without a disk cache, so that its kernels are compiled and tested. */
static void create_plan(struct sweep *sweep)
{
    const struct operation *operation = sweep->scenario->data;
    const clsort_desc desc = make_desc(operation);
    clsort_engine_options options = CLSORT_ENGINE_OPTIONS_INIT;
    clsort_engine *engine = NULL;
    options.cache_dir = "";
    SWEEP_OK(sweep, clsort_engine_create(sweep->env.context, sweep->env.device, &options, &engine));
    clsort_plan *plan = (clsort_plan *)sweep; /* anything but NULL */
    sweep_arm(sweep);
    const clsort_status status = clsort_plan_create(engine, &desc, &plan);
    sweep_judge_object(sweep, status, plan);
    clsort_plan_destroy(plan);
    SWEEP_OK(sweep, clsort_plan_create(engine, &desc, &plan));
    run_once(sweep, operation, plan, false);
    clsort_plan_destroy(plan);
    clsort_engine_destroy(engine);
}

const struct scenario sweep_operations[] = {
#define CALL(...) enqueue, &(const struct operation){__VA_ARGS__}, 0, false
    {"operations argsort", CALL(CLSORT_ARGSORT, .event = true)},
    {"operations argsort scratch", CALL(CLSORT_ARGSORT, .own_scratch = true)},
    {"operations gather", CALL(CLSORT_GATHER, .value_size = 12, .event = true)},
    {"operations select", CALL(CLSORT_SELECT, .value_size = 24, .event = true)},
    {"operations select scratch",
     CALL(CLSORT_SELECT, .value_size = 4, .flags = CLSORT_INPUT_ORDER, .own_scratch = true)},
    {"operations partition", CALL(CLSORT_NTH, .value_size = 4, .flags = CLSORT_PARTITION)},
    {"operations nth", CALL(CLSORT_NTH, .value_size = 4)},
    {"operations unique", CALL(CLSORT_UNIQUE, .value_size = 24, .event = true)},
    {"operations unique scratch", CALL(CLSORT_UNIQUE, .value_size = 4, .own_scratch = true)},
    {"operations unique count", CALL(CLSORT_UNIQUE, .value_size = 4, .count_size = 4)},
    {"operations check", CALL(CLSORT_CHECK, .event = true)},
    {"operations segments",
     CALL(CLSORT_SORT, .value_size = 24, .segments = CLSORT_BEGIN_END, .event = true)},
    {"operations segments argsort",
     CALL(CLSORT_ARGSORT, .segments = CLSORT_BEGIN_END, .own_scratch = true)},
    {"operations segments select",
     CALL(CLSORT_SELECT, .value_size = 24, .segments = CLSORT_BEGIN_END, .event = true)},
    {"operations segments nth",
     CALL(CLSORT_NTH, .value_size = 4, .segments = CLSORT_BEGIN_END, .own_scratch = true)},
    {"operations count", CALL(CLSORT_SORT, .value_size = 4, .count_size = 4, .event = true)},
    {"operations select count custom",
     CALL(CLSORT_SELECT, .value_size = 4, .count_size = 4, .custom = true, .event = true)},
    {"operations segments count",
     CALL(CLSORT_ARGSORT, .segments = CLSORT_BEGIN_END, .count_size = 4, .own_scratch = true)},
    {"neighbours unique", create_plan, &(const struct operation){CLSORT_UNIQUE, .value_size = 4}, 0,
     false},
    {"neighbours check", create_plan, &(const struct operation){CLSORT_CHECK, .value_size = 0}, 0,
     false},
    {"neighbours records", create_plan,
     &(const struct operation){CLSORT_UNIQUE, .by_columns = true}, 0, false},
    {"neighbours merge", create_plan,
     &(const struct operation){CLSORT_MERGE_SORTED, .by_columns = true}, 0, false},
    {"operations records merge", CALL(CLSORT_MERGE_SORTED, .by_columns = true, .event = true)},
    {"operations records", CALL(CLSORT_SORT, .by_columns = true, .event = true)},
    {"operations records argsort", CALL(CLSORT_ARGSORT, .by_columns = true, .own_scratch = true)},
    {"operations records segments",
     CALL(CLSORT_ARGSORT, .by_columns = true, .segments = CLSORT_BEGIN_END, .event = true)},
    {"operations records count",
     CALL(CLSORT_SORT, .by_columns = true, .count_size = 4, .event = true)},
    {"operations records select count",
     CALL(CLSORT_SELECT, .by_columns = true, .count_size = 4, .own_scratch = true)},
    {"operations value_arrays",
     CALL(CLSORT_SORT, .value_size = 24, .has_arrays = true, .event = true)},
    {"operations value_arrays scratch",
     CALL(CLSORT_SORT, .value_size = 3, .has_arrays = true, .own_scratch = true)},
    {"operations value_arrays segments", CALL(CLSORT_SORT, .value_size = 3, .has_arrays = true,
                                              .segments = CLSORT_BEGIN_END, .event = true)},
    {"operations value_arrays count",
     CALL(CLSORT_SORT, .value_size = 24, .has_arrays = true, .count_size = 4, .own_scratch = true)},
    {"columns plan", create_plan, &(const struct operation){CLSORT_SORT, .by_columns = true}, 0,
     false},
    {"columns plan count", create_plan,
     &(const struct operation){CLSORT_SORT, .by_columns = true, .count_size = 4}, 0, false},
    {"columns value_arrays plan", create_plan,
     &(const struct operation){CLSORT_SORT, .value_size = 3, .has_arrays = true, .count_size = 4},
     0, false},
    {"segments plan", create_plan,
     &(const struct operation){CLSORT_SORT, .value_size = 24, .segments = CLSORT_BEGIN_END}, 0,
     false},
    {"selection plan", create_plan,
     &(const struct operation){CLSORT_SELECT, .value_size = 4, .flags = CLSORT_INPUT_ORDER}, 0,
     false},
    {"segment_selection plan", create_plan,
     &(const struct operation){CLSORT_SELECT, .value_size = 4, .flags = CLSORT_INPUT_ORDER,
                               .segments = CLSORT_BEGIN_END},
     0, false},
    {NULL, NULL, NULL, 0, false},
};
