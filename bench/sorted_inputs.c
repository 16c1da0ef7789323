/* sorted_inputs.c - sorts the inputs of operations that need them in order */
#include "sorted_inputs.h"

#include "last_error.h"

#include <err.h>

/* Sorts by clsort_host, which is the fastest way, and checks the order by code that does not depend
 * on the library. */
static bool sort_input(const struct job *job, const char *name, size_t first, size_t count)
{
    const struct data_type *type = job->spec.type;
    void *keys = (unsigned char *)job->keys + first * type->size;
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.key = type->key;
    const clsort_status status = clsort_host(job->target->engine, NULL, &desc, count, keys, NULL);
    char text[LAST_ERROR_SIZE];
    if (status != CLSORT_OK)
        warnx("the %s input of %zu keys could not be sorted: %s", name, count,
              last_error(status, text));
    else if (data_disorder(type, 0, keys, count) != count)
        warnx("clsort_host sorted the %s input of %zu keys wrongly", name, count);
    else
        return true;
    return false;
}

bool sorted_inputs_make(const struct job *job)
{
    const size_t first = job_first_count(job);
    const bool done =
        sort_input(job, "first", 0, first) && sort_input(job, "second", first, job->second_count);
    clsort_engine_trim(job->target->engine, 0); /* memory that the operation may need */
    return done;
}
