/* main.c - clsort: sorts a binary file on an OpenCL device */
#include "check.h"
#include "device.h"
#include "elements.h"
#include "input.h"
#include "list.h"
#include "memory.h"
#include "options.h"
#include "pieces.h"
#include "print.h"
#include "progress.h"
#include "rows.h"
#include "setup.h"
#include "stats.h"
#include "terminal.h"
#include "trial.h"
#include "warm.h"
#include "write.h"

#include <clsort.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_DISORDER = 1 }; /* exit status if --check finds keys that are out of order */

enum { MAX_HOST_COUNT = 1 << 15 }; /* keys that the host sorts in any case, as in clsort.h */

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
    struct pieces pieces; /* of each row */
    bool in_limits;       /* the address space is limited */
    bool is_short;        /* of memory: not even the smallest pieces fit */
    char *plan;           /* describes the sort; NULL: not needed */
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

/* Returns the text that says why the host sorts, to be appended to the plan. */
static const char *host_reason(const struct device *device)
{
    static const char *const reasons[] = {
        [HOST_REQUESTED] = ", as requested",
        [HOST_NO_DEVICE] = ", because there is no device",
        [HOST_NO_MEMORY] = ", because memory is limited",
        [HOST_FIRST] = ", because to compile kernels takes longer (once)",
    };

    return device->engine == NULL ? reasons[device->cause] : "";
}

/* Sets job->plan to a description of the sort of a piece. Compiles the programs that the sort needs.
 * Prints an error and returns false on failure. */
static bool describe(struct job *job)
{
    clsort_engine *engine = job->device.engine;
    const char *reason = host_reason(&job->device);
    const size_t count = job->pieces.length;
    size_t size;
    char *text = NULL;
    clsort_status status = clsort_host_describe(engine, &job->desc, count, 0, NULL, &size);

    if (status == CLSORT_OK) {
        text = malloc(size + strlen(reason));
        status = text == NULL ? CLSORT_E_MEMORY
                              : clsort_host_describe(engine, &job->desc, count, size, text, NULL);
    }
    if (status == CLSORT_OK)
        strcat(text, reason);
    free(job->plan);
    job->plan = text;
    if (status != CLSORT_OK)
        print_status(job, status);
    return status == CLSORT_OK;
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

/* Checks that the output is not written directly to the input, which a shell truncates first. */
static bool is_separate(const struct job *job)
{
    const bool is_same = output_is_file(&job->output, job->input.fd);

    if (is_same)
        print_error(job->input.name,
                    "the input file is also %s; use --output to sort a file in place",
                    job->output.name);
    return !is_same;
}

static bool open_input(struct job *job)
{
    const struct options *options = &job->options;
    struct npy_array *array = &job->input.array;

    if (!input_open(&job->input, options->input) || !is_separate(job) ||
        !input_begin(&job->input, options->type, options->force) || !set_desc(job))
        return false;
    if (options->has_axis && job->input.header == NULL) {
        print_error(job->input.name, "--axis=%d requires a .npy file: raw files have no axes",
                    options->axis);
        return false;
    }
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
    /* Limits leave the driver other memory if the keys are there, so that they are read anyway. */
    const bool counts = job->options.mode == MODE_EXPLAIN && !job->in_limits;

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

/* Prints a message if no device was found for a sort that would run on a device. */
static void note_missing_device(const struct job *job)
{
    if (job->device.engine == NULL && job->device.cause == HOST_NO_DEVICE &&
        (job->rows.length > MAX_HOST_COUNT || job->options.algorithm != NULL))
        print_error("OpenCL",
                    "there is no device; the host sorts (clsort --list-devices says what to "
                    "install)");
}

/* Returns the name of the device to print. */
static const char *device_title(const struct job *job, const char *name)
{
    return job->device.engine == NULL ? "host" : name == NULL ? "unknown" : name;
}

/* Chooses pieces that fit in memory now. */
static bool fit_pieces(struct job *job)
{
    const size_t unread = job->count * job->input.type->size - job->input.size;

    job->is_short = !pieces_choose(&job->pieces, job->input.name, &job->rows, unread, &job->device);
    return !job->is_short;
}

/* Chooses the pieces. is_described: describes the sort, too. If memory is short, the programs are
 * compiled first, so that the driver has taken its memory when the pieces are chosen. */
static bool choose_pieces(struct job *job, bool is_described)
{
    struct pieces *pieces = &job->pieces;

    note_missing_device(job);
    if (!fit_pieces(job))
        return false;
    if (!is_described && pieces->count <= 1)
        return true;
    struct pieces described;
    do {
        described = *pieces;
        if (!describe(job) || !fit_pieces(job))
            return false;
    } while (pieces->length < described.length);
    *pieces = described; /* larger pieces could need other programs */
    return true;
}

/* For trial_run: returns whether memory suffices. Other errors will occur again. */
static bool has_memory(void *context)
{
    struct job *job = context;

    if (device_open_or_host(&job->device, job->options.device))
        choose_pieces(job, true);
    return !job->is_short;
}

/* Opens the device and chooses the pieces after the input is read, for processes whose address
 * space is limited. Drivers abort if they cannot allocate, as PoCL does, so that a child process
 * tries it first. */
static bool prepare_in_limits(struct job *job)
{
    const struct memory left = memory_left();
    const char *name = job->options.device;
    const enum trial trial = trial_run(has_memory, job);
    char reason[128];

    if (trial == TRIAL_SUCCEEDED || (trial == TRIAL_FAILED && device_is_named(name))) {
        progress_note(COMPILING);
        if (device_open_or_host(&job->device, name))
            return choose_pieces(job, true);
        print_error("ulimit", "-v or -d leaves %" PRIu64 " bytes; drivers fail if they need more",
                    left.address_space);
        return false;
    }
    snprintf(reason, sizeof reason,
             "the driver needs more memory than the %" PRIu64 " bytes that ulimit -v or -d leaves",
             left.address_space);
    return device_use_host(&job->device, name, reason) && choose_pieces(job, true);
}

/* Opens the device, reads the input and chooses the pieces. */
static bool prepare(struct job *job, struct stats *stats)
{
    const struct options *options = &job->options;
    const bool is_described =
        options->mode == MODE_EXPLAIN || options->stats != STATS_NONE || progress_is_on();
    job->in_limits = memory_left().address_space != UINT64_MAX;
    *stats = (struct stats){.device = NULL};

    /* The device is opened first, so that its errors are found before the long work. */
    if (!job->in_limits) {
        progress_note(COMPILING);
        if (!device_open_or_host(&job->device, options->device))
            return false;
    }
    stats->setup_s = stats_lap();
    if (!read_input(job))
        return false;
    stats->read_s = stats_lap();
    if (options->mode == MODE_SORT)
        setup_host_first(&job->device, options->device, &job->desc, &job->rows, stats);
    progress_note(COMPILING);
    /* A description compiles the programs, so that the time of the sort excludes compilation. */
    const bool done = job->in_limits ? prepare_in_limits(job) : choose_pieces(job, is_described);
    stats->setup_s += stats_lap();
    setup_add_times(&job->device, stats);
    return done;
}

static bool explain(struct job *job)
{
    struct stats stats;
    char *device;

    if (!open_input(job) || !prepare(job, &stats))
        return false;
    progress_end();
    device = device_text(job->device.id, CL_DEVICE_NAME);
    printf("device   %s\n", device_title(job, device));
    printf("keys     %zu %s\n", job->count, job->input.type->name);
    if (job->rows.count > 1)
        printf("rows     %zu of %zu keys\n", job->rows.count, job->rows.length);
    if (job->pieces.count > 1)
        printf("pieces   %zu of %zu keys, merged on the host\n", job->pieces.count,
               job->pieces.length);
    printf("plan     %s\n", job->plan);
    free(device);
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

static bool report(const struct job *job, struct stats *stats)
{
    char *device = device_text(job->device.id, CL_DEVICE_NAME);

    stats->device = device_title(job, device);
    stats->algorithm = job->plan;
    stats->type = job->input.type->name;
    stats->elements = job->count;
    stats->pieces = job->pieces.count;
    stats->key_size = job->input.type->size;
    const bool done = stats_print(stats, job->options.stats == STATS_JSON);
    free(device);
    return done;
}

static clsort_status sort_piece(void *context, void *keys, size_t count)
{
    const struct job *job = context;

    return clsort_host(job->device.engine, NULL, &job->desc, count, keys, NULL);
}

/* Pieces are merged while they are written, if their keys are adjacent. */
static bool is_merged_on_write(const struct job *job)
{
    return job->pieces.count > 1 && job->rows.inner == 1;
}

/* Other pieces are merged when they are copied back to the array. */
static bool is_merged_in_memory(const struct job *job)
{
    return job->pieces.count > 1 && job->rows.inner > 1;
}

static clsort_status sort_row(void *context, void *row, size_t index)
{
    struct job *job = context;
    const clsort_status status = pieces_sort(&job->pieces, &job->rows, row, sort_piece, job);

    if (status != CLSORT_OK || !is_merged_in_memory(job))
        return status;
    return pieces_merge(&job->pieces, &job->rows, job->input.type, job->desc.flags, row, index,
                        job->input.keys);
}

static clsort_status sort_rows(struct job *job)
{
    const struct input *input = &job->input;
    clsort_status status;

    elements_to_keys(&input->array, job->desc.flags, input->keys, job->count);
    status = rows_visit(&job->rows, input->keys, !is_merged_in_memory(job), sort_row, job);
    if (!is_merged_on_write(job))
        elements_from_keys(&input->array, job->desc.flags, input->keys, job->count);
    return status;
}

static bool write_output(struct job *job)
{
    const struct input *input = &job->input;
    const bool is_new = job->options.flatten && input->header != NULL;
    char header[NPY_HEADER_SIZE];

    npy_format(header, &input->array);
    return output_write(&job->output, is_new ? header : input->header,
                        is_new ? sizeof header : input->header_size) &&
           (is_merged_on_write(job)
                ? write_merged(&job->output, input, &job->rows, &job->pieces, job->desc.flags)
                : write_keys(&job->output, input)) &&
           output_commit(&job->output);
}

static bool sort(struct job *job)
{
    const struct options *options = &job->options;
    struct stats stats;

    if ((!options->force && !terminal_check_output(options->output)) ||
        !output_open(&job->output, options->output) || !open_input(job) || !prepare(job, &stats))
        return false;
    progress_phase("sorting", job->count * job->input.type->size);
    const clsort_status status = sort_rows(job);
    if (status != CLSORT_OK) {
        print_status(job, status);
        return false;
    }
    stats.sort_s = stats_lap();
    const bool done = write_output(job);
    stats.write_s = stats_lap();
    progress_end();
    return done && (options->stats == STATS_NONE || report(job, &stats));
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
    free(job.plan);
    return !done ? EXIT_ERROR : ordered ? EXIT_SUCCESS : EXIT_DISORDER;
}
