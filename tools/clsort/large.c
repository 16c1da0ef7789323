/* large.c - files that are larger than the memory limit: the external sort of clsort */
#include "large.h"

#include "check.h"
#include "elements.h"
#include "external.h"
#include "io.h"
#include "memory.h"
#include "prepare.h"
#include "print.h"
#include "progress.h"
#include "records.h"
#include "setup.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A sort in memory takes up to four times the size of the file, with the driver. */
enum { IN_MEMORY_FACTOR = 4 };

enum { CHECK_CHUNK = 8 << 20 /* bytes that --check reads at a time */ };

static const char DEFAULT_FOLDER[] = "/var/tmp"; /* /tmp may be in memory */

/* -- the choice -------------------------------------------------------------------------------- */

/* Returns the bytes of the elements; 0 if they are unknown, as in pipes. */
static uint64_t elements_size(const struct input *input)
{
    return input->remaining > input->header_size ? input->remaining - input->header_size : 0;
}

/* Returns what prevents an external sort, or NULL. */
static const char *obstacle(const struct job *job)
{
    const struct options *options = &job->options;
    const struct npy_array *array = &job->input.array;

    if (options->selection != SELECTION_NONE)
        return "--top, --bottom and --nth select in memory only";
    if (options->argsort)
        return "--argsort sorts in memory only";
    if (options->row_length > 0)
        return "--rows sorts in memory only";
    if (options->segments != NULL)
        return "--segments sorts in memory only";
    if (array->dimensions > 1)
        return "an array of several dimensions is sorted along an axis in memory only; --axis=none "
               "flattens it";
    if (options->unique && job->input.header != NULL)
        return "--unique of .npy files sorts in memory only";
    return NULL;
}

bool large_choose(const struct job *job, bool *is_large)
{
    const uint64_t size = elements_size(&job->input), limit = job->options.buffer_size;
    const struct memory left = memory_left();
    const char *why = obstacle(job);

    *is_large = limit > 0                          ? size > limit / IN_MEMORY_FACTOR
                : left.address_space != UINT64_MAX ? false /* prepare_in_limits finds what fits */
                                                   : size > left.ram / 2;
    if (!*is_large || why == NULL)
        return true;
    *is_large = false; /* without a limit, the sort in memory may fit nevertheless */
    if (limit == 0)
        return true;
    print_error(job->input.name,
                "%s, which would exceed the %" PRIu64
                " bytes of --buffer-size; give at least %" PRIu64,
                why, limit, IN_MEMORY_FACTOR * size);
    return false;
}

/* -- the elements ------------------------------------------------------------------------------ */

static bool sort_elements(void *context, void *elements, size_t count)
{
    const struct job *job = context;
    const clsort_status status =
        clsort_host(job->device.engine, NULL, &job->desc, count, elements, NULL);

    if (status != CLSORT_OK)
        job_print_status(job, status);
    return status == CLSORT_OK;
}

static int compare_keys(const void *context, const void *a, const void *b)
{
    const struct job *job = context;
    const uint64_t x = data_order(job->input.type, job->desc.flags, a);
    const uint64_t y = data_order(job->input.type, job->desc.flags, b);

    return (x > y) - (x < y);
}

static size_t find_disorder_of_keys(const void *context, const void *keys, size_t count)
{
    const struct job *job = context;

    return data_disorder(job->input.type, job->desc.flags, keys, count);
}

static uint64_t sum_keys(const void *context, const void *keys, size_t count)
{
    const struct job *job = context;

    return data_checksum(keys, job->input.type->size, count);
}

static int compare_records(const void *context, const void *a, const void *b)
{
    const struct job *job = context;

    return fields_compare(&job->options.fields, a, b);
}

static size_t find_disorder_of_records(const void *context, const void *records, size_t count)
{
    const struct job *job = context;

    return fields_disorder(&job->options.fields, records, count);
}

static uint64_t sum_records(const void *context, const void *records, size_t count)
{
    const struct job *job = context;

    return records_checksum(records, job->options.fields.record_size, count);
}

static void decode(const void *context, void *elements, size_t count)
{
    const struct job *job = context;

    elements_to_keys(&job->input.array, job->desc.flags, elements, count);
}

static void encode(const void *context, void *elements, size_t count)
{
    const struct job *job = context;

    elements_from_keys(&job->input.array, job->desc.flags, elements, count);
}

static struct external_order order_of(struct job *job)
{
    const bool has_records = job->options.fields.count > 0;

    return (struct external_order){
        .size = has_records ? job->options.fields.record_size : job->input.type->size,
        .context = job,
        .sort = sort_elements,
        .compare = has_records ? compare_records : compare_keys,
        .disorder = has_records ? find_disorder_of_records : find_disorder_of_keys,
        .checksum = has_records ? sum_records : sum_keys,
        .decode = decode,
        .encode = encode,
    };
}

/* -- the plan ---------------------------------------------------------------------------------- */

/* Returns the memory that the buffers of the sort may take: what is left of the limit after the process and the driver
 * have taken theirs. $CLSORT_EXTERNAL_MEMORY replaces it, for tests. */
static uint64_t buffer_memory(const struct job *job, bool *is_test)
{
    const char *text = getenv("CLSORT_EXTERNAL_MEMORY");
    const struct memory left = memory_left();
    const uint64_t limit =
        job->options.buffer_size > 0 ? job->options.buffer_size : memory_unswapped(&left) / 2;
    const uint64_t used = memory_resident();

    *is_test = text != NULL && *text != '\0';
    if (*is_test)
        return strtoull(text, NULL, 10);
    return limit > used ? limit - used : 0;
}

static bool make_plan(struct job *job)
{
    const bool has_records = job->options.fields.count > 0;
    const size_t size = order_of(job).size;
    const struct pieces_cost cost =
        has_records ? pieces_cost_of_records(&job->device, size, 0)
                    : pieces_cost_of_keys(&job->device, size, 0, job->desc.flags);
    bool is_test;
    struct external_request request = {
        .size = size,
        .count = job->count,
        .memory = buffer_memory(job, &is_test),
        .scratch_fixed = cost.fixed,
        .scratch_per_byte = cost.per_element / (double)size,
        .is_counted = !has_records && size <= 2 && !(job->desc.flags & CLSORT_FLOAT_NUMERIC),
        .compression = job->options.compression,
    };
    uint64_t needed;

    request.scratch_fixed =
        is_test ? 0 : request.scratch_fixed + codec_memory(request.compression, IO_WORKERS);
    if (external_plan_make(&job->external, &request, &needed))
        return true;
    print_error(job->input.name,
                "out of memory: sorting in runs needs %" PRIu64
                " bytes more than --buffer-size, or half "
                "of the available memory, leaves",
                needed - request.memory);
    return false;
}

/* Counts the elements. */
static bool count_elements(struct job *job)
{
    if (!input_count(&job->input, &job->count))
        return false;
    job->rows = rows_of(&job->input.array, -1);
    return true;
}

bool large_prepare(struct job *job, struct stats *stats)
{
    const bool in_limits = memory_left().address_space != UINT64_MAX;

    *stats = (struct stats){.device = NULL};
    progress_compiling();
    if (in_limits &&
        !device_is_named(job->options.device)) /* drivers abort if they exceed limits */
        job->device = (struct device){.cause = HOST_NO_MEMORY};
    else if (!device_open_or_host(&job->device, job->options.device))
        return false;
    stats->setup_s = stats_lap();
    if (!count_elements(job))
        return false;
    setup_host_first(&job->device, job->options.device, &job->desc, job->count, job->count, stats);
    /* The programs are compiled before the memory is divided, so that the driver has taken its own. The first plan
     * shows for how many elements. */
    for (int i = 0; i < 2; i++) {
        if (!make_plan(job))
            return false;
        job->pieces =
            (struct pieces){job->external.is_counted ? 1 << 16 : job->external.run_elements,
                            (size_t)job->external.run_count};
        if (!prepare_describe(job))
            return false;
    }
    stats->setup_s += stats_lap();
    setup_add_times(&job->device, stats);
    return true;
}

/* -- the sort ---------------------------------------------------------------------------------- */

/* Sets the folders of temporary files: those of --temporary-directory, else that of the output, else $TMPDIR. *folder:
 * that of the output, NULL if it has none; the caller frees it. Returns their number, 0 if memory runs out. */
static size_t set_folders(const struct job *job, const char *folders[MAX_FOLDERS], char **folder)
{
    const char *temporary = getenv("TMPDIR");

    *folder = job->output.target == NULL ? NULL : folder_of(job->output.target);
    if (job->output.target != NULL && *folder == NULL) {
        print_error(job->output.name, "out of memory");
        return 0;
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

    if (plan->is_counted)
        printf("external counts keys: 1 pass\n");
    else
        printf("external %" PRIu64 " runs of %zu elements, merged up to %zu at a time: %u passes\n",
               plan->run_count, plan->run_elements, plan->fan_in, plan->passes);
    printf("bytes    %" PRIu64 " to read and write at most\n", plan->bytes_moved);
    printf("disk     %" PRIu64 " bytes of temporary files, which shrink as the output grows\n",
           plan->disk);
    if (plan->compression != CODEC_NONE)
        printf("compress %s%s\n", codec_name(plan->compression),
               job->options.compress_sampled ? ", where samples get smaller by an eighth" : "");
}

/* Returns the description of the input. order: that of order_of. */
static struct external describe_input(const struct job *job, const struct external_order *order)
{
    return (struct external){
        .order = order,
        .plan = job->external,
        .input_name = job->input.name,
        .input = job->input.fd,
        .input_offset = job->input.start + job->input.header_size,
        .progress = progress_add,
    };
}

bool large_check(struct job *job, bool *ordered)
{
    const struct external_order order = order_of(job);
    const size_t chunk = CHECK_CHUNK / order.size > 0 ? CHECK_CHUNK / order.size : 1;
    unsigned char *pair = malloc(2 * order.size);
    struct external_disorder disorder = {0, pair, pair + order.size};

    if (pair == NULL)
        print_error(job->input.name, "out of memory");
    if (pair == NULL || !count_elements(job)) {
        free(pair);
        return false;
    }
    job->external.count = job->count;
    struct external external = describe_input(job, &order);
    external.is_verified = job->options.sum;
    progress_phase("checking", job->count * order.size);
    const bool done = external_check(&external, chunk, &disorder);
    *ordered = disorder.at == job->count;
    if (done && !*ordered && job->options.fields.count > 0)
        check_print_records(job->input.name, (size_t)disorder.at);
    else if (done && !*ordered)
        check_print(job->input.name, &job->input.array, job->desc.flags, disorder.before,
                    (size_t)disorder.at - 1, disorder.after, (size_t)disorder.at);
    progress_end();
    if (done && job->options.sum)
        print_checksum(stdout, job->count, external.checksum);
    free(pair);
    return done;
}

static bool write_output(void *context, const void *data, size_t size)
{
    return output_write(context, data, size);
}

bool large_sort(struct job *job)
{
    const struct options *options = &job->options;
    const struct external_order order = order_of(job);
    const char *folders[MAX_FOLDERS];
    char *folder;
    const size_t folder_count = set_folders(job, folders, &folder);
    char header[NPY_MAX_HEADER_SIZE];
    const bool is_reshaped = job->input.header != NULL && options->flatten;

    struct external external = describe_input(job, &order);
    external.output_name = job->output.name;
    external.output_folder = folder;
    external.output = job->output.target == NULL ? -1 : job->output.fd;
    external.write = write_output;
    external.context = &job->output;
    external.header = is_reshaped ? header : job->input.header;
    external.header_size =
        is_reshaped ? npy_format(header, &job->input.array) : job->input.header_size;
    external.folders = folders;
    external.folder_count = folder_count;
    external.is_sampled = options->compress_sampled;
    external.is_verified = !options->no_verify;
    external.is_unique = options->unique;
    progress_phase("sorting in runs", job->external.bytes_moved);
    const bool done = folder_count > 0 && external_sort(&external);
    progress_phase("waiting for the disk", 0);
    job->unique_count = (size_t)external.kept;
    job->checksum = external.checksum;
    free(folder);
    return done;
}
