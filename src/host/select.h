/* select.h - selects the first elements in the calling thread
 *
 * The rules are those of CLSORT_SELECT and CLSORT_NTH on a device (algo/select/select.h). */
#ifndef CLSORT_HOST_SELECT_H
#define CLSORT_HOST_SELECT_H

#include "base/spec.h"

#include <clsort.h>

/* The arrays of a selection in host memory. */
struct cls_host_selection {
    size_t count; /* elements of the input */
    size_t k;     /* elements to select, at most count; CLSORT_NTH: the element, from 0 */
    bool is_nth;  /* select only the element k, which is less than count */
    bool
        partitions; /* write all elements, as CLSORT_PARTITION; is_nth is false, k less than count */
    bool input_order; /* do not sort the selected elements */
    unsigned index_bytes;
    const void *keys, *values;
    void *keys_out, *values_out, *index_out; /* NULL: not wanted */
};

/* Returns the number of elements of the outputs. */
static inline size_t cls_host_selected(const struct cls_host_selection *selection)
{
    return selection->is_nth ? 1 : selection->partitions ? selection->count : selection->k;
}

/* Selects elements whose values have spec->value_bytes. The time is linear in the count, whatever the
 * keys are, besides the sort of the selected elements. A custom order is supported only if there is
 * at most one element. The inputs are only read. */
clsort_status cls_host_select(const struct cls_spec *spec,
                              const struct cls_host_selection *selection);

/* Copies the values of `count` elements with these indexes, which have index_bytes. */
void cls_host_gather(const void *values, size_t value_bytes, const void *indexes,
                     unsigned index_bytes, size_t count, void *to);

#endif
