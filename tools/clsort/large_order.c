/* large_order.c - the elements of the external sort of clsort: keys, rows or records, and their order */
#include "large_order.h"

#include "elements.h"
#include "large_indexes.h"
#include "records.h"

#include <stdlib.h>
#include <string.h>

size_t large_order_size(const struct job *job)
{
    return job->indexed.size > 0 ? job->indexed.size : job->input.type->size;
}

static bool sort_elements(void *context, void *elements, size_t count)
{
    const struct job *job = context;

    if (job->device_order != NULL && job->device_order->status != CLSORT_OK)
        return false; /* large_order_check prints the error */
    const clsort_status status =
        clsort_host(job->device.engine, NULL, &job->desc, count, elements, NULL);

    if (status != CLSORT_OK)
        job_print_status(job, status);
    return status == CLSORT_OK;
}

static void release_memory(void *context)
{
    const struct job *job = context;

    if (job->device.engine != NULL)
        clsort_engine_trim(job->device.engine, 0);
}

/* Sorts some whole rows: all in one call if segments_join_rows found that to be faster. */
static bool sort_rows(void *context, void *elements, size_t count)
{
    struct job *job = context;
    const size_t length = job->rows.length, size = large_order_size(job);
    uint64_t clamped;

    if (job->segments.form != CLSORT_ROWS) {
        bool done = true;

        for (size_t at = 0; at < count && done; at += length)
            done = sort_elements(job, (char *)elements + at * size, length);
        return done;
    }
    const clsort_status status =
        clsort_host_segments(job->device.engine, NULL, &job->desc, count, elements, NULL,
                             count / length, NULL, NULL, &clamped);
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

static size_t filter_keys(const void *context, void *to, const void *keys, size_t count,
                          const void *limit, bool is_from_end)
{
    const struct job *job = context;

    return data_filter(job->input.type, job->desc.flags, to, keys, count, limit, is_from_end);
}

static uint64_t sum_keys(const void *context, const void *keys, size_t count)
{
    const struct job *job = context;

    return data_checksum(keys, job->input.type->size, count);
}

static int compare_custom(const void *context, const void *a, const void *b)
{
    const struct job *job = context;

    return device_order_compare(job->device_order, a, b);
}

static size_t find_disorder_of_custom(const void *context, const void *elements, size_t count)
{
    const struct job *job = context;

    return device_order_disorder(job->device_order, elements, count);
}

static bool has_custom_failed(const void *context)
{
    const struct job *job = context;

    return job->device_order->status != CLSORT_OK;
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

    return records_checksum(records, job->input.type->size, count);
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

/* Returns the order of elements that are in no rows, without its context. */
static struct external_order order_of_elements(const struct job *job)
{
    const bool is_custom = job->options.custom.less != NULL;
    const bool has_records = job->options.fields.count > 0;
    struct external_order order = {
        .size = large_order_size(job),
        .sort = sort_elements,
        .release = release_memory,
        .compare = is_custom     ? compare_custom
                   : has_records ? compare_records
                                 : compare_keys,
        .disorder = is_custom     ? find_disorder_of_custom
                    : has_records ? find_disorder_of_records
                                  : find_disorder_of_keys,
        .has_failed = is_custom ? has_custom_failed : NULL,
        .suspect = is_custom ? "the expression of --less is not a strict weak order, or " : "",
        .filter = filter_keys,
        .checksum = has_records || is_custom ? sum_records : sum_keys,
        .decode = decode,
        .encode = encode,
    };

    if (job->indexed.size > 0)
        large_indexes_order(job, &order);
    return order;
}

static size_t find_disorder_of_rows(const void *context, const void *elements, size_t count)
{
    const struct job *job = context;
    const struct external_order order = order_of_elements(job);
    const size_t length = job->rows.length;

    for (size_t at = 0; at < count; at += length) {
        const char *row = (const char *)elements + at * order.size;
        const size_t disorder = order.disorder(job, row, length);

        if (disorder < length)
            return at + disorder;
    }
    return count;
}

/* Moves the selected elements of each row, or their indexes, to the front. */
static size_t extract(const void *context, void *elements, size_t count)
{
    const struct job *job = context;
    const bool has_rows = job->rows.count > 1;
    const size_t size = large_order_size(job), length = has_rows ? job->rows.length : count;
    const size_t kept = has_rows ? job->external.row_kept : count;
    const bool is_nth = has_rows && job->options.selection == SELECTION_NTH;
    const size_t first = is_nth ? (size_t)job->options.k : 0;
    char *to = elements;

    for (size_t row = 0; row < count; row += length) {
        const char *from = (const char *)elements + (row + first) * size;

        if (job->indexed.size > 0) {
            to += large_indexes_extract(job, to, from, kept);
        } else {
            memmove(to, from, kept * size);
            to += kept * size;
        }
    }
    return (size_t)(to - (char *)elements);
}

bool large_order_open(struct job *job)
{
    clsort_status status = CLSORT_E_MEMORY;

    if (job->options.custom.less == NULL)
        return true;
    job->device_order = calloc(1, sizeof *job->device_order);
    if (job->device_order != NULL)
        status =
            device_order_open(job->device_order, &job->device, &job->desc, large_order_size(job));
    if (status != CLSORT_OK)
        job_print_status(job, status);
    return status == CLSORT_OK;
}

bool large_order_check(const struct job *job)
{
    if (job->device_order == NULL || job->device_order->status == CLSORT_OK)
        return true;
    job_print_status(job, job->device_order->status);
    return false;
}

void large_order_close(struct job *job)
{
    if (job->device_order != NULL)
        device_order_close(job->device_order);
    free(job->device_order);
    job->device_order = NULL;
}

struct external_order large_order(struct job *job)
{
    struct external_order order = order_of_elements(job);
    const bool has_rows = job->rows.count > 1;

    order.context = job;
    if (has_rows) {
        order.sort = sort_rows;
        order.disorder = find_disorder_of_rows;
    }
    if (job->options.argsort || (has_rows && job->options.selection != SELECTION_NONE))
        order.extract = extract;
    return order;
}

bool large_order_has_records(const struct job *job)
{
    return job->options.custom.less == NULL && !job->indexed.is_packed &&
           (job->options.fields.count > 0 || job->indexed.size > 0);
}

struct pieces_cost large_order_cost(const struct job *job)
{
    const size_t size = large_order_size(job);

    return large_order_has_records(job)
               ? pieces_cost_of_records(&job->device, size, 0)
               : pieces_cost_of_keys(&job->device, size, 0, job->desc.flags);
}
