/* tune_file.c - the file of clsort-tune: valid ladders are used, and invalid files are ignored and reported */
#include "check.h"
#include "sort_case.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A temporary folder, and the path of the tune file of the device under test in it. */
struct tune_file {
    struct env env; /* each test creates a new engine */
    char folder[32];
    char *path;
    char device[256];
};

/* The thresholds of LADDERS, and the maximum count. */
enum { FEW = 500, SOME = 900, MAX_COUNT = 2000 };
static const char LADDERS[] =
    "keys 4: radix:bits=4 500; merge 900; local\n"
    "pairs 4: merge 500; radix\n";

static clsort_engine *make_engine(const struct tune_file *tune, const char *config_dir)
{
    clsort_engine_options options = CLSORT_ENGINE_OPTIONS_INIT;
    clsort_engine *engine = NULL;
    options.config_dir = config_dir;
    assert_ok(clsort_engine_create(tune->env.context, tune->env.device, &options, &engine));
    return engine;
}

static clsort_status tune_file_path(void *data, size_t size, char *text, size_t *size_ret)
{
    return clsort_tune_file(data, size, text, size_ret);
}

static clsort_status tune_file_error(void *data, size_t size, char *text, size_t *size_ret)
{
    return clsort_tune_file_error(data, size, text, size_ret);
}

static void has_no_error(clsort_engine *engine)
{
    char *text = text_read(tune_file_error, engine);
    assert_string_equal(text, "");
    free(text);
}

static int open_tune_file(void **state)
{
    struct tune_file *tune = calloc(1, sizeof *tune);
    assert_non_null(tune);
    *state = tune;
    assert_ok(env_open(&tune->env));
    clsort_engine_destroy(tune->env.engine);
    strcpy(tune->folder, "/tmp/clsort-tune-file-XXXXXX");
    assert_non_null(mkdtemp(tune->folder));
    assert_ok(
        clGetDeviceInfo(tune->env.device, CL_DEVICE_NAME, sizeof tune->device, tune->device, NULL));
    tune->env.engine = make_engine(tune, tune->folder);
    tune->path = text_read(tune_file_path, tune->env.engine);
    has_no_error(tune->env.engine);
    clsort_engine_destroy(tune->env.engine);
    tune->env.engine = NULL;
    return 0;
}

static int close_tune_file(void **state)
{
    struct tune_file *tune = *state;
    unlink(tune->path);
    rmdir(tune->folder);
    free(tune->path);
    env_close(&tune->env);
    free(tune);
    return 0;
}

static void write_file(const struct tune_file *tune, const char *version, const char *ladders)
{
    FILE *file = fopen(tune->path, "wb");
    assert_non_null(file);
    fprintf(file, "clsort-tune %s\ndevice %s\n# by hand\n%s", version, tune->device, ladders);
    assert_int_equal(fclose(file), 0);
}

/* Returns the description, for a count, of a plan for all counts up to MAX_COUNT. */
static const char *describe(clsort_engine *engine, clsort_desc desc, size_t count)
{
    static char text[512];
    clsort_plan *plan = NULL;
    desc.max_count = MAX_COUNT;
    assert_ok(clsort_plan_create(engine, &desc, &plan));
    assert_ok(clsort_plan_describe(plan, count, sizeof text, text, NULL));
    clsort_plan_destroy(plan);
    return text;
}

static clsort_desc keys_and(size_t value_size)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.value_size = value_size;
    return desc;
}

static bool is_tuned(clsort_engine *engine)
{
    return strstr(describe(engine, keys_and(0), 1), "clsort-tune") != NULL;
}

/* -- the name of the file ------------------------------------------------------------------------ */

static void name_of_the_file(void **state)
{
    const struct tune_file *tune = *state;
    const size_t length = strlen(tune->folder), whole = strlen(tune->path) + 1;
    assert_memory_equal(tune->path, tune->folder, length);
    assert_int_equal(tune->path[length], '/');
    assert_null(strchr(tune->path + length + 1, '/'));
    assert_string_equal(tune->path + whole - sizeof ".tune", ".tune");
    assert_int_not_equal(access(tune->path, F_OK), 0); /* the query does not create it */

    clsort_engine *engine = make_engine(tune, tune->folder);
    char text[8] = "garbage";
    size_t size = 99;
    assert_status(clsort_tune_file(NULL, sizeof text, text, &size), CLSORT_E_ARGUMENT);
    assert_int_equal(size, 0);
    size = 99;
    assert_status(clsort_tune_file(engine, 1, NULL, &size), CLSORT_E_ARGUMENT);
    assert_int_equal(size, 0);
    assert_status(clsort_tune_file(NULL, 0, NULL, NULL), CLSORT_E_ARGUMENT);
    assert_status(clsort_tune_file_error(NULL, 0, NULL, NULL), CLSORT_E_ARGUMENT);
    assert_status(clsort_tune_file_error(engine, 1, NULL, NULL), CLSORT_E_ARGUMENT);
    assert_string_equal(text, "garbage");
    assert_ok(clsort_tune_file(engine, 0, NULL, NULL));
    assert_ok(clsort_tune_file(engine, 0, text, &size));
    assert_int_equal(size, whole);
    assert_string_equal(text, "garbage");
    assert_ok(clsort_tune_file(engine, 1, text, NULL));
    assert_string_equal(text, "");
    clsort_engine_destroy(engine);
}

static void no_folder(void **state)
{
    const struct tune_file *tune = *state;
    clsort_engine *engine = make_engine(tune, "");
    char *text = text_read(tune_file_path, engine);
    assert_string_equal(text, "");
    free(text);
    has_no_error(engine);
    clsort_engine_destroy(engine);
}

static void is_from(const struct tune_file *tune, const clsort_engine_options *options,
                    bool is_there)
{
    clsort_engine *engine = NULL;
    assert_ok(clsort_engine_create(tune->env.context, tune->env.device, options, &engine));
    char *text = text_read(tune_file_path, engine);
    assert_string_equal(text, is_there ? tune->path : "");
    free(text);
    assert_int_equal(is_tuned(engine), is_there);
    clsort_engine_destroy(engine);
}

static void from_the_environment(void **state)
{
    const struct tune_file *tune = *state;
    char *saved = getenv("CLSORT_CONFIG_DIR");
    saved = saved ? strdup(saved) : NULL;
    write_file(tune, clsort_version(), LADDERS);
    clsort_engine_options options = CLSORT_ENGINE_OPTIONS_INIT;
    assert_int_equal(setenv("CLSORT_CONFIG_DIR", tune->folder, 1), 0);
    is_from(tune, NULL, true);
    is_from(tune, &options, true);
    options.config_dir = "";
    is_from(tune, &options, false);
    /* The struct of an older version, which lacks the option. */
    options.config_dir = "/nowhere";
    options.struct_size = offsetof(clsort_engine_options, config_dir);
    is_from(tune, &options, true);

    assert_int_equal(setenv("CLSORT_CONFIG_DIR", "", 1), 0);
    is_from(tune, NULL, false);
    options = (clsort_engine_options)CLSORT_ENGINE_OPTIONS_INIT;
    options.config_dir = tune->folder;
    is_from(tune, &options, true);
    if (saved)
        assert_int_equal(setenv("CLSORT_CONFIG_DIR", saved, 1), 0);
    else
        assert_int_equal(unsetenv("CLSORT_CONFIG_DIR"), 0);
    free(saved);
}

/* -- valid files --------------------------------------------------------------------------------- */

/* Checks that the plan uses the algorithm for this count, as a plan that requests it by name does, and that the
 * description has the range of counts. */
static void is_sorted_by(clsort_engine *engine, clsort_desc desc, size_t count,
                         const char *algorithm, const char *range)
{
    static const char end[] = "indexes: ";
    char by_name[512];
    desc.algorithm = algorithm;
    strcpy(by_name, describe(engine, desc, count));
    desc.algorithm = NULL;
    const char *text = describe(engine, desc, count);
    const char *reason = strstr(by_name, end);
    assert_non_null(reason);
    assert_memory_equal(text, by_name, (size_t)(reason - by_name) + sizeof end - 1);
    assert_non_null(strstr(text, "clsort-tune"));
    assert_non_null(strstr(text, range));
}

static void file_is_used(void **state)
{
    const struct tune_file *tune = *state;
    write_file(tune, clsort_version(), LADDERS);
    clsort_engine *engine = make_engine(tune, tune->folder);
    const clsort_desc keys = keys_and(0), pairs = keys_and(4);
    has_no_error(engine);
    is_sorted_by(engine, keys, 1, "radix:bits=4", ", for 1 to 500 elements");
    is_sorted_by(engine, keys, FEW, "radix:bits=4", ", for 1 to 500 elements");
    is_sorted_by(engine, keys, FEW + 1, "merge", ", for 501 to 900 elements");
    is_sorted_by(engine, keys, SOME, "merge", ", for 501 to 900 elements");
    is_sorted_by(engine, keys, SOME + 1, "local", ", for 901 ");
    is_sorted_by(engine, pairs, FEW, "merge", ", for 1 to 500 elements");
    is_sorted_by(engine, pairs, FEW + 1, "radix", ", for 501 elements and more");
    is_sorted_by(engine, pairs, MAX_COUNT, "radix", ", for 501 elements and more");

    /* The file does not concern keys that it does not list, nor algorithms that are requested by name. */
    clsort_desc other = keys;
    other.key = CLSORT_U64;
    assert_null(strstr(describe(engine, other, 1), "clsort-tune"));
    other = keys;
    other.algorithm = "local";
    assert_null(strstr(describe(engine, other, 1), "clsort-tune"));
    assert_null(strstr(describe(engine, other, 1), "elements"));
    clsort_engine_destroy(engine);
}

static void sorts_are_right(void **state)
{
    static const size_t counts[] = {0,        1,    2,        FEW - 1,       FEW,      FEW + 1,
                                    SOME - 1, SOME, SOME + 1, MAX_COUNT - 1, MAX_COUNT};
    const struct tune_file *tune = *state;
    struct env env = tune->env;
    bool right = true;
    write_file(tune, clsort_version(), LADDERS);
    env.engine = make_engine(tune, tune->folder);
    assert_true(is_tuned(env.engine));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (size_t value_size = 0; value_size <= 4; value_size += 4)
            for (int place = 0; place < SORT_PLACE_COUNT; place++) {
                struct sort_case sort = sort_case_default(counts[i]);
                sort.spare = MAX_COUNT - counts[i];
                sort.value_size = value_size;
                sort.place = (enum sort_place)place;
                sort.own_scratch = place == SORT_OUT_OF_PLACE;
                right &= sort_case_run(&sort, &env) == SORT_RIGHT;
            }
    clsort_engine_destroy(env.engine);
    assert_true(right);
}

/* Scratch sizes are monotonic, although "local" at large counts needs less than the algorithm at smaller ones. */
static void scratch_never_falls(void **state)
{
    const struct tune_file *tune = *state;
    write_file(tune, clsort_version(), LADDERS);
    clsort_engine *engine = make_engine(tune, tune->folder);
    for (size_t value_size = 0; value_size <= 20; value_size += 4) {
        clsort_desc desc = keys_and(value_size);
        clsort_plan *plan = NULL;
        desc.max_count = MAX_COUNT;
        assert_ok(clsort_plan_create(engine, &desc, &plan));
        size_t before = 0;
        for (size_t count = 0; count <= MAX_COUNT; count++) {
            size_t bytes = 0;
            assert_ok(clsort_scratch_size(plan, count, &bytes));
            assert_true(bytes >= before);
            before = bytes;
        }
        assert_true(before > 0);
        clsort_plan_destroy(plan);
    }
    clsort_engine_destroy(engine);
}

/* An engine reads the file once, when it is created. */
static void read_once(void **state)
{
    const struct tune_file *tune = *state;
    clsort_engine *before = make_engine(tune, tune->folder);
    write_file(tune, clsort_version(), LADDERS);
    assert_false(is_tuned(before));
    clsort_engine *after = make_engine(tune, tune->folder);
    assert_int_equal(unlink(tune->path), 0);
    assert_true(is_tuned(after));
    assert_false(is_tuned(before));
    clsort_engine_destroy(before);
    clsort_engine_destroy(after);
}

/* -- invalid files ------------------------------------------------------------------------------- */

static void damaged_files(void **state)
{
    static const struct {
        const char *version, *ladders;
        unsigned line;
    } rows[] = {
        {"0.0.0", LADDERS, 1},
        {CLSORT_VERSION_STRING, "keys 4: radix 500; merge 900; local\nkeys 3: radix\n", 5},
        {CLSORT_VERSION_STRING, "keys 4: radix 500; merge 900; bubble\n", 4},
        {CLSORT_VERSION_STRING, "keys 4: radix 500; merge 900; local", 4},
    };
    const struct tune_file *tune = *state;
    clsort_engine *engine = make_engine(tune, "");
    char without[512], position[512];
    strcpy(without, describe(engine, keys_and(0), 1));
    clsort_engine_destroy(engine);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        write_file(tune, rows[i].version, rows[i].ladders);
        engine = make_engine(tune, tune->folder);
        char *error = text_read(tune_file_error, engine);
        snprintf(position, sizeof position, "%s:%u:", tune->path, rows[i].line);
        if (strncmp(error, position, strlen(position)) != 0)
            fail_msg("'%s' does not begin with '%s'", error, position);
        assert_non_null(strstr(error, "ignored"));
        free(error);
        assert_string_equal(describe(engine, keys_and(0), 1), without);
        clsort_engine_destroy(engine);
    }
}

#define TUNE_FILE_TEST(name) cmocka_unit_test_setup_teardown(name, open_tune_file, close_tune_file)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TUNE_FILE_TEST(name_of_the_file),
        TUNE_FILE_TEST(no_folder),
        TUNE_FILE_TEST(from_the_environment),
        TUNE_FILE_TEST(file_is_used),
        TUNE_FILE_TEST(sorts_are_right),
        TUNE_FILE_TEST(scratch_never_falls),
        TUNE_FILE_TEST(read_once),
        TUNE_FILE_TEST(damaged_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
