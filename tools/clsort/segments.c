/* segments.c - --segments, and short rows, which are sorted in one call */
#include "segments.h"

#include "bits.h"
#include "elements.h"
#include "indexes.h"
#include "job.h"
#include "print.h"
#include "setup.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* -- the file of offsets ----------------------------------------------------------------------- */

/* Opens the file and determines its type. Offsets in raw files have 64 bits, or with the prefix u32:
 * 32 bits. */
static bool open_offsets(struct input *file, const char *argument)
{
    static const char narrow[] = "u32:";
    const size_t length = sizeof narrow - 1;
    const bool is_narrow = strncmp(argument, narrow, length) == 0;
    const struct npy_array *array = &file->array;

    if (!input_open(file, is_narrow ? argument + length : argument) ||
        !input_begin_any(file, data_type_of(is_narrow ? CLSORT_U32 : CLSORT_U64)))
        return false;
    if (file->type->size < sizeof(uint32_t) || data_type_is_float(file->type) || array->is_time) {
        print_error(file->name, "offsets are integers of 32 or 64 bits, but the dtype is %s",
                    array->descr);
        return false;
    }
    if (array->dimensions == 1)
        return true;
    print_error(file->name, "offsets need one dimension, but the array has %u", array->dimensions);
    return false;
}

/* Copies the offsets to job->segments, in the size that the sort wants, if they are in order and within
 * the array. */
static bool take_offsets(struct job *job, const struct input *file, size_t number)
{
    struct segments *segments = &job->segments;
    const size_t size = file->type->size;
    const bool is_signed = file->type->key == CLSORT_I32 || file->type->key == CLSORT_I64;
    uint64_t last = 0;

    for (size_t i = 0; i < number; i++) {
        const uint64_t offset = bits_load(file->keys + i * size, size);

        if ((is_signed && offset & bits_sign(file->type)) || offset > job->count) {
            print_error(file->name, "offset %zu is %s the keys, of which there are %zu", i,
                        offset > job->count && !is_signed ? "behind" : "outside", job->count);
            return false;
        }
        if (offset < last) {
            print_error(file->name,
                        "offset %zu is %" PRIu64 ", less than the one before it, %" PRIu64, i,
                        offset, last);
            return false;
        }
        indexes_narrow((char *)segments->offsets + i * segments->offset_size, segments->offset_size,
                       &offset, 1);
        last = offset;
    }
    return true;
}

static bool read_offsets(struct job *job, struct input *file)
{
    struct segments *segments = &job->segments;
    size_t number;

    if (!open_offsets(file, job->options.segments) || !input_read(file, &number))
        return false;
    if (number == 0) {
        print_error(file->name, "there are no offsets: one more than there are segments is needed");
        return false;
    }
    elements_to_keys(&file->array, 0, file->keys, number);
    segments->count = number - 1;
    segments->offset_size = job->count <= UINT32_MAX ? sizeof(uint32_t) : sizeof(uint64_t);
    segments->offsets = malloc(number * segments->offset_size);
    if (segments->offsets == NULL) {
        print_error(file->name, "out of memory");
        return false;
    }
    return take_offsets(job, file, number);
}

bool segments_read(struct job *job)
{
    struct input file = {.fd = -1};

    if (job->options.segments == NULL)
        return true;
    if (job->input.array.dimensions != 1) {
        print_error(job->input.name,
                    "--segments divides an array of one dimension, but this one has %u",
                    job->input.array.dimensions);
        return false;
    }
    const bool done = read_offsets(job, &file);
    input_close(&file);
    job->segments.form = CLSORT_OFFSETS;
    if (job->options.selection == SELECTION_NONE) /* else a call for each segment */
        job->desc.segments = CLSORT_OFFSETS;
    job->desc.index_size = (uint32_t)job->segments.offset_size;
    if (job->options.argsort)
        job->rows.index_size = job->segments.offset_size;
    return done;
}

void segments_free(struct job *job)
{
    free(job->segments.offsets);
    job->segments.offsets = NULL;
}

size_t segments_offset(const struct segments *segments, size_t i)
{
    const size_t size = segments->offset_size;

    return (size_t)bits_load((const char *)segments->offsets + i * size, size);
}

size_t segments_length(const struct segments *segments, size_t i)
{
    return segments_offset(segments, i + 1) - segments_offset(segments, i);
}

size_t segments_max_length(const struct segments *segments)
{
    size_t max = 0;

    for (size_t i = 0; i < segments->count; i++) {
        const size_t length = segments_length(segments, i);

        max = length > max ? length : max;
    }
    return max;
}

/* -- rows -------------------------------------------------------------------------------------- */

void segments_join_rows(struct job *job)
{
    const struct rows *rows = &job->rows;

    if (job->segments.form != CLSORT_WHOLE || job->options.selection != SELECTION_NONE ||
        job->options.algorithm != NULL || rows->count == 1 || rows->inner > 1 ||
        rows->length > SETUP_MAX_HOST_COUNT || job->count <= SETUP_MAX_HOST_COUNT ||
        (rows->index_size == sizeof(uint32_t) && job->count - 1 > UINT32_MAX))
        return;
    job->segments = (struct segments){.form = CLSORT_ROWS, .count = rows->count};
    job->desc.segments = CLSORT_ROWS;
}

void segments_part_rows(struct job *job)
{
    job->segments = (struct segments){.form = CLSORT_WHOLE};
    job->desc.segments = CLSORT_WHOLE;
}

struct rows segments_rows(const struct job *job)
{
    struct rows rows = job->rows;

    if (job->segments.form == CLSORT_WHOLE)
        return rows;
    rows.count = 1;
    rows.length =
        job->options.selection == SELECTION_NONE ? job->count : segments_max_length(&job->segments);
    return rows;
}

/* -- sorts ------------------------------------------------------------------------------------- */

/* Makes the index of each element its own one, which elements in no segment keep. */
static void number_elements(const struct job *job)
{
    const size_t size = job->rows.index_size;

    for (uint64_t i = 0; i < job->count; i++)
        indexes_narrow((char *)job->indexes + i * size, size, &i, 1);
}

/* Changes indexes in the array to indexes in the rows. */
static void subtract_begins(const struct job *job)
{
    const size_t size = job->rows.index_size, length = job->rows.length;

    for (size_t i = 0; i < job->count; i += length)
        indexes_add((char *)job->indexes + i * size, size, length, 0 - (uint64_t)i);
}

clsort_status segments_sort(struct job *job)
{
    const struct segments *segments = &job->segments;
    uint64_t clamped;

    if (job->indexes != NULL && segments->form == CLSORT_OFFSETS)
        number_elements(job);
    const clsort_status status =
        clsort_host_segments(job->device.engine, NULL, &job->desc, job->count, job->input.keys,
                             job->indexes, segments->count, segments->offsets, NULL, &clamped);
    if (status == CLSORT_OK && job->indexes != NULL && segments->form == CLSORT_ROWS)
        subtract_begins(job);
    return status;
}
