/* large_order.c - the elements of the external sort of clsort: keys, rows or records, and their order */
#include "large_order.h"

#include "elements.h"
#include "records.h"

static bool sort_elements(void *context, void *elements, size_t count)
{
    const struct job *job = context;
    const clsort_status status =
        clsort_host(job->device.engine, NULL, &job->desc, count, elements, NULL);

    if (status != CLSORT_OK)
        job_print_status(job, status);
    return status == CLSORT_OK;
}

/* Sorts some whole rows: all in one call if segments_join_rows found that to be faster. */
static bool sort_rows(void *context, void *keys, size_t count)
{
    const struct job *job = context;
    const size_t length = job->rows.length;
    uint64_t clamped;
    clsort_status status = CLSORT_OK;

    if (job->segments.form == CLSORT_ROWS)
        status = clsort_host_segments(job->device.engine, NULL, &job->desc, count, keys, NULL,
                                      count / length, NULL, NULL, &clamped);
    else
        for (size_t at = 0; at < count && status == CLSORT_OK; at += length)
            status = clsort_host(job->device.engine, NULL, &job->desc, length,
                                 (char *)keys + at * job->rows.key_size, NULL);
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

static size_t find_disorder_of_rows(const void *context, const void *keys, size_t count)
{
    const struct job *job = context;
    const size_t length = job->rows.length;

    for (size_t at = 0; at < count; at += length) {
        const char *row = (const char *)keys + at * job->rows.key_size;
        const size_t disorder = data_disorder(job->input.type, job->desc.flags, row, length);

        if (disorder < length)
            return at + disorder;
    }
    return count;
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

struct external_order large_order(struct job *job)
{
    const bool has_records = job->options.fields.count > 0, has_rows = job->rows.count > 1;

    return (struct external_order){
        .size = has_records ? job->options.fields.record_size : job->input.type->size,
        .context = job,
        .sort = has_rows ? sort_rows : sort_elements,
        .compare = has_records ? compare_records : compare_keys,
        .disorder = has_records ? find_disorder_of_records
                    : has_rows  ? find_disorder_of_rows
                                : find_disorder_of_keys,
        .filter = filter_keys,
        .checksum = has_records ? sum_records : sum_keys,
        .decode = decode,
        .encode = encode,
    };
}
