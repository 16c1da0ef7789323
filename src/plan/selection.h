/* selection.h - the plan of CLSORT_SELECT and CLSORT_NTH
 *
 * It consists of the selection (algo/select/), which writes the keys and indexes of the selected
 * elements in the order of the input; of a plan that sorts these, unless they remain in this order, and
 * for many elements of another one that sorts their keys alone, if the caller wants nothing else; and of
 * a plan that gathers the values of the caller, if there are any. For custom orders, a plan
 * of an argsort replaces the selection, and the first elements of its output are copied. */
#ifndef CLSORT_PLAN_SELECTION_H
#define CLSORT_PLAN_SELECTION_H

#include "algo/select/select.h"
#include "plan/selection_parts.h"
#include "plan/tested.h"

struct cls_selection {
    struct cls_select select; /* with values that are indexes */
    struct cls_selection_parts parts;
    struct clsort_plan
        *key_sort; /* sorts the selected keys alone; NULL: they are sorted with their indexes */
    struct clsort_plan *gather; /* NULL: not needed */
    bool partitions;            /* CLSORT_PARTITION: the outputs have all elements */
};

/* Creates a selection: chooses, compiles and tests its kernels. Errors as clsort_plan_create. */
clsort_status cls_selection_create(struct cls_device *device, const struct cls_ladders *ladders,
                                   const struct cls_request *request,
                                   struct cls_selection **selection);

/* Returns whether the kernels of a selection from count elements have not been tested on this device,
 * as far as the verdicts show, and sets the subject of their verdict. Compiles nothing. */
bool cls_selection_is_untested(struct cls_device *device, const struct cls_request *request,
                               uint64_t count, char subject[CLS_TESTED_SUBJECT]);

void cls_selection_destroy(struct cls_selection *selection); /* NULL is allowed */

/* The results of clsort_scratch_size, clsort_cost_bytes and clsort_plan_describe. */
uint64_t cls_selection_scratch_bytes(const struct cls_selection *selection, uint64_t count);
uint64_t cls_selection_cost_bytes(const struct cls_selection *selection, uint64_t count);
void cls_selection_describe(const struct cls_selection *selection, uint64_t count,
                            struct cls_text *text);

/* Enqueues the selection of arrays->selected elements. If scratch.mem is NULL, scratch is allocated
 * for this call. */
cl_int cls_selection_enqueue(const struct cls_device *device, const struct cls_selection *selection,
                             const struct cls_arrays *arrays, clsort_buffer scratch,
                             struct cls_chain *chain);

#endif
