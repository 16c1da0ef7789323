/* prepare.c - what precedes a sort: opens the device, reads the input and chooses the pieces */
#include "prepare.h"

#include "memory.h"
#include "print.h"
#include "progress.h"
#include "segments.h"
#include "selection.h"
#include "setup.h"
#include "trial.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of the keys of a row that the host sorts in milliseconds, so that the user need not know
 * that there is no device. */
enum { MAX_SMALL_SIZE = 1 << 18 };

/* Returns the text that says why the host sorts, to be appended to the plan. */
static const char *host_reason(const struct device *device)
{
    static const char *const reasons[] = {
        [HOST_REQUESTED] = ", as requested",
        [HOST_NO_DEVICE] = ", because there is no device",
        [HOST_NO_MEMORY] = ", because memory is limited",
        [HOST_FIRST] = ", because compiling the kernels would take longer",
    };

    return device->engine == NULL ? reasons[device->cause] : "";
}

bool prepare_describe(struct job *job)
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
        job_print_status(job, status);
    return status == CLSORT_OK;
}

/* Prints a message if no device was found, unless the sort is small and no algorithm is named. */
static void note_missing_device(const struct job *job)
{
    if (job->device.engine == NULL && job->device.cause == HOST_NO_DEVICE &&
        (job->rows.length * job->input.type->size > MAX_SMALL_SIZE ||
         job->options.algorithm != NULL))
        print_error("OpenCL",
                    "there is no device; the host sorts (clsort --list-devices says what to "
                    "install)");
}

bool prepare_open_device(struct job *job)
{
    if (!device_open_or_host(&job->device, job->options.device))
        return false;
    if (job->options.custom.less == NULL || job->device.engine != NULL)
        return true;
    print_error("--less", "%s",
                job->device.cause == HOST_REQUESTED
                    ? "the host cannot evaluate expressions in OpenCL C; name another device"
                    : "there is no OpenCL device, and the host cannot evaluate expressions in "
                      "OpenCL C (clsort --list-devices says what to install)");
    return false;
}

/* Lets the host sort the segments of --segments one after the other, which needs scratch memory for
 * the longest only. */
static bool fit_segments(struct job *job, size_t missing)
{
    struct rows longest = job->rows;

    job->pieces = (struct pieces){job->count, 1};
    longest.length = segments_max_length(&job->segments);
    if (job->device.engine != NULL) {
        device_close(&job->device);
        if (!device_use_host(&job->device, job->options.device,
                             "a sort of all segments at once does not fit in memory"))
            return false;
    }
    job->is_short =
        !pieces_check_row(job->input.name, &longest, job->desc.flags, missing, &job->device);
    return !job->is_short;
}

/* Chooses pieces that fit in memory now. */
static bool fit_pieces(struct job *job)
{
    const size_t unread = job->count * job->input.type->size - job->input.size;
    const size_t indexes = job->count * job->rows.index_size; /* not allocated yet */
    const struct rows sorted = segments_rows(job);

    if (job->options.fields.count > 0) {
        job->pieces = (struct pieces){job->count, job->count > 0};
        job->is_short =
            !pieces_check_records(job->input.name, &job->rows, unread + indexes, &job->device);
        return !job->is_short;
    }
    if (job->options.custom.less != NULL) { /* nothing on the host merges pieces */
        job->pieces = (struct pieces){job->count, job->count > 0};
        job->is_short = !pieces_check_row(job->input.name, &job->rows, job->desc.flags,
                                          unread + indexes, &job->device);
        return !job->is_short;
    }
    if (job->options.selection != SELECTION_NONE) {
        const bool is_nth = job->options.selection == SELECTION_NTH;

        job->is_short = !pieces_choose_selection(&job->pieces, job->input.name, &sorted,
                                                 job->options.k + is_nth, is_nth,
                                                 unread + selection_size(job), &job->device);
        return !job->is_short;
    }
    if (job->segments.form != CLSORT_WHOLE && job->device.engine != NULL &&
        pieces_fit(&sorted, job->desc.flags, unread + indexes, &job->device)) {
        job->pieces = (struct pieces){job->count, 1};
        return true;
    }
    if (job->segments.form == CLSORT_ROWS)
        segments_part_rows(job);
    if (job->segments.form == CLSORT_OFFSETS)
        return fit_segments(job, unread + indexes);
    job->is_short = !pieces_choose(&job->pieces, job->input.name, &job->rows, job->desc.flags,
                                   unread + indexes, &job->device);
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
        if (!prepare_describe(job) || !fit_pieces(job))
            return false;
    } while (pieces->length < described.length);
    *pieces = described; /* larger pieces could need other programs */
    return true;
}

/* For trial_run: returns whether memory suffices. Other errors will occur again. */
static bool has_memory(void *context)
{
    struct job *job = context;

    if (prepare_open_device(job))
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
        progress_compiling();
        if (prepare_open_device(job))
            return choose_pieces(job, true);
        print_error("ulimit", "-v or -d leaves %" PRIu64 " bytes; drivers fail if they need more",
                    left.address_space);
        return false;
    }
    snprintf(reason, sizeof reason,
             "the driver needs more memory than the %" PRIu64 " bytes that ulimit -v or -d leaves",
             left.address_space);
    if (job->options.custom.less != NULL) {
        print_error("--less", "%s", reason);
        return false;
    }
    return device_use_host(&job->device, name, reason) && choose_pieces(job, true);
}

bool prepare(struct job *job, struct stats *stats)
{
    const struct options *options = &job->options;
    const bool is_described =
        options->mode == MODE_EXPLAIN || options->stats != STATS_NONE || progress_is_on();
    job->in_limits = memory_left().address_space != UINT64_MAX;
    *stats = (struct stats){.device = NULL};

    /* The device is opened first, so that its errors are found before the long work. */
    if (!job->in_limits) {
        progress_compiling();
        if (!prepare_open_device(job))
            return false;
    }
    stats->setup_s = stats_lap();
    if (!job_read_input(job) ||
        (options->selection != SELECTION_NONE && !selection_is_possible(job)))
        return false;
    stats->read_s = stats_lap();
    segments_join_rows(job);
    if (options->mode == MODE_SORT)
        setup_host_first(&job->device, options->device, &job->desc, segments_rows(job).length,
                         job->count, stats);
    progress_compiling();
    /* A description compiles the programs, so that the time of the sort excludes compilation. */
    const bool done = job->in_limits ? prepare_in_limits(job) : choose_pieces(job, is_described);
    stats->setup_s += stats_lap();
    setup_add_times(&job->device, stats);
    return done;
}
