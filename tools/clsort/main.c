/* main.c - clsort: sorts a binary file on an OpenCL device */
#include "check.h"
#include "device.h"
#include "input.h"
#include "list.h"
#include "options.h"
#include "output.h"
#include "print.h"
#include "progress.h"
#include "stats.h"
#include "terminal.h"
#include "warm.h"

#include <clsort.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    EXIT_DISORDER = 1,     /* exit status if --check finds keys that are out of order */
    WRITE_BLOCK = 64 << 20 /* bytes between two updates of the progress */
};

static const char COMPILING[] = "compiling kernels for this device (once)";

/* The state of one run. */
struct job {
    struct options options;
    struct input input;
    struct output output;
    struct device device;
    clsort_desc desc;
    size_t count;
};

/* -- the library ------------------------------------------------------------------------------- */

/* Prints an error of the library, with the log of the engine if that has the reason. */
static void print_status(const struct job *job, clsort_status status)
{
    const char *algorithm = job->options.algorithm, *text = clsort_status_string(status);
    bool is_logged = status == CL_BUILD_PROGRAM_FAILURE || status == CLSORT_E_UNSUPPORTED ||
                     status == CLSORT_E_SELF_TEST;
    size_t size;
    char *log;

    if (status == CLSORT_E_ALGORITHM && algorithm != NULL)
        print_error("--algorithm", "%s: %s; --help lists the algorithms", algorithm, text);
    else if (status == CLSORT_E_UNSUPPORTED && algorithm != NULL)
        print_error("--algorithm", "%s: %s (the key type is %s)", algorithm, text,
                    job->input.type->name);
    else
        print_error(job->input.name, "%s", text);
    if (!is_logged || clsort_engine_log(job->device.engine, 0, NULL, &size) != CLSORT_OK)
        return;
    log = malloc(size);
    if (log != NULL && clsort_engine_log(job->device.engine, size, log, NULL) == CLSORT_OK)
        fprintf(stderr, "%s\n", log);
    free(log);
}

/* Returns a description of the sort; the caller frees it. Compiles the programs that the sort
 * needs. Prints an error and returns NULL on failure. */
static char *describe(const struct job *job)
{
    clsort_engine *engine = job->device.engine;
    size_t size;
    char *text = NULL;
    clsort_status status = clsort_host_describe(engine, &job->desc, job->count, 0, NULL, &size);

    if (status == CLSORT_OK) {
        text = malloc(size);
        status = text == NULL
                     ? CLSORT_E_MEMORY
                     : clsort_host_describe(engine, &job->desc, job->count, size, text, NULL);
    }
    if (status == CLSORT_OK)
        return text;
    print_status(job, status);
    free(text);
    return NULL;
}

/* -- modes --------------------------------------------------------------------------------------
 *
 * All functions print an error and return false on failure; main releases the resources. */

/* Describes the sort by the type of the input and the options. */
static bool set_desc(struct job *job)
{
    const struct options *options = &job->options;

    if (options->flags & CLSORT_FLOAT_NUMERIC && !data_type_is_float(job->input.type)) {
        print_error(job->input.name, "--numeric supports floats only (the key type is %s)",
                    job->input.type->name);
        return false;
    }
    job->desc = (clsort_desc)CLSORT_DESC_INIT;
    job->desc.key = job->input.type->key;
    job->desc.flags = options->flags;
    job->desc.algorithm = options->algorithm;
    return true;
}

static bool open_input(struct job *job)
{
    const struct options *options = &job->options;

    return input_open(&job->input, options->input, options->type, options->force) && set_desc(job);
}

static bool check(struct job *job, bool *ordered)
{
    const struct input *input = &job->input;

    if (!open_input(job) || !input_read(&job->input, &job->count))
        return false;
    progress_phase("checking", job->count * input->type->size);
    const uint64_t sum =
        job->options.sum ? data_checksum(input->keys, input->type->size, job->count) : 0;
    *ordered = check_order(input->name, input->type, job->options.flags, input->keys, job->count);
    progress_end();
    if (job->options.sum)
        print_checksum(stdout, job->count, sum);
    return true;
}

static bool explain(struct job *job)
{
    char *device, *plan;

    if (!open_input(job) || !device_open(&job->device, job->options.device) ||
        !input_count(&job->input, &job->count))
        return false;
    progress_note(COMPILING);
    plan = describe(job);
    if (plan == NULL)
        return false;
    progress_end();
    device = device_text(job->device.id, CL_DEVICE_NAME);
    printf("device   %s\n", device == NULL ? "unknown" : device);
    printf("keys     %zu %s\n", job->count, job->input.type->name);
    printf("plan     %s\n", plan);
    free(device);
    free(plan);
    return true;
}

/* Compiles the programs for the sorts of --warm. */
static bool warm_up(struct job *job)
{
    const struct options *options = &job->options;
    const char *cache = getenv("CLSORT_CACHE_DIR");

    if (cache != NULL && *cache == '\0') {
        print_error("--warm", "CLSORT_CACHE_DIR is empty, so that no compiled programs are kept");
        return false;
    }
    progress_note(COMPILING);
    if (!device_open(&job->device, options->device))
        return false;
    for (size_t i = 0; i < options->warm_count; i++) {
        job->input.type = options->warm_sorts[i].type;
        job->input.name = job->input.type->name;
        if (!set_desc(job))
            return false;
        job->desc.value_size = options->warm_sorts[i].value_size;
        const clsort_status status =
            warm(job->device.engine, job->device.id, &job->desc, job->input.type->size);
        if (status != CLSORT_OK) {
            print_status(job, status);
            return false;
        }
    }
    return true;
}

static bool report(const struct job *job, const char *plan, struct stats *stats)
{
    char *device = device_text(job->device.id, CL_DEVICE_NAME);

    stats->device = device == NULL ? "unknown" : device;
    stats->algorithm = plan;
    stats->type = job->input.type->name;
    stats->elements = job->count;
    stats->key_size = job->input.type->size;
    const bool done = stats_print(stats, job->options.stats == STATS_JSON);
    free(device);
    return done;
}

static bool write_keys(struct output *output, const struct input *input, size_t size)
{
    progress_phase("writing", size);
    for (size_t at = 0, block; at < size; at += block) {
        block = size - at < WRITE_BLOCK ? size - at : WRITE_BLOCK;
        if (!output_write(output, input->keys + at, block))
            return false;
        progress_add(block);
    }
    progress_phase("waiting for the disk", 0);
    return true;
}

static bool sort(struct job *job)
{
    const struct options *options = &job->options;
    struct input *input = &job->input;
    struct output *output = &job->output;
    struct stats stats;
    char *plan = NULL;
    clsort_status status;

    /* The output and the device are opened first, so that errors are found before the long work. */
    if ((!options->force && !terminal_check_output(options->output)) ||
        !output_open(output, options->output) || !open_input(job))
        return false;
    progress_note(COMPILING);
    if (!device_open(&job->device, options->device))
        return false;
    stats.setup_s = stats_lap();
    if (!input_read(input, &job->count))
        return false;
    stats.read_s = stats_lap();
    /* describe compiles the programs, so that the time of the sort excludes compilation. */
    progress_note(COMPILING);
    if ((options->stats != STATS_NONE || progress_is_on()) && (plan = describe(job)) == NULL)
        return false;
    stats.setup_s += stats_lap();
    progress_phase("sorting", job->count * input->type->size);
    status = clsort_host(job->device.engine, NULL, &job->desc, job->count, input->keys, NULL);
    if (status != CLSORT_OK) {
        print_status(job, status);
        free(plan);
        return false;
    }
    stats.sort_s = stats_lap();
    bool done = output_write(output, input->header, input->header_size) &&
                write_keys(output, input, job->count * input->type->size) && output_commit(output);
    stats.write_s = stats_lap();
    progress_end();
    if (done && options->stats != STATS_NONE)
        done = report(job, plan, &stats);
    free(plan);
    return done;
}

int main(int argc, char **argv)
{
    struct job job = {.input = {.fd = -1}, .output = {.fd = -1}};
    bool done = false;
    bool ordered = true;

    stats_lap();
    guard_standard_streams();
    options_parse(&job.options, argc, argv);
    if (job.options.mode != MODE_LIST_DEVICES)
        progress_start(job.options.quiet);
    switch (job.options.mode) {
    case MODE_SORT:
        done = sort(&job);
        break;
    case MODE_CHECK:
        done = check(&job, &ordered);
        break;
    case MODE_EXPLAIN:
        done = explain(&job);
        break;
    case MODE_WARM:
        done = warm_up(&job);
        break;
    case MODE_LIST_DEVICES:
        done = list_devices();
        break;
    }
    progress_end();
    device_close(&job.device);
    output_discard(&job.output);
    input_close(&job.input);
    return !done ? EXIT_ERROR : ordered ? EXIT_SUCCESS : EXIT_DISORDER;
}
