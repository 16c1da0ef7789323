/* large.c - files that are larger than the memory limit: the external sort of clsort */
#include "large.h"

#include "check.h"
#include "header.h"
#include "inputs.h"
#include "io.h"
#include "large_indexes.h"
#include "large_order.h"
#include "large_resume.h"
#include "memory.h"
#include "prepare.h"
#include "print.h"
#include "progress.h"
#include "segments.h"
#include "selection.h"
#include "setup.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* If no device is named, the host sorts with less memory than this: a driver and its compiler take up to 300 MB, and
 * the runs would be small. */
#define MIN_DEVICE_MEMORY (UINT64_C(400) << 20)

/* A sort in memory takes up to four times the size of the file, with the driver. */
enum { IN_MEMORY_FACTOR = 4 };

/* Bytes that --check reads at a time, of which it has twice as many in memory */
enum { MIN_CHECK_CHUNK = 64 << 10, MAX_CHECK_CHUNK = 8 << 20 };

/* Rows of which fewer fit in the available memory are kept in memory, if there is no limit. */
enum { MIN_ROWS = 16 };

/* Longer rows of a pipe are treated as if they had this length, which exceeds any memory. */
#define MAX_ROW_LENGTH (UINT64_C(1) << 50)

/* A pipe is planned for so many times the memory, so that merges of it take two passes in most cases. */
enum { STREAM_FACTOR = 64 };

static const char DEFAULT_FOLDER[] = "/var/tmp"; /* /tmp may be in memory */

/* -- the choice -------------------------------------------------------------------------------- */

/* Returns the bytes of the elements; 0 if they are unknown, as in pipes. */
static uint64_t elements_size(const struct input *input)
{
    return input->remaining > input->header_size ? input->remaining - input->header_size : 0;
}

/* Returns what prevents an external sort of rows, or NULL. */
static const char *obstacle_of_rows(const struct job *job)
{
    const struct options *options = &job->options;
    const struct rows rows = rows_of(&job->input.array, options->axis);
    const uint64_t length = options->row_length > 0 ? options->row_length : rows.length;
    const struct memory left = memory_left();

    if (rows.inner > 1)
        return "the keys of a row along this axis are not adjacent in the file, so that the whole "
               "array is kept in memory (only --axis=none and the axis whose keys are adjacent are "
               "sorted in parts)";
    if (options->mode == MODE_SORT && options->buffer_size == 0 &&
        length > left.ram / MIN_ROWS / rows.key_size)
        return "the rows are too long";
    return NULL;
}

/* Returns what prevents an external sort, or NULL. */
static const char *obstacle(const struct job *job)
{
    const struct options *options = &job->options;

    if (options->argsort && options->algorithm != NULL)
        return "--argsort by a named algorithm keeps all keys and indexes in memory (in runs, they "
               "are sorted as records, which have an algorithm of their own)";
    if (options->segments != NULL)
        return "--segments keeps all segments in memory";
    if (options->row_length > 0 || job->input.array.dimensions > 1)
        return obstacle_of_rows(job);
    if (options->unique && job->input.header != NULL && options->mode == MODE_SORT &&
        job->output.target == NULL)
        return "--unique of a .npy file keeps all keys in memory, unless --output names a file, "
               "because its header has the number of keys, which is known when all are written";
    return NULL;
}

/* Returns the maximum size of the elements that are sorted in memory. A pipe's are in memory already when they turn
 * out to be too many, and the buffers of the external sort are then needed, too. */
static uint64_t max_in_memory(const struct job *job, bool is_stream)
{
    const uint64_t limit = job->options.buffer_size;
    const struct memory left = memory_left();
    const uint64_t size = job->input.type->size;

    if (limit == 0 && left.address_space != UINT64_MAX)
        return UINT64_MAX; /* prepare_in_limits finds what fits */
    const uint64_t half = left.ram / 2, share = limit / IN_MEMORY_FACTOR;
    const uint64_t max = limit > 0   ? (share < half ? share : half)
                         : is_stream ? left.ram / IN_MEMORY_FACTOR
                                     : half;
    return job->options.argsort ? max / (size + sizeof(uint32_t)) * size : max;
}

bool large_choose(struct job *job, bool *is_large)
{
    const uint64_t limit = job->options.buffer_size;
    const bool is_stream = job->input.remaining == 0; /* or empty */
    const uint64_t max_size = max_in_memory(job, is_stream);
    const char *why = obstacle(job);
    bool is_all;

    if (!large_resume_open(job))
        return false;
    *is_large = job->inputs.is_list || elements_size(&job->input) > max_size;
    if (is_stream && !job->inputs.is_list && max_size < SIZE_MAX) {
        if (!input_read_start(&job->input, (size_t)max_size + 1, &is_all))
            return false;
        *is_large = job->is_stream = !is_all;
    }
    *is_large = *is_large || job->resume.is_continued;
    if (job->is_stream && job->options.mode == MODE_EXPLAIN) {
        print_error(job->input.name,
                    "--explain: the size of a pipe is unknown; write the keys to a file first");
        return false;
    }
    if (!*is_large || why == NULL)
        return true;
    if (job->resume.is_continued) {
        print_error(job->options.resume,
                    "the interrupted sort cannot be continued, because %s; give the same options "
                    "and output, or remove the folder to begin again",
                    why);
        return false;
    }
    if (limit == 0 && !job->inputs.is_list) { /* the sort in memory may fit nevertheless */
        *is_large = job->is_stream = false;
        return true;
    }
    if (job->inputs.is_list)
        print_error(job->input.name, "several inputs: %s", why);
    else
        print_error(job->input.name,
                    "%s, which would exceed the %" PRIu64
                    " bytes of --buffer-size; give at least %d times the size of the input%s",
                    why, limit, IN_MEMORY_FACTOR,
                    job->options.argsort ? " and of 4 bytes for each key" : "");
    return false;
}

/* -- the plan ---------------------------------------------------------------------------------- */

/* Returns the memory that the buffers of the sort may take: what is left of the limit after the process and the driver
 * have taken theirs, if as much is available. $CLSORT_EXTERNAL_MEMORY replaces it, for tests. */
static uint64_t buffer_memory(const struct job *job, bool *is_test)
{
    const char *text = getenv("CLSORT_EXTERNAL_MEMORY");
    const struct memory left = memory_left();
    const uint64_t limit = job->options.buffer_size, available = memory_unswapped(&left);
    const uint64_t used = memory_resident();

    *is_test = text != NULL && *text != '\0';
    if (*is_test)
        return strtoull(text, NULL, 10);
    if (limit == 0)
        return available / 2;
    const uint64_t rest = limit > used ? limit - used : 0, max = available - available / 8;
    return rest < max ? rest : max;
}

/* Returns the part of the sorted keys that --top, --bottom or --nth selects. */
static struct external_selection selection_of(const struct job *job)
{
    const uint64_t k = job->options.k;
    const bool is_nth = job->options.selection == SELECTION_NTH;
    struct external_selection selection = {
        .is_given = job->options.selection != SELECTION_NONE && job->rows.count <= 1,
        .first = is_nth ? k : 0,
        .count = is_nth ? 1 : k,
    };

    selection.is_from_end =
        !job->is_stream && job->count - selection.first < selection.first + selection.count;
    return selection;
}

/* Returns how many elements of each row are output. */
static size_t row_kept(const struct job *job)
{
    return job->options.selection == SELECTION_NONE  ? job->rows.length
           : job->options.selection == SELECTION_NTH ? 1
                                                     : (size_t)job->options.k;
}

/* Plans the sort. Returns false if memory is short; *missing: so many bytes more suffice. */
static bool find_plan(struct job *job, uint64_t *missing)
{
    const bool has_indexes = job->indexed.size > 0;
    const bool is_custom = job->options.custom.less != NULL;
    const bool has_records = large_order_has_records(job);
    const size_t size = large_order(job).size, read = job->input.type->size;
    const struct pieces_cost cost = large_order_cost(job);
    bool is_test;
    const uint64_t available = buffer_memory(job, &is_test);
    /* With a custom order, clsort_host sorts what fits in one buffer of the device: half of the memory does. */
    const uint64_t usable = is_custom ? pieces_limit(&job->device, available) : available;
    const uint64_t memory = large_resume_memory(job, usable);
    struct external_request request = {
        .size = size,
        .count = job->is_stream ? STREAM_FACTOR * memory / (size > read ? size : read) : job->count,
        .memory = memory,
        .scratch_fixed = cost.fixed,
        .scratch_per_byte = cost.per_element / (double)size,
        .is_counted =
            !has_records && !is_custom && size <= 2 && !(job->desc.flags & CLSORT_FLOAT_NUMERIC),
        .inputs = job->options.merge ? inputs_filled(job) : 0,
        .max_fan_in = (size_t)job->options.batch_size,
        .selection = selection_of(job),
        .compression = job->options.compression,
        .is_kept = job->options.resume != NULL,
        .row_elements = job->rows.count > 1 ? job->rows.length : 0,
        .row_kept = row_kept(job),
        .input_size = has_indexes ? job->input.type->size : 0,
        .output_size = has_indexes ? sizeof(uint64_t) : 0,
    };
    uint64_t needed;

    request.scratch_fixed +=
        codec_memory(request.compression, IO_WORKERS) + (is_custom ? device_order_memory(size) : 0);
    if (is_test)
        request.scratch_fixed = 0;
    job->request = request;
    const bool fits = external_plan_make(&job->external, &request, &needed);
    *missing = needed - memory;
    return fits;
}

static bool make_plan(struct job *job)
{
    uint64_t missing;

    if (find_plan(job, &missing))
        return true;
    const char *what = job->request.row_elements > 0
                           ? "sorting a row, of which at least one is in memory,"
                           : "sorting in runs";
    const uint64_t limit = job->options.buffer_size;
    const struct memory left = memory_left();
    if (job->is_stream) /* what has been read takes a quarter of the limit, and buffers grow with it */
        missing += missing / 4 * 3;
    if (limit > 0 && limit < memory_unswapped(&left)) /* the next run may need a little more */
        print_error(job->input.name,
                    "out of memory: %s needs a --buffer-size of about %" PRIu64 "M", what,
                    ((limit + missing) >> 20) + 2);
    else
        print_error(job->input.name,
                    "out of memory: %s needs %" PRIu64 " bytes more than is available", what,
                    missing);
    return false;
}

/* Returns whether the number of rows is known when all have been read: those of a stream without a header. */
static bool has_unknown_rows(const struct job *job)
{
    return job->is_stream && job->input.header == NULL && job->options.row_length > 0;
}

/* Sets the array of such a stream to one that has at least `count` elements, and more than one row. */
static void assume_rows(struct job *job, uint64_t count)
{
    const uint64_t rows = job->options.row_length;
    const uint64_t length = rows < MAX_ROW_LENGTH ? rows : MAX_ROW_LENGTH;

    job->input.array = npy_array_of(job->input.type, (count / length + 2) * length);
    npy_divide(&job->input.array, length);
}

/* Counts the elements. Those of a stream, which has more than it has memory for, are counted when they are read. */
static bool count_elements(struct job *job)
{
    if (!job->is_stream && !inputs_count(job))
        return false;
    if (job->is_stream) {
        job->count = job->input.size / job->input.type->size;
        job->inputs.sources[0] =
            (struct external_input){.name = job->input.name, .fd = job->input.fd};
    }
    if (job->inputs.is_list)
        job->input.array.shape[0] = job->input.array.count = job->count;
    if (has_unknown_rows(job))
        assume_rows(job, 0);
    else if (!job_divide_into_rows(job))
        return false;
    job->rows = rows_of(&job->input.array, job->options.axis);
    return true;
}

/* Checks that there are as many keys as are to be selected. Those of a raw stream are not counted yet. */
static bool can_select(const struct job *job)
{
    return job->options.selection == SELECTION_NONE ||
           (job->is_stream && job->input.header == NULL && job->options.row_length == 0) ||
           selection_is_possible(job);
}

/* Returns how many elements are sorted by a call of the library. */
static size_t sorted_elements(const struct job *job)
{
    const struct external_plan *plan = &job->external;

    return plan->candidates > 0                                          ? plan->candidates
           : plan->is_counted                                            ? 1 << 16
           : plan->row_elements > 0 && job->segments.form != CLSORT_ROWS ? plan->row_elements
                                                                         : plan->run_elements;
}

/* Returns whether the candidates of a selection are sorted without a device: if clsort_host would sort as few elements
 * in the calling thread anyway. */
static bool selects_on_host(struct job *job)
{
    uint64_t missing;

    if (job->options.selection == SELECTION_NONE || device_is_named(job->options.device) ||
        job->options.algorithm != NULL)
        return false;
    job->device = (struct device){.cause = HOST_FIRST};
    return find_plan(job, &missing) && job->external.candidates > 0 &&
           job->external.candidates <= SETUP_MAX_HOST_COUNT;
}

static bool open_device(struct job *job)
{
    const char *name = job->options.device;

    if (selects_on_host(job))
        return true;
    const bool is_required = device_is_named(name) || job->options.custom.less != NULL;
    bool is_test;
    const bool is_short = buffer_memory(job, &is_test) < MIN_DEVICE_MEMORY && !is_test &&
                          job->options.algorithm == NULL;
    /* Drivers abort if they exceed limits on addresses. */
    if (is_required || (memory_left().address_space == UINT64_MAX && !is_short))
        return prepare_open_device(job);
    job->device = (struct device){.cause = HOST_NO_MEMORY};
    return true;
}

bool large_prepare(struct job *job, struct stats *stats)
{
    *stats = (struct stats){.device = NULL};
    bool is_test;

    if (!count_elements(job) || !can_select(job) ||
        !large_resume_check(job, buffer_memory(job, &is_test)))
        return false;
    progress_compiling();
    job->desc.operation = CLSORT_SORT; /* of the candidates of a selection */
    job->desc.max_k = 0;
    if (job->options.argsort)
        large_indexes_describe(job);
    if (!open_device(job))
        return false;
    stats->setup_s = stats_lap();
    setup_host_first(&job->device, job->options.device, &job->desc, job->count, job->count, stats);
    if (job->device.engine != NULL && (job->indexed.size == 0 || job->indexed.is_packed))
        segments_join_rows(job);
    if (!large_order_open(job))
        return false;
    /* The programs are compiled before the memory is divided, so that the driver has taken its own. The first plan
     * shows for how many elements. */
    for (int i = 0; i < 2; i++) {
        if (!make_plan(job))
            return false;
        job->pieces = (struct pieces){sorted_elements(job), (size_t)job->external.run_count};
        if (!prepare_describe(job))
            return false;
    }
    stats->setup_s += stats_lap();
    setup_add_times(&job->device, stats);
    return true;
}

/* -- the sort ---------------------------------------------------------------------------------- */

/* Sets the folders of temporary files: those of the options, else that of the output, else $TMPDIR. *folder:
 * that of the output, NULL if it has none; the caller frees it. Returns their number, 0 if memory runs out. */
static size_t set_folders(const struct job *job, const char *folders[MAX_FOLDERS], char **folder)
{
    const char *temporary = getenv("TMPDIR");

    *folder = job->output.target == NULL ? NULL : folder_of(job->output.target);
    if (job->output.target != NULL && *folder == NULL) {
        print_error(job->output.name, "out of memory");
        return 0;
    }
    if (job->options.resume != NULL) {
        folders[0] = job->options.resume;
        return 1;
    }
    if (job->options.folder_count > 0) {
        memcpy(folders, job->options.folders, job->options.folder_count * sizeof *folders);
        return job->options.folder_count;
    }
    folders[0] = *folder != NULL                           ? *folder
                 : temporary != NULL && *temporary != '\0' ? temporary
                                                           : DEFAULT_FOLDER;
    return 1;
}

void large_explain(const struct job *job)
{
    const struct external_plan *plan = &job->external;

    if (plan->candidates > 0)
        printf("external selects from %zu candidates at a time: 1 pass\n", plan->candidates);
    else if (plan->row_elements > 0)
        printf("external sorts %zu rows at a time: 1 pass\n",
               plan->run_elements / plan->row_elements);
    else if (plan->is_counted)
        printf("external counts keys: 1 pass\n");
    else if (plan->is_merge)
        printf("external %" PRIu64 " files in order, merged up to %zu at a time: %u passes\n",
               plan->run_count, plan->fan_in, plan->passes);
    else
        printf("external %" PRIu64 " runs of %zu elements, merged up to %zu at a time: %u passes\n",
               plan->run_count, plan->run_elements, plan->fan_in, plan->passes);
    printf("bytes    %" PRIu64 " to read and write at most\n", plan->bytes_moved);
    printf("disk     %" PRIu64 " bytes of temporary files, which %s\n",
           plan->disk + plan->merge_disk,
           job->options.resume != NULL ? "are kept until the output is complete"
                                       : "shrink if the output needs their space");
    if (plan->compression != CODEC_NONE)
        printf("compress %s%s\n", codec_name(plan->compression),
               job->options.compress_sampled ? ", where samples get smaller by an eighth" : "");
}

/* Returns the description of the input. order: that of large_order. */
static struct external describe_input(const struct job *job, const struct external_order *order)
{
    return (struct external){
        .order = order,
        .request = job->request,
        .plan = job->external,
        .inputs = job->inputs.sources,
        .input_count = job->inputs.count,
        .is_stream = job->is_stream,
        .prefix = job->input.keys,
        .prefix_size = job->is_stream ? job->input.size : 0,
        .progress = progress_add,
        .begin_phase = progress_continue,
    };
}

/* Returns how many elements --check reads at a time. */
static size_t check_chunk(const struct job *job, size_t size)
{
    bool is_test;
    const uint64_t share = buffer_memory(job, &is_test) / 4;
    const uint64_t bytes = share < MIN_CHECK_CHUNK   ? MIN_CHECK_CHUNK
                           : share > MAX_CHECK_CHUNK ? MAX_CHECK_CHUNK
                                                     : share;

    return bytes / size > 0 ? (size_t)(bytes / size) : 1;
}

/* Checks that a stream that has been read has whole rows. */
static bool has_whole_rows(struct job *job, uint64_t count)
{
    job->count = (size_t)count;
    job->input.array = npy_array_of(job->input.type, count);
    return job_divide_into_rows(job);
}

bool large_check(struct job *job, bool *ordered)
{
    const struct external_order order = large_order(job); /* of keys; rows are not counted yet */
    const size_t chunk = check_chunk(job, order.size);
    unsigned char *pair = malloc(2 * order.size);
    struct external_disorder disorder = {0, pair, pair + order.size};

    if (pair == NULL)
        print_error(job->input.name, "out of memory");
    if (pair == NULL || !count_elements(job)) {
        free(pair);
        return false;
    }
    struct external external = describe_input(job, &order);
    external.is_verified = job->options.sum;
    external.plan.row_elements = job->rows.count > 1 ? job->rows.length : 0;
    progress_phase("checking", job->is_stream ? 0 : job->count * order.size);
    const bool done = external_check(&external, chunk, &disorder) &&
                      (!has_unknown_rows(job) || disorder.at != EXTERNAL_ORDERED ||
                       has_whole_rows(job, external.count));
    *ordered = disorder.at == EXTERNAL_ORDERED;
    if (has_unknown_rows(job))
        assume_rows(job, external.count);
    else if (job->is_stream && job->input.header == NULL)
        job->input.array = npy_array_of(job->input.type, external.count);
    if (done && !*ordered && job->options.fields.count > 0)
        check_print_records(job->input.name, (size_t)disorder.at);
    else if (done && !*ordered)
        check_print(job->input.name, &job->input.array, job->desc.flags, disorder.before,
                    (size_t)disorder.at - 1, disorder.after, (size_t)disorder.at);
    progress_end();
    if (done && job->options.sum)
        print_checksum(stdout, external.count, external.checksum);
    free(pair);
    return done;
}

static bool write_output(void *context, const void *data, size_t size)
{
    return output_write(context, data, size);
}

/* Checks that a .npy file that was a stream had the elements of its header. */
static bool is_complete(const struct job *job, uint64_t count)
{
    if (!job->is_stream || job->input.header == NULL || count == job->input.array.count)
        return true;
    print_error(job->input.name,
                ".npy file has %" PRIu64 " keys, but %" PRIu64 " according to its header", count,
                job->input.array.count);
    return false;
}

/* Checks that a stream had as many keys as were to be selected. */
static bool has_selected(struct job *job, uint64_t count)
{
    if (!job->is_stream || job->options.selection == SELECTION_NONE || job->input.header != NULL ||
        job->options.row_length > 0)
        return true;
    job->input.array = npy_array_of(job->input.type, count);
    return selection_is_possible(job);
}

/* Writes the number of keys of --unique to the header, which is as long as the one that was written first. */
static bool correct_header(struct job *job, uint64_t kept)
{
    char text[NPY_MAX_HEADER_SIZE];
    size_t size;

    if (!job->options.unique || job->input.header == NULL)
        return true;
    const void *header = header_of_output(job, kept, text, &size);
    if (lseek(job->output.fd, 0, SEEK_SET) == 0)
        return output_write(&job->output, header, size);
    print_errno(job->output.name);
    return false;
}

bool large_sort(struct job *job, struct stats *stats)
{
    const struct options *options = &job->options;
    const struct external_order order = large_order(job);
    const char *folders[MAX_FOLDERS];
    char *folder;
    const size_t folder_count = set_folders(job, folders, &folder);
    char header[NPY_MAX_HEADER_SIZE];

    struct external external = describe_input(job, &order);
    external.output_name = job->output.name;
    external.output_folder = folder;
    external.output = job->output.target == NULL ? -1 : job->output.fd;
    external.write = write_output;
    external.context = &job->output;
    external.header = header_of_output(job, job->count, header, &external.header_size);
    external.folders = folders;
    external.folder_count = folder_count;
    external.resume = options->resume != NULL && job->external.disk > 0 ? &job->resume : NULL;
    external.is_sampled = options->compress_sampled;
    external.is_verified = !options->no_verify;
    external.is_summed = options->sum;
    external.is_unique = options->unique;
    progress_phase("sorting", 0); /* the phases of the engine continue it */
    bool done = folder_count > 0 && external_sort(&external) && is_complete(job, external.count) &&
                has_selected(job, external.count) && correct_header(job, external.kept);
    done = large_order_check(job) && done;
    progress_wait_for_disk();
    stats->report = external.report;
    job->count = (size_t)external.count;
    job->unique_count = (size_t)external.kept;
    job->checksum = external.checksum;
    free(folder);
    return done;
}
