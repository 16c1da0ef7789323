/* clsort_adapter.c - functions that the adapters of clsort share */
#include "clsort_adapter.h"

#include "last_error.h"

#include <err.h>
#include <string.h>

bool clsort_peer_has_rows(const struct job *job)
{
    return job->offsets && job->spec.segments == SEGMENTS_EQUAL &&
           job->count % job->spec.segment_length == 0;
}

clsort_desc clsort_peer_describe(const struct job *job, const char *algorithm)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    const struct spec *spec = &job->spec;
    const struct operation_info *operation = operation_of(spec->op);
    if (spec->rows)
        rows_describe(spec->rows, &desc);
    else
        desc.key = spec->type->key;
    desc.flags = (spec->unstable ? CLSORT_UNSTABLE : 0u) |
                 (spec->no_scratch ? CLSORT_NO_SCRATCH : 0u) |
                 (spec->input_order ? CLSORT_INPUT_ORDER : 0u);
    if (operation->has_indexes)
        desc.index_size = (uint32_t)spec->value_size;
    else
        desc.value_size = spec->value_size;
    if (!operation->has_keys)
        desc.index_size = (uint32_t)spec->type->size;
    desc.max_k = spec->op == OP_TOP ? job->k : 0;
    desc.max_count = job->count;
    if (job->offsets) {
        desc.segments = clsort_peer_has_rows(job) ? CLSORT_ROWS : CLSORT_OFFSETS;
        desc.index_size = clsort_peer_has_rows(job) ? 0 : sizeof *job->offsets;
        desc.max_segments = clsort_peer_has_rows(job) ? 0 : job->segment_count;
    }
    desc.algorithm = algorithm;
    desc.operation = operation->in_descriptor;
    if (operation->describe)
        operation->describe(spec->type, &desc);
    return desc;
}

bool clsort_peer_check(const struct job *job, const char *doing, clsort_status status)
{
    if (status == CLSORT_OK)
        return true;
    char text[LAST_ERROR_SIZE];
    warnx("clsort, %s for n = %zu: %s", doing, job->count, last_error(status, text));
    return false;
}

bool clsort_peer_keep_first_word(const struct job *job, clsort_status status, char *text)
{
    if (!clsort_peer_check(job, "description", status))
        return false;
    text[strcspn(text, " ")] = '\0';
    return true;
}
