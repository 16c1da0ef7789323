/* main.c - clsort: sorts a binary file on an OpenCL device */
#include "check.h"
#include "device.h"
#include "elements.h"
#include "input.h"
#include "list.h"
#include "options.h"
#include "output.h"
#include "print.h"
#include "progress.h"
#include "rows.h"
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
    struct rows rows;
};

/* -- the library ------------------------------------------------------------------------------- */

/* Prints an error of the library. */
static void print_status(const struct job *job, clsort_status status)
{
    bool names = job->options.algorithm != NULL &&
                 (status == CLSORT_E_ALGORITHM || status == CLSORT_E_UNSUPPORTED);

    if (status == CLSORT_E_ARGUMENT && job->options.algorithm != NULL && job->device.engine == NULL)
        print_error("--algorithm", "%s: the host does not run algorithms of OpenCL devices",
                    job->options.algorithm);
    else
        device_print_error(names ? "--algorithm" : job->input.name, status);
}

/* Returns a description of the sort of a row; the caller frees it. Compiles the programs that the sort
 * needs. Prints an error and returns NULL on failure. */
static char *describe(const struct job *job)
{
    clsort_engine *engine = job->device.engine;
    size_t size;
    char *text = NULL;
    clsort_status status =
        clsort_host_describe(engine, &job->desc, job->rows.length, 0, NULL, &size);

    if (status == CLSORT_OK) {
        text = malloc(size);
        status = text == NULL
                     ? CLSORT_E_MEMORY
                     : clsort_host_describe(engine, &job->desc, job->rows.length, size, text, NULL);
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
    struct npy_array *array = &job->input.array;

    if (!input_open(&job->input, options->input, options->type, options->force) || !set_desc(job))
        return false;
    if (options->flatten)
        npy_flatten(array);
    if (rows_axis_exists(array, options->axis))
        return true;
    print_error(job->input.name,
                "axis %d is out of bounds: the number of dimensions is %u; --axis=none flattens "
                "the array",
                options->axis, array->dimensions);
    return false;
}

/* Reads the elements of the file, or only counts them, and divides them into rows. */
static bool read_input(struct job *job)
{
    struct input *input = &job->input;
    const bool counts = job->options.mode == MODE_EXPLAIN;

    if (!(counts ? input_count(input, &job->count) : input_read(input, &job->count)))
        return false;
    job->rows = rows_of(&input->array, job->options.axis);
    return true;
}

static bool check(struct job *job, bool *ordered)
{
    const struct input *input = &job->input;

    if (!open_input(job) || !read_input(job))
        return false;
    progress_phase("checking", job->count * input->type->size);
    const uint64_t sum =
        job->options.sum ? data_checksum(input->keys, input->type->size, job->count) : 0;
    elements_to_keys(&input->array, job->options.flags, input->keys, job->count);
    const bool done = check_order(input->name, &input->array, &job->rows, job->options.flags,
                                  input->keys, ordered);
    progress_end();
    if (job->options.sum)
        print_checksum(stdout, job->count, sum);
    return done;
}

/* Returns the name of the device to print. */
static const char *device_title(const struct job *job, const char *name)
{
    return job->device.engine == NULL ? "host" : name == NULL ? "unknown" : name;
}

static bool explain(struct job *job)
{
    char *device, *plan;

    if (!open_input(job) || !device_open_or_host(&job->device, job->options.device) ||
        !read_input(job))
        return false;
    progress_note(COMPILING);
    plan = describe(job);
    if (plan == NULL)
        return false;
    progress_end();
    device = device_text(job->device.id, CL_DEVICE_NAME);
    printf("device   %s\n", device_title(job, device));
    printf("keys     %zu %s\n", job->count, job->input.type->name);
    if (job->rows.count > 1)
        printf("rows     %zu of %zu keys\n", job->rows.count, job->rows.length);
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

    stats->device = device_title(job, device);
    stats->algorithm = plan;
    stats->type = job->input.type->name;
    stats->elements = job->count;
    stats->key_size = job->input.type->size;
    const bool done = stats_print(stats, job->options.stats == STATS_JSON);
    free(device);
    return done;
}

static clsort_status sort_row(void *context, void *row, size_t index)
{
    const struct job *job = context;

    (void)index;
    return clsort_host(job->device.engine, NULL, &job->desc, job->rows.length, row, NULL);
}

static clsort_status sort_rows(struct job *job)
{
    const struct input *input = &job->input;
    clsort_status status;

    elements_to_keys(&input->array, job->desc.flags, input->keys, job->count);
    status = rows_visit(&job->rows, input->keys, true, sort_row, job);
    elements_from_keys(&input->array, job->desc.flags, input->keys, job->count);
    return status;
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

static bool write_output(struct job *job)
{
    const struct input *input = &job->input;
    const bool is_new = job->options.flatten && input->header != NULL;
    char header[NPY_HEADER_SIZE];

    npy_format(header, &input->array);
    return output_write(&job->output, is_new ? header : input->header,
                        is_new ? sizeof header : input->header_size) &&
           write_keys(&job->output, input, job->count * input->type->size) &&
           output_commit(&job->output);
}

static bool sort(struct job *job)
{
    const struct options *options = &job->options;
    struct stats stats;
    char *plan = NULL;
    clsort_status status;

    /* The output and the device are opened first, so that errors are found before the long work. */
    if ((!options->force && !terminal_check_output(options->output)) ||
        !output_open(&job->output, options->output) || !open_input(job))
        return false;
    progress_note(COMPILING);
    if (!device_open_or_host(&job->device, options->device))
        return false;
    stats.setup_s = stats_lap();
    if (!read_input(job))
        return false;
    stats.read_s = stats_lap();
    /* describe compiles the programs, so that the time of the sort excludes compilation. */
    progress_note(COMPILING);
    if ((options->stats != STATS_NONE || progress_is_on()) && (plan = describe(job)) == NULL)
        return false;
    stats.setup_s += stats_lap();
    progress_phase("sorting", job->count * job->input.type->size);
    status = sort_rows(job);
    if (status != CLSORT_OK) {
        print_status(job, status);
        free(plan);
        return false;
    }
    stats.sort_s = stats_lap();
    bool done = write_output(job);
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
    int status;

    stats_lap();
    print_start("clsort");
    if (!options_parse(&job.options, argc, argv, stdout, stderr, &status))
        return status;
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
