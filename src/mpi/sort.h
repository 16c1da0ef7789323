/* sort.h - the steps of a sort over all ranks */
#ifndef CLSORT_MPI_SORT_H
#define CLSORT_MPI_SORT_H

#include "mpi/context.h"
#include "mpi/elements.h"

/* A sort, as this rank sees it. */
struct cls_mpi_sort {
    clsort_mpi *mpi;
    struct cls_mpi_elements elements;
    uint64_t count, out_count;
    struct cls_mpi_arrays
        sorted; /* in mpi->block, which has at least max(count, out_count) elements and one more */
    struct cls_mpi_arrays out;
};

/* Takes memory for sort->sorted. */
clsort_status cls_sort_take_memory(struct cls_mpi_sort *sort);

/* Finds the positions that divide sort->sorted, which has the elements of this rank in order. `status` is that of what
 * this rank has done so far. Returns a status that all ranks agree on. Collective. */
clsort_status cls_sort_divide(struct cls_mpi_sort *sort, clsort_status status);

/* Exchanges the parts, and merges them to sort->out. Returns the status of this rank. Collective. */
clsort_status cls_sort_output(struct cls_mpi_sort *sort);

#endif
