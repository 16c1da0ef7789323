/* last_error.c - clsort_last_error: the sentence of every kind of failure, and to which calls and threads it belongs */
#include "fixture.h"
#include "text.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void is_error(clsort_engine *engine, const char *expected)
{
    char *text = text_last_error(engine);
    assert_string_equal(text, expected);
    free(text);
}

/* -- descriptors ---------------------------------------------------------------------------------------- */

static void refuse_desc(const struct fixture *fixture, const clsort_desc *desc,
                        clsort_status expected, const char *sentence)
{
    clsort_plan *plan;
    assert_status(clsort_plan_create(fixture->env.engine, desc, &plan), expected);
    is_error(fixture->env.engine, sentence);
}

#define CUSTOM(...) .key = CLSORT_CUSTOM, __VA_ARGS__
#define WHOLE_ORDER .key_size = 4, .key_type = "uint", .less = "a < b"

static void descriptors(void **state)
{
    static const struct {
        clsort_desc desc; /* key 0 is CLSORT_U32 */
        clsort_status status;
        const char *sentence;
    } rows[] = {
        {{.flags = 0x80000004},
         CLSORT_E_FLAGS,
         "clsort_desc.flags is 0x80000004: 0x80000000 is unknown"},
        {{.flags = CLSORT_FLOAT_NUMERIC},
         CLSORT_E_FLAGS,
         "CLSORT_FLOAT_NUMERIC is set: floats only (the key type is u32)"},
        {{.operation = 8},
         CLSORT_E_OPERATION,
         "clsort_desc.operation is 8: unknown; the operations are CLSORT_SORT, "
         "CLSORT_MERGE_SORTED, CLSORT_ARGSORT, CLSORT_GATHER, CLSORT_SELECT, CLSORT_NTH, "
         "CLSORT_UNIQUE, "
         "CLSORT_CHECK"},
        {{.index_size = 4},
         CLSORT_E_OPERATION,
         "clsort_desc.index_size is 4: CLSORT_SORT has no indexes"},
        {{.operation = CLSORT_ARGSORT, .index_size = 7},
         CLSORT_E_ARGUMENT,
         "clsort_desc.index_size is 7: 4, 8 or 0"},
        {{.operation = CLSORT_ARGSORT, .value_size = 4},
         CLSORT_E_ARGUMENT,
         "clsort_desc.value_size is 4: CLSORT_ARGSORT has no values; reorder them by "
         "CLSORT_GATHER"},
        {{.operation = CLSORT_CHECK, .value_size = 4},
         CLSORT_E_ARGUMENT,
         "clsort_desc.value_size is 4: CLSORT_CHECK has no values"},
        {{.operation = CLSORT_GATHER},
         CLSORT_E_ARGUMENT,
         "clsort_desc.value_size is 0: CLSORT_GATHER needs the size of the values"},
        {{.value_size = 1 + (1 << 30)},
         CLSORT_E_ARGUMENT,
         "clsort_desc.value_size is 1073741825: at most 1073741824"},
        {{.key = 99},
         CLSORT_E_KEY,
         "clsort_desc.key is 99: unknown; the keys are CLSORT_U8 to CLSORT_F64, "
         "CLSORT_CUSTOM and CLSORT_BYTES"},
        {{.end_bit = 40}, CLSORT_E_BITS, "clsort_desc.end_bit is 40: at most 32 for u32 keys"},
        {{.begin_bit = 9, .end_bit = 8},
         CLSORT_E_BITS,
         "clsort_desc.begin_bit is 9: at most end_bit, which is 8"},
        {{.max_count = SIZE_MAX},
         CLSORT_E_COUNT,
         "clsort_desc.max_count is 18446744073709551615: the elements exceed the address space"},
        {{.less = "a < b"},
         CLSORT_E_ORDER,
         "clsort_desc.less is set: for CLSORT_CUSTOM only (the key type is u32)"},
        {{CUSTOM(WHOLE_ORDER, .flags = CLSORT_DESCENDING)},
         CLSORT_E_FLAGS,
         "CLSORT_DESCENDING is set: a custom order is defined by less only"},
        {{CUSTOM(WHOLE_ORDER, .end_bit = 3)},
         CLSORT_E_BITS,
         "clsort_desc.begin_bit is 0 and end_bit is 3: both must be 0 with CLSORT_CUSTOM"},
        {{CUSTOM(.key_type = "uint", .less = "a < b")},
         CLSORT_E_ORDER,
         "clsort_desc.key_size is 0: 1 to 1048576 with CLSORT_CUSTOM"},
        {{CUSTOM(.key_size = 4, .less = "a < b")},
         CLSORT_E_ORDER,
         "clsort_desc.key_type is empty: CLSORT_CUSTOM needs the type of the keys in OpenCL C, "
         "such "
         "as \"float2\""},
        {{CUSTOM(.key_size = 4, .key_type = "uint", .less = " ")},
         CLSORT_E_ORDER,
         "clsort_desc.less is empty: CLSORT_CUSTOM needs an expression, such as \"a.x < b.x\""},
    };
    const struct fixture *fixture = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        clsort_desc desc = rows[i].desc;
        desc.struct_size = sizeof desc;
        desc.key = desc.key ? desc.key : CLSORT_U32;
        refuse_desc(fixture, &desc, rows[i].status, rows[i].sentence);
    }
}

static void algorithms(void **state)
{
    static const struct {
        const char *algorithm;
        clsort_status status;
        const char *sentence;
    } rows[] = {
        {"radx", CLSORT_E_ALGORITHM,
         "algorithm \"radx\": unknown; the names are auto, radix, onesweep, hybrid, cpu, local, "
         "count, merge, bitonic, quick"},
        {"radix:bits=9", CLSORT_E_ALGORITHM, "radix: parameter bits is \"9\": 1 to 8"},
        {"radix:bits=4 ", CLSORT_E_ALGORITHM, "radix: parameter bits is \"4 \": 1 to 8"},
        {"radix:", CLSORT_E_ALGORITHM,
         "radix: empty parameter; the parameters are bits, items, scatter"},
        {"radix:bits=4,", CLSORT_E_ALGORITHM,
         "radix: empty parameter; the parameters are bits, items, scatter"},
        {"radix:=4", CLSORT_E_ALGORITHM,
         "radix: unknown parameter \"=4\"; the parameters are bits, items, scatter"},
        {"auto:bits=3", CLSORT_E_ALGORITHM, "algorithm \"auto:bits=3\": auto has no parameters"},
        {"radix:bits", CLSORT_E_ALGORITHM, "radix: parameter bits has no value: 1 to 8"},
        {"radix:bit=4", CLSORT_E_ALGORITHM,
         "radix: unknown parameter \"bit\"; the parameters are bits, items, scatter"},
        {"radix:upwards", CLSORT_E_ALGORITHM,
         "radix: unknown parameter \"upwards\"; the parameters are bits, items, scatter"},
        {"radix:bits=4,bits=4", CLSORT_E_ALGORITHM, "radix: parameter bits is given twice"},
        {"radix:scatter=up", CLSORT_E_ALGORITHM,
         "radix: parameter scatter is \"up\": coalesced, direct"},
        {"local:items=4", CLSORT_E_ALGORITHM,
         "local: unknown parameter \"items\"; the algorithm has no parameters"},
        {"count", CLSORT_E_UNSUPPORTED,
         "count: counting sort supports keys of 8 or 16 bits only (the key type is u32)"},
    };
    const struct fixture *fixture = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        clsort_desc desc = CLSORT_DESC_INIT;
        desc.algorithm = rows[i].algorithm;
        refuse_desc(fixture, &desc, rows[i].status, rows[i].sentence);
    }
}

/* Without a named algorithm, the sentence has the reasons of all candidates. */
static void no_algorithm(void **state)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.flags = CLSORT_NO_SCRATCH;
    desc.value_size = 4;
    refuse_desc(*state, &desc, CLSORT_E_UNSUPPORTED,
                "no algorithm supports this sort on this device: cpu, local, radix, merge: the "
                "algorithm needs scratch memory, which CLSORT_NO_SCRATCH forbids; quick, "
                "bitonic: the algorithm is not stable, which requires CLSORT_UNSTABLE");
}

/* A struct of an invalid size, and one of a later version with a field that is set. */
static void versions(void **state)
{
    const struct fixture *fixture = *state;
    struct {
        clsort_desc desc;
        size_t later;
    } later = {CLSORT_DESC_INIT, 1};
    char sentence[256];
    later.desc.struct_size = 0;
    refuse_desc(fixture, &later.desc, CLSORT_E_ARGUMENT,
                "clsort_desc.struct_size is 0: initialize the struct with CLSORT_DESC_INIT");
    later.desc.struct_size = sizeof later;
    snprintf(sentence, sizeof sentence,
             "clsort_desc sets a field after its first %zu bytes, which are those that clsort %s "
             "knows: set it to 0, or use a newer version",
             sizeof later.desc, clsort_version());
    refuse_desc(fixture, &later.desc, CLSORT_E_VERSION, sentence);

    clsort_io io = fixture->io;
    io.struct_size = 0;
    assert_status(clsort_enqueue(fixture->plan, fixture->env.queue, &io, 0, NULL, NULL),
                  CLSORT_E_ARGUMENT);
    is_error(fixture->env.engine,
             "clsort_io.struct_size is 0: initialize the struct with CLSORT_IO_INIT");
    clsort_engine_options options = CLSORT_ENGINE_OPTIONS_INIT;
    clsort_engine *engine;
    options.struct_size = 3;
    assert_status(
        clsort_engine_create(fixture->env.context, fixture->env.device, &options, &engine),
        CLSORT_E_ARGUMENT);
    is_error(NULL,
             "clsort_engine_options.struct_size is 3: initialize the struct with "
             "CLSORT_ENGINE_OPTIONS_INIT");
}

/* -- sorts ---------------------------------------------------------------------------------------------- */

static void refuse_io(struct fixture *fixture, const clsort_io *io, clsort_status expected,
                      const char *sentence)
{
    assert_status(clsort_enqueue(fixture->plan, fixture->env.queue, io, 0, NULL, NULL), expected);
    is_error(fixture->env.engine, sentence);
    fixture_still_works(fixture);
}

static void arrays(void **state)
{
    struct fixture *fixture = *state;
    const clsort_buffer none = {NULL, 0};
    clsort_io io = fixture->io;
    io.keys = none;
    refuse_io(fixture, &io, CLSORT_E_ARGUMENT, "keys.mem is NULL");
    io = fixture->io;
    io.values = none;
    refuse_io(fixture, &io, CLSORT_E_ARGUMENT,
              "values.mem is NULL, but clsort_desc.value_size is 4");
    io = fixture->io;
    io.values_out = none;
    refuse_io(
        fixture, &io, CLSORT_E_ARGUMENT,
        "values_out.mem is NULL, but keys_out.mem is not: set both of them (in place: neither)");
    io = fixture->io;
    io.keys_out = none;
    refuse_io(
        fixture, &io, CLSORT_E_ARGUMENT,
        "keys_out.mem is NULL, but values_out.mem is not: set both of them (in place: neither)");
    io = fixture->io;
    io.count = FIXTURE_COUNT - 1;
    io.second_count = 1;
    refuse_io(fixture, &io, CLSORT_E_OPERATION,
              "second_count is not 0, but CLSORT_SORT does not use it");
    io = fixture->io;
    io.values.offset = 64;
    refuse_io(fixture, &io, CLSORT_E_BUFFER_SIZE,
              "values is too small: needs 4000 bytes at offset 64, has 4000");
    io = fixture->io;
    io.keys_out.offset = 2;
    refuse_io(fixture, &io, CLSORT_E_ALIGNMENT,
              "keys_out.offset is 2: a multiple of 4 is required");
    io = fixture->io;
    io.values_out = io.keys;
    refuse_io(fixture, &io, CLSORT_E_OVERLAP,
              "values_out overlaps keys: the sort writes to values_out");
    io = fixture->io;
    io.keys_out = io.keys;
    refuse_io(fixture, &io, CLSORT_E_OVERLAP,
              "keys_out overlaps keys: the sort writes to keys_out; to sort in place, set the "
              "outputs to the buffers and offsets of the inputs");
    io = fixture->io;
    io.values_out = io.values;
    refuse_io(
        fixture, &io, CLSORT_E_OVERLAP,
        "values_out overlaps values: the sort writes to values_out; to sort in place, set the "
        "outputs to the buffers and offsets of the inputs");
    io = fixture->io;
    io.count = FIXTURE_COUNT + 1;
    refuse_io(fixture, &io, CLSORT_E_COUNT,
              "count is 1001: at most the plan's max_count, which is 1000");
    io.count = FIXTURE_COUNT;
    io.second_count = 5;
    refuse_io(
        fixture, &io, CLSORT_E_COUNT,
        "count is 1000 and second_count is 5: together at most the plan's max_count, which is "
        "1000");
}

static void buffers(void **state)
{
    struct fixture *fixture = *state;
    clsort_io io = fixture->io;
    size_t bytes = 0;
    clsort_desc desc = fixture->desc;
    clsort_plan *plan = NULL;
    desc.algorithm = "radix"; /* needs scratch */
    assert_ok(clsort_plan_create(fixture->env.engine, &desc, &plan));
    assert_ok(clsort_scratch_size(plan, FIXTURE_COUNT, &bytes));
    io.scratch.mem = fixture_buffer(fixture, CL_MEM_READ_WRITE, bytes - 1, NULL);
    assert_status(clsort_enqueue(plan, fixture->env.queue, &io, 0, NULL, NULL),
                  CLSORT_E_SCRATCH_SIZE);
    char sentence[128];
    snprintf(sentence, sizeof sentence,
             "scratch is too small: needs %zu bytes at offset 0, has %zu", bytes, bytes - 1);
    is_error(fixture->env.engine, sentence);
    clReleaseMemObject(io.scratch.mem);
    clsort_plan_destroy(plan);

    io = fixture->io;
    io.keys.mem = fixture_buffer(fixture, CL_MEM_READ_ONLY, FIXTURE_BYTES, NULL);
    io.keys_out.mem = io.values_out.mem = NULL;
    refuse_io(fixture, &io, CLSORT_E_READ_ONLY,
              "keys was created with CL_MEM_READ_ONLY, but the sort writes to it");
    clReleaseMemObject(io.keys.mem);
}

static void handles(void **state)
{
    struct fixture *fixture = *state;
    clsort_engine *engine = fixture->env.engine;
    struct env other;
    cl_event events[2] = {NULL, NULL};
    cl_int status;
    assert_ok(env_open(&other));
    assert_status(clsort_enqueue(fixture->plan, NULL, &fixture->io, 0, NULL, NULL),
                  CL_INVALID_COMMAND_QUEUE);
    is_error(engine, "queue is NULL");
    assert_status(clsort_enqueue(fixture->plan, other.queue, &fixture->io, 0, NULL, NULL),
                  CL_INVALID_CONTEXT);
    is_error(engine, "queue belongs to another context than the engine");
    clsort_io io = fixture->io;
    io.values.mem = clCreateBuffer(other.context, CL_MEM_READ_WRITE, FIXTURE_BYTES, NULL, &status);
    assert_ok(status);
    refuse_io(fixture, &io, CL_INVALID_CONTEXT,
              "values belongs to another context than the engine");
    clReleaseMemObject(io.values.mem);
    env_close(&other);

    events[0] = clCreateUserEvent(fixture->env.context, &status);
    assert_ok(status);
    assert_status(clsort_enqueue(fixture->plan, fixture->env.queue, &fixture->io, 2, events, NULL),
                  CL_INVALID_EVENT_WAIT_LIST);
    is_error(engine, "wait_list[1] is NULL");
    assert_status(clsort_enqueue(fixture->plan, fixture->env.queue, &fixture->io, 1, NULL, NULL),
                  CL_INVALID_EVENT_WAIT_LIST);
    is_error(engine, "wait_count is 1, but wait_list is NULL");
    assert_ok(clSetUserEventStatus(events[0], CL_COMPLETE));
    clReleaseEvent(events[0]);
}

static void queries(void **state)
{
    struct fixture *fixture = *state;
    size_t bytes;
    char text[8];
    assert_status(clsort_scratch_size(fixture->plan, FIXTURE_COUNT + 1, &bytes), CLSORT_E_COUNT);
    is_error(fixture->env.engine, "count is 1001: at most the plan's max_count, which is 1000");
    assert_status(clsort_cost_bytes(fixture->plan, 1, NULL), CLSORT_E_ARGUMENT);
    is_error(fixture->env.engine, "bytes is NULL");
    assert_status(clsort_plan_describe(fixture->plan, 1, 8, NULL, NULL), CLSORT_E_ARGUMENT);
    is_error(fixture->env.engine, "text is NULL, but size is 8");
    assert_status(clsort_tune_file(NULL, sizeof text, text, NULL), CLSORT_E_ARGUMENT);
    is_error(NULL, "engine is NULL");
}

/* -- host arrays, and calls without an engine ----------------------------------------------------------- */

static void host_arrays(void **state)
{
    struct fixture *fixture = *state;
    clsort_engine *engine = fixture->env.engine;
    clsort_desc desc = CLSORT_DESC_INIT;
    uint32_t keys[4] = {0};
    assert_status(clsort_host(engine, NULL, &desc, 4, NULL, NULL), CLSORT_E_ARGUMENT);
    is_error(engine, "keys is NULL");
    assert_status(clsort_host(engine, NULL, &desc, 4, keys, keys), CLSORT_E_ARGUMENT);
    is_error(engine, "values is not NULL, but clsort_desc.value_size is 0");
    desc.value_size = 4;
    assert_status(clsort_host(engine, NULL, &desc, 4, keys, NULL), CLSORT_E_ARGUMENT);
    is_error(engine, "values is NULL, but clsort_desc.value_size is 4");
    assert_status(clsort_host(engine, NULL, &desc, 3, keys, keys + 1), CLSORT_E_OVERLAP);
    is_error(engine, "values overlaps keys");
    desc.max_count = 3;
    assert_status(clsort_host(engine, NULL, &desc, 4, keys, keys), CLSORT_E_COUNT);
    is_error(engine, "count is 4: at most clsort_desc.max_count, which is 3");
    desc.operation = CLSORT_MERGE_SORTED;
    assert_status(clsort_host_describe(engine, &desc, 4, 0, NULL, NULL), CLSORT_E_OPERATION);
    is_error(engine,
             "clsort_desc.operation is CLSORT_MERGE_SORTED: clsort_host supports CLSORT_SORT and "
             "CLSORT_ARGSORT only");
}

/* Calls without an engine have a text for NULL, and none for an engine. */
static void without_engine(void **state)
{
    struct fixture *fixture = *state;
    clsort_engine *engine;
    cl_device_id device;
    assert_status(clsort_array(99, &device, 1), CLSORT_E_KEY);
    is_error(NULL, "key is 99: arrays have keys of CLSORT_U8 to CLSORT_F64");
    assert_status(clsort_array(CLSORT_CUSTOM, &device, 1), CLSORT_E_KEY);
    is_error(NULL, "key is 12: arrays have keys of CLSORT_U8 to CLSORT_F64");
    is_error(fixture->env.engine, "");
    assert_status(clsort_engine_create(fixture->env.context, NULL, NULL, &engine),
                  CL_INVALID_DEVICE);
    is_error(NULL, "device is NULL");
    is_error(fixture->env.engine, "");

    static const struct {
        const char *name, *start;
    } rows[] = {
        {"no such device", "no device's name contains \"no such device\"; the devices are 0: "},
        {"12345", "there is no device \"12345\"; the devices are 0: "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_status(clsort_find_device(rows[i].name, &device), CLSORT_E_DEVICE);
        char *text = text_last_error(NULL);
        assert_memory_equal(text, rows[i].start, strlen(rows[i].start));
        assert_true(strlen(text) > strlen(rows[i].start));
        free(text);
    }
}

/* -- to which calls and threads a text belongs ---------------------------------------------------------- */

static void fail_one(const struct fixture *fixture)
{
    clsort_plan *plan;
    assert_status(clsort_plan_create(fixture->env.engine, NULL, &plan), CLSORT_E_ARGUMENT);
}

/* A successful call empties the text. Functions without a status, and invalid calls of
 * clsort_last_error, do not change it. */
static void calls(void **state)
{
    struct fixture *fixture = *state;
    size_t size = 99;
    char text[16];
    fail_one(fixture);
    assert_int_equal(clsort_last_error(NULL, 1, NULL, &size), CLSORT_E_ARGUMENT);
    assert_int_equal(size, 0);
    clsort_plan_destroy(NULL);
    clsort_engine_destroy(NULL);
    clsort_status_string(CLSORT_E_BITS);
    clsort_version();
    clsort_algorithm_name(0);
    is_error(fixture->env.engine, "desc is NULL");
    assert_int_equal(clsort_last_error(NULL, 5, text, &size), CLSORT_OK);
    assert_string_equal(text, "desc");
    assert_int_equal(size, sizeof "desc is NULL");
    assert_ok(clsort_scratch_size(fixture->plan, 1, &size));
    is_error(NULL, "");
    is_error(fixture->env.engine, "");
}

static void other_engines(void **state)
{
    struct fixture *fixture = *state;
    clsort_engine *other = NULL;
    assert_ok(clsort_engine_create(fixture->env.context, fixture->env.device, NULL, &other));
    fail_one(fixture);
    is_error(other, "");
    is_error(NULL, "desc is NULL");
    clsort_engine_destroy(other);
}

static void *other_thread(void *data)
{
    static char text[64];
    struct fixture *fixture = data;
    size_t bytes;
    strcpy(text, "not read");
    clsort_last_error(fixture->env.engine, sizeof text, text, NULL);
    clsort_scratch_size(fixture->plan, FIXTURE_COUNT + 1, &bytes);
    return text;
}

static void threads(void **state)
{
    pthread_t thread;
    void *text;
    fail_one(*state);
    assert_int_equal(pthread_create(&thread, NULL, other_thread, *state), 0);
    assert_int_equal(pthread_join(thread, &text), 0);
    assert_string_equal(text, "");
    is_error(NULL, "desc is NULL"); /* the failure of the other thread has not changed it */
}

enum { REPLACEMENTS = 8 };

/* An engine that a call in another thread is about, and that is then replaced. */
struct replaced {
    clsort_engine *engine;
    pthread_barrier_t step; /* separates the steps of the two threads */
};

/* Fails with each engine, and returns the number of new engines that have a text in this thread. */
static void *fail_before_replacement(void *data)
{
    struct replaced *replaced = data;
    intptr_t texts = 0;
    for (int i = 0; i < REPLACEMENTS; i++) {
        clsort_plan *plan;
        size_t size = 0;
        pthread_barrier_wait(&replaced->step);
        clsort_plan_create(replaced->engine, NULL, &plan);
        pthread_barrier_wait(&replaced->step);
        pthread_barrier_wait(&replaced->step);
        clsort_last_error(replaced->engine, 0, NULL, &size);
        texts += size != sizeof "";
        pthread_barrier_wait(&replaced->step);
    }
    return (void *)texts;
}

/* A new engine does not have the text of a destroyed one, even if the allocator gives it the same
 * address, which it does in most rounds. */
static void replaced_engine(void **state)
{
    const struct fixture *fixture = *state;
    const struct env *env = &fixture->env;
    struct replaced replaced = {.engine = NULL};
    pthread_t thread;
    void *texts;
    assert_int_equal(pthread_barrier_init(&replaced.step, NULL, 2), 0);
    assert_int_equal(pthread_create(&thread, NULL, fail_before_replacement, &replaced), 0);
    for (int i = 0; i < REPLACEMENTS; i++) {
        for (int created = 0; created < 2; created++) {
            clsort_engine_destroy(replaced.engine);
            assert_ok(clsort_engine_create(env->context, env->device, NULL, &replaced.engine));
            pthread_barrier_wait(&replaced.step);
            pthread_barrier_wait(&replaced.step);
        }
    }
    assert_int_equal(pthread_join(thread, &texts), 0);
    clsort_engine_destroy(replaced.engine);
    assert_int_equal((intptr_t)texts, 0);
    pthread_barrier_destroy(&replaced.step);
}

/* The output of the compiler does not fit: the text is cut. */
static void long_texts(void **state)
{
    enum { MAX = 4096 };
    static char prelude[MAX + 16] = "#error ";
    const struct fixture *fixture = *state;
    memset(prelude + strlen(prelude), 'x', MAX);
    clsort_desc desc = {sizeof desc, CUSTOM(WHOLE_ORDER, .prelude = prelude)};
    clsort_plan *plan;
    assert_status(clsort_plan_create(fixture->env.engine, &desc, &plan), CL_BUILD_PROGRAM_FAILURE);
    char *text = text_last_error(fixture->env.engine);
    static const char start[] = "the program does not compile:\n", end[] = " ...";
    assert_memory_equal(text, start, sizeof start - 1);
    assert_int_equal(strlen(text), MAX - 1);
    assert_string_equal(text + MAX - sizeof end, end);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptors),  cmocka_unit_test(algorithms),
        cmocka_unit_test(no_algorithm), cmocka_unit_test(versions),
        cmocka_unit_test(arrays),       cmocka_unit_test(buffers),
        cmocka_unit_test(handles),      cmocka_unit_test(queries),
        cmocka_unit_test(host_arrays),  cmocka_unit_test(without_engine),
        cmocka_unit_test(calls),        cmocka_unit_test(other_engines),
        cmocka_unit_test(threads),      cmocka_unit_test(replaced_engine),
        cmocka_unit_test(long_texts),
    };
    return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
