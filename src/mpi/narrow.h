/* narrow.h - the exact positions that divide the sorted elements of all ranks, in any order
 *
 * Each rank searches the positions at which its own output begins, in windows of positions on all ranks
 * (group/splitters.h). In each round it gets samples from the windows of the other ranks, sorts them, and narrows the
 * windows. */
#ifndef CLSORT_MPI_NARROW_H
#define CLSORT_MPI_NARROW_H

#include "mpi/context.h"
#include "mpi/elements.h"

/* Sets mpi->position but for its last element, for these sorted keys of this rank. Collective. A relation that is not a
 * strict weak order can give positions that decrease. */
clsort_status cls_narrow(clsort_mpi *mpi, const struct cls_mpi_elements *elements,
                         const char *keys);

#endif
