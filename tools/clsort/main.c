/* main.c - clsort: sorts a binary file on an OpenCL device */
#include "check.h"
#include "devices.h"
#include "elements.h"
#include "explain.h"
#include "header.h"
#include "inputs.h"
#include "job.h"
#include "large.h"
#include "large_order.h"
#include "list.h"
#include "memory.h"
#include "prepare.h"
#include "print.h"
#include "progress.h"
#include "records.h"
#include "segments.h"
#include "selection.h"
#include "stats.h"
#include "terminal.h"
#include "unique.h"
#include "warm.h"
#include "write.h"

#include <clsort.h>
#include <stdio.h>
#include <stdlib.h>

enum { EXIT_DISORDER = 1 }; /* exit status if --check finds keys that are out of order */

/* All functions that return bool print an error and return false on failure; main releases the
 * resources. */

/* Returns the checksum of the elements, as they are in the file. */
static uint64_t checksum(const struct job *job)
{
    const struct options *options = &job->options;
    const size_t size = job->input.type->size;

    return options->fields.count > 0 || options->custom.less != NULL
               ? records_checksum(job->input.keys, size, job->count)
               : data_checksum(job->input.keys, size, job->count);
}

/* Reports the first record that precedes the one before it. */
static void check_records(const struct job *job, bool *ordered)
{
    const struct fields *fields = &job->options.fields;
    const size_t at = fields_disorder(fields, job->input.keys, job->count);

    *ordered = at == job->count;
    if (!*ordered)
        check_print_records(job->input.name, at);
    progress_add(job->count * fields->record_size);
    progress_end();
    if (job->options.sum)
        print_checksum(stdout, job->count, checksum(job));
}

static bool check(struct job *job, bool *ordered)
{
    const struct input *input = &job->input;
    bool is_large;

    if (!inputs_open(job) || !large_choose(job, &is_large))
        return false;
    if (is_large)
        return large_check(job, ordered);
    if (!job_read_input(job))
        return false;
    progress_phase("checking", job->count * input->type->size);
    if (job->options.fields.count > 0) {
        check_records(job, ordered);
        return true;
    }
    const uint64_t sum = job->options.sum ? checksum(job) : 0;
    elements_to_keys(&input->array, job->options.flags, input->keys, job->count);
    const bool done = check_order(input->name, &input->array, &job->rows, &job->segments,
                                  job->options.flags, input->keys, ordered);
    progress_add(job->count * input->type->size);
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
    struct stats stats;
    char *device;
    bool is_large;

    if (!inputs_open(job) || !large_choose(job, &is_large) ||
        !(is_large ? large_prepare(job, &stats) : prepare(job, &stats)))
        return false;
    progress_end();
    device = device_text(job->device.id, CL_DEVICE_NAME);
    printf("device   %s\n", device_title(job, device));
    explain_elements(job);
    if (job->rows.count > 1)
        printf("rows     %zu of %zu keys\n", job->rows.count, job->rows.length);
    if (job->segments.form == CLSORT_OFFSETS)
        printf("segments %zu\n", job->segments.count);
    if (is_large)
        large_explain(job);
    else if (job->pieces.count > 1)
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
    progress_compiling();
    if (!device_open(&job->device, options->device))
        return false;
    for (size_t i = 0; i < options->warm_count; i++) {
        job->input.type = options->warm_sorts[i].type;
        job->input.name = job->input.type->name;
        if (!job_describe(job))
            return false;
        job->desc.value_size = options->warm_sorts[i].value_size;
        const clsort_status status =
            warm(job->device.engine, job->device.id, &job->desc, job->input.type->size);
        if (status != CLSORT_OK) {
            job_print_status(job, status);
            return false;
        }
    }
    return true;
}

static bool report(const struct job *job, struct stats *stats)
{
    char *device = devices_title(job);

    stats->device = device_title(job, device);
    stats->algorithm = job->plan;
    stats->type = job->input.type->name;
    stats->elements = job->count;
    stats->pieces = stats->report.io == NULL ? job->pieces.count
                    : stats->report.runs > 0 ? (size_t)stats->report.runs
                                             : 1;
    stats->key_size = job->input.type->size;
    stats->peak_bytes = (double)memory_peak();
    const bool done = stats_print(stats, job->options.stats == STATS_JSON);
    free(device);
    return done;
}

static clsort_status sort_piece(void *context, void *keys, void *indexes, size_t count)
{
    struct job *job = context;

    if (job->device.group == NULL)
        return clsort_host(job->device.engine, NULL, &job->desc, count, keys, indexes);
    const clsort_status status =
        clsort_group_host(job->device.group, &job->desc, count, keys, indexes);
    if (status == CLSORT_OK)
        devices_print_failures(job);
    return status;
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

static clsort_status sort_row(void *context, const struct row *row)
{
    struct job *job = context;
    const clsort_status status = pieces_sort(&job->pieces, &job->rows, row, sort_piece, job);

    if (status != CLSORT_OK || !is_merged_in_memory(job))
        return status;
    return pieces_merge(&job->pieces, &job->rows, job->input.type, job->desc.flags, row,
                        job->indexes != NULL ? job->indexes : job->input.keys);
}

/* Returns the number of keys of the output, unless some are selected. */
static size_t output_count(const struct job *job)
{
    return job->options.unique ? job->unique_count : job->count;
}

static clsort_status sort_rows(struct job *job)
{
    const struct input *input = &job->input;
    clsort_status status;

    elements_to_keys(&input->array, job->desc.flags, input->keys, job->count);
    status = job->segments.form != CLSORT_WHOLE
                 ? segments_sort(job)
                 : rows_visit(&job->rows, input->keys, job->indexes, !is_merged_in_memory(job),
                              sort_row, job);
    if (job->options.unique)
        job->unique_count =
            job->options.fields.count > 0
                ? fields_unique(&job->options.fields, input->keys, job->count)
                : unique_keys(input->type, job->desc.flags, input->keys, job->count);
    if (!is_merged_on_write(job) && job->indexes == NULL)
        elements_from_keys(&input->array, job->desc.flags, input->keys, output_count(job));
    return status;
}

static bool write_header(struct job *job)
{
    char text[NPY_MAX_HEADER_SIZE];
    size_t size;
    const void *header = header_of_output(job, output_count(job), text, &size);

    return output_write(&job->output, header, size);
}

static bool write_elements(struct job *job)
{
    const size_t index_size = job->rows.index_size;

    if (job->options.selection != SELECTION_NONE) {
        const size_t count = (size_t)selection_array(job).count;

        return index_size > 0 ? write_indexes(&job->output, job->selected, index_size, count)
                              : write_keys(&job->output, job->selected, count * job->rows.key_size);
    }
    if (is_merged_on_write(job))
        return write_merged(&job->output, &job->input, &job->rows, job->indexes, &job->pieces,
                            job->desc.flags);
    return job->indexes != NULL
               ? write_indexes(&job->output, job->indexes, index_size, job->count)
               : write_keys(&job->output, job->input.keys, output_count(job) * job->rows.key_size);
}

/* Sorts the rows, or selects from them. */
static bool run(struct job *job)
{
    const size_t size = job->count * job->input.type->size;

    if (job->options.sum)
        job->checksum = checksum(job);
    if (job->options.selection != SELECTION_NONE) {
        if (!selection_allocate(job))
            return false;
        progress_phase("selecting", size);
        const bool done = selection_run(job);
        progress_add(size);
        return done;
    }
    if (job->options.unique && job->pieces.count > 1) {
        print_error(job->input.name,
                    "memory is short, and --unique does not support the merge of several pieces; "
                    "free memory, or raise its limit");
        return false;
    }
    if (!job_allocate_indexes(job))
        return false;
    progress_phase("sorting", size);
    const clsort_status status = sort_rows(job);
    if (status != CLSORT_OK)
        job_print_status(job, status);
    progress_add(size);
    return status == CLSORT_OK;
}

/* Writes the result of a sort in memory. */
static bool write_result(struct job *job, struct stats *stats)
{
    const struct input *input = &job->input;
    const bool selects = job->options.selection != SELECTION_NONE;

    if (!write_header(job) || !write_elements(job))
        return false;
    stats->write_s = stats_lap();
    stats_add_phase(stats, "reading", input->header_size + input->size, 0, stats->read_s);
    stats_add_phase(stats, selects ? "selecting" : "sorting", 0, 0, stats->sort_s);
    stats_add_phase(stats, is_merged_on_write(job) ? "merging" : "writing", 0, job->output.written,
                    stats->write_s);
    return true;
}

static bool sort(struct job *job)
{
    const struct options *options = &job->options;
    struct stats stats;
    bool is_large;

    if ((!options->force && !terminal_check_output(options->output)) ||
        !output_open(&job->output, options->output) || !inputs_open(job) ||
        !large_choose(job, &is_large) || (is_large && !devices_support(job, true)))
        return false;
    if (!(is_large ? large_prepare(job, &stats) && large_sort(job, &stats)
                   : prepare(job, &stats) && run(job)))
        return false;
    stats.sort_s = stats_lap();
    if (!is_large && !write_result(job, &stats))
        return false;
    const bool done = output_commit(&job->output) && resume_remove(&job->resume);
    const double commit_s = stats_lap();
    stats.write_s += commit_s;
    stats_add_phase(&stats, "waiting for the disk", 0, 0, commit_s);
    progress_end();
    if (done && options->sum)
        print_checksum(job->output.target != NULL ? stdout : stderr, job->count, job->checksum);
    return done && (options->stats == STATS_NONE || report(job, &stats));
}

int main(int argc, char **argv)
{
    struct job job = {.input = {.fd = -1}, .output = {.fd = -1}, .resume = RESUME_CLOSED};
    bool done = false;
    bool ordered = true;
    int status;

    stats_lap();
    print_start("clsort");
    if (!options_parse(&job.options, argc, argv, stdout, stderr, &status))
        return status;
    if (job.options.mode != MODE_LIST_DEVICES)
        progress_start(job.options.progress);
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
    large_order_close(&job);
    device_close(&job.device);
    output_discard(&job.output);
    resume_close(&job.resume);
    job_free_indexes(&job);
    segments_free(&job);
    selection_free(&job);
    input_close(&job.input);
    inputs_close(&job);
    free(job.plan);
    return !done ? EXIT_ERROR : ordered ? EXIT_SUCCESS : EXIT_DISORDER;
}
