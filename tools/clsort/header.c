/* header.c - the header of the output, if the input has one */
#include "header.h"

#include "selection.h"

const void *header_of_output(const struct job *job, uint64_t kept, char text[NPY_MAX_HEADER_SIZE],
                             size_t *size)
{
    const struct options *options = &job->options;
    const bool selects = options->selection != SELECTION_NONE;
    struct npy_array array = selects ? selection_array(job) : job->input.array;

    *size = job->input.header_size;
    if (job->input.header == NULL || !(selects || options->argsort || options->flatten ||
                                       options->row_length > 0 || job->inputs.is_list))
        return job->input.header;
    if (options->argsort)
        npy_set_type(&array, data_type_of(CLSORT_I64)); /* as numpy.argsort */
    if (options->unique) {
        array.count = kept;
        npy_flatten(&array);
    }
    *size = npy_format(text, &array);
    return text;
}
