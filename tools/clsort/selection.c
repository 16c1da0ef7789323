/* selection.c - --top, --bottom and --nth: selects the first elements of each row, or one of them */
#include "selection.h"

#include "elements.h"
#include "linux.h"
#include "print.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Returns the number of elements that are selected from each row. */
static size_t selected_length(const struct options *options)
{
    return options->selection == SELECTION_NTH ? 1 : (size_t)options->k;
}

bool selection_is_possible(const struct job *job)
{
    const struct options *options = &job->options;
    const struct npy_array *array = &job->input.array;
    const uint64_t length = array->shape[rows_axis_index(array, options->axis)];
    const bool is_nth = options->selection == SELECTION_NTH;

    if (is_nth ? options->k < length : options->k <= length)
        return true;
    print_error(job->input.name, "--%s=%" PRIu64 ": %s has %" PRIu64 " keys%s",
                selection_name(options->selection), options->k,
                array->dimensions > 1 ? "each row" : "the input", length,
                is_nth ? ", which are counted from 0" : "");
    return false;
}

/* Returns the rows of the output. */
static struct rows output_rows(const struct job *job)
{
    struct rows rows = job->rows;

    rows.length = rows.length > 0 ? selected_length(&job->options) : 0;
    return rows;
}

struct npy_array selection_array(const struct job *job)
{
    struct npy_array array = job->input.array;

    array.shape[rows_axis_index(&array, job->options.axis)] = selected_length(&job->options);
    array.count = output_rows(job).count * output_rows(job).length;
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
    const bool has_indexes = job->rows.index_size > 0;
    const clsort_status status = clsort_host_select(
        job->device.engine, NULL, &job->desc, job->rows.length, row->keys, NULL,
        (size_t)job->options.k, has_indexes ? NULL : out, NULL, has_indexes ? out : NULL);

    for (size_t i = 0; i < to->length && state->buffer != NULL && status == CLSORT_OK; i++)
        memcpy(selected + rows_key(to, row->number, i) * size, out + i * size, size);
    return status;
}

bool selection_run(struct job *job)
{
    const struct input *input = &job->input;
    const struct rows to = output_rows(job);
    struct rows from = job->rows;
    struct state state = {.job = job, .to = to};
    clsort_status status = CLSORT_OK;

    from.index_size = 0; /* rows are only read */
    state.size = element_size(job);
    if (to.length == 0)
        return true;
    if (to.inner > 1 && (state.buffer = malloc(to.length * state.size)) == NULL)
        status = CLSORT_E_MEMORY;
    if (status == CLSORT_OK) {
        elements_to_keys(&input->array, job->desc.flags, input->keys, job->count);
        status = rows_visit(&from, input->keys, NULL, false, select_row, &state);
    }
    free(state.buffer);
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
    const char *rows = job->rows.count > 1 ? " of each row" : "";

    if (options->selection == SELECTION_NTH)
        printf("output   %skey %" PRIu64 " in %s order%s\n", what, options->k,
               job->desc.flags & CLSORT_DESCENDING ? "descending" : "ascending", rows);
    else
        printf("output   %sthe %" PRIu64 " %s keys%s\n", what, options->k,
               options->selection == SELECTION_TOP ? "largest" : "smallest", rows);
}
