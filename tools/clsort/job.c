/* job.c - steps of a run of clsort that several modes share */
#include "job.h"

#include "indexes.h"
#include "linux.h"
#include "print.h"
#include "segments.h"

#include <inttypes.h>
#include <sys/mman.h>

void job_print_status(const struct job *job, clsort_status status)
{
    bool names = job->options.algorithm != NULL &&
                 (status == CLSORT_E_ALGORITHM || status == CLSORT_E_UNSUPPORTED);
    const bool is_custom = job->options.custom.less != NULL;

    if (status == CLSORT_E_ARGUMENT && job->options.algorithm != NULL && job->device.engine == NULL)
        print_error("--algorithm", "%s: the host does not run algorithms of OpenCL devices",
                    job->options.algorithm);
    else
        device_print_error(names                                             ? "--algorithm"
                           : is_custom && status == CL_BUILD_PROGRAM_FAILURE ? "--less"
                           : is_custom && status == CLSORT_E_UNSUPPORTED     ? "--key-size"
                                                                             : job->input.name,
                           status);
}

bool job_describe(struct job *job)
{
    const struct options *options = &job->options;

    if (options->flags & CLSORT_FLOAT_NUMERIC && !data_type_is_float(job->input.type)) {
        print_error(job->input.name, "--numeric supports floats only (the key type is %s)",
                    job->input.type->name);
        return false;
    }
    job->desc = (clsort_desc)CLSORT_DESC_INIT;
    job->desc.key = job->input.type->key;
    job->desc.operation = options->selection == SELECTION_NTH    ? CLSORT_NTH
                          : options->selection != SELECTION_NONE ? CLSORT_SELECT
                          : options->argsort                     ? CLSORT_ARGSORT
                                                                 : CLSORT_SORT;
    if (options->fields.count > 0) {
        job->desc.key = ((clsort_desc)CLSORT_DESC_INIT).key; /* the columns have the keys */
        job->desc.record_size = options->fields.record_size;
        job->desc.columns = options->fields.column;
        job->desc.column_count = options->fields.count;
    }
    if (options->custom.less != NULL)
        custom_describe(&options->custom, job->prelude, &job->desc);
    job->desc.flags = options->flags;
    if (options->selection == SELECTION_TOP)
        job->desc.flags |= CLSORT_DESCENDING;
    if (job->desc.operation == CLSORT_SELECT) /* scratch and descriptions depend on it */
        job->desc.max_k = options->k > 0 ? (size_t)options->k : 1;
    job->desc.algorithm = options->algorithm;
    return true;
}

bool job_divide_into_rows(struct job *job)
{
    const uint64_t length = job->options.row_length;

    if (length == 0 || npy_divide(&job->input.array, length))
        return true;
    print_error(job->input.name, "--rows=%" PRIu64 ": the number of keys, %zu, is not a multiple",
                length, job->count);
    return false;
}

bool job_read_input(struct job *job)
{
    struct input *input = &job->input;
    /* Limits leave the driver other memory if the keys are there, so that they are read anyway. */
    const bool counts = job->options.mode == MODE_EXPLAIN && !job->in_limits;

    if (!(counts ? input_count(input, &job->count) : input_read(input, &job->count)))
        return false;
    if (!job_divide_into_rows(job))
        return false;
    job->rows = rows_of(&input->array, job->options.axis);
    const size_t size = indexes_size(job->rows.length);
    if (job->options.argsort)
        job->rows.index_size = size;
    if (job->options.argsort || job->options.selection != SELECTION_NONE)
        job->desc.index_size = (uint32_t)size;
    return segments_read(job);
}

bool job_allocate_indexes(struct job *job)
{
    const size_t size = job->count * job->rows.index_size;

    if (!job->options.argsort || job->options.selection != SELECTION_NONE)
        return true;
    job->indexes_size = size > 0 ? size : 1;                  /* mappings are not empty */
    job->indexes = linux_enlarge(NULL, 0, job->indexes_size); /* page-aligned, as the keys */
    if (job->indexes == NULL)
        print_error(job->input.name, "out of memory: the system does not provide %zu bytes", size);
    return job->indexes != NULL;
}

void job_free_indexes(struct job *job)
{
    if (job->indexes != NULL)
        munmap(job->indexes, job->indexes_size);
    job->indexes = NULL;
}
