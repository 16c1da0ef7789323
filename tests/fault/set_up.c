/* set_up.c - clsort_find_device, clsort_engine_create and clsort_plan_create under faults */
#include "sort_case.h"
#include "sweep.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COUNT = 20 }; /* elements: self-tests for a plan of few are short */

/* -- devices --------------------------------------------------------------------------------------- */

static void find(struct sweep *sweep)
{
    const char *name = sweep->scenario->data;
    cl_device_id device = (cl_device_id)sweep, again; /* anything but NULL */
    sweep_arm(sweep);
    const clsort_status status = clsort_find_device(name, &device);
    const bool found = sweep_judge_made(sweep, status, device);
    SWEEP_OK(sweep, clsort_find_device(name, &again));
    SWEEP_CHECK(sweep, !found || device == again);
}

/* -- the cache folder ------------------------------------------------------------------------------ */

enum { PROGRAMS = 1, VERDICTS = 2, ALL = PROGRAMS | VERDICTS };

/* A file of the cache says in its key, near its start, what it is of. */
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

static void forget(const char *folder, int kinds)
{
    DIR *entries = opendir(folder);
    for (const struct dirent *entry; entries && (entry = readdir(entries));) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (kind_of(path) & kinds)
            unlink(path); /* fails for . and .., as it should */
    }
    if (entries)
        closedir(entries);
}

/* One for all runs, gone at the program's end. */
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

/* The cache folder may be out of reach, and the device without a name: then there is no disk cache. */
static void create_engine(struct sweep *sweep)
{
    struct env env = sweep->env;
    clsort_engine_options options = CLSORT_ENGINE_OPTIONS_INIT;
    options.cache_dir = sweep->scenario->data ? sweep->scenario->data : shared_folder(sweep);
    env.engine = (clsort_engine *)sweep; /* anything but NULL */
    sweep_arm(sweep);
    const clsort_status status =
        clsort_engine_create(env.context, env.device, &options, &env.engine);
    if (!sweep_judge_made(sweep, status, env.engine))
        SWEEP_OK(sweep, clsort_engine_create(env.context, env.device, &options, &env.engine));
    SWEEP_CHECK(sweep, sorts(&env, NULL, 0));
    clsort_engine_destroy(env.engine);
}

/* -- plans ----------------------------------------------------------------------------------------- */

struct shape {
    const char *algorithm; /* NULL: auto */
    size_t value_size;
    int forgotten; /* what is not in the cache, of which the rest is */
};

/* On an engine of its own. A fault that passes leaves no trace: the next plan is as if it had never been. */
static void create_plan(struct sweep *sweep)
{
    static char without_faults[512];
    const struct shape *shape = sweep->scenario->data;
    struct env env = sweep->env;
    clsort_engine_options options = CLSORT_ENGINE_OPTIONS_INIT;
    options.cache_dir = shared_folder(sweep);
    forget(folder, shape->forgotten);
    SWEEP_OK(sweep, clsort_engine_create(env.context, env.device, &options, &env.engine));
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.value_size = shape->value_size;
    desc.algorithm = shape->algorithm;
    desc.max_count = COUNT;
    clsort_plan *plan = (clsort_plan *)sweep; /* anything but NULL */
    sweep_arm(sweep);
    const clsort_status status = clsort_plan_create(env.engine, &desc, &plan);
    sweep_judge_made(sweep, status, plan);
    clsort_plan_destroy(plan);

    char text[512];
    SWEEP_OK(sweep, clsort_plan_create(env.engine, &desc, &plan));
    SWEEP_OK(sweep, clsort_plan_describe(plan, COUNT, sizeof text, text, NULL));
    if (sweep->at < 0)
        strcpy(without_faults, text);
    SWEEP_CHECK(sweep, strcmp(text, without_faults) == 0);
    clsort_plan_destroy(plan);
    SWEEP_CHECK(sweep, sorts(&env, shape->algorithm, shape->value_size));
    clsort_engine_destroy(env.engine);
}

const struct scenario sweep_set_up[] = {
    {"find any", find, NULL, 0, false},
    {"find number", find, "0", 0, false},
    {"find cpu", find, "cpu", CLSORT_E_DEVICE, false}, /* the type of the only one cannot be had */
    {"engine", create_engine, "", 0, false},
    {"engine cache", create_engine, NULL, 0, false},
#define PLAN(...) create_plan, &(const struct shape){__VA_ARGS__}, 0, false
    {"plan warm", PLAN(NULL, 0, 0)},
    {"plan warm wide", PLAN("local", 24, 0)},
    {"plan cold", PLAN(NULL, 0, PROGRAMS)},
    {"plan cold wide", PLAN("local", 24, PROGRAMS)},
    {"test auto", PLAN(NULL, 0, VERDICTS)},
    {"test local", PLAN("local", 4, VERDICTS)},
    {NULL, NULL, NULL, 0, false},
};
