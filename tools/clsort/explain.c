/* explain.c - lines of --explain */
#include "explain.h"

#include "selection.h"

#include <stdio.h>

void explain_elements(const struct job *job)
{
    const struct options *options = &job->options;

    if (options->fields.count > 0)
        printf("records  %zu of %zu bytes\n", job->count, options->fields.record_size);
    else if (options->custom.less != NULL)
        printf("elements %zu of %zu bytes\n", job->count, job->input.type->size);
    else
        printf("keys     %zu %s\n", job->count, job->input.type->name);
    if (options->selection != SELECTION_NONE)
        selection_explain(job);
    else if (options->argsort)
        printf("output   indexes of 8 bytes\n");
    else if (options->unique)
        printf("output   each %s once\n", options->fields.count > 0 ? "record" : "key");
}
