/* job.c - steps of a run of clsort that several modes share */
#include "job.h"

#include "print.h"

void job_print_status(const struct job *job, clsort_status status)
{
    bool names = job->options.algorithm != NULL &&
                 (status == CLSORT_E_ALGORITHM || status == CLSORT_E_UNSUPPORTED);

    if (status == CLSORT_E_ARGUMENT && job->options.algorithm != NULL && job->device.engine == NULL)
        print_error("--algorithm", "%s: the host does not run algorithms of OpenCL devices",
                    job->options.algorithm);
    else
        device_print_error(names ? "--algorithm" : job->input.name, status);
}

bool job_read_input(struct job *job)
{
    struct input *input = &job->input;
    /* Limits leave the driver other memory if the keys are there, so that they are read anyway. */
    const bool counts = job->options.mode == MODE_EXPLAIN && !job->in_limits;

    if (!(counts ? input_count(input, &job->count) : input_read(input, &job->count)))
        return false;
    job->rows = rows_of(&input->array, job->options.axis);
    return true;
}
