/* main.c - clsort: sorts a binary file on an OpenCL device */
#include "check.h"
#include "device.h"
#include "input.h"
#include "list.h"
#include "options.h"
#include "output.h"
#include "print.h"
#include "stats.h"

#include <clsort.h>
#include <stdio.h>
#include <stdlib.h>

enum { EXIT_DISORDER = 1 }; /* exit status if --check finds keys that are out of order */

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

/* Prints an error of the library. */
static void print_status(const struct job *job, clsort_status status)
{
    bool names = job->options.algorithm != NULL &&
                 (status == CLSORT_E_ALGORITHM || status == CLSORT_E_UNSUPPORTED);

    device_print_error(names ? "--algorithm" : job->input.name, status);
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

static bool open_input(struct job *job)
{
    const struct options *options = &job->options;

    if (!input_open(&job->input, options->input, options->type))
        return false;
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

static bool check(struct job *job, bool *ordered)
{
    const struct input *input = &job->input;

    if (!open_input(job) || !input_read(&job->input, &job->count))
        return false;
    if (job->options.sum)
        print_checksum(stdout, job->count,
                       data_checksum(input->keys, input->type->size, job->count));
    *ordered = check_order(input->name, input->type, job->options.flags, input->keys, job->count);
    return true;
}

static bool explain(struct job *job)
{
    char *device, *plan;

    if (!open_input(job) || !device_open(&job->device, job->options.device) ||
        !input_count(&job->input, &job->count))
        return false;
    plan = describe(job);
    if (plan == NULL)
        return false;
    device = device_text(job->device.id, CL_DEVICE_NAME);
    printf("device   %s\n", device == NULL ? "unknown" : device);
    printf("keys     %zu %s\n", job->count, job->input.type->name);
    printf("plan     %s\n", plan);
    free(device);
    free(plan);
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

static bool sort(struct job *job)
{
    const struct options *options = &job->options;
    struct input *input = &job->input;
    struct output *output = &job->output;
    struct stats stats;
    char *plan = NULL;
    clsort_status status;

    /* The output and the device are opened first, so that errors are found before the long work. */
    if (!output_open(output, options->output) || !open_input(job) ||
        !device_open(&job->device, options->device))
        return false;
    stats.setup_s = stats_lap();
    if (!input_read(input, &job->count))
        return false;
    stats.read_s = stats_lap();
    /* describe compiles the programs, so that the time of the sort excludes compilation. */
    if (options->stats != STATS_NONE && (plan = describe(job)) == NULL)
        return false;
    stats.setup_s += stats_lap();
    status = clsort_host(job->device.engine, NULL, &job->desc, job->count, input->keys, NULL);
    if (status != CLSORT_OK) {
        print_status(job, status);
        free(plan);
        return false;
    }
    stats.sort_s = stats_lap();
    bool done = output_write(output, input->header, input->header_size) &&
                output_write(output, input->keys, job->count * input->type->size) &&
                output_commit(output);
    stats.write_s = stats_lap();
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
    case MODE_LIST_DEVICES:
        done = list_devices();
        break;
    }
    device_close(&job.device);
    output_discard(&job.output);
    input_close(&job.input);
    return !done ? EXIT_ERROR : ordered ? EXIT_SUCCESS : EXIT_DISORDER;
}
