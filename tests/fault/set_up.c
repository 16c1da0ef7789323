/* set_up.c - clsort_find_device, clsort_engine_create and clsort_plan_create under faults */
#include "sort_case.h"
#include "sweep.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COUNT = 20 }; /* elements: the self-test of a plan for few elements is short */

/* -- devices --------------------------------------------------------------------------------------- */

static void find(struct sweep *sweep)
{
    const char *name = sweep->scenario->data;
    cl_device_id device = (cl_device_id)sweep, again; /* anything but NULL */
    sweep_arm(sweep);
    const clsort_status status = clsort_find_device(name, &device);
    const bool found = sweep_judge_object(sweep, status, device);
    SWEEP_OK(sweep, clsort_find_device(name, &again));
    SWEEP_CHECK(sweep, !found || device == again);
}

/* -- the cache folder ------------------------------------------------------------------------------ */

enum { PROGRAMS = 1, VERDICTS = 2, ALL = PROGRAMS | VERDICTS };

/* Returns PROGRAMS or VERDICTS. The key near the start of a file of the cache contains "self-test" if the file is a
 * verdict. */
static int kind_of(const char *path)
{
    char start[1024] = "";
    FILE *file = fopen(path, "rb");
    const size_t size = file ? fread(start, 1, sizeof start - 1, file) : 0;
    if (file)
        fclose(file);
    for (size_t i = 0; i < size; i++)
        if (strncmp(start + i, "self-test", 9) == 0)
            return VERDICTS;
    return PROGRAMS;
}

/* Deletes the files of these kinds from the cache. */
static void forget(const char *folder, int kinds)
{
    DIR *entries = opendir(folder);
    for (const struct dirent *entry; entries && (entry = readdir(entries));) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (kind_of(path) & kinds)
            unlink(path); /* fails for . and .., which must stay */
    }
    if (entries)
        closedir(entries);
}

/* A cache folder that all runs share. It is removed at exit. */
static char folder[] = "/tmp/clsort-fault-XXXXXX";
static bool has_folder;

static void remove_folder(void)
{
    forget(folder, ALL);
    rmdir(folder);
}

static const char *shared_folder(const struct sweep *sweep)
{
    if (!has_folder) {
        SWEEP_CHECK(sweep, mkdtemp(folder));
        has_folder = atexit(remove_folder) == 0;
    }
    return folder;
}

/* -- engines --------------------------------------------------------------------------------------- */

static bool sorts(const struct env *env, const char *algorithm, size_t value_size)
{
    struct sort_case sort = sort_case_default(COUNT);
    if (algorithm)
        snprintf(sort.algorithm, sizeof sort.algorithm, "%s", algorithm);
    sort.value_size = value_size;
    return sort_case_run(&sort, env) == SORT_RIGHT;
}

struct engine {
    const char *cache_dir; /* NULL: the shared folder */
    const char *ladders;   /* of the file of clsort-tune in the shared folder; NULL: no file */
    bool is_damaged;       /* the file is invalid */
};

/* Writes the file into the shared folder. */
static void write_tune_file(const struct sweep *sweep, const clsort_engine_options *options,
                            const char *ladders)
{
    char path[512], device[256];
    clsort_engine *engine;
    SWEEP_OK(sweep, clsort_engine_create(sweep->env.context, sweep->env.device, options, &engine));
    SWEEP_OK(sweep, clsort_tune_file(engine, sizeof path, path, NULL));
    clsort_engine_destroy(engine);
    SWEEP_OK(sweep,
             clGetDeviceInfo(sweep->env.device, CL_DEVICE_NAME, sizeof device, device, NULL));
    FILE *file = fopen(path, "w");
    SWEEP_CHECK(sweep, file && fprintf(file, "clsort-tune %s\ndevice %s\n%s", clsort_version(),
                                       device, ladders) > 0);
    SWEEP_CHECK(sweep, fclose(file) == 0);
}

/* Checks that a valid file is used and that the error reports a damaged one. A fault may prevent both. */
static void check_tune_file(const struct sweep *sweep, clsort_engine *engine, bool had_fault)
{
    const struct engine *options = sweep->scenario->data;
    clsort_desc desc = CLSORT_DESC_INIT;
    clsort_plan *plan;
    char text[512], error[1024];
    SWEEP_OK(sweep, clsort_tune_file_error(engine, sizeof error, error, NULL));
    SWEEP_CHECK(sweep,
                !*error || (strstr(error, "is ignored") && (had_fault || options->is_damaged)));
    desc.max_count = COUNT;
    SWEEP_OK(sweep, clsort_plan_create(engine, &desc, &plan));
    SWEEP_OK(sweep, clsort_plan_describe(plan, COUNT, sizeof text, text, NULL));
    clsort_plan_destroy(plan);
    const bool is_tuned = strstr(text, "clsort-tune") != NULL;
    SWEEP_CHECK(sweep, !is_tuned || !options->is_damaged);
    SWEEP_CHECK(sweep, had_fault || (options->is_damaged ? *error != '\0' : is_tuned));
}

/* If a fault hides the cache folder or the device's name from the engine, it has no disk cache and uses no file of
 * clsort-tune. */
static void create_engine(struct sweep *sweep)
{
    const struct engine *wanted = sweep->scenario->data;
    struct env env = sweep->env;
    clsort_engine_options options = CLSORT_ENGINE_OPTIONS_INIT;
    options.cache_dir = wanted->cache_dir ? wanted->cache_dir : shared_folder(sweep);
    if (wanted->ladders) {
        options.config_dir = shared_folder(sweep);
        write_tune_file(sweep, &options, wanted->ladders);
    }
    env.engine = (clsort_engine *)sweep; /* anything but NULL */
    sweep_arm(sweep);
    const clsort_status status =
        clsort_engine_create(env.context, env.device, &options, &env.engine);
    if (sweep_judge_object(sweep, status, env.engine) && wanted->ladders) {
        check_tune_file(sweep, env.engine, sweep->reached);
        clsort_engine_destroy(env.engine);
        env.engine = NULL;
    }
    if (!env.engine)
        SWEEP_OK(sweep, clsort_engine_create(env.context, env.device, &options, &env.engine));
    if (wanted->ladders)
        check_tune_file(sweep, env.engine, false);
    SWEEP_CHECK(sweep, sorts(&env, NULL, 0));
    clsort_engine_destroy(env.engine);
}

/* -- plans ----------------------------------------------------------------------------------------- */

struct plan {
    const char *algorithm; /* NULL: auto */
    size_t value_size;
    int forgotten; /* the kinds of files that are deleted from the cache before the call */
};

/* Creates a plan with a new engine while a call fails. A second plan must then equal one that is created without a
 * fault. */
static void create_plan(struct sweep *sweep)
{
    static char without_faults[512];
    const struct plan *wanted = sweep->scenario->data;
    struct env env = sweep->env;
    clsort_engine_options options = CLSORT_ENGINE_OPTIONS_INIT;
    options.cache_dir = shared_folder(sweep);
    forget(folder, wanted->forgotten);
    SWEEP_OK(sweep, clsort_engine_create(env.context, env.device, &options, &env.engine));
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.value_size = wanted->value_size;
    desc.algorithm = wanted->algorithm;
    desc.max_count = COUNT;
    clsort_plan *plan = (clsort_plan *)sweep; /* anything but NULL */
    sweep_arm(sweep);
    const clsort_status status = clsort_plan_create(env.engine, &desc, &plan);
    sweep_judge_object(sweep, status, plan);
    clsort_plan_destroy(plan);

    char text[512];
    SWEEP_OK(sweep, clsort_plan_create(env.engine, &desc, &plan));
    SWEEP_OK(sweep, clsort_plan_describe(plan, COUNT, sizeof text, text, NULL));
    if (sweep->at < 0)
        strcpy(without_faults, text);
    SWEEP_CHECK(sweep, strcmp(text, without_faults) == 0);
    clsort_plan_destroy(plan);
    SWEEP_CHECK(sweep, sorts(&env, wanted->algorithm, wanted->value_size));
    clsort_engine_destroy(env.engine);
}

const struct scenario sweep_set_up[] = {
    {"find any", find, NULL, 0, false},
    {"find number", find, "0", 0, false},
    {"find cpu", find, "cpu", CLSORT_E_DEVICE, false}, /* if the query of the device's type fails */
#define ENGINE(...) create_engine, &(const struct engine){__VA_ARGS__}, 0, false
    {"engine", ENGINE("", NULL, false)},
    {"engine cache", ENGINE(NULL, NULL, false)},
    {"engine tuned", ENGINE(NULL, "keys 4: local\n", false)},
    {"engine damaged", ENGINE(NULL, "keys 4: local\nkeys 8: bubble\n", true)},
#define PLAN(...) create_plan, &(const struct plan){__VA_ARGS__}, 0, false
    {"plan warm", PLAN(NULL, 0, 0)},
    {"plan warm wide", PLAN("local", 24, 0)},
    {"plan cold", PLAN(NULL, 0, PROGRAMS)},
    {"plan cold wide", PLAN("local", 24, PROGRAMS)},
    {"test auto", PLAN(NULL, 0, VERDICTS)},
    {"test local", PLAN("local", 4, VERDICTS)},
    {NULL, NULL, NULL, 0, false},
};
