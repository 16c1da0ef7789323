/* selection.c - --top, --bottom and --nth: selects the first elements of each row or segment, or one of them */
#include "selection.h"

#include "elements.h"
#include "indexes.h"
#include "linux.h"
#include "print.h"
#include "segments.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* -- the output -------------------------------------------------------------------------------- */

/* Returns the number of elements that are selected from each row. */
static size_t selected_length(const struct options *options)
{
    return options->selection == SELECTION_NTH ? 1 : (size_t)options->k;
}

/* Returns the number that is selected from a segment of this length: all if it is shorter. */
static size_t selected_from(const struct options *options, size_t length)
{
    const size_t selected = selected_length(options);

    return selected < length ? selected : length;
}

/* Returns the number of elements that are selected from all segments. */
static size_t selected_from_segments(const struct job *job)
{
    const struct segments *segments = &job->segments;
    size_t total = 0;

    for (size_t i = 0; i < segments->count; i++)
        total += selected_from(&job->options, segments_length(segments, i));
    return total;
}

/* Checks that each segment has the key of --nth. */
static bool have_nth(const struct job *job)
{
    const struct segments *segments = &job->segments;
    const uint64_t n = job->options.k;

    for (size_t i = 0; i < segments->count; i++)
        if (segments_length(segments, i) <= n) {
            print_error(job->input.name,
                        "--nth=%" PRIu64 ": segment %zu has %zu keys, which are counted from 0", n,
                        i, segments_length(segments, i));
            return false;
        }
    return true;
}

bool selection_is_possible(const struct job *job)
{
    const struct options *options = &job->options;
    const struct npy_array *array = &job->input.array;
    const uint64_t length = array->shape[rows_axis_index(array, options->axis)];
    const bool is_nth = options->selection == SELECTION_NTH;

    if (job->segments.form == CLSORT_OFFSETS)
        return !is_nth || have_nth(job);
    if (is_nth ? options->k < length : options->k <= length)
        return true;
    print_error(job->input.name, "--%s=%" PRIu64 ": %s has %" PRIu64 " keys%s",
                selection_name(options->selection), options->k,
                array->dimensions > 1 ? "each row" : "the input", length,
                is_nth ? ", which are counted from 0" : "");
    return false;
}

/* Returns the rows of the output. The elements of all segments are one row. */
static struct rows output_rows(const struct job *job)
{
    struct rows rows = job->rows;

    if (job->segments.form == CLSORT_OFFSETS)
        rows.length = selected_from_segments(job);
    else
        rows.length = rows.length > 0 ? selected_length(&job->options) : 0;
    return rows;
}

struct npy_array selection_array(const struct job *job)
{
    const struct rows rows = output_rows(job);
    struct npy_array array = job->input.array;

    array.shape[rows_axis_index(&array, job->options.axis)] =
        job->segments.form == CLSORT_OFFSETS ? rows.length : selected_length(&job->options);
    array.count = rows.count * rows.length;
    return array;
}

/* Returns the bytes per element of the output in memory. */
static size_t element_size(const struct job *job)
{
    return job->rows.index_size > 0 ? job->rows.index_size : job->rows.key_size;
}

size_t selection_size(const struct job *job)
{
    const struct rows rows = output_rows(job);

    return rows.count * rows.length * element_size(job);
}

bool selection_allocate(struct job *job)
{
    const size_t bytes = selection_size(job);

    job->selected_size = bytes > 0 ? bytes : 1; /* mappings are not empty */
    job->selected = linux_enlarge(NULL, 0, job->selected_size);
    if (job->selected == NULL)
        print_error(job->input.name, "out of memory: the system does not provide %zu bytes", bytes);
    return job->selected != NULL;
}

void selection_free(struct job *job)
{
    if (job->selected != NULL)
        munmap(job->selected, job->selected_size);
    job->selected = NULL;
}

/* -- selections -------------------------------------------------------------------------------- */

/* Selects k of some adjacent keys, or the k-th one. The output is keys or, with --argsort, indexes. */
static clsort_status select_keys(const struct job *job, size_t length, const void *keys, size_t k,
                                 void *out)
{
    const bool has_indexes = job->rows.index_size > 0;

    return clsort_host_select(job->device.engine, NULL, &job->desc, length, keys, NULL, k,
                              has_indexes ? NULL : out, NULL, has_indexes ? out : NULL);
}

/* What select_row needs. */
struct state {
    struct job *job;
    struct rows to; /* of the output */
    size_t size;    /* bytes per element of the output */
    char *buffer;   /* the output of a row whose elements are not adjacent there; otherwise NULL */
};

static clsort_status select_row(void *context, const struct row *row)
{
    const struct state *state = context;
    const struct job *job = state->job;
    const struct rows *to = &state->to;
    const size_t size = state->size;
    char *selected = job->selected;
    char *const out =
        state->buffer != NULL ? state->buffer : selected + row->number * to->length * size;
    const clsort_status status =
        select_keys(job, job->rows.length, row->keys, (size_t)job->options.k, out);

    for (size_t i = 0; i < to->length && state->buffer != NULL && status == CLSORT_OK; i++)
        memcpy(selected + rows_key(to, row->number, i) * size, out + i * size, size);
    return status;
}

static clsort_status select_rows(struct job *job, const struct rows *to)
{
    struct rows from = job->rows;
    struct state state = {.job = job, .to = *to, .size = element_size(job)};

    from.index_size = 0; /* rows are only read */
    if (to->inner > 1 && (state.buffer = malloc(to->length * state.size)) == NULL)
        return CLSORT_E_MEMORY;
    const clsort_status status =
        rows_visit(&from, job->input.keys, NULL, false, select_row, &state);
    free(state.buffer);
    return status;
}

/* Indexes are those in the whole array. */
static clsort_status select_segments(struct job *job)
{
    const struct segments *segments = &job->segments;
    const struct options *options = &job->options;
    const char *keys = (const char *)job->input.keys;
    const size_t size = element_size(job);
    char *out = job->selected;
    clsort_status status = CLSORT_OK;

    for (size_t i = 0; i < segments->count && status == CLSORT_OK; i++) {
        const size_t begin = segments_offset(segments, i), length = segments_length(segments, i);
        const size_t selected = selected_from(options, length);

        if (selected == 0)
            continue;
        status =
            select_keys(job, length, keys + begin * job->rows.key_size,
                        options->selection == SELECTION_NTH ? (size_t)options->k : selected, out);
        if (status == CLSORT_OK && job->rows.index_size > 0)
            indexes_add(out, size, selected, begin);
        out += selected * size;
    }
    return status;
}

bool selection_run(struct job *job)
{
    const struct input *input = &job->input;
    const struct rows to = output_rows(job);

    if (to.length == 0)
        return true;
    elements_to_keys(&input->array, job->desc.flags, input->keys, job->count);
    const clsort_status status =
        job->segments.form == CLSORT_OFFSETS ? select_segments(job) : select_rows(job, &to);
    if (status != CLSORT_OK)
        job_print_status(job, status);
    else if (job->rows.index_size == 0)
        elements_from_keys(&input->array, job->desc.flags, job->selected, to.count * to.length);
    return status == CLSORT_OK;
}

void selection_explain(const struct job *job)
{
    const struct options *options = &job->options;
    const char *what = options->argsort ? "indexes of 8 bytes of " : "";
    const char *rows = job->segments.form == CLSORT_OFFSETS ? " of each segment"
                       : job->rows.count > 1                ? " of each row"
                                                            : "";

    if (options->selection == SELECTION_NTH)
        printf("output   %skey %" PRIu64 " in %s order%s\n", what, options->k,
               options->flags & CLSORT_DESCENDING ? "descending" : "ascending", rows);
    else
        printf("output   %sthe %" PRIu64 " %s keys%s\n", what, options->k,
               options->selection == SELECTION_TOP ? "largest" : "smallest", rows);
}
