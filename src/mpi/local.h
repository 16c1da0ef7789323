/* local.h - sorts the elements of one rank: on its device, or in the calling thread if that fails */
#ifndef CLSORT_MPI_LOCAL_H
#define CLSORT_MPI_LOCAL_H

#include "mpi/elements.h"

/* Sorts elements to other memory. `from` is only read, so that the calling thread can sort if the device fails. */
clsort_status cls_local_sort(clsort_engine *engine, const struct cls_mpi_elements *elements,
                             uint64_t count, struct cls_mpi_arrays from, struct cls_mpi_arrays to);

/* Sorts elements in place. `copy` has the same elements in the same order, and is only read; it is not used without an
 * engine. */
clsort_status cls_local_sort_in_place(clsort_engine *engine,
                                      const struct cls_mpi_elements *elements, uint64_t count,
                                      struct cls_mpi_arrays arrays, struct cls_mpi_arrays copy);

/* Finds the permutation that sorts a few keys, which are only read; stable. */
clsort_status cls_local_argsort(clsort_engine *engine, const struct cls_mpi_elements *elements,
                                size_t count, const char *keys, uint32_t *index);

/* A sorted run. */
struct cls_run {
    struct cls_mpi_arrays at;
    uint64_t count;
};

/* Merges two runs with keys of a built-in type to `to`; equal elements of runs[0] come first. The run `late` may be the
 * end of `to`. Another element behind each run can be read. `staging` has CLS_MERGE_STAGING_BYTES. */
void cls_local_merge(const struct cls_mpi_elements *elements, const struct cls_run runs[2],
                     int late, struct cls_mpi_arrays to, char *staging);

/* Returns whether elements fit in the staging memory of a merge. */
bool cls_local_can_merge(const struct cls_mpi_elements *elements);

enum { CLS_MERGE_STAGING_BYTES = 1 << 18 }; /* within a cache of the second level */

#endif
