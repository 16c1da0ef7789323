/* wrong.c - a preloaded library whose clsort_mpi_host does what CLSORT_TEST_WRONG says, for a test of clsort-bench-mpi
 *
 *   local     Each rank sorts its own keys: the output is in order on each rank only.
 *   order     The last rank swaps its first and its last key.
 *   content   The last rank overwrites its first key by the second one: the output is in order.
 *   fail      The last rank fails. */
#include "next.h"

#include <clsort_mpi.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_last_rank(void)
{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return rank == size - 1;
}

clsort_status clsort_mpi_host(clsort_mpi *mpi, const clsort_desc *desc, uint64_t count,
                              const void *keys, const void *values, uint64_t out_count,
                              void *keys_out, void *values_out)
{
    clsort_status (*next)(clsort_mpi *, const clsort_desc *, uint64_t, const void *, const void *,
                          uint64_t, void *, void *);
    const char *wrong = getenv("CLSORT_TEST_WRONG");
    uint64_t *const out = keys_out;
    if (strcmp(wrong, "local") == 0) {
        memcpy(out, keys, count * sizeof *out);
        return clsort_host(NULL, NULL, desc, count, out, NULL);
    }
    next_function("clsort_mpi_host", &next);
    const clsort_status status =
        next(mpi, desc, count, keys, values, out_count, keys_out, values_out);
    if (!is_last_rank())
        return status;
    const uint64_t first = out[0];
    if (strcmp(wrong, "order") == 0) {
        out[0] = out[out_count - 1];
        out[out_count - 1] = first;
    } else if (strcmp(wrong, "content") == 0) {
        out[0] = out[1];
    } else if (strcmp(wrong, "fail") == 0) {
        return CLSORT_E_MEMORY;
    }
    return status;
}
